import { excerptOf, filesWith } from '../../../git/search/index.ts';
import { reads } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { searchText } from '../../engine/list.ts';
import { connectionOf, offsetArg, resolveArrayPage } from '../../engine/page.ts';
import type { RepositoryRecord } from '../repositories/look-up.ts';
import { Repository } from '../repositories/types.ts';
import { revisionIn, type Revision } from '../repositories/revision.ts';

/** A search in the files of a repository. */

interface Match {
  readonly repository: RepositoryRecord;
  readonly revision: Revision;
  readonly ref: string;
  readonly path: string;
  readonly text: string;
}

const excerpts = new WeakMap<Match, ReturnType<typeof excerptOf>>();

/** Read once for both of its fields. */
function excerptIn(match: Match) {
  const { revision, path, text } = match;
  let found = excerpts.get(match);
  if (!found) excerpts.set(match, (found = excerptOf(revision.git, revision.commit.id, path, text)));
  return found;
}

const FileMatch = builder.objectRef<Match>('FileMatch').implement({
  description: 'A file in which a text was found.',
  fields: (t) => ({
    repository: t.field({ type: Repository, direct: true, resolve: ({ repository }) => repository }),
    path: t.exposeString('path'),
    ref: t.exposeString('ref', { description: 'The revision as you asked for it, or the default branch.' }),
    startLine: t.int({
      description: 'The number of the first line of `lines`.',
      resolve: async (match) => (await excerptIn(match)).startLine,
    }),
    lines: t.stringList({
      description:
        'The first line with the text, and two before and after it; empty for a file of more than a mebibyte.',
      resolve: async (match) => [...(await excerptIn(match)).lines],
    }),
  }),
});

/** Maximum length of a search, in characters. */
const longest = 4_096;

builder.objectField(Repository, 'fileMatches', (t) =>
  t.connection(
    {
      type: FileMatch,
      nullable: true,
      description: 'The files with a line that contains a text, without regard to case; none in binary files.',
      admission: { class: 'token', scopes: reads, anonymous: true },
      args: {
        ...offsetArg,
        search: t.arg.string({ required: true, description: `One line of at most ${longest} characters.` }),
        ref: t.arg.string({ description: 'A branch, a tag or a commit; the default branch if omitted.' }),
      },
      resolve: async (repository, { search, ref, ...args }) => {
        const text = (searchText(search, longest) ?? '').trim();
        const revision = text === '' ? undefined : await revisionIn(repository, ref);
        const paths = revision ? await filesWith(revision.git, revision.commit.id, text) : [];
        const matches = paths.map((path) => ({
          repository,
          revision: revision!,
          ref: ref || repository.defaultBranch!,
          path,
          text,
        }));
        return resolveArrayPage(args, matches, ({ path }) => path) as never;
      },
    },
    connectionOf(FileMatch) as never,
  ),
);
