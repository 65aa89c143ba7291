import type { Database } from '../database/index.ts';
import { counters } from '../counters.ts';
import type { Git } from '../git/index.ts';
import { defineJob, type Handlers } from './job.ts';
import { findDueIssues, tellOfDueIssues } from './notifications/due.ts';
import { Sender, type Sending } from './notifications/send.ts';
import { tellPeople } from './notifications/tell.ts';
import type { PayloadOf } from '../values/job-kinds.ts';
import { copyToFork } from './repositories/copy.ts';
import { measureRepository } from './repositories/measure.ts';
import { removeRepositories } from './repositories/remove.ts';
import { removeLabel } from './remove-labels.ts';
import { removeMarkedUser } from './remove-users.ts';
import { wakeSending } from '../schema/notifications/delivery/statements/settle.ts';
import { sweep, type Progress, type SweepOptions } from './sweep.ts';

interface HandlerOptions extends Omit<SweepOptions, 'database'> {
  /** The time zone of people who chose none. */
  readonly timeZone: string;
  /** Deletes merged branches for a person. Undefined in a process that doesn't: it claims no such job. */
  readonly removeMerged?: (payload: PayloadOf<'remove_merged_branches'>, signal: AbortSignal) => Promise<void>;
  readonly git: Git;
  /** Whether people are notified at all. */
  readonly tells: boolean;
  /**
   * Finishes what writers of repositories recorded and didn't see through. Undefined in a process without repositories: it
   * claims no such job.
   */
  readonly settleRepositories?: (
    database: Database,
    how: { signal: AbortSignal; report: (projectId: number, error: Error) => void },
  ) => Promise<number>;
  /** How messages are sent. Undefined in a process that sends none: it claims no such job. */
  readonly sending?: Omit<Sending, 'timeZone'>;
}

/** The handlers of the kinds in `src/values/job-kinds.ts`. */
export function jobHandlers({
  timeZone,
  git,
  removeMerged,
  settleRepositories,
  tells,
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
    ...(removeMerged && {
      remove_merged_branches: defineJob('remove_merged_branches', ({ payload, signal }) =>
        removeMerged(payload, signal),
      ),
    }),
    tell_people: defineJob('tell_people', async ({ database, payload }) => {
      if (tells) await tellPeople(database, payload.eventId, timeZone);
    }),
    ...(sender && {
      send_notifications: defineJob('send_notifications', async ({ database, signal }) => {
        if (tells) await sender.run(database, signal);
      }),
    }),
    wake_sending: defineJob('wake_sending', async ({ database }) => {
      if (tells) await database.rows(wakeSending, []);
    }),
    find_due_issues: defineJob('find_due_issues', async ({ database }) => {
      if (tells) await findDueIssues(database, timeZone);
    }),
    tell_of_due_issues: defineJob('tell_of_due_issues', async ({ database, payload, signal }) => {
      if (tells) await tellOfDueIssues(database, payload, timeZone, signal);
    }),
    measure_repository: defineJob('measure_repository', async ({ database, payload, signal }) => {
      await measureRepository(database, git, payload.projectId, signal);
    }),
    copy_repository: defineJob('copy_repository', async ({ database, payload, signal }) => {
      await copyToFork(database, git, payload, signal);
    }),
    remove_repositories: defineJob('remove_repositories', async ({ database }) => {
      await removeRepositories(database, git);
    }),
    ...(settleRepositories && {
      settle_repositories: defineJob('settle_repositories', async ({ database, log, signal }) => {
        const report = (projectId: number, { message }: Error) =>
          log.error({ projectId, error: message }, 'a repository can’t be settled');
        const settled = await settleRepositories(database, { signal, report });
        if (settled > 0) log.warn({ changes: settled }, 'changes of repositories were finished that a process left');
      }),
    }),
    sweep: defineJob('sweep', async ({ database }) => {
      counters.removed.count('sweep', await sweep({ database, ...kept }, progress));
    }),
  };
}
