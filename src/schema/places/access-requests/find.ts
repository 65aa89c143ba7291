import type { Context } from '../../../context.ts';
import { NotFound } from '../../../errors.ts';
import { batched } from '../../engine/batched.ts';
import { builder } from '../../engine/builder.ts';
import { rootList } from '../../engine/list.ts';
import { reads } from '../../../policy/index.ts';
import { memberPlace, requireManaging, type Place } from '../members/place.ts';
import { roleInGroup } from '../place/read.ts';
import { Group, Project } from '../place/types.ts';
import { factsOf } from '../projects/permissions.ts';
import { accessRequestList, requestsOf, type AccessRequestRow } from './statements.ts';
import { AccessRequest } from './types.ts';

/** Reading requests: those for a place are for the people who manage its members, and everyone sees their own. */

/** What a person asked for of a place. @throws NotFound */
export async function existingRequest(
  { database }: Context,
  { scope, id }: Place,
  userId: number,
): Promise<AccessRequestRow> {
  const [request] = await database.rows(requestsOf[scope], [[id], userId]);
  if (!request) throw new NotFound('AccessRequest');
  return request;
}

rootList('accessRequests', {
  type: AccessRequest,
  description:
    'Those who ask for a role in a group (for its owners) or a project (for its maintainers), the first of them first.',
  admission: { class: 'token', scopes: reads },
  args: (t) => ({
    group: t.id({ description: 'Full path, global id or number of a group.' }),
    project: t.id({ description: 'Full path, global id or number of a project.' }),
  }),
  orders: { requested_at: { column: 'r.created_at', type: 'timestamptz' } },
  by: 'requested_at_asc',
  rows: async (context, asked) => {
    const place = await memberPlace(context, asked);
    requireManaging(place);
    return accessRequestList(place.scope, place.id);
  },
});

const own = (scope: Place['scope']) =>
  batched<AccessRequestRow>(async ({ database, viewer }, ids) => {
    const rows = await database.rows(requestsOf[scope], [ids, viewer.person!.id]);
    return new Map(rows.map((row) => [row.place, row]));
  });
const ownOf = { group: own('group'), project: own('project') };

const description = 'Your request for a role in it, if you made one and have no role yet.';

builder.objectField(Group, 'currentUserAccessRequest', (t) =>
  t.field({
    type: AccessRequest,
    nullable: true,
    description,
    resolve: async ({ id }, _args, context) => {
      if (context.viewer.person === null || (await roleInGroup(context, id)) > 0) return null;
      return (await ownOf.group(context, id)) ?? null;
    },
  }),
);

builder.objectField(Project, 'currentUserAccessRequest', (t) =>
  t.field({
    type: AccessRequest,
    nullable: true,
    description,
    resolve: async (project, _args, context) => {
      if (context.viewer.person === null || (await factsOf(context, project)).accessLevel > 0) return null;
      return (await ownOf.project(context, project.id)) ?? null;
    },
  }),
);
