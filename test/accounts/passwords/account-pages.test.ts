import { beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { sweep } from '../../../src/jobs/sweep.ts';
import { turnOn } from '../../support/oauth/authenticator.ts';
import { browserSession, signIn, type BrowserSession } from '../../support/pages/browser-session.ts';
import { testGateway } from '../../support/gateway.ts';
import { whileHeld } from '../../support/databases/held.ts';
import { mailbox } from '../../support/mail/mailbox.ts';
import { followLink } from '../../support/mail/mailed-links.ts';
import {
  account,
  age,
  asPage,
  digestOf,
  registerApplication,
  session,
  statusOf,
  tokensFor,
  type Account,
} from '../../support/oauth/oauth.ts';

const mails = await mailbox();
const gateway = await testGateway({ ...mails.settings, CAUSEWAY_SIGN_UP: 'on' });

const isIn = async (browser: BrowserSession) => (await browser.get('/profile/emails')).status === 200;
const patience = { timeout: 20_000, interval: 20 };

const follow = (link: string) => followLink(gateway, link);

const ask = async (login: string, browser = browserSession(gateway)) =>
  await browser.press((await browser.get('/users/password/new')).form('Send the link'), { login });

describe('a forgotten password', () => {
  let person: Account;
  beforeAll(async () => {
    person = await account(gateway, 'forgetful');
  });

  test('gets the same answer whether the account exists or not', async () => {
    const answers = await Promise.all(
      [person.username, person.email, 'no-such-user', 'no-such-user@example.com'].map(async (login) => {
        const browser = browserSession(gateway);
        const { status, location } = await ask(login, browser);
        return [status, location, (await browser.get(location!)).text];
      }),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toEqual([303, '/users/sign_in', expect.stringContaining('If the account exists')]);
    await vi.waitFor(() => expect(mails.to(person.email)).toHaveLength(2), patience);
    expect(mails.to('no-such-user@example.com')).toEqual([]);
  });

  test('is replaced by the link, once; sessions and tokens end, and the person gets a mail', async () => {
    await account(gateway, 'renewed');
    const as = await session(gateway, 'renewed-too');
    const { access_token: access } = await tokensFor(as, await registerApplication(as));
    await ask(as.username);
    const { browser, page } = await follow((await mails.latest('renewed-too@example.com', 'new password')).link);
    expect(page.text).toContain('renewed-too');
    const short = await browser.press(page.form('Set the password'), { password: 'short' });
    expect([short.status, short.text]).toEqual([422, expect.stringContaining('is too short')]);
    expect(await statusOf(gateway, access)).toBe(200);
    const done = await browser.press(page.form('Set the password'), { password: 'a new password' });
    expect([done.status, done.location]).toEqual([303, '/users/sign_in']);
    expect(await statusOf(gateway, access)).toBe(401);
    expect(await isIn(browser)).toBe(false);
    expect(await isIn(await signIn(gateway, 'renewed-too', 'a new password'))).toBe(true);
    await expect(signIn(gateway, 'renewed-too', 'password of renewed-too')).rejects.toThrow('422');
    await mails.latest('renewed-too@example.com', 'was changed');
    const again = await browser.press(page.form('Set the password'), { password: 'another password' });
    expect([again.status, again.text]).toEqual([404, expect.stringContaining('no longer works')]);
  });

  test('is set once if one link is used twice at the same time', async () => {
    const someone = await account(gateway, 'hurried');
    await ask(someone.username);
    const { browser, page } = await follow((await mails.latest(someone.email, 'new password')).link);
    const presses = ['one new password', 'another new password'].map(
      (password) => () => browser.press(page.form('Set the password'), { password }),
    );
    const answers = await whileHeld(
      gateway,
      ['select from mailed_tokens where user_id = $1 for update', someone.id],
      presses,
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404]);
  });

  test('doesn’t get around the second factor', async () => {
    const someone = await account(gateway, 'forgetful-protected');
    await turnOn(gateway, await signIn(gateway, someone.username, someone.password));
    await ask(someone.username);
    const { browser, page } = await follow((await mails.latest(someone.email, 'Choose a new password')).link);
    await browser.press(page.form('Set the password'), { password: 'a new password' });
    const answer = await browser.press((await browser.get('/users/sign_in')).form('Sign in'), {
      login: someone.username,
      password: 'a new password',
    });
    expect(answer.location).toBe('/users/sign_in/second_factor');
  });

  const dead = async (link: string) => (await follow(link)).page.status;

  test.each([
    ['an hour has passed', (id: string) => age(gateway, 'mailed_tokens', ['expires_at'], 3_600, `user_id = ${id}`)],
    [
      'the password was changed',
      (id: string) =>
        gateway.operator('mutation ($input: ResetPasswordInput!) { resetPassword(input: $input) { __typename } }', {
          input: { userId: id, password: 'another password' },
        }),
    ],
    ['the account was blocked', (id: string) => gateway.sql(`update users set state = 'BLOCKED' where id = $1`, [id])],
    [
      'the address is no longer confirmed',
      (id: string) => gateway.sql('update emails set verified_at = null where user_id = $1', [id]),
    ],
    [
      'another address is the primary one',
      (id: string) => gateway.sql('update emails set primary_of = null where user_id = $1', [id]),
    ],
  ])('the link is dead when %s', async (what, happen) => {
    const someone = await account(gateway, what.replace('password', 'key').replaceAll(/[^a-z]/g, '-'));
    await ask(someone.username);
    const { link } = await mails.latest(someone.email, 'new password');
    const { browser, page } = await follow(link);
    await happen(someone.id);
    expect(await dead(link)).toBe(404);
    expect((await browser.press(page.form('Set the password'), { password: 'yet another one' })).status).toBe(404);
  });

  test('is mailed to the confirmed primary address of an unblocked account, whichever address was typed', async () => {
    const someone = await account(gateway, 'many-addresses');
    await gateway.sql(
      `insert into emails (user_id, address, verified_at) values ($1, 'second@many.example', now()), ($1, 'unconfirmed@many.example', null)`,
      [someone.id],
    );
    await ask('second@many.example');
    await ask('unconfirmed@many.example');
    const other = await account(gateway, 'moved');
    const [moved] = await gateway.sql<{ id: number }>(
      `insert into emails (user_id, address, verified_at) values ($1, 'new@moved.example', now()) returning id`,
      [other.id],
    );
    await gateway.sql('update emails set primary_of = null where user_id = $1', [other.id]);
    await gateway.sql('update emails set primary_of = user_id where id = $1', [moved!.id]);
    await ask(other.email);
    const blocked = await account(gateway, 'forgetful-and-blocked');
    await gateway.sql(`update users set state = 'BLOCKED' where id = $1`, [blocked.id]);
    await ask(blocked.username);
    const { email } = await account(gateway, 'unconfirmed-person', { emailVerified: false });
    await ask('unconfirmed-person');
    const last = await account(gateway, 'asked-last');
    await ask(last.username);
    await mails.latest(last.email, 'new password');
    await mails.latest(someone.email, 'new password');
    await mails.latest('new@moved.example', 'new password');
    const got = [someone.email, 'second@many.example', 'new@moved.example', other.email, blocked.email].map(
      (address) => [address, mails.to(address).length],
    );
    expect(got).toEqual([
      [someone.email, 1],
      ['second@many.example', 0],
      ['new@moved.example', 1],
      [other.email, 0],
      [blocked.email, 0],
    ]);
    expect(mails.to(email).filter(({ subject }) => subject.includes('password'))).toEqual([]);
  });

  test('is mailed three times an hour, and requested twenty times from one network address', async () => {
    await gateway.sql(`delete from attempt_counters where key like 'reset address %'`);
    const someone = await account(gateway, 'pestered');
    const statuses: number[] = [];
    for (let time = 0; time < 20; time++) statuses.push((await ask(someone.username)).status);
    expect(statuses).toEqual(Array.from({ length: 20 }, () => 303));
    const refused = await ask(someone.username);
    expect(refused.status).toBe(429);
    expect(refused.text).toMatch(
      /Too many requests Many links for new passwords were asked for from your network\. Nothing was changed\. Try again in \d+ minutes\./,
    );
    expect(
      await gateway.sql(`select sum(count)::int as count from audit_events where kind = 'password_reset_throttled'`),
    ).toEqual([{ count: 1 }]);
    await gateway.sql(`delete from attempt_counters where key like 'reset address %'`);
    await ask('renewed');
    await mails.latest('renewed@example.com', 'new password');
    expect(mails.to(someone.email)).toHaveLength(3);
  });

  test.each(['', 'cwmt_wrong', '%00', 'x'.repeat(3_000), '%F0%9F', '..;/'])(
    'a link with the token %j leads nowhere',
    async (token) => {
      const browser = browserSession(gateway);
      for (const path of ['/users/password/edit?reset_password_token=', '/users/confirmation?confirmation_token=']) {
        const first = await browser.get(path + token);
        const last = first.status === 303 ? await browser.get(first.location!) : first;
        expect([path, last.status]).toEqual([
          path,
          expect.toSatisfy((status: number) => status === 404 || status === 400),
        ]);
      }
    },
  );
});

describe('changing the password', () => {
  test('asks for the current one, ends the other sessions, and mails the person', async () => {
    const someone = await account(gateway, 'changing');
    const [here, elsewhere] = [
      await signIn(gateway, someone.username, someone.password),
      await signIn(gateway, someone.username, someone.password),
    ];
    const page = await here.get('/profile/password');
    const wrong = await here.press(page.form('Change'), { current: 'wrong', password: 'short' });
    expect([wrong.status, wrong.text]).toEqual([
      422,
      expect.stringMatching(/The password is wrong\..*The password is too short \(minimum is 8 characters\)\./),
    ]);
    const done = await here.press(page.form('Change'), { current: someone.password, password: 'a better password' });
    expect([done.status, done.location]).toEqual([303, '/profile/password']);
    expect((await here.get('/profile/password')).text).toContain('Your password is changed.');
    expect([await isIn(here), await isIn(elsewhere)]).toEqual([true, false]);
    await mails.latest(someone.email, 'was changed');
    expect(await isIn(await signIn(gateway, someone.username, 'a better password'))).toBe(true);
  });

  test('comes first after an administrator chose one over REST, but not for their tokens', async () => {
    const someone = await account(gateway, 'chosen-for');
    const token = await gateway.personalToken(someone.username, ['api']);
    const chosen = 'a pass phrase from above';
    const put = await gateway.rest('PUT', `/api/v4/users/${someone.id}`, {
      token: gateway.tokens.root,
      json: { password: chosen },
    });
    expect(put.status).toBe(200);
    const here = await signIn(gateway, someone.username, chosen);
    for (const path of ['/', '/profile/emails', '/oauth/authorize?client_id=x'])
      expect([path, (await here.get(path)).location]).toEqual([path, '/profile/password']);
    expect((await here.post('/profile/emails', {})).location).toBe('/profile/password');
    const page = await here.get('/profile/password');
    expect(page.text).toContain('An administrator chose your password.');
    expect((await gateway.rest('GET', '/api/v4/user', { token })).status).toBe(200);
    await here.press(page.form('Change'), { current: chosen, password: 'a better password' });
    expect([await isIn(here), await isIn(await signIn(gateway, someone.username, 'a better password'))]).toEqual([
      true,
      true,
    ]);
  });

  test('counts a wrong current one with every other wrong password', async () => {
    const someone = await account(gateway, 'guessed-at');
    const here = await signIn(gateway, someone.username, someone.password);
    const form = (await here.get('/profile/password')).form('Change');
    for (let tries = 0; tries < 10; tries++)
      await here.press(form, { current: `guess ${tries}`, password: 'a better password' });
    expect((await here.press(form, { current: someone.password, password: 'a better password' })).status).toBe(429);
  });
});

describe('addresses', () => {
  let person: Account;
  let browser: BrowserSession;
  const addresses = () =>
    gateway.sql<{ address: string; verified: boolean; main: boolean }>(
      'select address, verified_at is not null as verified, primary_of is not null as main from emails where user_id = $1 order by id',
      [person.id],
    );
  const press = async (address: string, button: string) => {
    const page = await browser.get('/profile/emails');
    const form = page.forms.find((one) => one.button === `${button} ${address}`);
    if (!form) throw new Error(`No “${button}” for ${address}: ${page.forms.map((one) => one.button).join('; ')}`);
    return await browser.press(form);
  };
  beforeAll(async () => {
    person = await account(gateway, 'collector');
    browser = await signIn(gateway, person.username, person.password);
  });

  test('are added unconfirmed, and confirmed by a press on the page of the link, without signing in', async () => {
    const added = await browser.press((await browser.get('/profile/emails')).form('Add'), {
      address: ' Second@Collector.example ',
    });
    expect([added.status, added.location]).toEqual([303, '/profile/emails']);
    expect((await browser.get('/profile/emails')).text).toMatch(/The address is added\. Check its mail/);
    const { link, text } = await mails.latest('second@collector.example', 'Confirm your e-mail address');
    expect(text).toContain('collector');
    await mails.latest(person.email, 'was added');
    // A mail scanner has followed the link already.
    const { page } = await follow(link);
    expect(await addresses()).toContainEqual({ address: 'second@collector.example', verified: false, main: false });
    expect(page.text).toMatch(/second@collector\.example yours, and collector your account/);
    const { browser: other, page: mine } = await follow(link);
    const confirmed = await other.press(mine.form('Yes'));
    expect([confirmed.status, confirmed.location]).toEqual([303, '/users/sign_in']);
    expect(await addresses()).toContainEqual({ address: 'second@collector.example', verified: true, main: false });
    expect((await other.press(mine.form('Yes'))).status).toBe(404);
    expect((await follow(link)).page.status).toBe(404);
  });

  test('a confirmed one can become the primary one, and the old primary address gets a mail', async () => {
    expect((await press('second@collector.example', 'Make primary')).location).toBe('/profile/emails');
    expect(await addresses()).toEqual([
      { address: 'collector@example.com', verified: true, main: false },
      { address: 'second@collector.example', verified: true, main: true },
    ]);
    expect((await mails.latest('collector@example.com', 'Your primary e-mail address was changed')).text).not.toContain(
      'second@',
    );
    expect(await isIn(browser)).toBe(true);
  });

  test('one that isn’t confirmed can’t be, and the primary one can’t be removed', async () => {
    const [third] = await gateway.sql<{ id: number }>(
      `insert into emails (user_id, address) values ($1, 'third@collector.example') returning id`,
      [person.id],
    );
    const run = (source: string, emailId: number | string) =>
      asPage(gateway, browser.cookies.get('causeway_session')!, source, { input: { emailId: String(emailId) } });
    await expect(
      run('mutation ($input: OwnEmailInput!) { makeEmailPrimary(input: $input) { email { id } } }', third!.id),
    ).rejects.toThrow('Confirm the address first.');
    const [primary] = await gateway.sql<{ id: number }>('select id from emails where primary_of = $1', [person.id]);
    const remove = 'mutation ($input: OwnEmailInput!) { removeOwnEmail(input: $input) { user { id } } }';
    await expect(run(remove, primary!.id)).rejects.toThrow('can’t be removed');
    // Addresses of others look like missing ones.
    const [others] = await gateway.sql<{ id: number }>('select id from emails where user_id <> $1 limit 1', [
      person.id,
    ]);
    await expect(run(remove, others!.id)).rejects.toThrow('Email not found.');
    await expect(run(remove, 'x')).rejects.toThrow('Email not found.');
  });

  test('row 32: with concurrent requests there is one primary address, and it is confirmed', async () => {
    const emails = await gateway.sql<{ id: number; address: string }>(
      'select id, address from emails where user_id = $1',
      [person.id],
    );
    const secret = browser.cookies.get('causeway_session')!;
    const token = await gateway.personalToken(person.username, ['read_user']);
    const shown = new Set<string>();
    const changes = Array.from({ length: 30 }, (_nothing, index) =>
      asPage(
        gateway,
        secret,
        'mutation ($input: OwnEmailInput!) { makeEmailPrimary(input: $input) { email { id } } }',
        {
          input: { emailId: String(emails[index % emails.length]!.id) },
        },
      ).catch((error: Error) => expect(error.message).toBe('Confirm the address first.')),
    );
    const readings = Array.from({ length: 30 }, async () => {
      const { body } = await gateway.rest('GET', '/api/v4/user', { headers: { 'private-token': token } });
      shown.add((body as { email: string }).email);
    });
    await Promise.all([...changes, ...readings]);
    expect(
      [...shown].filter((address) => !['collector@example.com', 'second@collector.example'].includes(address)),
    ).toEqual([]);
    expect((await addresses()).filter(({ main }) => main)).toEqual([expect.objectContaining({ verified: true })]);
  });

  test('are removed, and no longer shown', async () => {
    await gateway.sql(`update users set public_email = 'Third@collector.example' where id = $1`, [person.id]);
    expect((await press('third@collector.example', 'Remove')).location).toBe('/profile/emails');
    expect((await addresses()).map(({ address }) => address)).not.toContain('third@collector.example');
    expect(await gateway.sql('select public_email from users where id = $1', [person.id])).toEqual([
      { public_email: null },
    ]);
  });

  test.each([
    ['', 'The address can&#39;t be blank.'],
    ['no address', 'The address is invalid.'],
    ['a@b\r\nBcc: c@d', 'The address is invalid.'],
    // A mail server reads these as a@example.com, or as no address.
    ['<a@example.com', 'The address is invalid.'],
    ['a@example.com>', 'The address is invalid.'],
    ['a,b@example.com', 'The address is invalid.'],
    ['a@[127.0.0.1]', 'The address is invalid.'],
    ['a\u202e@example.com', 'The address is invalid.'],
    [`${'x'.repeat(250)}@example.com`, 'The address is invalid.'],
    ['MAINTAINER@example.com', 'The address has already been taken.'],
  ])('%j is refused next to its field', async (address, says) => {
    const answer = await browser.press((await browser.get('/profile/emails')).form('Add'), { address });
    expect([answer.status, answer.html.replaceAll("'", '&#39;')]).toEqual([
      422,
      expect.stringContaining(`<ul class="mistakes" id="address-error"><li>${says}</li>`),
    ]);
  });

  test('the link is sent again, up to a daily limit', async () => {
    await browser.press((await browser.get('/profile/emails')).form('Add'), { address: 'again@collector.example' });
    const statuses: number[] = [];
    for (let time = 0; time < 5; time++)
      statuses.push((await press('again@collector.example', 'Send the link again')).status);
    expect(statuses).toEqual([303, 303, 303, 303, 429]);
    await vi.waitFor(() => expect(mails.to('again@collector.example')).toHaveLength(5), patience);
  });

  test('one that was added and never confirmed is free again after a day', async () => {
    await gateway.sql(`insert into emails (user_id, address) values ($1, 'squatted@example.com')`, [person.id]);
    const owner = await signIn(gateway, 'developer');
    const add = async () =>
      (await owner.press((await owner.get('/profile/emails')).form('Add'), { address: 'squatted@example.com' })).status;
    expect(await add()).toBe(422);
    await age(gateway, 'emails', ['created_at'], 86_401, `address = 'squatted@example.com'`);
    expect(await add()).toBe(303);
  });

  test('changing them needs a recently confirmed password', async () => {
    const page = await browser.get('/profile/emails');
    await age(
      gateway,
      'sessions',
      ['authenticated_at'],
      16 * 60,
      `digest = '\\x${digestOf(browser.cookies.get('causeway_session')!).toString('hex')}'`,
    );
    expect((await browser.press(page.form('Add'), { address: 'late@collector.example' })).location).toMatch(
      /^\/users\/confirm_password/,
    );
    expect((await browser.press(page.forms.find(({ button }) => button.startsWith('Remove'))!)).location).toMatch(
      /^\/users\/confirm_password/,
    );
  });
});

describe('signing up', () => {
  const fill = {
    username: 'newcomer',
    name: 'Nora Newcomer',
    email: 'Newcomer@new.example',
    password: 'a good password',
  };
  const signUp = async (fields: Record<string, string>) => {
    const browser = browserSession(gateway);
    return {
      browser,
      answer: await browser.press((await browser.get('/users/sign_up')).form('Register'), fields),
    };
  };
  const people = async () => Number((await gateway.sql<{ count: string }>('select count(*) from users'))[0]!.count);

  test('creates an account that works once its address is confirmed', async () => {
    expect((await browserSession(gateway).get('/users/sign_in')).html).toContain('href="/users/sign_up"');
    const { browser, answer } = await signUp(fill);
    expect([answer.status, answer.location]).toEqual([303, '/users/sign_in']);
    expect((await browser.get('/users/sign_in')).text).toContain('Check your mail');
    await expect(signIn(gateway, 'newcomer', 'a guess')).rejects.toThrow('Name or password is wrong');
    expect((await signIn(gateway, 'newcomer', fill.password)).cookies.has('causeway_session')).toBe(false);
    const { browser: other, page } = await follow((await mails.latest('newcomer@new.example', 'Confirm')).link);
    await other.press(page.form('Yes'), { password: fill.password });
    const me = await signIn(gateway, 'newcomer', fill.password);
    expect((await me.get('/newcomer')).text).toContain('Nora Newcomer');
    expect((await me.get('/profile/emails')).text).toContain('newcomer@new.example');
  });

  test('waits for an administrator where the instance requires that, before and after the address is confirmed', async () => {
    await gateway.sql(`update instance set settings = settings || '{"requireAdminApprovalAfterUserSignup": true}'`);
    const person = { ...fill, username: 'patient', email: 'patient@new.example' };
    const read = async () => (await browserSession(gateway).get('/users/sign_up')).text;
    await vi.waitFor(async () => expect(await read()).toContain('An administrator approves new accounts'), patience);
    const { browser, answer } = await signUp(person);
    expect(answer.status).toBe(303);
    expect((await browser.get('/users/sign_in')).text).toContain('once an administrator has approved your account');
    const state = () => gateway.sql(`select state::text, blocked_as::text from users where username = 'patient'`);
    expect(await state()).toEqual([{ state: 'BLOCKED', blocked_as: 'BLOCKED_PENDING_APPROVAL' }]);
    await expect(signIn(gateway, 'patient', fill.password)).rejects.toThrow('Name or password is wrong');
    const { browser: other, page } = await follow((await mails.latest('patient@new.example', 'Confirm')).link);
    expect((await other.press(page.form('Yes'), { password: fill.password })).status).toBe(303);
    await expect(signIn(gateway, 'patient', fill.password)).rejects.toThrow('Name or password is wrong');
    const [{ id }] = (await gateway.sql<{ id: number }>(`select id from users where username = 'patient'`)) as [
      { id: number },
    ];
    const approved = await gateway.rest('POST', `/api/v4/users/${id}/approve`, { token: gateway.tokens.root });
    expect([approved.status, approved.body]).toEqual([201, { message: 'Success' }]);
    await mails.latest('patient@new.example', 'approved');
    expect((await signIn(gateway, 'patient', fill.password)).cookies.has('causeway_session')).toBe(true);
    await gateway.sql(`update instance set settings = settings - 'requireAdminApprovalAfterUserSignup'`);
    await vi.waitFor(async () => expect(await read()).not.toContain('An administrator approves'), patience);
  });

  describe('and signing in before the address is confirmed', () => {
    const typed = async (login: string, password: string) => {
      const browser = browserSession(gateway);
      const page = await browser.get('/users/sign_in?return_to=/docs');
      return { browser, answer: await browser.press(page.form('Sign in'), { login, password }) };
    };
    const newMails = (address: string) => mails.to(address).filter(({ subject }) => subject.includes('Confirm')).length;

    test('says so after the right password alone, and sends the link again', async () => {
      await signUp({ ...fill, username: 'absent-minded', email: 'absent-minded@new.example' });
      await mails.latest('absent-minded@new.example', 'Confirm');
      for (const login of ['absent-minded', 'Absent-Minded@new.example']) {
        const { browser, answer } = await typed(login, fill.password);
        expect([answer.status, answer.location]).toEqual([303, '/users/confirmation/new?return_to=%2Fdocs']);
        expect(browser.cookies.has('causeway_session')).toBe(false);
        const page = await browser.get(answer.location!);
        expect(page.text).toContain(
          'Your password is right. Confirm the e-mail address of the account before you sign in.',
        );
        const before = newMails('absent-minded@new.example');
        const sent = await browser.press(page.form('Send the link again'));
        expect([sent.status, sent.location]).toEqual([303, '/users/sign_in?return_to=%2Fdocs']);
        expect((await browser.get(sent.location!)).text).toContain(
          'A message with the link that confirms your address is on its way.',
        );
        await vi.waitFor(() => expect(newMails('absent-minded@new.example')).toBe(before + 1), patience);
      }
      const { browser: other, page } = await follow((await mails.latest('absent-minded@new.example', 'Confirm')).link);
      await other.press(page.form('Yes'), { password: fill.password });
      expect((await signIn(gateway, 'absent-minded', fill.password)).cookies.has('causeway_session')).toBe(true);
    });

    test('a wrong password looks like that of any name, and counts', async () => {
      await signUp({ ...fill, username: 'guarded', email: 'guarded@new.example' });
      const of = async (login: string) => {
        const { browser, answer } = await typed(login, 'a guess');
        return [answer.status, answer.text.replaceAll(login, 'NAME'), browser.cookies.has('causeway_unconfirmed')];
      };
      const [status, text, cookie] = await of('guarded');
      expect([status, cookie]).toEqual([422, false]);
      expect(text).toContain('Name or password is wrong.');
      for (const other of ['no-such-user', 'guarded@new.example'])
        expect(await of(other)).toEqual([status, text, cookie]);
    });

    test('the link is sent within the daily limit, to the browser that gave the password, for ten minutes', async () => {
      await signUp({ ...fill, username: 'insistent', email: 'insistent@new.example' });
      const { browser, answer } = await typed('insistent', fill.password);
      const form = (await browser.get(answer.location!)).form('Send the link again');
      const stolen = browserSession(
        gateway,
        new Map([['causeway_unconfirmed', browser.cookies.get('causeway_unconfirmed')!]]),
      );
      const theirs = (await stolen.get('/users/confirmation/new')).form('Send the link again');
      expect((await stolen.press(theirs)).location).toBe('/users/sign_in');
      expect((await browserSession(gateway).get('/users/confirmation/new')).location).toBe('/users/sign_in');
      for (let time = 0; time < 4; time++) expect((await browser.press(form)).status).toBe(303);
      expect((await browser.press(form)).status).toBe(429);
      await gateway.sql(`update users set state = 'BLOCKED' where username = 'insistent'`);
      expect((await browser.press(form)).location).toMatch(/^\/users\/sign_in/);
      expect((await typed('insistent', fill.password)).answer.status).toBe(422);
    });
  });

  test('row 32: signing up with another person’s address gains nothing, because confirming needs the password too', async () => {
    await signUp({ ...fill, username: 'squatter', email: 'victim@new.example' });
    const { link } = await mails.latest('victim@new.example', 'Confirm');
    const { browser, page } = await follow(link);
    expect(page.text).toContain('Password of the account');
    for (const password of ['', 'a guess of the victim']) {
      const refused = await browser.press(page.form('Yes'), { password });
      expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('The password is wrong.')]);
    }
    expect((await signIn(gateway, 'squatter', fill.password)).cookies.has('causeway_session')).toBe(false);
    expect(await gateway.sql(`select verified_at from emails where address = 'victim@new.example'`)).toEqual([
      { verified_at: null },
    ]);
    // The link still works.
    expect((await browser.press(page.form('Yes'), { password: fill.password })).status).toBe(303);
    await signIn(gateway, 'squatter', fill.password);
  });

  test('an account that is never confirmed is removed a week after its last link, and its name and address are free again', async () => {
    for (const username of ['late', 'asked-again', 'invited'])
      await signUp({ ...fill, username, email: `${username}@forgotten.example` });
    const { createUser } = await gateway.operator<{ createUser: { user: { id: number } } }>(
      'mutation ($input: CreateUserInput!) { createUser(input: $input) { user { id: databaseId } } }',
      { input: { username: 'made-for', name: 'Made', email: 'made-for@forgotten.example', emailVerified: false } },
    );
    await gateway.sql(
      `insert into mailed_tokens (kind, user_id, email_id, digest, expires_at) select 'VERIFY_EMAIL', user_id, id, 'x', now() from emails where user_id = $1`,
      [createUser.user.id],
    );
    await gateway.sql(
      `insert into group_members (user_id, group_id, access_level) select u.id, n.id, 10 from users u, namespaces n where u.username = 'invited' and n.full_path = 'demo'`,
    );
    const left = async () =>
      (
        await gateway.sql<{ username: string }>(
          `select username from users u join emails e on e.user_id = u.id where address like '%@forgotten.example' order by 1`,
        )
      ).map(({ username }) => username);
    const { database } = gateway.gateway.application;

    await gateway.sql(
      `update mailed_tokens set expires_at = now() - interval '5 days' where email_id in (select id from emails where address like '%@forgotten.example')`,
    );
    await sweep({ database, auditDays: 365 });
    expect(await left()).toEqual(['asked-again', 'invited', 'late', 'made-for']);

    await gateway.sql(
      `update mailed_tokens set expires_at = now() - interval '7 days' where email_id in (select id from emails where address like '%@forgotten.example')`,
    );
    await signUp({ ...fill, username: 'another-name', email: 'asked-again@forgotten.example' });
    await mails.latest('asked-again@forgotten.example', 'Confirm');
    await sweep({ database, auditDays: 365 });
    expect(await left()).toEqual(['asked-again', 'invited', 'made-for']);
    expect(
      await gateway.sql(
        `select detail, actor_id from audit_events where kind = 'user_deleted' and detail = 'never confirmed'`,
      ),
    ).toEqual([{ detail: 'never confirmed', actor_id: null }]);
    expect((await signUp({ ...fill, username: 'late', email: 'late@forgotten.example' })).answer.status).toBe(303);
  });

  test('answers the same for a taken address, creates nothing, and mails the owner', async () => {
    const before = await people();
    const { browser, answer } = await signUp({ ...fill, username: 'impostor', email: 'maintainer@example.com' });
    expect([answer.status, answer.location]).toEqual([303, '/users/sign_in']);
    expect((await browser.get('/users/sign_in')).text).toContain('Check your mail');
    const { text } = await mails.latest('maintainer@example.com', 'You already have an account');
    expect(text).toContain('maintainer');
    expect(text).not.toContain('impostor');
    expect(await people()).toBe(before);
  });

  test('a taken name is reported, whether the address is known or not', async () => {
    for (const email of ['maintainer@example.com', 'unknown@new.example']) {
      const { answer } = await signUp({ ...fill, username: 'ROOT', email });
      expect([answer.status, answer.text]).toEqual([
        422,
        expect.stringContaining('The username has already been taken.'),
      ]);
    }
  });

  test('signing up again sends the message again', async () => {
    await signUp({ ...fill, username: 'lost', email: 'lost@new.example' });
    await signUp({ ...fill, username: 'lost-again', email: 'lost@new.example' });
    await vi.waitFor(
      () =>
        expect(mails.to('lost@new.example').map(({ subject }) => subject)).toEqual(
          Array(2).fill('Confirm your e-mail address'),
        ),
      patience,
    );
  });

  test('errors are next to their fields, and what was typed stays, except the password', async () => {
    const { answer } = await signUp({ username: 'admin', name: ' ', email: 'nowhere', password: 'secret!' });
    expect(answer.status).toBe(422);
    for (const field of ['username', 'name', 'email', 'password']) expect(answer.html).toContain(`id="${field}-error"`);
    expect(answer.form('Register').fields).toMatchObject({ username: 'admin', email: 'nowhere', password: '' });
    expect(answer.html).not.toContain('secret!');
  });

  test('is closed unless the operator or an administrator allows it', async () => {
    const closed = await testGateway(mails.settings, gateway);
    const page = await browserSession(closed).get('/users/sign_up');
    expect([page.status, page.text]).toEqual([403, expect.stringContaining('Registration is closed')]);
    expect((await browserSession(closed).get('/users/sign_in')).html).not.toContain('sign_up');
    const attempt = asPage(closed, null, 'mutation ($input: SignUpInput!) { signUp(input: $input) }', { input: fill });
    await expect(attempt).rejects.toThrow('Accounts are made by an administrator here.');
    await gateway.sql(`update instance set settings = '{"signUp": true}'`);
    await vi.waitFor(
      async () => expect((await browserSession(closed).get('/users/sign_up')).status).toBe(200),
      patience,
    );
    await gateway.sql(`update instance set settings = '{"signUp": false}'`);
    await vi.waitFor(
      async () => expect((await browserSession(gateway).get('/users/sign_up')).status).toBe(403),
      patience,
    );
    await gateway.sql(`update instance set settings = '{}'`);
  });
});

