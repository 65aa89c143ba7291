import { beforeAll, describe, expect, test, vi } from 'vitest';
import { keyedDigest, unseal } from '../../../src/auth/index.ts';
import { sweep } from '../../../src/jobs/sweep.ts';
import {
  authenticator,
  aWhileLater,
  turnOn,
  typePassword,
  withSecondFactor,
  type Protected,
} from '../../support/oauth/authenticator.ts';
import { browserSession, followed, signIn, type BrowserSession } from '../../support/pages/browser-session.ts';
import { testGateway } from '../../support/gateway.ts';
import { whileHeld, type Held } from '../../support/databases/held.ts';
import { addMember } from '../../support/places/people.ts';
import { newGroup } from '../../support/places/places.ts';
import { mailbox } from '../../support/mail/mailbox.ts';
import {
  account,
  age,
  asPage,
  digestOf,
  inBody,
  registerApplication,
  session,
  statusOf,
  tokensFor,
  type Account,
} from '../../support/oauth/oauth.ts';

const mails = await mailbox();
const gateway = await testGateway(mails.settings);

/** Whether the browser is signed in. */
const isIn = async (browser: BrowserSession) => (await browser.get('/profile/second_factor')).status === 200;

let people = 0;
const protectedPerson = () => withSecondFactor(gateway, `protected-${people++}`);
const atSecondStep = (person: Account, query?: string) => typePassword(gateway, person, query);

const failures = (kind: string) =>
  gateway.sql<{ count: number; user_id: number }>(
    'select user_id, sum(count)::int as count from audit_events where kind = $1 group by 1',
    [kind],
  );

