import { FieldsOnCorrectTypeRule, KnownTypeNamesRule, parse, validate } from 'graphql';
import { beforeAll, describe, expect, onTestFailed, test } from 'vitest';
import { coerce, merge, type Values } from '../../src/rest/engine/parameters.ts';
import { SentFile } from '../../src/http/index.ts';
import { NotFound } from '../../src/errors.ts';
import { render, type AnyRoute } from '../../src/rest/engine/route.ts';
import { routes } from '../../src/rest/routes.ts';
import { publicSchema } from '../../src/schema/public.ts';
import type { RestRequest } from '../support/rest-client.ts';
import { testGateway, type GraphQLAnswer, type TestGateway } from '../support/gateway.ts';
import { addMember, newUser } from '../support/people.ts';
import { picture, png } from '../support/pictures.ts';
import { newGroup, newProject } from '../support/places.ts';
import { runs } from '../support/runs.ts';
import { awardsToBegin, inputsOfActivity, inputsOfAwards, inputsOfTodos } from './inputs-of-awards.ts';
import { inputsOfLabels, labelsToBegin } from './inputs-of-labels.ts';
import { inputsOfLint } from './inputs-of-lint.ts';
import { inputsOfNotes, notesToBegin } from './inputs-of-notes.ts';
import { inputsOfReviewParts, reviewPartsToBegin } from './inputs-of-review-parts.ts';
import { inputsOfSnippets, snippetsToBegin } from './inputs-of-snippets.ts';
import { environmentsToBegin, inputsOfEnvironments } from './inputs-of-environments.ts';
import { inputsOfJobFiles, jobFilesToBegin } from './inputs-of-job-files.ts';
import { inputsOfPipelines, pipelinesToBegin } from './inputs-of-pipelines.ts';
import { filesOfRepositories, inputsOfRepositories, repositoriesToBegin } from './inputs-of-repositories.ts';
import { inputsOfRunners, runnersToBegin } from './inputs-of-runners.ts';
import { inputsOfVariables, variablesToBegin } from './inputs-of-variables.ts';
import { inputsOfKeys, keysToBegin } from './inputs-of-keys.ts';
import { inputsOfReviews, reviewsToBegin, versionsToBegin } from './inputs-of-reviews.ts';
import { inputsOfReferences } from './inputs-of-references.ts';
import { inputsOfIssues, issuesToBegin } from './inputs-of-issues.ts';
import { keepRows, type KeptRows } from './kept-rows.ts';

/**
 * REST and GraphQL answer alike: for each route, caller and input, REST answers what the route's operation answers over
 * GraphQL, translated into REST's dialect, and the database is the same afterwards.
 */

const callers = [
  'anonymous',
  'stranger',
  'guest',
  'developer',
  'maintainer',
  'administrator',
  'read_api token',
  'read_user token',
  'profile token',
  'OAuth token',
  'token of an application',
  'unknown token',
  'expired token',
  'revoked token',
  'token of a blocked user',
] as const;
type Caller = (typeof callers)[number];

/**
 * The callers of a route. Those from the seventh on differ in their credential alone: each route gets one of the nine, and
 * one of the three lower roles, in turn; and all of them in the long run.
 */
const callersOf = (turn: number) =>
  callers.filter((caller, place) => {
    if (runs > 1 || ['anonymous', 'maintainer', 'administrator'].includes(caller)) return true;
    return place < 6 ? (place + turn) % 3 === 0 : (place + turn) % 9 === 0;
  });

/**
 * The inputs that a caller sends: who may do the most sends all changes and a third of the reads, the maintainer a sixth and
 * others a twelfth, but one at least, in turn; all of them in the long run.
 */
const inputsOf = (all: readonly Input[], caller: Caller, { method }: AnyRoute, turn: number) => {
  if (runs > 1 || (caller === 'administrator' && method !== 'GET')) return all;
  const share: Partial<Record<Caller, number>> = { administrator: 3, maintainer: 6 };
  const every = Math.min(share[caller] ?? 12, all.length);
  return all.filter((_input, place) => (place + turn + callers.indexOf(caller)) % every === 0);
};

