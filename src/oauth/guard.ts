import type { Scope } from '../policy/index.ts';
import type { Client } from './client.ts';
import type { Engine } from './engine.ts';

/**
 * Whether the instance keeps the password grant from whoever asks: people type their passwords into
 * applications of the instance only.
 * @param client null for a request without an application
 */
export function isKept(
  { keepPasswordGrant }: Pick<Engine, 'keepPasswordGrant'>,
  client: Pick<Client, 'ownerId'> | null,
): boolean {
  return keepPasswordGrant && client?.ownerId !== null;
}

/** With these an application can do whatever an administrator can. */
const powerful: readonly string[] = ['api', 'sudo'] satisfies Scope[];

/**
 * Whether an administrator would lend their power to an application that isn't
 * the instance's own, where the instance is set to keep it.
 * @param client null for none, which nobody vouched for either
 */
export function lendsTooMuch(
  { guardAdministrators }: Pick<Engine, 'guardAdministrators'>,
  administrator: boolean,
  client: Pick<Client, 'ownerId'> | null,
  scopes: readonly string[],
): boolean {
  return (
    guardAdministrators && administrator && client?.ownerId !== null && scopes.some((scope) => powerful.includes(scope))
  );
}
