import { digest } from '../../../auth/keys/crypto.ts';
import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { FileTooShort } from '../../../storage/files.ts';
import type { CiStatus } from '../../../values/ci/statuses.ts';
import type { Appended, SentPiece } from '../../../values/ci/job-files.ts';
import { finishJob } from '../processing/finish.ts';
import { markStorage } from '../../repository/storage/mark.ts';
import { isWatched } from './watched.ts';
import {
  growTrace,
  insertTrace,
  lockTraceOfRunning,
  noteContact,
  noteTraceSize,
  statusForRunner,
} from './statements.ts';

/** A piece, with whose it is. */
interface Piece extends SentPiece {
  readonly job: number;
  readonly token: string;
}

/**
 * Appends to the log of a running job. Its row is locked meanwhile, so that of all gateways one writes. Bytes count once the
 * row has the new size: what a crash leaves beyond it is written over.
 * @throws Unavailable if the folder of files belongs to another database
 */
export async function appendTrace(context: Context, piece: Piece): Promise<Appended> {
  const { database, files } = context;
  const { job, start, bytes, debug } = piece;
  const secret = digest(piece.token);
  await markStorage(context);
  let wasSilent = false;
  const appended = await database.transaction(async (sql): Promise<Appended> => {
    const grown = await growLog(sql, context, piece, secret);
    wasSilent = grown.silent;
    if ('instead' in grown) return grown.instead;
    if (bytes.length > 0) {
      try {
        await files.write(grown.location, start, bytes);
      } catch (error) {
        if (!(error instanceof FileTooShort)) throw error;
        await sql.rows(noteTraceSize, [job, error.size, debug]);
        return { outcome: 'elsewhere', size: error.size };
      }
    }
    return { outcome: 'appended', size: start + bytes.length, watched: isWatched(context, job) };
  });
  const isTooLong = appended.outcome === 'refused' && appended.status !== undefined;
  if (isTooLong) await endTooLong(context, job);
  if (wasSilent) await database.rows(noteContact, [job]);
  if (appended.outcome !== 'refused' || isTooLong) return appended;
  return { outcome: 'refused', status: await endOf(context, job, secret) };
}

/** The log that a piece is written to, or the answer if it isn't. `silent`: its runner sent nothing for a while. */
type Grown = { readonly silent: boolean } & (
  | { readonly location: string }
  | { readonly instead: Exclude<Appended, { readonly outcome: 'appended' }> }
);

/** Locks the row of the log, and gives it the size that it has with the piece. */
async function growLog(sql: Sql, { files, jobFiles }: Context, piece: Piece, secret: Buffer): Promise<Grown> {
  const { longestTrace } = jobFiles;
  const { job, start, bytes, debug } = piece;
  const size = start + bytes.length;
  // Most pieces go on where the log ends: one statement locks its row and has the new size.
  const [grown] =
    bytes.length > 0 && size <= longestTrace ? await sql.rows(growTrace, [job, secret, start, size, debug]) : [];
  if (grown) return grown;
  const [row] = await sql.rows(lockTraceOfRunning, [job, secret]);
  if (!row) return { silent: false, instead: { outcome: 'refused' } };
  const { silent } = row;
  if (row.begun && row.id === null) return { silent, instead: { outcome: 'busy' } };
  const log = row.id === null ? (await sql.rows(insertTrace, [job, files.newName()]))[0] : row;
  if (!log) return { silent, instead: { outcome: 'busy' } };
  if (start !== log.size) return { silent, instead: { outcome: 'elsewhere', size: log.size } };
  if (size > longestTrace) return { silent, instead: { outcome: 'refused', status: 'failed' } };
  if (bytes.length > 0 || debug) await sql.rows(noteTraceSize, [job, size, debug]);
  return { silent, location: log.location };
}

/** How a job ended, for the runner that had it: undefined for anyone else. @param token its digest */
export const endOf = async ({ database }: Context, job: number, token: Buffer): Promise<CiStatus | undefined> =>
  (await database.rows(statusForRunner, [job, token]))[0]?.status;

/** A job whose log is too long fails. */
const endTooLong = (context: Context, job: number): Promise<unknown> =>
  finishJob(context, job, { status: 'failed', failureReason: 'trace_size_exceeded' });
