import { codeReads, writeCode, writes } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { Project } from '../../places/place/types.ts';
import { factsOf, readsCode } from '../../places/projects/permissions.ts';
import { prefetchRepository, repositoryIn } from './look-up.ts';
import { Repository } from './types.ts';

/** The ways to a repository. */

builder.queryField('repository', (t) =>
  t.field({
    type: Repository,
    nullable: true,
    description: 'The repository of a project.',
    admission: { class: 'token', scopes: codeReads, anonymous: true },
    prefetch: prefetchRepository,
    args: { project: t.arg.id({ required: true, description: 'Full path, global id or number.' }) },
    resolve: (_root, { project }, context) => repositoryIn(context, project),
  }),
);

builder.queryField('repositoryForWriting', (t) =>
  t.field({
    type: Repository,
    nullable: true,
    description: 'The same, for those who write to it: refused for others.',
    admission: { class: 'token', scopes: writes },
    prefetch: prefetchRepository,
    args: { project: t.arg.id({ required: true, description: 'Full path, global id or number.' }) },
    resolve: (_root, { project }, context) => repositoryIn(context, project, writeCode),
  }),
);

builder.objectField(Project, 'repository', (t) =>
  t.field({
    type: Repository,
    nullable: true,
    description: 'Null if you don’t read it.',
    resolve: async (project, _args, context) => {
      const facts = await factsOf(context, project);
      if (!readsCode(project, context.viewer, facts)) return null;
      const { id, fullPath, archived, defaultBranch } = project;
      const git = defaultBranch === null ? undefined : context.git.repository(id);
      return { id, fullPath, archived, defaultBranch, git, facts };
    },
  }),
);
