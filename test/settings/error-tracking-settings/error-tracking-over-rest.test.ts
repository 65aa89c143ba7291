import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { encodings, type Encoding, type Values } from '../../support/requests/encodings.ts';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import { addMember, newUser } from '../../support/places/people.ts';
import { idOf, newGroup, newProject } from '../../support/places/places.ts';

const projects = {
  public: 'demo/storefront',
  private: 'tracked/shop',
  unconfigured: 'tracked/bare',
  missing: 'tracked/nothing',
} as const;
type Project = keyof typeof projects;

const settings = (project: Project) =>
  `/api/v4/projects/${encodeURIComponent(projects[project])}/error_tracking/settings`;
const apiUrl = (path: string) => `https://tracker.example.com/api/0/projects/${path}`;

let gateway: TestGateway;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  gateway = await testGateway();
  await newGroup(gateway, { path: 'tracked', visibility: 'PRIVATE' });
  await newProject(gateway, { group: 'tracked', path: 'shop', visibility: 'PRIVATE' });
  await newProject(gateway, { group: 'tracked', path: 'bare', visibility: 'PRIVATE' });
  for (const role of ['GUEST', 'REPORTER', 'DEVELOPER', 'MAINTAINER', 'OWNER'] as const) {
    const user = await newUser(gateway, `the-${role.toLowerCase()}`);
    tokens[role.toLowerCase()] = user.token;
    for (const group of ['demo', 'tracked']) await addMember(gateway, user, role, { group });
  }
  tokens.stranger = (await newUser(gateway, 'the-stranger')).token;
  tokens.administrator = gateway.tokens.root;
});

/** Two projects are configured and inactive. */
beforeEach(async () => {
  await gateway.sql(
    `with gone as (delete from error_tracking_settings where project_id not in (select id from projects where full_path = any($1)))
     insert into error_tracking_settings (project_id, active, api_url, project_name)
     select id, false, 'https://tracker.example.com/api/0/projects/' || full_path, name from projects where full_path = any($1)
     on conflict (project_id) do update
       set active = excluded.active, api_url = excluded.api_url, project_name = excluded.project_name`,
    [[projects.public, projects.private]],
  );
});

const get = (project: Project, token = tokens.maintainer) => gateway.rest('GET', settings(project), { token });
const change = (
  method: 'PATCH' | 'PUT',
  project: Project,
  values: Values,
  encoding: Encoding = 'query',
  token = tokens.maintainer,
) => gateway.rest(method, settings(project), { token, ...encodings[encoding](values) });

/** The exact record of a configured project. */
function record(project: 'public' | 'private', changed: object = {}): object {
  const path = projects[project];
  const external = `https://tracker.example.com/${path}`;
  return {
    active: false,
    project_name: project === 'public' ? 'Storefront' : 'shop',
    tracker_external_url: external,
    sentry_external_url: external,
    api_url: apiUrl(path),
    ...changed,
  };
}

describe('reading error tracking settings', () => {
  test('a maintainer gets the record, with the tracker’s address under both names', async () => {
    const { status, text } = await get('public');
    expect([status, text]).toEqual([200, JSON.stringify(record('public'))]);
  });

  test('a read-only token is enough', async () => {
    const { status } = await get('public', await gateway.personalToken('the-maintainer', ['read_api']));
    expect(status).toBe(200);
  });
});

type Answer = readonly [status: number, body: object];
const unauthenticated: Answer = [401, { message: '401 Unauthorized' }];
const forbidden: Answer = [403, { message: '403 Forbidden' }];
const noProject: Answer = [404, { message: '404 Project Not Found' }];
const noSetting: Answer = [404, { message: '404 Error Tracking Setting Not Found' }];

