import type { AnyRoute } from '../../engine/route.ts';
import { changeUserRoutes } from './change.ts';
import { userEmailRoutes } from '../emails/routes.ts';
import { readUserRoutes } from './read.ts';

/** People: what everyone may know of them, and what administrators do with their accounts. */
export const userRoutes: readonly AnyRoute[] = [...readUserRoutes, ...changeUserRoutes, ...userEmailRoutes];
