import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { encodings, type Encoding, type Values } from '../../support/requests/encodings.ts';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import { everyEvent, everyLevel } from '../../support/places/notification-names.ts';
import { addEmail, addMember, newUser, type TestUser } from '../../support/places/people.ts';
import { idOf, newGroup, newProject } from '../../support/places/places.ts';

/** Neither user is a member of anything: it is enough to see a place. */
const scopes = [
  { scope: 'global', path: '/api/v4/notification_settings', level: 'participating' },
  { scope: 'group', path: '/api/v4/groups/demo/notification_settings', level: 'global' },
  { scope: 'project', path: '/api/v4/projects/demo%2Fstorefront/notification_settings', level: 'global' },
] as const;
type Scope = (typeof scopes)[number]['scope'];
const pathOf = (scope: Scope) => scopes.find((one) => one.scope === scope)!.path;
const places = scopes.filter(({ scope }) => scope !== 'global');

let gateway: TestGateway;
let premium: TestUser;
let free: TestUser;
const subscribers = { premium: () => premium, free: () => free } as const;
type Tier = keyof typeof subscribers;

beforeAll(async () => {
  gateway = await testGateway();
  premium = await newUser(gateway, 'premium', { tier: 'PREMIUM' });
  free = await newUser(gateway, 'free', { tier: 'FREE' });
  await addEmail(gateway, free, 'free@work.example.com', true);
  await addEmail(gateway, free, 'free@unverified.example.com', false);
});

const settingTables = ['global', 'group', 'project'].map((scope) => `${scope}_notification_settings`);

/** Without any stored setting. */
beforeEach(async () => {
  const [first, second, last] = settingTables;
  await gateway.sql(`with a as (delete from ${first}), b as (delete from ${second}) delete from ${last}`);
});

const get = (path: string, token: string | undefined = free.token) => gateway.rest('GET', path, { token });
const put = (path: string, values: Values, encoding: Encoding = 'query', token: string | undefined = free.token) =>
  gateway.rest('PUT', path, { token, ...encodings[encoding](values) });

/** The switches before any is set. */
function untouched(tier: Tier): Record<string, boolean> {
  const existing = everyEvent.filter((event) => event !== 'new_epic' || tier === 'premium');
  return Object.fromEntries(existing.map((event) => [event, event === 'moved_project']));
}

/** The exact text of a record: the keys, their order, and no others. */
function record(
  scope: Scope,
  tier: Tier,
  level: string,
  changed: Record<string, boolean> = {},
  email?: string,
): string {
  return JSON.stringify({
    level,
    ...(level === 'custom' && { events: { ...untouched(tier), ...changed } }),
    ...(scope === 'global' && { notification_email: email ?? subscribers[tier]().email }),
  });
}

describe('before anything was set', () => {
  test.each(scopes)('the $scope setting is at the level $level', async ({ scope, path, level }) => {
    const { status, text } = await get(path);
    expect([status, text]).toEqual([200, record(scope, 'free', level)]);
  });

  test('reading stores nothing, and the first change makes a row', async () => {
    const rows = async (table: string) => (await gateway.sql(`select 1 from ${table}`)).length;
    for (const [index, { path }] of scopes.entries()) {
      await get(path);
      await put(path, {});
      expect(await rows(settingTables[index]!)).toBe(0);
      await put(path, { level: 'watch' });
      expect(await rows(settingTables[index]!)).toBe(1);
    }
  });
});

describe('every event, at every level, in every place, however it is sent', () => {
  const cases = (['query', 'form', 'JSON'] as const).flatMap((encoding) =>
    everyLevel.flatMap((level) => scopes.map(({ scope, path }) => ({ encoding, level, scope, path }))),
  );

  test.each(cases)(
    '$scope at $level, sent as $encoding: each switch is saved, and shown at custom only',
    async ({ encoding, level, scope, path }) => {
      await Promise.all(
        (['premium', 'free'] as const).map(async (tier) => {
          const { token } = subscribers[tier]();
          let changed: Record<string, boolean> = {};
          for (const event of everyEvent) {
            const before = untouched(tier)[event];
            const changing = await put(path, { level, [event]: !before }, encoding, token);
            // On the lower tier the event is an unknown parameter.
            if (before !== undefined) changed = { ...changed, [event]: !before };
            expect([changing.status, changing.text]).toEqual([200, record(scope, tier, level, changed)]);
            if (level === 'custom') continue;
            const shown = await put(path, { level: 'custom' }, encoding, token);
            expect(shown.text).toBe(record(scope, tier, 'custom', changed));
          }
        }),
      );
    },
  );
});

