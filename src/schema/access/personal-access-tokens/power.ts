import type { Context } from '../../../context.ts';
import { BadRequest, InsufficientScope, NotFound } from '../../../errors.ts';
import { covers, isAdministrator, type Scope } from '../../../policy/index.ts';
import { idOf } from '../../engine/global-id.ts';

/** Checks that a token which creates another one has all of its scopes. @throws InsufficientScope */
export function requireScopes({ viewer: { credential } }: Context, wanted: readonly Scope[]): void {
  if (credential && 'scopes' in credential && !covers(credential.scopes, wanted)) throw new InsufficientScope(wanted);
}

/**
 * The personal access token with an id: one's own; for administrators, any.
 * @throws NotFound for one that is missing or hidden
 */
export async function existingToken({ viewer, database }: Context, given: string) {
  const token = await database.prisma.personalAccessToken.findUnique({
    where: { id: idOf(given, 'PersonalAccessToken') },
  });
  if (!token || (token.userId !== viewer.person?.id && !isAdministrator(viewer)))
    throw new NotFound('Personal Access Token');
  return token;
}

/** The id of the personal access token that a request carries. @throws BadRequest for any other credential */
export function currentToken({ viewer: { credential } }: Context): string {
  if (credential?.kind !== 'personal') throw new BadRequest('This needs a personal access token.');
  return String(credential.tokenId);
}
