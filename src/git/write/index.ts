import { Conflict, Invalid, NotFound, TooLarge } from '../errors.ts';
import { lastCommitOf } from '../history/index.ts';
import { checkedPath, isSpecial } from '../names/paths.ts';
import { checkedObject, isName } from '../names/refs.ts';
import { contentOf, readCommit } from '../objects/index.ts';
import type { Repository } from '../repository.ts';
import { storable } from '../../values/text/storable.ts';
import { personLine, type Identity } from './identity.ts';
import { newObject, writeObjects, type NewObject } from './objects.ts';
import { TreeEditor, type EditedFile } from './tree.ts';

export type { Identity };

/** A change of one file. Paths have no leading slash. */
export type Action =
  | { readonly action: 'create'; readonly path: string; readonly content: Buffer; readonly executable?: boolean }
  | {
      readonly action: 'update';
      readonly path: string;
      readonly content: Buffer;
      readonly executable?: boolean;
      readonly lastCommitId?: string;
    }
  | { readonly action: 'delete'; readonly path: string; readonly lastCommitId?: string }
  | {
      readonly action: 'move';
      readonly path: string;
      readonly previousPath: string;
      /** The content stays, if omitted. */
      readonly content?: Buffer;
      readonly lastCommitId?: string;
    }
  | { readonly action: 'chmod'; readonly path: string; readonly executable: boolean }
  /** A submodule names another commit, of a repository that isn't here. */
  | { readonly action: 'submodule'; readonly path: string; readonly commit: string };

/** A commit to be made. */
export interface NewCommit {
  /** Full names; the first is what the actions start from. None for a root commit. */
  readonly parents: readonly string[];
  readonly message: string;
  readonly author: Identity;
  readonly committer: Identity;
}

const modeOf = (executable: boolean | undefined) => (executable ? '100755' : '100644');
const isLink = ({ mode }: EditedFile) => mode === '120000';
const isSubmodule = ({ mode }: EditedFile) => mode === '160000';

/**
 * Makes a commit by actions, applied one after another, all or none. No reference moves: `refs` does that.
 * @returns the commit's name
 * @throws Invalid for a bad path, Conflict ('file-exists', 'directory-exists', 'no-file', 'changed'), NotFound for an
 *   unknown parent, TooLarge
 */
export async function commitActions(
  repository: Repository,
  commit: NewCommit,
  actions: readonly Action[],
): Promise<string> {
  const { limits } = repository;
  if (actions.length > limits.actions) throw new TooLarge('The list of actions', limits.actions);
  const [base] = commit.parents;
  const parent = base === undefined ? undefined : await readCommit(repository, base);
  if (base !== undefined && !parent) throw new NotFound('The parent does not exist.');
  const tree = new TreeEditor(repository, parent?.tree);
  const blobs: NewObject[] = [];
  let checked = false;
  for (const action of actions) {
    const changed = [action.path, ...(action.action === 'move' ? [action.previousPath] : [])].map(checkedPath);
    checked ||= changed.some((path) => path.split('/').some(isSpecial));
    if ('lastCommitId' in action && action.lastCommitId !== undefined)
      await expectLastCommit(repository, base, changed.at(-1)!, action.lastCommitId);
    await apply(repository, tree, action, blobs);
  }
  const { tree: id, objects } = tree.finish();
  // An empty tree may be nowhere in the repository yet.
  return await writeCommit(repository, commit, id, [...blobs, ...objects], checked);
}

