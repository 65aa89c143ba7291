import type { AuditKind } from '../../values/kinds/audit-kinds.ts';
import { statement } from '../../database/index.ts';
import { auditFrom } from '../../auth/statements/audit.ts';
import { ListQuery, type Reading } from '../../database/list.ts';
import { clientColumns, type ClientRow } from './clients.ts';
import { anyRemain, parties, stillAuthorized } from '../../auth/statements/live.ts';

/**
 * SQL for the audit row of an act on the application in the CTE `a`.
 * @param actor SQL for the actor; by default the owner
 */
const byManager = (
  kind: AuditKind,
  address: string,
  requestId: string,
  more: { actor?: string; detail?: string } = {},
) =>
  auditFrom(
    '(select id as application_id, owner_id as user_id, scopes, name from a)',
    `'${kind}'`,
    address,
    requestId,
    more,
  );

/**
 * Registers an application. $1 owner, or null for the instance, $2 name, $3 uid, $4 digest of the secret, $5
 * confidential, $6 redirect URIs, $7 scopes, $8 grants, $9 address, $10 request id,
 * $11 the actor, or null.
 */
export const insertApplication = statement<ClientRow>(
  'insert_application',
  `with a as (
     insert into applications (owner_id, name, uid, secret_digest, confidential, redirect_uris, scopes, grant_types)
     values ($1, $2, $3, $4, $5, $6::text[], $7::text[], $8::text[]) returning *
   ), audit as (${byManager('application_created', '$9', '$10', { actor: '$11::int' })})
   select ${clientColumns} from a`,
);

/** The applications of a person, the newest first. $1 owner, $2 how many at most, $3 how many of them to skip. */
export const listApplications = statement<ClientRow>(
  'list_applications',
  `select ${clientColumns} from applications a where a.owner_id = $1 order by a.id desc limit $2 offset $3`,
);

/** SQL condition: $2 owns the application, or is null, for the instance, which may manage every application. */
const managed = `($2::int is null or a.owner_id = $2)`;

/** An application that the owner may manage. $1 id, $2 owner, or null for any owner. */
export const findManagedApplication = statement<ClientRow>(
  'find_managed_application',
  `select ${clientColumns} from applications a where a.id = $1 and ${managed}`,
);

/** How many people applications may act for at present: those for whom they have a valid token. $1 ids. None: no row. */
export const countAuthorizers = statement<{ id: number; people: number }>(
  'count_authorizers_of_each',
  `select g.application_id as id, count(distinct g.user_id)::int as people
     from grants g ${parties('g')}
    where g.application_id = any($1::int[]) and g.ended_at is null and ${stillAuthorized('g.authorized_at')}
      and (exists (select 1 from access_tokens t where t.grant_id = g.id and ${anyRemain('t.scopes')}
                     and (t.expires_at is null or t.expires_at > now()) and (t.revoked_at is null or t.revoked_at > now()))
        or exists (select 1 from refresh_tokens t where t.grant_id = g.id and ${anyRemain('t.scopes')} and t.rotated_at is null and t.expires_at > now()))
    group by g.application_id`,
);

/** An application, as it is shown. */
export interface ApplicationRecord {
  readonly id: number;
  /** Null for an application of the instance. */
  readonly ownerId: number | null;
  readonly uid: string;
  readonly name: string;
  readonly confidential: boolean;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
  readonly grants: readonly string[];
  readonly createdAt: Date;
}

const reading: Reading<ApplicationRecord> = {
  columns: `a.id, a.owner_id as "ownerId", a.uid, a.name, a.confidential, a.redirect_uris as "redirectUris", a.scopes,
    a.grant_types as grants, a.created_at as "createdAt"`,
  from: 'applications a',
  id: 'a.id',
};

/** All applications. @param search words in their names, if given */
export function applicationList(search: string | undefined): ListQuery<ApplicationRecord> {
  return new ListQuery('applications a', 'a.id', reading).search(search, ['a.name', 'a.uid']);
}

/**
 * Changes an application. $1 id, $2 owner, or null for any owner, $3 name, $4 confidential, $5 redirect URIs, $6 scopes, $7
 * grants, $8 digest of a new secret or null to keep it, $9 address, $10 request id, $11 the actor, or null.
 * Remembered consents are deleted when the redirect URIs or the kind of the application change.
 */
export const updateApplication = statement<ClientRow>(
  'update_application',
  `with before as (
     select * from applications a where a.id = $1 and ${managed} for no key update
   ), forgotten as (
     delete from consents c using before b
      where c.application_id = b.id and (b.redirect_uris <> $5::text[] or b.confidential <> $4::boolean)
   ), a as (
     update applications a
        set name = $3, confidential = $4, redirect_uris = $5, scopes = $6, grant_types = $7,
            secret_digest = case when $4::boolean then coalesce($8::bytea, a.secret_digest) end,
            valid_from = case when b.confidential <> $4::boolean then clock_timestamp() else a.valid_from end
       from before b where a.id = b.id
     returning a.*
   ), audit as (${byManager('application_updated', '$9', '$10', { actor: '$11::int' })})
   select ${clientColumns} from a`,
);

/**
 * Renews the secret, and ends the tokens that were issued with the old one. $1 id, $2 owner, or null for any owner, $3
 * digest, $4 address, $5 request id, $6 the actor, or null.
 */
export const renewSecret = statement<ClientRow>(
  'renew_secret',
  `with a as (
     update applications a set secret_digest = $3, valid_from = clock_timestamp()
      where a.id = $1 and ${managed} and confidential returning a.*
   ), audit as (${byManager('application_secret_renewed', '$4', '$5', { actor: '$6::int' })})
   select ${clientColumns} from a`,
);

/** Ends everything that was issued to an application up to now. $1 id. */
export const endApplication = statement<object>(
  'end_application',
  'update applications set valid_from = clock_timestamp() where id = $1',
);

/**
 * Deletes an application with all its tokens and codes. $1 id, $2 owner, or null for any owner, $3 address, $4
 * request id, $5 the actor, or null.
 */
export const deleteApplication = statement<{ id: number }>(
  'delete_application',
  `with a as (
     delete from applications a where a.id = $1 and ${managed} returning *
   ), audit as (${byManager('application_deleted', '$3', '$4', { actor: '$5::int', detail: 'x.name' })})
   select id from a`,
);