describe('changing a setting', () => {
  test.each(scopes)('a change of the $scope setting returns what is read afterwards', async ({ path }) => {
    const changed = await put(path, { level: 'custom', new_issue: true });
    expect((await get(path)).text).toBe(changed.text);
  });

  test.each(scopes)(
    'switches of the $scope setting survive a change to another level and back',
    async ({ scope, path }) => {
      await put(path, { level: 'custom', close_issue: true, moved_project: false });
      expect((await put(path, { level: 'watch' })).text).toBe(record(scope, 'free', 'watch'));
      const back = await put(path, { level: 'custom' });
      expect(back.text).toBe(record(scope, 'free', 'custom', { close_issue: true, moved_project: false }));
    },
  );

  test.each(scopes)(
    'a switch of the $scope setting can be set without naming a level',
    async ({ scope, path, level }) => {
      expect((await put(path, { new_note: true })).text).toBe(record(scope, 'free', level));
      expect((await put(path, { level: 'custom' })).text).toBe(record(scope, 'free', 'custom', { new_note: true }));
    },
  );

  test.each(scopes)('only the switches that are sent to the $scope setting change', async ({ scope, path }) => {
    await put(path, { level: 'custom', new_note: true, new_issue: true });
    const { text } = await put(path, { new_issue: false, issue_due: true });
    expect(text).toBe(record(scope, 'free', 'custom', { new_note: true, issue_due: true }));
  });

  const unsettings = (Object.keys(encodings) as Encoding[]).flatMap((encoding) =>
    scopes.map((one) => ({ ...one, encoding })),
  );
  test.each(unsettings)(
    'an empty switch of the $scope setting, sent as $encoding, becomes unset',
    async ({ scope, path, encoding }) => {
      await put(path, { level: 'custom', new_note: true, moved_project: false });
      const { text } = await put(path, { new_note: null, moved_project: null }, encoding);
      expect(text).toBe(record(scope, 'free', 'custom'));
      const [row] = await gateway.sql<{ events: object }>(`select events from ${scope}_notification_settings`);
      expect(row!.events).toEqual({});
    },
  );

  test.each(scopes)('a change of the $scope setting without parameters changes nothing', async ({ path }) => {
    const before = await put(path, { level: 'custom', new_note: true });
    const { status, text } = await gateway.rest('PUT', path, { token: free.token });
    expect([status, text]).toEqual([200, before.text]);
  });

  test('the setting of one place doesn’t change others', async () => {
    await put(pathOf('group'), { level: 'watch', new_note: true });
    expect((await get(pathOf('global'))).body.level).toBe('participating');
    expect((await get(pathOf('project'))).body.level).toBe('global');
    expect((await get('/api/v4/groups/demo/notification_settings', premium.token)).body.level).toBe('global');
  });

  test.each(['true', 'TRUE', 't', 'T', 'yes', 'Yes', 'y', 'on', 'ON', '1'])('%s switches an event on', async (word) => {
    const { body } = await put(pathOf('project'), { level: 'custom', new_note: word });
    expect(body.events.new_note).toBe(true);
  });

  test.each(['false', 'FALSE', 'f', 'F', 'no', 'No', 'n', 'off', 'OFF', '0'])(
    '%s switches an event off',
    async (word) => {
      const { body } = await put(pathOf('project'), { level: 'custom', moved_project: word });
      expect(body.events.moved_project).toBe(false);
    },
  );

  test.each([
    [1, true],
    [0, false],
  ])('the JSON number %d is the switch %s', async (number, on) => {
    const { body } = await put(pathOf('project'), { level: 'custom', new_note: number }, 'JSON');
    expect(body.events.new_note).toBe(on);
  });
});

