import type { Context } from '../../../context.ts';
import { endOtherSessions, endSession, listSessions, type ListedSessionRow } from './statements.ts';
import { NotFound } from '../../../errors.ts';
import { builder } from '../../engine/builder.ts';
import { signedIn } from '../../access/oauth/engine.ts';
import { identify, idOf } from '../../engine/global-id.ts';
import { partArguments, partOf } from '../../engine/part.ts';

/** The session of this request; null for the operator, who has none. */
const currentSession = ({ viewer: { credential } }: Context) =>
  credential?.kind === 'session' ? credential.sessionId : null;

const Session = builder.objectRef<ListedSessionRow>('Session').implement({
  description: 'A browser in which you are signed in.',
  fields: (t) => ({
    address: t.exposeString('address', { description: 'The address that you signed in from.' }),
    userAgent: t.exposeString('user_agent', { description: 'The `User-Agent` header of the browser.' }),
    createdAt: t.expose('created_at', { type: 'Time' }),
    lastUsedAt: t.expose('last_used_at', { type: 'Time', description: 'Within a minute.' }),
    exploresUntil: t.field({
      type: 'Time',
      nullable: true,
      description: 'Until when pages of it hold a token with which you explore the API; null: none does.',
      resolve: ({ explores_until: until }) => until ?? null,
    }),
    current: t.boolean({
      description: 'Whether it is the session of this request.',
      resolve: ({ id }, _args, context) => id === currentSession(context),
    }),
  }),
});

identify(Session, 'Session');

builder.queryField('sessions', (t) =>
  t.field({
    type: [Session],
    nullable: true,
    description: 'The browsers in which you are signed in, the most recently used first.',
    admission: { class: 'session' },
    args: partArguments,
    resolve: (_root, asked, context) => {
      const { limit, offset } = partOf(asked);
      return context.database.rows(listSessions, [signedIn(context).id, limit, offset]);
    },
  }),
);

const Ended = builder.objectRef<ListedSessionRow>('EndSessionPayload').implement({
  fields: (t) => ({
    session: t.field({ type: Session, description: 'The session before it ended.', resolve: (session) => session }),
  }),
});

const OthersEnded = builder.objectRef<{ ended: number }>('EndOtherSessionsPayload').implement({
  fields: (t) => ({ ended: t.exposeInt('ended', { description: 'How many sessions ended.' }) }),
});

builder.mutationFields((t) => ({
  endSession: t.field({
    type: Ended,
    nullable: true,
    description: 'Signs you out of one browser.',
    admission: { class: 'session' },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('EndSessionInput', { fields: (field) => ({ id: field.id({ required: true }) }) }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      const { address, requestId } = context.origin;
      const [session] = await context.database.rows(endSession, [
        idOf(input.id, 'Session'),
        signedIn(context).id,
        address,
        requestId,
      ]);
      if (!session) throw new NotFound('Session');
      return session;
    },
  }),
  endOtherSessions: t.field({
    type: OthersEnded,
    nullable: true,
    description: 'Signs you out of every browser but this one. Authorized applications keep their access.',
    admission: { class: 'session' },
    resolve: async (_root, _args, context) => {
      const { address, requestId } = context.origin;
      const [row] = await context.database.rows(endOtherSessions, [
        signedIn(context).id,
        currentSession(context),
        address,
        requestId,
      ]);
      return row!;
    },
  }),
}));
