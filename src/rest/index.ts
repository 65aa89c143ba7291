export { compileRoutes, restDoor } from './door.ts';
export { restUnavailable } from './unavailable.ts';
export { openApi } from './openapi.ts';
export { subjects as migrationSubjects } from './version-3/change.ts';
export { migrations, type Migration } from './version-3/hints.ts';
