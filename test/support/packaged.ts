import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { optional } from './optional.ts';

/** A client that Debian packages, and the script in `test/clients` that drives it. */
export interface PackagedClient {
  /** Its package. */
  readonly name: string;
  readonly language: 'python' | 'ruby';
  /** The module that the script imports. */
  readonly module: string;
  readonly script: string;
}

/** Debian's interpreters, even if the path has others, with arguments that check for a module. */
const interpreters = {
  python: { command: '/usr/bin/python3', check: (module: string) => ['-c', `import ${module}`] },
  ruby: { command: '/usr/bin/ruby', check: (module: string) => ['-e', `require "${module}"`] },
} as const;

/** Whether a client is installed. @throws Error when it is required and missing */
export function isInstalled({ name, language, module }: PackagedClient): boolean {
  const { command, check } = interpreters[language];
  return optional(
    name,
    spawnSync(command, check(module)).status === 0,
    `${name} isn’t installed: apt-get install ${name}.`,
  );
}

/** What runs its script: a command with its arguments. */
export function commandOf({ language, script }: PackagedClient): [command: string, args: string[]] {
  return [interpreters[language].command, [fileURLToPath(new URL(`../clients/${script}`, import.meta.url))]];
}
