export { compileRoutes, restDoor } from './engine/door.ts';
export { restUnavailable } from './engine/unavailable.ts';
export { openApi } from './engine/openapi.ts';
export { routeOperations } from './engine/operations.ts';
export { subjects as migrationSubjects, type Migration } from './version-3/change.ts';
export { migrations } from './version-3/hints.ts';
export { pathsOfOldRunners } from './version-3/runners.ts';
