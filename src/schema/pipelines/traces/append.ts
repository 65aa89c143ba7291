import { digest } from '../../../auth/keys/crypto.ts';
import type { Context } from '../../../context.ts';
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
  const { longestTrace } = context.jobFiles;
  const { job, start, bytes, debug } = piece;
  const secret = digest(piece.token);
  const size = start + bytes.length;
  await markStorage(context);
  let wasSilent = false;
  let tooLong = false;
  const appended = await database.transaction(async (sql): Promise<Appended> => {
    // Most pieces go on where the log ends. This locks its row and has the new size in one statement.
    const [grown] =
      bytes.length > 0 && size <= longestTrace ? await sql.rows(growTrace, [job, secret, start, size, debug]) : [];
    let location = grown?.location;
    if (grown) wasSilent = grown.silent;
    else {
      const [row] = await sql.rows(lockTraceOfRunning, [job, secret]);
      if (!row) return { outcome: 'refused' };
      wasSilent = row.silent;
      if (row.begun && row.id === null) return { outcome: 'busy' };
      const log = row.id === null ? (await sql.rows(insertTrace, [job, files.newName()]))[0] : row;
      if (!log) return { outcome: 'busy' };
      if (start !== log.size) return { outcome: 'elsewhere', size: log.size };
      if (size > longestTrace) {
        tooLong = true;
        return { outcome: 'refused', status: 'failed' };
      }
      ({ location } = log);
      if (bytes.length > 0 || debug) await sql.rows(noteTraceSize, [job, size, debug]);
    }
    if (bytes.length > 0) {
      try {
        await files.write(location!, start, bytes);
      } catch (error) {
        if (!(error instanceof FileTooShort)) throw error;
        await sql.rows(noteTraceSize, [job, error.size, debug]);
        return { outcome: 'elsewhere', size: error.size };
      }
    }
    return { outcome: 'appended', size, watched: isWatched(context, job) };
  });
  if (tooLong) await endTooLong(context, job);
  if (wasSilent) await database.rows(noteContact, [job]);
  if (appended.outcome !== 'refused' || tooLong) return appended;
  return { outcome: 'refused', status: await endOf(context, job, secret) };
}

/** How a job ended, for the runner that had it: undefined for anybody else. @param token its digest */
export const endOf = async ({ database }: Context, job: number, token: Buffer): Promise<CiStatus | undefined> =>
  (await database.rows(statusForRunner, [job, token]))[0]?.status;

/** A job whose log is too long fails. */
const endTooLong = (context: Context, job: number): Promise<unknown> =>
  finishJob(context, job, { status: 'failed', failureReason: 'trace_size_exceeded' });
