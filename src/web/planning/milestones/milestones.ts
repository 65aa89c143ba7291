import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import { below } from '../../places/place/layout.tsx';
import type { Kind } from '../../places/place/place.ts';
import type { PlaceHead } from '../../places/place/route.ts';
import { isKey, type Fields } from '../../site/forms/fields.ts';
import { pageArguments, pageInfoFields, type PageInfo } from '../../site/records/paging.ts';
import { stillThere } from '../../site/missing.ts';
import { isRecordNumber } from '../../site/paths.ts';
import type { Visit } from '../../site/visit.ts';
import { listedIssueFields, type ListedIssue } from '../issues/list.ts';

/** A milestone as lists show it. */
export interface ListedMilestone {
  readonly id: number;
  readonly iid: string;
  readonly title: string;
  readonly state: 'active' | 'closed';
  /** The beginnings of its first and its last day. */
  readonly startDate: string | null;
  readonly dueDate: string | null;
  readonly expired: boolean;
  readonly upcoming: boolean;
  readonly groupMilestone: boolean;
  readonly webPath: string;
  readonly stats: { readonly totalIssuesCount: number; readonly closedIssuesCount: number };
}

export interface ShownMilestone extends ListedMilestone {
  readonly description: string | null;
  readonly descriptionHtml: string | null;
  readonly issues: { readonly nodes: readonly ListedIssue[]; readonly pageInfo: PageInfo };
}

const pageSize = 20;
const fields =
  'id: databaseId iid title state startDate dueDate expired upcoming groupMilestone webPath stats { totalIssuesCount closedIssuesCount }';

/** The tabs of the list, and their names in the schema. */
export const states = {
  opened: { label: 'Open', state: 'active' },
  closed: { label: 'Closed', state: 'closed' },
  all: { label: 'All', state: null },
} as const;
export type State = keyof typeof states;

/** Orders by their names in addresses: their names in the schema, and in words. */
export const orders = {
  due_date_asc: ['DUE_DATE_ASC', 'Due date, soonest first'],
  due_date_desc: ['DUE_DATE_DESC', 'Due date, latest first'],
  created_desc: ['CREATED_DESC', 'Created, newest first'],
  updated_desc: ['UPDATED_DESC', 'Updated, newest first'],
} as const;
type Order = keyof typeof orders;

export interface MilestoneQuery {
  readonly state: State;
  readonly search: string;
  readonly sort: Order;
}

export function readMilestoneQuery({ state = '', sort = '', search = '' }: Fields): MilestoneQuery {
  return {
    state: isKey(states, state) ? state : 'opened',
    sort: isKey(orders, sort) ? sort : 'due_date_asc',
    search: search.trim(),
  };
}

/** What the pages of milestones read. */
export function milestoneReader(schema: GraphQLSchema) {
  const lister = (kind: Kind) =>
    compileOperation<{ place: { milestones: { nodes: ListedMilestone[]; pageInfo: PageInfo } } | null }>(
      schema,
      `query ($path: ID!, $state: MilestoneStateEnum, $search: String, $sort: MilestoneSort, $first: Int, $last: Int, $before: String, $after: String) {
        place: ${kind}(fullPath: $path) {
          milestones(includeAncestors: true, state: $state, searchTitle: $search, sort: $sort, first: $first, last: $last, before: $before, after: $after) {
            nodes { ${fields} } ${pageInfoFields}
          }
        }
      }`,
    );
  const list = { project: lister('project'), group: lister('group') };
  const finder = (kind: Kind) =>
    compileOperation<{ place: { milestones: { nodes: ShownMilestone[] } } | null }>(
      schema,
      `query ($path: ID!, $iid: Int!, $first: Int, $last: Int, $before: String, $after: String) {
        place: ${kind}(fullPath: $path) {
          milestones(iids: [$iid], first: 1) { nodes {
            ${fields} description descriptionHtml
            issues(first: $first, last: $last, before: $before, after: $after) {
              nodes { reference${kind === 'group' ? '(full: true)' : ''} ${listedIssueFields} } ${pageInfoFields}
            }
          } }
        }
      }`,
    );
  const find = { project: finder('project'), group: finder('group') };
  const above = compileOperation<{ project: { group: { userPermissions: { promotes: boolean } } | null } | null }>(
    schema,
    'query ($path: ID!) { project(fullPath: $path) { group { userPermissions { promotes: promoteMilestone } } } }',
  );

  return {
    async list({ context }: Visit, { kind, fullPath }: PlaceHead, cursor: Fields) {
      const query = readMilestoneQuery(cursor);
      const { place } = await list[kind].execute(context, {
        path: fullPath,
        state: states[query.state].state,
        search: query.search || null,
        sort: orders[query.sort][0],
        ...pageArguments(cursor, pageSize),
      });
      return stillThere(place).milestones;
    },

    /** The milestone of the address, which belongs to the place itself; null if there is none. */
    async find(
      { context, named: { iid = '' } }: Visit,
      { kind, fullPath }: PlaceHead,
      cursor: Fields = {},
    ): Promise<ShownMilestone | null> {
      if (!isRecordNumber(iid)) return null;
      const { place } = await find[kind].execute(context, {
        path: fullPath,
        iid: Number(iid),
        ...pageArguments(cursor, pageSize),
      });
      return place?.milestones.nodes[0] ?? null;
    },

    /** Whether the viewer may make milestones of a project those of its group. */
    async mayPromote({ context }: Visit, { kind, fullPath, userPermissions }: PlaceHead): Promise<boolean> {
      if (kind === 'group' || !userPermissions.adminMilestone) return false;
      return (await above.execute(context, { path: fullPath })).project?.group?.userPermissions.promotes ?? false;
    },
  };
}

/** The address of the milestones of a place, or of a page below it. @param page begins with a slash */
export const milestonesPath = (place: PlaceHead, page = ''): string => below(place, `/milestones${page}`);
