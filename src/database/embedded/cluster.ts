import { hash, randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  lstat,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { type Account, canEnter, type Identity, type Outcome, runAs, writeAs } from './account.ts';
import { type Binaries, makeSharedFolder } from './binaries.ts';
import { EmbeddedPostgresError, failedProgram } from './error.ts';

/** A complete cluster: PostgreSQL's data folder with the gateway's role and database in it. */
export interface Cluster {
  /** Real path. */
  readonly folder: string;
  readonly owner: Identity;
  readonly major: number;
}

/** The gateway's role in its cluster, and its database. Not PostgreSQL's superuser. */
export const role = 'causeway';
const superuser = 'postgres';

const passwordsType = z.object({ superuser: z.string().min(1), gateway: z.string().min(1) });
type Passwords = Readonly<z.infer<typeof passwordsType>>;

/** The passwords are in the cluster's folder, so that they are moved and removed together with it. */
const passwordsFile = 'causeway-passwords.json';
/** Where `createCluster` works until the cluster is complete. */
const draftPrefix = '.postgres-';

const linkIn = (dataDir: string) => join(dataDir, 'postgres');

/** Finds the cluster of the data folder. @throws EmbeddedPostgresError when something else is in its place */
export async function findCluster(dataDir: string): Promise<Cluster | undefined> {
  const link = linkIn(dataDir);
  try {
    return await openCluster(link);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  if (!(await lstat(link).catch(() => undefined))) return undefined;
  throw new EmbeddedPostgresError(
    `${link} is not a PostgreSQL data folder.`,
    'Put back what belongs there, or remove it to begin with an empty database, or set DATA_DIR to another folder.',
  );
}

async function openCluster(link: string): Promise<Cluster> {
  const folder = await realpath(link);
  const versionFile = join(folder, 'PG_VERSION');
  const found = await stat(versionFile);
  const text = found.isFile() ? (await readFile(versionFile, 'utf8')).trim() : '';
  if (/^\d+$/.test(text)) return { folder, owner: { uid: found.uid, gid: found.gid }, major: Number(text) };
  throw new EmbeddedPostgresError(
    `${versionFile} is damaged: it doesn't hold the version of PostgreSQL.`,
    'Put back the database folder from a copy (what damaged this file may have damaged others), or set DATA_DIR to another folder and restore a backup there.',
  );
}

const isMissing = (error: unknown) => ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

/** @throws EmbeddedPostgresError when another major version of PostgreSQL made the cluster */
export function refuseOtherMajor({ folder, major }: Cluster, binaries: Binaries): void {
  if (major === binaries.major) return;
  throw new EmbeddedPostgresError(
    `${folder} was made by PostgreSQL ${major}; this gateway brings PostgreSQL ${binaries.major}, which can't read it.`,
    `Start the gateway's former version, dump the database with PostgreSQL ${major}'s pg_dump, and restore it into an empty data folder; ` +
      `or run PostgreSQL ${major} on the folder yourself and set DATABASE_URL; or set DATA_DIR to another folder to begin with an empty database.`,
  );
}

/** @throws EmbeddedPostgresError when the account can't enter the cluster's folder */
export async function refuseUnreachable({ folder }: Cluster, account: Account): Promise<void> {
  if (await canEnter(account, folder)) return;
  throw new EmbeddedPostgresError(
    `${folder} belongs to ${account.name}, who can't enter one of the folders above it.`,
    `Let others pass those folders (chmod o+x), or set DATA_DIR to a folder that ${account.name} can reach.`,
  );
}

/** @throws EmbeddedPostgresError when the file can't be read, or has no passwords */
export async function readPasswords({ folder }: Cluster): Promise<Passwords> {
  const file = join(folder, passwordsFile);
  const remedy = `Put back the ${passwordsFile} that belongs to the database folder, or set DATA_DIR to another folder and restore a backup there.`;
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new EmbeddedPostgresError(
      `The passwords of the database in ${file} can't be read: ${error.message}.`,
      remedy,
      { cause: error },
    );
  });
  const read = passwordsType.safeParse(parsedOrUndefined(text));
  if (!read.success) throw new EmbeddedPostgresError(`The passwords of the database in ${file} are damaged.`, remedy);
  return read.data;
}

function parsedOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Creates the cluster of the data folder. It is synced to disk before it is moved into place: a killed start leaves
 * nothing that a later one would trust. When another start creates one meanwhile, that one is used.
 */
