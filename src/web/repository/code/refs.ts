import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import type { PlaceHead } from '../../places/place/route.ts';
import type { Visit } from '../../site/visit.ts';
import { offeredRefs, type RefNames } from './heading.tsx';

/** What pages select of a repository to offer other revisions. */
export const refFields = `branchNames(searchPattern: "*", offset: 0, limit: ${offeredRefs}) tags(first: ${offeredRefs}) { nodes { name } }`;

export interface RefData {
  readonly branchNames: readonly string[];
  readonly tags: { readonly nodes: readonly { readonly name: string }[] };
}

export const refsIn = ({ branchNames, tags }: RefData): RefNames => ({
  branches: branchNames,
  tags: tags.nodes.map(({ name }) => name),
});

/** Reads the name of the default branch; null while there is no branch. */
export function readRoot(schema: GraphQLSchema): (visit: Visit, place: PlaceHead) => Promise<string | null> {
  const read = compileOperation<{ readonly repository: { readonly rootRef: string | null } }>(
    schema,
    'query ($project: ID!) { repository(project: $project) { rootRef } }',
  );
  return async ({ context }, { fullPath }) => (await read.execute(context, { project: fullPath })).repository.rootRef;
}
