import { setTimeout } from 'node:timers/promises';
import { digest } from '../../../auth/keys/crypto.ts';
import type { Context } from '../../../context.ts';
import { FileTooShort } from '../../../storage/files.ts';
import type { CiStatus } from '../../../values/ci/statuses.ts';
import type { Appended, SentPiece } from '../../../values/ci/job-files.ts';
import { finishJob } from '../processing/finish.ts';
import { markStorage } from '../../repository/storage/mark.ts';
import { isWatched } from './watched.ts';
import { lag, lookEvery, settledSize } from './settle.ts';
import { growTrace, insertTrace, noteContact, resizeTrace, statusForRunner, traceOfRunning } from './statements.ts';

/** A piece, with whose it is. */
interface Piece extends SentPiece {
  readonly job: number;
  readonly token: string;
}

/**
 * Appends to the log of a running job. The row is given the new size first: so of all gateways one has the part of the file that
 * the piece goes to, and none waits for another. If the bytes don't get there, the row is given the former size. What a crash
 * keeps out of the row or the file is noticed by the next piece, or when the job ends (`settledSize`).
 * @throws Unavailable if the folder of files belongs to another database
 */
export async function appendTrace(context: Context, piece: Piece): Promise<Appended> {
  const { database } = context;
  const { job } = piece;
  const secret = digest(piece.token);
  await markStorage(context);
  const grown = await growLog(context, piece, secret);
  const appended = 'instead' in grown ? grown.instead : await writePiece(context, piece, grown.location);
  const isTooLong = appended.outcome === 'refused' && appended.status !== undefined;
  if (isTooLong) await endTooLong(context, job);
  if (grown.silent) await database.rows(noteContact, [job]);
  if (appended.outcome !== 'refused' || isTooLong) return appended;
  return { outcome: 'refused', status: await endOf(context, job, secret) };
}

/** The log that a piece is written to, or the answer if it isn't. `silent`: its runner sent nothing for a while. */
type Grown = { readonly silent: boolean } & (
  | { readonly location: string }
  | { readonly instead: Exclude<Appended, { readonly outcome: 'appended' }> }
);

/** Gives the row of the log the size that it has with the piece. */
async function growLog(context: Context, piece: Piece, secret: Buffer): Promise<Grown> {
  const {
    database,
    files,
    jobFiles: { longestTrace },
  } = context;
  const { job, start, bytes, debug } = piece;
  const size = start + bytes.length;
  const grow = async () =>
    size <= longestTrace ? (await database.rows(growTrace, [job, secret, start, size, debug]))[0] : undefined;
  // Most pieces go on where the log ends.
  const grown = await grow();
  if (grown) return grown;
  const [row] = await database.rows(traceOfRunning, [job, secret]);
  if (!row) return { silent: false, instead: { outcome: 'refused' } };
  const { silent } = row;
  const end = row.location === null ? 0 : await settledSize(context, job, row);
  if (start !== end) return { silent, instead: { outcome: 'elsewhere', size: end } };
  if (size > longestTrace) return { silent, instead: { outcome: 'refused', status: 'failed' } };
  if (row.location === null) await database.rows(insertTrace, [job, files.newName()]);
  // None: meanwhile another piece was appended, or the job ended.
  return (await grow()) ?? { silent, instead: { outcome: 'busy' } };
}

/** Writes a piece to the part of the file that it has. If that fails, the row is given the size of what is there. */
async function writePiece(context: Context, piece: Piece, location: string): Promise<Appended> {
  const { files } = context;
  const { job, start, bytes } = piece;
  const end = start + bytes.length;
  const deadline = performance.now() + lag;
  for (;;) {
    try {
      if (bytes.length > 0) await files.write(location, start, bytes);
      return { outcome: 'appended', size: end, watched: isWatched(context, job) };
    } catch (error) {
      const isEarly = error instanceof FileTooShort;
      if (isEarly && performance.now() < deadline) {
        await setTimeout(lookEvery);
        continue;
      }
      await context.database.rows(resizeTrace, [job, end, isEarly ? error.size : start]);
      if (!isEarly) throw error;
      return { outcome: 'elsewhere', size: error.size };
    }
  }
}

/** How a job ended, for the runner that had it: undefined for anyone else. @param token its digest */
export const endOf = async ({ database }: Context, job: number, token: Buffer): Promise<CiStatus | undefined> =>
  (await database.rows(statusForRunner, [job, token]))[0]?.status;

/** A job whose log is too long fails. */
const endTooLong = (context: Context, job: number): Promise<unknown> =>
  finishJob(context, job, { status: 'failed', failureReason: 'trace_size_exceeded' });
