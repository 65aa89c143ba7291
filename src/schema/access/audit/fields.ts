import type { Context } from '../../../context.ts';
import { recentKinds } from '../../../auth/statements/audit.ts';
import { BadRequest, Forbidden } from '../../../errors.ts';
import { isAdministrator, reads } from '../../../policy/index.ts';
import { currentKind, storedKinds } from '../../../values/kinds/audit-kinds.ts';
import { requireAdministrator } from '../../engine/administrators.ts';
import { builder } from '../../engine/builder.ts';
import { globalId, idOf } from '../../engine/global-id.ts';
import { userById } from '../../accounts/users/read.ts';
import { User } from '../../accounts/users/types.ts';
import { applicationName } from './application-names.ts';

/** The name behind an id of an event; null if the person was removed. Events outlive people and applications. */
const usernameOf = async (context: Context, id: number | null) => (await userById(context, id))?.username ?? null;

const globalIdOr = (type: string, id: number | null) => (id === null ? null : globalId(type, id));

/** One row of the audit log. */
const AuditEvent = builder.prismaObject('AuditEvent', {
  description:
    'An entry of the audit log: a sign-in, something authorized, issued or revoked, an administrative act, or a refusal of these.',
  fields: (t) => ({
    // Without `databaseId`: the number may exceed an Int, and nothing asks for an event by it.
    id: t.id({
      description: `The global id, for example \`${globalId('AuditEvent', 7)}\`.`,
      resolve: ({ id }) => globalId('AuditEvent', id),
    }),
    at: t.expose('at', { type: 'Time' }),
    kind: t.string({
      description: 'For example `token_issued`, `authorization_revoked` or `sign_in_refused`.',
      resolve: ({ kind }) => currentKind(kind),
    }),
    actorId: t.id({
      nullable: true,
      description: 'The global id of the person who did it.',
      resolve: ({ actorId }) => globalIdOr('User', actorId),
    }),
    actorDatabaseId: t.exposeInt('actorId', { nullable: true }),
    userId: t.id({
      nullable: true,
      description: 'The global id of the person affected.',
      resolve: ({ userId }) => globalIdOr('User', userId),
    }),
    userDatabaseId: t.exposeInt('userId', { nullable: true }),
    actorUsername: t.string({
      nullable: true,
      description: 'The username of the person who did it; null once the account is removed.',
      resolve: ({ actorId }, _args, context) => usernameOf(context, actorId),
    }),
    username: t.string({
      nullable: true,
      description: 'The username of the person affected; null once the account is removed.',
      resolve: ({ userId }, _args, context) => usernameOf(context, userId),
    }),
    applicationId: t.id({
      nullable: true,
      description: 'The global id of the application.',
      resolve: ({ applicationId }) => globalIdOr('Application', applicationId),
    }),
    applicationDatabaseId: t.exposeInt('applicationId', { nullable: true }),
    applicationName: t.string({
      nullable: true,
      description: 'Its current name; null once it is removed.',
      resolve: ({ applicationId }, _args, context) => applicationName(context, applicationId),
    }),
    scopes: t.exposeStringList('scopes'),
    address: t.string({
      nullable: true,
      description:
        'The address that the request came from. Null if another person sent it: only that person and administrators see it.',
      resolve: ({ address, actorId }, _args, { viewer }) =>
        actorId === null || actorId === viewer.person?.id || isAdministrator(viewer) ? address : null,
    }),
    requestId: t.exposeString('requestId', {
      description: 'The request id, as in the log and in the header `X-Request-Id`.',
    }),
    detail: t.exposeString('detail', { nullable: true }),
    count: t.exposeInt('count', { description: 'How many refusals of one minute this event stands for.' }),
  }),
});

/** Maximum number of kinds in a filter. */
const maxKinds = 100;

/** The names under which some kinds are stored. @throws BadRequest */
function kindsIn(kinds: readonly string[]): string[] {
  if (kinds.length > maxKinds) throw new BadRequest(`Name no more than ${maxKinds} kinds.`);
  return storedKinds(kinds);
}

builder.interfaceField(User, 'auditEvents', (t) =>
  t.prismaConnection({
    type: AuditEvent,
    cursor: 'id',
    description: 'Audit events of what you did and what was done to your account, the latest first.',
    admission: { class: 'token', scopes: reads },
    args: {
      kinds: t.arg.stringList({ description: 'Only events of these kinds.' }),
      exceptKinds: t.arg.stringList({ description: 'Only events of other kinds.' }),
    },
    resolve: (query, user, { kinds, exceptKinds }, context) => {
      if (user.id !== context.viewer.person?.id && !isAdministrator(context.viewer)) throw new Forbidden();
      const kind = { ...(kinds && { in: kindsIn(kinds) }), ...(exceptKinds && { notIn: kindsIn(exceptKinds) }) };
      return context.database.prisma.auditEvent.findMany({
        ...query,
        where: { userId: user.id, kind },
        orderBy: { id: 'desc' },
      });
    },
  }),
);

builder.queryField('auditEvents', (t) =>
  t.prismaConnection({
    type: AuditEvent,
    cursor: 'id',
    nullable: true,
    description:
      'Sign-ins, authorizations, tokens and administrative acts on the instance, the latest first. For administrators.',
    admission: { class: 'token', scopes: reads },
    args: {
      userId: t.arg.id({ description: 'Only events of this person, as actor or as the person affected.' }),
      kinds: t.arg.stringList({ description: 'Only events of these kinds.' }),
      since: t.arg({ type: 'Time' }),
      until: t.arg({ type: 'Time', description: 'Only events before this moment.' }),
    },
    resolve: (query, _root, { userId, kinds, since, until }, context) => {
      requireAdministrator(context);
      return context.database.prisma.auditEvent.findMany({
        ...query,
        where: {
          ...(userId != null && { OR: [{ userId: idOf(userId, 'User') }, { actorId: idOf(userId, 'User') }] }),
          ...(kinds != null && { kind: { in: kindsIn(kinds) } }),
          at: { ...(since && { gte: since }), ...(until && { lt: until }) },
        },
        orderBy: { id: 'desc' },
      });
    },
  }),
);

builder.queryField('auditEventKinds', (t) =>
  t.stringList({
    nullable: true,
    description: 'Kinds of the recent events, in alphabetical order. For administrators.',
    admission: { class: 'token', scopes: reads },
    resolve: async (_root, _args, context) => {
      requireAdministrator(context);
      const stored = await context.database.rows(recentKinds, []);
      return [...new Set(stored.map(({ kind }) => currentKind(kind)))].toSorted();
    },
  }),
);
