import { listRoute } from '../../engine/list-route.ts';
import { objectSchema, recordOf, type Record } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { count } from '../../engine/schemas.ts';

/** What a person belongs to. */

interface MembershipData {
  readonly sourceDatabaseId: number;
  readonly sourceName: string;
  readonly sourceType: 'PROJECT' | 'NAMESPACE';
  readonly accessLevel: number;
}
const types = { PROJECT: 'Project', NAMESPACE: 'Namespace' } as const;

const Membership: Record<MembershipData> = {
  name: 'Membership',
  schema: objectSchema({
    source_id: { type: 'integer' },
    source_name: { type: 'string' },
    source_type: { type: 'string', enum: Object.values(types) },
    access_level: { type: 'integer' },
  }),
  present: ({ sourceDatabaseId, sourceName, sourceType, accessLevel }) => ({
    source_id: sourceDatabaseId,
    source_name: sourceName,
    source_type: types[sourceType],
    access_level: accessLevel,
  }),
};

interface CountsData {
  readonly groupsCount: number;
  readonly projectsCount: number;
  readonly issuesCount: number;
  readonly mergeRequestsCount: number;
}

const Counts: Record<CountsData> = {
  name: 'AssociationsCount',
  schema: objectSchema({
    groups_count: count,
    projects_count: count,
    issues_count: { ...count, description: 'Issues that they created.' },
    merge_requests_count: { ...count, description: 'Merge requests that they opened.' },
  }),
  present: ({ groupsCount, projectsCount, issuesCount, mergeRequestsCount }) => ({
    groups_count: groupsCount,
    projects_count: projectsCount,
    issues_count: issuesCount,
    merge_requests_count: mergeRequestsCount,
  }),
};

export const membershipRoutes: readonly AnyRoute[] = [
  listRoute({
    path: '/api/v4/users/:id/memberships',
    summary: 'List the direct memberships of a user (administrators only)',
    tag: 'Users',
    of: 'DirectMembership',
    parameters: [
      { name: 'type', type: 'string', allowed: Object.values(types), description: 'Only memberships of this kind.' },
    ],
    field: 'directMemberships',
    args: { type: 'MembershipSourceType' },
    within: { field: 'user', args: { id: 'UserID!' } },
    selection: 'sourceDatabaseId sourceName sourceType accessLevel',
    variables: ({ id, type }) => ({ id, type: typeof type === 'string' ? type.toUpperCase() : undefined }),
    person: 403,
    subject: 'User',
    record: Membership,
  }),
  route<{ user: { associationsCount: CountsData } }>({
    method: 'GET',
    path: '/api/v4/users/:id/associations_count',
    summary: 'Count what belongs to a user (the user and administrators only)',
    tag: 'Users',
    parameters: [],
    operation: `query ($id: UserID!) {
      user(id: $id) { associationsCount { groupsCount projectsCount issuesCount mergeRequestsCount } }
    }`,
    variables: ({ id }) => ({ id }),
    person: 403,
    subject: 'User',
    record: recordOf(Counts, ({ user }) => user.associationsCount),
    dialect: 'version 4',
  }),
];