let gateway: TestGateway;
let files: ReturnType<typeof filesOfRepositories>;
let rows: KeptRows;
const tokens: Partial<Record<Caller, string>> = {};
/** The ids of the people; those of the other tokens are the maintainer's. */
const people: Partial<Record<Caller, number>> = {};

beforeAll(async () => {
  // The sweep is off, so that removed rows can be restored.
  gateway = await testGateway({ CAUSEWAY_JOBS: '0' });
  await newUser(gateway, 'blocked');
  const { guest, developer, maintainer, root: administrator } = gateway.tokens;
  Object.assign(tokens, {
    stranger: (await newUser(gateway, 'stranger')).token,
    guest,
    developer,
    maintainer,
    administrator,
    'read_api token': await gateway.personalToken('maintainer', ['read_api']),
    'read_user token': await gateway.personalToken('maintainer', ['read_user']),
    'profile token': await gateway.accessToken('maintainer', ['profile'], { expiresIn: null }),
    'OAuth token': await gateway.accessToken('maintainer', ['api'], { expiresIn: null }),
    'token of an application': await gateway.accessToken(null, ['api'], { expiresIn: null }),
    'unknown token': 'cwat_unknown',
    'expired token': await gateway.personalToken('maintainer', ['api'], { expired: true }),
    'revoked token': await gateway.accessToken('maintainer', ['api'], { revoked: true }),
    'token of a blocked user': await gateway.personalToken('blocked', ['api']),
  } satisfies Record<Exclude<Caller, 'anonymous'>, string>);
  for (const caller of callers) {
    const { body } = await gateway.rest('GET', '/api/v4/user', { token: tokens[caller] });
    people[caller] = body?.id;
  }
  await gateway.sql(`update users set state = 'BLOCKED' where username = 'blocked'`);
  await newGroup(gateway, { path: 'hidden', visibility: 'PRIVATE' });
  await newProject(gateway, { group: 'hidden', path: 'project', visibility: 'PRIVATE' });
  // By themselves, and through the group.
  await addMember(gateway, { id: '3' }, 'DEVELOPER', { project: 'demo/storefront' });
  for (const path of ['groups/demo', 'projects/demo%2Fstorefront'])
    await gateway.rest('PUT', `/api/v4/${path}`, { token: gateway.tokens.root, multipart: { avatar: picture() } });
  files = filesOfRepositories(gateway);
  await begin();
  rows = await keepRows(gateway, address);
});

interface Input {
  readonly id?: string;
  /** Parameters of the path, besides `id`. */
  readonly path?: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
}

const ofPlaces = (ids: string[], all: Input['values'][]): Input[] =>
  ids.flatMap((id) => all.map((values) => ({ id, values })));
const none: Input[] = [{ values: {} }];
const groups = ['demo', 'demo/platform', 'hidden', 'nothing'];
const projects = ['demo/storefront', 'demo/platform/api', 'hidden/project', 'nothing/here'];
const changes = [
  {},
  { level: 'watch' },
  { level: 'custom', new_note: true, new_epic: true, moved_project: 'off' },
  { level: '' },
  { new_issue: '' },
];
const elsewhere = 'https://tracker.example.com/api/0/projects/org/shop';
const address = 'https://tracker.example.com/api/0/projects/demo/storefront';