describe('access, and the order of errors', () => {
  /** The refusal that a caller gets for any request; undefined if the caller has access. */
  const everyProject = (answer: Answer) => ({ public: answer, private: answer, unconfigured: answer, missing: answer });
  const below: Record<Project, Answer> = { ...everyProject(forbidden), missing: noProject };
  const above: Record<Project, Answer | undefined> = {
    public: undefined,
    private: undefined,
    unconfigured: undefined,
    missing: noProject,
  };
  const refusals: Record<string, Record<Project, Answer | undefined>> = {
    anonymous: everyProject(unauthenticated),
    stranger: { ...everyProject(noProject), public: forbidden },
    guest: below,
    reporter: below,
    developer: below,
    maintainer: above,
    owner: above,
    administrator: above,
  };

  const unreadable = (text: string) => (): Answer => [400, { error: text }];
  const requests: {
    what: string;
    method: 'GET' | 'PATCH' | 'PUT';
    values: Values;
    allowed(project: Project): Answer;
  }[] = [
    {
      what: 'reads',
      method: 'GET',
      values: {},
      allowed: (project) => (project === 'unconfigured' ? noSetting : [200, record(project as 'public')]),
    },
    {
      what: 'switches on',
      method: 'PATCH',
      values: { active: true },
      allowed: (project) =>
        project === 'unconfigured' ? noSetting : [200, record(project as 'public', { active: true })],
    },
    { what: 'sends nothing', method: 'PATCH', values: {}, allowed: unreadable('active is missing, active is empty') },
    { what: 'sends nothing', method: 'PUT', values: {}, allowed: unreadable('active is missing, active is empty') },
    {
      what: 'sends another word',
      method: 'PATCH',
      values: { active: 'randomstring' },
      allowed: unreadable('active is invalid'),
    },
    {
      what: 'sends another word',
      method: 'PUT',
      values: { active: 'randomstring' },
      allowed: unreadable('active is invalid'),
    },
    { what: 'sends an empty value', method: 'PATCH', values: { active: '' }, allowed: unreadable('active is empty') },
    { what: 'sends an empty value', method: 'PUT', values: { active: '' }, allowed: unreadable('active is empty') },
    {
      what: 'requests the integrated tracker',
      method: 'PATCH',
      values: { active: true, integrated: true },
      allowed: () => [400, { message: '400 Bad request - integrated error tracking is not offered' }],
    },
    {
      what: 'configures',
      method: 'PUT',
      values: { active: true, api_url: apiUrl('org/new'), project_name: 'New' },
      allowed: () => [
        200,
        {
          active: true,
          project_name: 'New',
          tracker_external_url: 'https://tracker.example.com/org/new',
          sentry_external_url: 'https://tracker.example.com/org/new',
          api_url: apiUrl('org/new'),
        },
      ],
    },
  ];

  const cases = Object.entries(refusals).flatMap(([caller, byProject]) =>
    requests.flatMap((request) =>
      (Object.keys(projects) as Project[]).map((project) => ({ caller, project, byProject, ...request })),
    ),
  );
  test.each(cases)(
    '$caller $what with $method: $project project',
    async ({ caller, project, byProject, method, values, allowed }) => {
      const before = await gateway.sql('select * from error_tracking_settings order by project_id');
      const { status, body } = await gateway.rest(method, settings(project), {
        ...(tokens[caller] !== undefined && { token: tokens[caller] }),
        ...encodings.query(values),
      });
      expect([status, body]).toEqual(byProject[project] ?? allowed(project));
      if (status !== 200)
        expect(await gateway.sql('select * from error_tracking_settings order by project_id')).toEqual(before);
    },
  );

  test.each(['PATCH', 'PUT'] as const)(
    'a read-only token is refused before the project is looked up (%s)',
    async (method) => {
      const token = await gateway.personalToken('the-maintainer', ['read_api']);
      for (const project of ['public', 'missing'] as const) {
        const { status, body } = await change(method, project, { active: true }, 'query', token);
        expect([status, body.error]).toEqual([403, 'insufficient_scope']);
      }
    },
  );

  test('a role in the project alone is enough', async () => {
    const user = await newUser(gateway, 'project-maintainer');
    await addMember(gateway, user, 'MAINTAINER', { project: projects.private });
    expect((await get('private', user.token)).status).toBe(200);
    expect((await get('unconfigured', user.token)).status).toBe(404);
  });

  test('an expired membership doesn’t count', async () => {
    const user = await newUser(gateway, 'former-maintainer');
    await addMember(gateway, user, 'MAINTAINER', { group: 'tracked' });
    expect((await get('private', user.token)).status).toBe(200);
    await gateway.sql(`update group_members set expires_at = (now() at time zone 'utc')::date where user_id = $1`, [
      user.id,
    ]);
    const { status, body } = await get('private', user.token);
    expect([status, body]).toEqual(noProject);
  });
});

