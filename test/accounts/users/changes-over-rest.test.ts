import { Gitlab } from '@gitbeaker/rest';
import { describe, expect, test, vi } from 'vitest';
import { removeMarkedUsers } from '../../../src/jobs/remove-users.ts';
import { testGateway } from '../../support/gateway.ts';
import { addMember, newUser, type TestUser } from '../../support/places/people.ts';
import { newGroup, newProject } from '../../support/places/places.ts';
import { account, signIn } from '../../support/oauth/oauth.ts';
import { makeAccounts } from './accounts.ts';

/** Changes of accounts over REST: names, addresses, blocking and removal. */

const { gateway, root, newName, someone, asRoot, ask, statusOf } = await makeAccounts();

describe('changing users', () => {
  test('renames them, with the addresses of their own projects', async () => {
    const user = await someone();
    const [place] = await gateway.sql<{ id: number }>('select id from namespaces where owner_id = $1', [
      Number(user.id),
    ]);
    await gateway.sql(
      `with p as (insert into projects (namespace_id, path, name, full_path) values ($1, 'own', 'Own', $2) returning id)
      insert into routes (path, project_id) select $2, id from p`,
      [place!.id, `${user.username}/own`],
    );
    const { status, body } = await asRoot('PUT', `/users/${user.id}`, {
      username: `Renamed-${user.id}`,
      name: 'Renamed',
    });
    expect([status, body]).toMatchObject([200, { username: `Renamed-${user.id}`, name: 'Renamed' }]);
    const { data } = await gateway.graphql<{ project: { fullPath: string } | null }>(
      'query ($id: ID!) { project(id: $id) { fullPath } }',
      {
        token: root,
        variables: { id: `renamed-${user.id}/own` },
      },
    );
    expect(data).toEqual({ project: { fullPath: `Renamed-${user.id}/own` } });
    const former = await gateway.rest('GET', `/api/v4/projects/${user.username}%2Fown`, {
      token: root,
    });
    expect(former.status).toBe(301);
    const other = await someone();
    const clash = await asRoot('PUT', `/users/${other.id}`, { username: `RENAMED-${user.id}`, name: 'Half' });
    expect([clash.status, clash.body]).toEqual([409, { message: 'Username has already been taken' }]);
    // Where both are taken, the address is named, as when an account is made. One's own is no clash.
    const both = await asRoot('PUT', `/users/${other.id}`, { username: `renamed-${user.id}`, email: user.email });
    expect([both.status, both.body]).toEqual([409, { message: 'Email has already been taken' }]);
    const wrong = await asRoot('PUT', `/users/${other.id}`, { projects_limit: -1, email: user.email });
    expect([wrong.status, wrong.body]).toEqual([409, { message: 'Email has already been taken' }]);
    const blank = await asRoot('PUT', `/users/${other.id}`, { email: '' });
    expect([blank.status, blank.body]).toEqual([400, { message: { email: ["can't be blank"] } }]);
    // A new address that needs no confirmation can be shown, and used for commits, at once.
    const address = `new-${other.email}`;
    const addresses = { email: address, public_email: address, commit_email: address };
    expect((await asRoot('PUT', `/users/${other.id}`, addresses)).status).toBe(400);
    const now = await asRoot('PUT', `/users/${other.id}`, { ...addresses, skip_reconfirmation: true });
    expect([now.status, now.body]).toMatchObject([200, addresses]);
    await asRoot('PUT', `/users/${other.id}`, { email: other.email, public_email: '' });
    expect((await asRoot('PUT', `/users/${other.id}`, { email: other.email })).status).toBe(200);
    expect((await asRoot('GET', `/users/${other.id}`)).body.name).toBe(other.username);
  });

  test('keeps a name and a username: blank ones are refused, not ignored', async () => {
    const user = await someone();
    for (const key of ['name', 'username'])
      for (const value of ['', ' ', null])
        expect(await asRoot('PUT', `/users/${user.id}`, { [key]: value, bio: 'Changed' })).toMatchObject({
          status: 400,
          body: { message: { [key]: ["can't be blank"] } },
        });
    expect((await asRoot('GET', `/users/${user.id}`)).body).toMatchObject({ username: user.username, bio: '' });
  });

  test('an unconfirmed address never displaces a confirmed one (row 32)', async () => {
    const user = await someone();
    const address = `new-${user.email}`;
    expect((await asRoot('PUT', `/users/${user.id}`, { email: address })).body).toMatchObject({
      email: user.email,
      confirmed_at: expect.any(String),
    });
    const further = async () => (await ask(user, 'GET', '/user/emails')).body;
    expect(await further()).toEqual([{ id: expect.any(Number), email: address, confirmed_at: null }]);
    expect(
      (await asRoot('PUT', `/users/${user.id}`, { email: address, skip_reconfirmation: true })).body,
    ).toMatchObject({ email: address, confirmed_at: expect.any(String) });
    expect(await further()).toMatchObject([{ email: user.email, confirmed_at: expect.any(String) }]);
  });

  test('a read while addresses change never shows an unconfirmed one as confirmed (row 32)', async () => {
    const user = await someone();
    const addresses = [user.email, `b-${user.email}`];
    const changes = (async () => {
      for (let round = 0; round < 25; round++) {
        await asRoot('PUT', `/users/${user.id}`, { email: `u${round}-${user.email}` });
        await asRoot('PUT', `/users/${user.id}`, { email: addresses[round % 2], skip_reconfirmation: true });
      }
    })();
    let done = false;
    void changes.finally(() => (done = true));
    const seen = new Set<string>();
    while (!done) {
      const { body } = await ask(user, 'GET', '/user');
      if (body.confirmed_at !== null) seen.add(body.email);
    }
    await changes;
    expect([...seen].filter((address) => !addresses.includes(address))).toEqual([]);
  });

  test('a new password ends sessions and authorizations, but no personal token', async () => {
    const { id, username, password } = await account(gateway, newName());
    const personal = await gateway.personalToken(username, ['api']);
    const oauth = await gateway.accessToken(username, ['api']);
    await asRoot('PUT', `/users/${id}`, { password: 'another password' });
    expect([
      await statusOf(personal),
      (await gateway.rest('GET', '/api/v4/user', { headers: { authorization: `Bearer ${oauth}` } })).status,
    ]).toEqual([200, 401]);
    await expect(signIn(gateway, username, password)).rejects.toMatchObject({
      fields: { password: expect.anything() },
    });
    await expect(signIn(gateway, username, 'another password')).resolves.toBeDefined();
  });

  test('makes administrators, who can’t take the right from themselves', async () => {
    const user = await newUser(gateway, newName());
    expect((await asRoot('PUT', `/users/${user.id}`, { admin: true })).body.is_admin).toBe(true);
    expect((await ask(user, 'PUT', `/users/${user.id}`, { admin: false })).status).toBe(403);
    expect((await asRoot('PUT', `/users/${user.id}`, { admin: false })).body.is_admin).toBe(false);
    expect((await ask(user, 'PUT', `/users/${user.id}`, { name: 'x' })).status).toBe(403);
  });

  test.each([
    ['take their power', 'PUT', '', { admin: false }],
    ['lock each other out', 'POST', '/block', undefined],
  ] as const)('of two administrators who %s at the same moment, one stays', async (_what, method, path, json) => {
    const own = await testGateway();
    await own.sql('update users set administrator = false');
    for (let round = 0; round < 5; round++) {
      const [one, other] = await Promise.all(
        [0, 1].map((number) => newUser(own, `head-${round}-${number}`, { administrator: true })),
      );
      const on = (by: TestUser, whom: TestUser) =>
        own.rest(method, `/api/v4/users/${whom.id}${path}`, { token: by.token, ...(json && { json }) });
      const answers = await Promise.all([on(one!, other!), on(other!, one!)]);
      const [{ left }] = (await own.sql<{ left: number }>(
        `select count(*)::int as left from users where administrator and state = 'ACTIVE'`,
      )) as [{ left: number }];
      expect([left, answers.filter(({ status }) => status < 300).length]).toEqual([1, 1]);
      await own.sql('update users set administrator = false');
    }
  });

  test.each([
    'line\nline',
    'tab\there',
    'bell\u0007',
    'delete\u007f',
    'next\u0085',
    'turned \u202e around',
    'isolated \u2066 text',
    'two\u2028lines',
  ])('a name with invisible characters is refused: %j', async (name) => {
    const user = await someone();
    const refused = { status: 400, body: { message: { name: ["can't contain control characters"] } } };
    expect(await asRoot('PUT', `/users/${user.id}`, { name })).toMatchObject(refused);
    expect(await asRoot('PUT', `/groups/demo`, { name })).toMatchObject(refused);
    expect(await asRoot('PUT', `/projects/demo%2Fstorefront`, { name })).toMatchObject(refused);
    const application = await asRoot('POST', '/applications', {
      name,
      redirect_uri: 'https://client.example/cb',
      scopes: 'api',
    });
    expect([application.status, Object.keys(application.body.message)]).toEqual([400, ['name']]);
  });

  test('a name in any script is accepted, also right to left and with joined signs', async () => {
    const user = await someone();
    for (const name of ['مريم', 'שרה', '田中', 'Zoë 👩‍👩‍👧'])
      expect((await asRoot('PUT', `/users/${user.id}`, { name })).body.name).toBe(name);
  });
  test('accepts only an own address as the public one', async () => {
    const user = await someone();
    expect((await asRoot('PUT', `/users/${user.id}`, { public_email: 'else@example.com' })).body).toEqual({
      message: { public_email: ['is not an email you own'] },
    });
    expect((await asRoot('PUT', `/users/${user.id}`, { public_email: user.email })).body.public_email).toBe(user.email);
    // The refused request changes nothing.
    const [{ id } = { id: 0 }] = await gateway.sql<{ id: number }>('select id from emails where primary_of = $1', [
      user.id,
    ]);
    expect((await asRoot('DELETE', `/users/${user.id}/emails/${id}`)).status).toBe(400);
    expect((await asRoot('GET', `/users/${user.id}`)).body.public_email).toBe(user.email);
    expect((await asRoot('PUT', `/users/${user.id}`, { public_email: '' })).body.public_email).toBe('');
  });
  test('a new account shows its address publicly only if it is verified', async () => {
    const username = newName();
    const email = `${username}@example.com`;
    const make = (json: object) =>
      asRoot('POST', '/users', { username, email, name: 'New', force_random_password: true, ...json });
    const refused = { status: 400, body: { message: { public_email: ['is not an email you own'] } } };
    expect(await make({ public_email: email })).toMatchObject(refused);
    expect(await make({ public_email: 'else@example.com', skip_confirmation: true })).toMatchObject(refused);
    expect(await make({ public_email: email.toUpperCase(), skip_confirmation: true })).toMatchObject({
      status: 201,
      body: { public_email: email },
    });
  });
});

