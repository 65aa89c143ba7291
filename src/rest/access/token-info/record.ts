import { objectSchema, type Record } from '../../engine/record.ts';
import { unixSeconds, unixTime } from '../../engine/unix-time.ts';

export interface TokenInfoData {
  readonly resourceOwnerId: string | null;
  readonly scopes: readonly string[];
  readonly expiresIn: number | null;
  readonly applicationUid: string | null;
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
  present: ({ resourceOwnerId, scopes, expiresIn, applicationUid, createdAt }) => ({
    resource_owner_id: resourceOwnerId === null ? null : Number(resourceOwnerId),
    scope: scopes,
    expires_in: expiresIn,
    application: { uid: applicationUid },
    created_at: unixSeconds(createdAt),
    scopes,
    expires_in_seconds: expiresIn,
  }),
};
