import { BadRequest, NotFound } from '../../../errors.ts';
import { countCommits, logPage, type LogFilter } from '../../../git/history/index.ts';
import { reads } from '../../../policy/index.ts';
import { maxCounted } from '../../../values/page-size.ts';
import { builder } from '../../engine/builder.ts';
import { searchText } from '../../engine/list.ts';
import { connectionOf, offsetArg, resolvePositions } from '../../engine/page.ts';
import type { RepositoryRecord } from '../repositories/look-up.ts';
import { revisionIn } from '../repositories/revision.ts';
import { Repository } from '../repositories/types.ts';
import { Commit, commitRecord } from './types.ts';
import { withoutSlashes } from '../../../values/text/file-path.ts';

/** History. */

const CommitOrder = builder.enumType('CommitOrder', {
  description: 'How commits are sorted: by date, or children before their parents.',
  values: { DEFAULT: { value: 'default' }, TOPO: { value: 'topo' } } as const,
});

/** Maximum number of words of a search; the rest is ignored. */
const maxWords = 10;

/** Commits that a list begins at, and those that end it; undefined if a name stands for nothing. */
async function selected(
  repository: RepositoryRecord,
  ref: string | null | undefined,
): Promise<Pick<LogFilter, 'from' | 'not'> | undefined> {
  const [, before, after] = /^(.+)\.\.(.+)$/.exec(ref ?? '') ?? [];
  if (before === undefined || after === undefined) {
    const revision = await revisionIn(repository, ref);
    return revision && { from: [revision.commit.id] };
  }
  const [not, from] = await Promise.all([revisionIn(repository, before), revisionIn(repository, after)]);
  return not && from && { from: [from.commit.id], not: [not.commit.id] };
}

builder.objectFields(Repository, (t) => ({
  commit: t.field({
    type: Commit,
    nullable: true,
    description: 'A commit.',
    admission: { class: 'token', scopes: reads, anonymous: true },
    args: { ref: t.arg.string({ required: true, description: 'A branch, a tag, `HEAD` or the name of a commit.' }) },
    resolve: async (repository, { ref }) => {
      const revision = await revisionIn(repository, ref);
      if (!revision) throw new NotFound('Commit');
      return commitRecord(repository, revision.commit);
    },
  }),
  commits: t.connection(
    {
      type: Commit,
      nullable: true,
      description: 'The commits that led to one, the latest first; none for a revision that isn’t there.',
      admission: { class: 'token', scopes: reads, anonymous: true },
      args: {
        ...offsetArg,
        ref: t.arg.string({
          description: 'A branch, a tag, a commit, or a range `a..b`; the default branch if omitted.',
        }),
        all: t.arg.boolean({ description: 'From every branch and tag.' }),
        path: t.arg.string({ description: 'Only those that changed this path.' }),
        author: t.arg.string({ description: 'Only those whose author’s name or address contains it.' }),
        search: t.arg.string({ description: 'Words that must all occur in the message.' }),
        committedAfter: t.arg({ type: 'Time' }),
        committedBefore: t.arg({ type: 'Time' }),
        firstParent: t.arg.boolean({ description: 'Of merges, only what they were merged into.' }),
        order: t.arg({ type: CommitOrder, defaultValue: 'default' }),
      },
      resolve: async (repository, { ref, all, path, author, search, firstParent, order, ...args }, _context, info) => {
        if (ref && (ref.startsWith('-') || /\s/.test(ref))) throw new BadRequest('ref_name is invalid');
        const { git } = repository;
        const words = searchText(search)?.trim().split(/\s+/, maxWords);
        const range = !git ? undefined : all ? {} : await selected(repository, ref);
        const filter: LogFilter | undefined = range && {
          ...range,
          ...(path && { path: withoutSlashes(path) }),
          ...(author && { author }),
          ...(words && { words }),
          ...(args.committedAfter && { since: args.committedAfter }),
          ...(args.committedBefore && { until: args.committedBefore }),
          firstParent: firstParent === true,
          order: order ?? 'default',
        };
        return resolvePositions(
          args,
          info,
          async (part) =>
            filter ? (await logPage(git!, filter, part)).map((one) => commitRecord(repository, one)) : [],
          async () => (filter ? await countCommits(git!, filter, maxCounted + 1) : 0),
        ) as never;
      },
    },
    connectionOf(Commit) as never,
  ),
}));