describe('turning error tracking on and off', () => {
  test('is visible to every reader', async () => {
    for (const active of [true, true, false, false, true]) {
      const { status, body } = await change('PATCH', 'public', { active });
      expect([status, body]).toEqual([200, record('public', { active })]);
      expect((await get('public', tokens.owner)).body).toEqual(body);
    }
  });

  test('changes only this project', async () => {
    await change('PATCH', 'public', { active: true });
    expect((await get('private')).body.active).toBe(false);
  });

  test('changes only the field active', async () => {
    const { status, body } = await change('PATCH', 'public', {
      active: true,
      api_url: apiUrl('org/other'),
      project_name: 'Other',
    });
    expect([status, body]).toEqual([200, record('public', { active: true })]);
  });

  const words = { true: 'true TRUE t yes Y on ON 1', false: 'false False f no N off OFF 0' };
  const wordCases = Object.entries(words).flatMap(([active, list]) =>
    list.split(' ').map((word) => ({ word, active: active === 'true' })),
  );
  test.each(wordCases)('$word means $active', async ({ word, active }) => {
    await change('PATCH', 'public', { active: !active });
    expect((await change('PATCH', 'public', { active: word })).body.active).toBe(active);
  });

  test.each([
    [true, true],
    [false, false],
    [1, true],
    [0, false],
  ])('%j in JSON means %s', async (value, active) => {
    await change('PATCH', 'public', { active: !active });
    expect((await change('PATCH', 'public', { active: value }, 'JSON')).body.active).toBe(active);
  });

  test.each(Object.keys(encodings) as Encoding[])('may be sent as %s', async (encoding) => {
    expect((await change('PATCH', 'public', { active: true }, encoding)).body.active).toBe(true);
  });

  test.each(Object.keys(encodings) as Encoding[])('needs a value, also as %s', async (encoding) => {
    const { status, body } = await change('PATCH', 'public', { active: null }, encoding);
    expect([status, body]).toEqual([400, { error: 'active is empty' }]);
  });

  test.each([['  '], ['2'], ['constructor'], ['truth']])('with “%s” is refused', async (word) => {
    const { status, body } = await change('PATCH', 'public', { active: word });
    expect([status, body]).toEqual([400, { error: word.trim() === '' ? 'active is empty' : 'active is invalid' }]);
  });
});

describe.each(['PATCH', 'PUT'] as const)('the parameter integrated, with %s', (method) => {
  test.each([['false'], ['0'], ['']])('may be “%s”', async (integrated) => {
    const { status, body } = await change(method, 'public', { active: true, integrated });
    expect([status, body]).toEqual([200, record('public', { active: true })]);
  });

  test.each(['true', '1', 'on'])('is refused as %s, and nothing changes', async (integrated) => {
    const { status, body } = await change(method, 'public', { active: true, integrated });
    expect([status, body]).toEqual([400, { message: '400 Bad request - integrated error tracking is not offered' }]);
    expect((await get('public')).body.active).toBe(false);
  });

  test('must be a boolean, and is reported after active', async () => {
    const alone = await change(method, 'public', { active: true, integrated: 'foo' });
    expect([alone.status, alone.body]).toEqual([400, { error: 'integrated is invalid' }]);
    const both = await change(method, 'public', { integrated: 'foo' });
    expect([both.status, both.body]).toEqual([
      400,
      { error: 'active is missing, active is empty, integrated is invalid' },
    ]);
  });
});

