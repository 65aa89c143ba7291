import type { Readable } from 'node:stream';
import { NotFound, TooLarge } from '../errors.ts';
import { checkedObject, isObjectName } from '../names/refs.ts';
import { isReadable } from '../names/paths.ts';
import { candidates } from '../names/revisions.ts';
import type { ObjectInfo, StoredObject } from '../pool/objects.ts';
import type { Repository } from '../repository.ts';
import { outputOf } from '../runner/output.ts';
import { parseCommit, parseTag, parseTree, shown, typeOf, type Commit, type Tag, type TreeEntry } from './parse.ts';

/** Reading objects: revisions, commits, trees, files. A missing thing is undefined. */

/**
 * The commit that a revision stands for: `HEAD`, a branch, a tag, or 7 to 64 hex digits.
 * @param only restricts it to branches or to tags
 * @returns undefined for anything else, also for revision syntax
 */
export async function resolveCommit(
  repository: Repository,
  revision: string,
  only?: 'branch' | 'tag',
): Promise<Commit | undefined> {
  const { objects, limits } = repository;
  const found = candidates(revision, only).map((name) => objects.contents(`${name}^{commit}`, limits.object));
  for (const object of await Promise.all(found)) if (object) return parseCommit(object.id, object.content);
  return undefined;
}

/** The name of the object that a reference holds. @param ref a full name */
export async function readRef(repository: Repository, ref: string): Promise<string | undefined> {
  return (await repository.objects.info(ref))?.id;
}

/** A commit by its full name. @throws TooLarge for one of many megabytes */
export async function readCommit(
  { objects, limits }: Pick<Repository, 'objects' | 'limits'>,
  id: string,
): Promise<Commit | undefined> {
  const object = await objects.contents(`${checkedObject(id)}^{commit}`, limits.object);
  return object && parseCommit(object.id, object.content);
}

/** Commits by their full names, in that order. @throws NotFound if one is missing */
export async function readCommits({ objects, limits }: Repository, ids: readonly string[]): Promise<Commit[]> {
  const commits = await Promise.all(ids.map((id) => readCommit({ objects, limits }, id)));
  if (commits.includes(undefined)) throw new NotFound('A commit does not exist.');
  return commits as Commit[];
}

/** An annotated tag by its full name; undefined for any other object. */
export async function readTag(repository: Repository, id: string): Promise<Tag | undefined> {
  const object = await repository.objects.contents(checkedObject(id), repository.limits.object);
  return object?.type === 'tag' ? parseTag(object.id, object.content) : undefined;
}

/**
 * What git calls the object at a path of a commit; the root for an empty path. Git answers with lines, and repeats the
 * name of what is missing. So a path with a line feed is looked up in the trees here, and called by its id.
 */
async function nameAt(repository: Repository, commit: string, path: string): Promise<string | undefined> {
  const root = `${checkedObject(commit)}^{tree}`;
  if (path === '') return root;
  if (!path.includes('\n')) return `${checkedObject(commit)}:${path}`;
  let name: string | undefined = root;
  for (const part of path.split('/')) {
    if (name === undefined) return undefined;
    const tree: StoredObject | undefined = await repository.objects.contents(name, repository.limits.object);
    const called = Buffer.from(part).toString('latin1');
    name = tree?.type === 'tree' ? parseTree(tree.content).find((one) => one.name === called)?.id : undefined;
  }
  return name;
}

/** The object at a path of a commit. @param path empty for the root */
async function contentsAt(repository: Repository, commit: string, path: string): Promise<StoredObject | undefined> {
  const name = await nameAt(repository, commit, path);
  return name === undefined ? undefined : await repository.objects.contents(name, repository.limits.object);
}

/** The object at a path of a commit, without its bytes. @param path empty for the root */
export async function infoAt(repository: Repository, commit: string, path: string): Promise<ObjectInfo | undefined> {
  const name = await nameAt(repository, commit, path);
  return name === undefined ? undefined : await repository.objects.info(name);
}

/**
 * The entries of a folder, in git's order.
 * @param commit a full name
 * @param path of the folder; empty for the root
 * @returns undefined if there is no folder with that path
 */
export async function readTree(repository: Repository, commit: string, path = ''): Promise<TreeEntry[] | undefined> {
  if (path !== '' && !isReadable(path)) return undefined;
  const object = await contentsAt(repository, commit, path);
  return object?.type === 'tree' ? parseTree(object.content).map(shown) : undefined;
}

/** An entry with its whole path. */
export type PathEntry = TreeEntry & { readonly path: string };

