import type { Change } from '../../../changes/index.ts';
import { findClientById } from '../../../oauth/index.ts';
import { reads, type Admission } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { ApplicationType } from '../applications/type.ts';
import { signedIn } from '../oauth/engine.ts';
import { PersonalAccessToken } from '../personal-access-tokens/types.ts';

const kinds: readonly string[] = ['PERSONAL_ACCESS_TOKEN', 'AUTHORIZATION'] satisfies Change['subject'][];

const Kind = builder.enumType('TokenKind', {
  values: {
    PERSONAL_ACCESS_TOKEN: {},
    AUTHORIZATION: { description: 'Your authorization of an application: all the tokens that it has for you.' },
  } as const,
});

const Act = builder.enumType('TokenAct', {
  values: {
    CREATED: { description: 'A token was created, or you authorized an application and it got its first token.' },
    ROTATED: { description: 'The token was rotated. The new one is published as `CREATED`.' },
    REVOKED: {},
  } as const,
});

/** Admission as for the lists of tokens, which no OAuth token reaches. */
const tokenListAdmission: Admission = { class: 'session', personalToken: reads };

const TokenChange = builder.objectRef<Change>('TokenChange').implement({
  description: 'A change of one of your tokens. It never contains a secret.',
  fields: (t) => ({
    kind: t.field({ type: Kind, resolve: ({ subject }) => subject as typeof Kind.$inferType }),
    act: t.field({ type: Act, resolve: ({ act }) => act as typeof Act.$inferType }),
    personalAccessToken: t.prismaField({
      type: PersonalAccessToken,
      nullable: true,
      description: 'The token as it is now. Only for requests with a personal access token; null for an authorization.',
      admission: tokenListAdmission,
      resolve: (query, { subject, id }, _args, context) =>
        subject === 'PERSONAL_ACCESS_TOKEN'
          ? context.database.prisma.personalAccessToken.findUnique({
              ...query,
              where: { id: id!, userId: signedIn(context).id },
            })
          : null,
    }),
    application: t.field({
      type: ApplicationType,
      nullable: true,
      description:
        'The application of an authorization; null if all of them ended at once. Only for requests with a personal access token.',
      admission: tokenListAdmission,
      resolve: ({ subject, id }, _args, { database }) =>
        subject === 'AUTHORIZATION' && id !== null ? findClientById({ sql: database }, id) : null,
    }),
  }),
});

builder.subscriptionField('tokenChanged', (t) =>
  t.field({
    type: TokenChange,
    nullable: true,
    description:
      'Publishes when your own personal access tokens and your authorizations of applications are created and revoked. It doesn’t publish expiry, nor the end of authorizations whose application was changed or removed.',
    admission: { class: 'token', scopes: reads },
    subscribe: (_root, _args, context) =>
      context.changes.subscribe(signedIn(context).id, ({ subject }) => kinds.includes(subject)),
    resolve: (change) => change,
  }),
);
