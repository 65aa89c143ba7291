import { inject, beforeAll, describe, expect, test } from 'vitest';
import {
  browserSession,
  focusedOn,
  followed,
  signIn,
  type BrowserSession,
  type WebPage,
} from '../../support/pages/browser-session.ts';
import { testGateway } from '../../support/gateway.ts';
import { account, statusOf } from '../../support/oauth/oauth.ts';

const gateway = await testGateway();
const list = '/profile/personal_access_tokens';

let browser: BrowserSession;
beforeAll(async () => {
  const { username, password } = await account(gateway, 'tess');
  browser = await signIn(gateway, username, password);
});

const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
const secretOn = ({ html }: WebPage) => /<code class="secret">(cwpat_[\w-]{43})</.exec(html)?.[1] ?? '';

const make = async (fields: Record<string, string> = {}, by = browser) =>
  await followed(
    by,
    await by.press((await by.get(`${list}/new`)).form('Create token'), {
      name: 'Laptop',
      'scope.read_user': 'on',
      ...fields,
    }),
  );

/** The address of an action on a token in the list. */
async function wayTo(what: 'Rotate' | 'Revoke', name: string): Promise<string> {
  const { html } = await browser.get(list);
  const way = new RegExp(`href="([^"]*)">${what}<span class="hidden"> ${name}<`).exec(html)?.[1];
  if (!way) throw new Error(`No way to ${what} ${name}`);
  return way;
}

