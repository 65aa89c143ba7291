import type { Context } from '../../../context.ts';
import type { ListedProject } from '../../../database/access/records.ts';
import { adminBranches, codeReads, reads, writeCode, type Facts } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { Project } from '../../places/place/types.ts';
import { factsOf, readsCode } from '../../places/projects/permissions.ts';
import { prefetchRepository, repositoryIn, type RepositoryRecord } from './look-up.ts';
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
    admission: { class: 'token', scopes: reads },
    prefetch: prefetchRepository,
    args: { project: t.arg.id({ required: true, description: 'Full path, global id or number.' }) },
    resolve: (_root, { project }, context) => repositoryIn(context, project, writeCode),
  }),
);

builder.queryField('repositoryForProtecting', (t) =>
  t.field({
    type: Repository,
    nullable: true,
    description: 'The same, for those who protect its branches and tags: refused for others.',
    admission: { class: 'token', scopes: reads },
    prefetch: prefetchRepository,
    args: { project: t.arg.id({ required: true, description: 'Full path, global id or number.' }) },
    resolve: (_root, { project }, context) => repositoryIn(context, project, adminBranches),
  }),
);

/** The repository of a project whose facts are known; null if the viewer doesn't read it. */
function withFacts(context: Context, project: ListedProject, known: Facts): RepositoryRecord | null {
  if (!readsCode(project, context.viewer, known)) return null;
  const { id, fullPath, archived, defaultBranch, readmePath } = project;
  const git = defaultBranch === null ? undefined : context.git.repository(id);
  return { id, fullPath, archived, defaultBranch, readmePath, git, facts: known };
}

/** The repository of a project that was read; null if the viewer doesn't read it. */
export function repositoryOf(
  context: Context,
  project: ListedProject,
): RepositoryRecord | null | Promise<RepositoryRecord | null> {
  const facts = factsOf(context, project);
  // Not async: lists of projects ask for each.
  return facts instanceof Promise
    ? facts.then((known) => withFacts(context, project, known))
    : withFacts(context, project, facts);
}

builder.objectField(Project, 'repository', (t) =>
  t.field({
    type: Repository,
    nullable: true,
    description: 'Null if you don’t read it.',
    resolve: (project, _args, context) => repositoryOf(context, project),
  }),
);
