import { Day } from '../../site/day.tsx';
import { Form } from '../../site/forms.tsx';
import type { Site } from '../../site/layout.tsx';
import { Badge, Facts, SecretOnce } from '../../site/records.tsx';
import { DecidingAs, DecisionLayout } from '../../site/decision-layout.tsx';
import { inOrder, legible, scopeSays, scopeWarns } from '../../site/words.ts';

/** What a person is shown of an application. */
export interface Asking {
  readonly name: string;
  readonly createdAt: string;
  /** Who registered it; null for one that belongs to the instance. */
  readonly owner: Person | null;
}

/** The fields of it in the schema. */
export const askingFields = 'name createdAt owner { name username }';

export interface Person {
  readonly name: string;
  readonly username: string;
}

interface ConsentProps {
  readonly site: Site;
  readonly application: Asking;
  readonly person: Person;
  readonly scopes: readonly string[];
  readonly redirectUri: string;
  /** Whether the person needn't be asked again for the same. */
  readonly rememberable: boolean;
  /** The request as it came, which the forms bring back. */
  readonly request: Readonly<Record<string, string>>;
  readonly shown: string;
}

export const authorizePath = '/oauth/authorize';

/** An application asks for leave to act for a person. */
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
        asks to act for you, <PersonName person={person} />. It would be able to:
      </p>
      <ScopeList scopes={scopes} />
      {site.visitor!.administrator && <AdministratorWarning />}
      <Facts
        facts={[
          ['The answer goes to', <Destination redirectUri={redirectUri} />],
          ['Registered by', <Owner application={application} />],
          ['Here since', <Day at={application.createdAt} />],
          [
            'Next time',
            rememberable ? 'It needn’t ask you again for the same, until you revoke this.' : 'It has to ask you again.',
          ],
        ]}
      />
      <p class="hint">
        Authorize it only if you came from it yourself, and trust it. You can take it back at any time.
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

/** Who registered an application. */
export function Owner({ application: { owner } }: { readonly application: Asking }) {
  return owner ? <PersonName person={owner} /> : <>the administrators here</>;
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
      <b>You are an administrator.</b> What you allow an application here reaches further than what others could allow
      it.
    </p>
  );
}

/** Where a redirect URI leads, for people: the host of an address, or what on their own device gets it. */
function Destination({ redirectUri }: { readonly redirectUri: string }) {
  const { protocol, host, hostname } = new URL(redirectUri);
  if (protocol === 'urn:') return <>you: a code to copy into the application</>;
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

/** The code, for a person to copy into an application that no browser can go on to. */
export function CodeByHand({ site, code }: { readonly site: Site; readonly code: string }) {
  return (
    <DecisionLayout site={site} title="Your authorization code">
      <h1>Your authorization code</h1>
      <SecretOnce label="your authorization code" value={code} />
      <p>
        Paste it into the application that asked for it, and nowhere else. It works once, and only for a short while.
      </p>
    </DecisionLayout>
  );
}

/** A refusal for which there is nowhere to go on to. */
export function NotAuthorized({ site }: { readonly site: Site }) {
  return (
    <DecisionLayout site={site} title="Not authorized">
      <h1>Not authorized</h1>
      <p>The application gets no code, and nothing was shared with it. You can close this page.</p>
    </DecisionLayout>
  );
}

/** Which value of a request can't be right. */
export interface Mismatch {
  readonly parameter: string;
  readonly says: string;
  readonly value: string | undefined;
  readonly error: string;
}

interface RefusedRequestProps {
  readonly site: Site;
  readonly mismatch: Mismatch;
  /** The redirect URIs of the application, for those who look after it; null for others. */
  readonly registered: readonly string[] | null;
}

/** A request that nobody may be sent anywhere for. For the developer of the other side, and harmless to everyone else. */
export function RefusedRequest({ site, mismatch, registered }: RefusedRequestProps) {
  const { parameter, says, value, error } = mismatch;
  return (
    <DecisionLayout site={site} title="This request can’t be answered">
      <h1>This request can’t be answered</h1>
      <p>
        The application that sent you here made a mistake, so it gets no answer. Nothing was shared with it. Only its
        developer can set this right.
      </p>
      <Facts
        facts={[
          [
            'What is wrong',
            <>
              <code>{parameter}</code> {says}
            </>,
          ],
          value !== undefined && ['What was sent', <code>{legible(value)}</code>],
          registered && ['What is registered', <Registered uris={registered} />],
          ['Error', <code>{error}</code>],
        ]}
      />
      {error === 'invalid_redirect_uri' && !registered && (
        <p class="hint">Whoever registered the application sees here what is registered, once they are signed in.</p>
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
