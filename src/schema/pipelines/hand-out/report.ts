import { BadRequest, Forbidden, JobNotRunning } from '../../../errors.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { finishJob } from '../processing/finish.ts';
import { settleTrace } from '../traces/settle.ts';
import { deployedAddress } from './deployed-address.ts';
import { findStatus, noteJobContact } from './statements.ts';

mutation('ciJobReport', {
  description: 'Takes what a runner says of a job: that it goes on, or how it ended. Only for runners.',
  admission: { class: 'job' },
  input: (t) => ({
    id: t.int({ required: true, description: 'The number of the job.' }),
    state: t.string({ description: '`running`, `success` or `failed`.' }),
    failureReason: t.string(),
    exitCode: t.int(),
  }),
  payload: (t: FieldsOf<{ readonly status: string }>) => ({ status: t.exposeString('status') }),
  resolve: async (context, { id, state, failureReason, exitCode }) => {
    const { credential } = context.viewer;
    if (credential?.kind !== 'job' || credential.jobId !== id) throw new Forbidden();
    if (state == null || state === 'running' || state === 'pending') {
      await context.database.rows(noteJobContact, [id]);
      return { status: 'running' };
    }
    if (state !== 'success' && state !== 'failed') throw new BadRequest('Unknown state');
    await settleTrace(context, id);
    const done = await finishJob(context, id, {
      status: state,
      failureReason: failureReason ?? null,
      exitCode: exitCode ?? null,
      address: state === 'success' ? await deployedAddress(context, id) : undefined,
    });
    if (done === 'finished') return { status: state };
    // It was canceled, or another report was first.
    const [now] = await context.database.rows(findStatus, [id]);
    throw new JobNotRunning(now?.status ?? 'failed');
  },
});
