import { BadRequest, NotFound } from '../../../errors.ts';
import { blame } from '../../../git/blame/index.ts';
import { findFile, readCommits } from '../../../git/objects/index.ts';
import { builder } from '../../engine/builder.ts';
import { connectionOf, offsetArg, resolveArrayPage } from '../../engine/page.ts';
import { Commit, commitRecord, type CommitRecord } from '../commits/types.ts';
import type { RepositoryRecord } from '../repositories/look-up.ts';
import { revisionIn, type Revision } from '../repositories/revision.ts';
import { Repository } from '../repositories/types.ts';
import { blobIn, GitBlob, RepositoryBlob, type FileRecord } from './types.ts';

/** Files of a repository. */

const refDescription = 'A branch, a tag or a commit; the default branch if omitted.';

/** The file at a path; undefined if there is none. */
export async function fileAt(
  repository: RepositoryRecord,
  { git, commit }: Revision,
  path: string,
  ref: string | null | undefined,
): Promise<FileRecord | undefined> {
  const found = await findFile(git, commit.id, path);
  return found && { ...found, repository, path, ref: ref || repository.defaultBranch!, commit: commit.id };
}

const mostPaths = 100;

builder.objectFields(Repository, (t) => ({
  file: t.field({
    type: RepositoryBlob,
    nullable: true,
    description: 'A file by its path. What a symbolic link contains is its target.',
    args: { path: t.arg.string({ required: true }), ref: t.arg.string({ description: refDescription }) },
    resolve: async (repository, { path, ref }) => {
      const revision = await revisionIn(repository, ref);
      if (!revision) throw new NotFound('Commit');
      const file = await fileAt(repository, revision, path, ref);
      if (!file) throw new NotFound('File');
      return file;
    },
  }),
  blobs: t.connection(
    {
      type: RepositoryBlob,
      nullable: true,
      description: 'Files by their paths; those that aren’t there are left out.',
      args: {
        ...offsetArg,
        paths: t.arg.stringList({ required: true, description: `At most ${mostPaths}.` }),
        ref: t.arg.string({ description: refDescription }),
      },
      resolve: async (repository, { paths, ref, ...args }) => {
        if (paths.length > mostPaths) throw new BadRequest(`Name no more than ${mostPaths} files.`);
        const revision = await revisionIn(repository, ref);
        const found = revision ? await Promise.all(paths.map((path) => fileAt(repository, revision, path, ref))) : [];
        return resolveArrayPage(
          args,
          found.filter((file) => file !== undefined),
          ({ path }) => path,
        ) as never;
      },
    },
    connectionOf(RepositoryBlob) as never,
  ),
  blob: t.field({
    type: GitBlob,
    nullable: true,
    description: 'What a file contained, by the name of the object: 40 hexadecimal digits.',
    args: { sha: t.arg.string({ required: true }) },
    resolve: async (repository, { sha }) => {
      const blob = await blobIn(repository, sha);
      if (!blob) throw new NotFound('Blob');
      return blob;
    },
  }),
}));

/** Neighbouring lines of one commit. */
interface BlameRecord {
  readonly commit: CommitRecord;
  readonly start: number;
  readonly lines: readonly string[];
}

const BlameGroup = builder.objectRef<BlameRecord>('BlameGroup').implement({
  description: 'Neighbouring lines of a file that the same commit wrote.',
  fields: (t) => ({
    commit: t.expose('commit', { type: Commit }),
    startLine: t.exposeInt('start', { description: 'The number of the first line, from 1.' }),
    lines: t.stringList({ description: 'Without line ends.', resolve: ({ lines }) => [...lines] }),
  }),
});

builder.objectField(RepositoryBlob, 'blame', (t) =>
  t.field({
    type: [BlameGroup],
    description: 'Which commit wrote which lines.',
    args: {
      fromLine: t.arg.int({ description: 'The first line, from 1.' }),
      toLine: t.arg.int({ description: 'The last line.' }),
    },
    resolve: async ({ repository, commit, path }, { fromLine, toLine }) => {
      const git = repository.git!;
      const range = fromLine == null || toLine == null ? {} : { range: [fromLine, toLine] as const };
      const groups = await blame(git, { commit, path, ...range });
      const commits = await readCommits(git, [...new Set(groups.map((group) => group.commit))]);
      const byId = new Map(commits.map((one) => [one.id, commitRecord(repository, one)]));
      return groups.map(({ commit: id, start, lines }) => ({ commit: byId.get(id)!, start, lines }));
    },
  }),
);
