import { beforeAll, describe, expect, test } from 'vitest';
import { browserSession, signIn, type BrowserSession } from '../../support/pages/browser-session.ts';
import { testGateway } from '../../support/gateway.ts';
import {
  account,
  age,
  codeRequest,
  prospect,
  registerApplication,
  sessionOf,
  statusOf,
  tokensFor,
  type Account,
  type Session,
} from '../../support/oauth/oauth.ts';

const gateway = await testGateway();
const list = '/profile/sessions';

let person: Account;
const enter = () => signIn(gateway, person.username, person.password);
beforeAll(async () => {
  person = await account(gateway, 'sessa');
});

const isIn = async (browser: BrowserSession) => (await browser.get(list)).status === 200;
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

/** Sets the user agent of a session. */
const from = (userAgent: string) =>
  gateway.sql('update sessions set user_agent = $1 where id = (select max(id) from sessions where user_id = $2)', [
    userAgent,
    person.id,
  ]);

describe('sessions', () => {
  test.each([
    [firefox, 'Firefox 128 on Linux'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
      'Safari 17 on iOS',
    ],
    ['', 'Unknown'],
    ['<b>nothing that is known</b>', '&lt;b>nothing that is known&lt;/b>'],
  ])('are named after the browser: %s', async (userAgent, says) => {
    await enter();
    await from(userAgent);
    const browser = await enter();
    expect((await browser.get(list)).html).toContain(`<th scope="row">${says}</th>`);
  });

  test('store at most 255 characters of the user agent', async () => {
    const browser = browserSession(gateway);
    const form = (await browser.get('/users/sign_in')).form('Sign in');
    await browser.press(
      form,
      { login: person.username, password: person.password },
      { 'user-agent': 'x'.repeat(1_000) },
    );
    const own = sessionOf(gateway, person.username, browser.cookies.get('causeway_session')!);
    const { sessions } = await own.run<{ sessions: { userAgent: string; current: boolean }[] }>(
      '{ sessions { userAgent current } }',
    );
    expect(sessions.find(({ current }) => current)!.userAgent).toBe('x'.repeat(255));
  });

  test('show the address, the times, and which one is current', async () => {
    await gateway.sql('delete from sessions where user_id = $1', [person.id]);
    await enter();
    const page = await (await enter()).get(list);
    expect(page.text.match(/This one/g)).toHaveLength(1);
    expect(page.text).toMatch(/127\.0\.0\.1 \d+ \w+ 20\d\d just now/);
    expect(page.forms.filter(({ button }) => button.startsWith('End'))).toHaveLength(1);
  });

  test('are shown page by page, the latest used first', async () => {
    await gateway.sql('delete from sessions where user_id = $1', [person.id]);
    const here = await enter();
    await gateway.sql(
      `insert into sessions (user_id, digest, address, user_agent, authenticated_at, valid_at, last_used_at)
       select $1, decode(md5('session ' || n), 'hex'), '203.0.113.' || n, '', now(), now(), now() - n * interval '1 minute'
         from generate_series(1, 70) n`,
      [person.id],
    );
    const shown: number[] = [];
    let at: string | undefined = list;
    for (const count of [30, 30, 11]) {
      const page = await here.get(at!);
      const rows = [...page.html.matchAll(/<code>203\.0\.113\.(\d+)<\/code>/g)].map(([, number]) => Number(number));
      expect(rows.length + (at === list ? 1 : 0)).toBe(count);
      expect(page.text).toContain('Sign out of all others');
      shown.push(...rows);
      at = /<a [^>]*rel="next"[^>]* href="([^"]*)"/.exec(page.html)?.[1];
    }
    expect([shown, at]).toEqual([Array.from({ length: 70 }, (_, index) => index + 1), undefined]);
    expect((await here.get(`${list}?page=nothing`)).text).toContain('This one');
    expect((await here.get(`${list}?page=999`)).text).toContain('No active sessions.');
    await gateway.sql('delete from sessions where user_id = $1', [person.id]);
  });

  test('can’t be seen or ended by others', async () => {
    const mine = await enter();
    const { id } = (
      await gateway.sql<{ id: number }>('select max(id) as id from sessions where user_id = $1', [person.id])
    )[0]!;
    const other = await signIn(gateway, 'guest');
    await signIn(gateway, 'guest');
    const form = (await other.get(list)).form('End');
    const foreign = `${list}/${id}/end`;
    expect((await other.get(list)).html).not.toContain(foreign);
    // A CSRF token is bound to its address.
    expect((await other.post(foreign, form.fields)).status).toBe(403);
    const cookie = other.cookies.get('causeway_session')!;
    await expect(
      sessionOf(gateway, 'guest', cookie).run(
        'mutation ($input: EndSessionInput!) { endSession(input: $input) { session { id } } }',
        { input: { id: String(id) } },
      ),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await isIn(mine)).toBe(true);
    expect((await browserSession(gateway).get(list)).location).toMatch('/users/sign_in?');
  });

  test('one is ended, and the others stay', async () => {
    await gateway.sql('delete from sessions where user_id = $1', [person.id]);
    const [here, there] = [await enter(), await enter()];
    const answer = await here.press((await here.get(list)).form('End'));
    expect([answer.status, answer.location]).toEqual([303, list]);
    expect((await here.get(list)).text).toContain('You are signed out there.');
    expect([await isIn(here), await isIn(there)]).toEqual([true, false]);
  });

  test('all others are ended after a confirmation, and applications keep their access', async () => {
    const here = await enter();
    const others = [await enter(), await enter()];
    const session = sessionOf(gateway, person.username, here.cookies.get('causeway_session')!);
    const { access_token: accessToken } = await tokensFor(session, await registerApplication(session));
    const asking = await here.get(`${list}/end_others`);
    expect(await isIn(others[0]!)).toBe(true);
    await here.press(asking.form('Sign out of all others'));
    expect(await Promise.all([here, ...others].map(isIn))).toEqual([true, false, false]);
    expect((await here.get(list)).text).not.toContain('Sign out of all others');
    expect(await statusOf(gateway, accessToken)).toBe(200);
  });

  test('signing out everywhere ends this one and OAuth tokens too, and says so; personal tokens stay valid', async () => {
    const [here, other] = [await enter(), await enter()];
    const session = sessionOf(gateway, person.username, here.cookies.get('causeway_session')!);
    const { access_token: accessToken } = await tokensFor(session, await registerApplication(session));
    const personal = await gateway.personalToken(person.username, ['api']);
    const page = await here.get(list);
    expect(page.text).toContain('revokes access of all applications. Your personal access tokens stay valid');
    const answer = await here.press((await here.get(`${list}/end_all`)).form('Sign out everywhere'));
    expect([answer.status, answer.location]).toEqual([303, '/users/sign_in']);
    expect(here.cookies.has('causeway_session')).toBe(false);
    expect((await here.get('/users/sign_in')).text).toContain('You are signed out everywhere');
    expect(await isIn(other)).toBe(false);
    expect([await statusOf(gateway, accessToken), await statusOf(gateway, personal)]).toEqual([401, 200]);
  });
});

