import { digest } from '../../../auth/crypto.ts';
import type { Context } from '../../../context.ts';
import { FileTooShort } from '../../../storage/files.ts';
import type { CiStatus } from '../../../values/ci-statuses.ts';
import type { Appended, SentPiece } from '../../../values/job-files.ts';
import { finishJob } from '../processing/finish.ts';
import { markStorage } from '../../repository/storage/mark.ts';
import { isWatched } from './watched.ts';
import { insertTrace, lockTraceOfRunning, noteContact, noteTraceSize, statusForRunner } from './statements.ts';

/** A piece, with whose it is. */
interface Piece extends SentPiece {
  readonly job: number;
  readonly token: string;
}

/**
 * Appends to the log of a running job. Its row is locked meanwhile, so that of all gateways one writes. Bytes count once
 * the row has the new size: what a crash leaves beyond it is written over.
 * @throws Unavailable if the folder of files belongs to another database
 */
export async function appendTrace(context: Context, piece: Piece): Promise<Appended> {
  const { database, files } = context;
  const secret = digest(piece.token);
  await markStorage(context);
  let heardOf = false;
  let tooLong = false;
  const appended = await database.transaction(async (sql): Promise<Appended> => {
    const [row] = await sql.rows(lockTraceOfRunning, [piece.job, secret]);
    if (!row) return { outcome: 'refused' };
    heardOf = row.silent;
    if (row.begun && row.id === null) return { outcome: 'busy' };
    const log = row.id === null ? (await sql.rows(insertTrace, [piece.job, files.newName()]))[0] : row;
    if (!log) return { outcome: 'busy' };
    if (piece.start !== log.size) return { outcome: 'elsewhere', size: log.size };
    const size = log.size + piece.bytes.length;
    if (size > context.jobFiles.longestTrace) {
      tooLong = true;
      return { outcome: 'refused', status: 'failed' };
    }
    if (piece.bytes.length > 0) {
      try {
        await files.write(log.location, piece.start, piece.bytes);
      } catch (error) {
        if (!(error instanceof FileTooShort)) throw error;
        await sql.rows(noteTraceSize, [log.id, error.size, piece.debug]);
        return { outcome: 'elsewhere', size: error.size };
      }
    }
    if (piece.bytes.length > 0 || piece.debug) await sql.rows(noteTraceSize, [log.id, size, piece.debug]);
    return { outcome: 'appended', size, watched: isWatched(context, piece.job) };
  });
  if (tooLong) await endTooLong(context, piece.job);
  if (heardOf) await database.rows(noteContact, [piece.job]);
  if (appended.outcome !== 'refused' || tooLong) return appended;
  return { outcome: 'refused', status: await endOf(context, piece.job, secret) };
}

/** How a job ended, for the runner that had it: undefined for anybody else. @param token its digest */
export const endOf = async ({ database }: Context, job: number, token: Buffer): Promise<CiStatus | undefined> =>
  (await database.rows(statusForRunner, [job, token]))[0]?.status;

/** A job whose log is too long fails. */
const endTooLong = (context: Context, job: number): Promise<unknown> =>
  finishJob(context, job, { status: 'failed', failureReason: 'trace_size_exceeded' });
