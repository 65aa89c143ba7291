import { beforeAll, describe, expect, test } from 'vitest';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import { addEmail, addMember, newUser, type TestUser } from '../../support/places/people.ts';
import { newGroup, newProject } from '../../support/places/places.ts';

/** What people and administrators keep about accounts over REST: status, identities, the address for commits. */

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await testGateway();
});

let made = 0;
const someone = () => newUser(gateway, `kept-${made++}`);
const asRoot = (method: string, path: string, json?: object) =>
  gateway.rest(method, `/api/v4${path}`, { token: gateway.tokens.root, ...(json && { json }) });

describe('the status', () => {
  const none = { emoji: null, message: null, availability: null, message_html: null, clear_status_at: null };
  const set = (user: TestUser, method: string, json: object) =>
    gateway.rest(method, '/api/v4/user/status', { token: user.token, json });
  const read = async (user: TestUser) =>
    (await gateway.rest('GET', '/api/v4/user/status', { token: user.token })).body as typeof none;

  test('is null until it is set, and anybody may read it', async () => {
    const user = await someone();
    expect(await read(user)).toEqual(none);
    const put = await set(user, 'PUT', {
      emoji: 'coffee',
      message: 'Tea & <b>',
      availability: 'busy',
      clear_status_after: '3_hours',
    });
    const status = {
      emoji: 'coffee',
      message: 'Tea & <b>',
      availability: 'busy',
      message_html: 'Tea &amp; &lt;b&gt;',
      clear_status_at: expect.any(String),
    };
    expect([put.status, put.body]).toEqual([200, status]);
    const ends = Date.parse((put.body as { clear_status_at: string }).clear_status_at) - Date.now();
    expect(ends).toBeGreaterThan(3 * 3_600_000 - 60_000);
    expect(ends).toBeLessThanOrEqual(3 * 3_600_000);
    for (const name of [user.id, user.username.toUpperCase()]) {
      const answer = await gateway.rest('GET', `/api/v4/users/${name}/status`);
      expect([answer.status, answer.body]).toEqual([200, status]);
    }
    const missing = await gateway.rest('GET', '/api/v4/users/nobody-here/status');
    expect([missing.status, missing.body]).toEqual([404, { message: '404 User Not Found' }]);
    expect((await gateway.rest('GET', '/api/v4/user/status')).status).toBe(401);
  });

  test('PUT clears what isn’t sent, PATCH keeps it', async () => {
    const user = await someone();
    await set(user, 'PUT', { emoji: 'palm_tree', message: 'Away', availability: 'busy' });
    expect((await set(user, 'PATCH', { message: 'Really' })).body).toMatchObject({
      emoji: 'palm_tree',
      message: 'Really',
      availability: 'busy',
    });
    expect((await set(user, 'PUT', { message: 'Back' })).body).toEqual({
      ...none,
      emoji: 'speech_balloon',
      message: 'Back',
      message_html: 'Back',
      availability: 'not_set',
    });
    const nothing = await set(user, 'PATCH', {});
    expect([nothing.status, nothing.text, (await read(user)).message]).toEqual([200, '', 'Back']);
    const removed = await set(user, 'PUT', {});
    expect([removed.status, removed.body, await read(user)]).toEqual([200, null, none]);
  });

  test('refuses unknown emoji and times, and long messages; an unknown availability counts as not sent', async () => {
    const user = await someone();
    await set(user, 'PUT', { message: 'Here' });
    const before = await read(user);
    for (const [json, body] of [
      [{ emoji: 'nothing_like_it' }, { message: { emoji: ['is not a valid emoji name'] } }],
      [{ message: 'x'.repeat(101) }, { message: { message: ['is too long (maximum is 100 characters)'] } }],
      [{ clear_status_after: '2_hours' }, { error: 'clear_status_after does not have a valid value' }],
    ] as const) {
      for (const method of ['PUT', 'PATCH']) expect(await set(user, method, json)).toMatchObject({ status: 400, body });
    }
    expect(await read(user)).toEqual(before);
    expect((await set(user, 'PUT', { message: 'x'.repeat(100), availability: 'sleepy' })).body).toMatchObject({
      availability: 'not_set',
    });
  });

  test('ends at its time, and is the same over GraphQL', async () => {
    const user = await someone();
    const { data } = await gateway.graphql<{ userSetStatus: object }>(
      `mutation { userSetStatus(input: { emoji: "thumbsup", availability: BUSY, clearStatusAfter: ONE_DAY, clientMutationId: "1" }) {
        status { emoji message messageHtml availability } errors clientMutationId } }`,
      { token: user.token },
    );
    const status = { emoji: 'thumbsup', message: null, messageHtml: null, availability: 'BUSY' };
    expect(data).toEqual({ userSetStatus: { status, errors: [], clientMutationId: '1' } });
    const shown = async () =>
      (
        await gateway.graphql<{ user: { status: object | null } }>(
          'query ($id: UserID!) { user(id: $id) { status { emoji message messageHtml availability } } }',
          { token: gateway.tokens.guest, variables: { id: user.id } },
        )
      ).data!.user.status;
    expect(await shown()).toEqual(status);
    await gateway.sql(`update user_statuses set clear_status_at = now() - interval '1 second' where user_id = $1`, [
      Number(user.id),
    ]);
    expect([await shown(), await read(user)]).toEqual([null, none]);
  });
});

