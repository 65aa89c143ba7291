import type { Database } from '../database/index.ts';
import { counters } from '../counters.ts';
import type { Git } from '../git/index.ts';
import { defineJob, type Handlers } from './job.ts';
import { notifyOfExpiringTokens } from './notifications/expiring-tokens.ts';
import { findDueIssues, notifyOfDueIssues } from './notifications/due.ts';
import { notifyOfMovedProjects } from './notifications/moved.ts';
import { Sender, type Sending } from './notifications/send.ts';
import { notifyPeople } from './notifications/notify.ts';
import type { FileStore } from '../storage/files.ts';
import type { PayloadOf } from '../values/kinds/job-kinds.ts';
import { copyToFork } from './repositories/copy.ts';
import { maintainRepository } from './repositories/maintain.ts';
import { measureRepository } from './repositories/measure.ts';
import { removeJobFiles } from './pipelines/remove-files.ts';
import { removeRepositories } from './repositories/remove.ts';
import { removeLabel } from './remove-labels.ts';
import { removeMarkedUser } from './remove-users.ts';
import { wakeSending } from '../schema/notifications/delivery/statements/settle.ts';
import { sweep, type Progress, type SweepOptions } from './sweep.ts';

/** The kinds of jobs that act through operations of the schema, with someone's rights. */
type SchemaJob =
  | 'remove_merged_branches'
  | 'follow_references'
  | 'create_pipelines'
  | 'create_merge_request_pipeline'
  | 'check_merge_request'
  | 'check_merge_requests'
  | 'finish_merge'
  | 'close_orphaned_merge_request'
  | 'merge_waiting'
  | 'merge_due'
  | 'rebase_merge_request'
  | 'link_deployment'
  | 'stop_merge_request_environments'
  | 'stop_environments'
  | 'run_pipeline_schedule'
  | 'release_commits'
  | 'delete_old_pipelines';

/** What carries them out. */
export type SchemaJobs = {
  readonly [Name in SchemaJob]: (payload: PayloadOf<Name>, signal: AbortSignal) => Promise<void>;
};

const carriedOut = <Name extends SchemaJob>(name: Name, jobs: SchemaJobs) =>
  defineJob(name, ({ payload, signal }) => jobs[name](payload, signal));

interface HandlerOptions extends Omit<SweepOptions, 'database'> {
  /** The time zone of people who chose none. */
  readonly timeZone: string;
  /** Jobs that act through operations of the schema. A process without them claims no such job. */
  readonly schemaJobs?: SchemaJobs;
  readonly git: Git;
  /** Logs and artifacts of jobs. */
  readonly files: FileStore;
  /** Whether people are notified at all. */
  readonly notifies: boolean;
  /**
   * Finishes what writers of repositories recorded and didn't see through. Undefined in a process without repositories: it
   * claims no such job.
   */
  readonly settleRepositories?: (
    database: Database,
    how: { signal: AbortSignal; report: (projectId: number, error: Error) => void },
  ) => Promise<number>;
  /** What a clock does with jobs of pipelines. */
  readonly pipelineClock: {
    readonly startDelayedJob: (database: Database, jobId: number) => Promise<void>;
    readonly dropStuckJobs: (database: Database, signal: AbortSignal) => Promise<number>;
    readonly findDueSchedules: (database: Database, signal: AbortSignal) => Promise<void>;
  };
  /** How messages are sent. Undefined in a process that sends none: it claims no such job. */
  readonly sending?: Omit<Sending, 'timeZone'>;
}

