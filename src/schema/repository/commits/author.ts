import type { Context } from '../../../context.ts';
import type { UserRecord } from '../../../database/access/records.ts';
import { normalAddress } from '../../accounts/users/addresses.ts';
import { ownerOfHidden } from '../../accounts/users/fields/commit-email.ts';
import { userById } from '../../accounts/users/read.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { batchedByName } from '../../engine/batched.ts';
import { builder } from '../../engine/builder.ts';
import { findAuthors } from './statements.ts';
import { Commit } from './types.ts';

/**
 * The person whose address a commit names. Only addresses that people show, and those that commits made here for them have, are
 * looked up: a made-up commit shows whose such an address is. That is the primary one, until a person chooses another, or one that
 * receives no mail.
 */

const byAddress = batchedByName<string, UserRecord>(async ({ database }, addresses) => {
  const rows = await database.rows(findAuthors, [[...new Set(addresses)]]);
  const found = new Map(rows.map(({ address, ...person }) => [address, person]));
  return addresses.map((one) => found.get(one));
});

async function authorOf(context: Context, given: string): Promise<UserRecord | null> {
  const address = normalAddress(given);
  const hidden = ownerOfHidden(context, address);
  if (!hidden) return (await byAddress(context, address)) ?? null;
  const person = await userById(context, hidden.id);
  return person?.username.toLowerCase() === hidden.username ? person : null;
}

builder.objectField(Commit, 'author', (t) =>
  t.field({
    type: UserCore,
    nullable: true,
    description:
      'The person who uses the author’s address for commits here, or shows it. Commits claim what they like: it proves nothing.',
    resolve: ({ author }, _args, context) => authorOf(context, author.email),
  }),
);
