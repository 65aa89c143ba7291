import { objectSchema, type Record } from '../../engine/record.ts';
import { unixSeconds, unixTime } from '../../engine/unix-time.ts';

export interface TokenInfoData {
  readonly resourceOwnerId: number | null;
  readonly scope: readonly string[];
  readonly expiresIn: number | null;
  readonly application: { readonly uid: string } | null;
  readonly createdAt: string;
}

const scopeList = { type: 'array', items: { type: 'string' } };
const seconds = {
  type: ['integer', 'null'],
  description: 'Seconds until it expires; null for a token that never does.',
};
const deprecatedAlias = (schema: object, now: string) => ({
  ...schema,
  deprecated: true,
  description: `Alias of \`${now}\`, which will be removed.`,
});

/** Token information, with both deprecated aliases of GitLab's API. */
export const TokenInfo: Record<TokenInfoData> = {
  name: 'TokenInfo',
  schema: objectSchema({
    resource_owner_id: {
      type: ['integer', 'null'],
      description: 'ID of the user; null for an application’s own token.',
    },
    scope: scopeList,
    expires_in: seconds,
    application: objectSchema({ uid: { type: ['string', 'null'] } }),
    created_at: unixTime,
    scopes: deprecatedAlias(scopeList, 'scope'),
    expires_in_seconds: deprecatedAlias(seconds, 'expires_in'),
  }),
  present: ({ resourceOwnerId, scope, expiresIn, application, createdAt }) => ({
    resource_owner_id: resourceOwnerId,
    scope,
    expires_in: expiresIn,
    application: { uid: application?.uid ?? null },
    created_at: unixSeconds(createdAt),
    scopes: scope,
    expires_in_seconds: expiresIn,
  }),
};
