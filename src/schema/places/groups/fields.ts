import type { Context } from '../../../context.ts';
import type { NamespaceRecord } from '../../../database/access/records.ts';
import {
  adminLabel,
  adminMilestone,
  readEpic,
  isAdministrator,
  makeProject,
  makeSubgroup,
  manageGroup,
  promoteMilestone,
  roles,
  type Facts,
} from '../../../policy/index.ts';
import { avatarPath } from '../../../values/avatar-path.ts';
import { groupAttributes } from '../../../values/attributes/group-attributes.ts';
import { groupSizes, rootSizes } from '../../../values/attributes/group-sizes.ts';
import { attributeFields } from '../../engine/attributes.ts';
import { batchedRows } from '../../engine/batched.ts';
import { builder } from '../../engine/builder.ts';
import { AccessLevel } from '../members/access-level.ts';
import { may, requestAccessField } from '../place/permission.ts';
import { roleInGroup, visibleGroupById } from '../place/read.ts';
import { Group } from '../place/types.ts';
import { readSizes, type GroupSizes } from './statements/sizes.ts';

/** What decides what the viewer may do in a group. */
export const factsOf = async (context: Context, group: NamespaceRecord): Promise<GroupFacts> => ({
  ...group,
  accessLevel: await roleInGroup(context, group.id),
});

type GroupFacts = Facts & Pick<NamespaceRecord, 'projectCreationLevel' | 'subgroupCreationLevel' | 'attributes'>;

export const GroupPermissions = builder.objectRef<GroupFacts>('GroupPermissions');

GroupPermissions.implement({
  description: 'What you may do in a group.',
  fields: (t) => ({
    readGroup: t.boolean({ description: 'True: you see it.', resolve: () => true }),
    createProjects: t.boolean(
      may((group: GroupFacts) => makeProject[group.projectCreationLevel], 'Whether you create projects in it.'),
    ),
    createSubgroup: t.boolean(
      may((group: GroupFacts) => makeSubgroup[group.subgroupCreationLevel], 'Whether you create groups in it.'),
    ),
    viewEditPage: t.boolean(may(manageGroup, 'Whether you change its settings and members.')),
    removeGroup: t.boolean(may(manageGroup, 'Whether you delete it.')),
    requestAccess: t.boolean(requestAccessField),
    adminLabel: t.boolean(may(adminLabel, 'Whether you create, change and delete its labels.')),
    readEpic: t.boolean(may(readEpic, 'Whether you read and create its epics.')),
    adminMilestone: t.boolean(may(adminMilestone, 'Whether you create, change and delete its milestones.')),
    promoteMilestone: t.boolean(may(promoteMilestone, 'Whether you make milestones of its projects its own.')),
  }),
});

const sizesOf = batchedRows(readSizes);

const GroupStatistics = builder.objectRef<GroupSizes>('GroupStatistics').implement({
  description: 'What is stored of a group and everything in it, in bytes.',
  fields: (t) =>
    Object.fromEntries(
      groupSizes.map((name) => [name, t.float({ direct: true, resolve: (sizes) => sizeOf(sizes, name) })]),
    ),
});

/** A size; that of a part of which there is nothing yet is 0. */
function sizeOf(sizes: GroupSizes, name: (typeof groupSizes | typeof rootSizes)[number]): number {
  if (name === 'storageSize')
    return sizes.repositorySize + sizes.jobArtifactsSize + sizes.snippetsSize + sizes.uploadsSize;
  if (name === 'buildArtifactsSize') return sizes.jobArtifactsSize;
  return name in sizes ? sizes[name as keyof GroupSizes] : 0;
}

const RootStorageStatistics = builder.objectRef<GroupSizes>('RootStorageStatistics').implement({
  description: 'What is stored of a group at the root and everything in it, in bytes.',
  fields: (t) => ({
    ...Object.fromEntries(
      rootSizes.map((name) => [name, t.float({ direct: true, resolve: (sizes) => sizeOf(sizes, name) })]),
    ),
    containerRegistrySizeIsEstimated: t.boolean({ description: 'False: sizes are counted.', resolve: () => false }),
  }),
});

builder.objectFields(Group, (t) => ({
  statistics: t.field({
    type: GroupStatistics,
    nullable: true,
    description: 'For administrators; null for others.',
    resolve: ({ id }, _args, context) => (isAdministrator(context.viewer) ? sizesOf(context, id) : null),
  }),
  rootStorageStatistics: t.field({
    type: RootStorageStatistics,
    nullable: true,
    description: 'For administrators; null for others, and below the root.',
    resolve: ({ id, parentId }, _args, context) =>
      parentId === null && isAdministrator(context.viewer) ? sizesOf(context, id) : null,
  }),
  updatedAt: t.expose('updatedAt', { type: 'Time' }),
  parent: t.field({
    type: Group,
    nullable: true,
    description: 'The parent group; null at the root, and if you can’t see it.',
    resolve: ({ parentId }, _args, context) => visibleGroupById(context, parentId),
  }),
  avatarUrl: t.string({
    nullable: true,
    description: 'The address of the picture, if there is one.',
    direct: true,
    resolve: ({ id, avatar }, _args, { baseUrl }) =>
      avatar === null ? null : `${baseUrl}${avatarPath('group', id, avatar)}`,
  }),
  userPermissions: t.field({
    type: GroupPermissions,
    resolve: (group, _args, context) => factsOf(context, group),
  }),
  maxAccessLevel: t.field({
    type: AccessLevel,
    description: 'Your role in it.',
    resolve: (group, _args, context) => roleInGroup(context, group.id),
  }),
  ...attributeFields(t, groupAttributes, {
    sees(shownTo, { id, parentId }, context) {
      if (shownTo === 'everyone') return true;
      // Only groups at the root have what owners see.
      if (parentId !== null) return false;
      return isAdministrator(context.viewer) || roleInGroup(context, id).then((role) => role >= roles.owner);
    },
  }),
}));
