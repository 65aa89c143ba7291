import { holds, adminGroupVariables, adminVariables, reads } from '../../../policy/index.ts';
import { parent } from '../../../database/list.ts';
import { builder } from '../../engine/builder.ts';
import { listOfEach, nestedList, rootList } from '../../engine/list.ts';
import { Group, Project } from '../../places/place/types.ts';
import { factsOf as groupFactsOf } from '../../places/groups/fields.ts';
import { factsOf } from '../../places/projects/permissions.ts';
import { variableNamed } from './find.ts';
import { prefetchVariablePlace, variablePlace } from './place.ts';
import { variableList, variableOrders } from './statements/reading.ts';
import { VariableSort, variableTypesOf } from './types.ts';

/** The variables of projects, of groups and of the instance. */

const list = { orders: variableOrders, by: 'key_asc', sortType: VariableSort } as const;

const placeArg = { description: 'Full path, global id or number.', required: true } as const;

rootList('projectVariables', {
  ...list,
  type: variableTypesOf.project,
  description: 'The variables of a project, for its maintainers.',
  admission: { class: 'token', scopes: reads },
  prefetch: prefetchVariablePlace.project,
  args: (t) => ({ project: t.id(placeArg) }),
  rows: async (context, { project }) =>
    variableList('project', (await variablePlace(context, 'project', project, 'read')).id),
});

rootList('groupVariables', {
  ...list,
  type: variableTypesOf.group,
  description: 'The variables of a group, for its owners.',
  admission: { class: 'token', scopes: reads },
  prefetch: prefetchVariablePlace.group,
  args: (t) => ({ group: t.id(placeArg) }),
  rows: async (context, { group }) => variableList('group', (await variablePlace(context, 'group', group, 'read')).id),
});

rootList('ciVariables', {
  ...list,
  type: variableTypesOf.instance,
  description: 'The variables of the instance, for administrators.',
  admission: { class: 'token', scopes: reads },
  rows: async (context) => variableList('instance', (await variablePlace(context, 'instance', '', 'read')).id),
});

const ofProjects = listOfEach(() => variableList('project', parent));
const ofGroups = listOfEach(() => variableList('group', parent));

nestedList(Project, 'ciVariables', {
  ...list,
  type: variableTypesOf.project,
  nullable: true,
  // Not only of the field that leads here: a person's groups are reached with less.
  admission: { class: 'token', scopes: reads, anonymous: true },
  description: 'Its variables; null if you don’t administer them.',
  rows: async (context, _asked, _info, project) =>
    holds(adminVariables, context.viewer, await factsOf(context, project))
      ? ofProjects(context, project.id, null)
      : null,
});

nestedList(Group, 'ciVariables', {
  ...list,
  type: variableTypesOf.group,
  nullable: true,
  // Not only of the field that leads here: a person's groups are reached with less.
  admission: { class: 'token', scopes: reads, anonymous: true },
  description: 'Its variables; null if you don’t administer them.',
  rows: async (context, _asked, _info, group) =>
    holds(adminGroupVariables, context.viewer, await groupFactsOf(context, group))
      ? ofGroups(context, group.id, null)
      : null,
});

export const VariableFilter = builder.inputType('CiVariableFilterInput', {
  description: 'Which of several variables of a name.',
  fields: (t) => ({ environmentScope: t.string({ description: 'The one for exactly these environments.' }) }),
});

const nameArgs = builder.args((t) => ({
  key: t.string({ required: true, description: 'Its name.' }),
  filter: t.field({ type: VariableFilter }),
}));

builder.queryFields((t) => ({
  projectVariable: t.field({
    type: variableTypesOf.project,
    nullable: true,
    description: 'A variable of a project, for its maintainers.',
    admission: { class: 'token', scopes: reads },
    prefetch: prefetchVariablePlace.project,
    args: { project: t.arg.id(placeArg), ...nameArgs },
    resolve: async (_root, { project, ...name }, context) =>
      await variableNamed(context.database, await variablePlace(context, 'project', project, 'read'), name),
  }),
  groupVariable: t.field({
    type: variableTypesOf.group,
    nullable: true,
    description: 'A variable of a group, for its owners.',
    admission: { class: 'token', scopes: reads },
    prefetch: prefetchVariablePlace.group,
    args: { group: t.arg.id(placeArg), ...nameArgs },
    resolve: async (_root, { group, ...name }, context) =>
      await variableNamed(context.database, await variablePlace(context, 'group', group, 'read'), name),
  }),
  instanceVariable: t.field({
    type: variableTypesOf.instance,
    nullable: true,
    description: 'A variable of the instance, for administrators.',
    admission: { class: 'token', scopes: reads },
    args: { key: t.arg.string({ required: true, description: 'Its name.' }) },
    resolve: async (_root, name, context) =>
      await variableNamed(context.database, await variablePlace(context, 'instance', '', 'read'), name),
  }),
}));
