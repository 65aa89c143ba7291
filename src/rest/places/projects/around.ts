import { UserBasic, userBasicFields, type UserBasicData } from '../../accounts/users/basic.ts';
import { listRoute } from '../../engine/list-route.ts';
import { recordOf } from '../../engine/record.ts';
import type { AnyRoute } from '../../engine/route.ts';
import { GroupBasic, groupBasicFields } from '../groups/basic.ts';

const path = '/api/v4/projects/:id';
const tag = 'Projects';

/** The people who have a role in a project, and the groups that it is in. */
export const aroundProjectRoutes: readonly AnyRoute[] = [
  listRoute({
    path: `${path}/users`,
    summary: 'List the users who have a role in a project, direct or inherited',
    tag,
    of: 'User',
    parameters: [
      { name: 'search', type: 'string', description: 'Part of a name or username.' },
      { name: 'skip_users', type: 'integers', description: 'Without these users.' },
    ],
    field: 'members',
    args: { project: 'ID!', inherited: 'Boolean!', search: 'String', skipUserIds: '[ID!]' },
    selection: `user { ${userBasicFields} }`,
    variables: ({ id, search, skip_users: skipUserIds }) => ({ project: id, inherited: true, search, skipUserIds }),
    record: recordOf(UserBasic, ({ user }: { readonly user: UserBasicData }) => user),
  }),
  listRoute({
    path: `${path}/groups`,
    summary: 'List the groups above a project',
    tag,
    of: 'Group',
    parameters: [
      { name: 'search', type: 'string', description: 'Only groups whose name or path contains every word of this.' },
      { name: 'skip_groups', type: 'integers', description: 'Without these groups.' },
    ],
    within: { field: 'project', args: { fullPath: 'ID!' } },
    subject: 'Project',
    field: 'ancestorGroups',
    args: { search: 'String', skip: '[ID!]' },
    selection: groupBasicFields,
    variables: ({ id: fullPath, search, skip_groups: skip }) => ({ fullPath, search, skip }),
    record: GroupBasic,
  }),
];
