import { expect } from 'vitest';
import type { Answer, Row } from './row.ts';
import { newProject } from './steps.ts';

/** A removed path below projects: version 4 reads it as a project's name, answers 404, and has a hint. */
const gone = (hint: string): Answer => ({ status: 404, has: { message: '404 Project Not Found' }, hint });
const ofVisibility = /^The parameters `public` and `visibility_level` are ignored/;
const ofMerging = /`merge_when_build_succeeds` is called `merge_when_pipeline_succeeds`.*ignored/;

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
    request: { call: 'GET /projects/storefront' },
    response: gone('Use GET /api/v4/projects?search=x.'),
  },
  {
    name: '8.17: GET /projects/search/:search is removed with it',
    request: { call: 'GET /projects/search/storefront' },
    response: { status: 404, has: { error: '404 Not Found' }, hint: 'Use GET /api/v4/projects?search=x.' },
  },
  {
    name: '8.17: GET /projects?search=x searches',
    request: { call: 'GET /projects', query: { search: 'storefront' } },
    response: { status: 200, list: { path: ['storefront'] } },
  },
  {
    name: '9.0: DELETE /projects/:id/star is removed',
    request: { call: 'DELETE /projects/{storefront}/star' },
    response: {
      status: 405,
      has: { error: '405 Not Allowed' },
      headers: { allow: 'OPTIONS, POST' },
      hint: 'Use POST /api/v4/projects/:id/unstar.',
    },
  },
  {
    name: '9.0: POST /projects/:id/unstar removes a star',
    given: [newProject, { call: 'POST /projects/{project}/star' }],
    request: { call: 'POST /projects/{project}/unstar' },
    response: { status: 201, has: { id: '{project}', star_count: 0 } },
  },
  {
    name: '9.0: POST /projects/:id/unstar without a star changes nothing',
    given: [newProject],
    request: { call: 'POST /projects/{project}/unstar' },
    response: { status: 304 },
  },
  {
    name: '9.0: POST /projects/fork/:id is removed',
    request: { call: 'POST /projects/fork/{storefront_id}' },
    response: { status: 404, has: { error: '404 Not Found' }, hint: 'Use POST /api/v4/projects/:id/fork.' },
  },
  {
    name: '9.0: POST /projects/:id/fork forks',
    given: [newProject],
    request: { call: 'POST /projects/{project}/fork', form: { path: 'fork-{row}', name: 'Fork {row}' } },
    response: { status: 201, has: { path: 'fork-{row}', forked_from_project: { id: '{project}' } } },
  },
  {
    name: '9.0: GET /projects/visible is removed',
    request: { call: 'GET /projects/visible' },
    response: gone('Use GET /api/v4/projects.'),
  },
  {
    name: '9.0: GET /projects/all is removed',
    request: { call: 'GET /projects/all' },
    response: gone('Use GET /api/v4/projects.'),
  },
  {
    name: '9.0: GET /projects answers with authorization',
    request: { call: 'GET /projects', query: { search: 'storefront' } },
    response: { status: 200, list: { path: ['storefront'] } },
  },
  {
    name: '9.0: GET /projects answers without authorization',
    request: { call: 'GET /projects', as: 'anonymous', query: { search: 'storefront' } },
    response: { status: 200, list: { path: ['storefront'] } },
  },
  {
    name: '9.0: GET /projects/owned is removed',
    request: { call: 'GET /projects/owned' },
    response: gone('Use GET /api/v4/projects?owned=true.'),
  },
  {
    name: '9.0: GET /projects?owned=true lists owned projects',
    given: [newProject],
    request: { call: 'GET /projects', query: { owned: 'true', per_page: '1' } },
    response: { status: 200, list: { id: ['{project}'] } },
  },
  {
    name: '9.0: GET /projects/starred is removed',
    request: { call: 'GET /projects/starred' },
    response: gone('Use GET /api/v4/projects?starred=true.'),
  },
  {
    name: '9.0: GET /projects?starred=true lists starred projects',
    given: [newProject, { call: 'POST /projects/{project}/star' }],
    request: { call: 'GET /projects', query: { starred: 'true', per_page: '1' } },
    response: { status: 200, list: { id: ['{project}'] } },
  },
  {
    name: '9.0: GET /projects lists all visible projects, even without membership',
    request: { call: 'GET /projects', as: 'stranger', query: { search: 'storefront' } },
    response: { status: 200, list: { path: ['storefront'] } },
  },
  {
    name: '9.0: GET /projects?membership=true lists projects with membership',
    request: { call: 'GET /projects', as: 'stranger', query: { membership: 'true' } },
    response: { status: 200, body: [] },
  },
  ...[
    { what: 'POST /projects', call: 'POST /projects', as: 'maintainer', status: 201 },
    { what: 'POST /projects/user/:user_id', call: 'POST /projects/user/{maintainer}', as: 'root', status: 201 },
    { what: 'PUT /projects/:id', call: 'PUT /projects/{project}', as: 'maintainer', status: 200 },
  ].flatMap(({ what, call, as, status }): Row[] => {
    const request = (more: Record<string, string>) => ({
      call,
      as: as as 'maintainer' | 'root',
      form: { name: 'Again {row}', path: 'again-{row}', ...more },
    });
    return [
      {
        name: `9.0: the parameter public is removed from ${what}`,
        given: [newProject],
        request: request({ public: 'true' }),
        response: { status, has: { visibility: 'private' }, headers: { 'x-causeway-hint': ofVisibility } },
      },
      {
        name: `9.0: visibility is a string in ${what}`,
        given: [newProject],
        request: request({ visibility: 'internal' }),
        response: { status, has: { visibility: 'internal' }, headers: { 'x-causeway-hint': null } },
      },
      {
        name: `9.0: visibility is one of three strings in ${what}`,
        given: [newProject],
        request: request({ visibility: '20' }),
        response: { status: 400, body: { error: 'visibility does not have a valid value' } },
      },
      {
        name: `9.0: merge_when_build_succeeds is renamed in ${what}`,
        given: [newProject],
        request: request({ merge_when_build_succeeds: 'true' }),
        response: {
          status,
          has: { only_allow_merge_if_pipeline_succeeds: false },
          headers: { 'x-causeway-hint': ofMerging },
        },
      },
      {
        name: `9.0: merge_when_pipeline_succeeds works in ${what}`,
        given: [newProject],
        request: request({ merge_when_pipeline_succeeds: 'true' }),
        response: {
          status,
          has: { only_allow_merge_if_pipeline_succeeds: true },
          headers: { 'x-causeway-hint': null },
        },
      },
      {
        name: `only_allow_merge_if_pipeline_succeeds wins over the former name in ${what}`,
        given: [newProject],
        request: request({ merge_when_pipeline_succeeds: 'true', only_allow_merge_if_pipeline_succeeds: 'false' }),
        response: { status, has: { only_allow_merge_if_pipeline_succeeds: false } },
      },
    ];
  }),
  {
    name: '9.0: a project is edited by PUT /projects/:id, and public alone changes nothing',
    given: [newProject],
    request: { call: 'PUT /projects/{project}', form: { public: 'true' } },
    response: {
      status: 400,
      has: { error: expect.stringMatching(/are missing, at least one parameter must be provided$/) },
      hint: '`public`',
    },
  },
  {
    name: '9.0: merge_when_pipeline_succeeds alone changes a project',
    given: [newProject],
    request: { call: 'PUT /projects/{project}', form: { merge_when_pipeline_succeeds: 'true' } },
    response: { status: 200, has: { only_allow_merge_if_pipeline_succeeds: true } },
  },
  {
    name: '9.0: DELETE /projects/:id answers 202 with a JSON body',
    given: [newProject],
    request: { call: 'DELETE /projects/{project}' },
    response: { status: 202, body: { message: '202 Accepted' } },
  },
  {
    name: '9.0: the record of a project begins with the expected keys',
    request: { call: 'GET /projects/{storefront}' },
    response: {
      status: 200,
      has: Object.fromEntries(basicMembers.slice(0, 7).map((name) => [name, expect.anything()])),
    },
  },
];

const names = ['licenses', 'gitignores', 'gitlab_ci_ymls', 'dockerfiles'] as const;
const keys = { licenses: 'mit', gitignores: 'Node', gitlab_ci_ymls: 'Nodejs', dockerfiles: 'Node' };

export const changesOfTemplates: readonly Row[] = names.flatMap((name): Row[] => [
  {
    name: `9.0: /${name} is removed`,
    request: { call: `GET /${name}` },
    response: { status: 404, has: { error: '404 Not Found' }, hint: `/api/v4/templates/${name}` },
  },
  {
    name: `9.0: /${name}/:key is removed`,
    request: { call: `GET /${name}/${keys[name]}` },
    response: { status: 404, has: { error: '404 Not Found' }, hint: `/api/v4/templates/${name}/:key` },
  },
  {
    name: `9.0: /templates/${name} lists them`,
    request: { call: `GET /templates/${name}`, as: 'anonymous' },
    response: { status: 200 },
  },
  {
    name: `9.0: /templates/${name}/:key returns one`,
    request: { call: `GET /templates/${name}/${keys[name]}`, as: 'anonymous' },
    response: { status: 200, has: { name: expect.any(String), content: expect.any(String) } },
  },
]);