describe('configuring error tracking', () => {
  const configure = (values: Values, encoding: Encoding = 'query') => change('PUT', 'unconfigured', values, encoding);
  const configured = async () => (await get('unconfigured')).status === 200;

  test.each([
    ['nothing', {}],
    ['an empty address', { api_url: '' }],
    ['only a name', { project_name: 'Shop' }],
  ])('the first time requires an address: %s isn’t enough', async (_name, values) => {
    const { status, body } = await configure({ active: true, ...values });
    expect([status, body]).toEqual([400, { message: { api_url: ["can't be blank"] } }]);
    expect(await configured()).toBe(false);
  });

  test.each(Object.keys(encodings) as Encoding[])('requires the address only the first time (%s)', async (encoding) => {
    const first = await configure({ active: true, api_url: apiUrl('org/shop'), project_name: 'My shop' }, encoding);
    expect([first.status, first.body.api_url, first.body.active]).toEqual([200, apiUrl('org/shop'), true]);
    const later = await configure({ active: false }, encoding);
    expect([later.status, later.body]).toEqual([200, { ...first.body, active: false }]);
    expect((await get('unconfigured')).body).toEqual(later.body);
  });

  test('the address changes without the name, and the name without the address', async () => {
    await configure({ active: true, api_url: apiUrl('org/shop'), project_name: 'My shop' });
    const moved = await configure({ active: true, api_url: apiUrl('org/other') });
    expect(moved.body).toMatchObject({ api_url: apiUrl('org/other'), project_name: 'My shop' });
    const renamed = await configure({ active: true, project_name: 'Their shop' });
    expect(renamed.body).toMatchObject({ api_url: apiUrl('org/other'), project_name: 'Their shop' });
  });

  test('the address can’t be emptied', async () => {
    const { status, body } = await change('PUT', 'public', { active: true, api_url: '' });
    expect([status, body]).toEqual([400, { message: { api_url: ["can't be blank"] } }]);
    expect((await get('public')).body).toEqual(record('public'));
  });

  test.each([
    ['shop', 'Shop'],
    ['my-web_shop', 'My Web Shop'],
    ['shop/', 'Shop'],
    ['API', 'API'],
    ['2nd-shop', '2nd Shop'],
  ])('without a name, the tracker’s project %s is called %s', async (slug, name) => {
    for (const given of [{}, { project_name: '' }, { project_name: null }] as Values[]) {
      const { body } = await configure({ active: true, api_url: apiUrl(`org/${slug}`), ...given }, 'JSON');
      expect(body.project_name).toBe(name);
    }
  });

  test('an empty name restores the default name', async () => {
    await configure({ active: true, api_url: apiUrl('org/shop'), project_name: 'Mine' });
    expect((await configure({ active: true, project_name: '' })).body.project_name).toBe('Shop');
  });

  test.each([
    ['https://tracker.example.com/api/0/projects/org/shop', 'https://tracker.example.com/org/shop'],
    ['http://127.0.0.1:9000/api/0/projects/org/shop', 'http://127.0.0.1:9000/org/shop'],
    ['https://tracker.example.com/below/api/0/projects/org/shop', 'https://tracker.example.com/below/org/shop'],
    ['https://tracker.example.com/org/shop', 'https://tracker.example.com/org/shop'],
  ])('the external URL of %s is %s', async (given, external) => {
    const { body } = await configure({ active: true, api_url: given });
    expect([body.api_url, body.tracker_external_url, body.sentry_external_url]).toEqual([given, external, external]);
  });

  const tooLong = 'is too long (maximum is 255 characters)';
  test.each([
    [`https://tracker.example.com/${'x'.repeat(228)}`, tooLong],
    ['tracker', 'must be a valid URL'],
    ['https://', 'must be a valid URL'],
    ['https://tracker.example.com/a b', 'must be a valid URL'],
    ['https://träcker.example.com/', 'must be a valid URL'],
    ['ftp://tracker.example.com/', 'must be an http or https URL'],
    ['javascript:alert(1)', 'must be an http or https URL'],
    ['file:///etc/passwd', 'must be an http or https URL'],
    ['https://user@tracker.example.com/', 'must not contain a user or a password'],
    ['https://:secret@tracker.example.com/', 'must not contain a user or a password'],
  ])('%s isn’t a valid address of a tracker (row 40)', async (given, problem) => {
    const { status, body } = await configure({ active: true, api_url: given });
    expect([status, body]).toEqual([400, { message: { api_url: [problem] } }]);
    expect(await configured()).toBe(false);
  });

  test('an address and a name of 255 characters fit', async () => {
    const longest = `https://tracker.example.com/${'x'.repeat(227)}`;
    const { status, body } = await configure({ active: true, api_url: longest, project_name: 'x'.repeat(255) });
    expect([status, body.api_url.length, body.project_name.length]).toEqual([200, 255, 255]);
  });

  test('all wrong values are reported at once', async () => {
    const { status, body } = await configure({ active: true, api_url: 'ftp://x', project_name: 'x'.repeat(256) });
    expect([status, body]).toEqual([
      400,
      { message: { api_url: ['must be an http or https URL'], project_name: [tooLong] } },
    ]);
  });

  test.each(['api_url', 'project_name'])('%s can’t be a list', async (name) => {
    const { status, body } = await gateway.rest('PUT', settings('unconfigured'), {
      token: tokens.maintainer,
      json: { active: true, [name]: ['x'] },
    });
    expect([status, body]).toEqual([400, { error: `${name} is invalid` }]);
  });

  test('PATCH works after configuring', async () => {
    await configure({ active: false, api_url: apiUrl('org/shop') });
    expect((await change('PATCH', 'unconfigured', { active: true })).body.active).toBe(true);
  });
});