describe('addresses', () => {
  test('are added, listed and removed, except the primary one', async () => {
    const user = await someone();
    const path = `/users/${user.id}/emails`;
    const added = await asRoot('POST', path, { email: `Second-${user.email}`, skip_confirmation: true });
    expect([added.status, added.body]).toEqual([
      201,
      { id: expect.any(Number), email: `second-${user.email}`, confirmed_at: expect.any(String) },
    ]);
    expect((await asRoot('GET', path)).body).toEqual([added.body]);
    const again = await asRoot('POST', path, { email: user.email });
    expect([again.status, again.body]).toEqual([400, { message: { email: ['has already been taken'] } }]);
    const [primary] = await gateway.sql<{ id: number }>('select id from emails where primary_of = $1', [
      Number(user.id),
    ]);
    expect((await asRoot('DELETE', `${path}/${primary!.id}`)).status).toBe(400);
    expect((await asRoot('DELETE', `${path}/${added.body.id}`)).status).toBe(204);
    expect((await asRoot('DELETE', `${path}/${added.body.id}`)).body).toEqual({ message: '404 Email Not Found' });
    expect((await asRoot('GET', path)).body).toEqual([]);
  });

  test('are for administrators, also one’s own', async () => {
    const [one, other] = [await someone(), await someone()];
    for (const { id } of [other, one])
      expect(await ask(one, 'GET', `/users/${id}/emails`)).toMatchObject({
        status: 403,
        body: { message: '403 Forbidden' },
      });
    expect((await ask(one, 'GET', '/users/999999/emails')).status).toBe(403);
    expect((await ask(one, 'GET', '/user/emails')).status).toBe(200);
    expect((await asRoot('GET', `/users/${one.id}/emails`)).status).toBe(200);
    expect(await asRoot('GET', '/users/999999/emails')).toMatchObject({
      status: 404,
      body: { message: '404 User Not Found' },
    });
  });
});

