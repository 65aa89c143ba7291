import { SentFile } from '../../../src/http/index.ts';
import { png } from '../../support/places/pictures.ts';
import { groups, ofPlaces, projects, type Input, type Inputs } from './inputs.ts';

/** The inputs for the routes of groups, namespaces and members. The developer has the id 3. */
export function inputsOfGroups(): Inputs {
  const listed = [
    {},
    { search: 'plat' },
    { owned: 'true' },
    { min_access_level: '30', order_by: 'id', sort: 'desc' },
    { all_available: 'true', per_page: '1', page: '2' },
    { order_by: 'similarity', search: 'plat' },
  ];
  const searched = [
    { scope: 'projects', search: 'store' },
    { scope: 'users', search: 'dev' },
    { scope: 'issues', search: 'o', state: 'opened' },
    { scope: 'merge_requests', search: 'o' },
    { scope: 'milestones', search: 'o' },
  ];
  const members = (kind: 'groups' | 'projects', ids: string[]) => {
    const path = `/api/v4/${kind}/:id/members`;
    const someone = (values: Input['values'], ...people: string[]) =>
      people.flatMap((user_id) => ofPlaces(ids, [values]).map((input) => ({ ...input, path: { user_id } })));
    return {
      [`GET ${path}`]: { readable: ofPlaces(ids, [{}, { query: 'dev' }]) },
      [`GET ${path}/all`]: { readable: ofPlaces(ids, [{}, { user_ids: '3,4', skip_users: '4' }]) },
      [`GET ${path}/:user_id`]: { readable: someone({}, '3', 'x') },
      [`GET ${path}/all/:user_id`]: { readable: someone({}, '3') },
      [`POST ${path}`]: {
        readable: ofPlaces(ids, [
          { access_level: 30, username: 'stranger' },
          { access_level: 50, user_id: '4,1', expires_at: '2999-01-01' },
          { access_level: 7, username: 'stranger' },
          { access_level: 10, user_id: 'nobody' },
        ]),
      },
      [`PUT ${path}/:user_id`]: {
        readable: [
          ...someone({ access_level: 40, expires_at: '2999-01-01' }, '3'),
          ...someone({ access_level: 60 }, '3'),
        ],
      },
      [`DELETE ${path}/:user_id`]: { readable: someone({}, '3') },
    };
  };
  // The person with the id 5 asks for a role in `demo` and in `demo/storefront`.
  const requests = (kind: 'groups' | 'projects', ids: string[]) => {
    const path = `/api/v4/${kind}/:id/access_requests`;
    const of = (values: Input['values'], ...people: string[]) =>
      people.flatMap((user_id) => ofPlaces(ids, [values]).map((input) => ({ ...input, path: { user_id } })));
    return {
      [`GET ${path}`]: { readable: ofPlaces(ids, [{}]) },
      [`POST ${path}`]: { readable: ofPlaces(ids, [{}]) },
      [`PUT ${path}/:user_id/approve`]: {
        readable: [...of({}, '5', '3', 'x'), ...of({ access_level: 50 }, '5'), ...of({ access_level: 7 }, '5')],
      },
      [`DELETE ${path}/:user_id`]: { readable: of({}, '5', '3') },
    };
  };
  // The groups `demo` and `demo/platform` have the ids 5 and 6.
  const shares = (kind: 'groups' | 'projects', ids: string[]) => ({
    [`POST /api/v4/${kind}/:id/share`]: {
      readable: ofPlaces(ids, [
        { group_id: 5, group_access: 30 },
        { group_id: 6, group_access: 50, expires_at: '2999-01-01' },
        { group_id: 999_999, group_access: 15 },
      ]),
    },
    [`DELETE /api/v4/${kind}/:id/share/:group_id`]: {
      readable: ['6', '999999'].flatMap((group_id) =>
        ofPlaces(ids, [{}]).map((input) => ({ ...input, path: { group_id } })),
      ),
    },
    [`GET /api/v4/${kind}/:id/invited_groups`]: { readable: ofPlaces(ids, [{}, { relation: 'direct' }]) },
  });
  return {
    ...shares('groups', groups),
    ...shares('projects', projects),
    'GET /api/v4/groups/:id/projects/shared': { readable: ofPlaces(groups, [{}, { simple: 'true' }]) },
    'GET /api/v4/groups/:id/groups/shared': { readable: ofPlaces(groups, [{}]) },
    'GET /api/v4/projects/:id/share_locations': { readable: ofPlaces(projects, [{}, { search: 'plat' }]) },
    'GET /api/v4/groups': { readable: listed.map((values) => ({ values })) },
    'GET /api/v4/groups/:id': { readable: ofPlaces(groups, [{}, { with_projects: 'false' }]) },
    'GET /api/v4/groups/:id/subgroups': { readable: ofPlaces(groups, [{}]) },
    'GET /api/v4/groups/:id/descendant_groups': { readable: ofPlaces(groups, listed.slice(0, 2)) },
    'GET /api/v4/groups/:id/projects': {
      readable: ofPlaces(groups, [{}, { include_subgroups: 'true', simple: 'true' }]),
    },
    'POST /api/v4/groups': {
      readable: [
        { name: 'New', path: 'Fresh', visibility: 'internal', description: 'New.' },
        { name: '', path: 'demo' },
        { name: 'x', path: 'y', parent_id: '99' },
      ].map((values) => ({ values })),
    },
    'PUT /api/v4/groups/:id': {
      readable: ofPlaces(groups, [
        { name: 'Other', path: 'other' },
        { path: 'api', name: '' },
        { visibility: 'private', description: '' },
        { name: 'Pictured', avatar: new SentFile('group.png', png()) },
        { avatar: '' },
      ]),
    },
    'DELETE /api/v4/groups/:id': { readable: ofPlaces(groups, [{}]) },
    'POST /api/v4/groups/:id/transfer': {
      readable: ofPlaces(groups, [{}, { group_id: '' }, { group_id: '4' }, { group_id: '5' }, { group_id: '99' }]),
    },
    'GET /api/v4/groups/:id/transfer_locations': { readable: ofPlaces(groups, [{}, { search: 'plat' }]) },
    'GET /api/v4/search': { readable: searched.map((values) => ({ values })) },
    'GET /api/v4/groups/:id/search': { readable: ofPlaces(groups, searched) },
    'GET /api/v4/groups/:id/-/search': { readable: ofPlaces(groups, searched.slice(0, 1)) },
    'GET /api/v4/projects/:id/search': { readable: ofPlaces(projects, searched.slice(1)) },
    'GET /api/v4/projects/:id/-/search': { readable: ofPlaces(projects, searched.slice(1, 2)) },
    'POST /api/v4/groups/:id/projects/:project_id': {
      readable: ['demo/storefront', 'hidden/project', 'nothing'].flatMap((project_id) =>
        ofPlaces(groups, [{}]).map((input) => ({ ...input, path: { project_id } })),
      ),
    },
    ...members('groups', ['demo', 'hidden']),
    ...members('projects', ['demo/storefront', 'hidden/project']),
    ...requests('groups', ['demo', 'hidden']),
    ...requests('projects', ['demo/storefront', 'hidden/project']),
    'GET /api/v4/namespaces': {
      readable: [{}, { owned_only: 'true' }, { search: 'demo', top_level_only: 'true' }].map((values) => ({ values })),
    },
    'GET /api/v4/namespaces/:id': { readable: ofPlaces([...groups, 'guest'], [{}]) },
    'GET /api/v4/namespaces/:path/exists': {
      readable: [{}, { parent_id: '99' }].map((values) => ({ path: { path: 'Demo' }, values })),
    },
  };
}