/** The inputs for the routes of groups, namespaces and members. The developer has the id 3. */
function ofDirectory(): Record<string, { readonly readable: readonly Input[] }> {
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

/** The inputs for each route. `unreadable`: inputs that REST refuses before it runs an operation. */
const inputs: Record<string, { readonly readable: readonly Input[]; readonly unreadable?: readonly Input[] }> = {
  'GET /api/v4/notification_settings': { readable: none },
  'PUT /api/v4/notification_settings': {
    readable: [
      ...changes.map((values) => ({ values })),
      { values: { notification_email: 'maintainer@work.example.com', level: 'mention' } },
      { values: { notification_email: 'maintainer@unknown.example.com', level: 'mention' } },
      { values: { notification_email: 'foo', level: '' } },
      { values: { notification_email: '' } },
    ],
  },
  'GET /api/v4/groups/:id/notification_settings': { readable: ofPlaces(groups, [{}]) },
  'PUT /api/v4/groups/:id/notification_settings': {
    readable: ofPlaces(groups, changes),
    unreadable: ofPlaces(groups, [{ level: 'invalid' }]),
  },
  'GET /api/v4/projects/:id/notification_settings': { readable: ofPlaces(projects, [{}]) },
  'PUT /api/v4/projects/:id/notification_settings': {
    readable: ofPlaces(projects, changes),
    unreadable: ofPlaces(projects, [{ level: 'invalid' }]),
  },
  'GET /api/v4/projects/:id/notification_recipients': {
    readable: ofPlaces(projects, [
      { event: 'moved_project' },
      { event: 'new_note', issue_iid: 1 },
      { event: 'close_issue', issue_iid: 1, actor: 'guest' },
      { event: 'failed_pipeline' },
    ]),
  },
  'GET /api/v4/projects/:id/notification_decision': {
    readable: ofPlaces(projects, [
      { event: 'moved_project' },
      { event: 'new_note', issue_iid: 1, user: 'guest' },
      { event: 'new_note' },
    ]),
  },
  'GET /api/v4/projects/:id/error_tracking/settings': { readable: ofPlaces(projects, [{}]) },
  'PATCH /api/v4/projects/:id/error_tracking/settings': {
    readable: ofPlaces(projects, [
      { active: true },
      { active: 'no', integrated: false },
      { active: true, integrated: true },
    ]),
    unreadable: ofPlaces(projects, [{}, { active: 'maybe' }, { active: '' }, { active: true, integrated: 'x' }]),
  },
  'PUT /api/v4/projects/:id/error_tracking/settings': {
    readable: ofPlaces(projects, [
      { active: true },
      { active: true, api_url: elsewhere },
      { active: false, api_url: elsewhere, project_name: 'Shop' },
      { active: true, project_name: '' },
      { active: true, api_url: 'ftp://x', project_name: 'x'.repeat(256) },
      { active: true, api_url: '', integrated: true },
    ]),
    unreadable: ofPlaces(projects, [{}, { active: true, api_url: ['x'] }]),
  },
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
  ...ofDirectory(),
  ...inputsOfIssues(),
  ...inputsOfNotes(),
  ...inputsOfReviewParts(),
  ...inputsOfAwards(),
  ...inputsOfTodos(),
  ...inputsOfActivity(),
  ...inputsOfLabels(),
  ...inputsOfReviews(),
  ...inputsOfRepositories(),
  ...inputsOfLint(),
  ...inputsOfPipelines(),
  ...inputsOfJobFiles(),
  ...inputsOfVariables(),
  ...inputsOfEnvironments(),
  ...inputsOfRunners(),
  ...inputsOfSnippets(),
  ...inputsOfKeys,
  ...inputsOfReferences(),
  'POST /api/v4/markdown': {
    readable: [
      { text: 'See **#1** ~bug' },
      { text: '#1 by @guest', project: 'demo/storefront', gfm: true },
      { text: '#4', project: 'hidden/project' },
    ].map((values) => ({ values })),
    unreadable: [{ values: {} }],
  },
  'GET /api/v4/templates/licenses': {
    readable: [{}, { popular: 'true', per_page: '2' }, { popular: 'no', page: '2' }].map((values) => ({ values })),
  },
  'GET /api/v4/templates/licenses/:name': {
    readable: ofPlaces(
      ['mit', 'GPL-3.0', 'none'],
      [{}, { fullname: 'Ann', project: 'Shop' }, { fullname: '', project: 'x'.repeat(256) }],
    ),
  },
  'GET /api/v4/templates/gitignores': { readable: [{ values: {} }, { values: { page: '2', per_page: '100' } }] },
  'GET /api/v4/templates/gitignores/:name': { readable: ofPlaces(['Node', 'c++', 'none'], [{}]) },
  'GET /api/v4/templates/gitlab_ci_ymls': { readable: none },
  'GET /api/v4/templates/gitlab_ci_ymls/:name': { readable: ofPlaces(['Go', 'none'], [{}]) },
  'GET /api/v4/templates/dockerfiles': { readable: none },
  'GET /api/v4/templates/dockerfiles/:name': { readable: ofPlaces(['Node', 'none'], [{}]) },
  'GET /api/v4/avatar': {
    readable: [{ values: { email: 'developer@example.com', size: '20' } }, { values: { email: '' } }],
  },
  'PUT /api/v4/user/avatar': {
    readable: [
      { values: { avatar: '' } },
      { values: { avatar: new SentFile('me.png', png()) } },
      { values: { avatar: new SentFile('me.svg', Buffer.from('<svg/>')) } },
    ],
  },
  'GET /api/v4/groups/:id/avatar': { readable: ofPlaces(groups, [{}]) },
  'GET /api/v4/projects/:id/avatar': { readable: ofPlaces(projects, [{}]) },
  'GET /api/v4/user': { readable: none },
  'GET /api/v4/user/emails': { readable: [{ values: {} }, { values: { per_page: '1' } }] },
  'GET /api/v4/users': {
    readable: [
      {},
      { username: 'MAINTAINER' },
      { username: 'nobody' },
      { search: 'dev' },
      { search: 'developer@example.com' },
      { active: 'true' },
      { blocked: '1' },
      { active: 'true', blocked: 'true' },
      { exclude_active: 'yes' },
      { humans: 'true' },
      { exclude_humans: 'true' },
      { admins: 'true' },
      { two_factor: 'enabled' },
      { two_factor: 'disabled', order_by: 'username', sort: 'asc' },
      { created_after: '2020-01-01' },
      { created_before: '2020-01-01T00:00:00Z' },
      { order_by: 'name', per_page: '2', page: '2' },
    ].map((values) => ({ values })),
  },
  'GET /api/v4/users/:id': { readable: ofPlaces(['1', '2', '0', '99999999999', 'maintainer'], [{}]) },
  'GET /api/v4/users/:id/status': { readable: ofPlaces(['2', '0', 'maintainer', 'nobody'], [{}]) },
  'GET /api/v4/users/:id/memberships': { readable: ofPlaces(['2', '0'], [{}, { type: 'Project' }]) },
  'GET /api/v4/users/:id/associations_count': { readable: ofPlaces(['2', '0', 'maintainer'], [{}]) },
  'GET /api/v4/user/emails/:email_id': {
    readable: ['2', '0', '99999999999'].map((email_id) => ({ path: { email_id }, values: {} })),
  },
  'GET /api/v4/user/preferences': { readable: none },
  'PUT /api/v4/user/preferences': {
    readable: [{ values: { view_diffs_file_by_file: true } }, { values: { show_whitespace_in_diffs: null } }],
    unreadable: [{ values: {} }],
  },
  'GET /api/v4/user/status': { readable: none },
  'PUT /api/v4/user/status': {
    readable: [
      { values: { emoji: 'coffee', message: 'Back soon', availability: 'busy' } },
      { values: { emoji: 'nothing_like_it' } },
      { values: {} },
    ],
    unreadable: [{ values: { clear_status_after: 'never' } }],
  },
  'PATCH /api/v4/user/status': {
    readable: [{ values: { message: 'Back soon' } }, { values: { message: 'x'.repeat(101) } }, { values: {} }],
    unreadable: [{ values: { clear_status_after: 'never' } }],
  },
  'GET /api/v4/users/:id/emails': { readable: ofPlaces(['2', '0'], [{}, { page: '2' }]) },
  'GET /api/v4/version': { readable: none },
  'GET /api/v4/metadata': { readable: none },
  'GET /oauth/token/info': { readable: none },
  'GET /.well-known/oauth-authorization-server': { readable: none },
};

type Answer = readonly [status: number, text: string];
type Extensions = Record<string, unknown>;
type ToRest = (message: string, extensions: Extensions) => readonly [status: number, body: object];

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Refusals without a reason of their own, of queries and of mutations. */
const unreasoned = /^You are not allowed to do this\.$|^The resource that you are attempting to access does not exist/;

/** A refusal with a text of its own has nothing before it. */
const textOfRefusal = (message: string) =>
  /^(?:Couldn|403 Forbidden)/.test(message)
    ? message
    : unreasoned.test(message)
      ? '403 Forbidden'
      : `403 Forbidden - ${message}`;

/** Refusals that REST answers as if the request was anonymous. */
const notAuthorized = new Set(['This belongs to another person.', 'You are not authorized to do this.']);

/** REST's answer for each error code of GraphQL. */
const version4: Record<string, ToRest> = {
  UNAUTHENTICATED: () => [401, { message: '401 Unauthorized' }],
  INVALID_TOKEN: (message) => [401, { error: 'invalid_token', error_description: message }],
  INSUFFICIENT_SCOPE: (message, { accepted }) => [
    403,
    { error: 'insufficient_scope', error_description: message, scope: (accepted as string[]).join(' ') },
  ],
  FORBIDDEN: (message) =>
    notAuthorized.has(message) ? [401, { message: '401 Unauthorized' }] : [403, { message: textOfRefusal(message) }],
  NOT_FOUND: (_message, { subject }) => [404, { message: `404 ${String(subject)} Not Found` }],
  INVALID_INPUT: (_message, { fields }) => [
    400,
    { message: Object.fromEntries(Object.entries(fields as object).map(([name, texts]) => [snakeCase(name), texts])) },
  ],
  CONFLICT: (message) => [409, { message }],
  PRECONDITION_FAILED: () => [412, { message: '412 Precondition Failed' }],
  BAD_REQUEST: (message) => [400, { message: inPlainWords.has(message) ? message : `400 Bad request - ${message}` }],
};
/** Refusals of queries that have a text of their own. */
const inPlainWords = new Set(['The branch refname is invalid', 'Regex is invalid', 'Merge request is not mergeable']);
const unusable: ToRest = () => [
  401,
  { error: 'invalid_token', error_description: 'The access token is invalid', state: 'unauthorized' },
];
const dialects: Partial<Record<AnyRoute['dialect'], Record<string, ToRest>>> = {
  'version 4': version4,
  'making a group': {
    ...version4,
    INVALID_INPUT: (_message, { fields }) => [
      400,
      {
        message: `Failed to save group {${Object.entries(fields as object)
          .map(([name, texts]) => `:${snakeCase(name)}=>${JSON.stringify(texts)}`)
          .join(', ')}}`,
      },
    ],
  },
  // Their refusals fill `errors` of the payload.
  'saving a note': version4,
  'transferring a group': version4,
  'transferring a project': version4,
  'reasons alone': { ...version4, BAD_REQUEST: (message) => [400, { message }] },
  'writing a file': {
    ...version4,
    FORBIDDEN: (message, extensions) =>
      message === 'You are not allowed to push into this branch'
        ? [400, { message }]
        : version4.FORBIDDEN!(message, extensions),
  },
  'replaying a commit': version4,
  'sharing a group': {
    ...version4,
    FORBIDDEN: (message, extensions) =>
      unreasoned.test(message) ? [404, { message: 'Not Found' }] : version4.FORBIDDEN!(message, extensions),
  },
  'sharing a project': { ...version4, BAD_REQUEST: (message) => [400, { message }] },
  'token information': { ...version4, UNAUTHENTICATED: unusable, INVALID_TOKEN: unusable, FORBIDDEN: unusable },
};

function version4Text(code: string, message: string, extensions: Extensions): Answer {
  const [status, body] = version4[code]!(message, extensions);
  return [status, JSON.stringify(body)];
}

/**
 * The text with timestamps and ids of threads replaced: two requests aren't sent in the same millisecond. What each of them
 * cancels has run until then.
 */
const timeless = (text: string, { path }: AnyRoute) =>
  (path.endsWith('/cancel') ? text.replace(/"duration":[\d.]+/g, '"duration":"a while"') : text)
    .replace(/"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)"/g, '"a moment"')
    .replace(/\b[0-9a-f]{40}\b/g, 'a thread or a commit')
    .replace(/"short_id":"[0-9a-f]{8}"/g, '"short_id":"a commit"')
    .replace(/"queued_duration":[\d.]+/g, '"queued_duration":"a while"')
    .replace(/"(?:glrt-|cwrr_)[^"]+"/g, '"a new secret"');

/** An answer of GraphQL, translated into an answer of REST. */
function asRestAnswer(route: AnyRoute, { data, errors }: GraphQLAnswer<Record<string, unknown>>): Answer {
  if (!errors) {
    try {
      const { status, body } = render(route, data!);
      return [status, timeless(String(body ?? ''), route)];
    } catch (absent) {
      const { subject } = absent as NotFound;
      const missing = route.missing?.[subject];
      if (missing !== undefined) return [404, JSON.stringify({ message: missing })];
      return version4Text('NOT_FOUND', '', { subject });
    }
  }
  const { message, extensions = {} } = errors[0]!;
  if (extensions.code === 'NOT_FOUND' && route.missing?.[String(extensions.subject)] !== undefined) {
    return [404, JSON.stringify({ message: route.missing[String(extensions.subject)] })];
  }
  const toRest = (dialects[route.dialect] ?? version4)[String(extensions.code)];
  if (!toRest) throw new Error(`No REST answer is known for ${JSON.stringify(errors)}.`);
  const [status, body] = toRest(message, extensions);
  return [status, JSON.stringify(body)];
}

/** The parameters of a route's path. Those without a value get that of `id`. */
const inPath = ({ path: address }: AnyRoute, { id = '', path }: Input): Record<string, string> =>
  Object.fromEntries([...address.matchAll(/:(\w+)/g)].map(([, name]) => [name!, path?.[name!] ?? id]));

/** The parameters, as a query string, in JSON, or with files as a multipart form. */
function bodyOf({ method }: AnyRoute, values: Input['values']): Pick<RestRequest, 'query' | 'json' | 'multipart'> {
  if (method === 'GET') return { query: values as Record<string, string> };
  if (!Object.values(values).some((value) => value instanceof SentFile)) return { json: values };
  const parts = Object.entries(values).map(([name, value]) => [
    name,
    value instanceof SentFile ? picture(value.content, value.filename) : String(value),
  ]);
  return { multipart: Object.fromEntries(parts) as Record<string, string | File> };
}

async function overRest(route: AnyRoute, input: Input, caller: Caller): Promise<Answer> {
  const { values } = input;
  const given = inPath(route, input);
  const { status, text } = await gateway.rest(
    route.method,
    route.path.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(given[name]!)),
    {
      ...(tokens[caller] !== undefined && { headers: { authorization: `Bearer ${tokens[caller]}` } }),
      ...bodyOf(route, values),
    },
  );
  // A hint is for clients that make the call as in version 3.
  return [status, timeless(text, route).replace(/,"hint":"(?:[^"\\]|\\.)*"\}$/, '}')];
}

