import type { Change } from './change.ts';
import { introducedIn817 } from './introduced-in-8-17.ts';
import { introducedIn90 } from './introduced-in-9-0.ts';

/**
 * All changes between version 3 and version 4 of the API, in the order of GitLab's list. Answers to calls of version 3,
 * hints in version 4 and the migration guide are made from this table.
 */
export const changes: readonly Change[] = [...introducedIn817, ...introducedIn90];
