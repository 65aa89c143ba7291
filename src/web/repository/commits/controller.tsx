import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import type { PlaceRoute } from '../../places/place/route.ts';
import { commitStatusFields, type CommitPipeline } from '../../pipelines/pipelines/status.tsx';
import { notePages } from '../../planning/notes/controller.tsx';
import { readQuery } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { pageOrPatch, patchFields, type PatchFile } from '../../site/records/patch-answer.ts';
import { pageArguments, pageInfoFields, pagesAround, type PageInfo } from '../../site/records/paging.ts';
import { seeOther } from '../../site/visit.ts';
import { codePath } from '../code/addresses.ts';
import { commitFields, type ShownCommit } from '../code/commit-line.tsx';
import { locator } from '../code/locate.ts';
import { readRoot, refFields, refsIn, type RefData } from '../code/refs.ts';
import { lineCommenter } from './comment-on-line.ts';
import { commentOperations } from './comments.ts';
import { commitHost } from './host.tsx';
import { commitShower, isName } from './show.tsx';
import { HistoryPage } from './view.tsx';

const commitsOnPage = 40;

interface HistoryData extends RefData {
  readonly commits: {
    readonly nodes: readonly (ShownCommit & { readonly latestPipeline: CommitPipeline | null })[];
    readonly pageInfo: PageInfo;
  };
}

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
  const readPatch = compileOperation<{ readonly repository: { readonly commit: PatchFile } }>(
    schema,
    `query ($project: ID!, $ref: String!, $diff: Boolean!) {
      repository(project: $project) { commit(ref: $ref) { ${patchFields} } }
    }`,
  );

  const show = commitShower(schema);
  const commentOnLine = lineCommenter(schema, show);

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
      path: '/commit/:iid',
      name: 'commit',
      of: 'project',
      post: commentOnLine,
      get: (visit, place) =>
        pageOrPatch(
          visit.exchange,
          visit.named.iid!,
          () => show(visit, place),
          async (ref, diff) => {
            if (!isName(ref)) return null;
            return (await readPatch.execute(visit.context, { project: place.fullPath, ref, diff })).repository.commit;
          },
        ),
    },
    ...notePages(commitHost(schema, show), commentOperations(schema)),
  ];
}
