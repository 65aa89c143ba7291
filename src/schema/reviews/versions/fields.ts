import { Readable } from 'node:stream';
import type { Context } from '../../../context.ts';
import { parent } from '../../../database/list.ts';
import { NotFound, Unauthenticated } from '../../../errors.ts';
import { diffBetween, diffLimits } from '../../../git/diff/index.ts';
import { mailedPatches, patchBetween } from '../../../git/diff/raw.ts';
import { gitOwner } from '../../repository/repositories/git-owner.ts';
import { holdDiff } from '../../repository/repositories/hold.ts';
import { logPage, countCommits } from '../../../git/history/index.ts';
import { reads } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { identify, idOf } from '../../engine/global-id.ts';
import { listOfEach, nestedList } from '../../engine/list.ts';
import { connectionOf, offsetArg, resolveArrayPage, resolvePositions } from '../../engine/page.ts';
import { Diff } from '../../repository/commits/diffs.ts';
import { Commit, commitRecord, type CommitRecord } from '../../repository/commits/types.ts';
import type { RepositoryRecord } from '../../repository/repositories/look-up.ts';
import { repositoryIn } from '../../repository/repositories/look-up.ts';
import { lookUpMergeRequest, prefetchMergeRequest } from '../merge-requests/look-up.ts';
import { MergeRequest } from '../merge-requests/types.ts';
import { requestCheck } from './request-check.ts';
import { findVersion, versionList, type VersionRecord } from './statements.ts';

/** What a merge request changes: its commits, its diff, and its versions. */

/** The repository of the target. Every reader of a merge request reads it. */
const targetOf = (context: Context, { projectId }: { readonly projectId: number }): Promise<RepositoryRecord> =>
  repositoryIn(context, String(projectId));

interface Ends {
  readonly projectId: number;
  readonly baseSha: string | null;
  readonly headSha: string | null;
  readonly startSha: string | null;
}

/** A page of the commits from the start of a version to its head, the newest first. */
async function commitsOf(context: Context, { headSha: head, startSha: start, ...of }: Ends) {
  if (head === null || start === null) return undefined;
  const repository = await targetOf(context, of);
  const git = repository.git!;
  const selection = { from: [head], not: [start] };
  return {
    page: async (part: { readonly skip: number; readonly count: number }): Promise<CommitRecord[]> =>
      (await logPage(git, selection, part)).map((commit) => commitRecord(repository, commit)),
    count: async () => await countCommits(git, selection),
  };
}

/** The limits without an end, for requests of the whole. The size of a file stays bounded. */
const wholeLimits = { ...diffLimits, files: 20_000, lines: 1_000_000, bytes: 50 * 2 ** 20, fileBytes: 10 * 2 ** 20 };

const known = new WeakMap<Ends, Map<boolean, Promise<Diffs>>>();
type Diffs = Awaited<ReturnType<typeof readDiff>>;

/** What a version changes, file by file: read once for all fields that show it. */
function diffOf(context: Context, ends: Ends, whole = false): Promise<Diffs> {
  const read = known.get(ends) ?? new Map<boolean, Promise<Diffs>>();
  known.set(ends, read);
  const diff = read.get(whole) ?? readDiff(context, ends, whole);
  read.set(whole, diff);
  return diff;
}

async function readDiff(context: Context, { baseSha: base, headSha: head, ...of }: Ends, whole: boolean) {
  if (base === null || head === null) return { files: [], overflow: false };
  const { git } = await targetOf(context, of);
  const diff = await diffBetween(git!, base, head, whole ? wholeLimits : diffLimits);
  holdDiff(context, diff.files);
  return diff;
}

/** What it changes as text: as `git diff` prints it, or commit by commit, as mails. */
async function rawOf(
  context: Context,
  { baseSha: base, headSha: head, ...of }: Ends,
  form: 'diff' | 'mails',
): Promise<Readable> {
  if (base === null || head === null) return Readable.from([]);
  const { git } = await targetOf(context, of);
  const owner = gitOwner(context);
  return await (form === 'diff'
    ? patchBetween(git!, base, head, { owner })
    : mailedPatches(git!, head, { from: base, owner }));
}

const fileName = ({ projectPath, iid }: { readonly projectPath: string; readonly iid: number }) =>
  `${projectPath.slice(projectPath.lastIndexOf('/') + 1)}-${iid}`;

const Version = builder.objectRef<VersionRecord>('MergeRequestDiffVersion').implement({
  description: 'What a merge request was after a push.',
  fields: (t) => ({
    headSha: t.exposeString('headSha'),
    baseSha: t.exposeString('baseSha', { description: 'Where both branches parted.' }),
    startSha: t.exposeString('startSha', { description: 'The head of the target then.' }),
    filesCount: t.exposeInt('filesCount', { description: 'How many files it changes, up to 1,001.' }),
    mergeRequestId: t.exposeInt('mergeRequestId', { description: 'The number of the merge request.' }),
    createdAt: t.expose('createdAt', { type: 'Time' }),
    commits: t.field({
      type: [Commit],
      description: 'The newest first; at most 1,000.',
      resolve: async (version, _args, context) =>
        await (await commitsOf(context, version))!.page({ skip: 0, count: 1_000 }),
    }),
    diffs: t.field({
      type: [Diff],
      resolve: async (version, _args, context) => (await diffOf(context, version)).files,
    }),
  }),
});
identify(Version, 'MergeRequest::Diff');

const versionsOfEach = listOfEach((_context, _asked: object) => versionList(parent));

