import { InvalidToken } from '../../../errors.ts';
import type { Credential } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';

type AccessToken = Extract<Credential, { kind: 'oauth' }>;

const TokenInfo = builder.objectRef<{ token: AccessToken; personId: number | null }>('TokenInfo').implement({
  description: 'Information about an OAuth access token.',
  fields: (t) => ({
    resourceOwnerId: t.id({
      nullable: true,
      description: 'The user it belongs to; null for a token that an application got for itself.',
      resolve: ({ personId }) => personId,
    }),
    scopes: t.stringList({ resolve: ({ token }) => [...token.scopes] }),
    expiresIn: t.int({
      nullable: true,
      description: 'Seconds until it expires; null for a token that never expires.',
      resolve: ({ token }) =>
        token.expiresAt && Math.max(0, Math.floor((token.expiresAt.getTime() - Date.now()) / 1000)),
    }),
    applicationUid: t.string({
      nullable: true,
      description:
        'The `client_id` of the application that it was issued to. Compare it before you trust a token that you received from elsewhere.',
      resolve: ({ token }) => token.application?.uid ?? null,
    }),
    createdAt: t.field({ type: 'Time', resolve: ({ token }) => token.createdAt }),
  }),
});

builder.queryField('tokenInfo', (t) =>
  t.field({
    type: TokenInfo,
    nullable: true,
    description: 'The OAuth access token that this request carries. It needs no scope.',
    admission: { class: 'token', scopes: 'any', application: true },
    resolve: (_root, _args, { viewer: { credential, person } }) => {
      if (credential?.kind !== 'oauth') throw new InvalidToken('unusable');
      return { token: credential, personId: person?.id ?? null };
    },
  }),
);
