import type { Context } from '../../../context.ts';
import { Forbidden, NotFound } from '../../../errors.ts';
import { adminDeployKeys, holds, reads } from '../../../policy/index.ts';
import { requireAdministrator } from '../../engine/administrators.ts';
import { builder } from '../../engine/builder.ts';
import { nestedList, rootList } from '../../engine/list.ts';
import { facts, lookUp } from '../../places/place/look-up.ts';
import { Project } from '../../places/place/types.ts';
import { factsOf } from '../../places/projects/permissions.ts';
import {
  allDeployKeys,
  availableKeys,
  deployKeyOrders,
  deployKeysOf,
  findDeployKey,
  findProject,
  orderOfProject,
} from './statements.ts';
import { DeployKey, deployKeyId } from './types.ts';

/** The project whose deploy keys a request is about. @throws NotFound if the viewer doesn't see it, Forbidden */
export async function keysPlace(context: Context, project: string): Promise<{ readonly id: number }> {
  const row = await lookUp(context, findProject, 'Project', project);
  if (!holds(adminDeployKeys, context.viewer, facts(row))) throw new Forbidden();
  return { id: row.id };
}

const admission = { class: 'token', scopes: reads } as const;
const projectArg = 'Full path, global id or number.';

rootList('deployKeys', {
  type: DeployKey,
  description: 'All deploy keys of the instance, the oldest first. For administrators.',
  admission,
  orders: deployKeyOrders,
  by: 'id_asc',
  args: (t) => ({
    public: t.boolean({ description: 'Only those that every project may enable, or only the others.' }),
  }),
  rows: (context, { public: isPublic }) => {
    requireAdministrator(context);
    return allDeployKeys(isPublic);
  },
});

rootList('projectDeployKeys', {
  type: DeployKey,
  description: 'The deploy keys of a project, the oldest first. For its maintainers.',
  admission,
  orders: orderOfProject,
  by: 'id_asc',
  args: (t) => ({ project: t.id({ required: true, description: projectArg }) }),
  rows: async (context, { project }) => deployKeysOf((await keysPlace(context, project)).id),
});

nestedList(Project, 'deployKeys', {
  type: DeployKey,
  nullable: true,
  description: 'Its deploy keys, the oldest first; null unless you maintain it.',
  orders: orderOfProject,
  by: 'id_asc',
  rows: async (context, _asked, _info, project) =>
    holds(adminDeployKeys, context.viewer, await factsOf(context, project)) ? deployKeysOf(project.id) : null,
});

nestedList(Project, 'availableDeployKeys', {
  type: DeployKey,
  nullable: true,
  description:
    'The deploy keys that it doesn’t have and that you may enable: those for every project, and those of other projects that you maintain. Null unless you maintain it.',
  orders: deployKeyOrders,
  by: 'id_asc',
  rows: async (context, _asked, _info, project) => {
    const { viewer } = context;
    if (!viewer.person || !holds(adminDeployKeys, viewer, await factsOf(context, project))) return null;
    return availableKeys(project.id, viewer.person.id);
  },
});

builder.queryField('deployKey', (t) =>
  t.field({
    type: DeployKey,
    nullable: true,
    description: 'One of the deploy keys of a project. For its maintainers.',
    admission,
    args: {
      project: t.arg.id({ required: true, description: projectArg }),
      id: t.arg({ type: 'DeployKeyID', required: true }),
    },
    resolve: async (_root, { project, id }, context) => {
      const place = await keysPlace(context, project);
      const [key] = await context.database.rows(findDeployKey, [place.id, deployKeyId(id)]);
      if (!key) throw new NotFound('Deploy key');
      return key;
    },
  }),
);
