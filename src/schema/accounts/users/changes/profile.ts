import { verifiedAddress } from '../../emails/addresses-of.ts';
import { profileAttributes } from '../../../../values/attributes/user-attributes.ts';
import { nameProblems } from '../../../../values/text/visible-names.ts';
import { attributeInputs, checkAttributes } from '../../../engine/attributes.ts';
import { builder } from '../../../engine/builder.ts';
import { Problems } from '../../../engine/input.ts';
import { signedIn } from '../../../access/oauth/engine.ts';
import { userPayload } from './payload.ts';
import { setAttributes } from '../statements/attributes.ts';

builder.mutationField('updateProfile', (t) =>
  t.field({
    type: userPayload('UpdateProfilePayload'),
    nullable: true,
    description: 'Changes your public profile. Omitted fields stay as they are.',
    admission: { class: 'session' },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('UpdateProfileInput', {
          fields: (field) => ({
            name: field.string({ description: 'At most 255 characters.' }),
            publicEmail: field.string({ description: 'One of your verified addresses; null or empty to show none.' }),
            ...attributeInputs(field, profileAttributes),
          }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      const { id } = signedIn(context);
      const { database } = context;
      const name = input.name?.trim();
      const publicEmail = input.publicEmail && input.publicEmail.trim().toLowerCase();
      const problems = new Problems();
      if (name !== undefined || input.name === null) problems.add('name', nameProblems(name ?? ''));
      if (publicEmail && (await verifiedAddress(database, id, publicEmail)) === undefined) {
        problems.add('publicEmail', ['must be an email you have verified']);
      }
      checkAttributes(problems, profileAttributes, input);
      problems.refuse();
      await database.prisma.$transaction(async (prisma) => {
        await prisma.user.update({
          where: { id },
          data: {
            ...(name !== undefined && { name, namespace: { update: { name } } }),
            ...(publicEmail !== undefined && { publicEmail: publicEmail || null }),
          },
        });
        await setAttributes(prisma, id, input);
      });
      return { id };
    },
  }),
);