describe('setting it up', () => {
  let browser: BrowserSession;
  let person: Account;
  beforeAll(async () => {
    person = await account(gateway, 'newcomer');
    browser = await signIn(gateway, person.username, person.password);
  });

  test('shows a QR code, a key in readable groups and a link for the same, also after a reload', async () => {
    expect(
      (await browser.press((await browser.get('/profile/second_factor')).form('Enable two-factor'))).location,
    ).toBe('/profile/second_factor/new');
    const page = await browser.get('/profile/second_factor/new');
    const key = /<code class="secret">([A-Z2-7 ]+)</.exec(page.html)![1]!;
    expect(key).toMatch(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/);
    const link = new URL(/href="(otpauth:[^"]+)"/.exec(page.html)![1]!.replaceAll('&amp;', '&'));
    expect([link.protocol, link.host, decodeURIComponent(link.pathname)]).toEqual([
      'otpauth:',
      'totp',
      '/Causeway:newcomer',
    ]);
    expect(link.searchParams.get('secret')).toBe(key.replaceAll(' ', ''));
    expect(page.html).toMatch(/<svg class="qr-code" role="img" aria-label="[^"]+" viewBox="0 0 \d+ \d+"/);
    expect(page.html.length).toBeLessThan(60_000);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect((await browser.get('/profile/second_factor/new')).html).toContain(key);
  });

  test('counts only once a code confirms it', async () => {
    const page = await browser.get('/profile/second_factor/new');
    const wrong = await browser.press(page.form('Enable'), { code: '000000' });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('The code is wrong.')]);
    expect(await isIn(await signIn(gateway, person.username, person.password))).toBe(true);
    expect((await browser.get('/profile/second_factor')).form('Enable two-factor')).toBeDefined();
  });

  test('ends other sessions, OAuth tokens and codes, keeps this session and personal tokens, and mails the person', async () => {
    const username = 'thorough';
    const someone = await session(gateway, username);
    const application = await registerApplication(someone);
    const { access_token: access } = await tokensFor(someone, application);
    expect(await statusOf(gateway, access)).toBe(200);
    const personal = await gateway.personalToken(username, ['api']);
    const here = await signIn(gateway, username, `password of ${username}`);
    const elsewhere = await signIn(gateway, username, `password of ${username}`);
    const { recoveryCodes } = await turnOn(gateway, here);
    expect(new Set(recoveryCodes).size).toBe(10);
    expect([await isIn(here), await isIn(elsewhere)]).toEqual([true, false]);
    expect(await statusOf(gateway, access)).toBe(401);
    expect(await statusOf(gateway, personal)).toBe(200);
    expect((await mails.latest(`${username}@example.com`, 'turned on')).text).toContain(username);
    expect((await here.get('/profile/second_factor')).text).toContain('10 left');
  });

  test('needs a recently confirmed password at every step', async () => {
    const someone = await account(gateway, 'slow');
    const slow = await signIn(gateway, someone.username, someone.password);
    const form = (await slow.get('/profile/second_factor')).form('Enable two-factor');
    await age(
      gateway,
      'sessions',
      ['authenticated_at'],
      16 * 60,
      `digest = '\\x${digestOf(slow.cookies.get('causeway_session')!).toString('hex')}'`,
    );
    expect((await slow.press(form)).location).toMatch(/^\/users\/confirm_password/);
    for (const path of ['/profile/second_factor/new', '/profile/second_factor/turn_off']) {
      expect((await slow.get(path)).location).toMatch(/^\/users\/confirm_password/);
    }
  });

  test('expires an hour after it was begun: then neither the page nor a code of the seed works', async () => {
    const someone = await account(gateway, 'hesitant');
    const hesitant = await signIn(gateway, someone.username, someone.password);
    await hesitant.press((await hesitant.get('/profile/second_factor')).form('Enable two-factor'));
    const page = await hesitant.get('/profile/second_factor/new');
    const app = authenticator(/<code class="secret">([A-Z2-7 ]+)</.exec(page.html)![1]!.replaceAll(' ', ''));
    await age(gateway, 'second_factors', ['created_at'], 3_590, `user_id = ${someone.id}`);
    expect((await hesitant.get('/profile/second_factor/new')).status).toBe(200);
    await age(gateway, 'second_factors', ['created_at'], 11, `user_id = ${someone.id}`);
    expect((await hesitant.get('/profile/second_factor/new')).location).toBe('/profile/second_factor');
    expect((await hesitant.press(page.form('Enable'), { code: app.code() })).location).toBe('/profile/second_factor');
    expect(await isIn(await signIn(gateway, someone.username, someone.password))).toBe(true);
  });

  test('can’t be started while one is enabled', async () => {
    const { browser: here } = await protectedPerson();
    expect((await here.get('/profile/second_factor/new')).location).toBe('/profile/second_factor');
    const asked = asPage(gateway, here.cookies.get('causeway_session')!, 'mutation { beginSecondFactor }');
    await expect(asked).rejects.toThrow('A second factor is turned on already.');
  });
});

