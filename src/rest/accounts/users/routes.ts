import type { AnyRoute } from '../../engine/route.ts';
import { changeUserRoutes } from './change.ts';
import { userEmailRoutes } from '../emails/routes.ts';
import { readUserRoutes } from './read.ts';

/** Users: the public directory, and account administration. */
export const userRoutes: readonly AnyRoute[] = [...readUserRoutes, ...changeUserRoutes, ...userEmailRoutes];
