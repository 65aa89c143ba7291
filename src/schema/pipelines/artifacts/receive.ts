import { createHash } from 'node:crypto';
import { digest } from '../../../auth/keys/crypto.ts';
import { secondsOf } from '../../../ci/config/duration.ts';
import type { Context } from '../../../context.ts';
import { BadRequest } from '../../../errors.ts';
import type { Refused, SentArtifact } from '../../../values/ci/job-files.ts';
import { markStorage } from '../../repository/storage/mark.ts';
import { endOf } from '../traces/append.ts';
import { readFileOfForm } from './form.ts';
import { kindOf } from './kinds.ts';
import { readReport } from './reports.ts';
import { abandonArtifacts, beginArtifact, completeArtifact, runningJobOf, sameKind } from './statements.ts';

/** Receiving what a job leaves. */

/** Seconds for which a file is kept, unless its configuration says otherwise. */
const usualTime = 30 * 86_400;

/** Seconds of the longest time that is counted: a hundred years. What is kept longer is kept for good. */
const longestTime = 36_525 * 86_400;

/**
 * When a file expires, in seconds from now; null: never.
 * @throws BadRequest for what isn’t a duration
 */
export function expiryOf(given: string | undefined): number | null {
  const text = given?.trim() ?? '';
  if (text === '') return usualTime;
  if (text.toLowerCase() === 'never') return null;
  const seconds = secondsOf(text);
  if (seconds === undefined) throw new BadRequest('expire_in is invalid');
  return seconds === 0 || seconds > longestTime ? null : seconds;
}

/** How large a file may be: as the project or its group say, but never more than the instance allows. 0 says nothing. */
const mostBytes = (ofInstance: number, megabytes: number | null): number =>
  megabytes ? Math.min(ofInstance, megabytes * 2 ** 20) : ofInstance;

/**
 * Stores a file that a running job leaves: first its row, then the file, then that it is whole. What is left in between by
 * a crash is removed later.
 * @throws BadRequest, TooLarge, Unavailable
 */
export async function receiveArtifact(
  context: Context,
  { job, token }: { readonly job: number; readonly token: string },
  sent: SentArtifact,
): Promise<{ readonly outcome: 'received' } | Refused> {
  const { database, files, jobFiles } = context;
  const [place] = await database.rows(runningJobOf, [job, digest(token)]);
  if (!place) return { outcome: 'refused', status: await endOf(context, job, digest(token)) };
  const { kind, format, filename } = kindOf(sent.kind, sent.format);
  const expiry = expiryOf(sent.expireIn ?? place.expireIn ?? undefined);
  await markStorage(context);
  const location = files.newName();
  const [begun] = await database.rows(beginArtifact, [job, kind, format, filename, location]);
  if (!begun) return { outcome: 'refused' };
  const file = await files.create(location);
  const hash = createHash('sha256');
  let size = 0;
  try {
    await readFileOfForm(sent, mostBytes(jobFiles.largestArtifact, place.mostMegabytes), async (piece) => {
      hash.update(piece);
      size += piece.length;
      await file.write(piece);
    });
    await file.finish();
  } catch (error) {
    await file.abandon();
    await database.rows(abandonArtifacts, [[begun.id]]);
    throw error;
  }
  const sha256 = hash.digest();
  try {
    await readReport(context, { job, kind, format, location, size });
    const [whole] = await database.rows(completeArtifact, [begun.id, size, sha256, place.isPublic, expiry]);
    if (whole) return { outcome: 'received' };
  } catch (error) {
    await database.rows(abandonArtifacts, [[begun.id]]);
    throw error;
  }
  const [other] = await database.rows(sameKind, [begun.id]);
  await database.rows(abandonArtifacts, [[begun.id]]);
  // A runner sends the same file again when it didn’t get the answer.
  if (other?.sha256.equals(sha256)) return { outcome: 'received' };
  if (other) throw new BadRequest('another artifact of the same type already exists');
  return { outcome: 'refused' };
}
