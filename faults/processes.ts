import { readFileSync } from 'node:fs';

/** Processes of the machine, as `/proc` has them. */

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

export const childrenOf = (pid: number): number[] =>
  read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
export const descendantsOf = (pid: number): number[] =>
  childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
/** The words of its command, each ended by NUL. */
export const commandOf = (pid: number): string => read(`/proc/${pid}/cmdline`);

/** Kills a process. @returns false if it has just ended */
export function kill(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    return false;
  }
}
