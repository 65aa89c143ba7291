import type { GraphQLSchema } from 'graphql';
import { clientContext, type Application } from '../context.ts';
import { Unauthenticated } from '../errors.ts';
import { callOf, header, parseForm, type Exchange } from '../http/index.ts';
import type { Limits } from '../limits/index.ts';
import { compileOperation, type Operation } from '../operation.ts';
import type { JobFiles } from '../values/ci/job-files.ts';

type Opening = Operation<{ readonly files: JobFiles }>;

/** The operation of the doors for runners. */
export const compileJobFiles = (schema: GraphQLSchema): Opening =>
  compileOperation(schema, 'query ($job: String!, $token: String!) { files: jobFiles(job: $job, token: $token) }');

/** Opens the way to the files of the job that a request names. */
export type OpenJobFiles = (
  exchange: Exchange,
  job: string,
  /** Parameters of the address. */
  query: ReturnType<typeof parseForm>,
) => Promise<JobFiles>;

/** @returns a function that throws Unauthenticated without a token, NotFound for no number of a job */
export function jobFilesOf(application: Application, schema: GraphQLSchema): OpenJobFiles {
  let operation: Opening | undefined;
  return async (exchange, job, query) => {
    const token = header(exchange, 'job-token') ?? (application.profile.tokenInQuery ? tokenIn(query) : undefined);
    if (!token) throw new Unauthenticated();
    operation ??= compileJobFiles(schema);
    const context = await clientContext(application, callOf(exchange));
    operation.admit(context);
    return (await operation.execute(context, { job, token })).files;
  };
}

const tokenIn = (query: ReturnType<typeof parseForm>): string | undefined =>
  [query.token, query.job_token].find((value): value is string => typeof value === 'string' && value !== '');

/**
 * Counts a request with a wrong token: guessing is limited for its address. Those of a running job aren’t counted: a log
 * comes in many pieces.
 * @throws RateLimited
 */
export async function countRefused(limits: Limits, exchange: Exchange): Promise<void> {
  const reading = Promise.reject<{ viewer: never }>(new Unauthenticated());
  await limits
    .counting(exchange, reading, ({ viewer }) => viewer)
    .catch((error: unknown) => {
      if (!(error instanceof Unauthenticated)) throw error;
    });
}
