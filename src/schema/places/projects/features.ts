import { builder } from '../../engine/builder.ts';
import { Project } from '../place/types.ts';

/** Fields of projects for parts that a project doesn't have yet. Each says that there is nothing. */

const Repository = builder.objectRef<object>('Repository').implement({
  description: 'The git repository of a project.',
  fields: (t) => ({
    rootRef: t.string({ nullable: true, description: 'The default branch.', resolve: () => null }),
    empty: t.boolean({ description: 'Whether it has no commits.', resolve: () => true }),
    exists: t.boolean({ description: 'Whether there is a repository.', resolve: () => false }),
  }),
});

const ProjectStatistics = builder.objectRef<object>('ProjectStatistics').implement({
  description: 'The sizes of a project’s parts.',
  fields: (t) => ({
    commitCount: t.float({ resolve: () => 0 }),
    repositorySize: t.float({ description: 'In bytes.', resolve: () => 0 }),
    storageSize: t.float({ description: 'In bytes.', resolve: () => 0 }),
  }),
});

const without = (part: string) => ({ description: `False: there are no ${part}.`, resolve: () => false });

builder.objectFields(Project, (t) => ({
  issuesEnabled: t.boolean(without('issues')),
  mergeRequestsEnabled: t.boolean(without('merge requests')),
  wikiEnabled: t.boolean(without('wikis')),
  snippetsEnabled: t.boolean(without('snippets')),
  jobsEnabled: t.boolean(without('jobs')),
  repository: t.field({ type: Repository, nullable: true, resolve: () => ({}) }),
  statistics: t.field({
    type: ProjectStatistics,
    nullable: true,
    description: 'Null: nothing is measured.',
    resolve: () => null,
  }),
  httpUrlToRepo: t.string({ nullable: true, description: 'Null: there are no repositories.', resolve: () => null }),
  sshUrlToRepo: t.string({ nullable: true, description: 'Null: there are no repositories.', resolve: () => null }),
}));