describe('how parameters are read', () => {
  const path = scopes[2].path;
  const send = (request: Parameters<TestGateway['rest']>[2], suffix = '') =>
    gateway.rest('PUT', path + suffix, { token: free.token, ...request });

  test.each(Object.keys(encodings) as Encoding[])('they may be sent as %s', async (encoding) => {
    const { text } = await put(path, { level: 'custom', fixed_pipeline: true }, encoding);
    expect(text).toBe(record('project', 'free', 'custom', { fixed_pipeline: true }));
  });

  test.each(Object.keys(encodings) as Encoding[])('unknown ones, sent as %s, are ignored', async (encoding) => {
    const { status, text } = await put(
      path,
      { level: 'watch', volume: 'loud', new_release: true, __proto__x: 1 },
      encoding,
    );
    expect([status, text]).toEqual([200, record('project', 'free', 'watch')]);
  });

  test('the last value counts if one is repeated in the query string', async () => {
    expect((await send({}, '?level=watch&level=mention')).body.level).toBe('mention');
  });

  test('the last value counts if one is repeated in a form', async () => {
    const form: [string, string][] = [
      ['level', 'custom'],
      ['new_note', 'true'],
      ['new_note', 'false'],
      ['new_issue', 'no'],
      ['new_issue', 'yes'],
    ];
    expect((await send({ form })).text).toBe(record('project', 'free', 'custom', { new_issue: true }));
  });

  test.each([
    ['a form', { form: { level: 'mention' } }],
    ['a multipart form', { multipart: { level: 'mention' } }],
    ['JSON', { json: { level: 'mention' } }],
  ])('%s wins over the query string', async (_name, request) => {
    const { text } = await send(request, '?level=custom&new_note=true');
    expect(text).toBe(record('project', 'free', 'mention'));
    // A parameter only in the query string still counts.
    expect((await put(path, { level: 'custom' })).body.events.new_note).toBe(true);
  });

  test.each(['query', 'form', 'multipart', 'JSON'] as const)(
    'an id in the %s never replaces the one in the path',
    async (encoding) => {
      const { status, body } = await put(
        path,
        { id: 'demo/platform/api', level: 'watch' },
        encoding,
        gateway.tokens.maintainer,
      );
      expect([status, body]).toEqual([200, { level: 'watch' }]);
      const other = await get(
        '/api/v4/projects/demo%2Fplatform%2Fapi/notification_settings',
        gateway.tokens.maintainer,
      );
      expect(other.body).toEqual({ level: 'global' });
    },
  );

  test('JSON other than an object has no parameters', async () => {
    for (const json of [[{ level: 'watch' }], 'level', 7, null]) {
      const { status, text } = await send({ json });
      expect([status, text]).toEqual([200, record('project', 'free', 'global')]);
    }
  });
});

describe('an invalid level', () => {
  const invalid = ['invalid', '2', 'WATCH', 'watch ', 'constructor', '__proto__'];
  test.each(invalid.flatMap((level) => scopes.map((one) => ({ ...one, given: level }))))(
    '$given for the $scope setting gets the model’s error',
    async ({ path, given }) => {
      const { status, text } = await put(path, { level: given });
      expect([status, text]).toEqual([400, JSON.stringify({ message: `'${given}' is not a valid level` })]);
    },
  );

  test('a number in JSON is reported as text', async () => {
    const { status, body } = await put(pathOf('global'), { level: 2 }, 'JSON');
    expect([status, body]).toEqual([400, { message: "'2' is not a valid level" }]);
  });

  const empties = [
    ['query', ''],
    ['form', ''],
    ['multipart', ''],
    ['JSON', ''],
    ['JSON', null],
    ['JSON', '  '],
  ] as const;
  test.each(
    empties.flatMap(([encoding, given]) => scopes.map(({ scope, path }) => ({ scope, path, encoding, given }))),
  )('an empty one ($given as $encoding) at the $scope setting can’t be blank', async ({ path, encoding, given }) => {
    const { status, body } = await put(path, { level: given }, encoding);
    expect([status, body]).toEqual([400, { message: { level: ["can't be blank"] } }]);
  });

  test.each([
    ['a list in JSON', { json: { level: ['watch'] } }],
    ['an empty list in JSON', { json: { level: [] } }],
    ['an object in JSON', { json: { level: { name: 'watch' } } }],
    ['a list in a form', { form: { 'level[]': 'watch' } }],
    ['an object in the query string', { query: { 'level[name]': 'watch' } }],
    ['an object in a multipart form', { multipart: { 'level[name]': 'watch' } }],
  ])('%s can’t be read', async (_name, request) => {
    for (const { path } of scopes) {
      const { status, body } = await gateway.rest('PUT', path, { token: free.token, ...request });
      expect([status, body]).toEqual([400, { error: 'level is invalid' }]);
    }
  });
});

