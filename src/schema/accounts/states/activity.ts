import { batchedRows } from '../../engine/batched.ts';
import { readActivity } from './statements.ts';

/** When a person last did something; many people are read in one statement. */
export const activityOf = batchedRows(readActivity);
