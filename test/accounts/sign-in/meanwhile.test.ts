import { beforeEach, describe, expect, test } from 'vitest';
import { turnOn } from '../../support/oauth/authenticator.ts';
import { browserSession, signIn, type BrowserSession, type WebPage } from '../../support/pages/browser-session.ts';
import { testGateway } from '../../support/gateway.ts';
import { whileHeld, type Held } from '../../support/databases/held.ts';
import { account, type Account } from '../../support/oauth/oauth.ts';

/** Ending sessions or blocking an account also stops a sign-in whose password or code is being checked at that moment. */

const gateway = await testGateway();
const endSessions = '/profile/sessions/end_all';

let people = 0;
let person: Account;
/** Another session of the person. */
let elsewhere: BrowserSession;
beforeEach(async () => {
  person = await account(gateway, `hurried-${people++}`);
  elsewhere = await signIn(gateway, person.username, person.password);
});

/** Holds a check after it has read everything, until another action is done. */
async function whileChecked(check: () => Promise<WebPage>, happens: () => Promise<unknown>): Promise<WebPage> {
  const counter: Held = [
    `select from attempt_counters where key like 'account user ' || $1 || ' from %' for update`,
    person.id,
  ];
  return (await whileHeld(gateway, counter, [check], happens))[0]!;
}

const signOutEverywhere = async () => elsewhere.press((await elsewhere.get(endSessions)).form('Sign out everywhere'));
const block = () => gateway.sql(`update users set state = 'BLOCKED' where id = $1`, [person.id]);
const audited = async () =>
  (
    await gateway.sql<{ kind: string }>('select kind from audit_events where user_id = $1 order by id desc limit 1', [
      person.id,
    ])
  )[0]!.kind;

describe('signing in opens no session (rows 21, 22)', () => {
  test.each([
    ['the person signed out everywhere', signOutEverywhere],
    ['the account was blocked', block],
  ])('where meanwhile %s, and looks like a wrong password', async (_what, happens) => {
    const browser = browserSession(gateway);
    const form = (await browser.get('/users/sign_in')).form('Sign in');
    const { username: login, password } = person;
    const answer = await whileChecked(() => browser.press(form, { login, password }), happens);
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('Name or password is wrong.')]);
    expect(browser.cookies.has('causeway_session')).toBe(false);
    expect(await audited()).toBe('sign_in_refused');
  });

  test('by the second factor either, if the person signs out everywhere meanwhile', async () => {
    const { app } = await turnOn(gateway, elsewhere);
    const browser = browserSession(gateway);
    const { username: login, password } = person;
    await browser.press((await browser.get('/users/sign_in')).form('Sign in'), { login, password });
    const form = (await browser.get('/users/sign_in/second_factor')).form('Verify code');
    const answer = await whileChecked(() => browser.press(form, { code: app.code() }), signOutEverywhere);
    expect([answer.location, browser.cookies.has('causeway_session')]).toEqual(['/users/sign_in', false]);
    expect(await audited()).not.toBe('signed_in');
  });
});

test('a session opened by a code counts from the time of the password: signing out everywhere in between ends it (row 21)', async () => {
  const { app } = await turnOn(gateway, elsewhere);
  const browser = browserSession(gateway);
  const { id, username: login, password } = person;
  await browser.press((await browser.get('/users/sign_in')).form('Sign in'), { login, password });
  const form = (await browser.get('/users/sign_in/second_factor')).form('Verify code');
  // The sign-in waits for the account, and opens its session afterwards.
  const ending: Held = ['update users set valid_from = clock_timestamp() where id = $1', id];
  await whileHeld(gateway, ending, [() => browser.press(form, { code: app.code() })]);
  expect((await browser.get('/profile/sessions')).status).toBe(303);
});

describe('confirming the password redirects to sign-in (row 21)', () => {
  test.each([
    ['password', 'the person signed out everywhere', signOutEverywhere],
    ['code', 'the person signed out everywhere', signOutEverywhere],
    ['password', 'the account was blocked', block],
  ] as const)('by a right %s too, where meanwhile %s', async (by, _what, happens) => {
    const { app } = await turnOn(gateway, elsewhere);
    const form = (await elsewhere.get('/users/confirm_password')).form('Confirm');
    const here = browserSession(gateway, elsewhere.cookies);
    const before = here.cookies.get('causeway_session');
    const answer = await whileChecked(
      () => here.press(form, by === 'code' ? { code: app.code() } : { password: person.password }),
      happens,
    );
    expect([answer.status, answer.location]).toEqual([303, expect.stringMatching(/^\/users\/sign_in\?/)]);
    expect(here.cookies.get('causeway_session')).toBe(before);
    expect(await audited()).not.toMatch(/confirmed/);
  });
});