describe('identities', () => {
  const taken = { message: { 'identities.extern_uid': ['has already been taken'] } };
  test('are set, changed, found and removed, one a provider', async () => {
    const user = await someone();
    const other = await someone();
    const put = (json: object, { id }: TestUser = user) => asRoot('PUT', `/users/${id}`, json);
    const identity = (provider: string, uid: string) => ({ provider, extern_uid: uid, saml_provider_id: null });
    expect((await put({ provider: 'ldapmain', extern_uid: 'uid=Ada' })).body.identities).toEqual([
      identity('ldapmain', 'uid=Ada'),
    ]);
    await put({ provider: 'saml', extern_uid: 'ada' });
    expect((await put({ provider: 'ldapmain', extern_uid: 'uid=ada' })).body.identities).toEqual([
      identity('ldapmain', 'uid=ada'),
      identity('saml', 'ada'),
    ]);
    const clash = await put({ provider: 'ldapmain', extern_uid: 'UID=ADA', name: 'Half' }, other);
    expect([clash.status, clash.body]).toEqual([400, taken]);
    expect((await asRoot('GET', `/users/${other.id}`)).body).toMatchObject({ name: other.username, identities: [] });
    const half = await put({ provider: 'ldapmain' });
    expect([half.status, half.body]).toEqual([
      400,
      { error: 'extern_uid, provider provide all or none of parameters' },
    ]);
    const found = async (query: string) =>
      ((await asRoot('GET', `/users?${query}`)).body as { username: string }[]).map(({ username }) => username);
    expect(await found('provider=ldapmain&extern_uid=UID%3Dada')).toEqual([user.username]);
    expect(await found('provider=saml&extern_uid=uid%3Dada')).toEqual([]);
    const refused = await gateway.rest('GET', '/api/v4/users?provider=saml&extern_uid=ada', { token: user.token });
    expect([refused.status, refused.body]).toEqual([403, { message: '403 Forbidden' }]);
    const remove = (token: string, provider: string) =>
      gateway.rest('DELETE', `/api/v4/users/${user.id}/identities/${provider}`, { token });
    expect((await remove(user.token, 'saml')).status).toBe(403);
    expect((await remove(gateway.tokens.root, 'saml')).status).toBe(204);
    const again = await remove(gateway.tokens.root, 'saml');
    expect([again.status, again.body]).toEqual([404, { message: '404 Identity Not Found' }]);
    expect(await found('provider=saml&extern_uid=ada')).toEqual([]);
  });

  test('are set by the call that creates the account, or nothing is', async () => {
    const draft = () => {
      const username = `drafted-${made++}`;
      return { username, name: 'New', email: `${username}@example.com`, force_random_password: true };
    };
    const identity = { provider: 'oidc', extern_uid: '0001' };
    const first = await asRoot('POST', '/users', { ...draft(), ...identity });
    expect([first.status, first.body.created_by]).toMatchObject([201, { username: 'root' }]);
    expect(first.body.identities).toEqual([{ ...identity, saml_provider_id: null }]);
    const before = await gateway.sql('select count(*) from users');
    const second = await asRoot('POST', '/users', { ...draft(), ...identity });
    expect([second.status, second.body]).toEqual([400, taken]);
    expect(await gateway.sql('select count(*) from users')).toEqual(before);
  });
});

