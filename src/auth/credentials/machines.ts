import type { Prefetch, RequestDatabase, Sql } from '../../database/index.ts';
import { JobNotRunning, Unauthenticated } from '../../errors.ts';
import type { Viewer } from '../../policy/index.ts';
import { digest } from '../keys/crypto.ts';
import { livePerson } from './live-person.ts';
import {
  findJobToken,
  findRegistrationToken,
  findRunnerToken,
  liveJob,
  type JobTokenRow,
} from '../statements/machines.ts';

/** Tokens of machines: of a job that runs, of a runner, and what runners register with. */
export type MachineToken = 'job' | 'runner' | 'registration';

/**
 * The viewer behind the token of a machine, looked up together with its prefetch.
 * @throws Unauthenticated for an unknown one; JobNotRunning for that of a job that is over; Forbidden for a blocked person
 */
export async function authenticateMachine(
  database: RequestDatabase,
  { as, token }: { readonly as: MachineToken; readonly token: string },
  prefetch: Prefetch | undefined,
): Promise<Viewer> {
  if (as === 'job') return jobViewer(await database.lookUp(findJobToken, [digest(token)], prefetch));
  if (as === 'runner') {
    const row = await database.lookUp(findRunnerToken, [digest(token)], prefetch);
    if (!row) throw new Unauthenticated();
    return { person: null, credential: { kind: 'runner', runnerId: row.id } };
  }
  const row = await database.lookUp(findRegistrationToken, [digest(token)], prefetch);
  if (!row) throw new Unauthenticated();
  return { person: null, credential: { kind: 'registration', projectId: row.project_id, groupId: row.group_id } };
}

/** The viewer behind a job whose token was presented before, as of now. @throws as `authenticateMachine` */
export async function jobNow(sql: Sql, jobId: number): Promise<Viewer> {
  const [row] = await sql.rows(liveJob, [jobId]);
  return jobViewer(row);
}

/** A job acts for the person who started it: without one, it can’t. */
function jobViewer(row: JobTokenRow | undefined): Viewer {
  if (!row) throw new Unauthenticated();
  if (!row.alive) throw new JobNotRunning(row.status);
  if (row.user_id === null) throw new Unauthenticated();
  const credential = { kind: 'job', jobId: row.id, projectId: row.project_id, pipelineId: row.pipeline_id } as const;
  return { person: livePerson(row as JobTokenRow & { user_id: number }), credential };
}
