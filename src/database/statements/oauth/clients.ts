import { gathered, statement } from '../../index.ts';

export interface ClientRow {
  id: number;
  /** Null for one that belongs to the instance. */
  owner_id: number | null;
  uid: string;
  name: string;
  secret_digest: Buffer | null;
  confidential: boolean;
  redirect_uris: string[];
  scopes: string[];
  grant_types: string[];
  created_at: Date;
  /** When this was looked up, to the microsecond: what it allows is dated from then. */
  checked_at: string;
}

/** Of `applications a`. */
export const clientColumns = `a.id, a.owner_id, a.uid, a.name, a.secret_digest, a.confidential, a.redirect_uris, a.scopes, a.grant_types,
  a.created_at, now()::text as checked_at`;

/** $1 the client_id. */
export const findClient = gathered<ClientRow>('find_client', `select ${clientColumns} from applications a where a.uid = $1`);

/** $1 the id. */
export const findClientById = gathered<ClientRow>('find_client_by_id', `select ${clientColumns} from applications a where a.id = $1`);

/** Whether a person has approved this before. $1 user, $2 application, $3 redirect URI, $4 scopes. */
export const findConsent = statement<object>(
  'find_consent',
  `select 1 from consents where user_id = $1 and application_id = $2 and redirect_uri = $3 and $4::text[] <@ scopes`,
);
