import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../../database/index.ts';
import { Unavailable } from '../../../errors.ts';
import type { Git } from '../../../git/index.ts';
import { exists } from '../../../git/storage/index.ts';
import { countRepositories, findMark, storeMark } from './statements.ts';

/**
 * Whether the folder of repositories belongs to the database. Both have a mark, made with the first write. A gateway that
 * was started with another folder would show projects without what was pushed to them, or with what was pushed to others.
 */

interface Place {
  readonly database: Pick<Database, 'rows'>;
  readonly git: Git;
}

/** Folders that were found to belong to their database. */
const right = new WeakSet<Git>();

/** The file with the mark. */
export const markFile = ({ root }: Git): string => join(root, 'mark');

const markIn = (git: Git) =>
  readFile(markFile(git), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });

/** Whether the folder belongs to the database. Before the first write, neither has a mark. */
export async function storageFits({ database, git }: Place): Promise<boolean> {
  if (right.has(git)) return true;
  const [[row], mark] = await Promise.all([database.rows(findMark, []), markIn(git)]);
  if (row?.mark !== mark) return false;
  if (mark !== undefined) right.add(git);
  return true;
}

/** @throws Unavailable if the folder belongs to another database, or the database to another folder */
export async function requireStorage(place: Place): Promise<void> {
  if (!right.has(place.git) && !(await storageFits(place))) throw new Unavailable();
}

/** Gives the folder and the database their mark, if they have none. @throws as `requireStorage` */
export async function markStorage(place: Place): Promise<void> {
  const { database, git } = place;
  if (right.has(git)) return;
  await requireStorage(place);
  if (right.has(git)) return;
  await mkdir(git.root, { recursive: true, mode: 0o700 });
  // Of several processes that begin at once, one writes the file; all note what is in it.
  await writeFile(markFile(git), randomUUID(), { flag: 'wx', flush: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await database.rows(storeMark, [await markIn(git)]);
  await requireStorage(place);
}

/** How many repositories the database has, how many bytes they were counted to have, and which have no files. */
export async function countedRepositories({
  database,
  git,
}: Place): Promise<{ count: number; bytes: number; missing: readonly number[] }> {
  const rows = await database.rows(countRepositories, []);
  const missing: number[] = [];
  for (const { id } of rows) if (!(await exists(git.repository(id).path))) missing.push(id);
  return { count: rows.length, bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0), missing };
}
