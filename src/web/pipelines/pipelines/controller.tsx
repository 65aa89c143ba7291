import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import { ciStatuses } from '../../../values/ci-statuses.ts';
import { pipelineSources } from '../../../values/pipeline-sources.ts';
import { below } from '../../places/place/layout.tsx';
import type { PlaceRoute } from '../../places/place/route.ts';
import { readQuery, type Fields } from '../../site/fields.ts';
import { toAnswer } from '../../site/page.ts';
import { pageArguments, pageInfoFields, pagesAround, type PageInfo } from '../../site/paging.ts';
import { seeOther, seeOtherSaying } from '../../site/visit.ts';
import { PipelineListPage, scopes, type ListedPipeline, type PipelineQuery } from './list-view.tsx';
import { statusFields } from './status.tsx';
import { PipelinePage, type WholePipeline } from './view.tsx';

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
        ${listedFields} tag finishedAt coverage cancelable yamlErrorMessages
        stages {
          nodes {
            name ${statusFields}
            jobs { nodes { name external webPath description targetUrl coverage duration finishedAt allowFailure ${statusFields} user { name webPath } } }
          }
        }
      }
    }`,
  );
  const cancel = compileOperation<object>(
    schema,
    'mutation ($input: PipelineCancelInput!) { pipelineCancel(input: $input) { clientMutationId } }',
  );

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
      async get({ context, site, named }, place) {
        const { id = '' } = named;
        if (!/^\d{1,10}$/.test(id)) return null;
        const { pipeline } = await readOne.execute(context, { project: place.fullPath, id });
        return toAnswer(<PipelinePage site={site} place={place} pipeline={pipeline} />);
      },
    },
    {
      path: '/pipelines/:id/cancel',
      name: 'cancel a pipeline',
      of: 'project',
      forPeople: true,
      get: ({ named }, place) => seeOther(below(place, `/pipelines/${named.id}`)),
      async post(visit, place) {
        const { id = '' } = visit.named;
        if (!/^\d{1,10}$/.test(id)) return null;
        await cancel.execute(visit.context, { input: { projectPath: place.fullPath, id } });
        return seeOtherSaying('pipeline_canceled', below(place, `/pipelines/${id}`), visit);
      },
    },
  ];
}
