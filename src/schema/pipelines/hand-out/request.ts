import { RequestDatabase } from '../../../database/index.ts';
import type { Context } from '../../../context.ts';
import type { HandedJob } from '../../../values/ci/handed-job.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { handOut } from './claim.ts';
import { machineOf, noteMachine, runnerOf } from './machine.ts';

/** Milliseconds for which a runner without a job waits for one. Proxies close connections that are silent for a minute. */
const longestWait = 20_000;
/** Milliseconds after which a waiting runner looks by itself: announcements of other processes may get lost. */
const patience = 5_000;

/** What a runner that asked for a job gets. */
interface Answered {
  readonly job: HandedJob | null;
  /** Without a job, what the runner sends with its next request. */
  readonly lastUpdate: string | null;
}

mutation('ciJobRequest', {
  description: 'Gives a runner a job. If it knows that none waited, it waits for one a while. Only for runners.',
  admission: { class: 'runner' },
  input: (t) => ({
    info: t.field({ type: 'JSON', description: 'What the runner says of itself and its machine.' }),
    systemId: t.string({ description: 'What the machine calls itself.' }),
    lastUpdate: t.string({ description: 'What the last answer without a job said.' }),
  }),
  payload: (t: FieldsOf<Answered>) => ({
    job: t.expose('job', { type: 'JSON', nullable: true }),
    lastUpdate: t.exposeString('lastUpdate', { nullable: true }),
  }),
  resolve: async (context, { info, systemId, lastUpdate }): Promise<Answered> => {
    const runnerId = runnerOf(context.viewer);
    const machine = machineOf(info, systemId);
    const { id: managerId, kind } = await noteMachine(context, machine);
    const asking = { runnerId, kind, managerId, features: machine.features };
    const signal = disconnectOf(context);
    const until = performance.now() + longestWait;
    // Noted before looking: what comes while it looks ends the wait at once.
    let seen = context.changes.ciJobsSeen;
    let job = await handOut(context, asking);
    if (job || lastUpdate !== seen) return answer(job, seen);
    for (let left = longestWait; !job && left > 0 && !signal?.aborted; left = until - performance.now()) {
      await context.changes.waitForCiJobs(seen, Math.min(left, patience), signal);
      if (signal?.aborted || context.changes.hasEnded) break;
      seen = context.changes.ciJobsSeen;
      job = await handOut(context, asking);
    }
    return answer(job, seen);
  },
});

const answer = (job: HandedJob | undefined, seen: string): Answered =>
  job ? { job, lastUpdate: null } : { job: null, lastUpdate: seen };

/** Ends a wait when the runner disconnects: a job that it doesn’t receive would be lost. */
function disconnectOf({ database }: Context): AbortSignal | undefined {
  const disconnect = database instanceof RequestDatabase ? database.disconnect : undefined;
  if (!disconnect) return undefined;
  const controller = new AbortController();
  if (disconnect.gone) controller.abort();
  else disconnect.add(() => controller.abort());
  return controller.signal;
}
