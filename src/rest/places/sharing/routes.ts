import type { Declaration, Values } from '../../engine/parameters.ts';
import { NoContent, objectSchema, recordOf, type Record } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { listRoute } from '../../engine/list-route.ts';
import { GroupDetail, groupDetailFields, groupFields, type GroupData, type GroupDetailData } from '../groups/record.ts';
import { groupListRoute } from '../groups/routes.ts';
import { projectListParameters, projectListRoute } from '../projects/list.ts';
import { Project } from '../projects/record.ts';
import { accessLevels } from '../members/record.ts';
import { dayOf, expiresOn } from './record.ts';

const tag = 'Sharing';

const invitedGroup: Declaration = {
  name: 'group_id',
  type: 'integer',
  required: true,
  description: 'ID of the group with which it is shared.',
};

const parameters: readonly Declaration[] = [
  invitedGroup,
  {
    name: 'group_access',
    type: 'integer',
    required: true,
    allowed: Object.keys(accessLevels),
    description:
      'Highest role that members of the group get: 10 guest, 15 planner, 20 reporter, 30 developer, 40 maintainer, 50 owner.',
  },
  { name: 'expires_at', type: 'date-time', description: 'First day (UTC) without the share; empty: no expiry.' },
];

const toInput = ({ group_id: invited, group_access: level, expires_at: at }: Values) => ({
  invitedGroup: String(invited ?? 0),
  accessLevel: accessLevels[level as number],
  expiresAt: typeof at === 'string' ? at.slice(0, 10) : null,
});

interface ProjectShareData {
  readonly project: { readonly id: number };
  readonly share: {
    readonly id: number;
    readonly groupId: number;
    readonly accessLevel: { readonly integerValue: number };
    readonly expiresAt: string | null;
  };
}

/** A new share of a project. */
const ProjectShare: Record<ProjectShareData> = {
  name: 'ProjectShare',
  schema: objectSchema({
    id: { type: 'integer' },
    project_id: { type: 'integer' },
    group_id: { type: 'integer' },
    group_access: { type: 'integer' },
    expires_at: expiresOn,
  }),
  present: ({ project, share }) => ({
    id: share.id,
    project_id: project.id,
    group_id: share.groupId,
    group_access: share.accessLevel.integerValue,
    expires_at: dayOf(share.expiresAt),
  }),
};

/** A group in few words, as lists of groups to choose from have it. */
const PublicGroup: Record<GroupData & { readonly avatarUrl: string | null }> = {
  name: 'PublicGroup',
  schema: objectSchema({
    id: { type: 'integer' },
    web_url: { type: 'string', format: 'uri' },
    name: { type: 'string' },
    avatar_url: { type: ['string', 'null'] },
    full_name: { type: 'string' },
    full_path: { type: 'string' },
  }),
  present: (group) => ({
    id: group.id,
    web_url: group.webUrl,
    name: group.name,
    avatar_url: group.avatarUrl,
    full_name: group.fullName,
    full_path: group.fullPath,
  }),
};

/** The groups that are invited to a place. */
function invitedGroups(kind: 'group' | 'project'): AnyRoute {
  const place = kind === 'group' ? 'invitedToGroup' : 'invitedToProject';
  const list = groupListRoute(
    `/api/v4/${kind}s/:id/invited_groups`,
    `List the groups that are invited to a ${kind}`,
    { [place]: 'ID', invitedRelations: '[InvitedGroupRelation!]' },
    ({ id, relation }) => ({
      [place]: id,
      invitedRelations: Array.isArray(relation)
        ? (relation as readonly string[]).map((one) => one.toUpperCase())
        : undefined,
    }),
  );
  return {
    ...list,
    parameters: [
      {
        name: 'relation',
        type: 'strings',
        allowed: ['direct', 'inherited'],
        description: 'Invited to the place itself, or to a group above it. Default: both.',
      },
      ...list.parameters,
    ],
  };
}

