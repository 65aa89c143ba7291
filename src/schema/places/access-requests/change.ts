import { countAgainst } from '../../../auth/index.ts';
import type { Sql } from '../../../database/index.ts';
import { Enough, Forbidden, InvalidFields, NotFound } from '../../../errors.ts';
import { sendsNotifications } from '../../../mail/index.ts';
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
import { auditMember, checkMembership } from '../members/rules.ts';
import { mailAnswer } from './answer.ts';
import { existingRequest } from './find.ts';
import { holdAskers } from './hold.ts';
import { endRequest, requestAccess, requestsOf } from './statements.ts';
import { accessRequestPayload } from './types.ts';

const admission = { class: 'token', scopes: writes } as const;

/** Rate limits: requests of one person a day, in all places and in one. Each reaches other people. */
const perPerson = { most: 50, seconds: 86_400 } as const;
const perPlace = { most: 5, seconds: 86_400 } as const;

mutation('requestAccess', {
  description:
    'Asks for a role in a group or a project that you see, where you have none and its `requestAccessEnabled` is true. Those who manage its members have a to-do and a message. At most 50 times a day, and 5 times for one place.',
  admission,
  input: placeOf,
  payload: accessRequestPayload,
  resolve: async (context, input) => {
    const place = await memberPlace(context, input);
    const { person } = context.viewer;
    if (!place.mayBeRequested || person === null) throw new Forbidden();
    const { database, mail } = context;
    const exists = () => new InvalidFields({ userId: ['already exists in source'] });
    const find = async (sql: Sql) => (await sql.rows(requestsOf[place.scope], [[place.id], person.id]))[0];
    if (await find(database)) throw exists();
    const wait = await countAgainst(database, {
      [`access requests of user ${person.id}`]: perPerson,
      [`access requests of user ${person.id} for ${place.scope} ${place.id}`]: perPlace,
    });
    if (wait !== null) throw new Enough(wait, 'You asked for access too many times within a day. Ask again later.');
    const { accessRequest, todoOwners } = await database.transaction(async (sql) => {
      await holdAskers(sql, [person.id]);
      const [asked] = await sql.rows(requestAccess[place.scope], [place.id, person.id, sendsNotifications(mail)]);
      // A concurrent request was first, or made the person a member.
      if (!asked) throw (await find(sql)) ? exists() : new Forbidden();
      await auditMember(sql, context, 'access_request_created', place, person.id);
      // Read in the transaction: as soon as others see the request, they may answer it.
      return { accessRequest: (await find(sql))!, todoOwners: asked.todoOwners };
    });
    publishTodos(context, todoOwners, null);
    return { accessRequest };
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
    const { todoOwners } = await context.database.transaction(async (sql) => {
      // The membership first, as everywhere: otherwise two of these could wait for each other.
      const made = await makeMembers(sql, context, place, [userId], wanted);
      // It was withdrawn, or another person denied it first.
      if (!made.askers.includes(userId)) throw new NotFound('AccessRequest');
      return made;
    });
    publishTodos(context, todoOwners, null);
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
    const isOwn = userId === context.viewer.person?.id;
    if (!isOwn) requireManaging(place);
    const accessRequest = await existingRequest(context, place, userId);
    const { todoOwners } = await context.database.transaction(async (sql) => {
      const [ended] = await sql.rows(endRequest[place.scope], [place.id, userId]);
      if (!ended) throw new NotFound('AccessRequest');
      if (!isOwn) await mailAnswer(sql, context, place, 'ACCESS_DENIED', [ended]);
      await auditMember(sql, context, isOwn ? 'access_request_withdrawn' : 'access_request_denied', place, userId);
      return ended;
    });
    publishTodos(context, todoOwners, null);
    return { accessRequest };
  },
});
