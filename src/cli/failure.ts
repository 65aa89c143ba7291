import { OperatorError } from '../errors.ts';

/** Exit code for wrong usage. The others: 0 success, 1 failure. */
export const usageExitCode = 2;

/** A command that can't be run, with its remedy. */
export class CommandError extends OperatorError {}

/** Wraps the action of a command: an error is printed with its remedy, and ends the process. */
export const orFail =
  <Arguments extends unknown[]>(work: (...given: Arguments) => void | Promise<void>) =>
  async (...given: Arguments): Promise<void> => {
    try {
      await work(...given);
    } catch (error) {
      fail(error);
    }
  };

/** Prints an error with its remedy, or with its stack where no remedy is known. */
export function fail(error: unknown): never {
  const { name, stack } = error as Error;
  const [message, remedy] = explained(error);
  const known = remedy !== undefined || name === 'ConfigError' || 'fields' in (error as object);
  process.stderr.write(known ? `${message}\n${remedy ? `${remedy}\n` : ''}` : `${stack ?? message}\n`);
  process.exit(1);
}

/** The message of an error, and its remedy where one is known. */
export function explained(error: unknown): [message: string, remedy: string | undefined] {
  const { remedy, code, errors } = error as Error & { remedy?: string; code?: string; errors?: Error[] };
  // A host with several addresses gives an AggregateError without a message.
  const message = (error as Error).message || (errors ?? []).map((one) => one.message).join(', ');
  return [message, remedy ?? remedies[code ?? '']];
}

/** Remedies by code: of the system, of PostgreSQL (SQLSTATE) and of the domain. */
const remedies: { readonly [code: string]: string | undefined } = {
  EADDRINUSE: 'Another program listens on this port. Stop it, or set PORT to another port (0 picks a free one).',
  EADDRNOTAVAIL: 'This machine has no such address. Set HOST to one of its own, or to 127.0.0.1.',
  EACCES: 'Permission denied. Set PORT to 1024 or more, or grant the permission.',
  ENOENT: 'Check the path; its folder must exist.',
  EISDIR: 'A folder is in place of a file. Move it away.',
  ENOTDIR: 'A file is in place of a folder. Move it away.',
  EROFS: 'Choose a place on a disk that can be written to.',
  EPERM: 'The system doesn’t permit this. Grant the permission to the gateway’s account, or choose another place.',
  EDQUOT: 'Raise the quota of the gateway’s account, or choose another disk.',
  EMFILE: 'Raise the limit of open files (ulimit -n).',
  ENOSPC: 'Make room on the disk, or choose another one.',
  ECONNREFUSED:
    'PostgreSQL isn’t reachable under DATABASE_URL, or DATABASE_DIRECT_URL if that is set. Start it, or correct the address.',
  ENOTFOUND: 'The host in DATABASE_URL, DATABASE_DIRECT_URL or HOST is not known. Correct the address.',
  EAI_AGAIN:
    'The host in DATABASE_URL, DATABASE_DIRECT_URL or HOST can’t be looked up right now. Check the address and the DNS server.',
  '28P01':
    'PostgreSQL refuses the user or the password in DATABASE_URL, or in DATABASE_DIRECT_URL if that is set. Correct them.',
  '28000': 'PostgreSQL refuses this user from this machine. Correct the user in DATABASE_URL, or pg_hba.conf.',
  '42P01': 'The database is not set up, or by an older version. Start the gateway once, or run causeway migrate.',
  '42703': 'The database was migrated by another version. Run causeway migrate --status.',
  '3D000': 'Create the database first (CREATE DATABASE …), or correct its name in DATABASE_URL.',
  UNAVAILABLE: 'PostgreSQL isn’t reachable. Run causeway doctor to see why.',
  INVALID_INPUT: 'Nothing was changed. Correct these values and run the command again.',
  CONFLICT: 'Nothing was changed. Choose another one.',
  NOT_FOUND: 'Check the spelling.',
};
