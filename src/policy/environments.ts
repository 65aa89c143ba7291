import { accessLevel, administrator, all, any, publicJobs, seesInternal, visibility } from './condition.ts';
import { available } from './features.ts';
import { pushCode } from './places.ts';
import { roles } from './roles.ts';

/** The policies of environments, deployments and deploy keys. All are checked only for viewers who see the project. */

/** What is deployed, jobs deploy: without them there are none. */
const shown = all(available('environments'), available('builds'));
const everyone = any(visibility('PUBLIC'), all(seesInternal, visibility('INTERNAL')));

/** Who sees environments and deployments. Guests of a private project don't. */
export const readEnvironments = all(shown, any(administrator, accessLevel(roles.reporter), all(publicJobs, everyone)));

/** Who makes, changes, stops and deletes environments, and reports deployments. */
export const writeEnvironments = all(shown, pushCode);

/** Who deletes deployments. */
export const destroyDeployments = all(shown, any(administrator, accessLevel(roles.maintainer)));

/** Who sees and changes the deploy keys of a project. */
export const adminDeployKeys = any(administrator, accessLevel(roles.maintainer));
