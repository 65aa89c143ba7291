import { randomUUID } from 'node:crypto';
import { Argon2id } from 'oslo/password';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import {
  account,
  asPage,
  basic,
  inBody,
  post,
  refreshForm,
  refusalOf,
  registerApplication,
  registerInstanceApplication,
  signIn,
  statusOf,
  tokensFor,
  tokensOf,
  type Account,
  type Form,
  type RegisteredApplication,
} from '../../support/oauth/oauth.ts';
import type { RestAnswer, RestRequest } from '../../support/requests/rest-client.ts';
import { statementsOf } from '../../support/databases/statements.ts';
import {
  elsewhere,
  from,
  makeWorld,
  refusal,
  statusAndBody,
  unauthenticated,
  type World,
} from '../../support/oauth/token-endpoint.ts';

describe('the password grant (RFC 6749 §4.3)', () => {
  let world: World;
  let user: Account;
  beforeAll(async () => {
    world = await makeWorld({});
    user = await account(world.gateway, 'somebody');
  });

  const passwordForm = ({ username, password }: { username: string; password: string } = user): Form => ({
    grant_type: 'password',
    username,
    password,
  });
  const ask = (form: Form, request: RestRequest = {}) => world.ask({ ...form, ...inBody(world.confidential) }, request);

  test('answers like the code flow, and the token is the person’s', async () => {
    const { status, body } = await ask(passwordForm());
    expect([status, Object.keys(body)]).toEqual([
      200,
      ['access_token', 'token_type', 'expires_in', 'refresh_token', 'scope', 'created_at'],
    ]);
    const { body: person } = await world.gateway.rest('GET', '/api/v4/user', {
      headers: { authorization: `Bearer ${body.access_token}` },
    });
    expect(person.username).toBe('somebody');
  });

  test('takes HTTP Basic, as the interface shows', async () => {
    expect((await world.ask(passwordForm(), basic(world.confidential))).status).toBe(200);
  });

  test('takes the address for the name, and both in any case', async () => {
    for (const username of ['SOMEBODY', user.email, user.email.toUpperCase(), ` ${user.username} `]) {
      expect([username, (await ask({ ...passwordForm(), username })).status]).toEqual([username, 200]);
    }
  });

  test('the default scope is api', async () => {
    expect((await ask(passwordForm())).body.scope).toBe('api');
    expect((await ask({ ...passwordForm(), scope: '' })).body.scope).toBe('api');
  });

  test('the default scope lies within the application’s; nothing left is invalid_scope, never a token without scope', async () => {
    const narrow = await registerApplication(world.person, { scopes: ['read_user', 'profile'] });
    expect(statusAndBody(await world.ask({ ...passwordForm(), ...inBody(narrow) }))).toEqual(refusal('invalid_scope'));
    expect((await world.ask({ ...passwordForm(), scope: 'profile', ...inBody(narrow) })).body.scope).toBe('profile');
  });

  test('“wrong”, “unknown”, “missing” and “not allowed” are one answer (R7)', async () => {
    const blocked = await account(world.gateway, 'blocked-one');
    await world.gateway.sql(`update users set state = 'BLOCKED' where id = $1`, [blocked.id]);
    const unconfirmed = await account(world.gateway, 'unconfirmed-one', { emailVerified: false });
    await account(world.gateway, 'bare-account');
    await world.gateway.sql(`update users set password_hash = null where username = 'bare-account'`);
    const forms: Form[] = [
      { ...passwordForm(), password: 'wrong' },
      { ...passwordForm(), username: 'nobody-at-all' },
      { ...passwordForm(), password: '' },
      { ...passwordForm(), username: '' },
      { grant_type: 'password' },
      { ...passwordForm(), password: user.password.toUpperCase() },
      { ...passwordForm(), password: `${user.password} ` },
      { ...passwordForm(), password: 'x'.repeat(500_000) },
      { ...passwordForm(), username: 'x'.repeat(500_000) },
      passwordForm(blocked),
      passwordForm(unconfirmed),
      passwordForm({ username: unconfirmed.email, password: unconfirmed.password }),
      passwordForm({ username: 'bare-account', password: '' }),
      // A group has a path like a person, and no password.
      passwordForm({ username: 'demo', password: user.password }),
    ];
    for (const form of forms) expect(statusAndBody(await ask(form))).toEqual(refusal('invalid_grant'));
  });

  test('an unknown name, a blocked account and a wrong password cost the same statements and one verification each', async () => {
    const verify = vi.spyOn(Argon2id.prototype, 'verify');
    const work = async (form: Form, address: string) => {
      verify.mockClear();
      const statements = await statementsOf(() => ask(form, from(address)));
      return {
        verifications: verify.mock.calls.length,
        statements: statements.filter((text) => !text.includes('skip locked')),
      };
    };
    const wrong = await work({ ...passwordForm(), password: 'wrong' }, elsewhere());
    expect(wrong.verifications).toBe(1);
    expect(await work({ ...passwordForm(), username: 'nobody-at-all' }, elsewhere())).toEqual(wrong);
    expect(
      await work({ ...passwordForm(), username: 'blocked-one', password: 'password of blocked-one' }, elsewhere()),
    ).toEqual(wrong);
    expect(
      await work(
        { ...passwordForm(), username: 'unconfirmed-one', password: 'password of unconfirmed-one' },
        elsewhere(),
      ),
    ).toEqual(wrong);
    verify.mockRestore();
  });

  test('a public application is refused while the password grant needs a client', async () => {
    const open = await registerApplication(world.person, { confidential: false, grants: ['password'] });
    expect(statusAndBody(await world.ask({ ...passwordForm(), ...inBody(open) }))).toEqual(
      refusal('unauthorized_client'),
    );
  });

  test('without any client it is refused', async () => {
    expect(statusAndBody(await world.ask(passwordForm()))).toEqual(unauthenticated);
  });

  test('an application that didn’t register it may not use it', async () => {
    const application = await registerApplication(world.person, { grants: ['authorization_code'] });
    expect(statusAndBody(await world.ask({ ...passwordForm(), ...inBody(application) }))).toEqual(
      refusal('unauthorized_client'),
    );
  });
});

