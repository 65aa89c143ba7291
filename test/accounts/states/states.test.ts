import { beforeAll, describe, expect, test } from 'vitest';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import { newUser, type TestUser } from '../../support/places/people.ts';
import { basic, registerInstanceApplication, signIn, somewhere, token } from '../../support/oauth/oauth.ts';

/** The states of people: the calls that change them, from every state, and what each state lets a person do. */

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await testGateway();
});

let made = 0;
const someone = () => newUser(gateway, `stated-${made++}`);
const asRoot = (method: string, path: string, json?: object) =>
  gateway.rest(method, `/api/v4${path}`, { token: gateway.tokens.root, ...(json && { json }) });
const stateOf = async (id: string) => ((await asRoot('GET', `/users/${id}`)).body as { state: string }).state;

const states = ['active', 'blocked', 'deactivated', 'blocked_pending_approval', 'banned'] as const;
type State = (typeof states)[number];

/** Puts a person into a state. Nobody signs up here, so the database says who waits for approval. */
async function put({ id }: TestUser, state: State): Promise<void> {
  if (state === 'blocked') await asRoot('POST', `/users/${id}/block`);
  if (state === 'deactivated') await asRoot('POST', `/users/${id}/deactivate`);
  if (state === 'banned') await asRoot('POST', `/users/${id}/ban`);
  if (state === 'blocked_pending_approval')
    await gateway.sql(`update users set state = 'BLOCKED', blocked_as = 'BLOCKED_PENDING_APPROVAL' where id = $1`, [
      Number(id),
    ]);
  expect(await stateOf(id)).toBe(state);
}

const plain = (message: string) => [403, { message }] as const;
const forbidden = (reason: string) => plain(`403 Forbidden - ${reason}`);
const conflict = (message: string) => [409, { message }] as const;
const cannot = (verb: string) => (state: State) => plain(`You cannot ${verb} ${state} users.`);
const notDeactivated = plain('Error occurred. A blocked user cannot be deactivated');
const notActivated = forbidden('A blocked user must be unblocked to be activated');
const notPending = conflict('The user you are trying to approve is not pending approval');
const noRequest = conflict('User does not have a pending request');
const success = { message: 'Success' };

type Answer = readonly [status: number, body: unknown, next?: State | 'gone'];
/** The answer to each call in each state, in the order of `states`, and the next state if the call changes it. */
const matrix: Readonly<Record<string, readonly (Answer | ((state: State) => Answer))[]>> = {
  block: [
    [201, true, 'blocked'],
    [201, null],
    [201, true, 'blocked'],
    [201, null],
    [201, null],
  ],
  unblock: [
    [201, false],
    [201, true, 'active'],
    forbidden('Deactivated users cannot be unblocked by the API'),
    [201, true, 'active'],
    [201, true, 'active'],
  ],
  deactivate: [[201, true, 'deactivated'], notDeactivated, [201, null], notDeactivated, notDeactivated],
  activate: [[201, false], notActivated, [201, true, 'active'], notActivated, notActivated],
  ban: [[201, true, 'banned'], cannot('ban'), cannot('ban'), cannot('ban'), cannot('ban')],
  unban: [cannot('unban'), cannot('unban'), cannot('unban'), cannot('unban'), [201, true, 'active']],
  approve: [notPending, notPending, notPending, [201, success, 'active'], notPending],
  reject: [noRequest, noRequest, noRequest, [200, success, 'gone'], noRequest],
};

describe.each(Object.entries(matrix))('%s', (verb, answers) => {
  test.each(states.map((state, index) => [state, answers[index]!] as const))('%s', async (state, given) => {
    const user = await someone();
    await put(user, state);
    const [status, body, next = state] = typeof given === 'function' ? given(state) : given;
    const answer = await asRoot('POST', `/users/${user.id}/${verb}`);
    expect([answer.status, answer.body]).toEqual([status, body]);
    if (next === 'gone') expect((await asRoot('GET', `/users/${user.id}`)).status).toBe(404);
    else expect(await stateOf(user.id)).toBe(next);
    // Credentials work in one state only.
    const own = await gateway.rest('GET', '/api/v4/user', { token: user.token });
    expect(own.status).toBe(next === 'active' ? 200 : next === 'gone' ? 401 : 403);
  });

  test('is for administrators, needs somebody, and is a POST', async () => {
    const user = await someone();
    const others = { approve: 'You are not allowed to approve a user', reject: 'You are not allowed to reject a user' };
    const refused = await gateway.rest('POST', `/api/v4/users/1/${verb}`, { token: user.token });
    expect([refused.status, refused.body]).toEqual(plain(others[verb as 'approve'] ?? '403 Forbidden'));
    const missing = await asRoot('POST', `/users/999999/${verb}`);
    expect([missing.status, missing.body]).toEqual([404, { message: '404 User Not Found' }]);
    expect((await asRoot('PUT', `/users/${user.id}/${verb}`)).status).toBe(405);
  });
});

