import type { Context } from '../../../context.ts';
import { readAccounts, type AccountRow } from './statements/users.ts';
import { batchedRows } from '../../engine/batched.ts';

/** Under which a record of a person keeps what was read along with it. */
const readAlong = Symbol('account');

/** Keeps what was read along with a person, so that nobody asks for it again. */
export function keepAccount<User extends object>(user: User, account: AccountRow): User {
  return Object.assign(user, { [readAlong]: account });
}

const load = batchedRows(readAccounts);

/**
 * Something of a person's account that isn't in its own row; of many people in one
 * statement, and at once where it was read along.
 * @param pick of undefined for a person who was removed meanwhile
 */
export function ofAccount<Value>(
  context: Context,
  user: { readonly id: number; readonly [readAlong]?: AccountRow },
  pick: (account?: AccountRow) => Value,
): Value | Promise<Value> {
  const account = user[readAlong];
  return account ? pick(account) : load(context, user.id).then(pick);
}
