import { SentFile } from '../../../src/http/index.ts';
import { png } from '../../support/places/pictures.ts';
import { groups, ofPlaces, projects, type Inputs } from './inputs.ts';

/** The inputs for the routes of projects, and of avatars of places. */
export const inputsOfProjects = (): Inputs => ({
  'GET /api/v4/projects': {
    readable: [
      {},
      { simple: 'true' },
      { owned: 'yes' },
      { membership: 'true', order_by: 'name', sort: 'asc' },
      { min_access_level: '40' },
      { starred: 'true' },
      { search: 'store' },
      { search: 'platform', search_namespaces: 'true' },
      { visibility: 'public', archived: 'false' },
      { topic: 'none' },
      { order_by: 'id', sort: 'asc', id_after: '1', per_page: '1', page: '2' },
      { pagination: 'keyset', order_by: 'id', per_page: '1' },
      { updated_after: '2020-01-01' },
      { updated_after: '2020-01-01', order_by: 'updated_at' },
      { last_activity_before: '2020-01-01T00:00:00Z' },
      { imported: 'true' },
      { repository_storage: 'default', order_by: 'similarity', search: 'store' },
    ].map((values) => ({ values })),
  },
  'POST /api/v4/projects': {
    readable: [
      { name: 'Brand new!' },
      { path: 'Fresh', description: 'New.', visibility: 'internal', topics: 'a, b,a' },
      { name: 'x', path: 'demo..' },
      { name: 'a', namespace_id: '4' },
      { name: 'a', namespace_id: '2147483648' },
      { name: ' ' },
      { name: 'x'.repeat(256), path: '12' },
      { path: 'Storefront', namespace_id: '5' },
    ].map((values) => ({ values })),
    unreadable: [{ values: {} }, { values: { name: 'x', visibility: 'foo' } }],
  },
  'POST /api/v4/projects/user/:user_id': {
    readable: ['guest', '2', 'nobody'].flatMap((user_id) =>
      [{ name: 'For you' }, { name: '!' }].map((values) => ({ path: { user_id }, values })),
    ),
  },
  'GET /api/v4/projects/:id': { readable: ofPlaces(projects, [{}, { simple: 'true' }]) },
  'PUT /api/v4/projects/:id': {
    readable: ofPlaces(projects, [
      { name: 'Other' },
      { path: 'other', description: '' },
      { path: 'Storefront' },
      { visibility: 'private', topics: ['x'] },
      { tag_list: '' },
      { avatar: new SentFile('project.png', png(3, 3)) },
      { path: '', name: '' },
      { default_branch: 'none' },
      { import_url: 'https://example.com/x.git', name: 'Lost' },
    ]),
    unreadable: ofPlaces(projects, [{}, { visibility: 'foo' }]),
  },
  'DELETE /api/v4/projects/:id': { readable: ofPlaces(projects, [{}]) },
  'PUT /api/v4/projects/:id/transfer': {
    readable: ofPlaces(projects, [
      { namespace: 'demo' },
      { namespace: 'demo/platform' },
      { namespace: 'maintainer' },
      { namespace: 'hidden' },
      { namespace: '' },
    ]),
    unreadable: ofPlaces(projects, [{}, { namespace: ['x'] }]),
  },
  'GET /api/v4/projects/:id/transfer_locations': { readable: ofPlaces(projects, [{}, { search: 'demo' }]) },
  'POST /api/v4/projects/:id/archive': { readable: ofPlaces(projects, [{}]) },
  'POST /api/v4/projects/:id/unarchive': { readable: ofPlaces(projects, [{}]) },
  'POST /api/v4/projects/:id/star': { readable: ofPlaces(projects, [{}]) },
  'POST /api/v4/projects/:id/unstar': { readable: ofPlaces(projects, [{}]) },
  'GET /api/v4/projects/:id/starrers': { readable: ofPlaces(projects, [{}, { search: 'maint' }]) },
  'GET /api/v4/projects/:id/users': { readable: ofPlaces(projects, [{}, { search: 'maint' }]) },
  'GET /api/v4/projects/:id/groups': { readable: ofPlaces(projects, [{}, { search: 'demo' }]) },
  'GET /api/v4/users/:user_id/contributed_projects': {
    readable: ofPlaces(['maintainer', '0'], [{}, { simple: 'true' }]),
  },
  'GET /api/v4/projects/:id/forks': { readable: ofPlaces(projects, [{}]) },
  'GET /api/v4/projects/:id/languages': { readable: ofPlaces(projects, [{}]) },
  'GET /api/v4/projects/:id/import': { readable: ofPlaces(projects, [{}]) },
  'POST /api/v4/projects/:id/fork': {
    readable: ofPlaces(projects, [
      {},
      { namespace: 'nothing' },
      { namespace_id: '5', path: 'fork', visibility: 'private' },
      { visibility: 'public', path: '!' },
      { namespace_path: 'demo' },
    ]),
  },
  'POST /api/v4/projects/:id/fork/:forked_from_id': {
    readable: ['demo/platform/api', 'demo/storefront', 'hidden/project'].flatMap((forked_from_id) =>
      ofPlaces(projects, [{}]).map((input) => ({ ...input, path: { forked_from_id } })),
    ),
  },
  'DELETE /api/v4/projects/:id/fork': { readable: ofPlaces(projects, [{}]) },
  'GET /api/v4/users/:user_id/projects': {
    readable: ['guest', 'nobody'].map((user_id) => ({ path: { user_id }, values: {} })),
  },
  'GET /api/v4/users/:user_id/starred_projects': {
    readable: ['maintainer', '99999'].map((user_id) => ({ path: { user_id }, values: {} })),
  },
  'GET /api/v4/groups/:id/avatar': { readable: ofPlaces(groups, [{}]) },
  'GET /api/v4/projects/:id/avatar': { readable: ofPlaces(projects, [{}]) },
});
