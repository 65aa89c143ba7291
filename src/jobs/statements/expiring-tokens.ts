import { statement } from '../../database/index.ts';

/** Days before its expiry at which a token's person is notified. Of one that was made to last less, no one is. */
const ahead = 7;

interface ExpiringRow {
  readonly id: number;
  readonly username: string;
  /** The confirmed primary address; null if there is none. */
  readonly address: string | null;
  readonly token_ids: readonly number[];
  readonly tokens: readonly { readonly name: string; readonly expiresAt: string }[];
}

/** People with tokens that expire soon and without a notice so far. $1 the last person of the batch before, $2 how many. */
export const readExpiringTokens = statement<ExpiringRow>(
  'read_expiring_tokens',
  `select u.id, u.username, e.address, array_agg(t.id order by t.expires_at, t.id) as token_ids,
          json_agg(json_build_object('name', t.name, 'expiresAt', t.expires_at) order by t.expires_at, t.id) as tokens
     from personal_access_tokens t
     join users u on u.id = t.user_id and u.state = 'ACTIVE'
     left join emails e on e.primary_of = u.id and e.verified_at is not null
    where t.expiry_told_at is null and t.revoked_at is null and t.session_id is null and u.id > $1::int
      and t.expires_at > (now() at time zone 'utc')::date and t.expires_at <= (now() at time zone 'utc')::date + ${ahead}
      and t.created_at < t.expires_at - ${ahead + 1}
    group by u.id, e.address order by u.id limit $2::int`,
);

/** $1 ids of tokens whose person was notified. */
export const toldOfExpiry = statement<object>(
  'told_of_expiry',
  'update personal_access_tokens set expiry_told_at = now() where id = any($1::int[])',
);
