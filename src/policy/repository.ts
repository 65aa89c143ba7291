import { accessLevel, administrator, all, any } from './condition.ts';
import { available } from './features.ts';
import { downloadCode, pushCode } from './places.ts';
import { roles } from './roles.ts';

/** The policies of repositories. All of them are checked only for viewers who see the project. */

const repository = available('repository');

/** Who reads files, branches and history, and clones. */
export const readCode = all(repository, downloadCode);

/** Who writes to a branch that nothing protects. */
export const writeCode = all(repository, pushCode);

/** Who protects branches. */
export const adminBranches = all(repository, any(administrator, accessLevel(roles.maintainer)));
