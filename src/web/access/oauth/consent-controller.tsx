import type { GraphQLSchema } from 'graphql';
import { OAuthError } from '../../../errors.ts';
import { parseForm, Unreadable, type Answer, type Parameters } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import { formTargets } from '../../site/forms/form-targets.ts';
import { toAnswer } from '../../site/layout/page.ts';
import {
  requestingFields,
  authorizePath,
  ManualCode,
  Consent,
  NotAuthorized,
  RefusedRequest,
  type RequestingApplication,
  type Mismatch,
  type Person,
} from './consent-view.tsx';
import { comingBackTo, signInPath } from '../../site/return-to.ts';
import { seeOther, type PageRoute, type Visit } from '../../site/visit.ts';

/** The parameters of an authorization request, and their names in the schema. Unknown ones are ignored (RFC 6749 §3.1). */
const parameters = {
  client_id: 'clientId',
  redirect_uri: 'redirectUri',
  response_type: 'responseType',
  response_mode: 'responseMode',
  scope: 'scope',
  state: 'state',
  code_challenge: 'codeChallenge',
  code_challenge_method: 'codeChallengeMethod',
  prompt: 'prompt',
} as const;

type Name = keyof typeof parameters;
const names = Object.keys(parameters) as Name[];

/** The parameters of an authorization request as sent. Empty ones are left out: they count as absent. */
type Request = Readonly<Partial<Record<Name, string>>>;

interface ExaminedRequest {
  readonly application: RequestingApplication | null;
  readonly scopes: readonly string[];
  readonly redirectUri: string | null;
  readonly remembered: boolean;
  readonly rememberable: boolean;
  readonly error: string | null;
  readonly errorDescription: string | null;
  readonly errorLocation: string | null;
  /** Null unless the viewer administers the application. */
  readonly registeredRedirectUris: readonly string[] | null;
  /** Why the present rules refuse a redirect URI that is registered: `cannot contain a fragment.` */
  readonly redirectUriRule: string | null;
}

/** The authorization endpoint: a person approves or denies the request of an application (RFC 6749 §3.1). */
export function authorizePages(schema: GraphQLSchema): PageRoute[] {
  const examine = compileOperation<{ authorizationRequest: ExaminedRequest }>(
    schema,
    `query ($parameters: AuthorizationParameters!) {
      authorizationRequest(parameters: $parameters) {
        application { ${requestingFields} } scopes redirectUri remembered rememberable
        error errorDescription errorLocation registeredRedirectUris redirectUriRule
      }
    }`,
  );
  const me = compileOperation<{ currentUser: Person }>(schema, 'query { currentUser { name username } }');
  const authorize = compileOperation<{ authorize: { location: string | null; code: string | null } }>(
    schema,
    `mutation ($parameters: AuthorizationParameters!, $approved: Boolean!) {
      authorize(parameters: $parameters, approved: $approved) { location code }
    }`,
  );

  /** Stores the decision, and redirects the browser to the application with the answer. */
  async function decide(visit: Visit, request: Request, approved: boolean): Promise<Answer> {
    try {
      const { location, code } = (
        await authorize.execute(visit.context, { parameters: toVariables(request), approved })
      ).authorize;
      if (location !== null) return seeOther(location);
      if (code === null) return toAnswer(<NotAuthorized site={visit.site} />);
      return toAnswer(<ManualCode site={visit.site} code={code} />, 200, { scripts: true });
    } catch (problem) {
      if (problem instanceof OAuthError) return refused(visit, request, problem);
      throw problem;
    }
  }

  async function show(visit: Visit, request: Request): Promise<Answer> {
    const { site, context, exchange } = visit;
    const { authorizationRequest: examined } = await examine.execute(context, { parameters: toVariables(request) });
    const { application, scopes, redirectUri, remembered, rememberable, error, errorDescription, errorLocation } =
      examined;
    if (error !== null && errorLocation === null) {
      return refused(visit, request, new OAuthError(error, errorDescription ?? ''), examined);
    }
    // Prevents an open redirector: redirects only signed-in people, even with an error (RFC 9700 §4.11.2).
    if (!site.visitor) return seeOther(comingBackTo(signInPath, addressOf(request)));
    if (errorLocation !== null) return seeOther(errorLocation);
    if (remembered && exchange.request.method === 'GET') return await decide(visit, request, true);
    const { currentUser: person } = await me.execute(context, {});
    return toAnswer(
      <Consent
        site={site}
        application={application!}
        person={person}
        scopes={scopes}
        redirectUri={redirectUri!}
        rememberable={rememberable}
        request={request}
        shown={canonical(request)}
      />,
      200,
      { scripts: true, formsLeadTo: formTargets(redirectUri!) },
    );
  }

  return [
    {
      path: authorizePath,
      name: 'authorize',
      shown: (fields) => canonical(toRequest(fields)),
      again: (fields) => addressOf(toRequest(fields)),
      get: (visit) => show(visit, toRequest(parseForm(visit.exchange.query, 'refuse'))),
      post: (visit, fields) => decide(visit, toRequest(fields), fields._method !== 'delete'),
    },
  ];
}

/** @throws Unreadable */
function toRequest(given: Parameters): Request {
  const request: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = given[name];
    if (value === undefined || value === '') continue;
    if (typeof value !== 'string') throw new Unreadable(400, `The parameter ${name} must be a single text.`);
    // RFC 6749 Appendix A.5. Forms normalize line breaks: the application would get back a different state.
    if (name === 'state' && /\p{Cc}/u.test(value))
      throw new Unreadable(400, 'The parameter state contains control characters.');
    request[name] = value;
  }
  return request;
}

const toVariables = (request: Request) => Object.fromEntries(names.map((name) => [parameters[name], request[name]]));

/** The request as one text, with its parameters in a fixed order. The CSRF token of the form is bound to it. */
const canonical = (request: Request): string => new URLSearchParams(request as Record<string, string>).toString();

const addressOf = (request: Request): string => `${authorizePath}?${canonical(request)}`;

function refused(
  { site }: Visit,
  request: Request,
  error: OAuthError,
  examined?: Pick<ExaminedRequest, 'registeredRedirectUris' | 'redirectUriRule'>,
): Answer {
  const { registeredRedirectUris: registered = null, redirectUriRule: rule = null } = examined ?? {};
  return toAnswer(
    <RefusedRequest
      site={site}
      mismatch={mismatchOf(request, error, rule)}
      registered={registered}
      outdated={rule !== null}
    />,
    400,
  );
}

/** The parameter that is wrong. */
function mismatchOf(
  { client_id: clientId, redirect_uri: redirectUri }: Request,
  { error, message }: OAuthError,
  rule: string | null,
): Mismatch {
  if (clientId === undefined) return { parameter: 'client_id', says: 'is missing.', value: undefined, error };
  if (error === 'invalid_client')
    return { parameter: 'client_id', says: 'belongs to no application of this instance.', value: clientId, error };
  if (error !== 'invalid_redirect_uri') return { parameter: 'The request', says: message, value: undefined, error };
  if (redirectUri === undefined) return { parameter: 'redirect_uri', says: 'is missing.', value: undefined, error };
  return {
    parameter: 'redirect_uri',
    says:
      rule === null
        ? 'isn’t registered for the application. It must match a registered redirect URI exactly.'
        : `is registered, but the rules of this server refuse it now: it ${rule}`,
    value: redirectUri,
    error,
  };
}
