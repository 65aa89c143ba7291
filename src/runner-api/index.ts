export { runnerUnavailable } from './answers.ts';
export { jobArtifactsDoor, jobArtifactsPath } from './artifacts.ts';
export { compileJobFiles } from './job.ts';
export { jobTraceDoor, jobTracePath } from './trace.ts';