async function overGraphQL(route: AnyRoute, input: Input, caller: Caller): Promise<Answer> {
  const path = inPath(route, input);
  const { values, problems: unreadable } = coerce(route.parameters, merge({}, input.values, path));
  expect(unreadable).toEqual([]);
  const administrator = caller === 'administrator';
  const variables = {
    ...route.variables({ ...values, ...path }, { authorization: undefined }),
    ...route.ofViewer?.({ person: { id: people[caller], administrator } } as never),
  };
  // REST throws what is wrong with an input; the public door fills `errors`.
  const operation = route.operation.replace('(input: $input) {', '(input: $input) { errors');
  const answer = await gateway.graphql<Record<string, unknown>>(operation, { variables, token: tokens[caller] });
  const problems = inputProblems(answer);
  if (problems.length > 0) return [400, JSON.stringify(problems)];
  const hasPerson = caller !== 'anonymous' && caller !== 'token of an application';
  if (route.person === undefined || hasPerson) return asRestAnswer(route, answer);
  // Queries of people alone answer null, and refuse where they need an argument about the person.
  if (!answer.errors) expect(Object.values(answer.data!)).toEqual([null]);
  return withoutPerson[route.person];
}

/** What the payload of a mutation says is wrong with its input. */
const inputProblems = ({ data, errors }: GraphQLAnswer<Record<string, unknown>>): readonly string[] =>
  errors
    ? []
    : Object.entries(data!).flatMap(([field, payload]) =>
        // The errors of a configuration are what was asked.
        field === 'ciConfig' ? [] : ((payload as { errors?: string[] } | null)?.errors ?? []),
      );