describe('a switch that is neither on nor off', () => {
  test.each(['maybe', '2', '-1', '1.0', 'truee', 'null', 'constructor', '__proto__', 'toString'])(
    '%s can’t be read',
    async (word) => {
      for (const { path } of scopes) {
        const { status, body } = await put(path, { new_note: word });
        expect([status, body]).toEqual([400, { error: 'new_note is invalid' }]);
      }
    },
  );

  test.each([[[true]], [[]], [{ on: true }], [2], [0.5]])('%j in JSON can’t be read', async (value) => {
    const { status, body } = await gateway.rest('PUT', pathOf('group'), {
      token: free.token,
      json: { new_note: value },
    });
    expect([status, body]).toEqual([400, { error: 'new_note is invalid' }]);
  });

  test.each(everyEvent.filter((event) => event !== 'new_epic'))('%s is reported by its name', async (event) => {
    const { status, body } = await put(pathOf('project'), { [event]: 'maybe' });
    expect([status, body]).toEqual([400, { error: `${event} is invalid` }]);
  });
});

describe('the notification email', () => {
  const path = scopes[0].path;
  const email = async () => (await get(path)).body.notification_email;
  const notVerified = 'must be an email you have verified';

  test.each(Object.keys(encodings) as Encoding[])('can be a verified own address, sent as %s', async (encoding) => {
    const { status, text } = await put(path, { notification_email: 'free@work.example.com' }, encoding);
    expect([status, text]).toEqual([200, record('global', 'free', 'participating', {}, 'free@work.example.com')]);
    expect(await email()).toBe('free@work.example.com');
  });

  test('can be the primary address', async () => {
    await put(path, { notification_email: 'free@work.example.com' });
    await put(path, { notification_email: free.email });
    expect(await email()).toBe(free.email);
  });

  test('is the same address in any case', async () => {
    const { status } = await put(path, { notification_email: 'Free@Work.EXAMPLE.com' });
    expect([status, await email()]).toEqual([200, 'free@work.example.com']);
  });

  test('stays while other things change', async () => {
    await put(path, { notification_email: 'free@work.example.com' });
    const { text } = await put(path, { level: 'custom', new_note: true });
    expect(text).toBe(record('global', 'free', 'custom', { new_note: true }, 'free@work.example.com'));
  });

  test.each([
    ['query', ''],
    ['form', ''],
    ['multipart', ''],
    ['JSON', ''],
    ['JSON', null],
  ] as const)('becomes the primary one after an empty value, sent as %s (%j)', async (encoding, empty) => {
    await put(path, { notification_email: 'free@work.example.com' });
    const { status, body } = await put(path, { notification_email: empty }, encoding);
    expect([status, body.notification_email]).toEqual([200, free.email]);
  });

  test('becomes the primary one when the address is removed', async () => {
    await put(path, { notification_email: 'free@work.example.com' });
    await gateway.sql(`delete from emails where address = 'free@work.example.com'`);
    expect(await email()).toBe(free.email);
    await addEmail(gateway, free, 'free@work.example.com', true);
  });

  test.each([
    ['an unverified own address', 'free@unverified.example.com', [notVerified]],
    ['another user’s address', 'maintainer@example.com', [notVerified]],
    ['an unknown address', 'nobody@example.com', [notVerified]],
    ['an invalid address', 'foo', ['is invalid', notVerified]],
    ['a SQL pattern', '%@work.example.com', [notVerified]],
    ['a number', 7, ['is invalid', notVerified]],
  ])('can’t be %s', async (_name, address, messages) => {
    await put(path, { notification_email: 'free@work.example.com' });
    const { status, body } = await put(path, { notification_email: address }, 'JSON');
    expect([status, body]).toEqual([400, { message: { notification_email: messages } }]);
    expect(await email()).toBe('free@work.example.com');
  });

  test.each([[['free@example.com']], [{ address: 'free@example.com' }]])('can’t be %j', async (value) => {
    const { status, body } = await gateway.rest('PUT', path, {
      token: free.token,
      json: { notification_email: value },
    });
    expect([status, body]).toEqual([400, { error: 'notification_email is invalid' }]);
  });

  test.each(places)('is ignored for a $scope, even an invalid one', async ({ scope, path: place }) => {
    const { status, text } = await put(place, { level: 'watch', notification_email: 'foo' });
    expect([status, text]).toEqual([200, record(scope, 'free', 'watch')]);
    expect(await email()).toBe(free.email);
  });
});

