export { compileGit, gitHttpDoor } from './door.ts';
export { asksForModule, goGetDoor } from './go-get.ts';
export { gitPaths, type ServiceName } from './request.ts';
export { gitUnavailable, refusalOf } from './answers.ts';
