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
    AUTHORIZATION: { description: 'What you allow an application: all the tokens that it has for you.' },
  } as const,
});

const Act = builder.enumType('TokenAct', {
  values: {
    CREATED: { description: 'A token was made, or an application got its first one by a consent of yours.' },
    ROTATED: { description: 'Another one, which is told as created, stands in its place.' },
    REVOKED: {},
  } as const,
});

/** What only the lists of tokens show otherwise, which no OAuth token reaches. */
const asInLists: Admission = { class: 'session', personalToken: reads };

const TokenChange = builder.objectRef<Change>('TokenChange').implement({
  description: 'That one of your tokens changed. A secret is never part of it.',
  fields: (t) => ({
    kind: t.field({ type: Kind, resolve: ({ subject }) => subject as typeof Kind.$inferType }),
    act: t.field({ type: Act, resolve: ({ act }) => act as typeof Act.$inferType }),
    personalAccessToken: t.prismaField({
      type: PersonalAccessToken,
      nullable: true,
      description: 'As it is now. For those who ask with a personal access token; null for an authorization.',
      admission: asInLists,
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
        'Of an authorization; null where all of them ended at once. For those who ask with a personal access token.',
      admission: asInLists,
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
      'Your own personal access tokens and what you allow applications, as they are made and as they end. What ends by its date, or because its application was changed or removed, isn’t told.',
    admission: { class: 'token', scopes: reads },
    subscribe: (_root, _args, context) =>
      context.changes.subscribe(signedIn(context).id, ({ subject }) => kinds.includes(subject)),
    resolve: (change) => change,
  }),
);