describe('where no mail is sent', () => {
  let silent: Awaited<ReturnType<typeof testGateway>>;
  beforeAll(async () => {
    silent = await testGateway({}, gateway);
  });

  test('a forgotten password needs an administrator, who creates the link', async () => {
    const page = await browserSession(silent).get('/users/password/new');
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('Ask an administrator')]);
    const someone = await account(gateway, 'without-mail');
    const administrator = await session(silent, 'link-maker', { administrator: true });
    const source =
      'mutation ($input: CreatePasswordResetLinkInput!) { made: createPasswordResetLink(input: $input) { url } }';
    const { made } = await administrator.run<{ made: { url: string } }>(source, { input: { userId: someone.id } });
    const browser = browserSession(silent);
    const location = (await browser.get(made.url.slice(silent.url.length))).location!;
    await browser.press((await browser.get(location)).form('Set the password'), { password: 'a new password' });
    expect((await (await signIn(silent, someone.username, 'a new password')).get('/profile/emails')).text).toContain(
      'sends no mail',
    );
    const outsider = await session(silent, 'no-link-maker');
    await expect(outsider.run(source, { input: { userId: someone.id } })).rejects.toThrow('not allowed');
  });

  test('sign-up can’t be switched on, and the switch says why', async () => {
    expect((await browserSession(silent).get('/users/sign_up')).status).toBe(403);
    const root = await signIn(silent, 'root', inject('passwords').root);
    const settings = await root.get('/admin/settings');
    expect(settings.text).toContain(
      'Can’t be switched on: without a mail server (CAUSEWAY_SMTP_URL) no e-mail address can be confirmed.',
    );
    expect(settings.html).toMatch(/<input type="checkbox" name="sign_up" value="on" disabled/);
    const refused = await root.press(settings.form('Save changes'), { sign_up: 'on', greeting: 'Hello.' });
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining(
        'Sign-up can’t be switched on: no mail server is named (CAUSEWAY_SMTP_URL), so that no address could be confirmed.',
      ),
    ]);
    expect(await gateway.sql('select settings from instance')).toEqual([{ settings: {} }]);
  });

  test('sign-up that was on before is without effect, shown so, and can be switched off', async () => {
    await gateway.sql(`update instance set settings = '{"signUp": true}'`);
    const root = await signIn(silent, 'root', inject('passwords').root);
    await vi.waitFor(
      async () => expect((await root.get('/admin/settings')).text).toContain('No effect: without a mail server'),
      patience,
    );
    expect((await browserSession(silent).get('/users/sign_up')).status).toBe(403);
    const form = (await root.get('/admin/settings')).form('Save changes');
    expect((await root.press(form)).status).toBe(303);
    const { sign_up: ticked, ...fields } = form.fields;
    expect([ticked, (await root.post(form.action, fields)).status]).toEqual(['on', 303]);
    expect(await gateway.sql('select settings from instance')).toEqual([{ settings: { signUp: false } }]);
    await gateway.sql(`update instance set settings = '{}'`);
  });
});

