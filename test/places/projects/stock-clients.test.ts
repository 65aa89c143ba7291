import { Gitlab } from '@gitbeaker/rest';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testsOfPlanning } from '../../planning/gitbeaker.ts';
import { testsOfBots } from '../../reviews/bots.ts';
import { testsOfCode } from '../../reviews/gitbeaker.ts';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import { idOf } from '../../support/places/places.ts';

/** gitbeaker, an unmodified client, against the gateway: it accepts the client's requests, and the client parses its answers. */

let gateway: TestGateway;
const tokens = { oauth: '', readOnly: '' };
beforeAll(async () => {
  gateway = await testGateway();
  tokens.oauth = await gateway.accessToken('maintainer', ['api']);
  tokens.readOnly = await gateway.personalToken('maintainer', ['read_api']);
});

const clients = {
  'a personal access token': () => new Gitlab({ host: gateway.url, token: gateway.tokens.maintainer }),
  'an OAuth token': () => new Gitlab({ host: gateway.url, oauthToken: tokens.oauth }),
  'a personal access token as bearer': () => new Gitlab({ host: gateway.url, oauthToken: gateway.tokens.maintainer }),
};

beforeEach(async () => {
  await gateway.sql(
    `with a as (delete from global_notification_settings), b as (delete from group_notification_settings),
          c as (delete from project_notification_settings)
     update error_tracking_settings set active = false, project_name = 'Storefront'`,
  );
});

const record = {
  active: false,
  project_name: 'Storefront',
  tracker_external_url: 'https://tracker.example.com/demo/storefront',
  sentry_external_url: 'https://tracker.example.com/demo/storefront',
  api_url: 'https://tracker.example.com/api/0/projects/demo/storefront',
};

describe.each(Object.entries(clients))('gitbeaker with %s', (_name, client) => {
  test('shows the user of the token', async () => {
    expect(await client().Users.showCurrentUser()).toMatchObject({
      username: 'maintainer',
      email: 'maintainer@example.com',
      state: 'active',
    });
  });

  test('shows the version', async () => {
    expect(await client().Metadata.show()).toEqual({
      version: '13.12.0',
      revision: expect.any(String),
      kas: { enabled: false, externalUrl: null, version: null },
      enterprise: false,
    });
  });

  test('reads and changes the global notification settings', async () => {
    const { NotificationSettings } = client();
    expect(await NotificationSettings.show()).toEqual({
      level: 'participating',
      notification_email: 'maintainer@example.com',
    });
    const edited = await NotificationSettings.edit({
      level: 'watch',
      notificationEmail: 'maintainer@work.example.com',
    });
    expect(edited).toEqual({ level: 'watch', notification_email: 'maintainer@work.example.com' });
    expect(await NotificationSettings.show()).toEqual(edited);
  });

  const names = {
    group: { path: 'demo', 'path with a slash': 'demo/platform' },
    project: { path: 'demo/storefront', 'path with two slashes': 'demo/platform/api' },
  };
  const places = (['group', 'project'] as const).flatMap((kind) =>
    Object.entries(names[kind]).flatMap(([name, path]) => [
      { kind, path, by: name },
      { kind, path, by: 'number' },
    ]),
  );
  test.each(places)(
    'reads and changes the notification settings of the $kind $path by $by',
    async ({ kind, path, by }) => {
      const { NotificationSettings } = client();
      const id = by === 'number' ? Number(await idOf(gateway, kind, path)) : path;
      const place = kind === 'group' ? { groupId: id } : { projectId: id };
      expect(await NotificationSettings.show(place)).toEqual({ level: 'global' });
      const edited = await NotificationSettings.edit({
        ...place,
        level: 'custom',
        newNote: true,
        mergeMergeRequest: true,
        movedProject: false,
        newEpic: true,
      });
      expect(edited).toMatchObject({
        level: 'custom',
        events: { new_note: true, merge_merge_request: true, moved_project: false, new_epic: true, new_issue: false },
      });
      expect(await NotificationSettings.show(place)).toEqual(edited);
    },
  );

  test('sends every notification event that it knows', async () => {
    const switches = {
      newNote: true,
      newIssue: true,
      reopenIssue: true,
      closeIssue: true,
      reassignIssue: true,
      issueDue: true,
      newMergeRequest: true,
      pushToMergeRequest: true,
      reopenMergeRequest: true,
      closeMergeRequest: true,
      reassignMergeRequest: true,
      mergeMergeRequest: true,
      failedPipeline: true,
      fixedPipeline: true,
      successPipeline: true,
      movedProject: true,
      newEpic: true,
    };
    // It knows one more event, of a later version, which is ignored.
    const { events } = await client().NotificationSettings.edit({
      level: 'custom',
      ...switches,
      mergeWhenPipelineSucceeds: true,
    });
    const expected = Object.keys(switches).map((name) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      true,
    ]);
    expect(Object.entries(events as object)).toEqual(expected);
  });

  test.each(['path', 'number'])('reads, switches and configures error tracking of a project by %s', async (by) => {
    const { ErrorTrackingSettings } = client();
    const id = by === 'number' ? Number(await idOf(gateway, 'project', 'demo/storefront')) : 'demo/storefront';
    expect(await ErrorTrackingSettings.show(id)).toEqual(record);
    expect(await ErrorTrackingSettings.edit(id, true)).toEqual({ ...record, active: true });
    expect(await ErrorTrackingSettings.edit(id, false, { integrated: false })).toEqual(record);
    expect(await ErrorTrackingSettings.create(id, true, false)).toEqual({ ...record, active: true });
    expect(await ErrorTrackingSettings.show(id)).toEqual({ ...record, active: true });
  });
});

