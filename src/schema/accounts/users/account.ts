import type { Context } from '../../../context.ts';
import { readAccounts, type AccountRow } from './statements/users.ts';
import { batchedRows } from '../../engine/batched.ts';

/** The property of a person's record that holds what was read along with it. */
const attached = Symbol('account');

/** Attaches what was read along with a person, so that no field reads it again. */
export function attachAccount<User extends object>(user: User, account: AccountRow): User {
  return Object.assign(user, { [attached]: account });
}

const load = batchedRows(readAccounts);

/**
 * A part of a person's account that isn't in its own row. It is read in one statement for many people, and taken
 * from the record if it was read along.
 * @param pick gets undefined for a person who was removed in the meantime
 */
export function ofAccount<Value>(
  context: Context,
  user: { readonly id: number; readonly [attached]?: AccountRow },
  pick: (account?: AccountRow) => Value,
): Value | Promise<Value> {
  const account = user[attached];
  return account ? pick(account) : load(context, user.id).then(pick);
}
