import { listRoute } from '../../engine/list-route.ts';
import type { Declaration, Values } from '../../engine/parameters.ts';
import { AddedMembers, accessLevels, Member, memberFields, type MemberData } from './record.ts';
import { NoContent, recordOf } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';

const tag = 'Members';
/** Records of a place are missed in words of their own. */
const missing = { Member: '404 Not found' };

const accessLevel: Declaration = {
  name: 'access_level',
  type: 'integer',
  required: true,
  description: '10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner.',
};
const expiresAt: Declaration = {
  name: 'expires_at',
  type: 'date-time',
  description: 'The first day (UTC) on which it counts no more; empty: it doesn’t end.',
};

/** A number that is no role becomes null, which the model refuses once everything was looked up. */
const toAccessLevel = (values: Values) => accessLevels[values.access_level as number] ?? null;
/** Only what was sent: what is left out keeps its value. */
const toExpiry = ({ expires_at: at }: Values) =>
  at === undefined ? {} : { expiresAt: typeof at === 'string' ? at.slice(0, 10) : null };

/** The routes of the members of a group or a project, which differ in nothing but its name. */
function ofPlace(kind: 'group' | 'project'): AnyRoute[] {
  const path = `/api/v4/${kind}s/:id/members`;

  const lists = ([false, true] as const).map((inherited) =>
    listRoute({
      path: inherited ? `${path}/all` : path,
      summary: inherited
        ? `The members of a ${kind}, those of the groups above included`
        : `The members of a ${kind} itself`,
      tag,
      of: 'Member',
      parameters: [
        { name: 'query', type: 'string', description: 'Part of a name or username.' },
        { name: 'user_ids', type: 'integers', description: 'Only these people.' },
        { name: 'skip_users', type: 'integers', description: 'Not these people.' },
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
      summary: inherited ? `A member of a ${kind}, or of a group above` : `A member of a ${kind} itself`,
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
      summary: `Make people members of a ${kind}`,
      tag,
      parameters: [
        accessLevel,
        {
          name: 'user_id',
          type: 'strings',
          description: 'The number of a person, or several with commas between them.',
        },
        { name: 'username', type: 'strings', description: 'In its place, the username.' },
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
      summary: `Change what a member of a ${kind} is`,
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
      summary: `End a membership of a ${kind}; anyone may end their own`,
      tag,
      parameters:
        kind === 'project'
          ? []
          : [
              {
                name: 'skip_subresources',
                type: 'boolean',
                description: 'Whether the person stays a direct member of groups and projects in it.',
              },
            ],
      status: 204,
      operation: 'mutation ($input: RemoveMemberInput!) { removeMember(input: $input) { member { accessLevel } } }',
      variables: ({ id, user_id: userId, skip_subresources: keepBelow }) => ({
        input: { [kind]: id, userId, ...(kind === 'group' && { keepBelow }) },
      }),
      record: NoContent,
      missing,
      limits: { name: 'members_delete', viewer: { most: 60, seconds: 60 } },
      dialect: 'version 4',
    }),
  ];
}

export const memberRoutes = [...ofPlace('group'), ...ofPlace('project')];
