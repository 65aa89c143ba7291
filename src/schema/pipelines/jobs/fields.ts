import { NotFound } from '../../../errors.ts';
import { holds, readJobs, reads } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { nestedList, rootList } from '../../engine/list.ts';
import { connectionOf, offsetArg, resolveArrayPage } from '../../engine/page.ts';
import { Project } from '../../places/place/types.ts';
import { factsOf } from '../../places/projects/permissions.ts';
import { prefetchRepository, repositoryIn } from '../../repository/repositories/look-up.ts';
import { CiJobStatus, Pipeline } from '../pipelines/types.ts';
import { jobIn } from './find.ts';
import { numberIn } from './ids.ts';
import { jobById } from './read.ts';
import { jobOrders, jobsOfProject } from './statements.ts';
import { CiJob } from './types.ts';

/** The jobs of projects. */

const filters = builder.args((t) => ({
  statuses: t.field({ type: [CiJobStatus], description: 'Only those with one of these.' }),
  name: t.string({ description: 'Only those with this name.' }),
}));

const list = {
  type: CiJob,
  orders: { id: jobOrders.id },
  by: 'id_desc',
} as const;

rootList('jobs', {
  ...list,
  description: 'The jobs of a project, the newest first.',
  admission: { class: 'token', scopes: reads, anonymous: true },
  prefetch: prefetchRepository,
  args: (t) => ({ project: t.id({ required: true, description: 'Full path, global id or number.' }), ...filters }),
  rows: async (context, { project, statuses, name }) =>
    jobsOfProject((await repositoryIn(context, project, readJobs)).id, { statuses, name }),
});

nestedList(Project, 'jobs', {
  ...list,
  nullable: true,
  description: 'Its jobs, the newest first; null if you don’t read them.',
  args: () => filters,
  rows: async (context, { statuses, name }, _info, project) =>
    holds(readJobs, context.viewer, await factsOf(context, project))
      ? jobsOfProject(project.id, { statuses, name })
      : null,
});

builder.queryFields((t) => ({
  job: t.field({
    type: CiJob,
    nullable: true,
    description: 'A job of a project.',
    admission: { class: 'token', scopes: reads, anonymous: true },
    prefetch: prefetchRepository,
    args: {
      project: t.arg.id({ required: true, description: 'Full path, global id or number.' }),
      id: t.arg({ type: 'JobID', required: true }),
    },
    resolve: async (_root, { project, id }, context) => (await jobIn(context, project, id)).job,
  }),
  currentJob: t.field({
    type: CiJob,
    nullable: true,
    description: 'The job whose token the request has; not found with a token of a person.',
    admission: { class: 'token', scopes: reads, job: true },
    resolve: async (_root, _args, context) => {
      const { credential } = context.viewer;
      const job = credential?.kind === 'job' ? await jobById(context, credential.jobId) : undefined;
      if (!job) throw new NotFound('Job');
      return job;
    },
  }),
}));

builder.objectField(Project, 'job', (t) =>
  t.field({
    type: CiJob,
    nullable: true,
    description: 'One of its jobs; null if it is missing or you don’t read it.',
    args: { id: t.arg({ type: 'JobID', required: true }) },
    resolve: async (project, { id }, context) => {
      if (!holds(readJobs, context.viewer, await factsOf(context, project))) return null;
      const job = await jobById(context, numberIn(id));
      return job?.projectId === project.id ? job : null;
    },
  }),
);

builder.objectField(Pipeline, 'downstream', (t) =>
  t.connection(
    {
      type: Pipeline,
      nullable: true,
      description: 'Pipelines that its jobs started: none, since no job starts pipelines of others.',
      args: offsetArg,
      resolve: (_pipeline, args) => resolveArrayPage(args, [] as { id: number }[], ({ id }) => String(id)) as never,
    },
    connectionOf(Pipeline) as never,
  ),
);

builder.objectFields(Pipeline, (t) => ({
  upstream: t.field({
    type: Pipeline,
    nullable: true,
    description: 'Null: no job starts pipelines of others.',
    direct: true,
    resolve: () => null,
  }),
  sourceJob: t.field({
    type: CiJob,
    nullable: true,
    description: 'Null: no job starts pipelines of others.',
    direct: true,
    resolve: () => null,
  }),
}));
