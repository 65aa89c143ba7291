import { createHash, randomBytes } from 'node:crypto';
import { access, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Conflict, Invalid, NotFound } from '../errors.ts';
import { branchRef } from '../names/refs.ts';

/**
 * Where repositories lie, and what is in an empty one. The path follows from the number of the record alone, never from
 * a name that people choose (contract S9): renames and transfers touch no files.
 */

/** The path of a repository below the storage's folder. @param id of the record, a positive integer @throws Invalid */
export function pathOf(id: number): string {
  if (!Number.isSafeInteger(id) || id < 1) throw new Invalid('The number of a repository is a positive integer.');
  const hash = createHash('sha256').update(String(id)).digest('hex');
  return `@hashed/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}.git`;
}

/** The configuration of every repository; what matters for safety comes again with each command. */
const configurationFile = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = true
	sharedRepository = false
	logAllRefUpdates = false
	commitGraph = true
	multiPackIndex = true
[gc]
	auto = 0
[maintenance]
	auto = false
[receive]
	autogc = false
	fsckObjects = true
[transfer]
	fsckObjects = true
[uploadpack]
	allowFilter = true
[repack]
	writeBitmaps = true
`;

/** Whether there is a repository at that path. */
export const exists = (path: string): Promise<boolean> =>
  access(join(path, 'HEAD')).then(
    () => true,
    () => false,
  );

/**
 * Makes an empty repository: written aside and renamed, so that it is there whole or not at all. It is what
 * `git init --bare` with an empty template makes, without starting git.
 * @param path absolute
 * @param branch what `HEAD` names until the first push decides
 * @throws Conflict if there is one already
 */
export async function createRepository(path: string, branch = 'main'): Promise<void> {
  if (await exists(path)) throw new Conflict('directory-exists', 'The repository exists already.');
  const head = `ref: ${branchRef(branch)}\n`;
  const draft = `${path}.new-${randomBytes(6).toString('hex')}`;
  try {
    for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags'])
      await mkdir(join(draft, folder), { recursive: true, mode: 0o700 });
    await writeFile(join(draft, 'HEAD'), head, { flush: true });
    await writeFile(join(draft, 'config'), configurationFile, { flush: true });
    await rename(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOTEMPTY' || error.code === 'EEXIST')
        throw new Conflict('directory-exists', 'The repository exists already.');
      throw error;
    });
    await sync(dirname(path));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * Compares a repository's configuration with the expected text, and writes it again if it differs (contract S5): a filter
 * or a program that it names would run. Before each command, since it costs a fiftieth of one.
 * @returns whether it was as expected
 * @throws NotFound if there is no repository
 */
export async function checkConfiguration(path: string): Promise<boolean> {
  const file = join(path, 'config');
  const found = await readFile(file, 'utf8').catch(() => undefined);
  if (found === configurationFile) return true;
  if (found === undefined && !(await exists(path))) throw new NotFound('The repository does not exist.');
  const draft = `${file}.new-${randomBytes(6).toString('hex')}`;
  await writeFile(draft, configurationFile, { flush: true });
  await rename(draft, file);
  return false;
}

/** Makes a rename in this folder last, whatever happens to the machine. */
export async function sync(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