test('commit_email is a confirmed address of the person, a hidden one, or the primary one', async () => {
  const user = await someone();
  const put = (value: unknown) => asRoot('PUT', `/users/${user.id}`, { commit_email: value });
  expect((await asRoot('GET', `/users/${user.id}`)).body.commit_email).toBe(user.email);
  const address = `work-${user.email}`;
  const refused = { status: 400, body: { message: { commit_email: ['is not an email you own'] } } };
  expect(await put(address)).toMatchObject(refused);
  await addEmail(gateway, user, address, false);
  expect(await put(address)).toMatchObject(refused);
  await gateway.sql('update emails set verified_at = now() where address = $1', [address]);
  expect((await put(address.toUpperCase())).body.commit_email).toBe(address);
  expect((await put('_private')).body.commit_email).toMatch(
    new RegExp(`^${user.id}-${user.username}@users\\.noreply\\.`),
  );
  expect((await put('')).body.commit_email).toBe(user.email);
  await put(address);
  const [email] = (await asRoot('GET', `/users/${user.id}/emails`)).body as [{ id: number }];
  await asRoot('DELETE', `/users/${user.id}/emails/${email.id}`);
  expect((await asRoot('GET', `/users/${user.id}`)).body.commit_email).toBe(user.email);
});

describe('addresses of one’s own', () => {
  const ask = (user: TestUser, method: string, path: string, json?: object) =>
    gateway.rest(method, `/api/v4/user/emails${path}`, { token: user.token, ...(json && { json }) });

  test('are added unconfirmed, read, and removed', async () => {
    const user = await someone();
    const address = `more-${user.email}`;
    const added = await ask(user, 'POST', '', { email: address });
    expect([added.status, added.body]).toEqual([201, { id: expect.any(Number), email: address, confirmed_at: null }]);
    const { id } = added.body as { id: number };
    expect((await ask(user, 'GET', `/${id}`)).body).toEqual(added.body);
    for (const [json, body] of [
      [{ email: address }, { message: { email: ['has already been taken'] } }],
      [{ email: 'nowhere' }, { message: { email: ['is invalid'] } }],
      [{}, { error: 'email is missing' }],
      [{ email: ' ' }, { message: { email: ["can't be blank"] } }],
    ] as const)
      expect(await ask(user, 'POST', '', json)).toMatchObject({ status: 400, body });
    for (const method of ['GET', 'DELETE']) {
      expect(await ask(user, method, '/abc')).toMatchObject({ status: 400, body: { error: 'email_id is invalid' } });
      const others = await ask(await someone(), method, `/${id}`);
      expect([others.status, others.body]).toEqual([404, { message: '404 Email Not Found' }]);
    }
    expect((await ask(user, 'DELETE', `/${id}`)).status).toBe(204);
    expect((await ask(user, 'GET', `/${id}`)).status).toBe(404);
  });

  test('keep the primary one and the one for notifications, and refuse OAuth tokens', async () => {
    const user = await someone();
    const [primary] = await gateway.sql<{ id: number }>('select id from emails where primary_of = $1', [
      Number(user.id),
    ]);
    expect((await ask(user, 'DELETE', `/${primary!.id}`)).status).toBe(404);
    const address = `notified-${user.email}`;
    await addEmail(gateway, user, address, true);
    const put = await gateway.rest('PUT', '/api/v4/notification_settings', {
      token: user.token,
      json: { level: 'watch', notification_email: address },
    });
    expect(put.status).toBe(200);
    const [{ id }] = (await ask(user, 'GET', '')).body as [{ id: number }];
    const kept = await ask(user, 'DELETE', `/${id}`);
    expect([kept.status, kept.body]).toEqual([
      400,
      { message: '400 Bad request - The notification address can’t be removed.' },
    ]);
    const headers = { authorization: `Bearer ${await gateway.accessToken(user.username, ['api'])}` };
    for (const [method, path] of [
      ['POST', ''],
      ['DELETE', `/${id}`],
    ] as const) {
      const json = { email: `other-${user.email}` };
      expect((await gateway.rest(method, `/api/v4/user/emails${path}`, { headers, json })).status).toBe(403);
    }
    expect((await ask(user, 'GET', '')).body).toHaveLength(1);
  });
});