/** The handlers of the kinds in `src/values/kinds/job-kinds.ts`. */
export function jobHandlers({
  timeZone,
  git,
  files,
  schemaJobs,
  settleRepositories,
  pipelineClock,
  notifies,
  sending,
  ...kept
}: HandlerOptions): Partial<Handlers> {
  const sender = sending && new Sender({ ...sending, timeZone });
  const progress: Progress = { family: 0 };
  return {
    remove_user: defineJob('remove_user', async ({ database, payload }) => {
      await removeMarkedUser(database, payload.userId);
    }),
    remove_label: defineJob('remove_label', async ({ database, payload, signal }) => {
      await removeLabel(database, payload.labelId, signal);
    }),
    ...(schemaJobs && {
      remove_merged_branches: carriedOut('remove_merged_branches', schemaJobs),
      follow_references: carriedOut('follow_references', schemaJobs),
      create_pipelines: carriedOut('create_pipelines', schemaJobs),
      create_merge_request_pipeline: carriedOut('create_merge_request_pipeline', schemaJobs),
      check_merge_request: carriedOut('check_merge_request', schemaJobs),
      check_merge_requests: carriedOut('check_merge_requests', schemaJobs),
      finish_merge: carriedOut('finish_merge', schemaJobs),
      close_orphaned_merge_request: carriedOut('close_orphaned_merge_request', schemaJobs),
      merge_waiting: carriedOut('merge_waiting', schemaJobs),
      merge_due: carriedOut('merge_due', schemaJobs),
      rebase_merge_request: carriedOut('rebase_merge_request', schemaJobs),
      run_pipeline_schedule: carriedOut('run_pipeline_schedule', schemaJobs),
      link_deployment: carriedOut('link_deployment', schemaJobs),
      stop_merge_request_environments: carriedOut('stop_merge_request_environments', schemaJobs),
      stop_environments: carriedOut('stop_environments', schemaJobs),
      release_commits: carriedOut('release_commits', schemaJobs),
      delete_old_pipelines: carriedOut('delete_old_pipelines', schemaJobs),
    }),
    find_due_schedules: defineJob('find_due_schedules', async ({ database, signal }) => {
      await pipelineClock.findDueSchedules(database, signal);
    }),
    tell_people: defineJob('tell_people', async ({ database, payload }) => {
      if (notifies) await notifyPeople(database, payload.eventId, timeZone);
    }),
    ...(sending && {
      tell_of_expiring_tokens: defineJob('tell_of_expiring_tokens', async ({ database, signal }) => {
        if (notifies && sending.baseUrl() !== '')
          await notifyOfExpiringTokens(database, sending.mail, sending.baseUrl(), signal);
      }),
    }),
    ...(sender && {
      send_notifications: defineJob('send_notifications', async ({ database, signal }) => {
        if (notifies) await sender.run(database, signal);
      }),
    }),
    wake_sending: defineJob('wake_sending', async ({ database }) => {
      if (notifies) await database.rows(wakeSending, []);
    }),
    find_due_issues: defineJob('find_due_issues', async ({ database }) => {
      if (notifies) await findDueIssues(database, timeZone);
    }),
    tell_of_due_issues: defineJob('tell_of_due_issues', async ({ database, payload, signal }) => {
      if (notifies) await notifyOfDueIssues(database, payload, timeZone, signal);
    }),
    tell_of_moved_projects: defineJob('tell_of_moved_projects', async ({ database, payload, signal }) => {
      if (notifies) await notifyOfMovedProjects(database, payload.eventId, timeZone, signal);
    }),
    measure_repository: defineJob('measure_repository', async ({ database, payload, signal }) => {
      await measureRepository(database, git, payload.projectId, signal);
    }),
    maintain_repository: defineJob('maintain_repository', async ({ database, payload, signal }) => {
      await maintainRepository(database, git, payload.projectId, signal);
    }),
    copy_repository: defineJob('copy_repository', async ({ database, payload, signal }) => {
      await copyToFork(database, git, payload, signal);
    }),
    remove_repositories: defineJob('remove_repositories', async ({ database }) => {
      await removeRepositories(database, git);
    }),
    remove_job_files: defineJob('remove_job_files', async ({ database, signal }) => {
      counters.removed.count('job files', await removeJobFiles(database, files, signal));
    }),
    ...(settleRepositories && {
      settle_repositories: defineJob('settle_repositories', async ({ database, log, signal }) => {
        const report = (projectId: number, { message }: Error) =>
          log.error({ projectId, error: message }, 'a repository can’t be settled');
        const settled = await settleRepositories(database, { signal, report });
        if (settled > 0) log.warn({ changes: settled }, 'changes of repositories were finished that a process left');
      }),
    }),
    start_delayed_job: defineJob('start_delayed_job', async ({ database, payload }) => {
      await pipelineClock.startDelayedJob(database, payload.jobId);
    }),
    drop_stuck_jobs: defineJob('drop_stuck_jobs', async ({ database, log, signal }) => {
      const dropped = await pipelineClock.dropStuckJobs(database, signal);
      if (dropped > 0) log.warn({ jobs: dropped }, 'jobs of pipelines were failed that no runner ends');
    }),
    sweep: defineJob('sweep', async ({ database }) => {
      counters.removed.count('sweep', await sweep({ database, ...kept }, progress));
    }),
  };
}
