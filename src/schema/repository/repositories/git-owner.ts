import type { Context } from '../../../context.ts';

/** Whose work of git it is, for the bound of one person, deploy key or address. */
export function gitOwner({ viewer: { person, credential }, origin }: Context): string {
  if (credential?.kind === 'deploy_key') return `deploy key ${credential.keyId}`;
  return person === null ? `address ${origin.address}` : `user ${person.id}`;
}
