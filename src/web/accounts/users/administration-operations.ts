import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import { compileMutation } from '../../site/mutation.ts';
import { pageInfoFields, type Paged } from '../../site/records/paging.ts';
import type { Visit } from '../../site/visit.ts';
import { editedFields, type EditedUser } from './administration-form.tsx';
import { listedFields, type ListedUser, type ShownUser } from './administration-view.tsx';

/** What the pages read and change on which administrators manage users. */
export function userOperations(schema: GraphQLSchema) {
  const find = compileOperation<{ user: ShownUser | null }>(
    schema,
    `query ($id: UserID!) { user(id: $id) { ${listedFields} publicEmail tier external note emails { nodes { id: databaseId email isPrimary confirmedAt } } } }`,
  );
  const findEdited = compileOperation<{ user: EditedUser | null }>(
    schema,
    `query ($id: UserID!) { user(id: $id) { id: databaseId name username tier isAdministrator ${editedFields} } }`,
  );
  return {
    list: compileOperation<{ users: Paged<ListedUser> & { readonly count: number } }>(
      schema,
      `query ($search: String, $states: [UserState!], $admins: Boolean, $twoFactor: Boolean, $first: Int, $after: String, $last: Int, $before: String) {
        users(search: $search, states: $states, admins: $admins, twoFactor: $twoFactor, first: $first, after: $after, last: $last, before: $before) {
          nodes { ${listedFields} } count ${pageInfoFields}
        }
      }`,
    ),
    /** The user of the address; null if there is none. */
    found: async ({ context, named }: Visit) => (await find.execute(context, { id: named.id })).user,
    /** The same, as the form shows them. */
    edits: async ({ context, named }: Visit) => (await findEdited.execute(context, { id: named.id })).user,
    create: compileMutation<{ user: { id: number } }>(schema, 'createUser', 'user { id: databaseId }'),
    update: compileMutation(schema, 'updateUser', 'user { username }'),
    remove: compileMutation(schema, 'deleteUser', 'finished'),
    setPassword: compileMutation(schema, 'resetPassword', 'user { username }'),
    makeLink: compileMutation<{ url: string }>(schema, 'createPasswordResetLink', 'url'),
    disableFactor: compileMutation(schema, 'disableSecondFactorOfUser', 'user { username }'),
    addEmail: compileMutation(schema, 'addEmail', 'email { email }'),
    verifyEmail: compileMutation(schema, 'verifyEmailOfUser', 'email { email }', 'EmailOfUserInput'),
    removeEmail: compileMutation(schema, 'removeEmailOfUser', 'user { username }', 'EmailOfUserInput'),
  };
}

export type UserOperations = ReturnType<typeof userOperations>;
