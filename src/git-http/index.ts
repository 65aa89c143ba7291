export { compileGit, gitHttpDoor } from './door.ts';
export { gitPaths } from './request.ts';
export { gitUnavailable } from './answers.ts';
