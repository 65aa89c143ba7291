import type { Context } from '../../../context.ts';
import { readAccounts, type AccountRow, type OwnUserRow } from './statements/users.ts';
import { batchedRows } from '../../engine/batched.ts';

/** The property of a person's record that holds the account, if it was read with the person. */
const attached = Symbol('account');

/** Attaches an account to the person that it was read with, so that no field reads it again. */
export function attachAccount<User extends object>(user: User, account: AccountRow): User {
  return Object.assign(user, { [attached]: account });
}

/** The account that a person was read with; undefined if the person was read alone. */
export const accountWith = (user: {
  readonly id: number;
  readonly [attached]?: AccountRow;
}): Partial<OwnUserRow> | undefined => user[attached];

const load = batchedRows(readAccounts);

/**
 * A part of a person's account that isn't stored in the person's own row. It is taken from the attached account, or
 * read with one statement for many people.
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
