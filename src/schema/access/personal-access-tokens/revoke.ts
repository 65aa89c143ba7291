import type { Context } from '../../../context.ts';
import { revokePersonalToken } from '../../../auth/statements/personal-tokens.ts';
import { scopes, writes } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { currentToken, existingToken } from './power.ts';
import { PersonalAccessToken } from './types.ts';

const Payload = builder.objectRef<{ id: number }>('RevokePersonalAccessTokenPayload').implement({
  fields: (t) => ({
    personalAccessToken: t.prismaField({
      type: PersonalAccessToken,
      resolve: (query, { id }, _args, { database }) =>
        database.prisma.personalAccessToken.findUniqueOrThrow({ ...query, where: { id } }),
    }),
  }),
});

/** Revokes a token; one that was revoked before stays as it is. @throws NotFound */
async function revoke(context: Context, given: string): Promise<{ id: number }> {
  const { id, userId } = await existingToken(context, given);
  const { viewer, origin } = context;
  const [ended] = await context.database.rows(revokePersonalToken, [
    id,
    viewer.person?.id ?? null,
    origin.address,
    origin.requestId,
  ]);
  if (ended) context.changes.publish({ personId: userId, subject: 'PERSONAL_ACCESS_TOKEN', id, act: 'REVOKED' });
  return { id };
}

builder.mutationField('revokePersonalAccessToken', (t) =>
  t.field({
    type: Payload,
    nullable: true,
    description: 'Revokes a personal access token: one of your own; for administrators, any.',
    admission: { class: 'session', personalToken: writes },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('RevokePersonalAccessTokenInput', {
          fields: (field) => ({ id: field.id({ required: true }) }),
        }),
      }),
    },
    resolve: (_root, { input: { id } }, context) => revoke(context, id),
  }),
);

builder.mutationField('revokeCurrentPersonalAccessToken', (t) =>
  t.field({
    type: Payload,
    nullable: true,
    description: 'Revokes the personal access token that this request carries. It needs no scope.',
    admission: { class: 'session', personalToken: scopes },
    resolve: (_root, _args, context) => revoke(context, currentToken(context)),
  }),
);