async function apply(repository: Repository, tree: TreeEditor, action: Action, blobs: NewObject[]): Promise<void> {
  const { path } = action;
  const blob = (content: Buffer) => {
    if (content.length > repository.limits.blob) throw new TooLarge('The file', repository.limits.blob);
    const object = newObject('blob', content);
    blobs.push(object);
    return object.id;
  };
  const existing = async (at: string): Promise<EditedFile> => {
    const found = await tree.find(at);
    if (!found || found === 'folder') throw new Conflict('no-file', "A file with this name doesn't exist", [at]);
    if (isSubmodule(found)) throw new Conflict('no-file', 'A submodule has no content here', [at]);
    return found;
  };
  const absent = async () => {
    const found = await tree.find(path);
    if (found === 'folder') throw new Conflict('directory-exists', 'A directory with this name already exists', [path]);
    if (found) throw new Conflict('file-exists', 'A file with this name already exists', [path]);
  };
  switch (action.action) {
    case 'create': {
      await absent();
      return await tree.put(path, { mode: modeOf(action.executable), id: blob(action.content) });
    }
    case 'update': {
      const before = await existing(path);
      // A symbolic link becomes a file: nothing is written through it (contract S11).
      const mode =
        action.executable === undefined ? (isLink(before) ? '100644' : before.mode) : modeOf(action.executable);
      return await tree.put(path, { mode, id: blob(action.content) });
    }
    case 'delete': {
      await existing(path);
      return await tree.remove(path);
    }
    case 'move': {
      const before = await existing(action.previousPath);
      await tree.remove(action.previousPath);
      await absent();
      const mode = action.content !== undefined && isLink(before) ? '100644' : before.mode;
      // Git would follow a link in place of `.gitmodules` when it is checked out.
      if (isLink({ ...before, mode }) && path.split('/').some(isSpecial)) throw new Invalid(`invalid path: '${path}'`);
      // Moved to a name that git interprets, the content is checked as if it were new.
      const content = action.content ?? (await movedContent(repository, before, path, blobs));
      return await tree.put(path, { mode, id: content ? blob(content) : before.id });
    }
    case 'chmod': {
      const before = await existing(path);
      if (isLink(before)) throw new Conflict('no-file', 'A symbolic link has no mode', [path]);
      return await tree.put(path, { mode: modeOf(action.executable), id: before.id });
    }
    case 'submodule': {
      const before = await tree.find(path);
      if (!before || before === 'folder' || !isSubmodule(before)) throw new Invalid('Invalid submodule path');
      if (before.id === action.commit)
        throw new Conflict('empty', `The submodule ${path} is already at ${action.commit}`, [path]);
      return await tree.put(path, { mode: before.mode, id: checkedObject(action.commit) });
    }
  }
}

async function movedContent(
  repository: Repository,
  { id }: EditedFile,
  path: string,
  blobs: readonly NewObject[],
): Promise<Buffer | undefined> {
  if (!path.split('/').some(isSpecial)) return undefined;
  const fresh = blobs.find((one) => one.id === id);
  if (fresh) return fresh.content;
  const info = await repository.objects.info(id);
  return info && (await contentOf(repository, info));
}

async function expectLastCommit(repository: Repository, tip: string | undefined, path: string, expected: string) {
  const last = tip === undefined ? undefined : await lastCommitOf(repository, tip, path);
  if (last !== expected)
    throw new Conflict('changed', `The file has changed since you started editing it: ${path}`, [path]);
}

/**
 * Writes a commit of a tree, with further new objects.
 * @param tree the name of a tree that is there or among the objects
 * @returns the commit's name
 */
export async function writeCommit(
  repository: Repository,
  { parents, message, author, committer }: NewCommit,
  tree: string,
  objects: readonly NewObject[] = [],
  checked = false,
): Promise<string> {
  const lines = [
    `tree ${checkedObject(tree)}`,
    ...[...new Set(parents)].map((parent) => `parent ${checkedObject(parent)}`),
    `author ${personLine(author)}`,
    `committer ${personLine(committer)}`,
    '',
    storable(message),
  ];
  const commit = newObject('commit', Buffer.from(lines.join('\n')));
  await writeObjects(repository, [...objects, commit], checked);
  return commit.id;
}

/**
 * Writes an annotated tag of a commit. No reference is made.
 * @returns the tag object's name
 * @throws Invalid for a bad name
 */
export async function writeTag(
  repository: Repository,
  { name, commit, message, tagger }: { name: string; commit: string; message: string; tagger: Identity },
): Promise<string> {
  if (!isName(name)) throw new Invalid('The name of a branch or tag is invalid.');
  const text = storable(message);
  const lines = [`object ${checkedObject(commit)}`, 'type commit', `tag ${name}`, `tagger ${personLine(tagger)}`, ''];
  const tag = newObject('tag', Buffer.from(`${lines.join('\n')}\n${text}${text.endsWith('\n') ? '' : '\n'}`));
  await writeObjects(repository, [tag]);
  return tag.id;
}
