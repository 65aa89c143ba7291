import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { seeOtherSaying, type PageRoute } from '../../site/visit.ts';
import { JobQueue, jobsPath, type Queue } from './jobs-view.tsx';

/** The queue of background work, for administrators. */
export function jobPages(schema: GraphQLSchema): PageRoute[] {
  const read = compileOperation<{ backgroundJobs: Queue }>(
    schema,
    'query { backgroundJobs { kinds { name meaning waiting running dead } failures { id name attempts error nextAttemptAt } } }',
  );
  const retry = compileOperation<{ retryBackgroundJobs: { retried: number } }>(
    schema,
    'mutation ($input: RetryBackgroundJobsInput!) { retryBackgroundJobs(input: $input) { retried } }',
  );
  return [
    {
      path: jobsPath,
      name: 'background jobs',
      async get({ site, context }) {
        const { backgroundJobs: queue } = await read.execute(context, {});
        return toAnswer(<JobQueue site={site} queue={queue} />);
      },
      async post(visit, { id }) {
        const { retryBackgroundJobs } = await retry.execute(visit.context, { input: { id } });
        return seeOtherSaying(retryBackgroundJobs.retried > 0 ? 'jobs_retried' : 'nothing_changed', jobsPath, visit);
      },
    },
  ];
}
