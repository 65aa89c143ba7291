import { chosenToken, newToken } from '../../auth/index.ts';
import { scopes, type Scope } from '../../policy/index.ts';
import { requireAdministrator } from '../administrators.ts';
import { builder } from '../builder.ts';
import { Problems, textProblems, unlessTaken } from '../input.ts';
import { existingUser } from '../users/find.ts';

/** Scopes keep the names they have in OAuth, where case counts. */
export const ScopeType = builder.enumType('TokenScope', {
  description: 'What a token may be used for.',
  values: Object.fromEntries(scopes.map((scope) => [scope.toUpperCase(), { value: scope }])) as {
    [S in Scope as Uppercase<S>]: { value: S };
  },
});

/** Longest life of a token, in days. */
const longestLife = 365;

const NewPersonalAccessToken = builder.objectRef<{ id: number; secret: string }>('NewPersonalAccessToken').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    token: t.exposeString('secret', { description: 'Shown this once; only its digest is kept.' }),
  }),
});

builder.mutationField('createPersonalAccessToken', (t) =>
  t.field({
    type: NewPersonalAccessToken,
    nullable: true,
    description: 'Makes a personal access token for a person. For administrators.',
    admission: { class: 'session' },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('CreatePersonalAccessTokenInput', {
          fields: (field) => ({
            userId: field.id({ required: true }),
            name: field.string({ required: true }),
            scopes: field.field({ type: [ScopeType], required: true }),
            days: field.int({ required: true, description: `How many days it lives, at most ${longestLife}.` }),
            chosen: field.string({ description: 'A token that the operator chose; left out: a random one.' }),
          }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      requireAdministrator(context);
      const problems = new Problems();
      problems.add('name', textProblems(input.name));
      problems.add('scopes', input.scopes.length === 0 ? ["can't be blank"] : []);
      problems.add('days', input.days < 1 || input.days > longestLife ? [`must be from 1 to ${longestLife}`] : []);
      problems.refuse();
      const { prisma } = context.database;
      const user = await existingUser(context, input.userId);
      const token = input.chosen == null ? newToken('personal') : chosenToken(context.keys, input.chosen);
      const { id } = await unlessTaken({ PersonalAccessToken: 'chosen' }, () =>
        prisma.personalAccessToken.create({
          data: {
            userId: user.id,
            name: input.name,
            digest: new Uint8Array(token.digest),
            scopes: [...new Set(input.scopes)],
            expiresAt: new Date(Date.now() + input.days * 24 * 3600 * 1000),
          },
        }),
      );
      return { id, secret: token.secret };
    },
  }),
);