/**
 * An answer of REST about a wrong input, as the problems that a payload has. The status differs by their kind, and the
 * name of a field stands before its texts.
 */
function asProblems([status, text]: Answer, problems: readonly string[]): Answer {
  // A merge that the state or a rule forbids has no reason over REST.
  if (status === 405 && problems[0] === 'The merge request is not mergeable.') return [400, JSON.stringify(problems)];
  if (![400, 404, 409, 422].includes(status)) return [status, text];
  const said = JSON.parse(text) as { message?: unknown; error?: unknown };
  const texts = JSON.stringify(said.message ?? said.error).replaceAll('\\', '');
  const isSaid = (problem: string) =>
    problem
      .replace(/[0-9a-f]{40}/, 'a thread or a commit')
      .split(' ')
      .some((_word, index, words) => index < 4 && texts.includes(words.slice(index).join(' ')));
  return problems.every(isSaid) ? [400, JSON.stringify(problems)] : [status, text];
}

/** What REST says where GraphQL answers null to a request without a person. */
const withoutPerson: Record<401 | 403, Answer> = {
  401: [401, JSON.stringify({ message: '401 Unauthorized' })],
  403: [403, JSON.stringify({ message: '403 Forbidden - Not authorized!' })],
};

/** Runs a statement on the gateway's connection pool, which is faster than a new connection. */
const sql = <Row>(text: string) => gateway.gateway.application.database.rows<Row>({ name: '', text }, []);

