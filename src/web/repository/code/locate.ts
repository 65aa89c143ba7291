import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import type { PlaceHead } from '../../places/place/route.ts';
import type { Visit } from '../../site/visit.ts';

/** What the end of an address names. */
export interface Located {
  /** The revision, as the address has it. */
  readonly ref: string;
  readonly refType: 'BRANCH' | 'TAG' | null;
  /** Empty for the root. */
  readonly path: string;
  /** The full name of the commit that it stands for. */
  readonly sha: string;
}

/** @throws NotFound for a revision that isn't there, Forbidden for those who don't read the repository */
export type Locator = (visit: Visit, place: PlaceHead) => Promise<Located>;

interface Data {
  readonly repository: { readonly location: Omit<Located, 'sha'> & { readonly commit: { readonly sha: string } } };
}

/** Reads what stands behind the page in an address: `feature/one/src/a.ts`. */
export function locator(schema: GraphQLSchema): Locator {
  const find = compileOperation<Data>(
    schema,
    `query ($project: ID!, $address: String!) {
      repository(project: $project) { location(address: $address) { ref refType path commit { sha } } }
    }`,
  );
  return async ({ context, named }, { fullPath }) => {
    const variables = { project: fullPath, address: named['*'] ?? '' };
    const { location } = (await find.execute(context, variables)).repository;
    return { ...location, sha: location.commit.sha };
  };
}
