import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
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

/** Looks at the marks, and milliseconds between two of them: the first write may be making the marks just now. */
const looks = 5;
const pauseBetween = 100;

/** @throws Unavailable if the folder belongs to another database, or the database to another folder */
export async function requireStorage(place: Place): Promise<void> {
  for (let look = 1; !right.has(place.git) && !(await storageFits(place)); look++) {
    if (look === looks) throw new Unavailable();
    await pause(pauseBetween);
  }
}

/** Gives the folder and the database their mark, if they have none. @throws as `requireStorage` */
export async function markStorage(place: Place): Promise<void> {
  const { database, git } = place;
  if (right.has(git)) return;
  await requireStorage(place);
  if (right.has(git)) return;
  await mkdir(git.root, { recursive: true, mode: 0o700 });
  // Of several writers that begin at once, one makes the file, which has its content from the start; all note what is in it.
  const own = randomUUID();
  const file = markFile(git);
  await writeFile(`${file}-${own}`, own, { flag: 'wx', flush: true });
  try {
    await link(`${file}-${own}`, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(`${file}-${own}`);
  }
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
