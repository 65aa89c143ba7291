import { listRoute } from '../../engine/list-route.ts';
import type { Declaration, Value } from '../../engine/parameters.ts';
import { NoContent, recordOf } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { accessLevels, Member, memberFields, type MemberData } from '../members/record.ts';
import { AccessRequest, accessRequestFields, type AccessRequestData } from './record.ts';

const tag = 'Access requests';
/** Version 4's text of 404 for a missing request. */
const missing = { AccessRequest: '404 Not found' };

const accessLevel: Declaration = {
  name: 'access_level',
  type: 'integer',
  description: '10 guest, 15 planner, 20 reporter, 30 developer, 40 maintainer, 50 owner. Default: 30.',
};

/** The role for a number, developer for none; null for an unknown number, which the model refuses after its look-ups. */
const roleOf = (level: Value) => (level == null ? 'DEVELOPER' : (accessLevels[level as number] ?? null));

/** The routes of requests, the same for groups and projects. */
function ofPlace(kind: 'group' | 'project'): AnyRoute[] {
  const path = `/api/v4/${kind}s/:id/access_requests`;
  return [
    listRoute<AccessRequestData>({
      path,
      summary: `List who asks for access to a ${kind}`,
      tag,
      of: 'AccessRequest',
      parameters: [],
      field: 'accessRequests',
      args: { [kind]: 'ID!' },
      selection: accessRequestFields,
      variables: ({ id }) => ({ [kind]: id }),
      record: AccessRequest,
    }),
    route<{ requestAccess: { accessRequest: AccessRequestData } }>({
      method: 'POST',
      path,
      summary: `Ask for access to a ${kind} for yourself`,
      tag,
      parameters: [],
      status: 201,
      operation: `mutation ($input: RequestAccessInput!) {
        requestAccess(input: $input) { accessRequest { ${accessRequestFields} } }
      }`,
      variables: ({ id }) => ({ input: { [kind]: id } }),
      record: recordOf(AccessRequest, ({ requestAccess }) => requestAccess.accessRequest),
      dialect: 'version 4',
    }),
    route<{ approveAccessRequest: { member: MemberData } }>({
      method: 'PUT',
      path: `${path}/:user_id/approve`,
      summary: `Make a user who asked for access a member of a ${kind}`,
      tag,
      parameters: [accessLevel],
      example: { access_level: 20 },
      status: 201,
      refusals: [404, 409],
      operation: `mutation ($input: ApproveAccessRequestInput!) {
        approveAccessRequest(input: $input) { member { ${memberFields} } }
      }`,
      variables: ({ id, user_id: userId, access_level: level }) => ({
        input: { [kind]: id, userId, accessLevel: roleOf(level) },
      }),
      record: recordOf(Member, ({ approveAccessRequest }) => approveAccessRequest.member),
      missing,
      dialect: 'version 4',
    }),
    route({
      method: 'DELETE',
      path: `${path}/:user_id`,
      summary: `Deny a user access to a ${kind}; users may withdraw their own request`,
      tag,
      parameters: [],
      status: 204,
      refusals: [404],
      operation:
        'mutation ($input: DenyAccessRequestInput!) { denyAccessRequest(input: $input) { accessRequest { databaseId } } }',
      variables: ({ id, user_id: userId }) => ({ input: { [kind]: id, userId } }),
      record: NoContent,
      missing,
      dialect: 'version 4',
    }),
  ];
}

export const accessRequestRoutes = [...ofPlace('group'), ...ofPlace('project')];
