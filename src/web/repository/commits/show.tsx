import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import type { Answer } from '../../../http/index.ts';
import { commitStatusFields } from '../../pipelines/pipelines/status.tsx';
import type { PlaceHead } from '../../places/place/route.ts';
import { threadsAsked, threadsDeclared, threadsOnPage, threadsShown } from '../../planning/notes/page.ts';
import { fitting, isPart, type Thread } from '../../planning/notes/thread.ts';
import { standsAt, threadLineReader } from '../../reviews/diffs/thread-lines.ts';
import { readQuery } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import type { PageInfo } from '../../site/records/paging.ts';
import type { Visit } from '../../site/visit.ts';
import { commitPath } from '../code/addresses.ts';
import { commitFields } from '../code/commit-line.tsx';
import { commentRights, commentThreadFields, threadOf, type CommentThread } from './comments.ts';
import { aboutWhole, type TypedOnCommit } from './line-comment.tsx';
import { diffFields, shownDiffs, type FileDiff, type ShownDiff } from './patch.ts';
import { CommitPage, type WholeCommit } from './view.tsx';

/** Files of one commit that its page shows, and threads that it shows at their lines. */
const filesOnPage = 100;
const mostPlaced = 100;

type FoundCommit = Omit<WholeCommit, 'discussions'> & {
  readonly discussions: { readonly nodes: readonly CommentThread[]; readonly pageInfo: PageInfo };
  readonly placed: { readonly nodes: readonly CommentThread[] };
  readonly diffs: { readonly nodes: readonly FileDiff[]; readonly pageInfo: Pick<PageInfo, 'hasNextPage'> };
};

const noSuchLine = 'The line isn’t part of the commit. This form comments on the commit as a whole.';

/** Whether a text names a commit: a branch has a history, but not this page. */
export const isName = (sha: string): boolean => /^[0-9a-f]{7,64}$/i.test(sha);

/** Shows the page of a commit, again with what a person typed if it was refused. Null: the address names no commit. */
export type ShowCommit = (visit: Visit, place: PlaceHead, typed?: TypedOnCommit) => Promise<Answer | null>;

/** Whether the page shows the line that a thread stands on. */
const isShown = (files: readonly ShownDiff[], { allNotes: [first] }: Thread): boolean => {
  const position = first?.position;
  return (
    position != null &&
    files.some((file) => file.hunks.some(({ lines }) => lines.some((line) => standsAt(position, file, line))))
  );
};

export function commitShower(schema: GraphQLSchema): ShowCommit {
  const linesOf = threadLineReader(schema);
  const read = compileOperation<{ readonly repository: { readonly commit: FoundCommit } }>(
    schema,
    `query ($project: ID!, $ref: String!, ${threadsDeclared}) {
      repository(project: $project) {
        commit(ref: $ref) {
          ${commentRights} ${threadsOnPage(commentThreadFields)}
          placed: discussions(last: ${mostPlaced}, placed: true) { nodes { ${commentThreadFields} } }
          ${commitFields} ${commitStatusFields} description parentIds authorEmail committerName committedDate
          diffs: paginatedDiffs(first: ${filesOnPage}) { nodes { ${diffFields} } pageInfo { hasNextPage } }
        }
      }
    }`,
  );
  return async (visit, place, given) => {
    const { iid: ref = '' } = visit.named;
    if (!isName(ref)) return null;
    const { commit: found } = (
      await read.execute(visit.context, { project: place.fullPath, ref, ...threadsAsked(visit) })
    ).repository;
    const discussions = { ...found.discussions, nodes: found.discussions.nodes.map((one) => threadOf(one)) };
    const { one: commit, ...around } = threadsShown(visit, commitPath(place, found.sha), { ...found, discussions });
    const files = shownDiffs(found.diffs.nodes);
    const placed = fitting(
      found.placed.nodes.map((one) => threadOf(one)).filter((thread) => isShown(files, thread)),
      visit.site,
    );
    const atLines = new Set(placed.map(({ key }) => key));
    const below = commit.discussions.nodes.filter(({ key }) => !atLines.has(key));
    const scripts = isPart({ site: visit.site, ...around, threads: [...below, ...placed] });
    const comment = given?.line && aboutWhole(files, given.line, noSuchLine);
    const typed: TypedOnCommit | undefined = comment ? { comment } : given;
    const { file = '', line = '' } = typed?.line ?? readQuery(visit.exchange);
    return toAnswer(
      <CommitPage
        site={visit.site}
        place={place}
        commit={commit}
        files={files}
        more={found.diffs.pageInfo.hasNextPage}
        lines={await linesOf(visit, place, { discussions: { nodes: below } })}
        placed={placed}
        chosen={{ file, line }}
        {...around}
        scripts={scripts}
        typed={typed}
      />,
      typed === undefined ? 200 : 422,
      { scripts: true },
    );
  };
}
