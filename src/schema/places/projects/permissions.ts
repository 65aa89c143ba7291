import type { Context } from '../../../context.ts';
import type { ListedProject } from '../../../database/access/records.ts';
import {
  downloadCode,
  editProject,
  forkProject,
  holds,
  ownProject,
  pushCode,
  type Condition,
  type Facts,
} from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { Project } from '../place/types.ts';
import { hasRoles, rolesIn } from './fields.ts';

/** What the viewer may do in a project, as `userPermissions` shows it. */

/** What decides what the viewer may do in a project. */
export async function factsOf(context: Context, project: ListedProject): Promise<Facts> {
  const { visibility } = project;
  if (context.viewer.person === null) return { visibility, accessLevel: 0 };
  const roles = hasRoles(project) ? project : await rolesIn(context, project.id);
  return { visibility, accessLevel: Math.max(roles?.project_access ?? 0, roles?.group_access ?? 0) };
}

export const ProjectPermissions = builder.objectRef<Facts>('ProjectPermissions');
const may = (rule: Condition, description: string) => ({
  description,
  resolve: (facts: Facts, _args: object, { viewer }: Context) => holds(rule, viewer, facts),
});

ProjectPermissions.implement({
  description: 'What you may do in a project.',
  fields: (t) => ({
    readProject: t.boolean({ description: 'True: you see it.', resolve: () => true }),
    adminProject: t.boolean(may(editProject, 'Whether you change its settings and members.')),
    removeProject: t.boolean(may(ownProject, 'Whether you delete it.')),
    archiveProject: t.boolean(may(ownProject, 'Whether you archive it.')),
    changeVisibilityLevel: t.boolean(may(editProject, 'Whether you change its visibility.')),
    forkProject: t.boolean(may(forkProject, 'Whether you fork it.')),
    downloadCode: t.boolean(may(downloadCode, 'Whether your role lets you read its repository.')),
    pushCode: t.boolean(may(pushCode, 'Whether your role lets you write to its repository.')),
  }),
});

builder.objectField(Project, 'userPermissions', (t) =>
  t.field({ type: ProjectPermissions, resolve: (project, _args, context) => factsOf(context, project) }),
);
