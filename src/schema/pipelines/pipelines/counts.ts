import type { Context } from '../../../context.ts';
import { parent } from '../../../database/list.ts';
import { holds, readPipelines } from '../../../policy/index.ts';
import { batchedLists } from '../../engine/batched.ts';
import { builder } from '../../engine/builder.ts';
import { Project } from '../../places/place/types.ts';
import { factsOf } from '../../places/projects/permissions.ts';
import { scopes } from './filter.ts';
import { pipelineList, type PipelineFilter } from './statements/list.ts';

/** How many pipelines projects have. One statement counts those of many projects. */

type Counts = ReadonlyMap<string, number>;

const sumOf = (counts: Counts, statuses: Iterable<string>) =>
  [...statuses].reduce((sum, status) => sum + (counts.get(status) ?? 0), 0);

const PipelineCounts = builder.objectRef<Counts>('PipelineCounts').implement({
  description: 'How many pipelines there are.',
  fields: (t) => ({
    all: t.int({ nullable: true, resolve: (counts) => sumOf(counts, counts.keys()) }),
    running: t.int({ nullable: true, resolve: (counts) => sumOf(counts, scopes.running) }),
    pending: t.int({ nullable: true, resolve: (counts) => sumOf(counts, scopes.pending) }),
    finished: t.int({
      nullable: true,
      description: 'Succeeded, failed or canceled.',
      resolve: (counts) => sumOf(counts, scopes.finished),
    }),
  }),
});

const countsOfEach = batchedLists(
  async ({ database }: Context, projects, filter: PipelineFilter) => {
    const { statement, values } = pipelineList(parent, filter).countsBy(projects, 'pl.status');
    return await database.rows(statement, values);
  },
  ({ parent_id }) => parent_id,
);

builder.objectField(Project, 'pipelineCounts', (t) =>
  t.field({
    type: PipelineCounts,
    nullable: true,
    description: 'How many pipelines it has, by what became of them; null if you don’t read them.',
    args: {
      ref: t.arg.string({ description: 'Only those of this branch or tag.' }),
      sha: t.arg.string({ description: 'Only those of this commit, by its full name.' }),
      source: t.arg.string({ description: 'Only those made for this reason.' }),
    },
    resolve: async (project, filter, context) => {
      if (!holds(readPipelines, context.viewer, await factsOf(context, project))) return null;
      const rows = await countsOfEach(context, project.id, filter);
      return new Map(rows.map(({ value, total }) => [value, total]));
    },
  }),
);
