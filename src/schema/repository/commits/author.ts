import { normalAddress } from '../../accounts/users/addresses.ts';
import { personOfHidden } from '../../accounts/users/fields/commit-email.ts';
import { userById } from '../../accounts/users/read.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { batchedByName } from '../../engine/batched.ts';
import { builder } from '../../engine/builder.ts';
import { storable } from '../../../values/text/storable.ts';
import { findOwners } from './statements.ts';
import { Commit } from './types.ts';

/** Whose commits are, by the address that they name. */

const ownerOf = batchedByName<string, number>(async ({ database }, addresses) => {
  const rows = await database.rows(findOwners, [[...new Set(addresses)]]);
  const owners = new Map(rows.map(({ address, userId }) => [address, userId]));
  return addresses.map((one) => owners.get(one));
});

builder.objectField(Commit, 'author', (t) =>
  t.field({
    type: UserCore,
    nullable: true,
    description:
      'The person with the author’s address, if it is a verified one. Null if there is none, and where no one is signed in.',
    resolve: async ({ author }, _args, context) => {
      if (context.viewer.person === null) return null;
      const address = normalAddress(storable(author.email));
      const id = personOfHidden(context, address) ?? (await ownerOf(context, address));
      return await userById(context, id ?? null);
    },
  }),
);
