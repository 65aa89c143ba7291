import type { GraphQLSchema } from 'graphql';
import { BadRequest, InvalidFields } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import { commitStatusFields, type CommitPipeline } from '../../pipelines/pipelines/status.tsx';
import { readText } from '../../planning/issues/draft.ts';
import { readQuery, withQuery } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { pageOrPatch, patchFields, type PatchFile } from '../../site/records/patch-answer.ts';
import { neighbours, pageArguments, pageInfoFields, pagesAround, type PageInfo } from '../../site/records/paging.ts';
import { seeOther, seeOtherSaying, type Visit } from '../../site/visit.ts';
import { sentences } from '../../site/words.ts';
import { codePath, commitPath } from '../code/addresses.ts';
import { commitFields, type ShownCommit } from '../code/commit-line.tsx';
import { locator } from '../code/locate.ts';
import { readRoot, refFields, refsIn, type RefData } from '../code/refs.ts';
import { commentFields, type CommentDraft, type CommentPage } from './comments.tsx';
import { diffFields, shownDiffs, type FileDiff } from './patch.ts';
import { CommitPage, HistoryPage, type WholeCommit } from './view.tsx';

const commitsOnPage = 40;
const commentsOnPage = 20;
/** Files of one commit that its page shows. */
const filesOnPage = 100;

interface HistoryData extends RefData {
  readonly commits: {
    readonly nodes: readonly (ShownCommit & { readonly latestPipeline: CommitPipeline | null })[];
    readonly pageInfo: PageInfo;
  };
}

interface CommitData {
  readonly commit: WholeCommit & {
    readonly comments: CommentPage;
    readonly diffs: { readonly nodes: readonly FileDiff[]; readonly pageInfo: Pick<PageInfo, 'hasNextPage'> };
  };
}

/** Whether a text names a commit: a branch has a history, but not this page. */
const isName = (sha: string) => /^[0-9a-f]{7,64}$/i.test(sha);

/** Pages of commits. */
export function commitPages(schema: GraphQLSchema): PlaceRoute[] {
  const locate = locator(schema);
  const rootOf = readRoot(schema);
  const readHistory = compileOperation<{ readonly repository: HistoryData }>(
    schema,
    `query ($project: ID!, $ref: String!, $path: String!, $author: String, $first: Int, $last: Int, $before: String, $after: String) {
      repository(project: $project) {
        commits(ref: $ref, path: $path, author: $author, first: $first, last: $last, before: $before, after: $after) { nodes { ${commitFields} ${commitStatusFields} } ${pageInfoFields} }
        ${refFields}
      }
    }`,
  );
  const readCommit = compileOperation<{ readonly repository: CommitData }>(
    schema,
    `query ($project: ID!, $ref: String!, $first: Int, $last: Int, $before: String, $after: String) {
      repository(project: $project) {
        commit(ref: $ref) {
          comments(first: $first, last: $last, before: $before, after: $after) { nodes { ${commentFields} } ${pageInfoFields} }
          ${commitFields} ${commitStatusFields} description parentIds authorEmail committerName committedDate
          diffs: paginatedDiffs(first: ${filesOnPage}) { nodes { ${diffFields} } pageInfo { hasNextPage } }
        }
      }
    }`,
  );

  const readPatch = compileOperation<{ readonly repository: { readonly commit: PatchFile } }>(
    schema,
    `query ($project: ID!, $ref: String!, $diff: Boolean!) {
      repository(project: $project) { commit(ref: $ref) { ${patchFields} } }
    }`,
  );

  const comment = compileOperation<{ readonly made: { readonly comment: { readonly id: number } | null } }>(
    schema,
    'mutation ($input: CommitCommentCreateInput!) { made: commitCommentCreate(input: $input) { comment { id: databaseId } } }',
  );

  /** @param draft a comment that was refused */
  async function showCommit(visit: Visit, place: PlaceHead, draft?: CommentDraft): Promise<Answer | null> {
    const { context, site, named, exchange } = visit;
    const { sha = '' } = named;
    if (!isName(sha)) return null;
    const { before, after } = draft ? {} : readQuery(exchange);
    const { commit } = (
      await readCommit.execute(context, {
        project: place.fullPath,
        ref: sha,
        ...(after ? { first: commentsOnPage, after } : { last: commentsOnPage, ...(before && { before }) }),
      })
    ).repository;
    const { diffs, comments } = commit;
    return toAnswer(
      <CommitPage
        site={site}
        place={place}
        commit={commit}
        files={shownDiffs(diffs.nodes)}
        more={diffs.pageInfo.hasNextPage}
        comments={comments}
        pages={neighbours(
          comments.pageInfo,
          { before, after },
          (cursor) => `${withQuery(commitPath(place, commit.sha), cursor)}#comments`,
        )}
        draft={draft}
      />,
      draft ? 422 : 200,
      { scripts: true },
    );
  }

  return [
    {
      path: '/commits',
      name: 'history',
      of: 'project',
      async get(visit, place) {
        const rootRef = await rootOf(visit, place);
        return seeOther(rootRef === null ? `/${place.fullPath}` : codePath(place, 'commits', rootRef));
      },
    },
    {
      path: '/commits/*',
      name: 'history',
      of: 'project',
      async get(visit, place) {
        const { context, exchange, site } = visit;
        const located = await locate(visit, place);
        const { ref, path, sha } = located;
        const query = readQuery(exchange);
        const author = query.author?.trim() ?? '';
        const { repository } = await readHistory.execute(context, {
          project: place.fullPath,
          ref: sha,
          path,
          ...(author && { author }),
          ...pageArguments(query, commitsOnPage),
        });
        const { nodes, pageInfo } = repository.commits;
        // A path that no commit changed was never there.
        if (nodes.length === 0 && path !== '' && author === '') return null;
        return toAnswer(
          <HistoryPage
            site={site}
            place={place}
            at={located}
            commits={nodes}
            refs={refsIn(repository)}
            author={author}
            pages={pagesAround(codePath(place, 'commits', ref, path), query, pageInfo)}
          />,
        );
      },
    },
    {
      path: '/commit/:sha',
      name: 'commit',
      of: 'project',
      get: (visit, place) =>
        pageOrPatch(
          visit.exchange,
          visit.named.sha!,
          () => showCommit(visit, place),
          async (ref, diff) => {
            if (!isName(ref)) return null;
            return (await readPatch.execute(visit.context, { project: place.fullPath, ref, diff })).repository.commit;
          },
        ),
      async post(visit, place, form) {
        const { sha = '' } = visit.named;
        if (!isName(sha)) return null;
        const note = readText(form.note);
        const at = commitPath(place, sha);
        try {
          const { made } = await comment.execute(visit.context, { input: { projectPath: place.fullPath, sha, note } });
          if (!made.comment) return seeOtherSaying('commands_done', `${at}#comments`, visit);
          return seeOtherSaying('note_created', `${at}#note_${made.comment.id}`, visit);
        } catch (problem) {
          // The text was only commands, and none of them did anything.
          if (problem instanceof BadRequest) return await showCommit(visit, place, { note, errors: [problem.message] });
          if (!(problem instanceof InvalidFields)) throw problem;
          return await showCommit(visit, place, { note, errors: sentences('The comment', problem.fields.note) });
        }
      },
    },
  ];
}
