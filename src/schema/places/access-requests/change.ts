import { Forbidden, InvalidFields, NotFound } from '../../../errors.ts';
import { writes } from '../../../policy/index.ts';
import { idIn } from '../../engine/global-id.ts';
import { mutation } from '../../engine/mutation.ts';
import { publishTodos } from '../../planning/live/publish.ts';
import { AccessLevelEnum, levelOf } from '../members/access-level.ts';
import { placeOf } from '../members/input.ts';
import { existingMember } from '../members/list.ts';
import { makeMembers } from '../members/make.ts';
import { memberPayload } from '../members/payload.ts';
import { memberPlace, requireManaging } from '../members/place.ts';
import { checkMembership } from '../members/rules.ts';
import { existingRequest } from './find.ts';
import { endRequest, requestAccess } from './statements.ts';
import { accessRequestPayload } from './types.ts';

const admission = { class: 'token', scopes: writes } as const;

mutation('requestAccess', {
  description:
    'Asks for a role in a group or a project that you see, where you have none and its `requestAccessEnabled` is true. Those who manage its members have a to-do.',
  admission,
  input: placeOf,
  payload: accessRequestPayload,
  resolve: async (context, input) => {
    const place = await memberPlace(context, input);
    const { person } = context.viewer;
    if (!place.mayBeRequested || person === null) throw new Forbidden();
    const [asked] = await context.database.rows(requestAccess[place.scope], [place.id, person.id]);
    if (!asked) throw new InvalidFields({ userId: ['already exists in source'] });
    publishTodos(context, asked.told, null);
    return { accessRequest: await existingRequest(context, place, person.id) };
  },
});

mutation('approveAccessRequest', {
  description:
    'Makes a person who asked for it a member of a group (for its owners) or a project (for its maintainers, up to their own role).',
  admission,
  input: (t) => ({
    ...placeOf(t),
    userId: t.id({ required: true }),
    accessLevel: t.field({
      type: AccessLevelEnum,
      defaultValue: 'DEVELOPER',
      description: 'Null is an error, reported after the group or project and the request were looked up.',
    }),
  }),
  payload: memberPayload,
  resolve: async (context, input) => {
    const place = await memberPlace(context, input);
    const wanted = { accessLevel: input.accessLevel ?? null, expiresOn: null };
    requireManaging(place, wanted.accessLevel && levelOf(wanted.accessLevel));
    const userId = idIn(input.userId, 'User');
    await existingRequest(context, place, userId);
    await checkMembership(context, place, [userId], wanted);
    const { told } = await context.database.transaction(async (sql) => {
      // The membership first, as everywhere: otherwise two of these could wait for each other.
      const made = await makeMembers(sql, context, place, [userId], wanted);
      // It was withdrawn, or another person denied it first.
      if (!made.askers.includes(userId)) throw new NotFound('AccessRequest');
      return made;
    });
    publishTodos(context, told, null);
    return { member: await existingMember(context, place, input.userId, false) };
  },
});

mutation('denyAccessRequest', {
  description:
    'Denies a person a role in a group (for its owners) or a project (for its maintainers); anyone may withdraw their own request.',
  admission,
  input: (t) => ({ ...placeOf(t), userId: t.id({ required: true }) }),
  payload: accessRequestPayload,
  resolve: async (context, input) => {
    const place = await memberPlace(context, input);
    const userId = idIn(input.userId, 'User');
    if (userId !== context.viewer.person?.id) requireManaging(place);
    const accessRequest = await existingRequest(context, place, userId);
    const [ended] = await context.database.rows(endRequest[place.scope], [place.id, userId]);
    if (!ended) throw new NotFound('AccessRequest');
    publishTodos(context, ended.told, null);
    return { accessRequest };
  },
});
