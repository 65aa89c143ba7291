import { statement } from '../../database/index.ts';
import { maySignIn } from '../../database/access/people.ts';

/** Tokens of links in messages. Who presents one can read the mailbox. */

export type MailedTokenKind = 'VERIFY_EMAIL' | 'RESET_PASSWORD';

/**
 * Stores a token. $1 kind, $2 id of the address, $3 digest, $4 lifetime in seconds. Stores nothing for an address
 * that doesn't exist.
 */
export const keepMailedToken = statement<object>(
  'keep_mailed_token',
  `insert into mailed_tokens (kind, user_id, email_id, digest, expires_at)
   select $1::"MailedTokenKind", user_id, id, $3, now() + make_interval(secs => $4) from emails where id = $2`,
);

export interface MailedTokenRow {
  user_id: number;
  username: string;
  address: string;
}

export interface FoundTokenRow extends MailedTokenRow {
  /** Whether the account has a password and never had a confirmed address. */
  unconfirmed: boolean;
}

/**
 * SQL condition for each kind: the token still works. A link to reset a password ends when the person signs out
 * everywhere, and when the address is no longer the confirmed primary one.
 */
const counts: Readonly<Record<MailedTokenKind, string>> = {
  VERIFY_EMAIL: 'true',
  RESET_PASSWORD: `${maySignIn} and m.created_at > u.valid_from and e.primary_of = u.id and e.verified_at is not null`,
};

const live = (kind: MailedTokenKind) => `m.digest = $1 and m.kind = '${kind}' and m.expires_at > now()
    and u.id = m.user_id and e.id = m.email_id and ${counts[kind]}`;

const find = (kind: MailedTokenKind) =>
  statement<FoundTokenRow>(
    `find_${kind.toLowerCase()}_token`,
    `select u.id as user_id, u.username, e.address,
            u.password_hash is not null
              and not exists (select from emails other where other.user_id = u.id and other.verified_at is not null) as unconfirmed
       from mailed_tokens m, users u, emails e where ${live(kind)}`,
  );

/** Finds a valid token, for each kind. $1 digest. */
export const findMailedToken: Readonly<Record<MailedTokenKind, ReturnType<typeof find>>> = {
  VERIFY_EMAIL: find('VERIFY_EMAIL'),
  RESET_PASSWORD: find('RESET_PASSWORD'),
};

/** Spends the token and marks the address as verified. $1 digest. */
export const verifyByToken = statement<MailedTokenRow & { email_id: number }>(
  'verify_by_token',
  `with taken as (
     delete from mailed_tokens m using users u, emails e where ${live('VERIFY_EMAIL')}
     returning u.id as user_id, u.username, e.id as email_id
   )
   update emails e set verified_at = coalesce(e.verified_at, now()) from taken where e.id = taken.email_id
   returning taken.user_id, taken.username, e.address, e.id as email_id`,
);

/** Spends the token and sets the new password. $1 digest, $2 password hash. */
export const setPasswordByToken = statement<{ user_id: number }>(
  'set_password_by_token',
  `with taken as (
     delete from mailed_tokens m using users u, emails e where ${live('RESET_PASSWORD')} returning u.id
   )
   update users u set password_hash = $2, password_expired = false, valid_from = clock_timestamp() from taken where u.id = taken.id
   returning u.id as user_id`,
);

export interface MailboxRow {
  user_id: number;
  username: string;
  email_id: number;
  address: string;
}

/** The address that a password reset link may be mailed to. $1 a name or a verified address, in lower case. */
export const findMailbox = statement<MailboxRow>(
  'find_mailbox',
  `select u.id as user_id, u.username, e.id as email_id, e.address
     from users u join emails e on e.primary_of = u.id and e.verified_at is not null
    where ${maySignIn} and u.id = coalesce(
      (select n.owner_id from routes r join namespaces n on n.id = r.namespace_id where r.path = $1),
      (select e.user_id from emails e where e.address = $1 and e.verified_at is not null))`,
);
