export { BackupError } from './error.ts';
export { backUp } from './backup.ts';
export { checkBackup } from './check.ts';
export { watchedConnection } from './stall.ts';
export { restore, type RestoredFiles, type RestoreOptions } from './restore.ts';
export type { Part } from './parts.ts';
export type { CopyProgress } from './copy.ts';
export type { Header as BackupHeader } from './file.ts';
