export { graphqlDoor } from './door.ts';
export { graphqlUnavailable } from './unavailable.ts';
export { limits } from './limits.ts';
