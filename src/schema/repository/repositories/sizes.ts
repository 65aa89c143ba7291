import { batchedRows } from '../../engine/batched.ts';
import { readSizes, type RepositorySizes } from './statements.ts';

export type { RepositorySizes };

/** What was counted in the repository of a project; undefined if nothing was ever written to it. */
export const sizesOf = batchedRows(readSizes);