export const sharingRoutes: readonly AnyRoute[] = [
  route<{ shareProjectWithGroup: ProjectShareData }>({
    method: 'POST',
    path: '/api/v4/projects/:id/share',
    summary: 'Share a project with a group (maintainers and above)',
    tag,
    parameters,
    example: { group_id: 8, group_access: 30 },
    status: 201,
    refusals: [404, 409],
    operation: `mutation ($input: ShareProjectWithGroupInput!) {
      shareProjectWithGroup(input: $input) {
        project { id: databaseId }
        share { id: databaseId groupId: groupDatabaseId accessLevel { integerValue } expiresAt }
      }
    }`,
    variables: (values) => ({ input: { project: values.id, ...toInput(values) } }),
    record: recordOf(ProjectShare, (data: { shareProjectWithGroup: ProjectShareData }) => data.shareProjectWithGroup),
    missing: { Group: 'Not Found' },
    dialect: 'sharing a project',
  }),
  route({
    method: 'DELETE',
    path: '/api/v4/projects/:id/share/:group_id',
    summary: 'End the share of a project with a group (maintainers and above)',
    tag,
    parameters: [invitedGroup],
    status: 204,
    refusals: [404],
    operation:
      'mutation ($input: UnshareProjectWithGroupInput!) { unshareProjectWithGroup(input: $input) { project { id } } }',
    variables: ({ id, group_id: invited }) => ({ input: { project: id, invitedGroup: String(invited) } }),
    record: NoContent,
    dialect: 'sharing a project',
  }),
  route<{ shareGroupWithGroup: { group: GroupDetailData['group'] } }>({
    method: 'POST',
    path: '/api/v4/groups/:id/share',
    summary: 'Share a group with another group (owners only)',
    tag,
    parameters,
    example: { group_id: 8, group_access: 30 },
    status: 201,
    refusals: [404, 409],
    operation: `mutation ($input: ShareGroupWithGroupInput!) {
      shareGroupWithGroup(input: $input) { group { ${groupDetailFields} } }
    }`,
    variables: (values) => ({ input: { group: values.id, ...toInput(values) } }),
    record: recordOf(GroupDetail, (data: { shareGroupWithGroup: { group: GroupDetailData['group'] } }) => ({
      group: data.shareGroupWithGroup.group,
    })),
    dialect: 'sharing a group',
  }),
  route({
    method: 'DELETE',
    path: '/api/v4/groups/:id/share/:group_id',
    summary: 'End the share of a group with another group (owners only)',
    tag,
    parameters: [invitedGroup],
    status: 204,
    refusals: [404],
    operation:
      'mutation ($input: UnshareGroupWithGroupInput!) { unshareGroupWithGroup(input: $input) { group { id } } }',
    variables: ({ id, group_id: invited }) => ({ input: { group: id, invitedGroup: String(invited) } }),
    record: NoContent,
    dialect: 'sharing a group',
  }),
  projectListRoute(
    '/api/v4/groups/:id/projects/shared',
    'List the projects that are shared with a group',
    { sharedWithGroup: 'ID' },
    ({ id: sharedWithGroup }) => ({ sharedWithGroup }),
    projectListParameters,
    Project,
  ),
  groupListRoute(
    '/api/v4/groups/:id/groups/shared',
    'List the groups that are shared with a group',
    { sharedWithGroup: 'ID' },
    ({ id: sharedWithGroup }) => ({ sharedWithGroup }),
  ),
  invitedGroups('group'),
  invitedGroups('project'),
  listRoute({
    path: '/api/v4/projects/:id/share_locations',
    summary: 'List the groups with which you may share a project',
    tag,
    of: 'Group',
    parameters: [
      { name: 'search', type: 'string', description: 'Only groups whose name or path contains every word of this.' },
    ],
    field: 'groups',
    args: { invitableToProject: 'ID', search: 'String' },
    selection: `${groupFields} avatarUrl`,
    variables: ({ id: invitableToProject, search }) => ({ invitableToProject, search }),
    record: PublicGroup,
  }),
];
