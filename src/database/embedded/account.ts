import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { EmbeddedPostgresError } from './error.ts';

/** The account that runs PostgreSQL's programs. They refuse to run as root. */
export interface Account {
  /** For messages. */
  readonly name: string;
  /** Set when it differs from the gateway's account. */
  readonly identity?: Identity;
  /**
   * The command prefix that runs a program in a user namespace, if one is used. Files then still belong to the
   * gateway's account.
   */
  readonly wrapper?: readonly string[];
}

export interface Identity {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Chooses the account for a cluster: the gateway's own, or for root an unprivileged one.
 * @param owner the owner of the existing cluster, if there is one
 * @throws EmbeddedPostgresError when root can neither become another account nor enter a user namespace
 */
export async function chooseAccount(owner: Identity | undefined): Promise<Account> {
  if (process.getuid?.() !== 0) return { name: "the gateway's account" };
  const unprivileged = owner?.uid
    ? { name: `the account with id ${owner.uid}`, ...owner }
    : await unprivilegedAccount();
  if (unprivileged) {
    const { name, uid, gid } = unprivileged;
    const switched: Account = { name, identity: { uid, gid } };
    // If root owns the cluster, an earlier start used the user namespace: only there is it readable.
    if (owner?.uid !== 0 && (await works(switched))) return switched;
    const mapped: Account = {
      name: 'root in a user namespace',
      wrapper: ['unshare', '--user', `--map-user=${uid}`, '--'],
    };
    if (!owner?.uid && (await works(mapped))) return mapped;
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL refuses to run as root, and this system lets root neither become another account nor make a user namespace.',
    owner?.uid === 0
      ? 'Give the database folder to the account `postgres` or `nobody` (chown -R), or start the gateway as an unprivileged user who owns it, or set DATABASE_URL.'
      : 'Start the gateway as an unprivileged user, or allow the container the capabilities SETUID and SETGID, or set DATABASE_URL.',
  );
}

/** `postgres` where the system has it, else `nobody`. initdb needs an account that /etc/passwd names. */
async function unprivilegedAccount(): Promise<(Identity & { name: string }) | undefined> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = lines.find((fields) => fields[0] === name) ?? [];
    // macOS writes the id of `nobody` as -2.
    if (Number(uid)) return { name: `the account ${name}`, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
  }
  return undefined;
}

async function works(account: Account): Promise<boolean> {
  const outcome = await runAs(account, '/bin/sh', ['-c', 'exit 0']).catch(() => undefined);
  return outcome?.code === 0;
}

/** Whether the account can enter a folder. The kernel answers: modes alone don't say (ACLs, mounts). */
export async function canEnter(account: Account, folder: string): Promise<boolean> {
  return !account.identity || (await runAs(account, '/bin/sh', ['-c', 'cd "$0"', folder])).code === 0;
}

/**
 * Writes a file that only the account may read. Written as the account: if root wrote it, a link in a foreign folder
 * could redirect it.
 */
export async function writeAs(account: Account, file: string, text: string): Promise<void> {
  const { code, output } = await runAs(account, '/bin/sh', ['-c', 'umask 077; cat > "$0"', file], text);
  if (code !== 0)
    throw new EmbeddedPostgresError(
      `${file} can't be written: ${output}`,
      'Make room or set DATA_DIR to another folder.',
    );
}

export interface Outcome {
  readonly code: number | null;
  /** Standard output and error together. */
  readonly output: string;
}

/** Runs a program to its end. Rejects with the system's error when it can't be started. */
export function runAs(account: Account, program: string, args: readonly string[], input = ''): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawnAs(account, program, args, 'pipe');
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
    // A program that ends before it has read its input is judged by its exit code.
    child.stdin?.on('error', () => {}).end(input);
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output: output.trim() }));
  });
}

/** Starts a program under the account, in a session of its own: Ctrl-C in the terminal doesn't reach it. */
export function spawnAs(
  account: Account,
  program: string,
  args: readonly string[],
  stdio: StdioOptions,
  variables: Record<string, string> = {},
): ChildProcess {
  const [file = program, ...rest] = [...(account.wrapper ?? []), program, ...args];
  return spawn(file, rest, {
    // With a uid, the child drops root's supplementary groups too. `spawn` takes signed numbers.
    ...(account.identity && { uid: account.identity.uid | 0, gid: account.identity.gid | 0 }),
    // Not the gateway's folder: the account may lack access.
    cwd: '/',
    detached: true,
    // Don't inherit the gateway's environment: no PGOPTIONS or similar, no secrets. macOS needs a valid LC_ALL. A
    // fixed time zone saves initdb the search for the system's.
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', ...variables },
    stdio,
  });
}
