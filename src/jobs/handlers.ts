import { counters } from '../counters.ts';
import { defineJob, type Handlers } from './job.ts';
import { removeLabel } from './remove-labels.ts';
import { removeMarkedUser } from './remove-users.ts';
import { sweep, type Progress, type SweepOptions } from './sweep.ts';

/** The handlers of the kinds in `src/values/job-kinds.ts`. */
export function jobHandlers(kept: Omit<SweepOptions, 'database'>): Handlers {
  const progress: Progress = { family: 0 };
  return {
    remove_user: defineJob('remove_user', async ({ database, payload }) => {
      await removeMarkedUser(database, payload.userId);
    }),
    remove_label: defineJob('remove_label', async ({ database, payload, signal }) => {
      await removeLabel(database, payload.labelId, signal);
    }),
    sweep: defineJob('sweep', async ({ database }) => {
      counters.removed.count('sweep', await sweep({ database, ...kept }, progress));
    }),
  };
}
