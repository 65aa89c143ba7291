import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import { readQuery } from '../../site/forms/fields.ts';
import { pageArguments, pageInfoFields, pagesAround, type PageInfo } from '../../site/records/paging.ts';
import { picturedFields, type Pictured } from '../avatars/avatar.tsx';
import type { Visit } from '../../site/visit.ts';

/** A group or a project as lists show it. */
export interface ListedPlace extends Pictured {
  readonly fullPath: string;
  readonly description: string;
  readonly visibility: 'public' | 'internal' | 'private';
}

/** A page of projects, with the addresses of the pages before and after it (cursor pagination). */
export interface ProjectPage {
  readonly projects: readonly ListedPlace[];
  readonly before: string | null;
  readonly after: string | null;
}

const pageSize = 20;

/** Lists the projects of a group or a person that the viewer may see. */
export function projectLister(
  schema: GraphQLSchema,
): (visit: Visit, of: { group: string } | { ownedBy: string }) => Promise<ProjectPage> {
  const list = compileOperation<{ projects: { nodes: ListedPlace[]; pageInfo: PageInfo } }>(
    schema,
    `query ($group: ID, $ownedBy: ID, $first: Int, $last: Int, $before: String, $after: String) {
      projects(group: $group, ownedBy: $ownedBy, first: $first, last: $last, before: $before, after: $after, sort: "name_asc") {
        nodes { ${picturedFields} fullPath description visibility }
        ${pageInfoFields}
      }
    }`,
  );
  return async ({ exchange, context }, of) => {
    const query = readQuery(exchange);
    const { projects } = await list.execute(context, { ...of, ...pageArguments(query, pageSize) });
    return { projects: projects.nodes, ...pagesAround(exchange.path, query, projects.pageInfo) };
  };
}