test('after signing out everywhere, applications have to ask this person, and no other, again', async () => {
  const other = await account(gateway, 'neighbour');
  const sessionOfPerson = async ({ username, password }: Account) =>
    sessionOf(gateway, username, (await signIn(gateway, username, password)).cookies.get('causeway_session')!);
  const [own, theirs] = [await sessionOfPerson(person), await sessionOfPerson(other)];
  const application = await registerApplication(own);
  for (const person of [own, theirs]) await tokensFor(person, application, 'read_user');
  const remembered = async ({ secret }: Session) =>
    (await prospect(gateway, secret, codeRequest(application, { scope: 'read_user' }))).remembered;
  expect([await remembered(own), await remembered(theirs)]).toEqual([true, true]);
  await own.run('mutation { signOutEverywhere }');
  expect([await remembered(await sessionOfPerson(person)), await remembered(theirs)]).toEqual([false, true]);
});

describe('a session ends by itself', () => {
  const [minute, hour, day] = [60, 60 * 60, 24 * 60 * 60];
  /** Moves time by some seconds. */
  const later = (seconds: number, ...columns: string[]) =>
    age(gateway, 'sessions', columns, seconds, `user_id = ${person.id}`);

  test('a week after it was used last', async () => {
    const browser = await enter();
    for (let use = 0; use < 2; use++) {
      await later(7 * day - hour, 'last_used_at');
      expect(await isIn(browser)).toBe(true);
    }
    await later(7 * day, 'last_used_at');
    expect(await isIn(browser)).toBe(false);
  });

  test('thirty days after it was opened, even if it is used', async () => {
    const browser = await enter();
    await later(30 * day - hour, 'created_at');
    expect(await isIn(browser)).toBe(true);
    await later(hour, 'created_at');
    expect(await isIn(browser)).toBe(false);
  });

  test('when its person is blocked directly in the database (row 22)', async () => {
    const browser = await enter();
    const state = (to: string) => gateway.sql('update users set state = $2 where id = $1', [person.id, to]);
    await state('BLOCKED');
    expect(await isIn(browser)).toBe(false);
    await state('ACTIVE');
    expect(await isIn(browser)).toBe(true);
  });

  test('and its use is recorded once a minute, not with every request', async () => {
    const browser = await enter();
    const noted = async () =>
      (
        await gateway.sql<{ at: Date }>('select max(last_used_at) as at from sessions where user_id = $1', [person.id])
      )[0]!.at;
    await later(minute, 'last_used_at');
    const before = await noted();
    await isIn(browser);
    const first = await noted();
    expect(first).not.toEqual(before);
    await isIn(browser);
    expect(await noted()).toEqual(first);
  });
});
