import { NotFound } from '../../../errors.ts';
import { holds, readPipelines, reads } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { nestedList, rootList } from '../../engine/list.ts';
import { Project } from '../../places/place/types.ts';
import { factsOf } from '../../places/projects/permissions.ts';
import { Commit } from '../../repository/commits/types.ts';
import { prefetchRepository, repositoryIn } from '../../repository/repositories/look-up.ts';
import { revisionIn } from '../../repository/repositories/revision.ts';
import { filterArgs, filterOf } from './filter.ts';
import { pipelineList, pipelineOrders } from './statements/list.ts';
import { headPipeline, namedPipeline, newestPipeline, pipelineIn } from './read.ts';
import { Pipeline } from './types.ts';

/** The pipelines of projects and commits. */

const list = {
  type: Pipeline,
  orders: pipelineOrders,
  by: 'id_desc',
  args: () => filterArgs,
} as const;

rootList('pipelines', {
  ...list,
  description: 'The pipelines of a project, the newest first.',
  admission: { class: 'token', scopes: reads, anonymous: true },
  prefetch: prefetchRepository,
  args: (t) => ({ project: t.id({ required: true, description: 'Full path, global id or number.' }), ...filterArgs }),
  rows: async (context, { project: given, ...asked }) => {
    const { id, git } = await repositoryIn(context, given, readPipelines);
    return pipelineList(id, await filterOf(context, { id, hasRepository: git !== undefined }, asked));
  },
});

nestedList(Project, 'pipelines', {
  ...list,
  nullable: true,
  description: 'Its pipelines, the newest first; null if you don’t read them.',
  rows: async (context, asked, _info, record) => {
    if (!holds(readPipelines, context.viewer, await factsOf(context, record))) return null;
    const { id, defaultBranch } = record;
    return pipelineList(id, await filterOf(context, { id, hasRepository: defaultBranch !== null }, asked));
  },
});

nestedList(Commit, 'pipelines', {
  ...list,
  admission: { class: 'token', scopes: reads, anonymous: true },
  nullable: true,
  description: 'Those of this commit, the newest first; null if you don’t read them.',
  rows: async (context, asked, _info, { repository, id: sha }) => {
    if (!holds(readPipelines, context.viewer, repository.facts)) return null;
    const place = { id: repository.id, hasRepository: repository.git !== undefined };
    return pipelineList(repository.id, { ...(await filterOf(context, place, asked)), sha });
  },
});

const nameArgs = builder.args((t) => ({
  id: t.field({ type: 'CiPipelineID' }),
  iid: t.id({ description: 'Its number in the project.' }),
  sha: t.string({ description: 'The newest of this commit, by its full name.' }),
}));

const projectArg = builder.args((t) => ({
  project: t.id({ required: true, description: 'Full path, global id or number.' }),
}));

builder.queryFields((t) => ({
  pipeline: t.field({
    type: Pipeline,
    nullable: true,
    description: 'A pipeline of a project.',
    admission: { class: 'token', scopes: reads, anonymous: true },
    prefetch: prefetchRepository,
    args: { ...projectArg, id: t.arg({ type: 'CiPipelineID', required: true }) },
    resolve: async (_root, { project, id }, context) => (await pipelineIn(context, project, id)).pipeline,
  }),
  latestPipeline: t.field({
    type: Pipeline,
    nullable: true,
    description: 'The newest pipeline of the commit that a branch or tag is at.',
    admission: { class: 'token', scopes: reads, anonymous: true },
    prefetch: prefetchRepository,
    args: { ...projectArg, ref: t.arg.string({ description: 'The default branch if omitted.' }) },
    resolve: async (_root, { project, ref }, context) => {
      const repository = await repositoryIn(context, project, readPipelines);
      const name = ref || repository.defaultBranch;
      const revision = await revisionIn(repository, name);
      const found =
        revision && (await headPipeline(context, { projectId: repository.id, ref: name!, sha: revision.commit.id }));
      if (!found) throw new NotFound('Pipeline');
      return found;
    },
  }),
}));

builder.objectField(Project, 'pipeline', (t) =>
  t.field({
    type: Pipeline,
    nullable: true,
    description: 'One of its pipelines; null if it is missing or you don’t read it.',
    args: nameArgs,
    resolve: async (record, named, context) => {
      if (!holds(readPipelines, context.viewer, await factsOf(context, record))) return null;
      return (await namedPipeline(context, record.id, named)) ?? null;
    },
  }),
);

builder.objectField(Commit, 'latestPipeline', (t) =>
  t.field({
    type: Pipeline,
    nullable: true,
    admission: { class: 'token', scopes: reads, anonymous: true },
    description: 'The newest of its pipelines; null if there is none, or you don’t read them.',
    resolve: async ({ repository, id: sha }, _args, context) => {
      if (!holds(readPipelines, context.viewer, repository.facts)) return null;
      return (await newestPipeline(context, { projectId: repository.id, sha })) ?? null;
    },
  }),
);
