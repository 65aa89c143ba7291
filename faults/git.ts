import { execFileSync, spawn } from 'node:child_process';
import { rootToken, type Gateway } from './gateways.ts';

/** Git as people have it, for the faults. */

/** Settings of the machine's account stay out. */
const clientEnvironment = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  ...Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((who) => [
      [`GIT_${who}_NAME`, 'Fault'],
      [`GIT_${who}_EMAIL`, 'fault@example.com'],
    ]),
  ),
};

/** Runs git, for twenty seconds at most. @returns its exit code, -1 if it was killed, and what it printed */
export function git(cwd: string, args: readonly string[]): Promise<{ code: number; text: string }> {
  const child = spawn('git', args, {
    cwd,
    env: clientEnvironment,
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 20_000,
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code: code ?? -1, text })));
}

/** Runs git in a repository of the gateway. @returns what it printed @throws Error with its `stderr` */
export const gitIn = (repository: string, args: readonly string[]): string =>
  execFileSync('git', [`--git-dir=${repository}`, ...args], {
    env: clientEnvironment,
    stdio: ['ignore', 'pipe', 'pipe'],
  }).toString();

/** What git finds wrong with a repository; empty if nothing. */
export function damageOf(repository: string): string {
  try {
    return gitIn(repository, ['fsck', '--strict', '--no-dangling']);
  } catch (error) {
    return String((error as { stderr?: Buffer }).stderr ?? error);
  }
}

/** The address of a project for git, with the administrator's token in it. */
export function remoteOf({ origin }: Gateway, fullPath: string): string {
  const url = new URL(`${origin}/${fullPath}.git`);
  Object.assign(url, { username: 'x', password: rootToken });
  return url.href;
}
