import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chown, lstat, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Account, spawnAs } from './account.ts';
import { EmbeddedPostgresError } from './error.ts';
import { openLog } from './log-file.ts';

/** The content of `postmaster.pid`: the server that runs on the cluster. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly socketFolder: string;
  readonly status: 'starting' | 'ready' | 'stopping';
}

/**
 * Finds the server that runs on the cluster. Undefined when `postmaster.pid` is missing, stale after a kill, or copied
 * from another cluster.
 */
export async function findPostmaster(folder: string): Promise<Postmaster | undefined> {
  const noted = await readPidFile(folder);
  return noted && (await isTrue(noted, folder)) ? noted : undefined;
}

interface PidFile extends Postmaster {
  readonly dataFolder: string;
}

async function readPidFile(folder: string): Promise<PidFile | undefined> {
  const text = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '');
  const [pid, dataFolder = '', , port, socketFolder = '', , , status = ''] = text
    .split('\n')
    .map((line) => line.trim());
  if (!(Number(pid) > 0)) return undefined;
  return {
    pid: Number(pid),
    dataFolder,
    port: Number(port),
    socketFolder,
    status: status === 'ready' || status === 'stopping' ? status : 'starting',
  };
}

const isTrue = async ({ pid, dataFolder }: PidFile, folder: string) =>
  runsPostgres(pid) && (await sameFolder(dataFolder, folder));

async function sameFolder(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map((path) => stat(path).catch(() => undefined)));
  return a !== undefined && a.ino === b?.ino && a.dev === b.dev;
}

/** Whether the pid is a PostgreSQL process: not a zombie, nor another program that later got the same pid. */
function runsPostgres(pid: number): boolean {
  try {
    const command =
      process.platform === 'linux'
        ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0]
        : execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' });
    return basename(command?.trim() ?? '') === 'postgres';
  } catch {
    return false;
  }
}

/** A postmaster that this process started; it may have failed since. */
export interface StartedPostmaster {
  readonly child: ChildProcess;
  readonly socketFolder: string;
  /** Reads the log lines of this start: the only information about a server that ended. */
  lastWords(): Promise<string>;
}

/**
 * The current owner of each socket folder. An owner removes its folder when it leaves, unless another start has taken
 * the folder over.
 */
const owners = new Map<string, symbol>();

/**
 * Starts PostgreSQL on a cluster, listening on a Unix socket only.
 * @param former the socket folder of a former server; omitted: a new one
 */
export async function startPostmaster(
  postgres: string,
  folder: string,
  account: Account,
  logFile: string,
  settings: Record<string, string>,
  former?: string,
): Promise<StartedPostmaster> {
  await removeFormerSocketFolder(folder);
  // PostgreSQL trusts a stale postmaster.pid if another process has that pid now, unless that process is an ancestor.
  // So declare the stale pid an ancestor. Unlike removing the file, this leaves the race between two starts to
  // PostgreSQL. Only a pid just found stale may be used.
  const noted = await readPidFile(folder);
  const stale = noted && !(await isTrue(noted, folder)) ? noted.pid : undefined;
  const owner = Symbol(folder);
  if (former !== undefined) owners.set(former, owner);
  const socketFolder = former === undefined ? await makeSocketFolder(account) : await makeAgain(former, account);
  owners.set(socketFolder, owner);
  const leave = async () => {
    if (owners.get(socketFolder) !== owner) return;
    owners.delete(socketFolder);
    await removeSocketFolder(socketFolder);
  };
  const log = await openLog(logFile);
  try {
    const { size } = await log.stat();
    const options = { log_checkpoints: 'off', ...settings, listen_addresses: '', port: '5432' };
    const child = spawnAs(
      account,
      postgres,
      [
        '-D',
        folder,
        '-k',
        socketFolder,
        ...Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      ['ignore', log.fd, log.fd],
      stale ? { PG_GRANDPARENT_PID: String(stale) } : {},
    );
    await once(child, 'spawn');
    child.unref();
    child.once('exit', () => void leave());
    return { child, socketFolder, lastWords: async () => (await readFile(logFile)).subarray(size).toString().trim() };
  } catch (error) {
    await leave();
    throw error;
  } finally {
    await log.close();
  }
}

const socketFolderName = 'causeway-';
/** Maximum length of a socket's path in bytes, without the closing zero: 104 on macOS, 108 on Linux with it. */
const maxSocketPathLength = 103;

/** A new folder of mode 0700 with a short path; the data folder's path may be too long for a socket. */
async function makeSocketFolder({ identity }: Account): Promise<string> {
  // root's own TMPDIR may be closed to the account.
  const parents = identity ? ['/tmp', tmpdir()] : [tmpdir(), '/tmp'];
  for (const parent of parents) {
    const prefix = join(parent, socketFolderName);
    // PostgreSQL parses a list with commas and quotes.
    if (/[^\w/.+-]/.test(prefix) || prefix.length + 'XXXXXX/.s.PGSQL.5432'.length > maxSocketPathLength) continue;
    const folder = await mkdtemp(prefix).catch(() => undefined);
    if (!folder) continue;
    if (identity) await chown(folder, identity.uid, identity.gid);
    return folder;
  }
  throw new EmbeddedPostgresError(
    `No folder for PostgreSQL's socket can be made in ${parents.join(' or ')}.`,
    'Set TMPDIR to a folder with a short path that the gateway may write to, or set DATABASE_URL.',
  );
}

/** Creates the socket folder of a former server again. If it exists, it must belong to us. */
async function makeAgain(folder: string, { identity }: Account): Promise<string> {
  try {
    await mkdir(folder, { mode: 0o700 });
    if (identity) await chown(folder, identity.uid, identity.gid);
  } catch (error) {
    const { uid, mode } = await lstat(folder);
    if (
      (error as NodeJS.ErrnoException).code !== 'EEXIST' ||
      uid !== (identity?.uid ?? process.getuid?.()) ||
      (mode & 0o777) !== 0o700
    )
      throw error;
  }
  return folder;
}

/** Removes the socket folder of a server that has ended. */
export async function removeSocketFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => {});
}

/** Removes the socket folder of a killed server. PostgreSQL notes its last options in `postmaster.opts`. */
async function removeFormerSocketFolder(folder: string): Promise<void> {
  const options = await readFile(join(folder, 'postmaster.opts'), 'utf8').catch(() => '');
  // A copied cluster brings this file along: then the socket belongs to the other server.
  const [, rest = ''] = options.split(`"-D" "${folder}" "-k" "`);
  const former = rest.slice(0, rest.indexOf('"'));
  // Check in this order: a server writes its pid before its socket.
  if (basename(former).startsWith(socketFolderName) && !(await findPostmaster(folder)))
    await removeSocketFolder(former);
}

/**
 * Shuts the server down, fast: open transactions are rolled back. Resolves when it has ended, or after half a minute.
 */
export async function stopPostmaster(folder: string, pid: number | undefined): Promise<void> {
  // The pid may belong to another process by now.
  if (pid === undefined || (await findPostmaster(folder))?.pid !== pid) return;
  for (const [signal, stopTimeout] of [
    ['SIGINT', 20_000],
    ['SIGQUIT', 10_000],
  ] as const) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
      throw error;
    }
    for (const deadline = Date.now() + stopTimeout; Date.now() < deadline; await pause(10)) {
      if (!runsPostgres(pid)) return;
    }
  }
}
