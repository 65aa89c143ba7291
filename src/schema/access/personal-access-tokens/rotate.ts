import { newToken } from '../../../auth/index.ts';
import { daysAhead } from '../../../values/time/calendar.ts';
import { rotatePersonalToken } from '../../../auth/statements/personal-tokens.ts';
import { BadRequest } from '../../../errors.ts';
import { writes, type Scope } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { Problems } from '../../engine/input.ts';
import { expiryProblems, rotatedLife } from './life.ts';
import { currentToken, existingToken, requireScopes } from './power.ts';
import { NewToken } from './types.ts';

const input = builder.inputType('RotatePersonalAccessTokenInput', {
  fields: (t) => ({
    id: t.id({ description: 'Omitted: the token that this request carries.' }),
    expiresAt: t.field({
      type: 'Date',
      description: `The first day (UTC) on which the new token is no longer valid. Omitted: ${rotatedLife} days ahead.`,
    }),
  }),
});

builder.mutationField('rotatePersonalAccessToken', (t) =>
  t.field({
    type: NewToken,
    nullable: true,
    description:
      'Rotates a personal access token: revokes it, and creates a new one with the same name and scopes. If the old one is used again, all tokens rotated from it are revoked.',
    admission: { class: 'session', recent: true, personalToken: writes },
    args: { input: t.arg({ type: input, required: true }) },
    resolve: async (_root, args, context) => {
      const { id, expiresAt } = args.input;
      const old = await existingToken(context, id ?? currentToken(context));
      const problems = new Problems();
      problems.add('expiresAt', expiresAt == null ? [] : expiryProblems(expiresAt));
      problems.refuse();
      requireScopes(context, old.scopes as Scope[]);

      const { secret, digest } = newToken('personal');
      const [made] = await context.database.rows(rotatePersonalToken, [
        old.id,
        digest,
        expiresAt ?? daysAhead(rotatedLife),
        context.viewer.person?.id ?? null,
        context.origin.address,
        context.origin.requestId,
      ]);
      if (!made) throw new BadRequest('The token works no longer, so it can’t be rotated.');
      const ofOwner = { personId: old.userId, subject: 'PERSONAL_ACCESS_TOKEN' } as const;
      context.changes.publish({ ...ofOwner, id: old.id, act: 'ROTATED' });
      context.changes.publish({ ...ofOwner, id: made.id, act: 'CREATED' });
      return { id: made.id, secret };
    },
  }),
);
