import { chosenToken, newToken } from '../../auth/index.ts';
import type { Context } from '../../context.ts';
import { insertPersonalToken } from '../../database/statements/personal-tokens.ts';
import { Forbidden, InvalidFields } from '../../errors.ts';
import type { Scope } from '../../policy/index.ts';
import { requireAdministrator } from '../administrators.ts';
import { builder } from '../builder.ts';
import { Problems, textProblems } from '../input.ts';
import { signedIn } from '../oauth/engine.ts';
import { existingUser } from '../users/find.ts';
import { daysAhead, expiryProblems, longestLife } from './life.ts';
import { requireScopes } from './power.ts';
import { NewToken, ScopeType } from './types.ts';

const input = builder.inputType('CreatePersonalAccessTokenInput', {
  fields: (t) => ({
    userId: t.id({ description: 'For another person, which is for administrators; left out: for yourself.' }),
    name: t.string({ required: true }),
    description: t.string(),
    scopes: t.field({ type: [ScopeType], required: true }),
    expiresAt: t.field({
      type: 'Date',
      description: `The first day (UTC) on which it no longer works, at most ${longestLife} days ahead, which it is when left out.`,
    }),
    chosen: t.string({ description: 'A token that the operator chose; left out: a random one.' }),
  }),
});

builder.mutationField('createPersonalAccessToken', (t) =>
  t.field({
    type: NewToken,
    nullable: true,
    description: 'Makes a personal access token.',
    admission: { class: 'session', recent: true },
    args: { input: t.arg({ type: input, required: true }) },
    resolve: async (_root, args, context) => {
      const { name, description, scopes, expiresAt, chosen } = args.input;
      const owner = await ownerOf(context, args.input.userId);
      const problems = new Problems();
      problems.add('name', textProblems(name));
      problems.add('description', description && description.length > 1_000 ? ['is too long (maximum is 1000 characters)'] : []);
      problems.add('scopes', scopeProblems(scopes, owner));
      problems.add('expiresAt', expiresAt == null ? [] : expiryProblems(expiresAt));
      problems.refuse();
      requireScopes(context, scopes);
      if (chosen != null && context.viewer.credential?.kind !== 'operator') throw new Forbidden('Only the operator chooses a token.');

      const token = chosen == null ? newToken('personal') : chosenToken(context.keys, chosen);
      const [made] = await context.database.rows(insertPersonalToken, [
        owner.id,
        name.trim(),
        description?.trim() ?? '',
        token.digest,
        [...new Set(scopes)],
        expiresAt ?? daysAhead(longestLife),
        context.viewer.person?.id ?? null,
        context.origin.address,
        context.origin.requestId,
      ]);
      if (!made) throw new InvalidFields({ chosen: ['has already been taken'] });
      return { id: made.id, secret: token.secret };
    },
  }),
);

/** @throws Forbidden, NotFound */
async function ownerOf(context: Context, userId: string | null | undefined): Promise<{ id: number; administrator: boolean }> {
  if (userId == null || userId === String(context.viewer.person?.id)) return signedIn(context);
  requireAdministrator(context);
  return await existingUser(context, userId);
}

function scopeProblems(scopes: readonly Scope[], owner: { readonly administrator: boolean }): string[] {
  if (scopes.length === 0) return ["can't be blank"];
  return scopes.includes('sudo') && !owner.administrator ? ['can only be sudo for administrators'] : [];
}
