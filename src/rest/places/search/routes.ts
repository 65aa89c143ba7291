import { userBasicFields } from '../../accounts/users/basic.ts';
import { pageParameters, pageVariables, type Connection } from '../../engine/pages.ts';
import type { Declaration, Values } from '../../engine/parameters.ts';
import type { Record as WireRecord } from '../../engine/record.ts';
import type { AnyRoute } from '../../engine/route.ts';
import {
  commitResult,
  fileResult,
  issueResult,
  memberResult,
  mergeRequestResult,
  milestoneResult,
  noteResult,
  projectResult,
  SearchResult,
  snippetResult,
  userResult,
  type ResultData,
} from './result.ts';

/**
 * Search in the whole instance, in a group and in a project. Scopes that are named in no `fields` find nothing: of them
 * there is no search.
 */

interface Search {
  readonly path: string;
  readonly summary: string;
  /** The scopes that version 4 knows here. */
  readonly scopes: readonly string[];
  readonly within?: 'group' | 'project';
  /** The field that each scope reads, for those that find something. */
  readonly fields: {
    readonly projects?: 'projects';
    readonly users: 'users' | 'members';
    readonly issues: 'issues';
    readonly merge_requests: 'mergeRequests';
    readonly milestones: 'milestones';
    readonly snippet_titles?: 'snippets';
    readonly notes?: 'notes';
    readonly commits?: 'commits';
    readonly blobs?: 'fileMatches';
  };
  readonly parameters?: readonly Declaration[];
}

type Page = Connection<ResultData>;
const nothing: Page = { nodes: [], pageInfo: { hasNextPage: false }, count: 0 };

/** An operation that names the fields of people once: every alias in it counts against the limit of a document. */
function withPeopleOnce(operation: string): string {
  const people = `{ ${userBasicFields} }`;
  return `${operation.replaceAll(people, '{ ...person }')} fragment person on UserCore ${people}`;
}

const page = 'first: $first, offset: $offset';
const connection = (fields: string) => `{ pageInfo { hasNextPage } count @include(if: $counted) nodes { ${fields} } }`;

/** The fields of the search itself. Those of other scopes are left out. */
const selections = {
  projects: `projects(includeArchived: $archived, sort: $sort, ${page}) @include(if: $projects) ${connection(projectResult)}`,
  users: `users(${page}) @include(if: $users) ${connection(userResult)}`,
  members: `members(${page}) @include(if: $users) ${connection(memberResult)}`,
  milestones: `milestones(${page}) @include(if: $milestones) ${connection(milestoneResult)}`,
  snippets: `snippets(${page}) @include(if: $snippets) ${connection(snippetResult)}`,
  notes: `notes(sort: $sort, ${page}) @include(if: $notes) ${connection(noteResult)}`,
} as const;

/** What is found in the repository of a project. */
const inRepository = `repository(project: $id) @include(if: $code) {
    commits(search: $search, ref: $ref, ${page}) @include(if: $commits) ${connection(commitResult)}
    fileMatches(search: $search, ref: $ref, ${page}) @include(if: $blobs) ${connection(fileResult)}
  }`;

/** The lists of what has filters, which have a search of their own. */
function listSelections(within: Search['within']) {
  const place = within ? `${within}: $id, ` : '';
  const archived = within === 'project' ? '' : 'includeArchived: $archived, ';
  const asked = `${place}${archived}search: $search, sort: $listSort, ${page}`;
  return {
    issues: `issues(state: $issueState, confidential: $confidential, ${asked}) @include(if: $issues) ${connection(issueResult)}`,
    mergeRequests: `mergeRequests(state: $mergeRequestState, ${asked.replace('$listSort', '$mergeRequestSort')})
      @include(if: $mergeRequests) ${connection(mergeRequestResult)}`,
  } as const;
}

const listTypes = `$issues: Boolean!, $mergeRequests: Boolean!, $issueState: IssuableState, $confidential: Boolean,
  $mergeRequestState: MergeRequestState, $listSort: IssueSort, $mergeRequestSort: MergeRequestSort, $details: Boolean!,
  $html: Boolean!`;