describe('the password grant in the profile strict', () => {
  test('is unsupported, with a client, without one, and whatever the switch says (RFC 9700 §2.4)', async () => {
    const world = await makeWorld({ CAUSEWAY_PROFILE: 'strict', CAUSEWAY_PASSWORD_GRANT_WITHOUT_CLIENT: 'on' });
    const form = { grant_type: 'password', username: 'person', password: 'password of person' };
    for (const client of [inBody(world.confidential), inBody(world.open), {}]) {
      expect(statusAndBody(await world.ask({ ...form, ...client } as Form))).toEqual(refusal('unsupported_grant_type'));
    }
    // A refresh without a client is a matter of the password grant too.
    expect(statusAndBody(await world.ask({ grant_type: 'refresh_token', refresh_token: 'x' }))).toEqual(
      unauthenticated,
    );
  });
});

describe('the password grant without a client, where it is switched on', () => {
  let world: World;
  let user: Account;
  beforeAll(async () => {
    world = await makeWorld({ CAUSEWAY_PASSWORD_GRANT_WITHOUT_CLIENT: 'on' });
    user = await account(world.gateway, 'somebody');
  });
  const form = (): Form => ({ grant_type: 'password', username: user.username, password: user.password });

  test('brings tokens of no application, which are refreshed and revoked without one', async () => {
    const tokens = tokensOf(await world.ask(form()));
    const info = await world.gateway.rest('GET', '/oauth/token/info', {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    expect(info.body.application).toEqual({ uid: null });
    const next = tokensOf(await world.ask({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token }));
    expect(next.refresh_token).not.toBe(tokens.refresh_token);
    expect((await post(world.gateway, '/oauth/revoke', { token: next.access_token })).status).toBe(200);
    expect(await statusOf(world.gateway, next.access_token)).toBe(401);
    expect(statusAndBody(await world.ask({ grant_type: 'refresh_token', refresh_token: next.refresh_token }))).toEqual(
      refusal('invalid_grant'),
    );
  });

  test('its tokens can’t be refreshed or revoked by an application', async () => {
    const tokens = tokensOf(await world.ask(form()));
    expect(statusAndBody(await world.ask(refreshForm(world.confidential, tokens.refresh_token)))).toEqual(
      refusal('invalid_grant'),
    );
    const revoked = await post(world.gateway, '/oauth/revoke', {
      token: tokens.access_token,
      ...inBody(world.confidential),
    });
    expect(refusalOf(revoked)).toEqual([403, 'unauthorized_client']);
    expect(await statusOf(world.gateway, tokens.access_token)).toBe(200);
  });

  test('the tokens of an application can’t be refreshed or revoked without it', async () => {
    const tokens = await tokensFor(world.person, world.confidential);
    expect(
      statusAndBody(await world.ask({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token })),
    ).toEqual(refusal('invalid_grant'));
    expect(refusalOf(await post(world.gateway, '/oauth/revoke', { token: tokens.access_token }))).toEqual([
      403,
      'unauthorized_client',
    ]);
    expect(await statusOf(world.gateway, tokens.access_token)).toBe(200);
  });

  test('never brings the scope sudo', async () => {
    expect(statusAndBody(await world.ask({ ...form(), scope: 'sudo' }))).toEqual(refusal('invalid_scope'));
    expect(statusAndBody(await world.ask({ ...form(), scope: 'api sudo' }))).toEqual(refusal('invalid_scope'));
    expect((await world.ask({ ...form(), scope: 'api read_user' })).body.scope).toBe('api read_user');
  });

  test('a public application may use it too', async () => {
    expect((await world.ask({ ...form(), ...inBody(world.open) })).status).toBe(200);
  });

  test('a wrong client is refused and never taken for none', async () => {
    expect(statusAndBody(await world.ask({ ...form(), client_id: 'nobody' }))).toEqual(unauthenticated);
    expect(statusAndBody(await world.ask({ ...form(), client_secret: 'x' }))).toEqual(unauthenticated);
    expect(statusAndBody(await world.ask(form(), { headers: { authorization: 'Basic !' } }))).toEqual(unauthenticated);
    expect(statusAndBody(await world.ask({ ...form(), client_id: world.confidential.clientId }))).toEqual(
      unauthenticated,
    );
  });
});

describe('failed password checks', () => {
  let world: World;
  let open: World;
  let ofInstance: RegisteredApplication;
  beforeAll(async () => {
    world = await makeWorld({});
    ofInstance = await registerInstanceApplication(world.gateway);
    // These requests have no person; only the connection shows where they come from.
    open = await makeWorld({ CAUSEWAY_PASSWORD_GRANT_WITHOUT_CLIENT: 'on', CAUSEWAY_TRUSTED_PROXIES: '' });
  });

  const guess = (user: { username: string }, password: string, address: string, application = ofInstance) =>
    world.ask({ grant_type: 'password', username: user.username, password, ...inBody(application) }, from(address));
  const guesses = async (times: number, user: { username: string }, address: string) => {
    const answers = await Promise.all(
      Array.from({ length: times }, (_one, index) => guess(user, `wrong ${index}`, address)),
    );
    return answers.map(({ status }) => status);
  };
  const always = (status: number, times: number) => Array.from({ length: times }, () => status);
  const throttled = (answer: RestAnswer) => {
    expect(statusAndBody(answer)).toEqual([
      429,
      { error: 'temporarily_unavailable', error_description: 'Too many failed attempts. Try again later.' },
    ]);
    const seconds = Number(answer.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(600);
  };
  const newUser = () => account(world.gateway, `user-${randomUUID()}`);
  const laterBy = (seconds: number) =>
    world.gateway.sql('update attempt_counters set started_at = started_at - make_interval(secs => $1)', [seconds]);

  test('after 10 for an account from one address the right password is refused too, and works from another', async () => {
    const user = await newUser();
    const address = elsewhere();
    expect(await guesses(10, user, address)).toEqual(always(400, 10));
    const verify = vi.spyOn(Argon2id.prototype, 'verify');
    throttled(await guess(user, 'wrong', address));
    throttled(await guess(user, user.password, address));
    expect(verify).not.toHaveBeenCalled();
    expect((await guess(user, user.password, elsewhere())).status).toBe(200);
    expect(verify).toHaveBeenCalledOnce();
    verify.mockRestore();
    await laterBy(590);
    throttled(await guess(user, user.password, address));
    await laterBy(10);
    expect((await guess(user, user.password, address)).status).toBe(200);
  });

  test('at once: of 25 guesses no more than 10 are evaluated', async () => {
    const user = await newUser();
    const statuses = await guesses(25, user, elsewhere());
    expect(statuses.filter((status) => status === 400)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(15);
  });

  test('guesses for every name of one person count together, in upper or lower case', async () => {
    const user = await newUser();
    const address = elsewhere();
    expect(await guesses(4, user, address)).toEqual(always(400, 4));
    expect(await guesses(3, { username: user.email }, address)).toEqual(always(400, 3));
    expect(await guesses(3, { username: user.email.toUpperCase() }, address)).toEqual(always(400, 3));
    for (const username of [user.username, user.username.toUpperCase(), user.email, ` ${user.email}`]) {
      throttled(await guess({ username }, user.password, address));
    }
  });

  test('guesses for an unknown name count in the same way', async () => {
    const nobody = { username: `nobody-${randomUUID()}` };
    const address = elsewhere();
    expect(await guesses(10, nobody, address)).toEqual(always(400, 10));
    throttled(await guess(nobody, 'wrong', address));
    throttled(await guess({ username: nobody.username.toUpperCase() }, 'wrong', address));
    expect((await guess(nobody, 'wrong', elsewhere())).status).toBe(400);
  });

  test('a success doesn’t count, and takes nothing back', async () => {
    const user = await newUser();
    const address = elsewhere();
    expect(await guesses(9, user, address)).toEqual(always(400, 9));
    for (let time = 0; time < 3; time++) expect((await guess(user, user.password, address)).status).toBe(200);
    expect(await guesses(1, user, address)).toEqual([400]);
    throttled(await guess(user, user.password, address));
  });

  test('what is refused unseen isn’t counted', async () => {
    const user = await newUser();
    const address = elsewhere();
    await guesses(10, user, address);
    for (let time = 0; time < 5; time++) throttled(await guess(user, 'wrong', address));
    const counts = await world.gateway.sql<{ key: string; count: number }>(
      'select key, count from attempt_counters where key like $1',
      [`%user ${user.id}%`],
    );
    expect(counts.map(({ count }) => count)).toEqual(always(10, counts.length));
    expect(counts.length).toBeGreaterThan(0);
  });

  test('after 50 for an account, from wherever, only a place it knows is evaluated', async () => {
    const user = await newUser();
    const known = elsewhere();
    expect((await guess(user, user.password, known)).status).toBe(200);
    for (let time = 0; time < 5; time++) expect(await guesses(10, user, elsewhere())).toEqual(always(400, 10));
    throttled(await guess(user, user.password, elsewhere()));
    throttled(await guess({ username: user.email }, user.password, elsewhere()));
    expect((await guess(user, user.password, known)).status).toBe(200);
    // Known for thirty days.
    await world.gateway.sql(
      `update known_places set last_at = now() - interval '30 days 1 minute' where user_id = $1`,
      [user.id],
    );
    throttled(await guess(user, user.password, known));
    await laterBy(600);
    expect((await guess(user, user.password, elsewhere())).status).toBe(200);
  });

  test('a known browser is evaluated beyond the 50 too, from any address', async () => {
    const user = await newUser();
    const signInWith = (browser: string | null, address: string) =>
      asPage<{ signIn: { session: string } }>(
        world.gateway,
        null,
        'mutation ($input: SignInInput!) { signIn(input: $input) { session } }',
        { input: { login: user.username, password: user.password, browser, userAgent: 'a browser' } },
        { address, requestId: 'a-test' },
      );
    await signInWith('this browser', elsewhere());
    for (let time = 0; time < 5; time++) await guesses(10, user, elsewhere());
    await expect(signInWith(null, elsewhere())).rejects.toMatchObject({ error: 'temporarily_unavailable' });
    await expect(signInWith('another browser', elsewhere())).rejects.toMatchObject({
      error: 'temporarily_unavailable',
    });
    expect((await signInWith('this browser', elsewhere())).signIn.session).toBeTruthy();
  });

  test('after 100 from an address nothing more of it is evaluated, but through an application of the instance', async () => {
    const user = await account(open.gateway, 'somebody');
    const client = inBody(await registerInstanceApplication(open.gateway));
    const ask = (form: Form, request: RestRequest = {}) =>
      open.ask({ grant_type: 'password', ...form } as Form, from('198.51.100.77', request));
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_one, index) =>
        ask({ username: `nobody-${index}`, password: 'wrong' }, from(elsewhere())),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(always(400, 100));
    const right = { username: user.username, password: user.password };
    throttled(await ask(right));
    throttled(await ask({ username: 'nobody', password: 'wrong' }));
    throttled(await ask({ ...right, ...inBody(open.open) }));
    throttled(await ask({ ...right, ...inBody(open.confidential) }));
    await expect(
      signIn(open.gateway, user.username, user.password, { address: '127.0.0.1', requestId: 'a-test' }),
    ).rejects.toMatchObject({
      error: 'temporarily_unavailable',
    });
    expect((await ask({ ...right, ...client })).status).toBe(200);
  });

  /** Brings a counter near its bound: each failure up to it costs a whole check. */
  const countUpTo = (count: number, key: string) =>
    world.gateway.sql('update attempt_counters set count = $1 where key = $2', [count, key]);

  test('guesses through applications of people count against the address, however many of them there are', async () => {
    const address = elsewhere();
    const applications = [world.confidential, await registerApplication(world.person)];
    expect((await guess({ username: 'made-up' }, 'wrong', address, world.confidential)).status).toBe(400);
    await countUpTo(90, `address ${address}`);
    const verify = vi.spyOn(Argon2id.prototype, 'verify');
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_one, index) =>
        guess({ username: `made-up-${index}` }, 'wrong', address, applications[index % 2]),
      ),
    );
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30);
    expect(verify).toHaveBeenCalledTimes(10);
    verify.mockRestore();
    // An application of the instance speaks for many people at one address.
    const user = await newUser();
    for (const application of applications) throttled(await guess(user, user.password, address, application));
    expect((await guess(user, user.password, address)).status).toBe(200);
  });

  test('after 100 through an application of a person, from wherever, nothing more of it is evaluated, and others are', async () => {
    const mine = await registerApplication(world.person);
    expect((await guess({ username: 'made-up' }, 'wrong', elsewhere(), mine)).status).toBe(400);
    await countUpTo(97, `application ${mine.id}`);
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_one, index) => guess({ username: `made-up-${index}` }, 'wrong', elsewhere(), mine)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...always(400, 3), ...always(429, 3)]);
    const user = await newUser();
    throttled(await guess(user, user.password, elsewhere(), mine));
    expect((await guess(user, user.password, elsewhere(), world.confidential)).status).toBe(200);
    await laterBy(600);
    expect((await guess(user, user.password, elsewhere(), mine)).status).toBe(200);
  });

  test('an address of IPv6 is its /64', async () => {
    const user = await newUser();
    expect(await guesses(5, user, '2001:db8:1:2::1')).toEqual(always(400, 5));
    expect(await guesses(5, user, '2001:db8:1:2:ffff:ffff:ffff:fffe')).toEqual(always(400, 5));
    throttled(await guess(user, user.password, '2001:DB8:1:2::abcd'));
    expect((await guess(user, user.password, '2001:db8:1:3::1')).status).toBe(200);
  });

  test('the sign-in page and the change of a password share the count', async () => {
    const user = await newUser();
    const address = elsewhere();
    const origin = { address, requestId: 'a-test' };
    const person = await signIn(world.gateway, user.username, user.password, origin);
    const change = (current: string) =>
      person.run(
        'mutation ($input: ChangePasswordInput!) { changePassword(input: $input) }',
        { input: { current, password: 'a new password' } },
        origin,
      );
    for (let time = 0; time < 4; time++) {
      await expect(signIn(world.gateway, user.username, 'wrong', origin)).rejects.toMatchObject({
        fields: { password: ['Name or password is wrong.'] },
      });
    }
    for (let time = 0; time < 3; time++)
      await expect(change('wrong')).rejects.toMatchObject({ fields: { current: ['is wrong'] } });
    expect(await guesses(3, user, address)).toEqual(always(400, 3));
    throttled(await guess(user, user.password, address));
    await expect(signIn(world.gateway, user.username, user.password, origin)).rejects.toMatchObject({
      error: 'temporarily_unavailable',
      retryAfter: expect.any(Number),
    });
    await expect(change(user.password)).rejects.toMatchObject({ error: 'temporarily_unavailable' });
    await laterBy(600);
    await change(user.password);
    expect((await guess(user, 'a new password', address)).status).toBe(200);
  });
});
