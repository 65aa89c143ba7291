import type { Context } from '../../../context.ts';
import { recentKinds } from '../../../auth/statements/audit.ts';
import { BadRequest, Forbidden } from '../../../errors.ts';
import { isAdministrator, reads } from '../../../policy/index.ts';
import { currentKind, storedKinds } from '../../../values/audit-kinds.ts';
import { requireAdministrator } from '../../engine/administrators.ts';
import { builder } from '../../engine/builder.ts';
import { numberOf } from '../../places/place/look-up.ts';
import { userById } from '../../accounts/users/read.ts';
import { User } from '../../accounts/users/types.ts';
import { applicationName } from './application-names.ts';

/** Events outlive people and applications: they keep ids, which have names only as long as those exist. */
const usernameOf = async (context: Context, id: number | null) => (await userById(context, id))?.username ?? null;

/** What was done, by whom, from where. */
const AuditEvent = builder.prismaObject('AuditEvent', {
  description: 'A sign-in, something authorized, issued or revoked, an administrative act, or a refusal of these.',
  fields: (t) => ({
    id: t.id({ resolve: ({ id }) => String(id) }),
    at: t.expose('at', { type: 'DateTime' }),
    kind: t.string({
      description: 'As in `token_issued`, `authorization_revoked`, `sign_in_refused`.',
      resolve: ({ kind }) => currentKind(kind),
    }),
    actorId: t.exposeID('actorId', { nullable: true, description: 'Who did it.' }),
    userId: t.exposeID('userId', { nullable: true, description: 'Whom it is about.' }),
    actorUsername: t.string({
      nullable: true,
      description: 'The name of whoever did it, if they are still there.',
      resolve: ({ actorId }, _args, context) => usernameOf(context, actorId),
    }),
    username: t.string({
      nullable: true,
      description: 'The name of whom it is about, if they are still there.',
      resolve: ({ userId }, _args, context) => usernameOf(context, userId),
    }),
    applicationId: t.exposeID('applicationId', { nullable: true }),
    applicationName: t.string({
      nullable: true,
      description: 'As it is called now; null once it is gone.',
      resolve: ({ applicationId }, _args, context) => applicationName(context, applicationId),
    }),
    scopes: t.exposeStringList('scopes'),
    address: t.string({
      nullable: true,
      description:
        'Where the request came from. Null where another person did it: from where they did is theirs and administrators’ to know.',
      resolve: ({ address, actorId }, _args, { viewer }) =>
        actorId === null || actorId === viewer.person?.id || isAdministrator(viewer) ? address : null,
    }),
    requestId: t.exposeString('requestId', { description: 'As in the log, and in the header `X-Request-Id`.' }),
    detail: t.exposeString('detail', { nullable: true }),
    count: t.exposeInt('count', { description: 'Refusals of one minute share an event; this is how many there were.' }),
  }),
});

builder.prismaObjectField(User, 'auditEvents', (t) =>
  t.prismaConnection({
    type: AuditEvent,
    cursor: 'id',
    description: 'What was done by you and to you, the latest first.',
    admission: { class: 'token', scopes: reads },
    resolve: (query, user, _args, context) => {
      if (user.id !== context.viewer.person?.id && !isAdministrator(context.viewer)) throw new Forbidden();
      return context.database.prisma.auditEvent.findMany({
        ...query,
        where: { userId: user.id },
        orderBy: { id: 'desc' },
      });
    },
  }),
);

/** The most kinds that events can be narrowed to. */
const maxKinds = 100;

builder.queryField('auditEvents', (t) =>
  t.prismaConnection({
    type: AuditEvent,
    cursor: 'id',
    nullable: true,
    description:
      'Sign-ins, authorizations, tokens and administrative acts on the instance, the latest first. For administrators.',
    admission: { class: 'token', scopes: reads },
    args: {
      userId: t.arg.id({ description: 'Only what this person did, or what was done to them.' }),
      kinds: t.arg.stringList({ description: 'Only events of these kinds.' }),
      since: t.arg({ type: 'DateTime' }),
      until: t.arg({ type: 'DateTime', description: 'Events of this moment aren’t among them.' }),
    },
    resolve: (query, _root, { userId, kinds, since, until }, context) => {
      requireAdministrator(context);
      if ((kinds?.length ?? 0) > maxKinds) throw new BadRequest(`Name no more than ${maxKinds} kinds.`);
      return context.database.prisma.auditEvent.findMany({
        ...query,
        where: {
          ...(userId != null && { OR: [{ userId: numberOf(userId) }, { actorId: numberOf(userId) }] }),
          ...(kinds != null && { kind: { in: storedKinds(kinds) } }),
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
    description: 'Which kinds of events there are of late, in the order of the alphabet. For administrators.',
    admission: { class: 'token', scopes: reads },
    resolve: async (_root, _args, context) => {
      requireAdministrator(context);
      const stored = await context.database.rows(recentKinds, []);
      return [...new Set(stored.map(({ kind }) => currentKind(kind)))].toSorted();
    },
  }),
);
