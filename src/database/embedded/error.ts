import { statfs } from 'node:fs/promises';
import { OperatorError } from '../../errors.ts';

/** Why the gateway's own PostgreSQL can't be used. */
export class EmbeddedPostgresError extends OperatorError {
  override readonly name = 'EmbeddedPostgresError';
}

/** Remedies when the system refuses a file or folder, by error code. */
const remedies: { readonly [code: string]: string | undefined } = {
  ENOSPC: 'Make room on the disk, or set DATA_DIR to a folder on a larger one.',
  EDQUOT: 'Raise the quota of the gateway’s account, or set DATA_DIR to a folder on another disk.',
  EROFS: 'Set DATA_DIR to a folder on a disk that can be written to.',
  EISDIR: 'Remove the folder that is in the place of a file, or set DATA_DIR to another folder.',
  ENOTDIR: 'Remove the file that is in the place of a folder, or set DATA_DIR to another folder.',
  EEXIST: 'Remove the file that is in the place of a folder, or set DATA_DIR to another folder.',
  ENOENT: 'Set DATA_DIR to a folder that can be made, or put back what is missing there.',
};
const otherwise =
  'Let the account that runs the gateway own it (an earlier start may have been under another), or set DATA_DIR to another folder, or set DATABASE_URL.';

/** The error for a file or folder below the data folder that the system refused. */
export function refusedBySystem(dataDir: string, error: NodeJS.ErrnoException): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The data folder ${dataDir} can't be used: ${error.message}.`,
    remedies[error.code ?? ''] ?? otherwise,
    { cause: error },
  );
}

/** Bytes of free space below which PostgreSQL can't even log why it stops. */
const minFreeSpace = 65_536;

/**
 * The error for a program of PostgreSQL that failed.
 * @param sentence what failed
 * @param output everything the program wrote
 * @param folder where it writes
 */
export async function failedProgram(
  sentence: string,
  output: string,
  folder: string,
  remedy: string,
): Promise<EmbeddedPostgresError> {
  const free = await statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => Infinity,
  );
  if (free < minFreeSpace || /No space left on device/.test(output)) {
    return new EmbeddedPostgresError(`${sentence}: the disk of ${folder} is full.`, remedies.ENOSPC!);
  }
  return new EmbeddedPostgresError(`${sentence}: ${essence(output)}`, remedy);
}

/** The lines of a program's output that name its failure, otherwise the last one; as one line. */
function essence(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const errors = lines.filter((line) => /error|fatal|panic|could not|cannot/i.test(line));
  return (errors.length > 0 ? errors.slice(0, 3) : lines.slice(-1)).join(' ');
}
