import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import type { PlaceHead } from '../../places/place/route.ts';
import { readQuery } from '../../site/forms/fields.ts';
import { compileMutation } from '../../site/mutation.ts';
import { orNull } from '../../site/missing.ts';
import { isRecordNumber } from '../../site/paths.ts';
import { pageArguments, pageInfoFields, type Paged } from '../../site/records/paging.ts';
import type { Visit } from '../../site/visit.ts';
import type { ShownDeployment, ShownEnvironment } from './view.tsx';

const onPage = 20;

const deploymentFields = 'iid ref sha status createdAt finishedAt triggerer { name webPath }';
const environmentFields = `id: databaseId name slug state tier externalUrl description autoStopAt createdAt
  lastDeployment(status: SUCCESS) { ${deploymentFields} }`;

/** What the pages of environments read and change. */
export function environmentOperations(schema: GraphQLSchema) {
  const readList = compileOperation<{ readonly environments: Paged<ShownEnvironment> }>(
    schema,
    `query ($project: ID!, $search: String, $states: [String!], $first: Int, $last: Int, $before: String, $after: String) {
      environments(project: $project, search: $search, states: $states, first: $first, last: $last, before: $before, after: $after) {
        nodes { ${environmentFields} } ${pageInfoFields}
      }
    }`,
  );
  const readOne = compileOperation<{
    readonly environment: ShownEnvironment & { readonly deployments: Paged<ShownDeployment> };
  }>(
    schema,
    `query ($project: ID!, $id: EnvironmentID!, $first: Int, $last: Int, $before: String, $after: String) {
      environment(project: $project, id: $id) {
        ${environmentFields}
        deployments(first: $first, last: $last, before: $before, after: $after) { nodes { ${deploymentFields} } ${pageInfoFields} }
      }
    }`,
  );

  return {
    async list({ context, exchange }: Visit, { fullPath }: PlaceHead, filters: object) {
      const page = pageArguments(readQuery(exchange), onPage);
      return (await readList.execute(context, { project: fullPath, ...filters, ...page })).environments;
    },

    /** The environment of the address; null if there is none. */
    async find({ context, exchange, named: { id } }: Visit, { fullPath }: PlaceHead) {
      if (!isRecordNumber(id)) return null;
      const page = pageArguments(readQuery(exchange), onPage);
      const found = await orNull(readOne.execute(context, { project: fullPath, id, ...page }));
      return found && found.environment;
    },

    create: compileMutation<{ environment: { id: number } }>(
      schema,
      'environmentCreate',
      'environment { id: databaseId }',
    ),
    update: compileMutation(schema, 'environmentUpdate'),
    stop: compileMutation(schema, 'environmentStop'),
    remove: compileMutation(schema, 'environmentDelete'),
  };
}

export type EnvironmentOperations = ReturnType<typeof environmentOperations>;