/**
 * All entries below a folder, folders included, in git's order.
 * @returns undefined if there is no folder with that path
 * @throws TooLarge for more than `limits.treeEntries`
 */
export async function readWholeTree(
  repository: Repository,
  commit: string,
  path = '',
  signal?: AbortSignal,
): Promise<PathEntry[] | undefined> {
  if (path !== '' && !isReadable(path)) return undefined;
  const tree = await infoAt(repository, commit, path);
  if (tree?.type !== 'tree') return undefined;
  const output = await repository.read(['ls-tree', '-r', '-t', '-z', '--full-tree', tree.id], { signal });
  const entries: PathEntry[] = [];
  for (let at = 0; at < output.length;) {
    const end = output.indexOf(0, at);
    const tab = output.indexOf(9, at);
    const [mode, , id] = output.toString('latin1', at, tab).split(' ') as [string, string, string];
    const below = output.toString('utf8', tab + 1, end);
    entries.push({
      mode,
      type: typeOf(mode),
      id,
      name: below.slice(below.lastIndexOf('/') + 1),
      path: path === '' ? below : `${path}/${below}`,
    });
    if (entries.length > repository.limits.treeEntries) throw new TooLarge('The tree', repository.limits.treeEntries);
    at = end + 1;
  }
  return entries;
}

/**
 * All files of a commit with their sizes in bytes; without symbolic links and submodules.
 * @param commit a full name
 * @throws TooLarge for more than `limits.treeEntries`
 */
export async function fileSizes(
  repository: Repository,
  commit: string,
): Promise<{ readonly path: string; readonly size: number }[]> {
  const output = await repository.read(['ls-tree', '-r', '-l', '-z', '--full-tree', checkedObject(commit)]);
  const lines = output.toString().split('\0', repository.limits.treeEntries + 1);
  if (lines.length > repository.limits.treeEntries) throw new TooLarge('The tree', repository.limits.treeEntries);
  return lines.flatMap((line) => {
    const found = /^100\d+ blob \w+ +(?<size>\d+)\t(?<path>[^]+)$/.exec(line)?.groups;
    return found ? [{ path: found.path!, size: Number(found.size) }] : [];
  });
}

/** A file: where it is, and what its content is called. */
export interface FileEntry extends ObjectInfo {
  readonly mode: string;
}

/**
 * The file at a path: a symbolic link is a file whose content is its target.
 * @param commit a full name
 * @returns undefined if there is none, or a folder or submodule
 */
export async function findFile(repository: Repository, commit: string, path: string): Promise<FileEntry | undefined> {
  if (!isReadable(path)) return undefined;
  const slash = path.lastIndexOf('/');
  const [tree, info] = await Promise.all([
    contentsAt(repository, commit, slash < 0 ? '' : path.slice(0, slash)),
    infoAt(repository, commit, path),
  ]);
  if (info?.type !== 'blob' || tree?.type !== 'tree') return undefined;
  const name = Buffer.from(path.slice(slash + 1)).toString('latin1');
  const entry = parseTree(tree.content).find((one) => one.name === name);
  return entry && { ...info, mode: entry.mode };
}

/** What an object of that name is. @param id 40 or 64 hex digits; anything else is undefined */
export async function readInfo(repository: Repository, id: string): Promise<ObjectInfo | undefined> {
  return isObjectName(id) ? await repository.objects.info(id) : undefined;
}

/**
 * A blob's bytes, in memory.
 * @returns undefined if there is no blob of that name
 * @throws TooLarge above `limits.blob`, before it is read
 */
export async function readBlob(repository: Repository, id: string): Promise<Buffer | undefined> {
  const info = await readInfo(repository, id);
  if (info?.type !== 'blob') return undefined;
  return await contentOf(repository, info);
}

/** The bytes of a blob that was found. @throws TooLarge, NotFound */
export async function contentOf(repository: Repository, { id, size }: ObjectInfo): Promise<Buffer> {
  const { limits, objects } = repository;
  if (size > limits.blob) throw new TooLarge('The file', limits.blob);
  const object = await objects.contents(checkedObject(id), limits.blob);
  if (!object) throw new NotFound('The object does not exist.');
  return object.content;
}

/**
 * A blob's bytes as a stream, however many: by a process of its own, so that a slow reader holds up no other. Destroy
 * the stream to end it.
 * @throws Busy, Broken
 */
export async function streamBlob(repository: Repository, { id }: ObjectInfo, signal?: AbortSignal): Promise<Readable> {
  const job = await repository.start(['cat-file', 'blob', checkedObject(id)], { kind: 'stream', signal });
  return outputOf(job, signal);
}
