import type { Context } from '../../context.ts';
import { readAccounts, type AccountRow } from '../../database/statements/users.ts';
import { batched } from '../batched.ts';

/** What was read along with a person. Weak: it goes with the record. */
const known = new WeakMap<object, AccountRow>();

/** Keeps what was read along with a person, so that nobody asks for it again. */
export function keepAccount<User extends object>(user: User, account: AccountRow): User {
  known.set(user, account);
  return user;
}

const load = batched<AccountRow>(async (context, ids) => new Map((await context.database.rows(readAccounts, [ids])).map((row) => [row.id, row])));

/**
 * Something of a person's account that isn't in its own row; of many people in one
 * statement, and at once where it was read along.
 * @param pick of undefined for a person who was removed meanwhile
 */
export function ofAccount<Value>(context: Context, user: { readonly id: number }, pick: (account?: AccountRow) => Value): Value | Promise<Value> {
  const account = known.get(user);
  return account ? pick(account) : load(context, user.id).then(pick);
}
