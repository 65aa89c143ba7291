import type { Scope } from '../policy/index.ts';
import type { Client } from './client.ts';
import type { Engine } from './engine.ts';

/**
 * Whether the instance refuses the password grant to this client: with `keepPasswordGrant`, people type their
 * passwords only into applications of the instance.
 * @param client null for a request without an application
 */
export function isPasswordGrantReserved(
  { keepPasswordGrant }: Pick<Engine, 'keepPasswordGrant'>,
  client: Pick<Client, 'ownerId'> | null,
): boolean {
  return keepPasswordGrant && client?.ownerId !== null;
}

/** Scopes with which an application can do everything that an administrator can. */
const powerful: readonly string[] = ['api', 'sudo'] satisfies Scope[];

/**
 * Whether `guardAdministrators` forbids this consent: an administrator would give `api` or `sudo` to an application
 * that doesn't belong to the instance.
 * @param client null for a request without an application, which counts as foreign
 */
export function lendsAdministratorPower(
  { guardAdministrators }: Pick<Engine, 'guardAdministrators'>,
  administrator: boolean,
  client: Pick<Client, 'ownerId'> | null,
  scopes: readonly string[],
): boolean {
  return (
    guardAdministrators && administrator && client?.ownerId !== null && scopes.some((scope) => powerful.includes(scope))
  );
}
