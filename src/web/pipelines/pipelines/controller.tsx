import type { GraphQLSchema } from 'graphql';
import { render } from 'preact-render-to-string';
import { compileOperation } from '../../../operation.ts';
import { ciStatuses } from '../../../values/ci/statuses.ts';
import { pipelineSources } from '../../../values/ci/pipeline-sources.ts';
import { below } from '../../places/place/layout.tsx';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import { readQuery, type Fields } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { isRecordNumber } from '../../site/paths.ts';
import { pageArguments, pageInfoFields, pagesAround, type PageInfo } from '../../site/records/paging.ts';
import { seeOtherSaying, type Visit } from '../../site/visit.ts';
import { live } from '../live.ts';
import { PipelineListPage, scopes, type ListedPipeline, type PipelineQuery } from './list-view.tsx';
import { statusFields } from './status.tsx';
import { PipelineContent, PipelinePage, type WholePipeline } from './view.tsx';

const onPage = 20;

const listedFields = `iid path ref sha source name createdAt duration ${statusFields} user { name webPath }`;

const among = (values: readonly string[], given: string | undefined) => (given && values.includes(given) ? given : '');

/** The filters in an address; unknown values are no filter. */
const queryOf = (query: Fields): PipelineQuery => ({
  scope: among(Object.keys(scopes), query.scope),
  status: among(ciStatuses, query.status),
  source: among(pipelineSources, query.source),
  ref: query.ref?.trim() ?? '',
});

/** Pages of pipelines. */
export function pipelinePages(schema: GraphQLSchema): PlaceRoute[] {
  const readList = compileOperation<{
    readonly pipelines: { readonly nodes: readonly ListedPipeline[]; readonly pageInfo: PageInfo };
  }>(
    schema,
    `query ($project: ID!, $scope: PipelineScopeEnum, $status: PipelineStatusEnum, $ref: String, $source: String, $first: Int, $last: Int, $before: String, $after: String) {
      pipelines(project: $project, scope: $scope, status: $status, ref: $ref, source: $source, first: $first, last: $last, before: $before, after: $after) {
        nodes { ${listedFields} } ${pageInfoFields}
      }
    }`,
  );
  const readOne = compileOperation<{ readonly pipeline: WholePipeline }>(
    schema,
    `query ($project: ID!, $id: CiPipelineID!) {
      pipeline(project: $project, id: $id) {
        ${listedFields} status active tag finishedAt coverage cancelable retryable yamlErrorMessages
        userPermissions { updatePipeline }
        stages(first: 100) {
          nodes {
            name ${statusFields}
            jobs(first: 100) {
              count
              nodes {
                databaseId name external retried cancelable retryable playable scheduledAt webPath description targetUrl coverage duration
                finishedAt allowFailure needs(first: 50) { nodes { name } } ${statusFields} user { name webPath }
              }
            }
          }
        }
      }
    }`,
  );
  const change = (verb: 'Cancel' | 'Retry') =>
    compileOperation<object>(
      schema,
      `mutation ($input: Pipeline${verb}Input!) { pipeline${verb}(input: $input) { clientMutationId } }`,
    );
  const isPipeline = ({ named }: Visit) => isRecordNumber(named.id);
  const pipelineOf = async ({ context, named }: Visit, { fullPath }: PlaceHead) =>
    (await readOne.execute(context, { project: fullPath, id: named.id })).pipeline;

  const pressed = (
    way: 'cancel' | 'retry',
    operation: ReturnType<typeof change>,
    notice: 'pipeline_canceled' | 'pipeline_retried',
  ): PlaceRoute => ({
    path: `/pipelines/:id/${way}`,
    name: `${way} a pipeline`,
    of: 'project',
    forPeople: true,
    leadsTo: ({ named }, place) => below(place, `/pipelines/${named.id}`),
    async post(visit, place) {
      if (!isPipeline(visit)) return null;
      const { id } = visit.named;
      await operation.execute(visit.context, { input: { projectPath: place.fullPath, id } });
      return seeOtherSaying(notice, below(place, `/pipelines/${id}`), visit);
    },
  });

  return [
    {
      path: '/pipelines',
      name: 'pipelines',
      of: 'project',
      async get({ context, exchange, site }, place) {
        const fields = readQuery(exchange);
        const query = queryOf(fields);
        const { scope, status, ref, source } = query;
        const { pipelines } = await readList.execute(context, {
          project: place.fullPath,
          ...(scope && { scope: scope.toUpperCase() }),
          ...(status && { status: status.toUpperCase() }),
          ...(ref && { ref }),
          ...(source && { source }),
          ...pageArguments(fields, onPage),
        });
        return toAnswer(
          <PipelineListPage
            site={site}
            place={place}
            query={query}
            pipelines={pipelines.nodes}
            pages={pagesAround(below(place, '/pipelines'), fields, pipelines.pageInfo)}
          />,
        );
      },
    },
    {
      path: '/pipelines/:id',
      name: 'pipeline',
      of: 'project',
      async get(visit, place) {
        if (!isPipeline(visit)) return null;
        const pipeline = await pipelineOf(visit, place);
        const permissions = pipeline.active && visit.site.visitor ? { scripts: true, requests: true } : {};
        return toAnswer(<PipelinePage site={visit.site} place={place} pipeline={pipeline} />, 200, permissions);
      },
    },
    {
      path: '/pipelines/:id/live',
      name: 'live pipeline',
      of: 'project',
      forPeople: true,
      async get(visit, place) {
        if (!isPipeline(visit)) return null;
        await pipelineOf(visit, place);
        return live(visit.exchange, async () => {
          const { active, status, stages, userPermissions } = await pipelineOf(visit, place);
          const content = (
            <PipelineContent
              site={visit.site}
              place={place}
              mayRun={userPermissions.updatePipeline}
              stages={stages.nodes}
            />
          );
          return { state: stateOf(status, stages.nodes), running: active, html: () => render(content) };
        });
      },
    },
    pressed('cancel', change('Cancel'), 'pipeline_canceled'),
    pressed('retry', change('Retry'), 'pipeline_retried'),
  ];
}

/** What of a pipeline decides what its page shows: other facts change with these. */
const stateOf = (status: string, stages: WholePipeline['stages']['nodes']): string =>
  [
    status,
    ...stages.flatMap(({ jobs }) => jobs.nodes.map((job) => `${job.databaseId} ${job.detailedStatus.text}`)),
  ].join();