/** Makes what routes read, change and remove. */
async function begin(): Promise<void> {
  // A star and a fork, for the routes that remove them.
  const [storefront] = await sql<{ id: number }>(`select id from projects where full_path = 'demo/storefront'`);
  await sql(`insert into stars (user_id, project_id) select id, ${storefront!.id} from users where username = 'root'`);
  await sql(`update projects set star_count = 1, forks_count = 1 where id = ${storefront!.id}`);
  await sql(`update projects set forked_from_id = ${storefront!.id} where full_path = 'hidden/project'`);
  await sql(`insert into access_requests (user_id, group_id) select 5, id from namespaces where full_path = 'demo'`);
  await sql(`insert into access_requests (user_id, project_id) values (5, ${storefront!.id})`);
  await sql(issuesToBegin);
  await sql(labelsToBegin);
  await sql(notesToBegin);
  await sql(awardsToBegin);
  await sql(snippetsToBegin);
  await sql(keysToBegin);
  await sql(reviewsToBegin);
  await sql(reviewPartsToBegin);
  await repositoriesToBegin(gateway);
  await pipelinesToBegin(gateway);
  await sql(jobFilesToBegin);
  await variablesToBegin(gateway);
  await environmentsToBegin(gateway);
  await runnersToBegin(gateway);
  await versionsToBegin(gateway);
  await sql('delete from jobs');
  files.keep();
  await sql(`insert into group_shares (group_id, invited_group_id, access_level)
               select id, 6, 30 from namespaces where full_path = 'hidden'`);
  await sql(
    `insert into project_shares (project_id, invited_group_id, access_level) values (${storefront!.id}, 6, 20)`,
  );
}

