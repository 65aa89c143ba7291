import { readUsers } from '../../../database/access/records.ts';
import { batchedRecords } from '../../engine/batched.ts';

/** The person with an id, for fields of any type; many ids are read in one statement. */
export const userById = batchedRecords(readUsers);
