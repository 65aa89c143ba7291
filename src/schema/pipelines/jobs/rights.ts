import { builder } from '../../engine/builder.ts';
import { mayUpdate } from '../pipelines/rights.ts';
import type { JobRecord } from './statements.ts';
import { CiJob } from './types.ts';

const JobPermissions = builder.objectRef<JobRecord>('JobPermissions').implement({
  description: 'What you may do with a job.',
  fields: (t) => ({
    updateBuild: t.boolean({
      description: 'Whether you start, cancel and retry it. False for what a script reported.',
      resolve: (job, _args, context) => job.kind === 'job' && mayUpdate(context, job),
    }),
  }),
});

builder.objectField(CiJob, 'userPermissions', (t) =>
  t.field({ type: JobPermissions, direct: true, resolve: (job) => job }),
);