describe('blocking', () => {
  test('answers true, then null, and for unblocking true, then false', async () => {
    const user = await someone();
    const answers = [];
    for (const verb of ['block', 'block', 'unblock', 'unblock']) {
      const { status, text } = await asRoot('POST', `/users/${user.id}/${verb}`);
      answers.push([status, text]);
    }
    expect(answers).toEqual([
      [201, 'true'],
      [201, 'null'],
      [201, 'true'],
      [201, 'false'],
    ]);
  });

  test('takes effect at once, and unblocking a user who isn’t blocked ends nothing (rows 21 and 22)', async () => {
    const user = await someone();
    const oauth = await gateway.accessToken(user.username, ['api']);
    const byOauth = async () =>
      (await gateway.rest('GET', '/api/v4/user', { headers: { authorization: `Bearer ${oauth}` } })).status;
    await asRoot('POST', `/users/${user.id}/unblock`);
    expect([await statusOf(user.token), await byOauth()]).toEqual([200, 200]);
    await asRoot('POST', `/users/${user.id}/block`);
    const refused = await ask(user, 'GET', '/user');
    expect([refused.status, refused.body]).toEqual([
      403,
      { message: '403 Forbidden - Your account has been blocked.' },
    ]);
    expect(await byOauth()).toBe(401);
    await asRoot('POST', `/users/${user.id}/unblock`);
    expect([await statusOf(user.token), await byOauth()]).toEqual([200, 401]);
  });

  test('isn’t for oneself, and the old way is gone', async () => {
    const self = (await asRoot('GET', '/user')).body.id;
    const { status, body } = await asRoot('POST', `/users/${self}/block`);
    expect([status, body]).toEqual([
      403,
      { message: '403 Forbidden - The API initiating user cannot be blocked by the API' },
    ]);
    expect((await asRoot('PUT', `/users/${self}/block`)).status).toBe(405);
    expect((await asRoot('POST', '/users/999999/block')).body).toEqual({ message: '404 User Not Found' });
  });
});

