import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { optional } from './optional.ts';

/** A client that Debian packages, and the script in `test/clients` that drives it. */
export interface PackagedClient {
  /** Its package. */
  readonly name: string;
  readonly language: keyof typeof interpreters;
  /** The module or collection that the script imports. */
  readonly module: string;
  readonly script: string;
}

/** A file in the folder of clients. */
export const scriptAt = (name: string): string => fileURLToPath(new URL(`../../clients/${name}`, import.meta.url));

/** Debian's interpreters, even if the path has others, with a command that checks for a module. */
const interpreters = {
  python: {
    run: ['/usr/bin/python3'],
    check: (module: string) => ['/usr/bin/python3', '-c', `import ${module}`],
    // What scripts share stays without a compiled copy beside it.
    environment: { PYTHONDONTWRITEBYTECODE: '1' },
  },
  ruby: {
    run: ['/usr/bin/ruby'],
    check: (module: string) => ['/usr/bin/ruby', '-e', `require "${module}"`],
    environment: {},
  },
  perl: {
    run: ['/usr/bin/perl'],
    check: (module: string) => ['/usr/bin/perl', `-M${module}`, '-e', '1'],
    environment: {},
  },
  go: {
    // Go compiles a script together with what the scripts share.
    run: ['/usr/bin/go', 'run', scriptAt('go-subjects.go')],
    check: (module: string) => ['/usr/bin/go', 'list', module],
    // Debian installs sources for Go's older layout, without modules.
    environment: { GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOCACHE: join(tmpdir(), 'go-build') },
  },
  ansible: {
    run: ['/usr/bin/ansible-playbook', '--inventory', 'localhost,'],
    check: (module: string) => ['/usr/bin/python3', '-c', `import gitlab, ansible_collections.${module}`],
    environment: {
      ANSIBLE_HOME: join(tmpdir(), 'ansible'),
      ANSIBLE_STDOUT_CALLBACK: 'ansible.posix.json',
    },
  },
} as const;

/** Whether a client is installed. @throws Error when it is required and missing */
export function isInstalled(client: PackagedClient): boolean {
  const { name, language, module } = client;
  const [command, ...args] = interpreters[language].check(module) as [string, ...string[]];
  return optional(
    name,
    spawnSync(command, args, { env: environmentOf(client) }).status === 0,
    `${name} isn’t installed: apt-get install ${name}.`,
  );
}

/** What runs its script: a command with its arguments. */
export function commandOf({ language, script }: PackagedClient): [command: string, args: string[]] {
  const [command, ...args] = interpreters[language].run;
  return [command, [...args, scriptAt(script)]];
}

/** What its script needs in the environment, besides the gateway and its tokens. */
export function environmentOf({ language }: PackagedClient): Record<string, string> {
  return { PATH: '/usr/bin:/bin', HOME: tmpdir(), LANG: 'C.UTF-8', ...interpreters[language].environment };
}

/** Whether a command is installed. @param name its package @throws Error when it is required and missing */
export const hasCommand = (name: string, file: string): boolean =>
  optional(name, existsSync(file), `${name} isn’t installed: apt-get install ${name}.`);

/** Runs a command. @returns its exit code, and what it writes */
export const outcomeOf = (
  file: string,
  args: readonly string[],
  environment: Record<string, string>,
  folder = tmpdir(),
) =>
  new Promise<{ code: number; text: string }>((resolve) => {
    const how = { env: environment, cwd: folder, maxBuffer: 2 ** 26 };
    execFile(file, args, how, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, text: `${stdout}${stderr}` }),
    );
  });