describe('signing in with it', () => {
  let person: Protected;
  beforeAll(async () => {
    person = await protectedPerson();
  });

  test('asks for a code after the right password, and continues to the requested page', async () => {
    const { browser, page } = await atSecondStep(person, '?return_to=/docs');
    expect([browser.cookies.has('causeway_session'), await isIn(browser)]).toEqual([false, false]);
    expect(browser.cookies.get('causeway_pending')).toMatch(/^cwps_[\w-]{43}$/);
    const answer = await browser.press(
      page.form('Verify code'),
      { code: person.app.code() },
      { 'user-agent': 'x'.repeat(1_000) },
    );
    expect([answer.status, answer.location]).toEqual([303, '/docs']);
    const [opened] = await gateway.sql<{ user_agent: string }>(
      'select user_agent from sessions where user_id = $1 order by id desc limit 1',
      [person.id],
    );
    expect(opened!.user_agent).toBe('x'.repeat(255));
    expect(answer.headers.getSetCookie()).toContainEqual(
      expect.stringMatching(/^causeway_session=cwss_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/),
    );
    expect([browser.cookies.has('causeway_pending'), await isIn(browser)]).toEqual([false, true]);
  });

  test('the content security policy allows the redirect to an application', async () => {
    const to = '/oauth/authorize?client_id=a&redirect_uri=http%3A%2F%2F127.0.0.1%2Fcb';
    const { page } = await atSecondStep(person, `?${new URLSearchParams({ return_to: to }).toString()}`);
    expect(page.form('Verify code').fields.return_to).toBe(to);
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' https: http:;");
  });

  test.each(['//evil.example', '/\\evil.example', 'https://evil.example'])('row 43: never on to %s', async (to) => {
    await aWhileLater(gateway);
    const { browser, page } = await atSecondStep(person);
    const answer = await browser.press(page.form('Verify code'), { code: person.app.code(), return_to: to });
    expect([answer.status, answer.location]).toEqual([303, '/']);
  });

  test('row 20: a code works once, and a code of an earlier step doesn’t work after it', async () => {
    await aWhileLater(gateway);
    const [first, second] = await Promise.all([atSecondStep(person), atSecondStep(person)]);
    const code = person.app.code();
    const answers = await Promise.all(
      [first, second].map(({ browser, page }) => browser.press(page.form('Verify code'), { code })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
    const third = await atSecondStep(person);
    for (const spent of [code, person.app.code(-1)]) {
      const answer = await third.browser.press(third.page.form('Verify code'), { code: spent });
      expect([answer.status, answer.text]).toEqual([
        422,
        expect.stringContaining('The code is wrong, or was used already.'),
      ]);
    }
  });

  test.each([-1, 1])('a clock may be wrong by a step (%i)', async (steps) => {
    // Near the end of a step, the next one may begin during the request.
    await vi.waitFor(() => expect((Date.now() / 1000) % 30).toBeLessThan(25), { timeout: 10_000, interval: 200 });
    await aWhileLater(gateway);
    const { browser, page } = await atSecondStep(person);
    expect(
      (await browser.press(page.form('Verify code'), { code: ` ${person.app.code(steps).replace(/(?<=^...)/, ' ')} ` }))
        .status,
    ).toBe(303);
  });

  test('row 20: a malformed code is refused as a form error', async () => {
    const someone = await protectedPerson();
    for (const codes of [
      ['', ' ', '12345', '1234567', 'abcdef'],
      ['１２３４５６', '<b>', 'x'.repeat(5_000)],
    ]) {
      const { browser, page } = await atSecondStep(someone);
      for (const code of codes) {
        const answer = await browser.press(page.form('Verify code'), { code });
        expect([code, answer.status]).toEqual([code, 422]);
        expect(answer.html).not.toContain('<b>');
      }
    }
  });

  test('a recovery code replaces the phone once, in any case; the person gets a mail', async () => {
    const [code, other] = person.recoveryCodes as [string, string];
    const { browser, page } = await atSecondStep(person);
    expect((await browser.press(page.form('Verify code'), { code: code.toUpperCase().replace('-', ' ') })).status).toBe(
      303,
    );
    const again = await atSecondStep(person);
    expect((await again.browser.press(again.page.form('Verify code'), { code })).status).toBe(422);
    expect((await again.browser.press(again.page.form('Verify code'), { code: other })).status).toBe(303);
    const mail = await vi.waitFor(
      () => {
        const sent = mails.to(person.email).filter(({ subject }) => subject === 'A recovery code was used');
        expect(sent).toHaveLength(2);
        return sent;
      },
      { timeout: 20_000 },
    );
    expect(mail.map(({ text }) => /\d+ (is|are) left/.exec(text)![0]).sort()).toEqual(['8 are left', '9 are left']);
  });

  test('two recovery codes at once open one session', async () => {
    const someone = await protectedPerson();
    const { browser, page } = await atSecondStep(someone);
    const tabs = someone.recoveryCodes
      .slice(0, 2)
      .map((code) => ({ code, tab: browserSession(gateway, new Map(browser.cookies)) }));
    // Both codes are right before either opens a session.
    const pending: Held = ['select from pending_sign_ins where user_id = $1 for update', someone.id];
    const answers = await whileHeld(
      gateway,
      pending,
      tabs.map(
        ({ code, tab }) =>
          () =>
            tab.press(page.form('Verify code'), { code }),
      ),
    );
    expect(answers.map(({ location }) => location).sort()).toEqual(['/', '/users/sign_in']);
    expect(tabs.filter(({ tab }) => tab.cookies.has('causeway_session'))).toHaveLength(1);
  });

  test('the code makes a network address known to the account, the password alone doesn’t', async () => {
    const someone = await protectedPerson();
    await gateway.sql('delete from known_places where user_id = $1', [someone.id]);
    const known = () => gateway.sql('select 1 from known_places where user_id = $1', [someone.id]);
    const { browser, page } = await atSecondStep(someone);
    expect(await known()).toEqual([]);
    await browser.press(page.form('Verify code'), { code: someone.app.code() });
    expect(await known()).not.toEqual([]);
  });

  test('another person’s code is refused', async () => {
    const other = await protectedPerson();
    const { browser, page } = await atSecondStep(other);
    for (const code of [person.app.code(1), person.recoveryCodes[2]!]) {
      expect((await browser.press(page.form('Verify code'), { code })).status).toBe(422);
    }
  });

  test('a pending sign-in works only in the browser in which the password was typed', async () => {
    await aWhileLater(gateway);
    const { browser } = await atSecondStep(person);
    const thief = browserSession(gateway, new Map([['causeway_pending', browser.cookies.get('causeway_pending')!]]));
    const page = await thief.get('/users/sign_in/second_factor');
    const answer = await thief.press(page.form('Verify code'), { code: person.app.code() });
    expect(answer.location).toBe('/users/sign_in');
    expect(thief.cookies.has('causeway_session')).toBe(false);
  });

  test('without a recent password it redirects to the sign-in page', async () => {
    expect((await browserSession(gateway).get('/users/sign_in/second_factor?return_to=/docs')).location).toBe(
      '/users/sign_in?return_to=%2Fdocs',
    );
    const late = await protectedPerson();
    const { browser, page } = await atSecondStep(late);
    await gateway.sql(`update pending_sign_ins set expires_at = now() where user_id = $1`, [late.id]);
    expect((await browser.press(page.form('Verify code'), { code: late.app.code() })).location).toBe('/users/sign_in');
    expect((await browser.get('/users/sign_in')).text).toContain('Sign in again.');
    await sweep({ database: gateway.gateway.application.database, auditDays: 365 });
    expect(await gateway.sql('select 1 from pending_sign_ins where user_id = $1', [late.id])).toEqual([]);
  });

  test.each([
    [
      'the password was changed',
      async ({ id }: Account) =>
        gateway.operator('mutation ($input: ResetPasswordInput!) { resetPassword(input: $input) { __typename } }', {
          input: { userId: id, password: 'another password' },
        }),
    ],
    [
      'the account was blocked',
      async ({ id }: Account) => gateway.sql(`update users set state = 'BLOCKED' where id = $1`, [id]),
    ],
    [
      'the address is confirmed no more (row 32)',
      async ({ id }: Account) => gateway.sql('update emails set verified_at = null where user_id = $1', [id]),
    ],
    [
      'the second factor was turned off',
      async ({ id }: Account) =>
        gateway.operator(
          'mutation ($input: DisableSecondFactorOfUserInput!) { disableSecondFactorOfUser(input: $input) { user { id } } }',
          { input: { userId: id } },
        ),
    ],
  ])('is refused where meanwhile %s', async (_what, happen) => {
    const someone = await protectedPerson();
    const { browser, page } = await atSecondStep(someone);
    await happen(someone);
    expect((await browser.press(page.form('Verify code'), { code: someone.app.code() })).location).toBe(
      '/users/sign_in',
    );
    expect(browser.cookies.has('causeway_session')).toBe(false);
  });

  test('row 39: the previous session of this browser ends, and the session id is new', async () => {
    const browser = await signIn(gateway, 'guest');
    const before = browser.cookies.get('causeway_session')!;
    await aWhileLater(gateway);
    const form = { ...(await atSecondStep(person)).page.form('Verify code') };
    const { browser: other } = await atSecondStep(person);
    other.cookies.set('causeway_session', before);
    const page = await other.get('/users/sign_in/second_factor');
    expect(form.action).toBe(page.form('Verify code').action);
    await other.press(page.form('Verify code'), { code: person.app.code() });
    expect(other.cookies.get('causeway_session')).not.toBe(before);
    expect(await isIn(browserSession(gateway, new Map([['causeway_session', before]])))).toBe(false);
  });

  test('row 25: its form is accepted only from the gateway’s page', async () => {
    const { browser, page } = await atSecondStep(person);
    const form = page.form('Verify code');
    expect((await browser.press(form, { code: '1' }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await browser.press(form, { code: '1' }, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await browser.post(form.action, { code: '1' })).status).toBe(403);
  });
});

describe('row 20: wrong codes', () => {
  /** Types wrong codes until the sign-in is over. @returns how many were evaluated */
  async function wear(person: Account): Promise<number> {
    const { browser, page } = await atSecondStep(person);
    for (let tries = 1; ; tries++) {
      const answer = await browser.press(page.form('Verify code'), { code: `guess ${tries}` });
      if (answer.status === 422) continue;
      expect([answer.status, answer.location]).toEqual([303, '/users/sign_in']);
      return tries;
    }
  }

  /** Moves time by ten minutes, so that only the daily count is left. */
  const tenMinutesLater = () =>
    gateway.sql(`delete from attempt_counters where key like 'account %' or key like 'address %'`);

  test('five end the sign-in, and the right one is too late then', async () => {
    const person = await protectedPerson();
    expect(await wear(person)).toBe(5);
    const { browser, page } = await atSecondStep(person);
    for (let tries = 0; tries < 4; tries++) await browser.press(page.form('Verify code'), { code: '000000' });
    // Several at once: no more than five are evaluated.
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => browser.press(page.form('Verify code'), { code: 'wrong' })),
    );
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(0);
    expect((await browser.press(page.form('Verify code'), { code: person.app.code() })).location).toBe(
      '/users/sign_in',
    );
  });

  test('a code that comes while five are being checked ends the sign-in as well', async () => {
    const person = await protectedPerson();
    const { browser, page } = await atSecondStep(person);
    await browser.press(page.form('Verify code'), { code: 'wrong' });
    await gateway.sql(
      `update attempt_counters set count = 5 where key = (select 'second factor sign-in ' || id from pending_sign_ins where user_id = $1)`,
      [person.id],
    );
    expect((await browser.press(page.form('Verify code'), { code: person.app.code() })).location).toBe(
      '/users/sign_in',
    );
    expect(browser.cookies.has('causeway_session')).toBe(false);
    expect(await gateway.sql('select 1 from pending_sign_ins where user_id = $1', [person.id])).toEqual([]);
  });

  test.each([
    ['for the account from here', 10, ({ id }: Account) => `account user ${id} from %`],
    ['from this address', 100, () => 'address %'],
  ])('too many failed checks %s don’t end this sign-in: it waits', async (_which, most, counter) => {
    const person = await protectedPerson();
    const { browser, page } = await atSecondStep(person);
    await browser.press(page.form('Verify code'), { code: 'wrong' });
    const count = (to: number) =>
      gateway.sql('update attempt_counters set count = $2 where key like $1', [counter(person), to]);
    await count(most);
    const early = await browser.press(page.form('Verify code'), { code: person.app.code() });
    expect([early.status, browser.cookies.has('causeway_session')]).toEqual([429, false]);
    await count(1);
    expect((await browser.press(page.form('Verify code'), { code: person.app.code() })).location).toBe('/');
  });

  test('twenty in a day lock the account; the person gets a mail before', async () => {
    const person = await protectedPerson();
    for (let round = 0; round < 4; round++) {
      await tenMinutesLater();
      expect(await wear(person)).toBe(5);
    }
    await tenMinutesLater();
    const { browser, page } = await atSecondStep(person);
    const answer = await browser.press(page.form('Verify code'), { code: person.app.code() });
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(23 * 3_600);
    await vi.waitFor(
      () =>
        expect(mails.to(person.email).filter(({ subject }) => subject === 'Wrong codes for your account')).toHaveLength(
          2,
        ),
      { timeout: 20_000 },
    );
    expect((await mails.latest(person.email, 'Wrong codes')).text).toContain('20 wrong codes');
  });

  test('count with the wrong passwords of every path (row 18)', async () => {
    const person = await protectedPerson();
    for (let round = 0; round < 2; round++) expect(await wear(person)).toBe(5);
    const browser = browserSession(gateway);
    const answer = await browser.press((await browser.get('/users/sign_in')).form('Sign in'), {
      login: person.username,
      password: person.password,
    });
    expect(answer.status).toBe(429);
  });

  test('are audited', async () => {
    const person = await protectedPerson();
    await wear(person);
    expect(await failures('second_factor_refused')).toContainEqual({ user_id: Number(person.id), count: 5 });
  });
});

describe('row 19: the password grant', () => {
  test('answers a right password as it answers a wrong one, and counts it as failed (R7)', async () => {
    const person = await protectedPerson();
    const owner = await session(gateway, 'owner-of-app');
    const application = await registerApplication(owner);
    const grant = async (password: string) => {
      const { status, headers, body } = await gateway.rest('POST', '/oauth/token', {
        form: { grant_type: 'password', username: person.username, password, ...inBody(application) },
      });
      return { status, body, names: [...headers.keys()].sort() };
    };
    const right = await grant(person.password);
    expect([right.status, right.body]).toMatchObject([400, { error: 'invalid_grant' }]);
    expect(right).toEqual(await grant('not the password'));
    const counted = () =>
      gateway.sql<{ count: number }>(`select count from attempt_counters where key like $1`, [
        `account user ${person.id} from %`,
      ]);
    const [before] = await counted();
    await grant(person.password);
    expect((await counted())[0]!.count).toBe(before!.count + 1);
    expect(await failures('password_refused')).toContainEqual({ user_id: Number(person.id), count: 3 });
    for (let round = 0; round < 7; round++) await grant(person.password);
    expect((await grant(person.password)).status).toBe(429);
  });
});

describe('confirming the password', () => {
  test('accepts the password or a code, and gives the session a new id', async () => {
    const person = await protectedPerson();
    const { browser, app } = person;
    for (const fields of [{ password: person.password }, { code: app.code() }] as Record<string, string>[]) {
      const before = browser.cookies.get('causeway_session');
      const page = await browser.get('/users/confirm_password?return_to=/docs');
      const answer = await browser.press(page.form('Confirm'), fields);
      expect([answer.status, answer.location]).toEqual([303, '/docs']);
      expect(browser.cookies.get('causeway_session')).not.toBe(before);
    }
    expect(await isIn(browser)).toBe(true);
  });

  test('refuses wrong codes, at most five', async () => {
    const { browser } = await protectedPerson();
    const form = (await browser.get('/users/confirm_password')).form('Confirm');
    const statuses: number[] = [];
    for (let tries = 0; tries < 6; tries++) statuses.push((await browser.press(form, { code: 'wrong' })).status);
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
  });

  test('offers and accepts no code without a second factor', async () => {
    const browser = await signIn(gateway, 'guest');
    expect((await browser.get('/users/confirm_password')).html).not.toContain('name="code"');
    // Not even a code of an unconfirmed seed.
    const beginning = await session(gateway, 'beginning');
    const confirm = (code: string) =>
      beginning.run('mutation ($input: ConfirmCodeInput!) { confirmCode(input: $input) { session } }', {
        input: { code },
      });
    for (const begin of [false, true]) {
      if (begin) await beginning.run('mutation { beginSecondFactor }');
      const seed = await beginning.run<{ secondFactorSeed: { seed: string } | null }>('{ secondFactorSeed { seed } }');
      const codes = [
        '123456',
        'abcde-fghij',
        '',
        ...(seed.secondFactorSeed ? [authenticator(seed.secondFactorSeed.seed).code()] : []),
      ];
      expect(codes).toHaveLength(begin ? 4 : 3);
      for (const code of codes.slice(begin ? 3 : 0))
        await expect(confirm(code)).rejects.toMatchObject({ fields: { code: ['is wrong, or was used already'] } });
    }
  });
});

describe('managing it', () => {
  test('new recovery codes replace the old ones', async () => {
    const person = await protectedPerson();
    const renewed = await followed(
      person.browser,
      await person.browser.press(
        (await person.browser.get('/profile/second_factor')).form('Regenerate recovery codes'),
      ),
    );
    const codes = [...renewed.html.matchAll(/<code>([a-z0-9]{5}-[a-z0-9]{5})</g)].map(([, code]) => code!);
    expect(codes).toHaveLength(10);
    expect(renewed.html).toContain(encodeURIComponent(codes[9]!));
    const { browser, page } = await atSecondStep(person);
    expect((await browser.press(page.form('Verify code'), { code: person.recoveryCodes[0]! })).status).toBe(422);
    expect((await browser.press(page.form('Verify code'), { code: codes[0]! })).status).toBe(303);
  });

  test('without it, recovery codes can’t be generated', async () => {
    const outsider = await session(gateway, 'without-factor');
    for (const begin of [false, true]) {
      if (begin) await outsider.run('mutation { beginSecondFactor }');
      await expect(outsider.run('mutation { renewRecoveryCodes { recoveryCodes } }')).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
    }
    expect(
      await gateway.sql('select 1 from recovery_codes r join users u on u.id = r.user_id where u.username = $1', [
        'without-factor',
      ]),
    ).toEqual([]);
  });

  test('regenerated in several tabs at once, ten recovery codes are left', async () => {
    const person = await protectedPerson();
    const form = async () => (await person.browser.get('/profile/second_factor')).form('Regenerate recovery codes');
    const forms = [await form(), await form(), await form(), await form()];
    const answers = await Promise.all(forms.map((one) => person.browser.press(one)));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
    expect((await person.browser.get('/profile/second_factor')).text).toContain('10 left');
  });

  test('once it is disabled, the password is enough; the person gets a mail, and it is audited', async () => {
    const person = await protectedPerson();
    const page = await person.browser.get('/profile/second_factor/turn_off');
    const answer = await person.browser.press(page.form('Disable'));
    expect(answer.location).toBe('/profile/second_factor');
    expect((await person.browser.get('/profile/second_factor')).text).toContain(
      'Two-factor authentication is disabled.',
    );
    expect(await isIn(await signIn(gateway, person.username, person.password))).toBe(true);
    await mails.latest(person.email, 'turned off');
    const kinds = await gateway.sql<{ kind: string }>('select kind from audit_events where user_id = $1 order by id', [
      person.id,
    ]);
    expect(kinds.map(({ kind }) => kind)).toEqual([
      'user_created',
      'signed_in',
      'second_factor_enabled',
      'second_factor_disabled',
      'signed_in',
    ]);
    expect(await gateway.sql('select 1 from recovery_codes where user_id = $1', [person.id])).toEqual([]);
  });

  test('an administrator can disable it for another user; others can’t', async () => {
    const person = await protectedPerson();
    const source =
      'mutation ($input: DisableSecondFactorOfUserInput!) { disableSecondFactorOfUser(input: $input) { user { username twoFactorEnabled } } }';
    const variables = { input: { userId: person.id } };
    const outsider = await session(gateway, 'no-administrator');
    await expect(outsider.run(source, variables)).rejects.toThrow('not allowed');
    const administrator = await session(gateway, 'helpful-administrator', { administrator: true });
    expect(await administrator.run(source, variables)).toEqual({
      disableSecondFactorOfUser: { user: { username: person.username, twoFactorEnabled: false } },
    });
    expect(await isIn(await signIn(gateway, person.username, person.password))).toBe(true);
  });

  test('recovery codes are stored as digests under their own key, bound to the person', async () => {
    const person = await protectedPerson();
    const [key] = gateway.gateway.application.keys.derive('recovery code');
    const kept = await gateway.sql<{ digest: Buffer }>('select digest from recovery_codes where user_id = $1', [
      person.id,
    ]);
    const digests = person.recoveryCodes.map((code) => keyedDigest(key!, `${person.id} ${code.replace('-', '')}`));
    expect(kept.map(({ digest }) => digest.toString('hex')).sort()).toEqual(
      digests.map((digest) => digest.toString('hex')).sort(),
    );
  });

  test('a seed is sealed under its own key and bound to its row: in another row, no code works', async () => {
    const [person, other] = [await protectedPerson(), await protectedPerson()];
    const [row] = await gateway.sql<{ sealed_seed: Buffer }>(
      'select sealed_seed from second_factors where user_id = $1',
      [other.id],
    );
    const { keys } = gateway.gateway.application;
    const open = (label: string, context: string) => unseal(keys.derive(label), context, row!.sealed_seed);
    expect(open('second factor seed', `second factor of user ${other.id}`)).toBe(other.app.seed);
    expect([
      open('second factor seed', `second factor of user ${person.id}`),
      open('recovery code', `second factor of user ${other.id}`),
    ]).toEqual([null, null]);
    await gateway.sql('update second_factors set sealed_seed = $2 where user_id = $1', [person.id, row!.sealed_seed]);
    const { browser, page } = await atSecondStep(person);
    for (const { app } of [person, other])
      expect((await browser.press(page.form('Verify code'), { code: app.code() })).status).toBe(422);
  });
});

describe('a group that requires it', () => {
  /** A person in a subgroup of a group that requires it, with a grace period in hours. */
  async function member(hours: number) {
    const person = await account(gateway, `required-${people++}`);
    const made = await gateway.rest('POST', '/api/v4/groups', {
      token: gateway.tokens.root,
      json: {
        name: 'Careful',
        path: `careful-${person.id}`,
        require_two_factor_authentication: true,
        two_factor_grace_period: hours,
      },
    });
    const { id: parent } = made.body as { id: number };
    const group = await newGroup(gateway, { path: 'below', parent: String(parent), visibility: 'PRIVATE' });
    await addMember(gateway, person, 'GUEST', { group });
    return { ...person, parent };
  }
  const enter = (person: Account) => signIn(gateway, person.username, person.password);

  test('leaves its members time, and says so when they sign in', async () => {
    const browser = await enter(await member(48));
    const page = await browser.get('/');
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('requires two-factor authentication')]);
    expect((await browser.get('/profile/personal_access_tokens')).location).not.toBe('/profile/second_factor');
  });

  test('then stops their sessions from doing anything else, but not their tokens', async () => {
    const person = await member(48);
    const before = await enter(person);
    const token = await gateway.personalToken(person.username, ['api']);
    await gateway.sql('update users set second_factor_due_at = now() where id = $1', [person.id]);
    for (const browser of [before, await enter(person)]) {
      for (const path of [
        '/',
        '/profile',
        '/profile/personal_access_tokens',
        '/groups/demo',
        '/oauth/authorize?client_id=x',
        '/nothing',
      ])
        expect([path, (await browser.get(path)).location]).toEqual([path, '/profile/second_factor']);
      expect((await browser.get('/profile/second_factor')).text).toContain('Set it up to go on');
    }
    expect((await before.post('/profile/personal_access_tokens', {})).location).toBe('/profile/second_factor');
    expect((await gateway.rest('GET', '/api/v4/user', { token })).status).toBe(200);
    await turnOn(gateway, before);
    expect((await before.get('/profile/personal_access_tokens')).status).toBe(200);
  });

  test('without a grace period stops them at once; people with a second factor and others never', async () => {
    const person = await member(0);
    const browser = await enter(person);
    expect((await browser.get('/')).location).toBe('/profile/second_factor');
    const other = await protectedPerson();
    await addMember(gateway, other, 'OWNER', { group: String(person.parent) });
    const { browser: second, page } = await atSecondStep(other);
    await second.press(page.form('Verify code'), { code: other.app.code() });
    expect((await second.get('/')).status).toBe(200);
    const stranger = await account(gateway, `required-${people++}`);
    expect((await (await enter(stranger)).get('/')).text).not.toContain('requires two-factor');
  });

  test('that no longer does lets them in again; the longest grace period is no problem', async () => {
    const person = await member(0);
    const put = (json: object) =>
      gateway.rest('PUT', `/api/v4/groups/${person.parent}`, { token: gateway.tokens.root, json });
    expect((await (await enter(person)).get('/')).status).toBe(303);
    await put({ require_two_factor_authentication: false });
    expect((await (await enter(person)).get('/')).status).toBe(200);
    await put({ require_two_factor_authentication: true, two_factor_grace_period: 2_147_483_647 });
    expect((await (await enter(person)).get('/')).status).toBe(200);
  });
});