describe('removing', () => {
  const ownProjects = async (user: TestUser, many: number) =>
    gateway.sql(
      `with p as (
         insert into projects (namespace_id, path, name, full_path)
         select n.id, 'p' || i, 'P' || i, n.full_path || '/p' || i from namespaces n, generate_series(1, $2::int) i where n.owner_id = $1 returning id, full_path
       ) insert into routes (path, project_id) select full_path, id from p`,
      [Number(user.id), many],
    );
  const left = async ({ id, username }: TestUser) =>
    (
      await gateway.sql<{ users: number; routes: number; emails: number; tokens: number }>(
        `select (select count(*)::int from users where id = $1) as users, (select count(*)::int from routes where path like $2 || '%') as routes,
              (select count(*)::int from emails where user_id = $1) as emails, (select count(*)::int from personal_access_tokens where user_id = $1) as tokens`,
        [Number(id), username],
      )
    )[0];
  const nothing = { users: 0, routes: 0, emails: 0, tokens: 0 };

  test('answers 204 for a small account, and frees the name', async () => {
    const user = await someone();
    await ownProjects(user, 3);
    const [project] = await gateway.sql<{ id: number }>(`select id from projects where full_path = 'demo/storefront'`);
    await gateway.sql('insert into stars (user_id, project_id) values ($1, $2)', [Number(user.id), project!.id]);
    await gateway.sql('update projects set star_count = star_count + 1 where id = $1', [project!.id]);
    const { status, text } = await asRoot('DELETE', `/users/${user.id}`);
    expect([status, text]).toEqual([204, '']);
    expect(await left(user)).toEqual(nothing);
    expect(await gateway.sql('select star_count from projects where id = $1', [project!.id])).toEqual([
      { star_count: 0 },
    ]);
    expect(await statusOf(user.token)).toBe(401);
    expect((await asRoot('DELETE', `/users/${user.id}`)).body).toEqual({ message: '404 User Not Found' });
    await newUser(gateway, user.username);
  });

  test('answers 202 for a large account: it disappears at once, and its data is removed in the background', async () => {
    const user = await someone();
    await ownProjects(user, 3);
    await gateway.sql(
      `insert into project_notification_settings (user_id, project_id) select $1, id from projects on conflict do nothing`,
      [Number(user.id)],
    );
    // More sessions than one request removes.
    await gateway.sql(
      `insert into sessions (user_id, digest, address, user_agent, authenticated_at, valid_at)
       select $1, decode(md5('removed ' || i), 'hex'), '', '', now(), now() from generate_series(1, 21000) i`,
      [Number(user.id)],
    );
    const { status, body } = await asRoot('DELETE', `/users/${user.id}`);
    expect([status, body]).toEqual([202, { message: '202 Accepted' }]);
    expect((await left(user))!.users).toBe(1);
    expect(await statusOf(user.token)).toBe(401);
    expect((await asRoot('GET', `/users/${user.id}`)).status).toBe(404);
    expect(
      (await gateway.rest('GET', '/api/v4/users', { token: root, query: { username: user.username } })).body,
    ).toEqual([]);
    // Other processes finish what a stopped one left over; two at once do no harm.
    const { database } = gateway.gateway.application;
    await Promise.all([removeMarkedUsers(database), removeMarkedUsers(database)]);
    await vi.waitFor(async () => {
      await removeMarkedUsers(database);
      expect(await left(user)).toEqual(nothing);
    }, 20_000);
  });

  test('a group without another owner blocks it, unless the group is deleted too', async () => {
    const [user, other] = [await someone(), await someone()];
    const path = `sole-${user.id}`;
    await newGroup(gateway, { path, visibility: 'PRIVATE' });
    await newProject(gateway, { group: path, path: 'inside', visibility: 'PRIVATE' });
    await addMember(gateway, user, 'OWNER', { group: path });
    await addMember(gateway, other, 'MAINTAINER', { group: path });
    const refused = await asRoot('DELETE', `/users/${user.id}`);
    expect([refused.status, refused.body]).toEqual([
      409,
      { message: 'User cannot be removed while is the sole-owner of a group' },
    ]);
    expect(await statusOf(user.token)).toBe(200);
    expect((await asRoot('DELETE', `/users/${user.id}?hard_delete=true`)).status).toBe(204);
    const [marked] = await gateway.sql<{ marked: boolean }>(
      `select bool_and(deleting_since is not null) as marked from (
         select deleting_since from namespaces where full_path = $1 union all select deleting_since from projects where full_path like $1 || '/%') places`,
      [path],
    );
    expect(marked!.marked ?? true).toBe(true);
  });

  test('a group made meanwhile is either deleted with its owner or not made', async () => {
    for (let round = 0; round < 5; round++) {
      const user = await someone();
      const groups = Array.from({ length: 4 }, (_, number) =>
        ask(user, 'POST', '/groups', { name: 'x', path: `late-${user.id}-${number}` }),
      );
      await Promise.all([...groups, asRoot('DELETE', `/users/${user.id}?hard_delete=true`)]);
      const unowned = await gateway.sql(
        `select n.full_path from namespaces n where n.full_path like 'late-' || $1 || '-%' and n.deleting_since is null
            and not exists (select 1 from group_members m where m.group_id = n.id)`,
        [user.id],
      );
      expect(unowned).toEqual([]);
    }
  });

  test('of two last owners at once, one stays', async () => {
    const owners = [await someone(), await someone()];
    const path = `two-${owners[0]!.id}`;
    await newGroup(gateway, { path, visibility: 'PRIVATE' });
    for (const owner of owners) await addMember(gateway, owner, 'OWNER', { group: path });
    const statuses = (await Promise.all(owners.map(({ id }) => asRoot('DELETE', `/users/${id}`)))).map(
      ({ status }) => status,
    );
    expect(statuses.sort()).toEqual([204, 409]);
  });

  test('is refused if the account was changed since the client read it', async () => {
    const user = await someone();
    const remove = (moment: Date) =>
      gateway.rest('DELETE', `/api/v4/users/${user.id}`, {
        token: root,
        headers: { 'if-unmodified-since': moment.toUTCString() },
      });
    const { status, body } = await remove(new Date(Date.now() - 3_600_000));
    expect([status, body]).toEqual([412, { message: '412 Precondition Failed' }]);
    expect((await remove(new Date(Date.now() + 3_600_000))).status).toBe(204);
  });

  test('isn’t for oneself', async () => {
    const self = (await asRoot('GET', '/user')).body.id;
    expect((await asRoot('DELETE', `/users/${self}`)).status).toBe(403);
  });
});

