import { jobFailureCancels, newCommitCancels, type AutoCancel } from '../../plan.ts';
import { Fields } from '../jobs/fields.ts';
import { isMapping } from '../yaml/values.ts';

/** What a workflow, or a rule of it, says about canceling by itself; undefined if it says nothing. */
export function readAutoCancel(within: Fields): AutoCancel | undefined {
  const value = within.get('auto_cancel');
  if (value === undefined) return undefined;
  if (!isMapping(value)) return within.refuseEntry('auto_cancel', 'should be a hash');
  const fields = new Fields(value, `${within.where}:auto_cancel`, within.report);
  fields.allow(new Set(['on_new_commit', 'on_job_failure']));
  const onNewCommit = fields.oneOf('on_new_commit', newCommitCancels);
  const onJobFailure = fields.oneOf('on_job_failure', jobFailureCancels);
  return { ...(onNewCommit && { onNewCommit }), ...(onJobFailure && { onJobFailure }) };
}
