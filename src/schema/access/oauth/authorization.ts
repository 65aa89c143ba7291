import type { Context } from '../../../context.ts';
import type { OAuthError } from '../../../errors.ts';
import {
  approve,
  checkAuthorization,
  deny,
  isRemembered,
  mayBeRemembered,
  RefusedRedirectUri,
  type Answered,
  type Client,
} from '../../../oauth/index.ts';
import { builder } from '../../engine/builder.ts';
import { ApplicationType, managesApplication } from '../applications/type.ts';
import { decider, engineOf, signedIn } from './engine.ts';

const parameters = builder.inputType('AuthorizationParameters', {
  description: 'The parameters of an authorization request, as received (RFC 6749 §4.1.1, RFC 7636 §4.3).',
  fields: (t) => ({
    clientId: t.string(),
    redirectUri: t.string(),
    responseType: t.string(),
    responseMode: t.string(),
    scope: t.string(),
    state: t.string(),
    codeChallenge: t.string(),
    codeChallengeMethod: t.string(),
    prompt: t.string(),
  }),
});
type Parameters = typeof parameters.$inferInput;

/** The outcome of checking an authorization request. */
type Prospect =
  | {
      readonly kind: 'ASK';
      readonly client: Client;
      readonly scopes: readonly string[];
      readonly redirectUri: string;
      readonly remembered: boolean;
      readonly rememberable: boolean;
    }
  | {
      readonly kind: 'REFUSE';
      readonly error: OAuthError;
      readonly location: string | null;
      readonly client: Client | null;
    };

const AuthorizationProspect = builder.objectRef<Prospect>('AuthorizationProspect').implement({
  description: 'The outcome of checking an authorization request: the person is asked for consent, or it is refused.',
  fields: (t) => ({
    application: t.field({
      type: ApplicationType,
      nullable: true,
      description: 'The application that asks; null for a request that is refused.',
      resolve: (prospect) => (prospect.kind === 'ASK' ? prospect.client : null),
    }),
    scopes: t.stringList({ resolve: (prospect) => (prospect.kind === 'ASK' ? [...prospect.scopes] : []) }),
    redirectUri: t.string({
      nullable: true,
      description: 'The redirect URI that receives the response.',
      resolve: (prospect) => (prospect.kind === 'ASK' ? prospect.redirectUri : null),
    }),
    remembered: t.boolean({
      description: 'Whether the person approved this before, so that no consent is needed now.',
      resolve: (prospect) => prospect.kind === 'ASK' && prospect.remembered,
    }),
    rememberable: t.boolean({
      description: 'Whether an approval is remembered, so that the same request needs no consent next time.',
      resolve: (prospect) => prospect.kind === 'ASK' && prospect.rememberable,
    }),
    registeredRedirectUris: t.stringList({
      nullable: true,
      description: 'How to correct a refused request. For those who manage the application; null for others.',
      resolve: (prospect, _args, { viewer }) =>
        prospect.kind === 'REFUSE' && prospect.client && managesApplication(viewer, prospect.client)
          ? [...prospect.client.redirectUris]
          : null,
    }),
    redirectUriRule: t.string({
      nullable: true,
      description:
        'What a registered redirect URI must or must not be by the present rules of this server, if they refuse it: `cannot contain a fragment.`',
      resolve: (prospect) =>
        prospect.kind === 'REFUSE' && prospect.error instanceof RefusedRedirectUri ? prospect.error.rule : null,
    }),
    error: t.string({
      nullable: true,
      resolve: (prospect) => (prospect.kind === 'REFUSE' ? prospect.error.error : null),
    }),
    errorDescription: t.string({
      nullable: true,
      resolve: (prospect) => (prospect.kind === 'REFUSE' ? prospect.error.message : null),
    }),
    errorLocation: t.string({
      nullable: true,
      description: 'The redirect URI with the error for the client; null if the browser must not be redirected.',
      resolve: (prospect) => (prospect.kind === 'REFUSE' ? prospect.location : null),
    }),
  }),
});

async function examine(context: Context, given: Parameters): Promise<Prospect> {
  const engine = engineOf(context);
  const checked = await checkAuthorization(
    engine,
    context.baseUrl,
    given,
    context.viewer.person?.administrator === true,
  );
  if ('refused' in checked) return { kind: 'REFUSE', ...checked.refused };
  const { client, scopes, redirectUri } = checked.request;
  const { person } = context.viewer;
  const remembered = person !== null && (await isRemembered(engine, person.id, checked.request));
  return { kind: 'ASK', client, scopes, redirectUri, remembered, rememberable: mayBeRemembered(checked.request) };
}

builder.queryField('authorizationRequest', (t) =>
  t.field({
    type: AuthorizationProspect,
    nullable: true,
    description: 'Checks an authorization request, to show it to the person.',
    admission: { class: 'session', anonymous: true },
    args: { parameters: t.arg({ type: parameters, required: true }) },
    resolve: (_root, args, context) => examine(context, args.parameters),
  }),
);

const AuthorizationAnswer = builder.objectRef<Answered>('AuthorizationAnswer').implement({
  fields: (t) => ({
    location: t.exposeString('location', {
      nullable: true,
      description: 'Where to redirect the browser; null out of band.',
    }),
    code: t.string({
      nullable: true,
      description: 'Out of band: the code that the person enters in the application; null if they refused.',
      resolve: (answered) => (answered.location === null ? answered.code : null),
    }),
  }),
});

builder.mutationField('authorize', (t) =>
  t.field({
    type: AuthorizationAnswer,
    nullable: true,
    description: 'Records the person’s decision on an authorization request. The request is checked again.',
    admission: { class: 'session' },
    args: {
      parameters: t.arg({ type: parameters, required: true }),
      approved: t.arg.boolean({ required: true }),
    },
    resolve: async (_root, args, context) => {
      const engine = engineOf(context);
      const checked = await checkAuthorization(
        engine,
        context.baseUrl,
        args.parameters,
        signedIn(context).administrator,
      );
      if ('refused' in checked) {
        if (checked.refused.location === null) throw checked.refused.error;
        return { location: checked.refused.location };
      }
      const answer = args.approved ? approve : deny;
      return await answer(engine, context.baseUrl, decider(context), checked.request);
    },
  }),
);
