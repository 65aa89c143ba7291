import type { AnyRoute } from '../../route.ts';
import { changeUserRoutes } from './change.ts';
import { userEmailRoutes } from './emails.ts';
import { readUserRoutes } from './read.ts';

/** People: what everyone may know of them, and what administrators do with their accounts. */
export const userRoutes: readonly AnyRoute[] = [...readUserRoutes, ...changeUserRoutes, ...userEmailRoutes];
