import type { ObjectRef } from '@pothos/core';
import type { Context } from '../../../context.ts';
import { parent } from '../../../database/list.ts';
import { Unauthenticated } from '../../../errors.ts';
import { adminGroupRunners, adminRunners, holds, reads, writes } from '../../../policy/index.ts';
import { requireAdministrator } from '../../engine/administrators.ts';
import { builder, type Types } from '../../engine/builder.ts';
import { listOfEach, nestedList, rootList } from '../../engine/list.ts';
import { factsOf as groupFactsOf } from '../../places/groups/fields.ts';
import { projectById, namespaceById } from '../../places/place/read.ts';
import { Group, Project } from '../../places/place/types.ts';
import { factsOf } from '../../places/projects/permissions.ts';
import { mayAdminister, namedRunner, runnerPlace } from './place.ts';
import { managersOf, projectsOf } from './read.ts';
import { registrationToken, tokenOfGroup, tokenOfProject } from './registration.ts';
import {
  allRunners,
  runnerOrders,
  runnersOfGroup,
  runnersOfPerson,
  runnersOfProject,
  type RunnerFilter,
} from './statements/reading.ts';
import { CiRunner, CiRunnerManager, CiRunnerStatus, CiRunnerType } from './types.ts';

/** Runners, and the runners of projects and groups. */

const filters = (t: PothosSchemaTypes.InputFieldBuilder<Types, 'Arg'>) => ({
  type: t.field({ type: CiRunnerType }),
  paused: t.boolean(),
  status: t.field({ type: CiRunnerStatus }),
  tagList: t.stringList({ description: 'Only those that have all of these tags.' }),
});

const list = { type: CiRunner, orders: runnerOrders, by: 'id_desc' } as const;

const asked = ({
  type,
  paused,
  status,
  tagList,
}: RunnerFilter & { tagList?: readonly string[] | null }): RunnerFilter => ({
  type,
  paused,
  status,
  tags: tagList,
});

rootList('runners', {
  ...list,
  description: 'All runners, for administrators; with `membership`, those that you administer; or those of a place.',
  admission: { class: 'token', scopes: reads },
  args: (t) => ({
    ...filters(t),
    membership: t.boolean({ description: 'Only those of projects that you maintain and of groups that you own.' }),
    project: t.id({ description: 'Only those that carry out jobs of this project, which you maintain.' }),
    group: t.id({ description: 'Only those of this group and the groups above, which you own.' }),
  }),
  rows: async (context, { membership, project, group, ...filter }) => {
    if (project != null) {
      const place = await runnerPlace(context, { type: 'project_type', project }, 'read');
      return runnersOfProject(place.projectId!, asked(filter));
    }
    if (group != null) {
      const place = await runnerPlace(context, { type: 'group_type', group }, 'read');
      return runnersOfGroup(place.groupId!, asked(filter));
    }
    if (membership) {
      if (!context.viewer.person) throw new Unauthenticated();
      return runnersOfPerson(context.viewer.person.id, asked(filter));
    }
    requireAdministrator(context);
    return allRunners(asked(filter));
  },
});

builder.queryField('runner', (t) =>
  t.field({
    type: CiRunner,
    nullable: true,
    description: 'A runner that you administer, or one of the instance.',
    admission: { class: 'token', scopes: reads },
    args: { id: t.arg({ type: 'CiRunnerID', required: true }) },
    resolve: (_root, { id }, context) => namedRunner(context, id, 'read'),
  }),
);

builder.queryField('runnersRegistrationToken', (t) =>
  t.string({
    nullable: true,
    description: 'What runners of a project, a group or the instance register with, for those who administer them.',
    admission: { class: 'token', scopes: reads },
    args: {
      type: t.arg({ type: CiRunnerType, required: true }),
      id: t.arg.id({ description: 'Full path, global id or number of the project or group.' }),
    },
    resolve: async (_root, { type, id }, context) =>
      registrationToken(context, await runnerPlace(context, { type, project: id, group: id }, 'read')),
  }),
);

builder.objectFields(CiRunner, (t) => ({
  projects: t.field({
    type: [Project as ObjectRef<Types, never>],
    nullable: true,
    description: 'Those of a runner of projects that you see, if you administer it. The first is its owner.',
    resolve: async (runner, _args, context) => {
      if (!(await mayAdminister(context, runner))) return [];
      const ids = await projectsOf(context, runner.id);
      const found = await Promise.all(ids.map((id) => projectById(context, id)));
      return found.filter((one) => one != null) as never[];
    },
  }),
  groups: t.field({
    type: [Group as ObjectRef<Types, never>],
    nullable: true,
    description: 'That of a runner of a group.',
    resolve: async (runner, _args, context) => {
      const group = await namespaceById(context, runner.groupId);
      return (group ? [group] : []) as never[];
    },
  }),
  managers: t.field({
    type: [CiRunnerManager],
    description: 'Its machines, the latest first.',
    resolve: async (runner, _args, context) =>
      (await mayAdminister(context, runner)) ? [...(await managersOf(context, runner.id))] : [],
  }),
}));

const ofProjects = listOfEach((_context, filter: RunnerFilter) => runnersOfProject(parent, filter));
const ofGroups = listOfEach((_context, filter: RunnerFilter) => runnersOfGroup(parent, filter));

nestedList(Project, 'runners', {
  ...list,
  nullable: true,
  // Not only of the field that leads here: a person's projects are reached with less.
  admission: { class: 'token', scopes: reads, anonymous: true },
  description: 'The runners that carry out its jobs; null if you don’t administer them.',
  args: filters,
  rows: async (context, filter, _info, project) =>
    holds(adminRunners, context.viewer, await factsOf(context, project))
      ? ofProjects(context, project.id, asked(filter))
      : null,
});

nestedList(Group, 'runners', {
  ...list,
  nullable: true,
  // Not only of the field that leads here: a person's groups are reached with less.
  admission: { class: 'token', scopes: reads, anonymous: true },
  description: 'Its runners and those of the groups above; null if you don’t administer them.',
  args: filters,
  rows: async (context, filter, _info, group) =>
    holds(adminGroupRunners, context.viewer, await groupFactsOf(context, group))
      ? ofGroups(context, group.id, asked(filter))
      : null,
});

/** Whether the viewer's credential changes things: who registers a runner gets the secrets of its jobs. */
const writesToo = ({ viewer: { credential } }: Context): boolean =>
  credential !== null && (!('scopes' in credential) || writes.some((scope) => credential.scopes.includes(scope)));

builder.objectField(Project, 'runnersToken', (t) =>
  t.string({
    nullable: true,
    description: 'What its runners register with. For its maintainers, with a token that writes too; null for others.',
    resolve: async (project, _args, context) =>
      writesToo(context) && holds(adminRunners, context.viewer, await factsOf(context, project))
        ? await tokenOfProject(context, project.id)
        : null,
  }),
);

builder.objectField(Group, 'runnersToken', (t) =>
  t.string({
    nullable: true,
    description: 'What its runners register with. For its owners, with a token that writes too; null for others.',
    resolve: async (group, _args, context) =>
      writesToo(context) && holds(adminGroupRunners, context.viewer, await groupFactsOf(context, group))
        ? await tokenOfGroup(context, group.id)
        : null,
  }),
);