function searchRoute({ path, summary, scopes, within, fields, parameters = [] }: Search): AnyRoute {
  const paging = { of: 'SearchResult' };
  const types = [
    '$search: String!, $users: Boolean!, $milestones: Boolean!, $first: Int, $offset: Int, $counted: Boolean!',
    listTypes,
    ...(fields.projects ? ['$projects: Boolean!, $archived: Boolean'] : []),
    ...(fields.snippet_titles ? ['$snippets: Boolean!'] : []),
    ...(fields.notes ? ['$notes: Boolean!'] : []),
    ...(fields.projects || fields.notes ? ['$sort: String'] : []),
    ...(fields.commits ? ['$code: Boolean!, $commits: Boolean!, $blobs: Boolean!, $ref: String'] : []),
    ...(within ? [fields.commits ? '$id: ID!' : '$id: ID'] : []),
  ];
  const lists = listSelections(within);
  const selected = [fields.projects, fields.users, fields.milestones, fields.snippet_titles, fields.notes].flatMap(
    (field) => (field ? [selections[field]] : []),
  );
  const listed = [lists[fields.issues], lists[fields.merge_requests], ...(fields.commits ? [inRepository] : [])];
  return {
    method: 'GET',
    path,
    summary,
    tag: 'Search',
    parameters: [
      { name: 'search', type: 'string', required: true, description: 'Words that must all occur in what is found.' },
      {
        name: 'scope',
        type: 'string',
        required: true,
        allowed: scopes,
        description: `What to search: ${Object.keys(fields)
          .map((scope) => `\`${scope}\``)
          .join(', ')}. The others find nothing.`,
      },
      {
        name: 'state',
        type: 'string',
        allowed: ['all', 'opened', 'closed', 'merged'],
        description: 'For issues and merge requests. No issue is merged.',
      },
      { name: 'confidential', type: 'boolean', description: 'For issues.' },
      { name: 'order_by', type: 'string', allowed: ['created_at'], description: 'Field to sort by.' },
      { name: 'sort', type: 'string', allowed: ['asc', 'desc'], description: 'The oldest or the newest first.' },
      { name: 'include_archived', type: 'boolean', default: false, description: 'Include archived projects.' },
      ...parameters,
      ...pageParameters(paging),
    ],
    operation: withPeopleOnce(`query (${types.join(', ')}) {
      search(search: $search${within ? `, ${within}: $id` : ''}) { __typename ${selected.join(' ')} }
      ${listed.join(' ')}
    }`),
    variables: (values: Values) => ({
      ...pageVariables(paging, values),
      search: values.search ?? '',
      users: values.scope === 'users',
      ...listVariables(values),
      ...(fields.projects && {
        projects: values.scope === 'projects',
        archived: values.include_archived,
      }),
      ...((fields.projects || fields.notes) && { sort: `created_${String(values.sort ?? 'desc')}` }),
      milestones: values.scope === 'milestones',
      ...(fields.snippet_titles && { snippets: values.scope === 'snippet_titles' }),
      ...(fields.notes && { notes: values.scope === 'notes' }),
      ...(fields.commits && codeVariables(values)),
      ...(within && { id: values.id }),
    }),
    record: SearchResult as unknown as WireRecord<Record<string, unknown>>,
    connection: ({ search, repository, ...lists }) => {
      const { __typename: _, ...inPlace } = search as { readonly [field: string]: Page };
      // One of them: the others are left out.
      const [found = nothing] = Object.values({ ...inPlace, ...(repository as object), ...lists }) as Page[];
      return found as unknown as Connection<Record<string, unknown>>;
    },
    dialect: 'version 4',
  };
}

function listVariables({ scope, state, confidential, sort }: Values) {
  const order = sort === 'asc' ? 'CREATED_ASC' : 'CREATED_DESC';
  return {
    issues: scope === 'issues' && state !== 'merged',
    mergeRequests: scope === 'merge_requests',
    ...(state !== 'merged' && { issueState: state }),
    mergeRequestState: state,
    confidential,
    listSort: order,
    mergeRequestSort: order,
    details: false,
    html: false,
  };
}

const codeVariables = ({ scope, ref }: Values) => ({
  code: scope === 'commits' || scope === 'blobs',
  commits: scope === 'commits',
  blobs: scope === 'blobs',
  ref,
});

const ofProjects = { issues: 'issues', merge_requests: 'mergeRequests', milestones: 'milestones' } as const;

const ofGroup = searchRoute({
  path: '/api/v4/groups/:id/search',
  summary: 'Search a group and its subgroups',
  scopes: ['projects', 'issues', 'merge_requests', 'milestones', 'users'],
  within: 'group',
  fields: { projects: 'projects', ...ofProjects, users: 'members' },
});

const ofProject = searchRoute({
  path: '/api/v4/projects/:id/search',
  summary: 'Search a project',
  scopes: ['issues', 'merge_requests', 'milestones', 'notes', 'users', 'commits', 'blobs', 'wiki_blobs'],
  within: 'project',
  fields: { ...ofProjects, notes: 'notes', users: 'members', commits: 'commits', blobs: 'fileMatches' },
  parameters: [{ name: 'ref', type: 'string', description: 'For commits and files: a branch or tag.' }],
});

export const searchRoutes: readonly AnyRoute[] = [
  searchRoute({
    path: '/api/v4/search',
    summary: 'Search everything that you can see',
    scopes: ['projects', 'issues', 'merge_requests', 'milestones', 'snippet_titles', 'users'],
    fields: { projects: 'projects', ...ofProjects, snippet_titles: 'snippets', users: 'users' },
  }),
  ofGroup,
  { ...ofGroup, path: '/api/v4/groups/:id/-/search' },
  ofProject,
  { ...ofProject, path: '/api/v4/projects/:id/-/search' },
];
