import { Conflict, Invalid } from '../errors.ts';
import { parseTree } from '../objects/parse.ts';
import type { Repository } from '../repository.ts';
import { newObject, type NewObject } from './objects.ts';

/** A file of a tree that is being edited. */
export interface EditedFile {
  readonly mode: string;
  readonly id: string;
}

/** A folder: read when it is first looked into; undefined `entries`: not read yet. */
interface Folder {
  readonly id: string | undefined;
  entries: Map<string, EditedFile | Folder> | undefined;
  changed: boolean;
}

const isFolder = (entry: EditedFile | Folder | undefined): entry is Folder => entry !== undefined && 'changed' in entry;
const bytesOf = (text: string) => Buffer.from(text).toString('latin1');
const folderOf = (id: string | undefined): Folder => ({
  id,
  entries: id === undefined ? new Map() : undefined,
  changed: false,
});

/**
 * A tree in memory that files are put into and taken from. Only folders on the way are read. Every parent of a file must
 * be a folder or nothing: never a file, a symbolic link or a submodule (contract S10).
 */
export class TreeEditor {
  readonly #repository: Repository;
  readonly #root: Folder;

  /** @param tree the name of the tree to begin with; undefined for an empty one */
  constructor(repository: Repository, tree: string | undefined) {
    this.#repository = repository;
    this.#root = folderOf(tree);
  }

  /** What is at a path. */
  async find(path: string): Promise<EditedFile | 'folder' | undefined> {
    const parts = path.split('/').map(bytesOf);
    let entry: EditedFile | Folder | undefined = this.#root;
    for (const part of parts) {
      if (!isFolder(entry)) return undefined;
      entry = (await this.#open(entry)).get(part);
    }
    return isFolder(entry) ? 'folder' : entry;
  }

  /** Puts a file at a checked path, instead of the file there. @throws Conflict if a folder is there, or a file on the way */
  async put(path: string, file: EditedFile): Promise<void> {
    const parts = path.split('/').map(bytesOf);
    const name = parts.pop()!;
    let folder = this.#root;
    for (const part of parts) {
      const entries = await this.#open(folder);
      folder.changed = true;
      let next = entries.get(part);
      if (next && !isFolder(next)) throw new Conflict('file-exists', 'A file with this name already exists', [path]);
      if (!next) entries.set(part, (next = folderOf(undefined)));
      folder = next;
    }
    const entries = await this.#open(folder);
    if (isFolder(entries.get(name)))
      throw new Conflict('directory-exists', 'A directory with this name already exists', [path]);
    folder.changed = true;
    entries.set(name, file);
  }

  /** Takes a file out that is there; folders that it leaves empty go with it. */
  async remove(path: string): Promise<void> {
    const parts = path.split('/').map(bytesOf);
    const name = parts.pop()!;
    const way: [Folder, string][] = [];
    let folder = this.#root;
    for (const part of parts) {
      way.push([folder, part]);
      folder = (await this.#open(folder)).get(part) as Folder;
    }
    (await this.#open(folder)).delete(name);
    folder.changed = true;
    for (const [parent, part] of way.toReversed()) {
      if ((parent.entries!.get(part) as Folder).entries!.size === 0) parent.entries!.delete(part);
      parent.changed = true;
    }
  }

  /** @returns the name of the tree as it is now, and the trees that are new */
  finish(): { tree: string; objects: NewObject[] } {
    const objects: NewObject[] = [];
    return { tree: treeOf(this.#root, objects), objects };
  }

  async #open(folder: Folder): Promise<Map<string, EditedFile | Folder>> {
    if (folder.entries) return folder.entries;
    const object = await this.#repository.objects.contents(folder.id!, this.#repository.limits.object);
    if (object?.type !== 'tree') throw new Invalid('A folder can not be read.');
    folder.entries = new Map(
      parseTree(object.content).map(({ mode, name, id }) => [name, mode === '040000' ? folderOf(id) : { mode, id }]),
    );
    return folder.entries;
  }
}

/** Writes a folder, and those below that changed. */
function treeOf(folder: Folder, objects: NewObject[]): string {
  if (!folder.changed && folder.id !== undefined) return folder.id;
  const entries = [...folder.entries!].map(([name, entry]) => {
    const below = isFolder(entry);
    // Git compares names byte by byte, those of folders as if they ended in a slash.
    return below
      ? { name, order: `${name}/`, mode: '40000', id: treeOf(entry, objects) }
      : { name, order: name, mode: entry.mode, id: entry.id };
  });
  entries.sort((one, other) => (one.order < other.order ? -1 : 1));
  const parts = entries.flatMap(({ name, mode, id }) => [
    Buffer.from(`${mode} ${name}\0`, 'latin1'),
    Buffer.from(id, 'hex'),
  ]);
  const object = newObject('tree', Buffer.concat(parts));
  objects.push(object);
  return object.id;
}
