import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import { below } from '../../places/place/layout.tsx';
import type { Kind } from '../../places/place/place.ts';
import type { PlaceHead } from '../../places/place/route.ts';
import { orNull, stillThere } from '../../site/missing.ts';
import { pageArguments, pageInfoFields, type PageInfo } from '../../site/records/paging.ts';
import type { Fields } from '../../site/forms/fields.ts';
import type { Visit } from '../../site/visit.ts';
import type { ShownLabel } from './chip.tsx';

/** A label as its pages show it. */
export interface PlaceLabel extends ShownLabel {
  readonly id: number;
  readonly description: string | null;
  readonly priority: number | null;
  readonly isProjectLabel: boolean;
  readonly subscribed: boolean | null;
  readonly archived: boolean;
  readonly openIssuesCount: number;
}

export interface LabelPage {
  readonly labels: readonly PlaceLabel[];
  readonly pageInfo: PageInfo;
}

const pageSize = 50;
const fields = 'id: databaseId title color description priority isProjectLabel subscribed archived openIssuesCount';

/** What the pages of labels read. */
export function labelReader(schema: GraphQLSchema) {
  const lister = (kind: Kind, above: boolean) =>
    compileOperation<{ place: { labels: { nodes: PlaceLabel[]; pageInfo: PageInfo } } | null }>(
      schema,
      `query ($path: ID!, $search: String, $first: Int, $last: Int, $before: String, $after: String) {
        place: ${kind}(fullPath: $path) {
          labels(includeAncestorGroups: ${above}, searchTerm: $search, first: $first, last: $last, before: $before, after: $after) {
            nodes { ${fields} } ${pageInfoFields}
          }
        }
      }`,
    );
  // A project shows all that its issues can have; a group shows its own, which are changed there.
  const list = { project: lister('project', true), group: lister('group', false) };
  const finder = (kind: Kind) =>
    compileOperation<{ label: PlaceLabel }>(
      schema,
      `query ($path: ID!, $id: String!) { label(${kind}: $path, name: $id) { ${fields} } }`,
    );
  const find = { project: finder('project'), group: finder('group') };
  const above = compileOperation<{ project: { group: { userPermissions: { adminLabel: boolean } } | null } | null }>(
    schema,
    'query ($path: ID!) { project(fullPath: $path) { group { userPermissions { adminLabel } } } }',
  );

  return {
    async list({ context }: Visit, { kind, fullPath }: PlaceHead, query: Fields): Promise<LabelPage> {
      const { place } = await list[kind].execute(context, {
        path: fullPath,
        search: query.search?.trim() || null,
        ...pageArguments(query, pageSize),
      });
      const { labels } = stillThere(place);
      return { labels: labels.nodes, pageInfo: labels.pageInfo };
    },

    /** The label of the address that belongs to the place itself; null if there is none. */
    async own({ context, named }: Visit, { kind, fullPath }: PlaceHead): Promise<PlaceLabel | null> {
      if (!/^[1-9]\d{0,9}$/.test(named.id ?? '')) return null;
      const found = await orNull(find[kind].execute(context, { path: fullPath, id: named.id }));
      if (!found) return null;
      const { label } = found;
      const isOwn = String(label.id) === named.id && label.isProjectLabel === (kind === 'project');
      return isOwn ? label : null;
    },

    /** Whether the viewer may make labels of a project those of its group. */
    async mayPromote({ context }: Visit, { kind, fullPath, userPermissions }: PlaceHead): Promise<boolean> {
      if (kind === 'group' || !userPermissions.adminLabel) return false;
      return (await above.execute(context, { path: fullPath })).project?.group?.userPermissions.adminLabel ?? false;
    },
  };
}

/** How mutations name a place. */
export const placeInput = ({ kind, fullPath }: PlaceHead) =>
  kind === 'project' ? { projectPath: fullPath } : { groupPath: fullPath };

/** The address of the labels of a place, or of a page below it. @param page begins with a slash */
export const labelsPath = (place: PlaceHead, page = ''): string => below(place, `/labels${page}`);
