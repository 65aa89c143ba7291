import { NotFound, PlainUnprocessable } from '../../../errors.ts';
import { readTree, readWholeTree } from '../../../git/objects/index.ts';
import type { TreeEntry as GitEntry } from '../../../git/objects/parse.ts';
import { lastCommitOf } from '../../../git/history/index.ts';
import { readCommit } from '../../../git/objects/index.ts';
import { builder } from '../../engine/builder.ts';
import { connectionOf, offsetArg, resolveArrayPage, usually } from '../../engine/page.ts';
import { Commit, commitRecord } from '../commits/types.ts';
import { fileAt } from '../files/fields.ts';
import { RepositoryBlob } from '../files/types.ts';
import type { RepositoryRecord } from '../repositories/look-up.ts';
import { revisionIn } from '../repositories/revision.ts';
import { Repository } from '../repositories/types.ts';
import { TreeEntry, type EntryRecord } from './types.ts';
import { withoutSlashes } from '../../../values/text/file-path.ts';

/** Folders of a repository. */

interface Asked {
  readonly path?: string | null | undefined;
  readonly ref?: string | null | undefined;
  readonly recursive?: boolean | null | undefined;
}

/** The path without slashes around it; empty for the root. */
const folderOf = ({ path }: Pick<Asked, 'path'>): string => withoutSlashes(path ?? '');

/**
 * Folders, then files, then submodules, each as git sorts them.
 * @throws NotFound ('Tree') for an unknown revision, NotFound ('invalid revision or path') for an unknown folder
 */
async function entriesOf(repository: RepositoryRecord, { path: given, ref, recursive }: Asked): Promise<EntryRecord[]> {
  const path = folderOf({ path: given });
  const revision = await revisionIn(repository, ref);
  if (!revision) throw new NotFound('Tree');
  const { git, commit } = revision;
  const found: readonly (GitEntry & { readonly path?: string })[] | undefined = await (recursive
    ? readWholeTree(git, commit.id, path)
    : readTree(git, commit.id, path));
  if (!found) throw new NotFound('invalid revision or path');
  const asked = ref || repository.defaultBranch!;
  const prefix = path === '' ? '' : `${path}/`;
  const sorted: Record<EntryRecord['type'], EntryRecord[]> = { tree: [], blob: [], commit: [] };
  for (const entry of found) {
    const { mode, type, id, name } = entry;
    sorted[type].push({ repository, ref: asked, name, path: entry.path ?? prefix + name, id, type, mode });
  }
  return [...sorted.tree, ...sorted.blob, ...sorted.commit];
}

/** The endings of a README, the best first. */
const readmes = ['md', 'markdown', 'mkd', 'mkdn', 'mdown', '', 'txt', 'rst', 'adoc', 'asciidoc', 'org', 'textile'];

/** The place of a file among those that say what a folder is; -1 if it is none. */
function readmeRank({ name, type }: EntryRecord): number {
  const ending = /^readme(?:\.(?<ending>[a-z]+))?$/i.exec(name)?.groups;
  return ending && type === 'blob' ? readmes.indexOf((ending.ending ?? '').toLowerCase()) : -1;
}

interface TreeRecord {
  readonly repository: RepositoryRecord;
  readonly asked: Asked;
  readonly entries: readonly EntryRecord[];
}

const entriesWith = (type: EntryRecord['type']) => (tree: TreeRecord) =>
  tree.entries.filter((entry) => entry.type === type);

