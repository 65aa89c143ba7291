import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import type { PlaceRoute } from '../../places/place/route.ts';
import { commitStatusFields, type CommitPipeline } from '../../pipelines/pipelines/status.tsx';
import { readQuery } from '../../site/fields.ts';
import { toAnswer } from '../../site/page.ts';
import { pageArguments, pageInfoFields, pagesAround, type PageInfo } from '../../site/paging.ts';
import { seeOther } from '../../site/visit.ts';
import { codePath } from '../code/addresses.ts';
import { commitFields, type ShownCommit } from '../code/commit-line.tsx';
import { locator } from '../code/locate.ts';
import { readRoot, refFields, refsIn, type RefData } from '../code/refs.ts';
import { diffFields, shownDiffs, type FileDiff } from './patch.ts';
import { CommitPage, HistoryPage, type WholeCommit } from './view.tsx';

const commitsOnPage = 40;
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
    readonly diffs: { readonly nodes: readonly FileDiff[]; readonly pageInfo: Pick<PageInfo, 'hasNextPage'> };
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
  const readCommit = compileOperation<{ readonly repository: CommitData }>(
    schema,
    `query ($project: ID!, $ref: String!) {
      repository(project: $project) {
        commit(ref: $ref) {
          ${commitFields} ${commitStatusFields} description parentIds authorEmail committerName committedDate
          diffs(first: ${filesOnPage}) { nodes { ${diffFields} } pageInfo { hasNextPage } }
        }
      }
    }`,
  );

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
      async get({ context, site, named }, place) {
        const { sha = '' } = named;
        // A branch has a history; only a commit has this page.
        if (!/^[0-9a-f]{7,64}$/i.test(sha)) return null;
        const { commit } = (await readCommit.execute(context, { project: place.fullPath, ref: sha })).repository;
        const { nodes, pageInfo } = commit.diffs;
        return toAnswer(
          <CommitPage
            site={site}
            place={place}
            commit={commit}
            files={shownDiffs(nodes)}
            more={pageInfo.hasNextPage}
          />,
          200,
          { scripts: true },
        );
      },
    },
  ];
}
