import { listRoute } from '../../engine/list-route.ts';
import type { Declaration, Values } from '../../engine/parameters.ts';
import { AddedMembers, accessLevels, Member, memberFields, type MemberData } from './record.ts';
import { NoContent, recordOf } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';

const tag = 'Members';
/** Version 4's text of 404 for a missing member. */
const missing = { Member: '404 Not found' };

const accessLevel: Declaration = {
  name: 'access_level',
  type: 'integer',
  required: true,
  description: '10 guest, 15 planner, 20 reporter, 30 developer, 40 maintainer, 50 owner.',
};
const expiresAt: Declaration = {
  name: 'expires_at',
  type: 'date-time',
  description: 'First day (UTC) without the membership; empty: no expiry.',
};

const keepsBelow: Declaration = {
  name: 'skip_subresources',
  type: 'boolean',
  description: 'Keep the user’s direct memberships in its subgroups and projects.',
};
const unassigns: Declaration = {
  name: 'unassign_issuables',
  type: 'boolean',
  description: 'Take the issues and merge requests in it from the user, their assignee.',
};

/** The role for a number; null for an unknown number, which the model refuses after its look-ups. */
const toAccessLevel = (values: Values) => accessLevels[values.access_level as number] ?? null;
/** The input of the operation: only sent values, so that an omitted one doesn't change. */
const toExpiry = ({ expires_at: at }: Values) =>
  at === undefined ? {} : { expiresAt: typeof at === 'string' ? at.slice(0, 10) : null };

/** The routes of members, the same for groups and projects. */
function ofPlace(kind: 'group' | 'project'): AnyRoute[] {
  const path = `/api/v4/${kind}s/:id/members`;

  const lists = ([false, true] as const).map((inherited) =>
    listRoute({
      path: inherited ? `${path}/all` : path,
      summary: inherited
        ? `List the members of a ${kind}, including those of parent groups`
        : `List the direct members of a ${kind}`,
      tag,
      of: 'Member',
      parameters: [
        { name: 'query', type: 'string', description: 'Part of a name or username.' },
        { name: 'user_ids', type: 'integers', description: 'Only these users.' },
        { name: 'skip_users', type: 'integers', description: 'Without these users.' },
      ],
      field: 'members',
      args: { [kind]: 'ID!', inherited: 'Boolean!', search: 'String', userIds: '[ID!]', skipUserIds: '[ID!]' },
      selection: memberFields,
      variables: ({ id, query, user_ids: userIds, skip_users: skipUserIds }) => ({
        [kind]: id,
        inherited,
        search: query,
        userIds,
        skipUserIds,
      }),
      record: Member,
    }),
  );

  const singles = ([false, true] as const).map((inherited) =>
    route<{ member: MemberData }>({
      method: 'GET',
      path: inherited ? `${path}/all/:user_id` : `${path}/:user_id`,
      summary: inherited ? `Get a member of a ${kind} or its parent groups` : `Get a direct member of a ${kind}`,
      tag,
      parameters: [],
      operation: `query ($id: ID!, $userId: ID!, $inherited: Boolean!) {
        member(${kind}: $id, userId: $userId, inherited: $inherited) { ${memberFields} }
      }`,
      variables: ({ id, user_id: userId }) => ({ id, userId, inherited }),
      record: recordOf(Member, ({ member }: { member: MemberData }) => member),
      missing,
      dialect: 'version 4',
    }),
  );

  return [
    ...lists,
    ...singles,
    route<{ addMembers: { members: readonly MemberData[] } }>({
      method: 'POST',
      path,
      summary: `Add members to a ${kind}`,
      tag,
      parameters: [
        accessLevel,
        {
          name: 'user_id',
          type: 'strings',
          description: 'ID of a user, or several, separated by commas.',
        },
        { name: 'username', type: 'strings', description: 'Username, instead of `user_id`.' },
        { rule: 'at most one', of: ['user_id', 'username'] },
        { rule: 'at least one', of: ['user_id', 'username'] },
        expiresAt,
      ],
      example: { access_level: 30, username: 'guest' },
      status: 201,
      refusals: [409],
      operation: `mutation ($input: AddMembersInput!) { addMembers(input: $input) { members { ${memberFields} } } }`,
      variables: (values) => ({
        input: {
          [kind]: values.id,
          userIds: values.user_id,
          usernames: values.username,
          accessLevel: toAccessLevel(values),
          ...toExpiry(values),
        },
      }),
      record: recordOf(
        AddedMembers,
        ({ addMembers }: { addMembers: { members: readonly MemberData[] } }) => addMembers.members,
      ),
      dialect: 'version 4',
    }),
    route<{ updateMember: { member: MemberData } }>({
      method: 'PUT',
      path: `${path}/:user_id`,
      summary: `Change the role or expiry of a member of a ${kind}`,
      tag,
      parameters: [accessLevel, expiresAt],
      example: { access_level: 20 },
      operation: `mutation ($input: UpdateMemberInput!) { updateMember(input: $input) { member { ${memberFields} } } }`,
      variables: (values) => ({
        input: { [kind]: values.id, userId: values.user_id, accessLevel: toAccessLevel(values), ...toExpiry(values) },
      }),
      record: recordOf(Member, ({ updateMember }: { updateMember: { member: MemberData } }) => updateMember.member),
      missing,
      dialect: 'version 4',
    }),
    route({
      method: 'DELETE',
      path: `${path}/:user_id`,
      summary: `Remove a member from a ${kind}; users may remove themselves`,
      tag,
      parameters: [...(kind === 'group' ? [keepsBelow] : []), unassigns],
      status: 204,
      operation: 'mutation ($input: RemoveMemberInput!) { removeMember(input: $input) { member { databaseId } } }',
      variables: ({ id, user_id: userId, skip_subresources: keepBelow, unassign_issuables: unassign }) => ({
        input: { [kind]: id, userId, unassign, ...(kind === 'group' && { keepBelow }) },
      }),
      record: NoContent,
      missing,
      limits: { name: 'members_delete', viewer: { most: 60, seconds: 60 } },
      dialect: 'version 4',
    }),
  ];
}

export const memberRoutes = [...ofPlace('group'), ...ofPlace('project')];
