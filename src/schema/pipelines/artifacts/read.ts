import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { BadRequest, NotFound } from '../../../errors.ts';
import { batchedLists } from '../../engine/batched.ts';
import type { BytesOut } from '../../engine/builder.ts';
import { requireStorage } from '../../repository/storage/mark.ts';
import { abandonTracesOf } from '../traces/read.ts';
import { abandonArtifactsOfJobs, artifactsOfJobs, latestJobWithArchive, type ArtifactRow } from './statements.ts';
import { fileInZip, isPlainPath } from './zip.ts';

export type { ArtifactRow };

/** Reading what jobs left. None of these functions asks whether the viewer reads the job. */

const lists = batchedLists(
  (context, jobs) => context.database.rows(artifactsOfJobs, [jobs]),
  ({ jobId }: ArtifactRow) => jobId,
);

/** The files that a job left and that haven’t expired; those of many jobs are read at once. */
export const artifactsOfJob = (context: Context, job: number): Promise<readonly ArtifactRow[]> =>
  lists(context, job, null);

/** The job of a name in the newest successful pipeline of a branch or tag that has an archive. @throws NotFound */
export async function jobWithArchive(
  { database }: Context,
  { projectId, ref, name }: { readonly projectId: number; readonly ref: string; readonly name: string },
): Promise<number> {
  const [job] = await database.rows(latestJobWithArchive, [projectId, ref, name]);
  if (!job) throw new NotFound('Artifacts');
  return job.id;
}

/** The bytes of a file that a job left. */
export async function bytesOf(context: Context, { location, filename, size }: ArtifactRow): Promise<BytesOut> {
  await requireStorage(context);
  const part = (start: number, end: number) => context.files.read(location, start, end);
  return { name: filename, size, open: async () => part(0, size), part };
}

/**
 * One file out of an archive.
 * @throws NotFound if it isn’t there; BadRequest for no path of a file, and for one that can’t be unpacked
 */
export async function fileOf(context: Context, { location, size }: ArtifactRow, path: string): Promise<BytesOut> {
  if (!isPlainPath(path)) throw new BadRequest('path is invalid');
  await requireStorage(context);
  const archive = await context.files.open(location);
  const found = await fileInZip(archive, size, path, context.jobFiles.largestArtifact);
  // It is opened again when it is sent: perhaps no one does.
  found.close();
  return {
    name: path.slice(path.lastIndexOf('/') + 1),
    size: found.size,
    open: async () => {
      const again = await fileInZip(await context.files.open(location), size, path, context.jobFiles.largestArtifact);
      return await again.open();
    },
  };
}

/**
 * Gives up the logs and artifacts of jobs: no one sees them any more, and their files are removed soon.
 * @returns how many artifacts there were
 */
export async function removeTraceAndArtifacts(sql: Sql, jobs: readonly number[]): Promise<number> {
  await abandonTracesOf(sql, jobs);
  return (await sql.rows(abandonArtifactsOfJobs, [jobs])).length;
}
