import { listRoute } from '../../engine/list-route.ts';
import { recordOf } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { GroupDetail, groupDetailFields, type SingleGroupData } from '../groups/record.ts';
import { Project, projectFields, type ProjectData } from '../projects/record.ts';
import { groupBasicFields } from '../groups/basic.ts';
import { TransferLocation } from './location.ts';

const locationsOf = (kind: 'project' | 'group'): AnyRoute =>
  listRoute({
    path: `/api/v4/${kind}s/:id/transfer_locations`,
    summary: `List the groups to which you can transfer a ${kind} (owners only)`,
    tag: kind === 'project' ? 'Projects' : 'Groups',
    of: 'Group',
    parameters: [
      { name: 'search', type: 'string', description: 'Only groups whose name or path contains every word of this.' },
    ],
    field: 'transferLocations',
    args: { [kind]: 'ID', search: 'String' },
    selection: groupBasicFields,
    variables: ({ id, search }) => ({ [kind]: id, search }),
    record: TransferLocation,
  });

export const transferRoutes: readonly AnyRoute[] = [
  route<{ projectTransfer: { project: ProjectData } }>({
    method: 'PUT',
    path: '/api/v4/projects/:id/transfer',
    summary: 'Transfer a project to another namespace (owners only)',
    tag: 'Projects',
    parameters: [
      {
        name: 'namespace',
        type: 'string',
        required: true,
        description: 'ID or full path of a group of which you are a maintainer, or of your own namespace.',
      },
    ],
    example: { namespace: 'demo/platform' },
    refusals: [404],
    operation: `mutation ($input: ProjectTransferInput!) { projectTransfer(input: $input) { project { ${projectFields} } } }`,
    variables: ({ id, namespace }) => ({ input: { fullPath: id, namespace: namespace ?? '' } }),
    record: recordOf(Project, (data: { projectTransfer: { project: ProjectData } }) => data.projectTransfer.project),
    dialect: 'transferring a project',
  }),
  locationsOf('project'),
  route<{ projectTransfer: { project: { group: SingleGroupData } } }>({
    method: 'POST',
    path: '/api/v4/groups/:id/projects/:project_id',
    summary: 'Transfer a project to a group (administrators only)',
    tag: 'Groups',
    parameters: [],
    status: 201,
    refusals: [404],
    operation: `mutation ($input: ProjectTransferInput!) { projectTransfer(input: $input) { project { group { ${groupDetailFields} } } } }`,
    variables: ({ id, project_id: project }) => ({ input: { fullPath: project, group: id } }),
    record: recordOf(GroupDetail, (data: { projectTransfer: { project: { group: SingleGroupData } } }) => ({
      group: data.projectTransfer.project.group,
    })),
    dialect: 'transferring a project',
  }),
  route<{ groupTransfer: { group: SingleGroupData } }>({
    method: 'POST',
    path: '/api/v4/groups/:id/transfer',
    summary: 'Transfer a group with everything below it to another group, or to the top level (owners only)',
    tag: 'Groups',
    parameters: [
      {
        name: 'group_id',
        type: 'integer',
        description: 'ID of the new parent group. Default: none, the group gets a top-level one.',
      },
    ],
    status: 201,
    refusals: [404],
    operation: `mutation ($input: GroupTransferInput!) { groupTransfer(input: $input) { group { ${groupDetailFields} } } }`,
    variables: ({ id, group_id: parent }) => ({ input: { fullPath: id, parent } }),
    record: recordOf(GroupDetail, (data: { groupTransfer: { group: SingleGroupData } }) => ({
      group: data.groupTransfer.group,
    })),
    dialect: 'transferring a group',
  }),
  locationsOf('group'),
];
