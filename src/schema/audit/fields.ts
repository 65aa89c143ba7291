import { Forbidden } from '../../errors.ts';
import { isAdministrator, reads } from '../../policy/index.ts';
import { requireAdministrator } from '../administrators.ts';
import { builder } from '../builder.ts';
import { User } from '../users/types.ts';
import { applicationName } from './application-names.ts';

/** What was done, by whom, from where. */
const AuditEvent = builder.prismaObject('AuditEvent', {
  description: 'A sign-in, something authorized, issued or revoked, an administrative act, or a refusal of these.',
  fields: (t) => ({
    id: t.id({ resolve: ({ id }) => String(id) }),
    at: t.expose('at', { type: 'DateTime' }),
    kind: t.exposeString('kind', { description: 'As in `token_issued`, `authorization_revoked`, `sign_in_refused`.' }),
    actorId: t.exposeID('actorId', { nullable: true, description: 'Who did it.' }),
    userId: t.exposeID('userId', { nullable: true, description: 'Whom it is about.' }),
    applicationId: t.exposeID('applicationId', { nullable: true }),
    applicationName: t.string({
      nullable: true,
      description: 'As it is called now; null once it is gone.',
      resolve: ({ applicationId }, _args, context) => (applicationId === null ? null : applicationName(context, applicationId)),
    }),
    scopes: t.exposeStringList('scopes'),
    address: t.exposeString('address', { description: 'Where the request came from.' }),
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
      return context.database.prisma.auditEvent.findMany({ ...query, where: { userId: user.id }, orderBy: { id: 'desc' } });
    },
  }),
);

builder.queryField('auditEvents', (t) =>
  t.prismaConnection({
    type: AuditEvent,
    cursor: 'id',
    nullable: true,
    description: 'Sign-ins, authorizations, tokens and administrative acts on the instance, the latest first. For administrators.',
    admission: { class: 'token', scopes: reads },
    resolve: (query, _root, _args, context) => {
      requireAdministrator(context);
      return context.database.prisma.auditEvent.findMany({ ...query, orderBy: { id: 'desc' } });
    },
  }),
);
