import type { GraphQLSchema } from 'graphql';
import { Forbidden } from '../../../errors.ts';
import { compileOperation } from '../../../operation.ts';
import type { Visit } from '../../site/visit.ts';
import { permissionFields, type Kind } from './place.ts';
import type { PlaceHead } from './route.ts';

/** Reads what a page shows of a place that not everyone may change; null if it was removed. @throws Forbidden */
export type PlaceFinder<Found> = (visit: Visit, place: PlaceHead) => Promise<Found | null>;

/**
 * @param fields what the page shows of the place, besides the permissions
 * @param refusal why the viewer may not use the page; undefined if they may
 */
export function placeFinder<Found extends object>(
  schema: GraphQLSchema,
  fields: Readonly<Record<Kind, string>>,
  refusal: (place: Found, kind: Kind) => string | undefined,
): PlaceFinder<Found> {
  const finder = (kind: Kind) =>
    compileOperation<{ place: Found | null }>(
      schema,
      `query ($path: ID!) { place: ${kind}(fullPath: $path) { ${permissionFields[kind]} ${fields[kind]} } }`,
    );
  const find = { group: finder('group'), project: finder('project') };
  return async (visit, { kind, fullPath }) => {
    const { place } = await find[kind].execute(visit.context, { path: fullPath });
    if (!place) return null;
    const reason = refusal(place, kind);
    if (reason !== undefined) throw new Forbidden(reason);
    return place;
  };
}

interface Editable {
  readonly permissions: { readonly edits: boolean };
}

/** Refuses people who don't edit the place. */
export const unlessEditor = ({ permissions }: Editable, kind: Kind): string | undefined =>
  permissions.edits ? undefined : editors[kind];

const editors = {
  group: 'Only owners of the group change this.',
  project: 'Only maintainers and owners of the project change this.',
} as const;