test('preferences are kept, one at least', async () => {
  const user = await someone();
  const ask = (method: string, json?: object) =>
    gateway.rest(method, '/api/v4/user/preferences', { token: user.token, ...(json && { json }) });
  const unset = {
    id: Number(user.id),
    user_id: Number(user.id),
    view_diffs_file_by_file: false,
    show_whitespace_in_diffs: true,
    pass_user_identities_to_ci_jwt: false,
  };
  expect((await ask('GET')).body).toEqual(unset);
  for (const name of [
    'view_diffs_file_by_file',
    'show_whitespace_in_diffs',
    'pass_user_identities_to_ci_jwt',
  ] as const) {
    const changed = { ...unset, [name]: !unset[name] };
    expect((await ask('PUT', { [name]: !unset[name] })).body).toEqual(changed);
    expect((await ask('GET')).body).toEqual(changed);
    expect((await ask('PUT', { [name]: null })).body).toEqual(unset);
  }
  expect(await ask('PUT', {})).toMatchObject({
    status: 400,
    body: {
      error:
        'view_diffs_file_by_file, show_whitespace_in_diffs, pass_user_identities_to_ci_jwt are missing, at least one parameter must be provided',
    },
  });
});

test('memberships are listed for administrators, and counted for the person too', async () => {
  const user = await someone();
  const projectless = async () =>
    (await asRoot('GET', `/users?without_projects=true&username=${user.username}`)).headers.get('x-total');
  expect(await projectless()).toBe('1');
  const path = `joined-${user.id}`;
  const group = await newGroup(gateway, { path, visibility: 'PRIVATE' });
  const project = await newProject(gateway, { group: path, path: 'inside', visibility: 'PRIVATE' });
  await addMember(gateway, user, 'DEVELOPER', { group });
  await addMember(gateway, user, 'MAINTAINER', { project });
  const list = async (query = '', token = gateway.tokens.root) =>
    await gateway.rest('GET', `/api/v4/users/${user.id}/memberships${query}`, { token });
  const ofGroup = { source_id: Number(group), source_type: 'Namespace', access_level: 30 };
  const ofProject = { source_id: Number(project), source_type: 'Project', access_level: 40 };
  expect((await list()).body).toMatchObject(
    expect.arrayContaining([expect.objectContaining(ofGroup), expect.objectContaining(ofProject)]),
  );
  expect((await list()).headers.get('x-total')).toBe('2');
  expect(await projectless()).toBe('0');
  expect((await list('?type=Project')).body).toMatchObject([ofProject]);
  expect((await list('?type=Namespace')).body).toMatchObject([ofGroup]);
  expect(await list('?type=Group')).toMatchObject({
    status: 400,
    body: { error: 'type does not have a valid value' },
  });
  expect((await list('', user.token)).status).toBe(403);
  expect(await asRoot('GET', '/users/999999/memberships')).toMatchObject({ status: 404 });
  const count = (token: string) => gateway.rest('GET', `/api/v4/users/${user.id}/associations_count`, { token });
  for (const token of [user.token, gateway.tokens.root])
    expect((await count(token)).body).toEqual({
      groups_count: 1,
      projects_count: 1,
      issues_count: 0,
      merge_requests_count: 0,
    });
  expect((await count(gateway.tokens.guest)).status).toBe(403);
  expect((await asRoot('GET', `/users/${user.id}`)).body).toMatchObject({ highest_role: 40, can_create_project: true });
});