/** Restores the database and the repositories. */
async function reset({ path }: Pick<AnyRoute, 'path'> = { path: '/repository/' }): Promise<void> {
  if (/\/repository\/|\/merge_requests|\/projects\/:id$|\/projects$|\/user\/:user_id$|\/fork$/.test(path))
    files.restore();
  await rows.restore();
}

const named = routes.map((route) => ({ name: `${route.method} ${route.path}`, route }));
/** Whether every field of a route's operation exists at `/graphql`. */
const isPublic = ({ operation }: AnyRoute) =>
  validate(publicSchema, parse(operation), [FieldsOnCorrectTypeRule, KnownTypeNamesRule]).length === 0;
const both = named.filter(({ route }) => isPublic(route)).map((one, turn) => ({ ...one, turn }));
const restOnly = named.filter(({ route }) => !isPublic(route));

test('every route has inputs here, or its operation is not public', () => {
  const asked = Object.keys(inputs).filter((name) => inputs[name]!.readable.length > 0);
  expect(both.map(({ name }) => name).filter((name) => !asked.includes(name))).toEqual([]);
});

// The list may be empty, and `test.each` refuses an empty list.
test.each([...restOnly, { name: 'none' }])(
  'an operation that is not public is unknown over GraphQL: $name',
  async (one) => {
    if (!('route' in one)) return;
    for (const caller of ['anonymous', 'administrator'] as const) {
      const { errors, data } = await gateway.graphql(one.route.operation, { variables: {}, token: tokens[caller] });
      expect([data, errors![0]!.message]).toEqual([null, expect.stringMatching(/^(Cannot query field|Unknown type) /)]);
    }
  },
);