const Tree = builder.objectRef<TreeRecord>('Tree').implement({
  description: 'A folder of a repository.',
  fields: (t) => {
    const list = (description: string, of: (tree: TreeRecord) => readonly EntryRecord[]) =>
      t.connection(
        {
          type: TreeEntry,
          description,
          args: { ...offsetArg },
          resolve: (tree, args) => resolveArrayPage(args, of(tree), ({ path }) => path) as never,
        },
        connectionOf(TreeEntry) as never,
      );
    return {
      entries: list('Folders, files and submodules.', ({ entries }) => entries),
      trees: list('Its folders.', entriesWith('tree')),
      blobs: list('Its files.', entriesWith('blob')),
      submodules: list('Its submodules.', entriesWith('commit')),
      readme: t.field({
        type: RepositoryBlob,
        nullable: true,
        description: 'The file that says what is in it.',
        resolve: async ({ repository, asked, entries }) => {
          const folder = folderOf(asked);
          const [readme] = entries
            .filter((entry) => entry.path === (folder === '' ? entry.name : `${folder}/${entry.name}`))
            .filter((entry) => readmeRank(entry) >= 0)
            .sort((one, other) => readmeRank(one) - readmeRank(other));
          const revision = readme && (await revisionIn(repository, asked.ref));
          return (revision && (await fileAt(repository, revision, readme.path, asked.ref))) ?? null;
        },
      }),
      lastCommit: t.field({
        type: Commit,
        nullable: true,
        description: 'The last commit that changed something in it.',
        resolve: async ({ repository, asked }) => {
          const revision = (await revisionIn(repository, asked.ref))!;
          const path = folderOf(asked);
          if (path === '') return commitRecord(repository, revision.commit);
          const id = await lastCommitOf(revision.git, revision.commit.id, path);
          const commit = id === undefined ? undefined : await readCommit(revision.git, id);
          return commit ? commitRecord(repository, commit) : null;
        },
      }),
    };
  },
});

const folderArgs = builder.args((t) => ({
  path: t.string({ defaultValue: '', description: 'The root if empty.' }),
  ref: t.string({ description: 'A branch, a tag or a commit; the default branch if omitted.' }),
}));

const treeArgs = {
  ...folderArgs,
  ...builder.args((t) => ({
    recursive: t.boolean({ defaultValue: false, description: 'With everything below it.' }),
  })),
};

builder.objectField(Repository, 'tree', (t) =>
  t.field({
    type: Tree,
    nullable: true,
    description: 'A folder.',
    args: treeArgs,
    resolve: async (repository, asked) => ({ repository, asked, entries: await entriesOf(repository, asked) }),
  }),
);

builder.objectField(Repository, 'paginatedTree', (t) =>
  t.connection(
    {
      type: Tree,
      nullable: true,
      description: 'A folder in parts: each page is one folder, with some of its entries.',
      ...usually(1, 1),
      args: { ...offsetArg, ...treeArgs },
      resolve: async (repository, { path, ref, recursive, ...args }) => {
        const asked = { path, ref, recursive };
        const page = await resolveArrayPage(args, await entriesOf(repository, asked), (entry) => entry.path);
        const entries = page.edges.flatMap((edge) => edge?.node ?? []);
        const cursor = page.pageInfo.endCursor ?? '';
        return { ...page, edges: [{ node: { repository, asked, entries }, cursor }] } as never;
      },
    },
    connectionOf(Tree) as never,
  ),
);

builder.objectField(Repository, 'treeEntries', (t) =>
  t.connection(
    {
      type: TreeEntry,
      nullable: true,
      description: 'What is in a folder: folders, then files, then submodules.',
      args: { ...offsetArg, ...treeArgs },
      resolve: async (repository, { path, ref, recursive, ...args }) => {
        const entries = await entriesOf(repository, { path, ref, recursive });
        const after = args.after == null ? null : cursorIn(entries, args.after);
        return resolveArrayPage({ ...args, after }, entries, (entry) => entry.path) as never;
      },
    },
    connectionOf(TreeEntry) as never,
  ),
);

/** The cursor of an entry, which clients also name by its object. @throws PlainUnprocessable if there is none */
function cursorIn(entries: readonly EntryRecord[], cursor: string): string {
  const named = Buffer.from(cursor, 'base64url').toString();
  const found = entries.find(({ path }) => path === named) ?? entries.find(({ id }) => id === named);
  if (!found) throw new PlainUnprocessable(`Invalid page token: ${named}`);
  return Buffer.from(found.path).toString('base64url');
}

builder.objectField(Repository, 'wholeTree', (t) =>
  t.field({
    type: 'JSON',
    nullable: true,
    description: 'All that is below a folder, as entries with `sha`, `name`, `type`, `path` and `mode`.',
    args: folderArgs,
    resolve: async (repository, asked) =>
      (await entriesOf(repository, { ...asked, recursive: true })).map(({ id: sha, name, type, path, mode }) => ({
        sha,
        name,
        type,
        path,
        mode,
      })),
  }),
);