test('administrators can’t block or ban themselves', async () => {
  for (const [verb, word] of [
    ['block', 'blocked'],
    ['ban', 'banned'],
  ] as const) {
    const { status, body } = await asRoot('POST', `/users/1/${verb}`);
    expect([status, body]).toEqual(forbidden(`The API initiating user cannot be ${word} by the API`));
  }
});

test('the account of what removed people wrote stays as it is, and isn’t among humans', async () => {
  const ghost = await someone();
  // As it is made when it is needed.
  await gateway.sql(`update users set state = 'BLOCKED', attributes = '{"ghost": true}' where id = $1`, [
    Number(ghost.id),
  ]);
  const post = async (verb: string) => {
    const { status, body } = await asRoot('POST', `/users/${ghost.id}/${verb}`);
    return [status, body];
  };
  expect(await post('block')).toEqual(plain('An internal user cannot be blocked'));
  expect(await post('deactivate')).toEqual(plain('Internal users cannot be deactivated'));
  expect(await post('ban')).toEqual(plain('An internal user cannot be banned'));
  expect(await post('unblock')).toEqual(plain('An internal user cannot be unblocked'));
  expect(await post('activate')).toEqual(plain('Internal users cannot be activated'));
  const changed = await asRoot('PUT', `/users/${ghost.id}`, { name: 'Poltergeist' });
  expect([changed.status, changed.body]).toEqual(plain('Internal users cannot be changed'));
  expect(await stateOf(ghost.id)).toBe('blocked');
  const listed = async (filter: string) =>
    ((await asRoot('GET', `/users?username=${ghost.username}${filter}`)).body as unknown[]).length;
  for (const without of ['humans', 'exclude_internal']) {
    expect(await listed(`&${without}=true`)).toBe(0);
    expect(await listed(`&${without}=false`)).toBe(1);
  }
  const person = await someone();
  expect((await asRoot('GET', `/users?username=${person.username}&humans=true`)).body).toHaveLength(1);
  expect(await listed('&exclude_humans=true')).toBe(1);
  expect((await asRoot('GET', `/users?username=${person.username}&exclude_humans=true`)).body).toEqual([]);
  for (const filter of ['exclude_humans=true&humans=true', 'exclude_humans=true&exclude_internal=true'])
    expect((await asRoot('GET', `/users?${filter}`)).body).toEqual([]);
});

describe('people who did something lately', () => {
  const tooActive = plain(
    'The user you are trying to deactivate has been active in the past 90 days and cannot be deactivated',
  );
  test('can’t be deactivated', async () => {
    const user = await someone();
    await gateway.rest('GET', '/api/v4/user', { token: user.token });
    const today = new Date().toISOString().slice(0, 10);
    expect((await asRoot('GET', `/users/${user.id}`)).body.last_activity_on).toBe(today);
    const refused = await asRoot('POST', `/users/${user.id}/deactivate`);
    expect([refused.status, refused.body]).toEqual(tooActive);
    await gateway.sql(
      `update personal_access_tokens set last_used_at = now() - interval '91 days' where user_id = $1`,
      [Number(user.id)],
    );
    expect((await asRoot('POST', `/users/${user.id}/deactivate`)).body).toBe(true);
  });
});

