import { statement } from '../../database/index.ts';
import { shownState, type PersonState } from '../../database/access/people.ts';
import { accessTokenExpired, accessTokenRevoked, parties, remaining } from './live.ts';
import { personalTokenExpired, personalTokenRevoked } from './tokens.ts';

export interface LiveTokenRow {
  kind: 'personal' | 'oauth';
  id: number;
  scopes: string[];
  expired: boolean;
  revoked: boolean;
  user_id: number | null;
  username: string | null;
  administrator: boolean | null;
  tier: 'FREE' | 'PREMIUM' | null;
  external: boolean | null;
  state: PersonState | null;
}

/** A person with the state of their account. */
export interface LivePersonRow {
  user_id: number;
  username: string;
  administrator: boolean;
  tier: 'FREE' | 'PREMIUM';
  external: boolean;
  state: PersonState;
}

/** $1 person. */
export const livePersonOf = statement<LivePersonRow>(
  'live_person',
  `select u.id as user_id, u.username, u.administrator, u.tier::text as tier, u.external, ${shownState} as state
     from users u where u.id = $1::int`,
);

/**
 * The present state of tokens that were presented before. $1 ids of personal access tokens, $2 ids of OAuth access
 * tokens. It looks them up by id, since presenting a replaced token again would revoke its family. No row: the
 * token was deleted.
 */
export const liveTokens = statement<LiveTokenRow>(
  'standing_tokens',
  `select 'personal' as kind, t.id, t.scopes, ${personalTokenExpired} as expired, ${personalTokenRevoked} as revoked,
          u.id as user_id, u.username, u.administrator, u.tier::text as tier, u.external, ${shownState} as state
     from personal_access_tokens t join users u on u.id = t.user_id
    where t.id = any($1::int[])
   union all
   select 'oauth', t.id, ${remaining('t.scopes')}, ${accessTokenExpired}, ${accessTokenRevoked},
          u.id, u.username, u.administrator, u.tier::text, u.external, ${shownState}
     from access_tokens t join grants g on g.id = t.grant_id ${parties('g')}
    where t.id = any($2::int[])`,
);
