import type { Context } from '../../../context.ts';
import { Forbidden, NotFound, PlainBadRequest } from '../../../errors.ts';
import { diffBetween, type FileDiff } from '../../../git/diff/index.ts';
import { contributors, logPage, mergeBase, type Contributor } from '../../../git/history/index.ts';
import { readCommit } from '../../../git/objects/index.ts';
import type { Commit as GitCommit } from '../../../git/objects/parse.ts';
import { all, holds, readCode, reads } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { connectionOf, offsetArg, resolveArrayPage } from '../../engine/page.ts';
import { Diff } from '../commits/diffs.ts';
import { Commit, commitRecord, type CommitRecord } from '../commits/types.ts';
import { holdDiff } from '../repositories/hold.ts';
import { repositoryIn, type RepositoryRecord } from '../repositories/look-up.ts';
import { isRelated } from '../repositories/relatives.ts';
import { revisionIn } from '../repositories/revision.ts';
import { Repository } from '../repositories/types.ts';

/** What lies between two commits, and who wrote it. */

interface Comparison {
  readonly repository: RepositoryRecord;
  readonly from: string;
  readonly to: string;
  /** Oldest first. */
  readonly commits: readonly CommitRecord[];
  readonly files: readonly FileDiff[];
  readonly overflow: boolean;
  readonly sameRef: boolean;
}

/** Commits that a comparison lists at most. */
const mostCommits = 1_000;

async function requireCommit(repository: RepositoryRecord, ref: string): Promise<GitCommit> {
  const revision = await revisionIn(repository, ref);
  if (!revision) throw new NotFound('Ref');
  return revision.commit;
}

/**
 * @param other the repository that has `from`
 * @throws NotFound ('Ref')
 */
async function compare(
  context: Context,
  asked: RepositoryRecord,
  other: RepositoryRecord,
  { from, to, straight }: { from: string; to: string; straight: boolean },
): Promise<Comparison> {
  const [base, head] = await Promise.all([requireCommit(other, from), requireCommit(asked, to)]);
  const git = other.id === asked.id ? asked.git! : asked.git!.beside(other.git!);
  const repository = { ...asked, git };
  const nothing = { repository, from, to, commits: [], files: [], overflow: false, sameRef: base.id === head.id };
  if (base.id === head.id) return nothing;
  const start = straight ? base.id : await mergeBase(git, [base.id, head.id]);
  const commits = await logPage(git, { from: [head.id], not: [base.id] }, { skip: 0, count: mostCommits });
  const diff = start === undefined || start === head.id ? undefined : await diffBetween(git, start, head.id);
  return {
    ...nothing,
    commits: commits.toReversed().map((commit) => commitRecord(repository, commit)),
    files: holdDiff(context, diff?.files ?? []),
    overflow: diff?.overflow === true,
  };
}

/**
 * The repository that has `from`: of a fork, or of what it was forked from.
 * @throws PlainBadRequest unless it is a relative that the viewer sees, Forbidden if they may not read its code
 */
async function relativeOf(context: Context, repository: RepositoryRecord, given: string): Promise<RepositoryRecord> {
  try {
    const other = await repositoryIn(context, given, seen);
    if (other.id !== repository.id && !(await isRelated(context.database, other.id, repository.id)))
      throw new NotFound('Project');
    if (holds(readCode, context.viewer, other.facts)) return other;
  } catch (error) {
    if (error instanceof NotFound)
      throw new PlainBadRequest(`Target project id:${given} is not a fork of project id:${repository.id}`);
    if (!(error instanceof Forbidden)) throw error;
  }
  throw new Forbidden("You don't have access to this fork's parent project");
}

/** Whether the code may be read is asked later: the refusal has a text of its own. */
const seen = all();

const webPath = ({ repository, from, to }: Comparison) =>
  `/${repository.fullPath}/-/compare/${encodeURIComponent(from)}...${encodeURIComponent(to)}`;