describe('permissions', () => {
  const routes: [method: string, path: string, json?: object][] = [
    ['POST', '/users', { email: 'x@example.com', name: 'X', username: 'not-made', force_random_password: true }],
    ['PUT', '/users/2', { name: 'X' }],
    ['DELETE', '/users/2'],
    ['POST', '/users/2/block'],
    ['POST', '/users/2/unblock'],
    ['POST', '/users/2/emails', { email: 'x@example.com' }],
    ['DELETE', '/users/2/emails/1'],
  ];

  test.each(routes)(
    '%s %s is for administrators with a personal token, and changes nothing for others',
    async (method, path, json) => {
      const credentials = {
        'an anonymous request': [undefined, 401],
        'a person': [gateway.tokens.maintainer, 403],
        'a reading token of an administrator': [
          await gateway.personalToken('root', ['read_api', 'read_user', 'sudo']),
          403,
        ],
        'an OAuth token of an administrator': [await gateway.accessToken('root', ['api', 'sudo']), 403],
        'an application for itself': [await gateway.accessToken(null, ['api']), 403],
      } as const;
      const count = () =>
        gateway.sql(
          'select (select count(*) from users) u, (select count(*) from emails) e, (select max(updated_at) from users) t',
        );
      const before = await count();
      for (const [who, [token, expected]] of Object.entries(credentials)) {
        const { status } = await gateway.rest(method, `/api/v4${path}`, {
          ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
          ...(json && { json }),
        });
        expect([who, status]).toEqual([who, expected]);
      }
      expect(await count()).toEqual(before);
    },
  );
});