nestedList(MergeRequest, 'versions', {
  type: Version,
  description: 'What it was after each push, the newest first.',
  orders: { id: { column: 'v.id', type: 'int' } },
  by: 'id_desc',
  rows: (context, _asked, _info, { id }) => {
    if (context.viewer.person === null) throw new Unauthenticated();
    return versionsOfEach(context, id, {});
  },
});

const DiffStats = builder.objectRef<{ path: string; additions: number; deletions: number }>('DiffStats').implement({
  description: 'How many lines of a file differ.',
  fields: (t) => ({
    path: t.exposeString('path'),
    additions: t.exposeInt('additions'),
    deletions: t.exposeInt('deletions'),
  }),
});

interface Summary {
  readonly additions: number;
  readonly deletions: number;
  readonly files: number;
}

const DiffStatsSummary = builder.objectRef<Summary>('DiffStatsSummary').implement({
  description: 'How many lines differ.',
  fields: (t) => ({
    additions: t.exposeInt('additions'),
    deletions: t.exposeInt('deletions'),
    changes: t.int({ direct: true, resolve: ({ additions, deletions }) => additions + deletions }),
    fileCount: t.exposeInt('files'),
  }),
});

builder.objectFields(MergeRequest, (t) => ({
  commits: t.connection(
    {
      type: Commit,
      nullable: true,
      description: 'Its commits, the newest first; none while a branch is missing.',
      args: { ...offsetArg },
      resolve: async (one, args, context, info) => {
        const rows = await commitsOf(context, one);
        // Without a version there are none.
        const { page, count } = rows ?? { page: async () => [], count: async () => 0 };
        return (await resolvePositions(args, info, page, count)) as never;
      },
    },
    connectionOf(Commit) as never,
  ),
  diffs: t.connection(
    {
      type: Diff,
      nullable: true,
      description: 'What it changes, file by file.',
      args: {
        ...offsetArg,
        whole: t.arg.boolean({ defaultValue: false, description: 'Whether also where that is very long.' }),
      },
      resolve: async (one, { whole, ...args }, context) =>
        resolveArrayPage(
          args,
          (await diffOf(context, one, whole === true)).files,
          ({ newPath, oldPath }) => `${oldPath}\0${newPath}`,
        ) as never,
    },
    connectionOf(Diff) as never,
  ),
  changes: t.field({
    type: [Diff],
    description: 'The same as a list, without pages.',
    args: { whole: t.arg.boolean({ defaultValue: false, description: 'Whether also where that is very long.' }) },
    resolve: async (one, { whole }, context) => (await diffOf(context, one, whole === true)).files,
  }),
  rawDiff: t.field({
    type: 'Bytes',
    description: 'What it changes, as `git diff` prints it; nothing while a branch is missing.',
    resolve: (one, _args, context) => ({ name: `${fileName(one)}.diff`, open: () => rawOf(context, one, 'diff') }),
  }),
  rawPatch: t.field({
    type: 'Bytes',
    description: 'Its commits as mails, as `git format-patch` prints them; nothing while a branch is missing.',
    resolve: (one, _args, context) => ({ name: `${fileName(one)}.patch`, open: () => rawOf(context, one, 'mails') }),
  }),
  changesOverflow: t.boolean({
    description: 'Whether `changes` leaves something out because it would be too long.',
    args: { whole: t.arg.boolean({ defaultValue: false }) },
    resolve: async (one, { whole }, context) => (await diffOf(context, one, whole === true)).overflow === true,
  }),
  mergeStatusRecheck: t.boolean({
    description:
      'Has it checked in the background whether git can merge it, if that isn’t known now. Whether this was needed.',
    resolve: ({ id }, _args, context) => requestCheck(context, id),
  }),
  diffStats: t.field({
    type: [DiffStats],
    nullable: true,
    description: 'How many lines of each file differ.',
    args: { path: t.arg.string({ description: 'Only of this file.' }) },
    resolve: async (one, { path }, context) => {
      const { files } = await diffOf(context, one);
      const named = path == null ? files : files.filter(({ newPath, oldPath }) => newPath === path || oldPath === path);
      return named.map(({ newPath, additions, deletions }) => ({ path: newPath, additions, deletions }));
    },
  }),
  diffStatsSummary: t.field({
    type: DiffStatsSummary,
    nullable: true,
    resolve: async (one, _args, context) => {
      const { files } = await diffOf(context, one);
      const sum = (name: 'additions' | 'deletions') => files.reduce((total, file) => total + file[name], 0);
      return { files: files.length, additions: sum('additions'), deletions: sum('deletions') };
    },
  }),
}));

builder.queryField('mergeRequestVersion', (t) =>
  t.field({
    type: Version,
    description: 'What a merge request was after one of its pushes.',
    admission: { class: 'token', scopes: reads },
    prefetch: prefetchMergeRequest,
    args: {
      project: t.arg.id({ required: true, description: 'Id or full path of the target.' }),
      iid: t.arg.string({ required: true }),
      id: t.arg.id({ required: true, description: 'Of the version.' }),
    },
    resolve: async (_root, { project, iid, id }, context) => {
      if (context.viewer.person === null) throw new Unauthenticated();
      const { mergeRequest } = await lookUpMergeRequest(context, { project, iid });
      const values = [mergeRequest.id, idOf(id, 'MergeRequest::Diff')];
      const [version] = await context.database.rows(findVersion, values);
      if (!version) throw new NotFound('Version');
      return version;
    },
  }),
);
