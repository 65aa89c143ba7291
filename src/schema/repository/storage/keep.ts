import { mkdir, writeFile } from 'node:fs/promises';
import type { Part } from '../../../database/backup/index.ts';
import type { Database } from '../../../database/index.ts';
import type { Git } from '../../../git/index.ts';
import { listRefs, readHead, setHead } from '../../../git/refs/index.ts';
import type { Repository } from '../../../git/repository.ts';
import { addPack, packOf, writeFirstRefs } from '../../../git/storage/copy.ts';
import { createRepository, exists } from '../../../git/storage/index.ts';
import { markFile } from './mark.ts';
import { findHeldBefore, findKept, findMark, hasRepositories, type KeptRow } from './statements.ts';

/**
 * Repositories in a backup. The rows are those of one moment, and people push meanwhile: each repository is kept with the
 * references that it had at that moment, by its journal. Its objects are read later, so what the rows name is among them.
 */

type Rows = Pick<Database, 'rows'>;

const folder = 'repositories';
const packName = (id: number) => `${folder}/${id}.pack`;
const refsName = (id: number) => `${folder}/${id}.refs`;
const named = /^repositories\/(?<id>\d{1,15})\.(?<kind>pack|refs)$/;

/** Notes where the journal of each repository ends. @param database a snapshot */
export async function repositoriesAsOfNow(database: Rows): Promise<readonly KeptRow[]> {
  return (await knowsRepositories(database)) ? await database.rows(findKept, []) : [];
}

/** Whether the database is of a version that had repositories. */
async function knowsRepositories(database: Rows): Promise<boolean> {
  const [row] = await database.rows(hasRepositories, []);
  return row!.has;
}

/** @param database as it is now, not the snapshot @param kept from `repositoriesAsOfNow` */
export async function* keptRepositories(database: Rows, git: Git, kept: readonly KeptRow[]): AsyncGenerator<Part> {
  for (const row of kept) {
    const repository = git.repository(row.id);
    // Nothing was written to it yet, or its project was removed meanwhile.
    if (!(await exists(repository.path))) continue;
    const head = await readHead(repository);
    const refs = await refsAt(database, repository, row);
    const tips = await thoseThere(repository, [...refs.values(), ...row.pending]);
    if (tips.length > 0) yield { name: packName(row.id), content: await packOf(repository, tips) };
    const there = new Set(tips);
    const lines = [...refs].filter(([, id]) => there.has(id)).map(([ref, id]) => `${id} ${ref}\n`);
    yield { name: refsName(row.id), content: ofText(`${head ?? ''}\n${lines.join('')}`) };
    repository.release();
  }
}

/** The references as they were when the rows were: later changes are taken back, made or not. */
async function refsAt(database: Rows, repository: Repository, { id, last }: KeptRow): Promise<Map<string, string>> {
  const refs = new Map((await listRefs(repository, { below: ['refs'] })).map((one) => [one.ref, one.id]));
  for (const { ref, before } of await database.rows(findHeldBefore, [id, last])) {
    if (before === null) refs.delete(ref);
    else refs.set(ref, before);
  }
  // Objects that are just being written.
  for (const ref of refs.keys()) if (ref.startsWith('refs/tmp/')) refs.delete(ref);
  return refs;
}

/** Those objects that are there: a branch that was deleted weeks ago, while the backup went on, may have none. */
async function thoseThere({ objects }: Repository, ids: readonly string[]): Promise<string[]> {
  const unique = [...new Set(ids)];
  const found = await Promise.all(unique.map(async (id) => ((await objects.info(id)) ? id : [])));
  return found.flat();
}

async function* ofText(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

/** Takes one part of a backup. @returns false if it is none of a repository @throws GitError */
export async function restoreRepositoryPart(git: Git, { name, content }: Part): Promise<boolean> {
  const { id, kind } = named.exec(name)?.groups ?? {};
  if (id === undefined) return false;
  const repository = git.repository(Number(id));
  if (!(await exists(repository.path))) await createRepository(repository.path);
  if (kind === 'pack') await addPack(repository, content);
  else await restoreRefs(repository, await textOf(content));
  return true;
}

async function textOf(content: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function restoreRefs(repository: Repository, text: string): Promise<void> {
  const [head, ...lines] = text.split('\n').slice(0, -1);
  const refs = lines.map((line) => ({ id: line.slice(0, 40), ref: line.slice(41) }));
  if (refs.length > 0) await writeFirstRefs(repository, refs);
  if (head) await setHead(repository, head);
}

/** Gives a folder of restored repositories the mark that their database has. */
export async function restoreMark(database: Rows, git: Git): Promise<void> {
  const [row] = (await knowsRepositories(database)) ? await database.rows(findMark, []) : [];
  if (!row) return;
  await mkdir(git.root, { recursive: true, mode: 0o700 });
  await writeFile(markFile(git), row.mark, { flush: true });
}
