import { readUsers } from '../../../database/access/records.ts';
import { batchedRecords } from '../../engine/batched.ts';

/** How any type refers to people: by their ids, whatever loaded the record that refers to them. */
export const userById = batchedRecords(readUsers);
