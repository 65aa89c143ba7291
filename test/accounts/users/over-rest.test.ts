import { describe, expect, test } from 'vitest';
import { snakeCase } from '../../../src/values/text/snake-case.ts';
import type { Attribute } from '../../../src/values/attributes/attributes.ts';
import { userAttributes, type UserAttributes } from '../../../src/values/attributes/user-attributes.ts';
import { addMember, type TestUser } from '../../support/places/people.ts';
import { newGroup } from '../../support/places/places.ts';
import { signIn } from '../../support/oauth/oauth.ts';
import { makeAccounts, namesOf } from './accounts.ts';

/** Accounts over REST: what everyone sees of them, how administrators create them, and their attributes. */

const { gateway, root, newName, someone, asRoot, ask } = await makeAccounts();

const basic = ['id', 'username', 'public_email', 'name', 'state', 'locked', 'avatar_url', 'web_url'];
const publicKeys = [
  ...basic,
  'created_at',
  'bio',
  'location',
  'linkedin',
  'twitter',
  'discord',
  'website_url',
  'github',
  'job_title',
  'pronouns',
  'organization',
  'bot',
  'work_information',
  'followers',
  'following',
  'is_followed',
  'local_time',
];
const administered = [
  ...publicKeys,
  'last_sign_in_at',
  'confirmed_at',
  'last_activity_on',
  'email',
  'theme_id',
  'color_scheme_id',
  'projects_limit',
  'current_sign_in_at',
  'identities',
  'can_create_group',
  'can_create_project',
  'two_factor_enabled',
  'external',
  'private_profile',
  'commit_email',
  'preferred_language',
  'is_admin',
  'note',
  'namespace_id',
  'created_by',
  'email_reset_offered_at',
  'current_sign_in_ip',
  'last_sign_in_ip',
];

describe('reading people', () => {
  test('administrators see everything, others what is public', async () => {
    const user = await someone();
    const list = await ask(user, 'GET', '/users?per_page=100');
    expect(list.status).toBe(200);
    for (const one of list.body as object[]) expect(Object.keys(one)).toEqual(basic);
    expect(Object.keys((await ask(user, 'GET', '/users/1')).body)).toEqual(publicKeys);
    expect(Object.keys((await asRoot('GET', '/users')).body[0])).toEqual(administered);
    expect(Object.keys((await asRoot('GET', `/users/${user.id}`)).body)).toEqual([
      ...administered,
      'highest_role',
      'sign_in_count',
    ]);
    const unfollowed = (keys: string[]) => keys.filter((key) => key !== 'is_followed');
    expect(Object.keys((await asRoot('GET', '/user')).body)).toEqual(unfollowed(administered));
    expect(Object.keys((await ask(user, 'GET', '/user')).body)).toEqual(
      unfollowed(administered.slice(0, administered.indexOf('is_admin'))),
    );
  });

  test('anonymous requests may ask for one by name only', async () => {
    const one = await gateway.rest('GET', '/api/v4/users?username=MAINTAINER');
    expect([one.status, namesOf(one.body)]).toEqual([200, ['maintainer']]);
    const all = await gateway.rest('GET', '/api/v4/users');
    expect([all.status, all.body]).toEqual([
      403,
      { message: '403 Forbidden - Not authorized to access /api/v4/users' },
    ]);
    const single = await gateway.rest('GET', '/api/v4/users/1');
    expect([single.status, single.body]).toEqual([403, { message: '403 Forbidden - Not authorized!' }]);
  });

  test('what is about the person of the token is refused without one', async () => {
    const ofApplication = { headers: { authorization: `Bearer ${await gateway.accessToken(null, ['api'])}` } };
    for (const options of [{}, ofApplication]) {
      for (const path of ['/user', '/user/emails', '/user/emails?per_page=0'])
        expect([path, await gateway.rest('GET', `/api/v4${path}`, options)]).toMatchObject([
          path,
          { status: 401, body: { message: '401 Unauthorized' } },
        ]);
      for (const path of ['/users/1', '/users/1/emails', '/users/999999', '/users/nobody'])
        expect([path, (await gateway.rest('GET', `/api/v4${path}`, options)).status]).toEqual([path, 403]);
    }
  });

  test('a missing one is 404', async () => {
    const { status, body } = await asRoot('GET', '/users/999999');
    expect([status, body]).toEqual([404, { message: '404 User Not Found' }]);
  });

  test('a search finds names and full addresses, the latter only for viewers who may see them', async () => {
    const { username, email } = await someone();
    const stranger = await someone();
    const found = async (search: string, token: string) =>
      namesOf((await gateway.rest('GET', '/api/v4/users', { token, query: { search, per_page: '100' } })).body);
    expect(await found(username.toUpperCase(), stranger.token)).toContain(username);
    expect(await found(email, root)).toEqual([username]);
    expect(await found(email, stranger.token)).toEqual([]);
    expect(await found(email.slice(0, -1), root)).toEqual([]);
    expect(await found('%', root)).toEqual([]);
  });

  test('filters work, and those for administrators are ignored from others', async () => {
    const blocked = await someone();
    await asRoot('POST', `/users/${blocked.id}/block`);
    const names = async (query: Record<string, string>, token = root) =>
      namesOf((await gateway.rest('GET', '/api/v4/users', { token, query: { per_page: '100', ...query } })).body);
    expect(await names({ blocked: 'true' })).toContain(blocked.username);
    expect(await names({ active: 'true' })).not.toContain(blocked.username);
    expect(await names({ exclude_active: 'true' })).toContain(blocked.username);
    expect(await names({ active: 'true', blocked: 'true' })).toEqual([]);
    expect((await names({ exclude_humans: 'true' })).filter((name) => name !== 'ghost')).toEqual([]);
    expect(await names({ admins: 'true' })).toEqual(['root']);
    expect(await names({ admins: 'true' }, gateway.tokens.guest)).toContain('guest');
    expect(await names({ two_factor: 'enabled' })).toEqual([]);
    await gateway.sql(`insert into second_factors (user_id, sealed_seed, confirmed_at) values ($1, '', now())`, [
      Number(blocked.id),
    ]);
    expect(await names({ two_factor: 'enabled' })).toEqual([blocked.username]);
    expect(await names({ two_factor: 'disabled' })).not.toContain(blocked.username);
    expect(await names({ created_after: '2100-01-01' })).toEqual([]);
    const sorted = await names({ order_by: 'username', sort: 'asc' });
    expect(sorted).toEqual(sorted.toSorted());
    expect((await names({ order_by: 'username', sort: 'asc' }, gateway.tokens.guest))[0]).not.toBe(sorted[0]);
  });
});

