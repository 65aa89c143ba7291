import type { Context } from '../../../context.ts';
import { isAdministrator, roles } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { rightsById } from '../../places/projects/permissions.ts';
import { mayRun, mayUpdate, type Of } from '../pipelines/rights.ts';
import { isPlayable } from './states-of-one.ts';
import type { JobRecord } from './statements.ts';
import { CiJob } from './types.ts';

/** Whether the viewer removes the log and the artifacts of a job of a project. */
export async function mayErase(context: Context, project: Of, job: JobRecord): Promise<boolean> {
  const { viewer } = context;
  const isOwn = job.userId !== null && job.userId === viewer.person?.id;
  if (!isOwn && !isAdministrator(viewer) && project.facts.accessLevel < roles.maintainer) return false;
  return await mayRun(context, project, job);
}

const JobPermissions = builder.objectRef<JobRecord>('JobPermissions').implement({
  description: 'What you may do with a job.',
  fields: (t) => ({
    updateBuild: t.boolean({
      description: 'Whether you start, cancel and retry it. False for what a script reported.',
      resolve: (job, _args, context) => job.kind === 'job' && mayUpdate(context, job),
    }),
    eraseBuild: t.boolean({
      description: 'Whether you remove its log and artifacts, once it has finished. False for what a script reported.',
      resolve: async (job, _args, context) => {
        if (job.kind !== 'job') return false;
        const project = await rightsById(context, job.projectId);
        return project !== undefined && (await mayErase(context, project, job));
      },
    }),
  }),
});

builder.objectField(CiJob, 'userPermissions', (t) =>
  t.field({ type: JobPermissions, direct: true, resolve: (job) => job }),
);

builder.objectField(CiJob, 'canPlayJob', (t) =>
  t.boolean({
    description: 'Whether it can be started, and you may.',
    resolve: async (job, _args, context) => job.kind === 'job' && isPlayable(job) && (await mayUpdate(context, job)),
  }),
);
