import { readUsers } from '../../database/statements/records.ts';
import { batchedRecords } from '../batched.ts';

/** A person by their id. */
export const userById = batchedRecords(readUsers);