describe('when several things are wrong', () => {
  test('all unreadable parameters are reported, in the order of the declaration, not of the request', async () => {
    const { status, body } = await gateway.rest('PUT', pathOf('global'), {
      token: free.token,
      json: { new_issue: 'x', success_pipeline: [], notification_email: {}, new_note: 'x', level: ['x'] },
    });
    const names = ['level', 'notification_email', 'new_note', 'new_issue', 'success_pipeline'];
    expect([status, body]).toEqual([400, { error: names.map((name) => `${name} is invalid`).join(', ') }]);
  });

  const bad = {
    switch: [{ new_note: 'maybe' }, { error: 'new_note is invalid' }],
    level: [{ level: 'invalid' }, { message: "'invalid' is not a valid level" }],
    email: [
      { notification_email: 'nobody@example.com' },
      { message: { notification_email: ['must be an email you have verified'] } },
    ],
    'empty level': [{ level: '' }, { message: { level: ["can't be blank"] } }],
  } as const satisfies Record<string, [Values, object]>;

  test.each([
    ['switch', 'level'],
    ['switch', 'email'],
    ['switch', 'empty level'],
    ['level', 'email'],
    ['email', 'empty level'],
  ] as const)('a bad %s is reported rather than a bad %s', async (first, second) => {
    const { status, body } = await put(pathOf('global'), { ...bad[second][0], ...bad[first][0] });
    expect([status, body]).toEqual([400, bad[first][1]]);
  });

  const good: Values = { level: 'custom', new_note: true, notification_email: 'free@work.example.com' };
  test.each(
    Object.entries(bad).flatMap(([name, [values]]) =>
      scopes.map((one) => ({ ...one, name, values: values as Values })),
    ),
  )('a bad $name in a change of the $scope setting leaves all of it undone', async ({ scope, path, name, values }) => {
    const before = await put(path, { level: 'custom', new_issue: true });
    const { status } = await put(path, { ...good, ...values });
    // A place has no address parameter.
    expect(status).toBe(name === 'email' && scope !== 'global' ? 200 : 400);
    if (status === 400) expect((await get(path)).text).toBe(before.text);
  });
});