describe('gitbeaker with projects', () => {
  const client = () => new Gitlab({ host: gateway.url, token: gateway.tokens.maintainer });
  let made = 0;
  const aProject = () => client().Projects.create({ name: `Stock ${++made}` });

  test('creates, shows, updates and deletes one', async () => {
    const { Projects } = client();
    const project = await Projects.create({
      name: 'Stock project',
      description: 'D',
      visibility: 'internal',
      topics: ['a', 'b'],
    });
    expect(project).toMatchObject({
      path_with_namespace: 'maintainer/stock-project',
      visibility: 'internal',
      topics: ['a', 'b'],
      namespace: { kind: 'user' },
    });
    const { permissions, ...shown } = await Projects.show('maintainer/stock-project');
    expect([shown, permissions]).toEqual([
      // Only who reads or changes one project sees this.
      { ...project, runners_token: expect.any(String) as string },
      { project_access: { access_level: 50, notification_level: 3 }, group_access: null },
    ]);
    expect(await Projects.edit(project.id, { name: 'Other', visibility: 'private' })).toMatchObject({
      name: 'Other',
      visibility: 'private',
    });
    expect(await Projects.archive(project.id)).toMatchObject({ archived: true });
    expect(await Projects.unarchive(project.id)).toMatchObject({ archived: false });
    await Projects.remove(project.id);
    await expect(Projects.show(project.id)).rejects.toMatchObject({ cause: { response: { status: 404 } } });
  });

  test('creates one in a group, and for another user', async () => {
    const namespaceId = Number(await idOf(gateway, 'group', 'demo'));
    expect(await client().Projects.create({ name: 'In a group', namespaceId })).toMatchObject({
      path_with_namespace: 'demo/in-a-group',
    });
    const [{ id }] = (await gateway.sql<{ id: number }>(`select id from users where username = 'guest'`)) as [
      { id: number },
    ];
    const root = new Gitlab({ host: gateway.url, token: gateway.tokens.root });
    expect(await root.Projects.create({ userId: id, name: 'For a guest' })).toMatchObject({
      path_with_namespace: 'guest/for-a-guest',
    });
  });

  test('reads all pages by number and by keyset', async () => {
    const ids = (await Promise.all([aProject(), aProject(), aProject()]))
      .map(({ id }) => id)
      .sort((one, other) => one - other);
    const { Projects } = client();
    const query = { owned: true, search: 'Stock', orderBy: 'id', sort: 'asc', perPage: 1 } as const;
    const { data, paginationInfo } = await Projects.all({
      ...query,
      pagination: 'offset',
      page: 1,
      maxPages: 1,
      showExpanded: true,
    });
    expect(data).toHaveLength(1);
    expect(paginationInfo).toMatchObject({ current: 1, next: 2, previous: null, perPage: 1, total: ids.length });
    for (const pagination of ['offset', 'keyset'] as const) {
      const all = await Projects.all({ ...query, pagination });
      expect(all.map(({ id }) => id)).toEqual(ids);
    }
  });

  test('stars one, lists its starrers, and removes the star', async () => {
    const { Projects } = client();
    const { id } = await aProject();
    expect(await Projects.star(id)).toMatchObject({ star_count: 1 });
    expect(await Projects.allStarrers(id)).toMatchObject([{ user: { username: 'maintainer' } }]);
    expect((await client().Users.allStarredProjects('maintainer' as never)).map((project) => project.id)).toContain(id);
    expect(await Projects.unstar(id)).toMatchObject({ star_count: 0 });
  });

  test('forks one, lists its forks, and relates and unrelates them', async () => {
    const { Projects } = client();
    const fork = await Projects.fork('demo/platform/api', { path: 'forked' });
    expect(fork).toMatchObject({
      path_with_namespace: 'maintainer/forked',
      forked_from_project: { path_with_namespace: 'demo/platform/api' },
    });
    expect((await Projects.allForks('demo/platform/api')).map(({ id }) => id)).toEqual([fork.id]);
    await Projects.removeForkRelationship(fork.id);
    const source = Number(await idOf(gateway, 'project', 'demo/platform/api'));
    await Projects.createForkRelationship(fork.id, source);
    expect(await Projects.show(fork.id)).toMatchObject({ forked_from_project: { id: source } });
  });

  test('lists those of a person', async () => {
    expect((await client().Users.allProjects('maintainer' as never)).length).toBeGreaterThan(0);
  });
});

