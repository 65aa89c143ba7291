import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import { commitStatusFields, statusFields, type CommitPipeline } from '../../pipelines/pipelines/status.tsx';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import { readText } from '../../planning/issues/draft.ts';
import { commitFields, type ShownCommit } from '../../repository/code/commit-line.tsx';
import { aboutWhole, lineMistakes, positionIn, type LineDraft } from '../../repository/commits/line-comment.tsx';
import { CommitList } from '../../repository/commits/list.tsx';
import { shownDiffs } from '../../repository/commits/patch.ts';
import { readQuery, type Fields } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { pageArguments, pageInfoFields, pagesAround, type PageInfo } from '../../site/records/paging.ts';
import { isRecordNumber } from '../../site/paths.ts';
import { Pager } from '../../site/records/records.tsx';
import { seeOtherSaying, type Visit } from '../../site/visit.ts';
import { anchorOf, draftAdder } from '../draft-notes/draft.ts';
import { mergeRequestPath } from '../merge-requests/addresses.ts';
import { MergeRequestLayout } from '../merge-requests/layout.tsx';
import { headFields, type MergeRequestHead } from '../merge-requests/merge-request.ts';
import type { ShowMergeRequest } from '../merge-requests/show.tsx';
import { PipelineList, pipelineFields, type PipelineOfMergeRequest } from './pipelines.tsx';
import { changesFinder } from './read.ts';
import { ChangesPage } from './view.tsx';

const commitsOnPage = 40;
const pipelinesOnPage = 20;

const noSuchLine =
  'The line isn’t part of the changes that are shown now. This form comments on the merge request as a whole.';

interface Page<Node> {
  readonly nodes: readonly Node[];
  readonly pageInfo: PageInfo;
}

interface CommitsData {
  readonly mergeRequest:
    | (MergeRequestHead & {
        readonly shown: Page<ShownCommit & { readonly latestPipeline: CommitPipeline | null }> | null;
      })
    | null;
}

interface PipelinesData {
  readonly mergeRequest: (MergeRequestHead & { readonly shown: Page<PipelineOfMergeRequest> | null }) | null;
}

const none: Page<never> = {
  nodes: [],
  pageInfo: { hasPreviousPage: false, hasNextPage: false, startCursor: null, endCursor: null },
};

/**
 * The pages of the commits, the pipelines and the changes of a merge request.
 * @param showWhole shows the page of the merge request itself
 */
export function changePages(schema: GraphQLSchema, showWhole: ShowMergeRequest): PlaceRoute[] {
  const find = changesFinder(schema);
  const compile = <Data,>(fields: string) =>
    compileOperation<Data>(
      schema,
      `query ($project: ID!, $iid: String!, $first: Int, $last: Int, $before: String, $after: String) {
        mergeRequest(project: $project, iid: $iid, current: true) { ${headFields} ${fields} }
      }`,
    );
  const given = 'first: $first, last: $last, before: $before, after: $after';
  const readCommits = compile<CommitsData>(
    `shown: commits(${given}) { nodes { ${commitFields} ${commitStatusFields} } ${pageInfoFields} }`,
  );
  const readPipelines = compile<PipelinesData>(
    `shown: pipelines(${given}) { nodes { ${pipelineFields} ${statusFields} } ${pageInfoFields} }`,
  );
  const addDraft = draftAdder(schema);
  const comment = compileOperation<{ made: { note: { id: number } | null } }>(
    schema,
    'mutation ($input: CreateDiffNoteInput!) { made: createDiffNote(input: $input) { note { id: databaseId } } }',
  );

  async function show(visit: Visit, place: PlaceHead, query: Fields, draft?: LineDraft) {
    const found = await find(visit, place, query.version);
    if (!found) return null;
    const { view, file = '', line = '' } = query;
    const files = shownDiffs(found.files);
    const comment = draft && aboutWhole(files, { file, line, ...draft }, noSuchLine);
    if (comment) return await showWhole(visit, place, { comment });
    return toAnswer(
      <ChangesPage
        site={visit.site}
        place={place}
        {...found}
        files={files}
        query={{ parallel: view === 'parallel', file, line }}
        draft={draft}
      />,
      draft ? 422 : 200,
    );
  }

  return [
    {
      of: 'project',
      path: '/merge_requests/:iid/commits',
      name: 'commits of merge request',
      async get({ context, exchange, site, named: { iid } }, place) {
        if (!place.mergeRequestsEnabled || !isRecordNumber(iid)) return null;
        const query = readQuery(exchange);
        const variables = { project: place.fullPath, iid, ...pageArguments(query, commitsOnPage) };
        const { mergeRequest } = await readCommits.execute(context, variables);
        if (!mergeRequest) return null;
        const { nodes, pageInfo } = mergeRequest.shown ?? none;
        return toAnswer(
          <MergeRequestLayout site={site} place={place} mergeRequest={mergeRequest} tab="/commits">
            {nodes.length === 0 ? <p class="empty">No commits.</p> : <CommitList of={place} commits={nodes} />}
            <Pager of="commits" {...pagesAround(mergeRequestPath(place, { iid }, '/commits'), query, pageInfo)} />
          </MergeRequestLayout>,
        );
      },
    },
    {
      of: 'project',
      path: '/merge_requests/:iid/pipelines',
      name: 'pipelines of merge request',
      async get({ context, exchange, site, named: { iid } }, place) {
        if (!place.mergeRequestsEnabled || !isRecordNumber(iid)) return null;
        const query = readQuery(exchange);
        const variables = { project: place.fullPath, iid, ...pageArguments(query, pipelinesOnPage) };
        const { mergeRequest } = await readPipelines.execute(context, variables);
        if (!mergeRequest?.shown) return null;
        const { nodes, pageInfo } = mergeRequest.shown;
        return toAnswer(
          <MergeRequestLayout site={site} place={place} mergeRequest={mergeRequest} tab="/pipelines">
            <PipelineList of={place} pipelines={nodes} />
            <Pager of="pipelines" {...pagesAround(mergeRequestPath(place, { iid }, '/pipelines'), query, pageInfo)} />
          </MergeRequestLayout>,
        );
      },
    },
    {
      of: 'project',
      path: '/merge_requests/:iid/diffs',
      name: 'changes of merge request',
      get: (visit, place) => show(visit, place, readQuery(visit.exchange)),
      async post(visit, place, form) {
        const { iid } = visit.named;
        const position = positionIn(form);
        if (!isRecordNumber(iid) || !position) return null;
        const body = readText(form.body);
        const { view, file = '', line = '' } = form;
        try {
          const back = mergeRequestPath(place, { iid }, `/diffs${view === 'parallel' ? '?view=parallel' : ''}`);
          if (form.review === 'on') {
            const id = await addDraft(visit, place, { body, position });
            return seeOtherSaying('draft_note_created', `${back}#${anchorOf(id)}`, visit);
          }
          const { made } = await comment.execute(visit.context, {
            input: {
              projectPath: place.fullPath,
              mergeRequestIid: iid,
              body,
              ...(form.head && { mergeRequestDiffHeadSha: form.head }),
              position,
            },
          });
          if (!made.note) return seeOtherSaying('commands_done', back, visit);
          return seeOtherSaying('note_created', `${back}#note_${made.note.id}`, visit);
        } catch (thrown) {
          return await show(visit, place, { ...(view && { view }), file, line }, { body, ...lineMistakes(thrown) });
        }
      },
    },
  ];
}
