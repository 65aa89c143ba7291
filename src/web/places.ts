import type { GraphQLSchema } from 'graphql';
import type { Context } from '../context.ts';
import { compileOperation } from '../operation.ts';
import type { Parent, Place } from './pages/place.tsx';

/** A group or a project with the group that it is in, each as far as the viewer may see it. */
export interface Found<P = Place | null> {
  readonly place: P;
  readonly parent: Parent | null;
}

/** Finds the place of a full path. */
export type FindPlace = (context: Context, segments: readonly string[]) => Promise<Found>;

/** How pages look up groups and projects: one operation each, the group around it included. */
export function placeFinders(schema: GraphQLSchema): Record<'group' | 'project', FindPlace> {
  const finder = (kind: 'group' | 'project'): FindPlace => {
    const operation = compileOperation<Found>(
      schema,
      `query ($path: ID!, $parent: ID!, $nested: Boolean!) {
        place: ${kind}(id: $path) { name fullPath description visibility createdAt }
        parent: group(id: $parent) @include(if: $nested) { name fullPath }
      }`,
    );
    return async (context, segments) => {
      const variables = { path: segments.join('/'), parent: segments.slice(0, -1).join('/'), nested: segments.length > 1 };
      const { place, parent } = await operation.execute(context, variables);
      return { place, parent: parent ?? null };
    };
  };
  return { group: finder('group'), project: finder('project') };
}