testsOfPlanning(() => gateway);
testsOfCode(() => gateway);
testsOfBots(() => gateway);

test('gitbeaker has no operations for these resources that aren’t tested here', () => {
  const client = clients['a personal access token']();
  const operations = (resource: object) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(resource) as object).filter((name) => name !== 'constructor');
  expect(operations(client.NotificationSettings)).toEqual(['edit', 'show']);
  expect(operations(client.ErrorTrackingSettings)).toEqual(['create', 'edit', 'show']);
  expect(operations(client.Metadata)).toEqual(['show']);
});

test('gitbeaker can return the whole response, and camelCase names', async () => {
  const client = new Gitlab({ host: gateway.url, token: gateway.tokens.maintainer, camelize: true });
  const { data, status, headers } = await client.ErrorTrackingSettings.show('demo/storefront', { showExpanded: true });
  expect([status, data.apiUrl, data.sentryExternalUrl]).toEqual([200, record.api_url, record.sentry_external_url]);
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    etag: expect.any(String),
    'x-request-id': expect.any(String),
  });
});

describe('gitbeaker’s error for', () => {
  const client = (token: string) => new Gitlab({ host: gateway.url, token });
  const maintainer = () => client(gateway.tokens.maintainer);
  const guest = () => client(gateway.tokens.guest);
  const refusals: [name: string, refused: () => Promise<unknown>, status: number, description: string][] = [
    ['an unknown token', () => client('garbage').Users.showCurrentUser(), 401, '401 Unauthorized'],
    [
      'a token that may only read',
      () => client(tokens.readOnly).NotificationSettings.edit({ level: 'watch' }),
      403,
      'insufficient_scope',
    ],
    [
      'a guest who asks for error tracking',
      () => guest().ErrorTrackingSettings.show('demo/storefront'),
      403,
      '403 Forbidden',
    ],
    [
      'a project that isn’t there',
      () => maintainer().NotificationSettings.show({ projectId: 'demo/nothing' }),
      404,
      '404 Project Not Found',
    ],
    [
      'a group that isn’t there',
      () => maintainer().NotificationSettings.show({ groupId: 'nothing' }),
      404,
      '404 Group Not Found',
    ],
    [
      'a project without error tracking',
      () => maintainer().ErrorTrackingSettings.edit('demo/platform/api', true),
      404,
      '404 Error Tracking Setting Not Found',
    ],
    [
      'a level that is none',
      () => maintainer().NotificationSettings.edit({ level: 'loud' }),
      400,
      "'loud' is not a valid level",
    ],
    [
      'another user’s address',
      () => maintainer().NotificationSettings.edit({ notificationEmail: 'guest@example.com' }),
      400,
      'must be an email you have verified',
    ],
    [
      'a tracker of the gateway’s own',
      () => maintainer().ErrorTrackingSettings.create('demo/storefront', true, true),
      400,
      'integrated error tracking is not offered',
    ],
    [
      'an operation that isn’t offered',
      () => maintainer().ErrorTrackingClientKeys.all('demo/storefront'),
      404,
      '404 Not Found',
    ],
  ];
  test.each(refusals)('%s', async (_name, refused, status, description) => {
    const error = await refused().then(
      () => undefined,
      (thrown: Error & { cause?: { description?: unknown; response?: Response } }) => thrown,
    );
    expect(error?.cause?.response?.status).toBe(status);
    expect(JSON.stringify(error?.cause?.description)).toContain(description);
  });
});