const CompareType = builder.objectRef<Comparison>('Comparison').implement({
  description: 'What one commit has that another lacks.',
  fields: (t) => ({
    commit: t.field({
      type: Commit,
      nullable: true,
      description: 'The newest of its commits.',
      resolve: ({ commits }) => commits.at(-1) ?? null,
    }),
    commits: t.field({
      type: [Commit],
      description: `The oldest first; at most ${mostCommits}.`,
      resolve: ({ commits }) => commits,
    }),
    diffs: t.field({ type: [Diff], resolve: ({ files }) => files }),
    timedOut: t.exposeBoolean('overflow', { description: 'Whether a limit was reached: diffs are missing.' }),
    sameRef: t.exposeBoolean('sameRef', { description: 'Whether both are the same commit.' }),
    webUrl: t.string({ resolve: (one, _args, { baseUrl }) => `${baseUrl}${webPath(one)}` }),
  }),
});

const ContributorType = builder.objectRef<Contributor>('Contributor').implement({
  description: 'A person who wrote commits, by address. Names and addresses are claims.',
  fields: (t) => ({
    name: t.exposeString('name'),
    email: t.exposeString('email'),
    commits: t.exposeInt('commits'),
  }),
});

const ContributorOrder = builder.enumType('ContributorOrder', {
  values: {
    COMMITS: { value: 'commits' },
    NAME: { value: 'name' },
    EMAIL: { value: 'email' },
  } as const,
});

const orders = {
  commits: (one: Contributor, other: Contributor) => one.commits - other.commits,
  name: (one: Contributor, other: Contributor) => one.name.localeCompare(other.name, 'en'),
  email: (one: Contributor, other: Contributor) => (one.email.toLowerCase() < other.email.toLowerCase() ? -1 : 1),
} as const;

const admission = { class: 'token', scopes: reads, anonymous: true } as const;

builder.objectFields(Repository, (t) => ({
  compare: t.field({
    type: CompareType,
    nullable: true,
    description: 'What `to` has that `from` lacks.',
    admission,
    args: {
      from: t.arg.string({ required: true, description: 'A branch, a tag or a commit.' }),
      to: t.arg.string({ required: true, description: 'A branch, a tag or a commit.' }),
      straight: t.arg.boolean({
        defaultValue: false,
        description: 'Compares with `from` itself, and not with where both parted.',
      }),
      fromProject: t.arg.id({
        description: 'The project that has `from`: a fork, or what this was forked from. This one, if omitted.',
      }),
    },
    resolve: async (repository, { from, to, straight, fromProject }, context) => {
      const other = fromProject == null ? repository : await relativeOf(context, repository, fromProject);
      return await compare(context, repository, other, { from, to, straight: straight === true });
    },
  }),
  mergeBase: t.field({
    type: Commit,
    nullable: true,
    description: 'A best common ancestor of two or more commits.',
    admission,
    args: { refs: t.arg.stringList({ required: true, description: 'Branches, tags or commits; at least 2.' }) },
    resolve: async (repository, { refs }) => {
      if (refs.length < 2) throw new PlainBadRequest('Provide at least 2 refs');
      if (refs.length > 100) throw new PlainBadRequest('Provide at most 100 refs');
      const found = await Promise.all(refs.map((ref) => revisionIn(repository, ref)));
      const missing = refs.filter((_, index) => !found[index]);
      if (missing.length > 0)
        throw new PlainBadRequest(`Could not find ${missing.length > 1 ? 'refs' : 'ref'}: ${missing.join(', ')}`);
      const git = repository.git!;
      const base = await mergeBase(
        git,
        found.map((one) => one!.commit.id),
      );
      const commit = base === undefined ? undefined : await readCommit(git, base);
      if (!commit) throw new NotFound('Merge Base');
      return commitRecord(repository, commit);
    },
  }),
  contributors: t.connection(
    {
      type: ContributorType,
      nullable: true,
      description: 'Who wrote its commits.',
      admission,
      args: {
        ...offsetArg,
        ref: t.arg.string({ description: 'A branch, a tag or a commit; the default branch if omitted.' }),
        order: t.arg({ type: ContributorOrder, defaultValue: 'commits' }),
        descending: t.arg.boolean({ defaultValue: false }),
      },
      resolve: async (repository, { ref, order, descending, ...args }) => {
        const revision = await revisionIn(repository, ref);
        if (!revision && ref) throw new NotFound('Ref');
        const all = revision ? await contributors(revision.git, revision.commit.id) : [];
        const sorted = [...all].sort(orders[order ?? 'commits']);
        return resolveArrayPage(args, descending ? sorted.reverse() : sorted, ({ email }) => email) as never;
      },
    },
    connectionOf(ContributorType) as never,
  ),
}));
