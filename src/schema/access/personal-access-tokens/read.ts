import { reads, scopes } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { currentToken, existingToken } from './power.ts';
import { PersonalAccessToken } from './types.ts';

builder.queryField('personalAccessToken', (t) =>
  t.prismaField({
    type: PersonalAccessToken,
    nullable: true,
    description: 'One of your own personal access tokens; for administrators, any.',
    admission: { class: 'session', personalToken: reads },
    args: { id: t.arg.id({ required: true }) },
    resolve: async (query, _root, { id }, context) => {
      const token = await existingToken(context, id);
      return await context.database.prisma.personalAccessToken.findUnique({ ...query, where: { id: token.id } });
    },
  }),
);

builder.queryField('currentPersonalAccessToken', (t) =>
  t.prismaField({
    type: PersonalAccessToken,
    nullable: true,
    description: 'The personal access token that this request carries. It needs no scope.',
    admission: { class: 'session', personalToken: scopes },
    resolve: (query, _root, _args, context) =>
      context.database.prisma.personalAccessToken.findUnique({
        ...query,
        where: { id: Number(currentToken(context)) },
      }),
  }),
);
