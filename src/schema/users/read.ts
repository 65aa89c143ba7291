import { readUsers } from '../../database/statements/records.ts';
import { batchedRecords } from '../batched.ts';

/** For a field that has a person not from Prisma, which then needs nothing of the request. */
export const readsByHand = { extensions: { readsByHand: true } } as const;

/** A person by their id. */
export const userById = batchedRecords(readUsers);
