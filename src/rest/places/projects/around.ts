import { UserBasic, userBasicFields, type UserBasicData } from '../../accounts/users/basic.ts';
import { listRoute } from '../../engine/list-route.ts';
import { recordOf } from '../../engine/record.ts';
import type { AnyRoute } from '../../engine/route.ts';
import { accessLevels } from '../members/record.ts';
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
    summary: 'List the groups above a project, and those it is shared with on request',
    tag,
    of: 'Group',
    parameters: [
      { name: 'search', type: 'string', description: 'Only groups whose name or path contains every word of this.' },
      { name: 'skip_groups', type: 'integers', description: 'Without these groups.' },
      { name: 'with_shared', type: 'boolean', default: false, description: 'Include groups that it is shared with.' },
      {
        name: 'shared_visible_only',
        type: 'boolean',
        default: false,
        description: 'Has no effect: only groups that you can see are listed.',
      },
      {
        name: 'shared_min_access_level',
        type: 'integer',
        allowed: Object.keys(accessLevels),
        description: 'Of `with_shared`: only groups whose share gives at least this role.',
      },
    ],
    within: { field: 'project', args: { fullPath: 'ID!' } },
    subject: 'Project',
    field: 'ancestorGroups',
    args: { search: 'String', skip: '[ID!]', withShared: 'Boolean', sharedMinAccessLevel: 'AccessLevelEnum' },
    selection: groupBasicFields,
    variables: (values) => ({
      fullPath: values.id,
      search: values.search,
      skip: values.skip_groups,
      withShared: values.with_shared,
      sharedMinAccessLevel: accessLevels[values.shared_min_access_level as number],
    }),
    record: GroupBasic,
  }),
];
