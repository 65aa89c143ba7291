import { Day } from '../day.tsx';
import { Form } from '../forms.tsx';
import type { Site } from '../layout.tsx';
import { DecidingAs, Sheet } from '../sheet.tsx';
import { legible, scopeSays } from '../words.ts';

/** What a person is shown of an application. */
export interface Asking {
  readonly name: string;
  readonly createdAt: string;
}

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
  /** The request as it came, which the forms bring back. */
  readonly request: Readonly<Record<string, string>>;
  readonly shown: string;
}

export const authorizePath = '/oauth/authorize';

/** An application asks for leave to act for a person. */
export function Consent({ site, application, person, scopes, redirectUri, request, shown }: ConsentProps) {
  const form = { proof: site.visitor!.proof, action: authorizePath, shown };
  return (
    <Sheet site={site} title={`Authorize ${application.name}?`} first="approve.js">
      <h1>
        Authorize <bdi>{application.name}</bdi>?
      </h1>
      <p>
        <b>
          <bdi>{application.name}</bdi>
        </b>{' '}
        asks to act for you, <Named person={person} />. It would be able to:
      </p>
      <ScopeList scopes={scopes} />
      {site.visitor!.administrator && <AdministratorWarning />}
      <dl class="facts">
        <dt>The answer goes to</dt>
        <dd>
          <Destination redirectUri={redirectUri} />
        </dd>
        <dt>Registered here since</dt>
        <dd>
          <Day at={application.createdAt} />
        </dd>
      </dl>
      <p class="hint">Authorize it only if you came from it yourself, and trust it. You can take it back at any time.</p>
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
    </Sheet>
  );
}

function Named({ person: { name, username } }: { readonly person: Person }) {
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
      {scopes.map((scope) => (
        <li>
          {scopeSays(scope)} <code>{scope}</code>
        </li>
      ))}
    </ul>
  );
}

export function AdministratorWarning() {
  return (
    <p class="warning">
      <b>You are an administrator.</b> What you allow an application here reaches further than what others could allow it.
    </p>
  );
}

/** Where a redirect URI leads, for people: the host of an address, or what on their own device gets it. */
function Destination({ redirectUri }: { readonly redirectUri: string }) {
  const { protocol, host, hostname } = new URL(redirectUri);
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

/** The way back to an application that the person approved before. */
export function Onward({ site, name, location }: { readonly site: Site; readonly name: string; readonly location: string }) {
  return (
    <Sheet site={site} title={`Going on to ${name}`} onward={location}>
      <h1>
        Going on to <bdi>{name}</bdi>
      </h1>
      <p>You authorized it before, for the same.</p>
      <p>
        <a href={location}>Go on, if nothing happens</a>
      </p>
    </Sheet>
  );
}

/** Which value of a request can't be right. */
export interface Mismatch {
  readonly parameter: string;
  readonly says: string;
  readonly value: string | undefined;
  readonly error: string;
}

/** A request that nobody may be sent anywhere for. For the developer of the other side, and harmless to everyone else. */
export function RefusedRequest({ site, mismatch }: { readonly site: Site; readonly mismatch: Mismatch }) {
  const { parameter, says, value, error } = mismatch;
  return (
    <Sheet site={site} title="This request can’t be answered">
      <h1>This request can’t be answered</h1>
      <p>
        The application that sent you here made a mistake, so it gets no answer. Nothing was shared with it. Only its developer
        can set this right.
      </p>
      <dl class="facts">
        <dt>What is wrong</dt>
        <dd>
          <code>{parameter}</code> {says}
        </dd>
        {value !== undefined && (
          <>
            <dt>What was sent</dt>
            <dd>
              <code>{legible(value)}</code>
            </dd>
          </>
        )}
        <dt>Error</dt>
        <dd>
          <code>{error}</code>
        </dd>
      </dl>
      <p>
        <a href="/">Go to the start page</a>
      </p>
    </Sheet>
  );
}
