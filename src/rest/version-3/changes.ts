import type { Change } from './change.ts';
import { introducedIn817 } from './introduced-in-8-17.ts';
import { introducedIn90 } from './introduced-in-9-0.ts';

/**
 * What changed between version 3 and version 4 of the API, each line of the
 * interface's lists in its order. The answers to calls of version 3, the hints of
 * version 4 and the migration guide are all made from this one table.
 */
export const changes: readonly Change[] = [...introducedIn817, ...introducedIn90];
