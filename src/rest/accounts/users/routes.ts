import type { AnyRoute } from '../../engine/route.ts';
import { changeUserRoutes } from './change.ts';
import { userEmailRoutes } from '../emails/routes.ts';
import { identityRoutes } from '../identities/routes.ts';
import { statusRoutes } from '../status/routes.ts';
import { membershipRoutes } from '../memberships/routes.ts';
import { preferenceRoutes } from '../preferences/routes.ts';
import { userStateRoutes } from '../states/routes.ts';
import { readUserRoutes } from './read.ts';

/** Users: the public directory, and account administration. */
export const userRoutes: readonly AnyRoute[] = [
  ...readUserRoutes,
  ...changeUserRoutes,
  ...userStateRoutes,
  ...userEmailRoutes,
  ...identityRoutes,
  ...statusRoutes,
  ...membershipRoutes,
  ...preferenceRoutes,
];
