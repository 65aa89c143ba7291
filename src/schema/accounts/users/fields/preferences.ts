import { reads, writes } from '../../../../policy/index.ts';
import { userPreferences } from '../../../../values/attributes/user-attributes.ts';
import { attributeFields, attributeInputs } from '../../../engine/attributes.ts';
import { builder } from '../../../engine/builder.ts';
import { mutation, type FieldsOf } from '../../../engine/mutation.ts';
import { signedIn } from '../../../access/oauth/engine.ts';
import { ofAccount } from '../account.ts';
import { isOwn } from '../seen.ts';
import { setPreferences } from '../statements/attributes.ts';
import { User } from '../types.ts';

/** Preferences that people change themselves. */

interface Owner {
  readonly id: number;
}

const Preferences = builder.objectRef<Owner>('UserPreferences').implement({
  description: 'Preferences of a person.',
  fields: (t) => ({
    userDatabaseId: t.exposeInt('id', { description: 'The number of the person.' }),
    ...attributeFields(t as never, userPreferences, {
      sees: (_shownTo, { id }: Owner, context) => isOwn(id, context),
      read: (owner, context, pick) => ofAccount(context, owner, (account) => pick(account?.attributes ?? {})),
    }),
  }),
});

builder.interfaceField(User, 'userPreferences', (t) =>
  t.field({
    type: Preferences,
    nullable: true,
    description: 'Preferences. For the person and for administrators; null for others.',
    admission: { class: 'token', scopes: [...reads, 'read_user'] },
    resolve: (user, _args, context) => (isOwn(user.id, context) ? user : null),
  }),
);

mutation('userPreferencesUpdate', {
  description: 'Changes your preferences.',
  admission: { class: 'token', scopes: writes },
  inputDescription: 'Omitted fields stay as they are.',
  input: (t) => attributeInputs(t, userPreferences),
  payload: (t: FieldsOf<Owner>) => ({ userPreferences: t.field({ type: Preferences, resolve: (owner) => owner }) }),
  resolve: async (context, given) => {
    const { id } = signedIn(context);
    await context.database.prisma.$transaction((prisma) => setPreferences(prisma, id, given));
    return { id };
  },
});