describe('who may read and change which settings', () => {
  const methods = ['GET', 'PUT'] as const;
  const hidden = { group: 'hidden', project: 'hidden/project', 'internal project': 'within/project' };

  beforeAll(async () => {
    await newGroup(gateway, { path: 'hidden', visibility: 'PRIVATE' });
    await newProject(gateway, { group: 'hidden', path: 'project', visibility: 'PRIVATE' });
    await newGroup(gateway, { path: 'within', visibility: 'INTERNAL' });
    await newProject(gateway, { group: 'within', path: 'project', visibility: 'INTERNAL' });
  });
  const settings = (kind: 'group' | 'project', id: string) =>
    `/api/v4/${kind}s/${encodeURIComponent(id)}/notification_settings`;

  test.each(methods.flatMap((method) => scopes.map((one) => ({ ...one, method }))))(
    'without a credential the answer is 401 ($method, $scope)',
    async ({ method, path }) => {
      const urls = [
        path,
        path.replace(/demo(%2Fstorefront)?/, 'missing%2Fplace'),
        `${path}?level=invalid&new_note=maybe`,
      ];
      for (const url of urls) {
        const { status, text } = await gateway.rest(method, url);
        expect([status, text]).toEqual([401, '{"message":"401 Unauthorized"}']);
      }
    },
  );

  test('every signed-in user has settings for internal places', async () => {
    for (const url of [settings('project', hidden['internal project']), settings('group', 'within')]) {
      expect((await put(url, { level: 'watch' })).text).toBe('{"level":"watch"}');
      expect((await get(url)).text).toBe('{"level":"watch"}');
    }
  });

  test('an administrator has settings for private places', async () => {
    expect((await get(settings('project', hidden.project), gateway.tokens.root)).text).toBe('{"level":"global"}');
  });

  test.each(['group', 'project'] as const)(
    'a member has a setting for a private %s, until the membership ends',
    async (kind) => {
      const url = settings(kind, hidden[kind]);
      const member = await newUser(gateway, `member-of-${kind}`);
      await addMember(gateway, member, 'GUEST', { group: 'hidden' });
      expect((await put(url, { level: 'watch' }, 'query', member.token)).text).toBe('{"level":"watch"}');
      await gateway.sql('delete from group_members where user_id = $1', [member.id]);
      expect((await get(url, member.token)).status).toBe(404);
      expect((await put(url, { level: 'mention' }, 'query', member.token)).status).toBe(404);
    },
  );

  test.each(
    methods.flatMap((method) =>
      (['group', 'project'] as const).flatMap((kind) =>
        ['', '?level=watch', '?level=invalid', '?level=', '?new_note=maybe'].map((query) => ({ method, kind, query })),
      ),
    ),
  )('a private $kind answers exactly as a missing one ($method$query)', async ({ method, kind, query }) => {
    const [secret, missing] = await Promise.all(
      [hidden[kind], kind === 'group' ? 'nothing' : 'nothing/here'].map((id) =>
        gateway.rest(method, settings(kind, id) + query, { token: free.token }),
      ),
    );
    const [Kind, status, text] = [kind === 'group' ? 'Group' : 'Project', secret!.status, secret!.text];
    if (method === 'PUT' && query === '?new_note=maybe') {
      // Parameters are parsed before any look-up.
      expect([status, text]).toEqual([400, '{"error":"new_note is invalid"}']);
    } else {
      expect([status, text]).toEqual([404, `{"message":"404 ${Kind} Not Found"}`]);
    }
    const perRequest = ['date', 'x-request-id', 'x-runtime', 'x-gitlab-meta'];
    const lasting = (headers: Headers) => [...headers].filter(([name]) => !perRequest.includes(name));
    expect([missing!.status, missing!.text, lasting(missing!.headers)]).toEqual([
      status,
      text,
      lasting(secret!.headers),
    ]);
  });

  test('a user’s own namespace isn’t a group', async () => {
    const { status, body } = await get(settings('group', 'maintainer'), gateway.tokens.maintainer);
    expect([status, body]).toEqual([404, { message: '404 Group Not Found' }]);
  });

  test.each(['POST', 'PATCH', 'DELETE'])('there is no %s', async (method) => {
    for (const { path } of scopes) {
      const { status, body, headers } = await gateway.rest(method, path, { token: free.token });
      expect([status, body, headers.get('allow')]).toEqual([
        405,
        { error: '405 Not Allowed' },
        'OPTIONS, GET, HEAD, PUT',
      ]);
    }
  });
});

