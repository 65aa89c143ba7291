import type { Database } from '../database/index.ts';
import type { Log } from '../observability/index.ts';
import type { JobName, PayloadOf } from '../values/kinds/job-kinds.ts';

/** One run of a job, as its handler sees it. */
interface JobRun<Name extends JobName> {
  readonly payload: PayloadOf<Name>;
  readonly database: Database;
  readonly log: Log;
  /** Aborted when the run takes too long, when its lease is lost, and when the gateway can't wait for it any longer. */
  readonly signal: AbortSignal;
}

/**
 * Does the work of a job. It may run again for the same job, after a crash or a lost lease: what it does must be
 * repeatable. A long one stops soon once the signal is aborted. What it throws is a failure, to be tried again.
 */
export type Handler<Name extends JobName> = (run: JobRun<Name>) => Promise<void>;

/** The handlers that a worker has. It claims only jobs that it has a handler for. */
export type Handlers = { readonly [Name in JobName]: Handler<Name> };

/** Declares the handler of a kind of job, whose payload is declared in `src/values/kinds/job-kinds.ts`. */
export const defineJob = <Name extends JobName>(_name: Name, handler: Handler<Name>): Handler<Name> => handler;