test('gitbeaker manages accounts', async () => {
  const { Users, UserEmails } = new Gitlab({ host: gateway.url, token: root }) as unknown as Record<
    string,
    Record<string, (...parameters: unknown[]) => Promise<never>>
  >;
  const username = newName();
  const created = (await Users!.create!({
    email: `${username}@example.com`,
    name: 'Made by gitbeaker',
    username,
    forceRandomPassword: true,
    skipConfirmation: true,
  })) as { id: number };
  expect(await Users!.show!(created.id)).toMatchObject({ username, name: 'Made by gitbeaker' });
  expect(await Users!.all!({ username })).toMatchObject([{ id: created.id }]);
  expect(await Users!.edit!(created.id, { name: 'Changed by gitbeaker' })).toMatchObject({
    name: 'Changed by gitbeaker',
  });
  expect(
    await UserEmails!.add!(`further-${username}@example.com`, { userId: created.id, skipConfirmation: true }),
  ).toMatchObject({ email: `further-${username}@example.com` });
  expect(await UserEmails!.all!({ userId: created.id })).toHaveLength(1);
  expect(await Users!.block!(created.id)).toBe(true);
  expect(await Users!.unblock!(created.id)).toBe(true);
  await Users!.remove!(created.id);
  expect(await Users!.all!({ username })).toEqual([]);
});
