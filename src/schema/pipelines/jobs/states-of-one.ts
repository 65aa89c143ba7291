import { activeStatuses, cancelableStatuses, type CiStatus } from '../../../values/ci/statuses.ts';
import type { JobRecord } from './statements.ts';

/** What may be done with a job in the status that it has. */

type Shown = Pick<JobRecord, 'kind' | 'status' | 'when' | 'retried'>;

const among = (statuses: readonly CiStatus[], status: CiStatus) => statuses.includes(status);

export const isActive = ({ status }: Shown): boolean => among(activeStatuses, status);
export const isCancelable = ({ kind, status }: Shown): boolean => kind === 'job' && among(cancelableStatuses, status);

/** Whether a new job can be made in its place. */
export const isRetryable = ({ kind, status, retried }: Shown): boolean =>
  kind === 'job' && !retried && (status === 'success' || status === 'failed' || status === 'canceled');

/** Whether it waits for a person or for its time, or such a job did and can run again. */
export const isPlayable = (job: Shown): boolean =>
  (job.when === 'manual' || job.when === 'delayed') &&
  !job.retried &&
  (among(['manual', 'scheduled', 'skipped'], job.status) || isRetryable(job));
