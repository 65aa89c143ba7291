import type { OwnSession } from '../../../auth/index.ts';
import type { Context } from '../../../context.ts';
import { builder } from '../../engine/builder.ts';
import { signedIn } from '../../access/oauth/engine.ts';

export const NewSession = builder.objectRef<{ session: string }>('NewSession').implement({
  fields: (t) => ({
    session: t.exposeString('session', { description: 'The value for the session cookie. Only its digest is stored.' }),
  }),
});

/** The session of this request. */
export function ownSession(context: Context): OwnSession {
  const { id: userId } = signedIn(context);
  const { credential } = context.viewer;
  if (credential?.kind !== 'session') throw new TypeError('This belongs to a session.');
  return { id: credential.sessionId, userId };
}
