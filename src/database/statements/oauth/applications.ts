import { statement } from '../../index.ts';
import { auditFrom } from './audit.ts';
import { clientColumns, type ClientRow } from './clients.ts';

/** The audit row of what its owner did to the application that is the CTE `a`. */
const byOwner = (kind: string, address: string, requestId: string, detail?: string) =>
  auditFrom('(select id as application_id, owner_id as user_id, scopes, name from a)', `'${kind}'`, address, requestId, detail ? { detail } : {});

/**
 * $1 owner, $2 name, $3 uid, $4 digest of the secret, $5 confidential, $6 redirect
 * URIs, $7 scopes, $8 grants, $9 address, $10 request id.
 */
export const insertApplication = statement<ClientRow>(
  'insert_application',
  `with a as (
     insert into applications (owner_id, name, uid, secret_digest, confidential, redirect_uris, scopes, grant_types)
     values ($1, $2, $3, $4, $5, $6::text[], $7::text[], $8::text[]) returning *
   ), audit as (${byOwner('application_registered', '$9', '$10')})
   select ${clientColumns} from a`,
);

/** $1 owner. */
export const listApplications = statement<ClientRow>(
  'list_applications',
  `select ${clientColumns} from applications a where a.owner_id = $1 order by a.id`,
);

/** $1 id, $2 owner. */
export const findOwnApplication = statement<ClientRow>(
  'find_own_application',
  `select ${clientColumns} from applications a where a.id = $1 and a.owner_id = $2`,
);

/**
 * $1 id, $2 owner, $3 name, $4 confidential, $5 redirect URIs, $6 scopes, $7
 * grants, $8 digest of a new secret or null to keep it, $9 address, $10 request id.
 * Consents are forgotten when the answer could now go elsewhere, or to another
 * kind of application.
 */
export const updateApplication = statement<ClientRow>(
  'update_application',
  `with before as (
     select * from applications where id = $1 and owner_id = $2 for no key update
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
   ), audit as (${byOwner('application_changed', '$9', '$10')})
   select ${clientColumns} from a`,
);

/** A new secret ends what was got with the old one. $1 id, $2 owner, $3 digest, $4 address, $5 request id. */
export const renewSecret = statement<ClientRow>(
  'renew_secret',
  `with a as (
     update applications set secret_digest = $3, valid_from = clock_timestamp()
      where id = $1 and owner_id = $2 and confidential returning *
   ), audit as (${byOwner('application_secret_renewed', '$4', '$5')})
   select ${clientColumns} from a`,
);

/** Ends what an application has up to now. $1 id. */
export const endApplication = statement<object>(
  'end_application',
  'update applications set valid_from = clock_timestamp() where id = $1',
);

/** With every token and code it ever got. $1 id, $2 owner, $3 address, $4 request id. */
export const deleteApplication = statement<{ id: number }>(
  'delete_application',
  `with a as (
     delete from applications where id = $1 and owner_id = $2 returning *
   ), audit as (${byOwner('application_deleted', '$3', '$4', 'x.name')})
   select id from a`,
);