export async function createCluster(
  dataDir: string,
  account: Account,
  binaries: Binaries,
  onNotice: (message: string) => void,
): Promise<Cluster> {
  const inPlace = await openTo(account, dataDir);
  const draft = await mkdtemp(inPlace ? join(dataDir, draftPrefix) : await sharedPrefix(dataDir));
  const cluster = join(draft, 'cluster');
  const link = linkIn(dataDir);
  let kept = false;
  try {
    if (account.identity) await chown(draft, account.identity.uid, account.identity.gid);
    await fill(cluster, account, binaries);
    // Both fail if another start has created a cluster there.
    if (inPlace) await rename(cluster, link);
    else {
      await symlink(cluster, link);
      kept = true;
      onNotice(`${account.name} can't enter ${dataDir}: the database is in ${cluster}, and ${link} links to it.`);
    }
    await sync(dataDir);
    return await openCluster(link);
  } catch (error) {
    const other = await findCluster(dataDir);
    if (!other) throw error;
    return other;
  } finally {
    if (!kept) await rm(draft, { recursive: true, force: true });
  }
}

/**
 * A path prefix that names the data folder it belongs to. A random part follows: after the data folder is removed, the
 * database must start empty.
 */
async function sharedPrefix(dataDir: string): Promise<string> {
  const owner = hash('sha256', await realpath(dataDir), 'hex').slice(0, 16);
  return join(await makeSharedFolder(), `${owner}-`);
}

/** Removes drafts of killed starts. Call it only with the gateway's lock: other starts may be using theirs. */
export async function removeDrafts(dataDir: string): Promise<void> {
  const drafts = (await readdir(dataDir)).filter((name) => name.startsWith(draftPrefix));
  await Promise.all(drafts.map((name) => rm(join(dataDir, name), { recursive: true, force: true }).catch(() => {})));
}

/**
 * Tries to let the account enter the data folder: if only root can, the account's group gets the right to pass, not to
 * list.
 * @returns whether it can
 */
async function openTo(account: Account, dataDir: string): Promise<boolean> {
  if (await canEnter(account, dataDir)) return true;
  const { uid, mode } = await stat(dataDir);
  if (account.identity && uid === 0 && (mode & 0o077) === 0) {
    await chown(dataDir, uid, account.identity.gid);
    await chmod(dataDir, mode | 0o010);
  }
  return canEnter(account, dataDir);
}

async function fill(cluster: string, account: Account, { initdb, postgres }: Binaries): Promise<void> {
  const passwords: Passwords = { superuser: newPassword(), gateway: newPassword() };
  const passwordFile = join(dirname(cluster), 'password');
  await writeAs(account, passwordFile, passwords.superuser);
  await mustSucceed(
    'initdb',
    cluster,
    await runAs(account, initdb, [
      '-D',
      cluster,
      '-U',
      superuser,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      // The same sort order on every system, independent of its locales.
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--no-sync',
      '--no-instructions',
    ]),
  );
  await rm(passwordFile);
  // CREATEDB is safe: every gateway has a server of its own. Tests clone databases.
  const statements = [
    `CREATE ROLE ${role} LOGIN CREATEDB PASSWORD '${passwords.gateway}';`,
    `CREATE DATABASE ${role} OWNER ${role};`,
  ];
  const single = await runAs(
    account,
    postgres,
    ['--single', '-F', '-D', cluster, 'postgres'],
    `${statements.join('\n')}\n`,
  );
  // `postgres --single` goes on after an error and exits with 0.
  await mustSucceed(
    'postgres --single',
    cluster,
    /ERROR|FATAL|PANIC/.test(single.output) ? { ...single, code: 1 } : single,
  );
  await writeAs(account, join(cluster, passwordsFile), `${JSON.stringify(passwords, undefined, 2)}\n`);
  await mustSucceed('initdb --sync-only', cluster, await runAs(account, initdb, ['--sync-only', '-D', cluster]));
}

async function mustSucceed(step: string, cluster: string, { code, output }: Outcome): Promise<void> {
  if (code === 0) return;
  throw await failedProgram(
    `The database can't be made (${step})`,
    output,
    dirname(cluster),
    'Remove the cause it names, or set DATABASE_URL to a PostgreSQL 14 or later.',
  );
}

const newPassword = () => randomBytes(24).toString('base64url');

async function sync(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync();
  await handle.close();
}
