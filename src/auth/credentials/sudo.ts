import type { Sql } from '../../database/index.ts';
import { actAsUser } from '../statements/sudo.ts';
import { Forbidden, InsufficientScope, NotFound, Unauthenticated } from '../../errors.ts';
import type { Origin, Viewer } from '../../policy/index.ts';
import { largestInteger } from '../../values/integers.ts';

/** A sudo request: an administrator acts as another user. */
export interface Sudo {
  /** Id or username. */
  readonly user: string;
  /** Method and path, for the audit. */
  readonly asks: string;
  /** Whether the request only reads. */
  readonly reads: boolean;
}

/** Maximum length of a name or path in an error or in the audit; longer ones are cut off. */
const maxLength = 255;

/**
 * The viewer of a sudo request. It has the rights of the other user, not those of the administrator. One statement
 * finds the user and writes the audit event.
 * @throws Unauthenticated, Forbidden, InsufficientScope, NotFound, in the order of version 4
 */
export async function actAs(
  sql: Sql,
  { person: administrator, credential }: Viewer,
  sudo: Sudo,
  origin: Origin,
): Promise<Viewer> {
  if (!credential) throw new Unauthenticated();
  if (!administrator?.administrator) throw new Forbidden('Must be admin to use sudo');
  if (credential.kind !== 'personal' && credential.kind !== 'oauth') {
    throw new Forbidden('Must be authenticated using an OAuth or personal access token to use sudo');
  }
  if (!credential.scopes.includes('sudo')) throw new InsufficientScope(['sudo']);

  // No user has the largest id.
  const id = /^\d+$/.test(sudo.user) ? Math.min(Number(sudo.user), largestInteger) : null;
  const [row] = await sql.rows(actAsUser, [
    id,
    sudo.user.toLowerCase(),
    administrator.id,
    sudo.reads,
    credential.kind === 'oauth' ? (credential.application?.id ?? null) : null,
    origin.address,
    origin.requestId,
    sudo.asks.slice(0, maxLength),
  ]);
  if (!row) throw new NotFound(`User with ID or username '${sudo.user.slice(0, maxLength)}'`);
  if (row.state !== 'ACTIVE') throw new Forbidden('The account of this user has been blocked.');
  const person = {
    id: row.user_id,
    username: row.username,
    administrator: row.administrator,
    premium: row.tier === 'PREMIUM',
    external: row.external,
  };
  return { person, credential, actor: administrator };
}