describe('creating users', () => {
  const draft = () => {
    const username = newName();
    return { username, name: 'A New One', email: `${username}@example.com` };
  };

  test('answers with the account, which can sign in once the address is confirmed', async () => {
    const input = draft();
    const { status, body } = await asRoot('POST', '/users', {
      ...input,
      password: 'long enough',
      skip_confirmation: true,
    });
    expect([status, body]).toMatchObject([
      201,
      { ...input, state: 'active', is_admin: false, confirmed_at: expect.any(String) },
    ]);
    await expect(signIn(gateway, input.username, 'long enough')).resolves.toBeDefined();
    const unconfirmed = draft();
    const second = await asRoot('POST', '/users', { ...unconfirmed, password: 'long enough' });
    expect([second.status, second.body.confirmed_at, second.headers.get('deprecation')]).toEqual([201, null, null]);
    await expect(signIn(gateway, unconfirmed.username, 'long enough')).rejects.toThrow('The address isn’t confirmed.');
  });

  test.each([
    ['false', {}, true],
    ['true', {}, false],
    ['true', { skip_confirmation: true }, true],
    ['false', { skip_confirmation: false }, false],
  ])(
    'accepts the old confirm=%s with %o inverted, and says that it is deprecated',
    async (confirm, more, confirmed) => {
      const { status, body, headers } = await asRoot('POST', '/users', {
        ...draft(),
        force_random_password: true,
        confirm,
        ...more,
      });
      expect([status, body.confirmed_at !== null]).toEqual([201, confirmed]);
      // 22 March 2017, when version 9.0 came (RFC 9745).
      expect(headers.get('deprecation')).toBe('@1490140800');
    },
  );

  test('reports what is missing, taken, and invalid', async () => {
    const blank = ["can't be blank"];
    const taken = await someone();
    const refusals = [
      [
        {},
        400,
        {
          error:
            'email is missing, name is missing, username is missing, password, reset_password, force_random_password are missing, at least one parameter must be provided',
        },
      ],
      [
        { email: ' ', name: '', username: '', force_random_password: true },
        400,
        { message: { email: blank, name: blank, username: blank } },
      ],
      [
        { ...draft(), email: taken.email.toUpperCase(), force_random_password: true },
        409,
        { message: 'Email has already been taken' },
      ],
      [
        { ...draft(), username: taken.username.toUpperCase(), force_random_password: true },
        409,
        { message: 'Username has already been taken' },
      ],
      [
        { ...draft(), email: taken.email, username: taken.username, force_random_password: true },
        409,
        { message: 'Email has already been taken' },
      ],
      // Whatever else is wrong: clients recognize by it that the person is there.
      [
        { ...draft(), email: taken.email, password: 'short', projects_limit: -1 },
        409,
        { message: 'Email has already been taken' },
      ],
      [
        { ...draft(), username: 'demo', force_random_password: true },
        409,
        { message: 'Username has already been taken' },
      ],
      [
        { ...draft(), username: 'admin', password: 'short' },
        400,
        { message: { username: ['is a reserved name'], password: ['is too short (minimum is 8 characters)'] } },
      ],
      [{ ...draft(), email: 'nowhere', force_random_password: true }, 400, { message: { email: ['is invalid'] } }],
    ] as const;
    const before = await gateway.sql('select count(*) from users');
    for (const [json, status, body] of refusals) {
      const answer = await asRoot('POST', '/users', json);
      expect([answer.status, answer.body]).toEqual([status, body]);
    }
    expect(await gateway.sql('select count(*) from users')).toEqual(before);
  });
});