describe('a mail server that', () => {
  test('is briefly away gets the message later (retry with backoff); a permanent refusal isn’t retried', async () => {
    const someone = await account(gateway, 'patient-one');
    mails.refusals.push(451);
    await ask(someone.username);
    await mails.latest(someone.email, 'new password');
    expect(mails.refusals).toEqual([]);
    const other = await account(gateway, 'unreachable');
    mails.refusals.push(550);
    await ask(other.username);
    await vi.waitFor(() => expect(mails.refusals).toEqual([]), patience);
    await ask(someone.username);
    await vi.waitFor(() => expect(mails.to(someone.email)).toHaveLength(2), patience);
    expect(mails.to(other.email)).toEqual([]);
  });

  test('messages say the same as text and as HTML, in which nothing is markup', async () => {
    const someone = await account(gateway, 'html-reader');
    await ask(someone.username);
    const { text, html, link, from } = await mails.latest(someone.email, 'new password');
    expect(from).toBe('Causeway <causeway@example.com>');
    expect(html).toContain(`<a href="${link}">`);
    expect(text.replaceAll(/\s+/g, ' ')).toContain('The link works once, within an hour.');
    expect(html).toMatch(/^<!doctype html><html lang="en">/);
    // Who has accounts at several instances sees which one it is.
    for (const said of [text.replaceAll(/\s+/g, ' '), html.replaceAll(/\s+/g, ' ')])
      expect(said).toContain(`This message is from Causeway at ${new URL(gateway.url).host}.`);
    expect(html).not.toMatch(/<(img|script|style|link)/);
  });
});
