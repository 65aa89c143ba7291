import { expect } from 'vitest';
import type { Row } from './row.ts';
import { newRepository, newTopic } from './steps.ts';

const files = '/projects/{project}/repository/files';
const commit = { commit_message: 'Say more', content: 'More.\n' };
const actions = [{ action: 'create', file_path: 'more.txt', content: 'More.\n' }];
const noFile = { status: 404, hint: '/repository/files/:file_path' };
const oldName = { hint: 'The parameter `branch_name`' };

export const changesOfRepositories: readonly Row[] = [
  {
    name: '9.0: POST /projects/:id/repository/branches takes branch',
    given: newRepository,
    request: { call: 'POST /projects/{project}/repository/branches', form: { branch: 'topic', ref: 'main' } },
    response: { status: 201, has: { name: 'topic' } },
  },
  {
    name: '9.0: branch_name is renamed there',
    given: newRepository,
    request: { call: 'POST /projects/{project}/repository/branches', form: { branch_name: 'topic', ref: 'main' } },
    response: { status: 400, has: { error: expect.stringMatching(/^branch is missing/) as string }, ...oldName },
  },
  {
    name: '9.0: POST /projects/:id/repository/commits takes branch',
    given: newRepository,
    request: {
      call: 'POST /projects/{project}/repository/commits',
      json: { branch: 'main', commit_message: 'Say more', actions },
    },
    response: { status: 201, has: { title: 'Say more' } },
  },
  {
    name: '9.0: branch_name is renamed there too',
    given: newRepository,
    request: {
      call: 'POST /projects/{project}/repository/commits',
      json: { branch_name: 'main', commit_message: 'Say more', actions },
    },
    response: { status: 400, has: { error: expect.stringMatching(/^branch is missing/) as string }, ...oldName },
  },
  {
    name: 'POST /projects/:id/repository/commits without any parameter has no hint about branch_name',
    given: newRepository,
    request: { call: 'POST /projects/{project}/repository/commits' },
    response: { status: 400, lacks: ['hint'] },
  },
  {
    name: '9.0: POST /projects/:id/repository/files takes branch',
    given: newRepository,
    request: { call: `POST ${files}/more%2Ftext.txt`, form: { branch: 'main', ...commit } },
    response: { status: 201, body: { file_path: 'more/text.txt', branch: 'main' } },
  },
  {
    name: '9.0: PUT /projects/:id/repository/files takes branch',
    given: newRepository,
    request: { call: `PUT ${files}/README.md`, form: { branch: 'main', ...commit } },
    response: { status: 200, body: { file_path: 'README.md', branch: 'main' } },
  },
  {
    name: '9.0: DELETE /projects/:id/repository/files takes branch',
    given: newTopic,
    request: { call: `DELETE ${files}/topic.txt`, form: { branch: 'topic', commit_message: 'Take it away' } },
    response: { status: 204 },
  },
  ...['POST', 'PUT', 'DELETE'].map((method): Row => ({
    name: `9.0: branch_name is renamed on ${method} /projects/:id/repository/files`,
    given: newRepository,
    request: { call: `${method} ${files}/README.md`, form: { branch_name: 'main', ...commit } },
    response: { status: 400, has: { error: expect.stringMatching(/^branch is missing/) as string }, ...oldName },
  })),
  ...['GET', 'POST', 'PUT', 'DELETE'].map((method): Row => ({
    name: `9.0: ${method} /projects/:id/repository/files?file_path=:file_path is removed`,
    given: newRepository,
    request: { call: `${method} ${files}`, query: { file_path: 'README.md' } },
    response: noFile,
  })),
  {
    name: '9.0: DELETE /projects/:id/repository/branches/:branch answers without a body',
    given: newTopic,
    request: { call: 'DELETE /projects/{project}/repository/branches/topic' },
    response: { status: 204, body: '' },
  },
  {
    name: '9.0: DELETE /projects/:id/repository/merged_branches answers 202 with a JSON body',
    given: newTopic,
    request: { call: 'DELETE /projects/{project}/repository/merged_branches' },
    response: { status: 202, body: { message: '202 Accepted' } },
  },
  {
    name: '9.0: the first page of GET /projects/:id/repository/commits is 1',
    given: newTopic,
    request: { call: 'GET /projects/{project}/repository/commits', query: { ref_name: 'topic', per_page: '1' } },
    response: {
      status: 200,
      list: { title: ['Write topic.txt'] },
      headers: { 'x-page': '1', 'x-next-page': '2', 'x-prev-page': '' },
    },
  },
  {
    name: '9.0: the Link header there is correct',
    given: newTopic,
    request: {
      call: 'GET /projects/{project}/repository/commits',
      query: { ref_name: 'topic', per_page: '1', page: '2' },
    },
    response: {
      status: 200,
      list: { title: ['Write README.md'] },
      headers: { link: /page=1&[^>]*>; rel="prev".*page=1&[^>]*>; rel="first"/, 'x-page': '2' },
    },
  },
  {
    name: '9.0: page 0 doesn’t exist',
    given: newRepository,
    request: { call: 'GET /projects/{project}/repository/commits', query: { page: '0' } },
    response: { status: 400, body: { error: 'page does not have a valid value' } },
  },
  {
    name: '9.0: GET /projects/:id/repository/files/:file_path',
    given: newRepository,
    request: { call: `GET ${files}/README.md`, query: { ref: 'main' } },
    response: {
      status: 200,
      has: { file_path: 'README.md', encoding: 'base64', content: 'QSBsaW5lLgo=', ref: 'main' },
    },
  },
  {
    name: '9.0: the file_path is URL-encoded',
    given: [...newRepository, { call: `POST ${files}/docs%2Fa%20page.md`, form: { branch: 'main', ...commit } }],
    request: { call: `GET ${files}/docs%2Fa%20page.md`, query: { ref: 'main' } },
    response: { status: 200, has: { file_path: 'docs/a page.md' } },
  },
  {
    name: '9.0: GET /projects/:id/repository/files/:file_path/raw?ref=:sha has the content',
    given: newRepository,
    request: { call: `GET ${files}/README.md/raw`, query: { ref: '{sha}' } },
    response: { status: 200, body: 'A line.\n' },
  },
  {
    name: '9.0: GET /projects/:id/repository/blobs/:sha has JSON attributes',
    given: [...newRepository, { call: `GET ${files}/README.md`, query: { ref: 'main' }, keeps: { blob: 'blob_id' } }],
    request: { call: 'GET /projects/{project}/repository/blobs/{blob}' },
    response: { status: 200, has: { size: 8, encoding: 'base64', content: 'QSBsaW5lLgo=', sha: '{blob}' } },
  },
  {
    name: '9.0: GET /projects/:id/repository/blobs/:sha?file_path= doesn’t return a file',
    given: newRepository,
    request: { call: 'GET /projects/{project}/repository/blobs/{sha}', query: { file_path: 'README.md' } },
    response: { status: 404, has: { message: '404 Blob Not Found' } },
  },
  {
    name: '9.0: GET /projects/:id/repository/commits/:sha/blob?file_path= is removed',
    given: newRepository,
    request: { call: 'GET /projects/{project}/repository/commits/{sha}/blob', query: { file_path: 'README.md' } },
    response: { status: 404, hint: '/repository/files/:file_path/raw?ref=:sha' },
  },
  {
    name: '9.0: GET /projects/:id/repository/tree takes ref',
    given: newTopic,
    request: { call: 'GET /projects/{project}/repository/tree', query: { ref: 'topic' } },
    response: { status: 200, list: { name: ['README.md', 'topic.txt'] }, headers: { 'x-causeway-hint': null } },
  },
  {
    name: '9.0: ref_name is renamed there',
    given: newTopic,
    request: { call: 'GET /projects/{project}/repository/tree', query: { ref_name: 'topic' } },
    response: {
      status: 200,
      list: { name: ['README.md'] },
      headers: { 'x-causeway-hint': /`ref_name` of a tree|`ref_name` is called `ref`/ },
    },
  },
  {
    name: 'GET /projects/:id/repository/branches lists',
    given: newTopic,
    request: { call: 'GET /projects/{project}/repository/branches' },
    response: { status: 200, list: { name: ['main', 'topic'] } },
  },
  {
    name: 'GET /projects/:id/repository/commits/:sha returns one',
    given: newRepository,
    request: { call: 'GET /projects/{project}/repository/commits/{sha}' },
    response: { status: 200, has: { id: '{sha}', stats: expect.any(Object) } },
  },
];