/** Each attribute: its default, values that are kept, and values that are refused with a text. */
const attributes: {
  readonly [Name in keyof UserAttributes]: readonly [
    unset: unknown,
    kept: readonly unknown[],
    refused: readonly (readonly [unknown, string])[],
  ];
} = {
  bio: ['', ['Writes. Reads.', 'é'.repeat(255)], [['x'.repeat(256), 'is too long (maximum is 255 characters)']]],
  location: ['', ['Here'], [['x'.repeat(501), 'is too long (maximum is 500 characters)']]],
  linkedin: ['', ['ada'], [['x'.repeat(501), 'is too long (maximum is 500 characters)']]],
  twitter: ['', ['@ada'], [['x'.repeat(501), 'is too long (maximum is 500 characters)']]],
  discord: ['', ['1'.repeat(17), '1'.repeat(20)], [['1'.repeat(16), 'must contain only a discord user ID.']]],
  websiteUrl: ['', ['https://ada.example/a?b=c'], [['javascript:alert(1)', 'is not a valid URL']]],
  github: ['', ['ada'], [['x'.repeat(501), 'is too long (maximum is 500 characters)']]],
  jobTitle: ['', ['Engineer'], [['x'.repeat(201), 'is too long (maximum is 200 characters)']]],
  pronouns: [null, ['they'], [['x'.repeat(51), 'is too long (maximum is 50 characters)']]],
  organization: ['', ['Demo & Co'], [['x'.repeat(501), 'is too long (maximum is 500 characters)']]],
  theme: [3, [1, 11, 3], [99, 0, -1].map((theme) => [theme, `${theme} is not a valid theme`] as const)],
  colorScheme: [1, [6, 1], [[7, '7 is not a valid color scheme']]],
  projectsLimit: [100_000, [0, 2_147_483_647], [[-1, 'must be greater than or equal to 0']]],
  canCreateGroup: [true, [false, true], []],
  external: [false, [true, false], []],
  privateProfile: [false, [true, false], []],
  note: [null, ['Asked twice'], []],
  viewDiffsFileByFile: [false, [true, false], []],
};

describe.each(Object.entries(attributes))('the attribute %s', (name, [unset, kept, refused]) => {
  const { wire, unlisted, type } = userAttributes[name as keyof UserAttributes] as Attribute;
  const key = snakeCase(wire ?? name);
  const shown = async (id: string) => {
    if (!unlisted) return ((await asRoot('GET', `/users/${id}`)).body as Record<string, unknown>)[key];
    const { data } = await gateway.graphql<{ user: object }>(`query ($id: UserID!) { user(id: $id) { ${name} } }`, {
      token: root,
      variables: { id },
    });
    return (data!.user as Record<string, unknown>)[name];
  };

  test('is kept alone, or refused by name, and cleared by null', async () => {
    const { id } = await someone();
    expect(await shown(id)).toBe(unset);
    for (const value of kept) {
      expect(await asRoot('PUT', `/users/${id}`, { [key]: value })).toMatchObject({ status: 200 });
      expect(await shown(id)).toBe(value);
    }
    const before = await shown(id);
    const wrong = refused.map(([value, text]) => [value, { message: { [key]: [text] } }] as const);
    const ofType = (type === 'boolean' ? ['nothing'] : type === 'integer' ? ['nothing', 2_147_483_648] : []).map(
      (value) => [value, { error: `${key} is invalid` }] as const,
    );
    for (const [value, body] of [...wrong, ...ofType])
      expect(await asRoot('PUT', `/users/${id}`, { [key]: value })).toMatchObject({ status: 400, body });
    expect(await shown(id)).toBe(before);
    expect(await asRoot('PUT', `/users/${id}`, { [key]: null })).toMatchObject({ status: 200 });
    expect(await shown(id)).toBe(unset);
  });

  test('is kept by the call that creates the account', async () => {
    const username = newName();
    const required = { username, name: 'New', email: `${username}@example.com`, force_random_password: true };
    const { status, body } = await asRoot('POST', '/users', { ...required, [key]: kept[0] });
    expect(status).toBe(201);
    expect(await shown(String((body as { id: number }).id))).toBe(kept[0]);
  });
});

