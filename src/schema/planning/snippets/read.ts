import { batchedRows } from '../../engine/batched.ts';
import { readSnippets } from './statements/reading.ts';

/** A snippet. The caller has checked that the viewer may read it. Those of a page are read in one statement. */
export const snippetById = batchedRows(readSnippets);
