import { LookUp, statement } from '../../database/index.ts';
import { shownState, type PersonState } from '../../database/access/people.ts';

export interface JobTokenRow {
  readonly id: number;
  readonly project_id: number;
  readonly pipeline_id: number;
  readonly status: string;
  /** Whether it runs, with this token. */
  readonly alive: boolean;
  /** Null if who started it is deleted. */
  readonly user_id: number | null;
  readonly username: string;
  readonly administrator: boolean;
  readonly tier: 'FREE' | 'PREMIUM';
  readonly external: boolean;
  readonly state: PersonState;
}

/** SQL of jobs `j` with who started them. A job that left `running` has no token any more. */
const jobs = `select j.id, j.project_id, j.pipeline_id, j.status, j.token_digest is not null and j.status = 'running' as alive,
          u.id as user_id, u.username, u.administrator, u.tier, u.external, ${shownState} as state
     from ci_jobs j
     left join users u on u.id = j.user_id and u.deleting_since is null`;

/** The job of a token, also when it’s over. $1 its digest. */
export const findJobToken = new LookUp<JobTokenRow>('job_of_token', 'user_id', `${jobs} where j.issued_digest = $1`);

/** A job whose token was presented before, as it is now. $1 id. */
export const liveJob = statement<JobTokenRow>('live_job', `${jobs} where j.id = $1::int`);

export interface RunnerTokenRow {
  readonly id: number;
  readonly user_id: null;
}

/** $1 the digest. */
export const findRunnerToken = new LookUp<RunnerTokenRow>(
  'runner_of_token',
  'user_id',
  'select r.id, null::int as user_id from runners r where r.token_digest = $1',
);

export interface RegistrationTokenRow {
  readonly project_id: number | null;
  readonly group_id: number | null;
  readonly user_id: null;
}

/** $1 the digest. */
export const findRegistrationToken = new LookUp<RegistrationTokenRow>(
  'registration_token',
  'user_id',
  `select t.project_id, t.group_id, null::int as user_id from runner_registration_tokens t where t.digest = $1`,
);
