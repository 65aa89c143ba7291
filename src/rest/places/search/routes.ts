import { pageParameters, pageVariables, type Connection } from '../../engine/pages.ts';
import type { Declaration, Values } from '../../engine/parameters.ts';
import type { Record as WireRecord } from '../../engine/record.ts';
import type { AnyRoute } from '../../engine/route.ts';
import { memberResult, projectResult, SearchResult, userResult, type ResultData } from './result.ts';

/**
 * Search in the whole instance, in a group and in a project. Of the scopes, `projects` and `users` have something to
 * find; the others find nothing until what they search exists.
 */

interface Search {
  readonly path: string;
  readonly summary: string;
  /** The scopes that version 4 knows here. */
  readonly scopes: readonly string[];
  readonly within?: 'group' | 'project';
  /** The field of the search that each scope reads, for those that find something. */
  readonly fields: { readonly projects?: 'projects'; readonly users: 'users' | 'members' };
  readonly parameters?: readonly Declaration[];
}

type Page = Connection<ResultData>;
const nothing: Page = { nodes: [], pageInfo: { hasNextPage: false }, count: 0 };

const page = 'first: $first, offset: $offset';
const connection = (fields: string) => `{ pageInfo { hasNextPage } count @include(if: $counted) nodes { ${fields} } }`;

/** The selection of each field. The fields of other scopes are left out. */
const selections = {
  projects: `projects(includeArchived: $archived, sort: $sort, ${page}) @include(if: $projects) ${connection(projectResult)}`,
  users: `users(${page}) @include(if: $users) ${connection(userResult)}`,
  members: `members(${page}) @include(if: $users) ${connection(memberResult)}`,
} as const;

function searchRoute({ path, summary, scopes, within, fields, parameters = [] }: Search): AnyRoute {
  const paging = { of: 'SearchResult' };
  const types = [
    '$search: String!, $users: Boolean!, $first: Int, $offset: Int, $counted: Boolean!',
    ...(fields.projects ? ['$projects: Boolean!, $archived: Boolean, $sort: String'] : []),
    ...(within ? ['$id: ID'] : []),
  ];
  const selected = Object.values(fields).map((field) => selections[field]);
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
          .join(' or ')}. The others find nothing yet.`,
      },
      {
        name: 'state',
        type: 'string',
        allowed: ['all', 'opened', 'closed', 'merged'],
        description: 'For issues and merge requests.',
      },
      { name: 'confidential', type: 'boolean', description: 'For issues.' },
      { name: 'order_by', type: 'string', allowed: ['created_at'], description: 'Field to sort by.' },
      { name: 'sort', type: 'string', allowed: ['asc', 'desc'], description: 'Sort direction of projects.' },
      { name: 'include_archived', type: 'boolean', default: false, description: 'Include archived projects.' },
      ...parameters,
      ...pageParameters(paging),
    ],
    operation: `query (${types.join(', ')}) {
      search(search: $search${within ? `, ${within}: $id` : ''}) { __typename ${selected.join(' ')} }
    }`,
    variables: (values: Values) => ({
      ...pageVariables(paging, values),
      search: values.search ?? '',
      users: values.scope === 'users',
      ...(fields.projects && {
        projects: values.scope === 'projects',
        archived: values.include_archived,
        sort: `created_${String(values.sort ?? 'desc')}`,
      }),
      ...(within && { id: values.id }),
    }),
    record: SearchResult as unknown as WireRecord<Record<string, unknown>>,
    connection: ({ search }) => {
      const { projects, users, members } = search as { readonly [field: string]: Page | undefined };
      return (projects ?? users ?? members ?? nothing) as unknown as Connection<Record<string, unknown>>;
    },
    dialect: 'version 4',
  };
}

const ofGroup = searchRoute({
  path: '/api/v4/groups/:id/search',
  summary: 'Search the projects and members of a group and its subgroups',
  scopes: ['projects', 'issues', 'merge_requests', 'milestones', 'users'],
  within: 'group',
  fields: { projects: 'projects', users: 'members' },
});

const ofProject = searchRoute({
  path: '/api/v4/projects/:id/search',
  summary: 'Search the members of a project',
  scopes: ['issues', 'merge_requests', 'milestones', 'notes', 'users', 'commits', 'blobs', 'wiki_blobs'],
  within: 'project',
  fields: { users: 'members' },
  parameters: [{ name: 'ref', type: 'string', description: 'For commits and files: a branch or tag.' }],
});

export const searchRoutes: readonly AnyRoute[] = [
  searchRoute({
    path: '/api/v4/search',
    summary: 'Search projects and users that you can see',
    scopes: ['projects', 'issues', 'merge_requests', 'milestones', 'snippet_titles', 'users'],
    fields: { projects: 'projects', users: 'users' },
  }),
  ofGroup,
  { ...ofGroup, path: '/api/v4/groups/:id/-/search' },
  ofProject,
  { ...ofProject, path: '/api/v4/projects/:id/-/search' },
];
