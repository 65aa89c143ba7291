/** Names that people may give, checked before git sees them. */
export { isReadable, problemOf } from './paths.ts';
export { branchRef, isName, isObjectName, isRef, noObject, tagRef } from './refs.ts';
