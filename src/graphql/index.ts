export { graphqlDoor } from './door.ts';
export { limits } from './limits.ts';
