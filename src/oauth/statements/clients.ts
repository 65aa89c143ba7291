import { batchedStatement, statement } from '../../database/index.ts';

export interface ClientRow {
  id: number;
  /** Null for an application of the instance. */
  owner_id: number | null;
  uid: string;
  name: string;
  secret_digest: Buffer | null;
  confidential: boolean;
  redirect_uris: string[];
  scopes: string[];
  grant_types: string[];
  created_at: Date;
  /** Time of this look-up, to the microsecond. Tokens that it allows get this time. */
  checked_at: string;
}

/** The columns of a client, from `applications a`. */
export const clientColumns = `a.id, a.owner_id, a.uid, a.name, a.secret_digest, a.confidential, a.redirect_uris, a.scopes, a.grant_types,
  a.created_at, now()::text as checked_at`;

/** $1 the client_id. */
export const findClient = batchedStatement<ClientRow>(
  'find_client',
  `select ${clientColumns} from applications a where a.uid = $1`,
);

/** $1 the id. */
export const findClientById = batchedStatement<ClientRow>(
  'find_client_by_id',
  `select ${clientColumns} from applications a where a.id = $1`,
);

/** Applications. $1 ids. */
export const findClientsByIds = statement<ClientRow>(
  'find_clients_by_ids',
  `select ${clientColumns} from applications a where a.id = any($1::int[])`,
);

/**
 * SQL condition: the application `a` is the client of the request, is authenticated,
 * and may use the grant. It does the work of `authenticateClient` inside the statement
 * that depends on it.
 * @param uid the client_id
 * @param secret digest of the presented secret; null if there was none
 */
export const provenFor = (grant: string, uid: string, secret: string) => `(a.uid = ${uid}::text
  and case when a.confidential then a.secret_digest = ${secret}::bytea else ${secret}::bytea is null end
  and '${grant}' = any(a.grant_types))`;

/** Whether a person has approved this before. $1 user, $2 application, $3 redirect URI, $4 scopes. */
export const findConsent = statement<object>(
  'find_consent',
  `select 1 from consents where user_id = $1 and application_id = $2 and redirect_uri = $3 and $4::text[] <@ scopes`,
);
