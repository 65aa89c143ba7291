import { chosenToken, newToken } from '../../../auth/index.ts';
import { daysAhead } from '../../../values/time/calendar.ts';
import type { Context } from '../../../context.ts';
import { insertPersonalToken } from '../../../auth/statements/personal-tokens.ts';
import { Forbidden, InvalidFields } from '../../../errors.ts';
import { scopes as offered, writes, type Scope, type Viewer } from '../../../policy/index.ts';
import { tooLong } from '../../../values/text/lengths.ts';
import { nameProblems } from '../../../values/text/visible-names.ts';
import { requireAdministrator } from '../../engine/administrators.ts';
import { builder } from '../../engine/builder.ts';
import { idOf } from '../../engine/global-id.ts';
import { Problems } from '../../engine/input.ts';
import { signedIn } from '../oauth/engine.ts';
import { existingUser } from '../../accounts/users/find.ts';
import { expiryProblems, maxLifeDays } from './life.ts';
import { requireScopes } from './power.ts';
import { NewToken } from './types.ts';

const input = builder.inputType('CreatePersonalAccessTokenInput', {
  fields: (t) => ({
    userId: t.id({ description: 'The person to make it for, for administrators. Omitted: yourself.' }),
    name: t.string({ required: true }),
    description: t.string(),
    scopes: t.stringList({ required: true, description: 'The names of OAuth scopes.' }),
    expiresAt: t.field({
      type: 'Date',
      description: `The first day (UTC) on which it is no longer valid, at most ${maxLifeDays} days ahead. Omitted: ${maxLifeDays} days ahead.`,
    }),
    chosen: t.string({ description: 'A token chosen by the operator. Omitted: a random one.' }),
  }),
});

builder.mutationField('createPersonalAccessToken', (t) =>
  t.field({
    type: NewToken,
    nullable: true,
    description: 'Creates a personal access token.',
    admission: { class: 'session', recent: true, personalToken: writes },
    args: { input: t.arg({ type: input, required: true }) },
    resolve: async (_root, args, context) => {
      const { name, description, scopes, expiresAt, chosen } = args.input;
      const owner = await ownerOf(context, args.input.userId);
      const problems = new Problems();
      problems.add('name', nameProblems(name));
      problems.add('description', description && description.length > 1_000 ? [tooLong(1_000)] : []);
      problems.add('scopes', scopeProblems(scopes, owner, context.viewer));
      problems.add('expiresAt', expiresAt == null ? [] : expiryProblems(expiresAt));
      problems.refuse();
      requireScopes(context, scopes as Scope[]);
      if (chosen != null && context.viewer.credential?.kind !== 'operator')
        throw new Forbidden('Only the operator chooses a token.');

      const token = chosen == null ? newToken('personal') : chosenToken(context.keys, chosen);
      const [made] = await context.database.rows(insertPersonalToken, [
        owner.id,
        name.trim(),
        description?.trim() ?? '',
        token.digest,
        [...new Set(scopes)],
        expiresAt ?? daysAhead(maxLifeDays),
        context.viewer.person?.id ?? null,
        context.origin.address,
        context.origin.requestId,
      ]);
      if (!made) throw new InvalidFields({ chosen: ['has already been taken'] });
      context.changes.publish({ personId: owner.id, subject: 'PERSONAL_ACCESS_TOKEN', id: made.id, act: 'CREATED' });
      return { id: made.id, secret: token.secret };
    },
  }),
);

/** @throws Forbidden, NotFound */
async function ownerOf(
  context: Context,
  userId: string | null | undefined,
): Promise<{ id: number; administrator: boolean }> {
  const { person, credential } = context.viewer;
  const forSelf = userId == null || (person !== null && idOf(userId, 'User') === person.id);
  // A stolen token must not create another one.
  if (!forSelf || credential?.kind === 'personal') requireAdministrator(context);
  if (forSelf) return signedIn(context);
  return await existingUser(context, userId);
}

function scopeProblems(
  scopes: readonly string[],
  owner: { readonly administrator: boolean },
  { credential }: Viewer,
): string[] {
  if (scopes.length === 0) return ["can't be blank"];
  if (!scopes.every((scope) => (offered as readonly string[]).includes(scope)))
    return ['can only contain available scopes'];
  const mayAct = owner.administrator || credential?.kind === 'operator';
  return scopes.includes('sudo') && !mayAct ? ['can contain sudo only for administrators'] : [];
}