describe('the doors', () => {
  const password = 'sailing by the moon';
  const password403: Readonly<Record<Exclude<State, 'active'>, string>> = {
    blocked: 'Your account has been blocked.',
    banned: 'Your account has been blocked.',
    deactivated:
      'Your account has been deactivated by your administrator. Please log back in from a web browser to reactivate your account.',
    blocked_pending_approval: 'Your account is pending approval from your administrator and hence blocked.',
  };

  test.each(states.filter((state) => state !== 'active'))('%s people are refused at each', async (state) => {
    const user = await someone();
    await asRoot('PUT', `/users/${user.id}`, { password });
    const application = await registerInstanceApplication(gateway);
    await put(user, state);
    const rest = await gateway.rest('GET', '/api/v4/user', { token: user.token });
    expect([rest.status, rest.body]).toEqual(forbidden(password403[state]));
    const { errors } = await gateway.graphql('{ currentUser { username } }', { token: user.token });
    expect(errors?.[0]?.message).toBe(password403[state]);
    const sudo = await gateway.rest('GET', `/api/v4/user?sudo=${user.username}`, {
      token: await gateway.personalToken('root', ['api', 'sudo']),
    });
    expect(sudo.status).toBe(403);
    const form = { grant_type: 'password', username: user.username, password, scope: 'api' };
    const granted = await token(gateway, form, basic(application));
    expect([granted.status, granted.body.error]).toEqual([400, 'invalid_grant']);
    if (state !== 'deactivated')
      await expect(signIn(gateway, user.username, password)).rejects.toThrow('Name or password is wrong.');
    expect(await stateOf(user.id)).toBe(state);
  });

  test('deactivated people come back by signing in', async () => {
    const user = await someone();
    await asRoot('PUT', `/users/${user.id}`, { password });
    await put(user, 'deactivated');
    await expect(signIn(gateway, user.username, 'something else')).rejects.toThrow();
    expect(await stateOf(user.id)).toBe('deactivated');
    await signIn(gateway, user.username, password);
    expect((await asRoot('GET', `/users/${user.id}`)).body).toMatchObject({
      state: 'active',
      sign_in_count: 1,
      current_sign_in_at: expect.any(String),
      current_sign_in_ip: '198.51.100.1',
    });
    expect((await gateway.rest('GET', '/api/v4/user', { token: user.token })).status).toBe(200);
    const events = await gateway.sql<{ kind: string }>('select kind from audit_events where user_id = $1 order by id', [
      Number(user.id),
    ]);
    expect(events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['user_deactivated', 'user_activated']));
  });

  test('a sign-in keeps the time and the address of the one before', async () => {
    const { id, username } = await someone();
    await asRoot('PUT', `/users/${id}`, { password });
    const read = async () => (await asRoot('GET', `/users/${id}`)).body as Record<string, string>;
    expect(await read()).toMatchObject({ sign_in_count: 0, last_sign_in_at: null, current_sign_in_ip: null });
    await signIn(gateway, username, password);
    const first = await read();
    expect(first.last_sign_in_at).toBe(first.current_sign_in_at);
    await signIn(gateway, username, password, { ...somewhere, address: '203.0.113.9' });
    expect(await read()).toMatchObject({
      sign_in_count: 2,
      last_sign_in_at: first.current_sign_in_at,
      last_sign_in_ip: somewhere.address,
      current_sign_in_ip: '203.0.113.9',
    });
  });
});

describe('lists', () => {
  test('show blocked and banned people to administrators only, and filter by state', async () => {
    const people = new Map<State, TestUser>();
    for (const state of states) {
      const user = await someone();
      await put(user, state);
      people.set(state, user);
    }
    const listed = async (filter: string, by = gateway.tokens.root) => {
      const { body } = await gateway.rest('GET', `/api/v4/users?per_page=100&${filter}`, { token: by });
      const names = (body as { username: string }[]).map(({ username }) => username);
      return states.filter((state) => names.includes(people.get(state)!.username));
    };
    expect(await listed('')).toEqual(states);
    expect(await listed('active=true')).toEqual(['active']);
    expect(await listed('blocked=true')).toEqual(['blocked']);
    expect(await listed('exclude_active=true')).toEqual(states.slice(1));
    for (const ignored of ['active=false', 'blocked=false', 'exclude_active=false', 'humans=false'])
      expect(await listed(ignored)).toEqual(states);
    const seen = ['active', 'deactivated', 'blocked_pending_approval'];
    expect(await listed('', gateway.tokens.guest)).toEqual(seen);
    expect(await listed('exclude_active=true', gateway.tokens.guest)).toEqual(seen.slice(1));
    const { username } = people.get('banned')!;
    expect((await gateway.rest('GET', `/api/v4/users?username=${username}`)).body).toEqual([]);
    const { data } = await gateway.graphql<{ users: { nodes: object[] } }>(
      'query ($usernames: [String!]) { users(usernames: $usernames) { nodes { username state active } } }',
      { token: gateway.tokens.root, variables: { usernames: [username] } },
    );
    expect(data!.users.nodes).toEqual([{ username, state: 'banned', active: false }]);
  });
});
