import { Day } from '../../site/records/day.tsx';
import { Form } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Badge, Facts, SecretOnce } from '../../site/records/records.tsx';
import { DecidingAs, DecisionLayout } from '../../site/layout/decision-layout.tsx';
import { inOrder, legible, scopeSays, scopeWarns } from '../../site/words.ts';

/** The application of an authorization request, as the person who decides sees it. */
export interface RequestingApplication {
  readonly name: string;
  readonly createdAt: string;
  /** The person who registered it; null for an application of the instance. */
  readonly owner: Person | null;
}

/** The selection of fields for `RequestingApplication`. */
export const requestingFields = 'name createdAt owner { name username }';

export interface Person {
  readonly name: string;
  readonly username: string;
}

interface ConsentProps {
  readonly site: Site;
  readonly application: RequestingApplication;
  readonly person: Person;
  readonly scopes: readonly string[];
  readonly redirectUri: string;
  /** Whether the authorization is remembered: the same request then needs no second approval. */
  readonly rememberable: boolean;
  /** The parameters of the request, which the forms send back. */
  readonly request: Readonly<Record<string, string>>;
  readonly shown: string;
}

export const authorizePath = '/oauth/authorize';

/** The consent page: an application asks for authorization to act for a person. */
export function Consent({
  site,
  application,
  person,
  scopes,
  redirectUri,
  rememberable,
  request,
  shown,
}: ConsentProps) {
  const form = { csrf: site.visitor!.csrf, action: authorizePath, shown };
  return (
    <DecisionLayout site={site} title={`Authorize ${application.name}?`} first="approve.js">
      <h1>
        Authorize <bdi>{application.name}</bdi>?
      </h1>
      <p>
        <b>
          <bdi>{application.name}</bdi>
        </b>{' '}
        wants to act for you, <PersonName person={person} />. It will be able to:
      </p>
      <ScopeList scopes={scopes} />
      {site.visitor!.administrator && <AdministratorWarning />}
      <Facts
        facts={[
          ['Sends you to', <Destination redirectUri={redirectUri} />],
          ['Registered by', <Owner application={application} />],
          ['Registered on', <Day at={application.createdAt} />],
          [
            'Next time',
            rememberable ? 'It doesn’t ask again for the same scopes, until you revoke this.' : 'It asks again.',
          ],
        ]}
      />
      <p class="hint">
        Authorize it only if you started this yourself and trust the application. You can revoke this at any time.
      </p>
      <div class="decision">
        <Form {...form} carries={request}>
          <button class="button primary" data-arms>
            Authorize <bdi>{application.name}</bdi>
          </button>
        </Form>
        <Form {...form} carries={{ ...request, _method: 'delete' }}>
          <button class="button">Cancel</button>
        </Form>
      </div>
      <DecidingAs site={site} />
    </DecisionLayout>
  );
}

/** The person who registered an application. */
export function Owner({ application: { owner } }: { readonly application: RequestingApplication }) {
  return owner ? <PersonName person={owner} /> : <>the administrators of this instance</>;
}

function PersonName({ person: { name, username } }: { readonly person: Person }) {
  return (
    <>
      <b>
        <bdi>{name}</bdi>
      </b>{' '}
      ({username})
    </>
  );
}

export function ScopeList({ scopes }: { readonly scopes: readonly string[] }) {
  return (
    <ul class="allows">
      {inOrder(scopes).map((scope) => (
        <li>
          {scopeSays(scope)} <code>{scope}</code>{' '}
          {scopeWarns(scope) && <Badge tone="caution">{scopeWarns(scope)}</Badge>}
        </li>
      ))}
    </ul>
  );
}

export function AdministratorWarning() {
  return (
    <p class="warning">
      <b>You are an administrator.</b> An application that you authorize can do more here than one that other people
      authorize.
    </p>
  );
}

/** The target of a redirect URI, in words: a host, an application on the device, or a code to copy. */
function Destination({ redirectUri }: { readonly redirectUri: string }) {
  const { protocol, host, hostname } = new URL(redirectUri);
  if (protocol === 'urn:') return <>a page with a code to copy into the application</>;
  if (protocol !== 'https:' && protocol !== 'http:') {
    return (
      <>
        <code>{legible(protocol)}</code> an application on this device
      </>
    );
  }
  const own = /^(127(\.\d+){3}|\[::1\]|localhost)$/.test(hostname);
  return (
    <>
      <code>{host}</code>
      {own ? ' on this computer' : protocol === 'http:' && ' without encryption'}
    </>
  );
}

/** The page with an authorization code to copy, for applications that a browser can't redirect to (`urn:ietf:wg:oauth:2.0:oob`). */
export function ManualCode({ site, code }: { readonly site: Site; readonly code: string }) {
  return (
    <DecisionLayout site={site} title="Your authorization code" load={['copy.js']}>
      <h1>Your authorization code</h1>
      <SecretOnce label="your authorization code" value={code} />
      <p>
        Paste it into the application that asked for it, and nowhere else. It works once, and only for a short time.
      </p>
    </DecisionLayout>
  );
}

/** The page after a person denied a request that has no address to redirect to. */
export function NotAuthorized({ site }: { readonly site: Site }) {
  return (
    <DecisionLayout site={site} title="Not authorized">
      <h1>Not authorized</h1>
      <p>The application gets no code and no access. You can close this page.</p>
    </DecisionLayout>
  );
}

/** The parameter of a request that is wrong, and why. */
export interface Mismatch {
  readonly parameter: string;
  readonly says: string;
  readonly value: string | undefined;
  readonly error: string;
}

interface RefusedRequestProps {
  readonly site: Site;
  readonly mismatch: Mismatch;
  /** The registered redirect URIs; null unless the viewer administers the application. */
  readonly registered: readonly string[] | null;
  /** Whether the address was allowed once, and is no more. */
  readonly outdated: boolean;
}

/** The error page for an invalid request that must not redirect. It shows the developer what is wrong. */
export function RefusedRequest({ site, mismatch, registered, outdated }: RefusedRequestProps) {
  const { parameter, says, value, error } = mismatch;
  return (
    <DecisionLayout site={site} title="Invalid authorization request">
      <h1>Invalid authorization request</h1>
      <p>
        {outdated
          ? 'The application that sent you here uses an address that this server used to allow and refuses now, so it gets no access. Its developer can register another address.'
          : 'The application that sent you here made a mistake, so it gets no access. Only its developer can fix this.'}
      </p>
      <Facts
        facts={[
          [
            'Problem',
            <>
              <code>{parameter}</code> {says}
            </>,
          ],
          value !== undefined && ['Sent', <code>{legible(value)}</code>],
          registered && ['Registered', <Registered uris={registered} />],
          ['Error', <code>{error}</code>],
        ]}
      />
      {error === 'invalid_redirect_uri' && !outdated && !registered && (
        <p class="hint">The owner of the application sees its registered redirect URIs here after signing in.</p>
      )}
      <p>
        <a href="/">Go to the start page</a>
      </p>
    </DecisionLayout>
  );
}

function Registered({ uris }: { readonly uris: readonly string[] }) {
  if (uris.length === 0) return <>None</>;
  return (
    <>
      {uris.map((uri) => (
        <div>
          <code>{legible(uri)}</code>
        </div>
      ))}
    </>
  );
}
