import { expect } from 'vitest';
import type { Answer, Row } from './row.ts';
import { newProject } from './steps.ts';

/** A path below projects that is taken for the name of one: there is none, and version 4 says what to call. */
const gone = (hint: string): Answer => ({ status: 404, has: { message: '404 Project Not Found' }, hint });
const ofVisibility = /^The parameters `public` and `visibility_level` are ignored/;
const ofMerging = /`merge_when_build_succeeds` is called `merge_when_pipeline_succeeds`/;

const basicMembers = [
  'id',
  'description',
  'name',
  'name_with_namespace',
  'path',
  'path_with_namespace',
  'created_at',
  'default_branch',
  'tag_list',
  'topics',
];

export const changesOfProjects: readonly Row[] = [
  {
    name: '8.17: GET /projects/:search is removed',
    asks: { call: 'GET /projects/storefront' },
    gets: gone('Use GET /api/v4/projects?search=x.'),
  },
  {
    name: '8.17: GET /projects/search/:search is removed with it',
    asks: { call: 'GET /projects/search/storefront' },
    gets: { status: 404, has: { error: '404 Not Found' }, hint: 'Use GET /api/v4/projects?search=x.' },
  },
  {
    name: '8.17: GET /projects?search=x searches',
    asks: { call: 'GET /projects', query: { search: 'storefront' } },
    gets: { status: 200, list: { path: ['storefront'] } },
  },
  {
    name: '9.0: DELETE /projects/:id/star is no call',
    asks: { call: 'DELETE /projects/{storefront}/star' },
    gets: {
      status: 405,
      has: { error: '405 Not Allowed' },
      headers: { allow: 'OPTIONS, POST' },
      hint: 'Use POST /api/v4/projects/:id/unstar.',
    },
  },
  {
    name: '9.0: POST /projects/:id/unstar takes a star back',
    given: [newProject, { call: 'POST /projects/{project}/star' }],
    asks: { call: 'POST /projects/{project}/unstar' },
    gets: { status: 201, has: { id: '{project}', star_count: 0 } },
  },
  {
    name: '9.0: POST /projects/:id/unstar without a star changes nothing',
    given: [newProject],
    asks: { call: 'POST /projects/{project}/unstar' },
    gets: { status: 304 },
  },
  {
    name: '9.0: POST /projects/fork/:id is removed',
    asks: { call: 'POST /projects/fork/{storefront_id}' },
    gets: { status: 404, has: { error: '404 Not Found' }, hint: 'Use POST /api/v4/projects/:id/fork.' },
  },
  {
    name: '9.0: POST /projects/:id/fork forks',
    given: [newProject],
    asks: { call: 'POST /projects/{project}/fork', form: { path: 'fork-{row}', name: 'Fork {row}' } },
    gets: { status: 201, has: { path: 'fork-{row}', forked_from_project: { id: '{project}' } } },
  },
  {
    name: '9.0: GET /projects/visible is removed',
    asks: { call: 'GET /projects/visible' },
    gets: gone('Use GET /api/v4/projects.'),
  },
  {
    name: '9.0: GET /projects/all is removed',
    asks: { call: 'GET /projects/all' },
    gets: gone('Use GET /api/v4/projects.'),
  },
  {
    name: '9.0: GET /projects answers with authorization',
    asks: { call: 'GET /projects', query: { search: 'storefront' } },
    gets: { status: 200, list: { path: ['storefront'] } },
  },
  {
    name: '9.0: GET /projects answers without authorization',
    asks: { call: 'GET /projects', as: 'nobody', query: { search: 'storefront' } },
    gets: { status: 200, list: { path: ['storefront'] } },
  },
  {
    name: '9.0: GET /projects/owned is removed',
    asks: { call: 'GET /projects/owned' },
    gets: gone('Use GET /api/v4/projects?owned=true.'),
  },
  {
    name: '9.0: GET /projects?owned=true has those that one owns',
    given: [newProject],
    asks: { call: 'GET /projects', query: { owned: 'true', per_page: '1' } },
    gets: { status: 200, list: { id: ['{project}'] } },
  },
  {
    name: '9.0: GET /projects/starred is removed',
    asks: { call: 'GET /projects/starred' },
    gets: gone('Use GET /api/v4/projects?starred=true.'),
  },
  {
    name: '9.0: GET /projects?starred=true has those that one starred',
    given: [newProject, { call: 'POST /projects/{project}/star' }],
    asks: { call: 'GET /projects', query: { starred: 'true', per_page: '1' } },
    gets: { status: 200, list: { id: ['{project}'] } },
  },
  {
    name: '9.0: GET /projects has all that the user can see, even without membership',
    asks: { call: 'GET /projects', as: 'stranger', query: { search: 'storefront' } },
    gets: { status: 200, list: { path: ['storefront'] } },
  },
  {
    name: '9.0: GET /projects?membership=true has those of which one is a member',
    asks: { call: 'GET /projects', as: 'stranger', query: { membership: 'true' } },
    gets: { status: 200, body: [] },
  },
  ...[
    { what: 'POST /projects', call: 'POST /projects', as: 'maintainer', status: 201 },
    { what: 'POST /projects/user/:user_id', call: 'POST /projects/user/{maintainer}', as: 'root', status: 201 },
    { what: 'PUT /projects/:id', call: 'PUT /projects/{project}', as: 'maintainer', status: 200 },
  ].flatMap(({ what, call, as, status }): Row[] => {
    const asks = (more: Record<string, string>) => ({
      call,
      as: as as 'maintainer' | 'root',
      form: { name: 'Again {row}', path: 'again-{row}', ...more },
    });
    return [
      {
        name: `9.0: the parameter public is removed from ${what}`,
        given: [newProject],
        asks: asks({ public: 'true' }),
        gets: { status, has: { visibility: 'private' }, headers: { 'x-causeway-hint': ofVisibility } },
      },
      {
        name: `9.0: visibility is a string in ${what}`,
        given: [newProject],
        asks: asks({ visibility: 'internal' }),
        gets: { status, has: { visibility: 'internal' }, headers: { 'x-causeway-hint': null } },
      },
      {
        name: `9.0: visibility is one of three strings in ${what}`,
        given: [newProject],
        asks: asks({ visibility: '20' }),
        gets: { status: 400, body: { error: 'visibility does not have a valid value' } },
      },
      {
        name: `9.0: merge_when_build_succeeds has another name in ${what}`,
        given: [newProject],
        asks: asks({ merge_when_build_succeeds: 'true' }),
        gets: { status, headers: { 'x-causeway-hint': ofMerging } },
      },
    ];
  }),
  {
    name: '9.0: a project is edited by PUT /projects/:id, and public alone is no change',
    given: [newProject],
    asks: { call: 'PUT /projects/{project}', form: { public: 'true' } },
    gets: {
      status: 400,
      has: { error: expect.stringMatching(/are missing, at least one parameter must be provided$/) },
      hint: '`public`',
    },
  },
  {
    name: '9.0: DELETE /projects/:id answers 202 with a JSON body',
    given: [newProject],
    asks: { call: 'DELETE /projects/{project}' },
    gets: { status: 202, body: { message: '202 Accepted' } },
  },
  {
    name: '9.0: the record of a project begins as clients know it',
    asks: { call: 'GET /projects/{storefront}' },
    gets: { status: 200, has: Object.fromEntries(basicMembers.slice(0, 7).map((name) => [name, expect.anything()])) },
  },
];

const names = ['licenses', 'gitignores', 'gitlab_ci_ymls', 'dockerfiles'] as const;
const keys = { licenses: 'mit', gitignores: 'Node', gitlab_ci_ymls: 'Nodejs', dockerfiles: 'Node' };

export const changesOfTemplates: readonly Row[] = names.flatMap((name): Row[] => [
  {
    name: `9.0: /${name} is removed`,
    asks: { call: `GET /${name}` },
    gets: { status: 404, has: { error: '404 Not Found' }, hint: `/api/v4/templates/${name}` },
  },
  {
    name: `9.0: /${name}/:key is removed`,
    asks: { call: `GET /${name}/${keys[name]}` },
    gets: { status: 404, has: { error: '404 Not Found' }, hint: `/api/v4/templates/${name}/:key` },
  },
  {
    name: `9.0: /templates/${name} has them`,
    asks: { call: `GET /templates/${name}`, as: 'nobody' },
    gets: { status: 200 },
  },
  {
    name: `9.0: /templates/${name}/:key has one`,
    asks: { call: `GET /templates/${name}/${keys[name]}`, as: 'nobody' },
    gets: { status: 200, has: { name: expect.any(String), content: expect.any(String) } },
  },
]);
