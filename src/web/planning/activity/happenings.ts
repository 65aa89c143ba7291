import type { GraphQLSchema } from 'graphql';
import type { Context } from '../../../context.ts';
import { compileOperation } from '../../../operation.ts';
import { picturedFields, type Pictured } from '../../places/avatars/avatar.tsx';
import { isKey, type Fields } from '../../site/forms/fields.ts';
import { pageArguments, pageInfoFields, type PageInfo } from '../../site/records/paging.ts';

/** Something that a person did in a project, as pages show it. */
export interface Happening {
  readonly action: string;
  readonly isOfProject: boolean;
  readonly author: Pictured & { readonly username: string };
  /** Undefined in the list of one project; null if the viewer sees no project. */
  readonly project?: { readonly name: string; readonly fullPath: string } | null;
  readonly targetIid: number | null;
  readonly targetType: string | null;
  readonly targetTitle: string | null;
  /** Null unless it is a comment. */
  readonly note: {
    readonly body: string;
    readonly url: string;
    readonly noteableType: 'Issue' | 'MergeRequest' | 'Snippet';
    readonly noteableIid: number | null;
    readonly noteableDatabaseId: number;
  } | null;
  /** Null unless it is a push. */
  readonly pushData: {
    readonly action: string;
    readonly refType: string;
    readonly ref: string;
    readonly commitFrom: string | null;
    readonly commitTo: string | null;
    readonly commitCount: number;
    readonly commitTitle: string | null;
  } | null;
  readonly createdAt: string;
}

/** Happenings on a page. */
const size = 20;

const happeningFields = `action isOfProject author { ${picturedFields} username } targetIid targetType targetTitle note { body url noteableType noteableIid noteableDatabaseId }
  pushData { action refType ref commitFrom commitTo commitCount commitTitle } createdAt`;

interface Filter {
  readonly label: string;
  readonly action?: string;
  readonly targetType?: string;
}

/** What a list of activity can be limited to, by GitLab's names in the address: `?event_filter=push`. */
export const filters = {
  all: { label: 'All' },
  push: { label: 'Pushes', action: 'PUSHED' },
  merged: { label: 'Merges', action: 'MERGED' },
  issue: { label: 'Issues', targetType: 'ISSUE' },
  comments: { label: 'Comments', action: 'COMMENTED' },
} as const satisfies Readonly<Record<string, Filter>>;

export type FilterName = keyof typeof filters;

export const filterOf = ({ event_filter: name = 'all' }: Fields): FilterName => (isKey(filters, name) ? name : 'all');

/** A page of a list of activity. */
export interface HappeningPage {
  readonly nodes: readonly Happening[];
  readonly pageInfo: PageInfo;
}

type Lister<Of> = (context: Context, of: Of, query: Fields) => Promise<HappeningPage>;

const taken = 'first: $first, last: $last, before: $before, after: $after, action: $action, targetType: $targetType';
const declared =
  '$first: Int, $last: Int, $before: String, $after: String, $action: EventAction, $targetType: EventTarget';
const selected = (more = '') => `{ nodes { ${happeningFields} ${more} } ${pageInfoFields} }`;
const withProject = 'project { name fullPath }';

/** The variables for the cursor and the filter of an address. */
function variablesOf(query: Fields) {
  const { action, targetType }: Filter = filters[filterOf(query)];
  return { ...pageArguments(query, size), action, targetType };
}

/** Lists what happened in a project, the newest first, as far as the viewer reads it. */
export function projectActivity(schema: GraphQLSchema): Lister<{ readonly project: string }> {
  const list = compileOperation<{ projectEvents: HappeningPage }>(
    schema,
    `query ($project: ID!, ${declared}) { projectEvents(project: $project, ${taken}) ${selected()} }`,
  );
  return async (context, of, query) => (await list.execute(context, { ...of, ...variablesOf(query) })).projectEvents;
}

/** Lists what happened in the projects of a group and of those below it. */
export function groupActivity(schema: GraphQLSchema): Lister<{ readonly group: string }> {
  const list = compileOperation<{ groupEvents: HappeningPage }>(
    schema,
    `query ($group: ID!, ${declared}) { groupEvents(group: $group, ${taken}) ${selected(withProject)} }`,
  );
  return async (context, of, query) => (await list.execute(context, { ...of, ...variablesOf(query) })).groupEvents;
}

/** Lists what a person did. */
export function personActivity(schema: GraphQLSchema): Lister<{ readonly user: string }> {
  const list = compileOperation<{ userEvents: HappeningPage }>(
    schema,
    `query ($user: ID!, ${declared}) { userEvents(user: $user, ${taken}) ${selected(withProject)} }`,
  );
  return async (context, of, query) => (await list.execute(context, { ...of, ...variablesOf(query) })).userEvents;
}

/** Lists what everybody did in the projects of the viewer. */
export function activityAround(schema: GraphQLSchema): Lister<Record<string, never>> {
  const list = compileOperation<{ currentUser: { events: HappeningPage } }>(
    schema,
    `query (${declared}) { currentUser { events(everybody: true, ${taken}) ${selected(withProject)} } }`,
  );
  return async (context, _of, query) => (await list.execute(context, variablesOf(query))).currentUser.events;
}
