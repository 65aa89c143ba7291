import { builder } from '../../engine/builder.ts';
import { identify } from '../../engine/global-id.ts';

export const Email = builder.prismaObject('Email', {
  description: 'An e-mail address of a person.',
  fields: (t) => ({
    email: t.exposeString('address', { description: 'The address.' }),
    confirmedAt: t.expose('verifiedAt', {
      type: 'Time',
      nullable: true,
      description: 'When it was confirmed; null if it isn’t.',
    }),
    createdAt: t.expose('createdAt', { type: 'Time', description: 'When it was added.' }),
    isPrimary: t.boolean({ direct: true, resolve: ({ primaryOf }) => primaryOf !== null }),
    address: t.exposeString('address', { deprecationReason: 'Use `email`.' }),
    verifiedAt: t.expose('verifiedAt', { type: 'Time', nullable: true, deprecationReason: 'Use `confirmedAt`.' }),
  }),
});
identify(Email, 'Email');