describe('the place in the path', () => {
  const settings = (kind: string, id: string) => `/api/v4/${kind}s/${id}/notification_settings`;

  beforeAll(async () => {
    await newGroup(gateway, { path: 'with.dots', visibility: 'PUBLIC' });
    await newProject(gateway, { group: 'with.dots', path: 'v1.0', visibility: 'PUBLIC' });
  });

  const names = [
    { kind: 'group', place: 'demo', id: 'demo' },
    { kind: 'group', place: 'demo', id: 'DEMO' },
    { kind: 'group', place: 'demo', id: '%64emo' },
    { kind: 'group', place: 'demo', id: 'its number' },
    { kind: 'group', place: 'with.dots', id: 'with.dots' },
    { kind: 'group', place: 'with.dots', id: 'with%2Edots' },
    { kind: 'group', place: 'with.dots', id: 'with%2edots' },
    { kind: 'project', place: 'demo/storefront', id: 'demo%2Fstorefront' },
    { kind: 'project', place: 'demo/storefront', id: 'demo%2fstorefront' },
    { kind: 'project', place: 'demo/storefront', id: 'Demo%2FStoreFront' },
    { kind: 'project', place: 'demo/storefront', id: 'its number' },
    { kind: 'project', place: 'with.dots/v1.0', id: 'with.dots%2Fv1.0' },
    { kind: 'project', place: 'with.dots/v1.0', id: 'with%2Edots%2Fv1%2E0' },
  ] as const;
  test.each(names)('$kind $place as $id', async ({ kind, place, id }) => {
    const named = id === 'its number' ? await idOf(gateway, kind, place) : id;
    expect((await put(settings(kind, named), { level: 'mention' })).text).toBe('{"level":"mention"}');
    expect((await get(settings(kind, encodeURIComponent(place)))).text).toBe('{"level":"mention"}');
  });

  test('the full path of a subgroup works', async () => {
    const { status } = await get(settings('group', 'demo%2Fplatform'), gateway.tokens.guest);
    expect(status).toBe(200);
  });

  test.each([
    ['demo/storefront', 'demo%2Fstorefront'],
    ['demo/platform/api', 'demo%2Fplatform%2Fapi'],
    ['demo%2Fplatform/api', null],
    ['x'.repeat(5_000), null],
  ])('/projects/%s/notification_settings is no path of the API', async (id, escaped) => {
    for (const method of ['GET', 'PUT']) {
      const { status, body } = await gateway.rest(method, settings('project', id), { token: free.token });
      const hint = `A full path is one segment of the address, with %2F for each slash: use ${method} ${settings('project', escaped ?? '')}.`;
      expect([status, body]).toEqual([404, { error: '404 Not Found', ...(escaped !== null && { hint }) }]);
    }
  });

  test.each(['%ff', '%zz', 'demo%ED%A0%80'])('/projects/%s/notification_settings can’t be read', async (id) => {
    for (const method of ['GET', 'PUT']) {
      const { status, body } = await gateway.rest(method, settings('project', id), { token: free.token });
      expect([status, body]).toEqual([400, { error: 'Bad Request' }]);
    }
  });

  const nothing = [
    '',
    '0',
    '-1',
    '1.5',
    '1e3',
    '2147483647',
    '2147483648',
    '9007199254740993',
    '9'.repeat(400),
    '0x1',
    '+1',
    '%20',
    '%D9%A1',
    'storefront',
    '%2Fdemo',
    'demo%2F',
    'demo%2F%2Fstorefront',
    '%252F',
    'demo%252Fstorefront',
    'null',
    'undefined',
    '%F0%9F%92%A9',
    "'--",
  ];
  test.each(nothing.flatMap((id) => (['Group', 'Project'] as const).map((subject) => ({ id, subject }))))(
    '"$id" is an unknown $subject',
    async ({ id, subject }) => {
      const { status, body } = await get(settings(subject.toLowerCase(), id));
      expect([status, body]).toEqual([404, { message: `404 ${subject} Not Found` }]);
    },
  );

  test.each(['Group', 'Project'])('a %s’s name with a NUL in it is refused', async (subject) => {
    expect((await get(settings(subject.toLowerCase(), 'demo%00'))).status).toBe(400);
  });
});

describe('epics, which exist on the higher tier only', () => {
  test.each(scopes)('new_epic of the $scope setting is the last event for a user on it', async ({ path }) => {
    const { body } = await put(path, { level: 'custom', new_epic: true }, 'query', premium.token);
    expect(Object.entries(body.events).at(-1)).toEqual(['new_epic', true]);
    expect(Object.keys(body.events)).toEqual(everyEvent);
  });

  test.each(scopes)(
    'new_epic of the $scope setting is ignored and omitted for other users',
    async ({ scope, path }) => {
      const { status, text } = await put(path, { level: 'custom', new_epic: true, new_note: true });
      expect([status, text]).toEqual([200, record(scope, 'free', 'custom', { new_note: true })]);
      const [row] = await gateway.sql<{ events: object }>(`select events from ${scope}_notification_settings`);
      expect(row!.events).toEqual({ NEW_NOTE: true });
    },
  );

  test('it appears and disappears with the tier, and keeps its value', async () => {
    const path = pathOf('project');
    const user = await newUser(gateway, 'switcher', { tier: 'PREMIUM' });
    const epics = async () => (await get(path, user.token)).body.events.new_epic;
    const moveTo = (tier: string) => gateway.sql('update users set tier = $1::"Tier" where id = $2', [tier, user.id]);
    await put(path, { level: 'custom', new_epic: true }, 'query', user.token);
    await moveTo('FREE');
    expect(await epics()).toBeUndefined();
    await moveTo('PREMIUM');
    expect(await epics()).toBe(true);
  });
});
