import { beforeEach, describe, expect, test } from 'vitest';
import { turnOn } from './support/authenticator.ts';
import { browserSession, signIn, type BrowserSession, type WebPage } from './support/browser-session.ts';
import { testGateway } from './support/gateway.ts';
import { whileHeld, type Held } from './support/held.ts';
import { account, type Account } from './support/oauth.ts';

/** Whoever ends something while a password or a code is being checked, ends it for whoever is about to be let in too. */

const gateway = await testGateway();
const endSessions = '/profile/sessions/end_all';

let people = 0;
let person: Account;
/** Where the person is signed in besides. */
let elsewhere: BrowserSession;
beforeEach(async () => {
  person = await account(gateway, `hurried-${people++}`);
  elsewhere = await signIn(gateway, person.username, person.password);
});

/** Holds a check where it is counted, when all that it goes by was read, until something else has happened. */
async function whileChecked(check: () => Promise<WebPage>, happens: () => Promise<unknown>): Promise<WebPage> {
  const counter: Held = [`select from attempt_counters where key like 'account user ' || $1 || ' from %' for update`, person.id];
  return (await whileHeld(gateway, counter, [check], happens))[0]!;
}

const signOutEverywhere = async () => elsewhere.press((await elsewhere.get(endSessions)).form('Sign out everywhere'));
const block = () => gateway.sql(`update users set state = 'BLOCKED' where id = $1`, [person.id]);
const audited = async () =>
  (await gateway.sql<{ kind: string }>('select kind from audit_events where user_id = $1 order by id desc limit 1', [person.id]))[0]!.kind;

describe('signing in opens no session', () => {
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

  test('by the second factor either, where meanwhile the person signed out everywhere', async () => {
    const { app } = await turnOn(gateway, elsewhere);
    const browser = browserSession(gateway);
    const { username: login, password } = person;
    await browser.press((await browser.get('/users/sign_in')).form('Sign in'), { login, password });
    const form = (await browser.get('/users/sign_in/second_factor')).form('Go on');
    const answer = await whileChecked(() => browser.press(form, { code: app.code() }), signOutEverywhere);
    expect([answer.location, browser.cookies.has('causeway_session')]).toEqual(['/users/sign_in', false]);
    expect(await audited()).not.toBe('signed_in');
  });
});

describe('confirming who one is leads back to signing in', () => {
  test.each(['password', 'code'])('where meanwhile the session ended, even by a right %s', async (by) => {
    const { app } = await turnOn(gateway, elsewhere);
    const form = (await elsewhere.get('/users/confirm_password')).form('Confirm');
    const here = browserSession(gateway, elsewhere.cookies);
    const before = here.cookies.get('causeway_session');
    const answer = await whileChecked(() => here.press(form, by === 'code' ? { code: app.code() } : { password: person.password }), signOutEverywhere);
    expect([answer.status, answer.location]).toEqual([303, expect.stringMatching(/^\/users\/sign_in\?/)]);
    expect(here.cookies.get('causeway_session')).toBe(before);
    expect(await audited()).not.toMatch(/confirmed/);
  });
});