describe('creating a token', () => {
  test('shows it only once, and it works', async () => {
    const made = await make({ description: 'For the backup' });
    expect([made.status, made.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(made.text).toContain('Copy the token now.');
    const secret = secretOn(made);
    expect(await statusOf(gateway, secret)).toBe(200);
    const page = await browser.get(list);
    expect(page.html).not.toContain(secret);
    expect(page.text).toMatch(/Laptop For the backup read_user/);
  });

  test('the form’s default is 30 days, and only administrators are offered sudo', async () => {
    const root = await signIn(gateway, 'root', inject('passwords').root);
    const page = await browser.get(`${list}/new`);
    expect(page.form('Create token').fields).toMatchObject({ name: '', lasts: '30', expires_at: '' });
    expect(page.html).not.toContain('name="scope.sudo"');
    expect((await root.get(`${list}/new`)).html).toContain('name="scope.sudo"');
    expect(secretOn(await make({ 'scope.sudo': 'on' }, root))).not.toBe('');
  });

  test('a link can fill in the form', async () => {
    for (const path of [list, '/-/user_settings/personal_access_tokens', '/-/profile/personal_access_tokens']) {
      let answer = await browser.get(`${path}?name=Editor&scopes=read_api,api`);
      while (answer.location) answer = await browser.get(answer.location);
      expect(answer.form('Create token').fields).toMatchObject({
        name: 'Editor',
        'scope.api': 'on',
        'scope.read_api': 'on',
      });
    }
  });

  test.each([
    ['no name', { name: ' ' }, 'name', 'Name can’t be blank.'],
    ['a name that is too long', { name: 'x'.repeat(256) }, 'name', 'Name is too long (maximum is 255 characters).'],
    ['a description that is too long', { description: 'x'.repeat(1_001) }, 'description', 'Description is too long'],
    ['no scope', { 'scope.read_user': 'off' }, 'scopes', 'Scopes can’t be blank.'],
    ['an unknown scope', { 'scope.everything': 'on' }, 'scopes', 'Scopes can only contain available scopes.'],
    [
      'sudo, for a user who isn’t an administrator',
      { 'scope.sudo': 'on' },
      'scopes',
      'Scopes can contain sudo only for administrators.',
    ],
    ['no day', { expires_at: 'tomorrow' }, 'expires_at', 'Expiry must be a day.'],
    ['an invalid day', { expires_at: '2026-02-31' }, 'expires_at', 'Expiry must be a day.'],
    ['today', { expires_at: day(0) }, 'expires_at', `Expiry must be a day from tomorrow to ${day(365)}.`],
    ['more than a year', { expires_at: day(366) }, 'expires_at', `Expiry must be a day from tomorrow to ${day(365)}.`],
  ])('%s: the error is next to the field, and nothing is created', async (_name, fields, field, says) => {
    const before = await gateway.sql('select id from personal_access_tokens');
    const page = await make({ name: 'Kept', ...fields });
    expect(page.status).toBe(422);
    const errors = new RegExp(`<ul class="mistakes" id="${field}-error">(.*?)</ul>`).exec(page.html)?.[1];
    expect(errors?.replaceAll("'", '’')).toContain(says);
    expect(focusedOn(page)).toEqual([expect.stringContaining(`name="${field === 'scopes' ? 'scope.api' : field}"`)]);
    expect(await gateway.sql('select id from personal_access_tokens')).toEqual(before);
  });

  test.each([
    [{ lasts: '7' }, 7],
    [{ lasts: '365' }, 365],
    [{ lasts: '90', expires_at: day(12) }, 12],
    [{ lasts: '100000' }, 30],
  ])('%j lasts %i days', async (fields, days) => {
    const name = `Lasting ${days}`;
    await make({ name, expires_at: '', ...fields });
    const [made] = await gateway.sql<{ expires: string }>(
      'select expires_at::text as expires from personal_access_tokens where name = $1',
      [name],
    );
    expect(made!.expires).toBe(day(days));
  });

  test('a link fills in the form, and says which scopes it can’t ask for', async () => {
    const page = await browser.get(`${list}?name=Deploy&scopes=api,write_everything,sudo&expires_at=${day(3)}`);
    const { status, text } = await browser.get(page.location!);
    expect(status).toBe(200);
    expect(text).toContain('The link asks for write_everything sudo , which you can’t choose. There are api');
    const { fields } = (await browser.get(page.location!)).form('Create token');
    expect(fields).toMatchObject({ name: 'Deploy', 'scope.api': 'on', expires_at: day(3) });
  });

  test('requires the password again some time after signing in', async () => {
    const { username, password } = await account(gateway, 'stale');
    const stale = await signIn(gateway, username, password);
    const form = (await stale.get(`${list}/new`)).form('Create token');
    await gateway.sql(
      `update sessions set authenticated_at = now() - interval '16 minutes' where user_id = (select id from users where username = 'stale')`,
    );
    expect((await stale.get(`${list}/new`)).location).toMatch('/users/confirm_password?');
    expect((await stale.press(form, { name: 'x', 'scope.api': 'on' })).location).toMatch('/users/confirm_password?');
    expect((await stale.get(list)).status).toBe(200);
  });

  test('requires signing in, and the CSRF token of the page', async () => {
    for (const path of [list, `${list}/new`, `${list}/1/rotate`, `${list}/1/revoke`]) {
      expect((await browserSession(gateway).get(path)).location, path).toMatch('/users/sign_in?');
    }
    expect((await browser.post(`${list}/new`, { name: 'x', 'scope.api': 'on', expires_at: day(3) })).status).toBe(403);
  });
});

describe('a user’s tokens', () => {
  test('show their last use, and a warning before they expire', async () => {
    const secret = secretOn(await make({ name: 'Short', expires_at: day(3) }));
    await make({ name: 'Long', expires_at: day(30) });
    const row = async (name: string) =>
      new RegExp(`<bdi>${name}</bdi>.*?</tr>`).exec((await browser.get(list)).html)![0].replace(/<[^>]*>/g, ' ');
    expect(await row('Short')).toMatch(/Never .* Soon/);
    expect(await row('Long')).not.toContain('Soon');
    await statusOf(gateway, secret);
    expect(await row('Short')).not.toContain('Never');
    expect(await row('Short')).toMatch(/\d{4} at \d\d:\d\d UTC/);
  });

  test('are found by name where there are many', async () => {
    const { id, username, password } = await account(gateway, 'hoarder');
    const hoarder = await signIn(gateway, username, password);
    expect((await hoarder.get(list)).html).not.toContain('role="search"');
    await gateway.sql(
      `insert into personal_access_tokens (user_id, name, digest, scopes, revoked_at)
       select $1, case n when 30 then 'Needle' else 'Straw ' || n end, sha256(convert_to('hoarded ' || n, 'utf8')), '{api}',
              case when n > 55 then now() end from generate_series(1, 60) n`,
      [id],
    );
    const page = await hoarder.get(list);
    expect(page.html).toContain('role="search"');
    const found = await hoarder.get(`${list}?search=needle`);
    expect(found.text).toContain('Needle');
    expect(found.text).not.toContain('Straw');
    const none = await hoarder.get(`${list}?search=needle&state=inactive`);
    expect(none.text).toContain('None of them has such a name.');
    expect(none.html).toContain('<input type="hidden" name="state" value="inactive"/>');
  });

  test('are rotated after a confirmation: the new one is shown once, the old one is revoked', async () => {
    const old = secretOn(await make({ name: 'Turning', 'scope.read_api': 'on' }));
    const way = await wayTo('Rotate', 'Turning');
    const asking = await browser.get(way);
    expect(asking.text).toContain('Rotate Turning?');
    expect(await statusOf(gateway, old)).toBe(200);
    const rotated = await followed(browser, await browser.press(asking.form('Rotate the token')));
    expect([rotated.status, rotated.text.includes('read_user read_api')]).toEqual([200, true]);
    expect(await statusOf(gateway, secretOn(rotated))).toBe(200);
    expect((await browser.get(way)).status).toBe(404);
    expect((await browser.get(`${list}?state=inactive`)).text).toMatch(/Turning .* Rotated/);
  });

  test('are revoked after a confirmation', async () => {
    const secret = secretOn(await make({ name: 'Ending' }));
    const asking = await browser.get(await wayTo('Revoke', 'Ending'));
    expect(await statusOf(gateway, secret)).toBe(200);
    const answer = await browser.press(asking.form('Revoke the token'));
    expect([answer.status, answer.location]).toEqual([303, list]);
    expect((await browser.get(list)).text).toContain('The token is revoked.');
    expect(await statusOf(gateway, secret)).toBe(401);
    expect((await browser.get(`${list}?state=inactive`)).text).toMatch(/Ending .* Revoked/);
  });

  test('can’t be seen or revoked by other users', async () => {
    await make({ name: 'Mine alone' });
    const way = await wayTo('Revoke', 'Mine alone');
    const other = await signIn(gateway, 'guest');
    expect((await other.get(list)).text).not.toContain('Mine alone');
    for (const path of [way, way.replace('revoke', 'rotate'), `${list}/999999/revoke`, `${list}/x/rotate`]) {
      expect((await other.get(path)).status, path).toBe(404);
    }
  });

  test('markup in a name is escaped', async () => {
    await make({ name: '<script>alert(1)</script>' });
    expect((await browser.get(list)).html).not.toContain('<script>');
  });
});