describe('the project in the path', () => {
  test.each([
    ['its number', (id: string) => id],
    ['its path in another case', () => 'Demo%2FStoreFront'],
    ['its path with a slash encoded in small letters', () => 'demo%2fstorefront'],
  ])('by %s', async (_name, name) => {
    const path = `/api/v4/projects/${name(await idOf(gateway, 'project', projects.public))}/error_tracking/settings`;
    const { status, body } = await gateway.rest('GET', path, { token: tokens.maintainer });
    expect([status, body]).toEqual([200, record('public')]);
  });

  test.each(['GET', 'PATCH', 'PUT'])('a trailing slash is accepted (%s)', async (method) => {
    const { status, body } = await gateway.rest(method, `${settings('public')}/`, {
      token: tokens.maintainer,
      query: { active: 'false' },
    });
    expect([status, body]).toEqual([200, record('public')]);
  });

  test.each([
    [
      'demo/storefront',
      404,
      {
        error: '404 Not Found',
        hint: 'A full path is one segment of the address, with %2F for each slash: use GET /api/v4/projects/demo%2Fstorefront/error_tracking/settings.',
      },
    ],
    ['%ff', 400, { error: 'Bad Request' }],
  ])('/projects/%s/error_tracking/settings is no path of the API', async (id, ...answer) => {
    const { status, body } = await gateway.rest('GET', `/api/v4/projects/${id}/error_tracking/settings`, {
      token: tokens.maintainer,
    });
    expect([status, body]).toEqual(answer);
  });

  test.each(['POST', 'DELETE'])('there is no %s', async (method) => {
    const { status, headers } = await gateway.rest(method, settings('public'), { token: tokens.maintainer });
    expect([status, headers.get('allow')]).toEqual([405, 'OPTIONS, GET, HEAD, PATCH, PUT']);
  });
});
