export { compileRoutes, restDoor } from './door.ts';
export { openApi } from './openapi.ts';