describe('every filter of the list of people', () => {
  const year = new Date().getUTCFullYear();
  test.each([
    'username=nobody-has-this',
    'public_email=nobody@nowhere.example',
    'search=nobody-has-this',
    'extern_uid=nobody&provider=none',
    'extern_uid=&provider=none',
    'blocked=true&active=true',
    'exclude_active=true&active=true',
    'external=true&exclude_external=true',
    'exclude_humans=true',
    'admins=true&username=guest',
    `created_after=${year + 1}-01-01`,
    'created_before=2001-01-01',
    'two_factor=enabled',
  ])('%s: nothing matches', async (filter) => {
    const { status, body } = await asRoot('GET', `/users?${filter}`);
    expect([status, body]).toEqual([200, []]);
  });

  test.each(['humans', 'exclude_internal', 'without_project_bots', 'active', 'blocked', 'external', 'admins'])(
    '%s: takes a boolean, and false filters nothing',
    async (name) => {
      expect(await asRoot('GET', `/users?${name}=perhaps`)).toMatchObject({
        status: 400,
        body: { error: `${name} is invalid` },
      });
      const total = async (query: string) => (await asRoot('GET', `/users?${query}`)).headers.get('x-total');
      expect(await total(`${name}=false`)).toBe(await total(''));
    },
  );

  test('what is only for administrators is ignored for others', async () => {
    const listed = async (query: string) =>
      (await gateway.rest('GET', `/api/v4/users?${query}`, { token: gateway.tokens.guest })).body;
    const all = await listed('');
    for (const query of [
      'admins=true',
      'created_before=2001-01-01',
      'two_factor=enabled',
      'two_factor=sometimes',
      'without_projects=true',
      'custom_attributes[a]=b',
      'order_by=name&sort=asc',
    ])
      expect(await listed(query)).toEqual(all);
    const { headers } = await gateway.rest('GET', '/api/v4/users?custom_attributes[a]=b', {
      token: gateway.tokens.guest,
    });
    expect(headers.get('link')).toContain('custom_attributes%5Ba%5D=b');
    // Nothing has custom attributes, so an administrator's filter leaves nothing.
    expect((await asRoot('GET', '/users?custom_attributes[a]=b')).body).toEqual([]);
    expect((await asRoot('GET', '/users?custom_attributes[a]=b&username=root')).body).toEqual([]);
  });
});

test('the second run of a tool that compares finds nothing to change', async () => {
  // As Ansible's module for users: it looks the person up by name, and sends all that it knows on every run.
  const username = `managed-${made++}`;
  const wanted = { name: 'Managed', username, email: `${username}@example.com`, external: true, admin: false };
  const credential = { password: 'sailing by the moon', reset_password: false, skip_confirmation: true };
  const identity = { provider: 'ldapmain', extern_uid: `uid=${username}` };
  const first = await asRoot('POST', '/users', { ...wanted, ...credential, ...identity });
  expect(first.status).toBe(201);
  const find = async () => {
    const [found] = (await asRoot('GET', `/users?username=${username}`)).body as [{ id: number }];
    return (await asRoot('GET', `/users/${found.id}`)).body as { id: number };
  };
  const before = await find();
  expect(before).toMatchObject({
    external: true,
    is_admin: false,
    state: 'active',
    identities: [{ ...identity, saml_provider_id: null }],
  });
  const second = await asRoot('PUT', `/users/${before.id}`, {
    ...wanted,
    ...identity,
    skip_reconfirmation: true,
    reset_password: false,
    overwrite_identities: false,
    auditor: false,
    shared_runners_minutes_limit: 5,
  });
  expect(second.status).toBe(200);
  expect(await find()).toEqual(before);
  expect((await asRoot('GET', `/users/${before.id}/emails`)).body).toEqual([]);
  expect((await asRoot('PUT', `/users/${before.id}`, {})).status).toBe(200);
  expect(await find()).toEqual(before);
});
