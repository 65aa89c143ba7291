import { isAdministrator, reads } from '../../../../policy/index.ts';
import { userAttributes } from '../../../../values/attributes/user-attributes.ts';
import { attributeFields } from '../../../engine/attributes.ts';
import { builder } from '../../../engine/builder.ts';
import { ofAccount } from '../account.ts';
import { sees } from '../seen.ts';
import { User } from '../types.ts';

const none = {};

builder.interfaceFields(User, (t) =>
  attributeFields(t, userAttributes, {
    sees(shownTo, { id }, context) {
      if (shownTo === 'everyone') return true;
      return sees(id, context, [...reads, 'read_user']) && (shownTo === 'own' || isAdministrator(context.viewer));
    },
    read: (user, context, pick) => ofAccount(context, user, (account) => pick(account?.attributes ?? none)),
  }),
);