describe.each(both)('$name', ({ name, route, turn }) => {
  const { readable = [], unreadable = [] } = inputs[name] ?? {};

  /** Sends a request through a door, from the same state. @returns the answer, and what a change made of the rows */
  async function through(door: typeof overRest, input: Input, caller: Caller) {
    const answer = await door(route, input, caller);
    if (route.method === 'GET' || answer[0] >= 400) return { answer };
    const changed = await rows.changed();
    await reset(route);
    return { answer, changed };
  }

  test.each(callersOf(turn))('answers %s the same through both doors', async (caller) => {
    onTestFailed(async () => void (await reset()));
    let changes = 0;
    let isReset = false;
    for (const input of inputsOf(readable, caller, route, turn)) {
      // Refused requests use numbers up too; a change over REST is followed by a reset.
      if (route.method !== 'GET' && !isReset) await rows.renumber();
      const rest = await through(overRest, input, caller);
      const graphql = await through(overGraphQL, input, caller);
      isReset = graphql.changed !== undefined;
      const [status, text] = graphql.answer;
      if (status === 400 && text.startsWith('[')) rest.answer = asProblems(rest.answer, JSON.parse(text) as string[]);
      expect({ input, ...rest }).toEqual({ input, ...graphql });
      if (Object.keys(rest.changed ?? {}).length > 0) changes += 1;
    }
    // Refused requests and reads changed nothing.
    expect(await rows.changed()).toEqual({});
    // Markdown and configurations are only read. Of a new token, only the digest is stored, which isn’t looked at. No person
    // may take back the approvals of others, and the commits that one looks at must be in the repository. Administrators have
    // no role to ask for.
    const writes =
      route.method !== 'GET' &&
      route.path !== '/api/v4/markdown' &&
      !/\/(ci\/lint|reset_(?:authentication|registration)_token|reset_approvals|context_commits|access_requests)$/.test(
        route.path,
      );
    if (writes && caller === 'administrator')
      expect(changes, `changes of an administrator by ${route.path}`).toBeGreaterThan(0);
  });

  const { guard } = route;
  if (!guard) return;
  // These callers have all scopes, so only the guard runs before the parameters are checked.
  const unlimited = callersOf(turn).filter((caller) => !/read|profile|application/.test(caller));
  test.each(unlimited)('reports bad parameters to %s only after the guard', async (caller) => {
    expect(unreadable.length).toBeGreaterThan(0);
    for (const input of unreadable) {
      const seen = await gateway.graphql(guard.operation, {
        variables: guard.variables({ id: input.id } as Values),
        token: tokens[caller],
      });
      const isExcepted = guard.except !== undefined && seen.errors?.[0]!.extensions?.subject === guard.except;
      const refusal = seen.errors && !isExcepted ? asRestAnswer(route, seen) : undefined;
      const [status, text] = await overRest(route, input, caller);
      expect({ input, status, text }).toEqual({ input, status: refusal?.[0] ?? 400, text: refusal?.[1] ?? text });
    }
  });
});

test('GraphQL refuses a whole request with the same HTTP status as REST', async () => {
  for (const caller of ['unknown token', 'expired token', 'revoked token', 'token of a blocked user'] as const) {
    const { status } = await gateway.graphql('{ currentUser { id } }', { token: tokens[caller] });
    const rest = await gateway.rest('GET', '/api/v4/user', { headers: { authorization: `Bearer ${tokens[caller]}` } });
    expect([caller, status]).toEqual([caller, rest.status]);
  }
});
