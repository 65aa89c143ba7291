import { newToken } from '../../../auth/index.ts';
import { endPageTokens, insertPageToken } from '../../../auth/statements/personal-tokens.ts';
import type { Context } from '../../../context.ts';
import { SignInAgain, Unauthenticated } from '../../../errors.ts';
import type { Scope } from '../../../policy/index.ts';
import { pageTokenMinutes } from '../../../values/page-tokens.ts';
import { builder } from '../../engine/builder.ts';
import { signedIn } from '../oauth/engine.ts';

/** Exploring the API as oneself: a page holds a token of its own, in memory, for an hour at most. */

interface Exploring {
  readonly token: string;
  readonly scopes: readonly Scope[];
  readonly endsAt: Date;
}

const ExplorePayload = builder.objectRef<Exploring>('ExplorePayload').implement({
  fields: (t) => ({
    token: t.exposeString('token', { description: 'For the page’s memory: it is stored nowhere.' }),
    scopes: t.stringList({ resolve: ({ scopes }) => [...scopes] }),
    endsAt: t.expose('endsAt', { type: 'Time' }),
  }),
});

const ExploreInput = builder.inputType('ExploreInput', {
  fields: (t) => ({
    writes: t.boolean({
      description: 'Whether it may change things too. That needs a person who confirmed recently who they are.',
    }),
  }),
});

/** The session that the token ends with. @throws Unauthenticated for the operator, who has none */
function sessionOf({ viewer: { credential } }: Context): { readonly id: number; readonly recent: boolean } {
  if (credential?.kind !== 'session') throw new Unauthenticated();
  return { id: credential.sessionId, recent: credential.recent };
}

builder.mutationFields((t) => ({
  explore: t.field({
    type: ExplorePayload,
    nullable: true,
    description: `Makes a token for a page on which you explore the API. It lasts ${pageTokenMinutes} minutes, ends with your session, and can make no other credential.`,
    admission: { class: 'session' },
    args: { input: t.arg({ type: ExploreInput, required: true }) },
    resolve: async (_root, { input }, context) => {
      const person = signedIn(context);
      const session = sessionOf(context);
      if (input.writes && !session.recent) throw new SignInAgain();
      const scopes: Scope[] = [input.writes ? 'api' : 'read_api'];
      const { secret, digest } = newToken('personal');
      const { address, requestId } = context.origin;
      const [made] = await context.database.rows(insertPageToken, [
        person.id,
        session.id,
        input.writes ? 'exploring the API with changes' : 'exploring the API',
        digest,
        scopes,
        address,
        requestId,
      ]);
      context.changes.publish({ personId: person.id, subject: 'PERSONAL_ACCESS_TOKEN', id: made!.id, act: 'CREATED' });
      return { token: secret, scopes, endsAt: made!.ends_at };
    },
  }),
  endExploring: t.int({
    nullable: true,
    description: 'Ends the tokens that pages of your session hold. Returns how many there were.',
    admission: { class: 'session' },
    resolve: async (_root, _args, context) => {
      const person = signedIn(context);
      const { address, requestId } = context.origin;
      const gone = await context.database.rows(endPageTokens, [person.id, sessionOf(context).id, address, requestId]);
      for (const { id } of gone)
        context.changes.publish({ personId: person.id, subject: 'PERSONAL_ACCESS_TOKEN', id, act: 'REVOKED' });
      return gone.length;
    },
  }),
}));
