import { NotFound } from '../../../errors.ts';
import { isName } from '../../../git/names/index.ts';
import { readRef, resolveCommit } from '../../../git/objects/index.ts';
import type { Commit as GitCommit } from '../../../git/objects/parse.ts';
import { builder } from '../../engine/builder.ts';
import { Commit, commitRecord } from '../commits/types.ts';
import { CommitRefType } from '../commits/around.ts';
import type { RepositoryRecord } from '../repositories/look-up.ts';
import { Repository } from '../repositories/types.ts';
import { withoutSlashes } from '../../../values/text/file-path.ts';

/** Addresses: `feature/one/src/a.ts` names a revision, whose name may have slashes, and then a path. */

interface Location {
  readonly repository: RepositoryRecord;
  readonly ref: string;
  readonly type: 'branch' | 'tag' | null;
  readonly path: string;
  readonly commit: GitCommit;
}

/** Parts of an address that a name of a branch or tag may have. */
const mostParts = 30;

const kinds = { tag: 'refs/tags/', branch: 'refs/heads/' } as const;

/** The branch or tag of a name; a tag comes first, as everywhere in git. */
async function refNamed({ git }: RepositoryRecord, name: string): Promise<'branch' | 'tag' | undefined> {
  if (!git || !isName(name)) return undefined;
  const [tag, branch] = await Promise.all([readRef(git, kinds.tag + name), readRef(git, kinds.branch + name)]);
  if (tag !== undefined) return 'tag';
  return branch === undefined ? undefined : 'branch';
}

/** @throws NotFound ('Commit') */
async function locate(repository: RepositoryRecord, address: string): Promise<Location> {
  const { git } = repository;
  if (!git) throw new NotFound('Commit');
  const parts = withoutSlashes(address).split('/');
  const names = parts.slice(0, mostParts).map((_, index) => parts.slice(0, index + 1).join('/'));
  const types = await Promise.all(names.map((name) => refNamed(repository, name)));
  const longest = types.findLastIndex((type) => type !== undefined);
  const used = Math.max(longest, 0);
  const ref = names[used]!;
  const type = types[used] ?? null;
  const commit = await resolveCommit(git, ref, type ?? undefined);
  if (!commit) throw new NotFound('Commit');
  return { repository, ref, type, path: parts.slice(used + 1).join('/'), commit };
}

const CodeLocation = builder.objectRef<Location>('CodeLocation').implement({
  description: 'A revision of a repository, and a path in it.',
  fields: (t) => ({
    ref: t.exposeString('ref', { description: 'The revision.' }),
    refType: t.expose('type', {
      type: CommitRefType,
      nullable: true,
      description: 'Null if it is no branch and no tag, but a commit.',
    }),
    path: t.exposeString('path', { description: 'What follows; empty for the root.' }),
    commit: t.field({ type: Commit, resolve: ({ repository, commit }) => commitRecord(repository, commit) }),
  }),
});

builder.objectField(Repository, 'location', (t) =>
  t.field({
    type: CodeLocation,
    nullable: true,
    description:
      'What the end of an address names: a revision, then a path. The longest branch or tag that it begins with is the revision; if there is none, its first part.',
    args: { address: t.arg.string({ required: true, description: 'As `feature/one/src/a.ts`.' }) },
    resolve: (repository, { address }) => locate(repository, address),
  }),
);