describe('obeyed attributes', () => {
  const set = async ({ id }: TestUser, json: object) =>
    expect(await asRoot('PUT', `/users/${id}`, json)).toMatchObject({ status: 200, body: json });
  const places = async (user: TestUser, path: string) =>
    ((await ask(user, 'GET', path)).body as { id: number }[]).map(({ id }) => String(id));

  test('can_create_group: only subgroups without it', async () => {
    const user = await someone();
    await set(user, { can_create_group: false });
    const path = newName();
    const refused = await ask(user, 'POST', '/groups', { name: path, path });
    expect([refused.status, refused.body]).toEqual([403, { message: '403 Forbidden' }]);
    const parent = await newGroup(gateway, { path: newName(), visibility: 'PRIVATE' });
    await addMember(gateway, user, 'OWNER', { group: parent });
    expect((await ask(user, 'POST', '/groups', { name: path, path, parent_id: parent })).status).toBe(201);
    await set(user, { can_create_group: true });
    expect((await ask(user, 'POST', '/groups', { name: path, path })).status).toBe(201);
  });

  test('projects_limit: counts projects of the person’s own', async () => {
    const user = await someone();
    await set(user, { projects_limit: 1 });
    const make = async () => await ask(user, 'POST', '/projects', { name: newName() });
    const { status, body } = await make();
    expect(status).toBe(201);
    const text = (limit: number) =>
      `Your project limit is ${limit} projects! Please contact your administrator to increase it`;
    expect(await make()).toMatchObject({ status: 400, body: { message: { limit_reached: [text(1)] } } });
    await ask(user, 'DELETE', `/projects/${(body as { id: number }).id}`);
    expect((await make()).status).toBe(201);
    await set(user, { projects_limit: 0 });
    expect(await make()).toMatchObject({ status: 400, body: { message: { limit_reached: [text(0)] } } });
  });

  test('external: sees what is internal only as a member, and loses both rights to create', async () => {
    const user = await someone();
    const group = await newGroup(gateway, { path: newName(), visibility: 'INTERNAL' });
    const listed = async () => [
      (await ask(user, 'GET', `/groups/${group}`)).status,
      (await places(user, '/groups?all_available=true&per_page=100')).includes(group),
    ];
    expect(await listed()).toEqual([200, true]);
    await set(user, { external: true });
    expect(await listed()).toEqual([404, false]);
    const filtered = async (filter: string, token = root) =>
      namesOf((await gateway.rest('GET', `/api/v4/users?${filter}&per_page=100`, { token })).body);
    for (const token of [root, gateway.tokens.guest]) {
      const names = await filtered('external=true', token);
      expect([names.includes(user.username), names.includes('root')]).toEqual([true, false]);
    }
    expect(await filtered('exclude_external=true')).not.toContain(user.username);
    expect(await filtered('external=true&exclude_external=true')).toEqual([]);
    for (const ignored of ['external=false', 'exclude_external=false'])
      expect((await filtered(ignored)).length).toBeGreaterThan(1);
    expect(await asRoot('GET', `/users/${user.id}`)).toMatchObject({
      body: { external: true, can_create_group: false, projects_limit: 0 },
    });
    await addMember(gateway, user, 'GUEST', { group });
    expect(await listed()).toEqual([200, true]);
    await set(user, { external: false, projects_limit: 3 });
    expect(await asRoot('GET', `/users/${user.id}`)).toMatchObject({
      body: { can_create_group: true, projects_limit: 3 },
    });
  });

  test('private_profile: others don’t see since when the account exists', async () => {
    const user = await someone();
    const stranger = await someone();
    await set(user, { private_profile: true, bio: 'Shy' });
    expect(Object.keys((await ask(stranger, 'GET', `/users/${user.id}`)).body)).toEqual(
      publicKeys.filter((key) => !['created_at', 'followers', 'following', 'is_followed'].includes(key)),
    );
    for (const own of [await ask(user, 'GET', '/user'), await ask(user, 'GET', `/users/${user.id}`)])
      expect(own.body).toMatchObject({ created_at: expect.any(String), bio: 'Shy' });
  });
});
