import { beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { neverKept } from '../../src/web/site/forms/interrupted.ts';
import {
  browserSession,
  signIn,
  type BrowserSession,
  type PageForm,
  type WebPage,
} from '../support/pages/browser-session.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { account, age, digestOf, type Account } from '../support/oauth/oauth.ts';

/** A session that ends while a person fills in a form: the page says so, and restores what was typed, except secrets. */

let gateway: TestGateway;
let person: Account;
let browser: BrowserSession;
beforeAll(async () => {
  gateway = await testGateway();
  person = await account(gateway, 'typist');
});
beforeEach(async () => {
  browser = await signIn(gateway, person.username, person.password);
});

const sessionOf = (of: BrowserSession) =>
  `digest = '\\x${digestOf(of.cookies.get('causeway_session')!).toString('hex')}'`;

/** How a session ends in the middle. */
const ends: Record<string, () => Promise<unknown>> = {
  'from elsewhere': () => gateway.sql(`delete from sessions where ${sessionOf(browser)}`),
  'by its age': () => age(gateway, 'sessions', ['created_at', 'last_used_at'], 40 * 86_400, sessionOf(browser)),
  'with the browser, which forgets its cookie': async () => browser.cookies.delete('causeway_session'),
  'in another tab': async () => browser.press((await browser.get('/docs/migration')).form('Sign out')),
};

/** Signs in on the page of the redirect. @returns the page after that */
async function signInAgain(answer: WebPage, by = browser, who = person): Promise<WebPage> {
  const page = await by.get(answer.location!);
  const entered = await by.press(page.form('Sign in'), { login: who.username, password: who.password });
  expect(entered.status).toBe(303);
  return await by.get(entered.location!);
}

const saysEnded =
  'Your session has ended. Nothing was changed. Sign in to continue: what you typed is kept, except passwords and codes.';
const saysRestored = 'Nothing is saved yet. What you typed is restored, except passwords and codes.';

const typed = { name: 'A “new” <b>name</b>', public_email: '' };
const profile = async (): Promise<PageForm> => (await browser.get('/profile')).form('Save changes');
const nameOf = async () =>
  (await gateway.sql<{ name: string }>('select name from users where id = $1', [person.id]))[0]!.name;

describe('a session that ends', () => {
  test.each(Object.entries(ends))(
    '%s: the page says so, and after signing in the form is as it was',
    async (_how, end) => {
      const before = await nameOf();
      const form = await profile();
      await end();
      const answer = await browser.press(form, typed);
      expect([answer.status, answer.location]).toEqual([303, '/users/sign_in?return_to=%2Fprofile']);
      expect((await browser.get(answer.location!)).text).toContain(saysEnded);
      const page = await signInAgain(answer);
      expect(page.text).toContain(saysRestored);
      expect(page.form('Save changes').fields).toMatchObject(typed);
      expect(await nameOf()).toBe(before);
      // Only once: the next visit shows stored values.
      expect((await browser.get('/profile')).form('Save changes').fields.name).toBe(before);
      expect((await browser.press(page.form('Save changes'))).status).toBe(303);
      expect(await nameOf()).toBe(typed.name);
      await gateway.sql('update users set name = $2 where id = $1', [person.id, before]);
    },
  );

  test('restores choices too: boxes, levels, lines', async () => {
    const form = (await browser.get('/profile/applications/new')).form('Register');
    await ends['from elsewhere']!();
    const { 'grant.refresh_token': _refresh, ...fields } = form.fields;
    const answer = await browser.post(form.action, {
      ...fields,
      name: 'Kept',
      redirect_uris: 'https://one.example/\nhttps://two.example/',
      'scope.read_user': 'on',
      confidential: 'no',
    });
    const again = (await signInAgain(answer)).form('Register');
    expect(again.fields).toMatchObject({
      name: 'Kept',
      redirect_uris: 'https://one.example/\nhttps://two.example/',
      'scope.read_user': 'on',
      'grant.authorization_code': 'on',
      confidential: 'no',
    });
    expect(again.fields).not.toHaveProperty('grant.refresh_token');
    expect((await browser.press(again)).status).toBe(303);

    const notifications = (await browser.get('/profile/notifications')).form('Save changes');
    await ends['from elsewhere']!();
    const back = await signInAgain(
      await browser.press(notifications, { 'level.global': 'CUSTOM', 'on.global.NEW_NOTE': 'on' }),
    );
    const filled = back.form('Save changes');
    expect(filled.fields).toMatchObject({
      'level.global': 'CUSTOM',
      'on.global.NEW_NOTE': 'on',
      'was.global': expect.stringMatching(/^PARTICIPATING/),
    });
    expect(/data-unsaved(?:="true")?>/.test(back.html)).toBe(true);
    expect((await browser.press(filled)).status).toBe(303);
    expect(await gateway.sql('select level from global_notification_settings where user_id = $1', [person.id])).toEqual(
      [{ level: 'CUSTOM' }],
    );
  });

  test('says so if there is nothing to keep', async () => {
    const form = (await browser.get('/profile/second_factor')).form('Enable two-factor');
    await ends['from elsewhere']!();
    const answer = await browser.press(form);
    expect((await browser.get(answer.location!)).text).toContain(
      'Your session has ended. Nothing was changed. Sign in to continue. ',
    );
    expect(browser.cookies.has('causeway_draft')).toBe(false);
  });

  test('never keeps a secret', async () => {
    const form = (await browser.get('/profile/password')).form('Change');
    await ends['from elsewhere']!();
    const answer = await browser.press(form, { current: person.password, password: 'a new secret of mine' });
    const page = await signInAgain(answer);
    expect(page.form('Change').fields).toMatchObject({ current: '', password: '' });

    const root = await signIn(gateway, 'root', inject('passwords').root);
    const making = (await root.get('/admin/users/new')).form('Create user');
    await gateway.sql(`delete from sessions where ${sessionOf(root)}`);
    const made = await root.press(making, {
      username: 'half-made',
      name: 'Half',
      email: 'half@example.com',
      password: 'a lantern on the quay',
    });
    const again = await signInAgain(made, root, { ...person, username: 'root', password: inject('passwords').root });
    expect(again.form('Create user').fields).toMatchObject({
      username: 'half-made',
      email: 'half@example.com',
      password: '',
    });
  });

  test('every field for a password or a code is among those that are never kept', async () => {
    const root = await signIn(gateway, 'root', inject('passwords').root);
    const pages = [
      '/users/sign_in',
      '/users/sign_up',
      '/users/confirm_password',
      '/profile/password',
      '/admin/users/new',
      `/admin/users/${person.id}/password`,
    ];
    const secret = new Set<string>();
    for (const path of pages)
      for (const { controls } of (await root.get(path)).forms)
        for (const { name, type } of controls) if (type === 'password') secret.add(name);
    expect([...secret, 'code'].filter((name) => !neverKept.test(name))).toEqual([]);
    expect(secret.size).toBeGreaterThan(1);
  });

  test('fields too long for a cookie aren’t kept, and the page says so', async () => {
    const form = (await browser.get('/profile/applications/new')).form('Register');
    await ends['from elsewhere']!();
    const random = Array.from({ length: 120 }, () => `https://${crypto.randomUUID()}.example/`).join('\n');
    const answer = await browser.press(form, { name: 'Long', redirect_uris: random });
    expect((await browser.get(answer.location!)).text).toContain('what you typed can’t be kept');
    expect((await signInAgain(answer)).form('Register').fields.name).toBe('');
  });

  test('nothing is kept of a form that the gateway didn’t show in this browser', async () => {
    const form = await profile();
    const others = await signIn(gateway, 'guest');
    for (const token of [
      '',
      'made-up',
      `x.${person.id}.y`,
      (await others.get('/profile')).form('Save changes').fields.form_token!,
    ]) {
      const stranger = browserSession(
        gateway,
        new Map([['causeway_browser', browser.cookies.get('causeway_browser')!]]),
      );
      expect((await stranger.post(form.action, { ...typed, form_token: token })).status).toBe(303);
      expect(stranger.cookies.has('causeway_draft')).toBe(false);
    }
    const foreign = browserSession(gateway, browser.cookies);
    expect(
      (await foreign.post(form.action, { ...form.fields, ...typed }, { origin: 'https://elsewhere.example' })).status,
    ).toBe(403);
    expect(foreign.cookies.has('causeway_draft')).toBe(false);
  });

  test('a draft isn’t shown to another person in the same browser, nor in another browser', async () => {
    const form = await profile();
    await ends['from elsewhere']!();
    const answer = await browser.press(form, typed);
    const guest = { ...person, username: 'guest', password: inject('passwords').demo };
    expect(
      (await signInAgain(answer, browserSession(gateway, browser.cookies), guest)).form('Save changes').fields.name,
    ).toBe('Guy Guest');
    const elsewhere = browserSession(gateway, new Map([['causeway_draft', browser.cookies.get('causeway_draft')!]]));
    expect((await signInAgain(answer, elsewhere)).form('Save changes').fields.name).toBe(person.username);
    expect((await signInAgain(answer)).form('Save changes').fields.name).toBe(typed.name);
  });
});

test('a form is restored after confirming the password, too', async () => {
  const form = (await browser.get('/profile/personal_access_tokens/new')).form('Create token');
  await age(gateway, 'sessions', ['authenticated_at'], 16 * 60, sessionOf(browser));
  const answer = await browser.press(form, { name: 'Typed before', 'scope.api': 'on' });
  expect(answer.location).toMatch(/^\/users\/confirm_password/);
  const confirmed = await browser.press((await browser.get(answer.location!)).form('Confirm'), {
    password: person.password,
  });
  const page = await browser.get(confirmed.location!);
  expect(page.text).toContain(saysRestored);
  expect(page.form('Create token').fields).toMatchObject({ name: 'Typed before', 'scope.api': 'on' });
  expect((await browser.press(page.form('Create token'))).status).toBe(303);
});
