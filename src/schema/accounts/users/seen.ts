import type { Context } from '../../../context.ts';
import type { UserRecord } from '../../../database/access/records.ts';
import { isAdministrator, reads, type Scope } from '../../../policy/index.ts';

/** Who sees what isn't public about a person. */

/** Whether the viewer is the person or an administrator. */
export const isOwn = (userId: number, { viewer }: Context): boolean =>
  viewer.person?.id === userId || isAdministrator(viewer);

/** Whether the viewer sees what a person starred and contributed: a private profile shows it to the person and administrators only. */
export const showsProfile = (
  { id, privateProfile }: Pick<UserRecord, 'id' | 'privateProfile'>,
  context: Context,
): boolean => !privateProfile || isOwn(id, context);

/** The scopes with which a token sees addresses; `profile` alone doesn't. */
const emailScopes: readonly Scope[] = [...reads, 'read_user', 'email'];

/** Whether the viewer is the person or an administrator, with one of some scopes. */
export function sees(userId: number, context: Context, scopes: readonly Scope[]): boolean {
  const { credential } = context.viewer;
  if (!isOwn(userId, context) || !credential) return false;
  return !('scopes' in credential) || scopes.some((scope) => credential.scopes.includes(scope));
}

/** Whether the viewer sees the person's primary address. */
export const seesEmail = (userId: number, context: Context): boolean => sees(userId, context, emailScopes);
