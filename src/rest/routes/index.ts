import type { AnyRoute } from '../route.ts';
import { applicationRoutes } from './applications.ts';
import { errorTrackingSettingsRoutes } from './error-tracking-settings.ts';
import { groupRoutes } from './groups.ts';
import { memberRoutes } from './members.ts';
import { metadataRoutes } from './metadata.ts';
import { namespaceRoutes } from './namespaces.ts';
import { notificationSettingsRoutes } from './notification-settings.ts';
import { oauthRoutes } from './oauth.ts';
import { personalAccessTokenRoutes } from './personal-access-tokens.ts';
import { projectRoutes } from './projects/index.ts';
import { templateRoutes } from './templates.ts';
import { tokenInfoRoutes } from './token-info.ts';
import { userRoutes } from './users/index.ts';

/** Every route there is. */
export const routes: readonly AnyRoute[] = [
  ...notificationSettingsRoutes,
  ...errorTrackingSettingsRoutes,
  ...projectRoutes,
  ...groupRoutes,
  ...memberRoutes,
  ...namespaceRoutes,
  ...userRoutes,
  ...personalAccessTokenRoutes,
  ...applicationRoutes,
  ...metadataRoutes,
  ...oauthRoutes,
  ...templateRoutes,
  ...tokenInfoRoutes,
];
