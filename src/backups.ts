import { existsSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { InstanceKeyError, keyFingerprints } from './auth/index.ts';
import type { Config } from './config/index.ts';
import {
  backUp,
  BackupError,
  checkBackup,
  restore,
  watchedConnection,
  type BackupHeader,
  type CopyProgress,
  type Part,
  type RestoredFiles,
  type RestoreOptions,
} from './database/backup/index.ts';
import { knownKey } from './database/facts.ts';
import { withSession } from './database/migrations/index.ts';
import type { Database, Statement } from './database/index.ts';
import { asGitError } from './git/errors.ts';
import type { Git } from './git/index.ts';
import { adoptInstanceKey, migrationsDir, withDirectConnection } from './maintenance.ts';
import {
  keptRepositories,
  repositoriesAsOfNow,
  restoreMark,
  restoreRepositoryPart,
} from './schema/repository/storage/keep.ts';
import { storageFits } from './schema/repository/storage/mark.ts';
import { version } from './package.ts';
import { filesOf, gitOf } from './store.ts';
import type { FileReader, FileStore } from './storage/files.ts';
import { usualStallTimeout } from './values/time/stall-timeout.ts';

/** Composition for backups: the rows of the database, and the files in the data folder that belong to them. */

export type { BackupHeader, CopyProgress };

export interface BackupChoices {
  /** Without repositories and the files of jobs: something else copies them. */
  readonly databaseOnly?: boolean;
  /** Milliseconds without progress after which it fails. */
  readonly stallTimeout?: number;
}

/** Writes a backup of the database, and of the files that belong to it, to a file. */
export function backUpDatabase(
  config: Config,
  file: string,
  progress: CopyProgress,
  { databaseOnly = false, stallTimeout = usualStallTimeout }: BackupChoices = {},
): Promise<BackupHeader> {
  return withDirectConnection(config, async (to) => {
    const connection = { ...watchedConnection(to, stallTimeout), application_name: 'causeway backup' };
    const git = gitOf(config);
    try {
      return await withSession(connection, (client) =>
        backUp(client, {
          connection,
          file,
          gateway: version,
          keys: () => keysInUse(client, config),
          files: databaseOnly ? undefined : (snapshot) => filesToKeep(config, git, snapshot),
          progress,
          stallTimeout,
        }),
      );
    } finally {
      await git.close();
    }
  });
}

const rowsOf = (client: pg.Client): Pick<Database, 'rows'> => ({
  rows: async <Row>({ text }: Statement<Row>, values: readonly unknown[]) =>
    (await client.query({ text, values: [...values] })).rows as Row[],
});

/** Repositories and the files of jobs, as `keep.ts` says. @throws BackupError if the folder is another database's */
async function filesToKeep(config: Config, git: Git, client: pg.Client): Promise<() => AsyncIterable<Part>> {
  const database = rowsOf(client);
  const kept = await repositoriesAsOfNow(database);
  if (kept.length > 0 && !(await storageFits({ database, git })))
    throw new BackupError(
      `The repositories in ${git.root} don’t belong to this database.`,
      'Set DATA_DIR to the folder that the gateway uses, or back up the rows alone with --database-only.',
    );
  return async function* () {
    yield* keptRepositories(database, git, kept);
    yield* keptFiles(filesOf(config));
  };
}

const jobFiles = 'job-files/';
/** Bytes of a file that are read at a time. */
const atOnce = 65_536;

async function* keptFiles(files: FileStore): AsyncGenerator<Part> {
  for await (const name of files.names()) {
    const file = await files.open(name).catch((error: NodeJS.ErrnoException) => {
      // Removed meanwhile.
      if (error.code !== 'ENOENT') throw error;
    });
    if (!file) continue;
    try {
      yield { name: `${jobFiles}${name}`, content: contentOf(file) };
    } finally {
      await file.close();
    }
  }
}

async function* contentOf(file: FileReader): AsyncGenerator<Buffer> {
  let position = 0;
  for (let chunk: Buffer; (chunk = await file.read(position, atOnce)).length > 0; position += chunk.length) yield chunk;
}

/**
 * The keys under which values may be sealed: those of the settings; if these are wrong or damaged, the key that the
 * database knows. A wrong key must not prevent a backup.
 */
async function keysInUse(client: pg.Client, config: Config): Promise<string[]> {
  const { fingerprint } = await knownKey(client);
  let ours: string[] = [];
  try {
    ours = keyFingerprints(config);
  } catch (error) {
    if (!(error instanceof InstanceKeyError)) throw error;
  }
  return fingerprint === null || ours.includes(fingerprint) ? ours : [fingerprint];
}

export interface RestoreChoices
  extends Pick<RestoreOptions, 'signOut' | 'progress' | 'onNotice'>, Partial<Pick<RestoreOptions, 'stallTimeout'>> {
  /** Whether to restore without a key under which something in the backup is sealed. */
  readonly otherKey: boolean;
  /** Whether the files of the backup are left out: they were copied otherwise. */
  readonly databaseOnly?: boolean;
}

/** Restores a backup into an empty database, and its files into an empty data folder. */
export async function restoreDatabase(
  config: Config,
  file: string,
  { otherKey, databaseOnly = false, ...choices }: RestoreChoices,
): Promise<BackupHeader> {
  const { progress } = choices;
  const header = await checkBackup(file, progress);
  if (!otherKey) refuseOtherKey(config, header);
  const withFiles = header.files && !databaseOnly;
  if (withFiles) await refuseFiles(config);
  await withDirectConnection(
    config,
    (connection) =>
      restore({
        connection,
        migrationsDir,
        file,
        stallTimeout: usualStallTimeout,
        files: withFiles ? (parts, client) => restoreFiles(config, parts, client) : undefined,
        ...choices,
      }),
    true,
  );
  if (otherKey) await adoptInstanceKey(config);
  return header;
}

/** Refuses a backup that needs a missing key. @throws BackupError */
function refuseOtherKey(config: Config, { keys, tables }: BackupHeader): void {
  const ours = keyFingerprints(config);
  if (keys.every((key) => ours.includes(key))) return;
  const people = tables.find(({ name }) => name === 'second_factors')?.rows ?? 0;
  throw new BackupError(
    `The backup was made under another instance key. Without it the second factors of ${people} people, their recovery codes, and tokens that an operator chose stop working.`,
    'Set CAUSEWAY_SECRET_KEY to the key that the backed-up gateway had (its secret.key, where it had an embedded database), or restore without it with --other-key.',
  );
}

/** Refuses a data folder that has repositories or files of jobs. @throws BackupError */
async function refuseFiles(config: Config): Promise<void> {
  for (const folder of foldersOf(config)) {
    const names = await readdir(folder).catch(() => []);
    // What an instance shows of projects without a repository.
    if (names.every((name) => name === '+empty.git')) continue;
    throw new BackupError(
      `${folder} isn't empty.`,
      'Name a new folder in DATA_DIR, or restore the rows alone with --database-only if its files are those of the backup.',
    );
  }
}

const foldersOf = ({ dataDir }: Config) => ['repositories', 'job-files'].map((name) => join(dataDir, name));

/** Where files are written until the rows are there. */
const asideOf = ({ dataDir }: Config) => join(dataDir, 'restoring');

async function restoreFiles(config: Config, parts: AsyncIterable<Part>, client: pg.Client): Promise<RestoredFiles> {
  const aside = { ...config, dataDir: asideOf(config) };
  const placed: string[] = [];
  const discard = async () => {
    for (const folder of [aside.dataDir, ...placed]) await rm(folder, { recursive: true, force: true });
  };
  await discard();
  const git = gitOf(aside);
  try {
    const files = filesOf(aside);
    for await (const part of parts) {
      if (await restoreRepositoryPart(git, part)) continue;
      if (part.name.startsWith(jobFiles)) await restoreFile(files, part.name.slice(jobFiles.length), part.content);
    }
    await restoreMark(rowsOf(client), git);
  } catch (error) {
    await discard();
    throw inWords(error);
  } finally {
    await git.close();
  }
  return {
    async place() {
      for (const [index, from] of foldersOf(aside).entries()) {
        if (!existsSync(from)) continue;
        const to = foldersOf(config)[index]!;
        await rm(to, { recursive: true, force: true });
        await rename(from, to);
        placed.push(to);
      }
      await rm(aside.dataDir, { recursive: true, force: true });
    },
    discard,
  };
}

async function restoreFile(files: FileStore, name: string, content: AsyncIterable<Buffer>): Promise<void> {
  const file = await files.create(name);
  for await (const chunk of content) await file.write(chunk);
  await file.finish();
}

function inWords(error: unknown): unknown {
  const known = asGitError(error);
  if (!known) return error;
  return new BackupError(
    `A repository of the backup can’t be restored: ${known.message}`,
    'Nothing was changed. Look for free space and git (causeway doctor), or take another backup.',
    { cause: error },
  );
}
