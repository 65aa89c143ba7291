import { OperatorError } from '../errors.ts';

/** Exit codes: 0 when it was done, 1 when it failed, 2 when it was asked for in a wrong way. */
export const usageExitCode = 2;

/** A command that can't be done. */
export class Impossible extends OperatorError {}

/** What a command does, with its failure told in words. */
export const doing =
  <Arguments extends unknown[]>(work: (...given: Arguments) => void | Promise<void>) =>
  async (...given: Arguments): Promise<void> => {
    try {
      await work(...given);
    } catch (error) {
      fail(error);
    }
  };

/** Says what went wrong and, where it is known, what to do about it. */
export function fail(error: unknown): never {
  const { name, stack } = error as Error;
  const [message, remedy] = explained(error);
  const known = remedy !== undefined || name === 'ConfigError' || 'fields' in (error as object);
  process.stderr.write(known ? `${message}\n${remedy ? `${remedy}\n` : ''}` : `${stack ?? message}\n`);
  process.exit(1);
}

/** What went wrong in words, and what to do about it where that is known. */
export function explained(error: unknown): [message: string, remedy: string | undefined] {
  const { remedy, code, errors } = error as Error & { remedy?: string; code?: string; errors?: Error[] };
  // Of a host with several addresses, each has an error, and the whole has no words of its own.
  const message = (error as Error).message || (errors ?? []).map((one) => one.message).join(', ');
  return [message, remedy ?? remedies[code ?? '']];
}

/** For errors of the system, of PostgreSQL (by SQLSTATE) and of the domain that an operator meets. */
const remedies: { readonly [code: string]: string | undefined } = {
  EADDRINUSE: 'Something listens there already. Stop it, or set PORT to another port (0 picks a free one).',
  EADDRNOTAVAIL: 'This machine has no such address. Set HOST to one of its own, or to 127.0.0.1.',
  EACCES: 'The gateway may not use this. Set PORT to 1024 or more, or give it the right to.',
  ENOENT: 'Check the path for a slip; folders aren’t made.',
  EISDIR: 'Move the folder away that lies where a file belongs.',
  ENOTDIR: 'Move the file away that lies where a folder belongs.',
  EROFS: 'Choose a place on a disk that can be written to.',
  EPERM: 'The system doesn’t let the gateway do this. Give its account the right to, or choose another place.',
  EDQUOT: 'Raise the quota of the gateway’s account, or choose another disk.',
  EMFILE: 'Raise the limit of open files (ulimit -n).',
  ENOSPC: 'Make room on the disk, or choose another one.',
  ECONNREFUSED:
    'PostgreSQL isn’t reachable under DATABASE_URL, or DATABASE_DIRECT_URL if that is set. Start it, or mend the address.',
  ENOTFOUND: 'The host in DATABASE_URL, DATABASE_DIRECT_URL or HOST is not known. Mend the address.',
  EAI_AGAIN:
    'The host in DATABASE_URL, DATABASE_DIRECT_URL or HOST is not known just now. Mend the address, or the name service.',
  '28P01':
    'PostgreSQL refuses the user or the password in DATABASE_URL, or in DATABASE_DIRECT_URL if that is set. Mend them.',
  '28000': 'PostgreSQL does not let this user in from here. Mend the user in DATABASE_URL, or pg_hba.conf.',
  '42P01':
    'The database was not set up yet, or by an older version. Start the gateway once first, or run causeway migrate.',
  '42703': 'The database was migrated by another version. Run causeway migrate --status.',
  '3D000': 'Make the database first (CREATE DATABASE …), or mend its name in DATABASE_URL.',
  UNAVAILABLE: 'PostgreSQL isn’t reachable. Run causeway doctor, which says why.',
  INVALID_INPUT: 'Nothing was changed. Give the command again with these mended.',
  CONFLICT: 'Nothing was changed. Choose another one.',
  NOT_FOUND: 'Check it for a slip.',
};
