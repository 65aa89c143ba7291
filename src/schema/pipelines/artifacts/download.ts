import type { Context } from '../../../context.ts';
import { NotFound } from '../../../errors.ts';
import type { Download, Refused } from '../../../values/ci/job-files.ts';
import { requireStorage } from '../../repository/storage/mark.ts';
import { artifactsOfJobs, needyJobOf } from './statements.ts';

/**
 * The archive of a job, for that job or for one of its pipeline that comes later.
 * @throws NotFound if there is none
 */
export async function downloadForJob(
  context: Context,
  job: number,
  token: Buffer,
): Promise<({ readonly outcome: 'found' } & Download) | Refused> {
  const { database, files } = context;
  const [needy] = await database.rows(needyJobOf, [job, token]);
  if (!needy) return { outcome: 'refused' };
  const archive = (await database.rows(artifactsOfJobs, [[job]])).find(({ kind }) => kind === 'archive');
  if (!archive) throw new NotFound('Artifacts');
  await requireStorage(context);
  const { filename, size, location } = archive;
  return { outcome: 'found', filename, size, open: () => files.read(location, 0, size) };
}
