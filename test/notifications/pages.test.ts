import { beforeAll, describe, expect, inject, test } from 'vitest';
import { unsubscribeKey } from '../../src/auth/index.ts';
import { browserSession, signIn, type BrowserSession } from '../support/pages/browser-session.ts';
import { makeShop, type Shop } from '../support/places/shop.ts';
import { anEventfulProject, type Told } from '../support/mail/told.ts';

/** Pages about notifications, without JavaScript. */

let shop: Shop;
let p: Told;
let me: BrowserSession;
let root: BrowserSession;
/** A person of the demo workspace, who may sign in. */
const who = 'developer';
const idOf = async (username: string) =>
  (await shop.gateway.sql<{ id: number }>('select id from users where username = $1', [username]))[0]!.id;
const hostile = '"><script>alert(1)</script> \u202Egnp.exe';

beforeAll(async () => {
  shop = await makeShop({ CAUSEWAY_INBOX: 'on' });
  await shop.gateway.sql(
    `insert into group_members (user_id, group_id, access_level) select u.id, n.id, 30 from users u, namespaces n where u.username = $1 and n.full_path = 'shop'`,
    [who],
  );
  p = await anEventfulProject(shop, (name) =>
    name === who ? shop.gateway.tokens.developer : shop.tokens[name.replace('the-', '') as 'owner'],
  );
  me = await signIn(shop.gateway, who);
  root = await signIn(shop.gateway, 'root', inject('passwords').root);
  await p.send('POST', '/issues', 'the-owner', { title: hostile, description: `@${who}`, confidential: true });
  await p.told(who);
});

describe('unsubscribing by the link of a message', () => {
  const pathFor = async (user: string, issue?: number) => {
    const [latest] = await shop.gateway.sql<{ id: number }>('select max(id) as id from issues');
    const key = unsubscribeKey(shop.gateway.gateway.application.keys, {
      userId: await idOf(user),
      subjectKind: 'Issue',
      subjectId: issue ?? latest!.id,
    });
    return `/-/sent_notifications/${key}/unsubscribe`;
  };
  const subscribed = async (user: string) =>
    (
      await shop.gateway.sql<{ subscribed: boolean }>('select subscribed from subscriptions where user_id = $1', [
        await idOf(user),
      ])
    ).map((row) => row.subscribed);
  const oneClick = (path: string, init: RequestInit = {}) =>
    fetch(new URL(path, shop.gateway.url), {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
      ...init,
    });

  test('asks, and changes nothing, signed in or not', async () => {
    const path = await pathFor(who);
    const stranger = await browserSession(shop.gateway).get(path);
    expect(stranger.status).toBe(200);
    expect(stranger.text).toContain('Unsubscribe?');
    // The title of a confidential issue is for those who read it.
    expect(stranger.html).not.toContain('alert(1)');
    const own = await me.get(path);
    expect(own.status).toBe(200);
    expect(own.text).toContain('alert(1)');
    expect(own.html).not.toContain('<script>');
    expect(await subscribed(who)).toEqual([]);
  });

  test('needs one click, no session and no token, and may be repeated', async () => {
    const path = await pathFor(who);
    for (const _time of [1, 2]) {
      const answer = await oneClick(path);
      expect(answer.status).toBe(200);
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(await answer.text()).not.toContain('alert(1)');
      expect(await subscribed(who)).toEqual([false]);
    }
    // Mail servers send forms of either type, from anywhere.
    const form = new FormData();
    form.set('List-Unsubscribe', 'One-Click');
    expect((await oneClick(path, { body: form, headers: { origin: 'https://mail.example' } })).status).toBe(200);
  });

  test('unsubscribes whom the message went to, whoever presses the button', async () => {
    const path = await pathFor('the-reporter');
    const page = await me.get(path);
    expect(page.text).toContain('The person whom the message went to');
    const done = await me.press(page.form('Unsubscribe'));
    expect([done.status, done.text.includes('Unsubscribed')]).toEqual([200, true]);
    expect(await subscribed('the-reporter')).toEqual([false]);
  });

  test('is nothing for unknown keys, and for what is gone', async () => {
    const path = await pathFor(who);
    const key = path.split('/')[3]!;
    const snippet = unsubscribeKey(shop.gateway.gateway.application.keys, {
      userId: 1,
      subjectKind: 'Snippet',
      subjectId: 1,
    });
    for (const wrong of [
      path.replace(key, 'nothing'),
      path.replace(key, `${key.slice(0, -1)}${key.endsWith('A') ? 'Q' : 'A'}`),
      path.replace(key, snippet),
      await pathFor(who, 2_000_000_000),
    ])
      for (const answer of [await fetch(new URL(wrong, shop.gateway.url)), await oneClick(wrong)])
        expect([wrong, answer.status]).toEqual([wrong, 404]);
  });
});

describe('what was sent', () => {
  test('is listed with its reason, and with titles only of what one still reads', async () => {
    const page = await me.get('/profile/notifications/sent');
    expect(page.status).toBe(200);
    expect(page.text).toContain('Issue opened');
    expect(page.text).toContain('you are mentioned');
    expect(page.html).not.toContain('<script>alert');
    expect(page.text).toContain('alert(1)');
    await p.send('PUT', '/issues/1', 'the-owner', { title: 'Secret' });
    await shop.gateway.sql('update issues set confidential = true');
    await shop.gateway.sql(`update group_members set access_level = 10 where user_id = $1`, [await idOf(who)]);
    const later = await me.get('/profile/notifications/sent');
    expect(later.text).toContain('you can’t see it any more');
    expect(later.text).not.toContain('Secret');
    await shop.gateway.sql(`update group_members set access_level = 30 where user_id = $1`, [await idOf(who)]);
    const { data } = await shop.gateway.graphql<any>(
      '{ currentUser { notifications { count nodes { cause reason via state outcome title lastError attempts issue { iid } } } } }',
      { token: shop.gateway.tokens.developer },
    );
    expect(data!.currentUser.notifications).toMatchObject({
      count: 1,
      nodes: [{ cause: 'NEW_ISSUE', reason: 'MENTIONED', title: 'Secret', lastError: null, attempts: null }],
    });
  });

  test('is in the queue for administrators, who send again what failed', async () => {
    await shop.gateway.sql(
      `insert into notifications (user_id, cause, occurrence, subject_kind, subject_id, via, state, last_error, attempts, address)
       values ($1, 'NEW_NOTE', 'test 1', 'Issue', 1, 'SETTING', 'FAILED', '550 <b>no</b>', 6, 'a@example.com'),
              ($1, 'NEW_NOTE', 'test 2', 'Issue', 1, 'SETTING', 'FAILED', '550 no', 6, 'a@example.com')`,
      [await idOf('the-guest')],
    );
    expect((await me.get('/admin/notifications')).status).toBe(403);
    const page = await root.get('/admin/notifications');
    expect(page.text).toContain('550 <b>no</b>');
    expect(page.text).toContain('Failed 2');
    const done = await root.press(page.form('Send again'));
    expect(done.status).toBe(303);
    const failed = async () =>
      (await shop.gateway.sql(`select from notifications where occurrence like 'test %' and state = 'FAILED'`)).length;
    expect(await failed()).toBe(1);
    await root.press((await root.get('/admin/notifications')).form('Send all again'));
    expect(await failed()).toBe(0);
    for (const part of ['held', 'waiting', 'nonsense'])
      expect((await root.get(`/admin/notifications?part=${part}`)).status).toBe(200);
    await shop.gateway.sql(`delete from notifications where occurrence like 'test %'`);
  });
});

describe('preferences', () => {
  const path = '/profile/notifications/preferences';
  const stored = async () =>
    (
      await shop.gateway.graphql<any>(
        '{ notificationPreferences { ownActivity mutedUntil quietFrom quietUntil digestMinutes timeZone } }',
        {
          token: shop.gateway.tokens.developer,
        },
      )
    ).data!.notificationPreferences;

  test('are saved, only those that were edited', async () => {
    const page = await me.get(path);
    const form = page.form('Save changes');
    const { own_activity: _none, ...fields } = form.fields;
    expect((await me.press({ ...form, fields })).status).toBe(303);
    const answer = await me.press(form, {
      own_activity: 'on',
      mute: '8',
      quiet_from: '22:00',
      quiet_until: '07:00',
      digest_minutes: '10',
      time_zone: 'Europe/Vienna',
    });
    expect([answer.status, answer.location]).toEqual([303, path]);
    expect(await stored()).toMatchObject({
      ownActivity: true,
      quietFrom: '22:00',
      quietUntil: '07:00',
      digestMinutes: 10,
      timeZone: 'Europe/Vienna',
    });
    const until = Date.parse((await stored()).mutedUntil as string) - Date.now();
    expect(until).toBeGreaterThan(7.9 * 3_600_000);
    expect(until).toBeLessThanOrEqual(8 * 3_600_000);
    // An old page keeps what it didn’t show differently.
    await me.press(form, { mute: '', quiet_from: '', quiet_until: '', time_zone: '' });
    expect(await stored()).toMatchObject({
      ownActivity: true,
      quietFrom: '22:00',
      digestMinutes: 10,
      timeZone: 'Europe/Vienna',
    });
    const again = (await me.get(path)).form('Save changes');
    const { own_activity: _on, ...rest } = again.fields;
    await me.press(
      { ...again, fields: rest },
      { mute: '', quiet_from: '', quiet_until: '', digest_minutes: '0', time_zone: '' },
    );
    expect(await stored()).toEqual({
      ownActivity: false,
      mutedUntil: null,
      quietFrom: null,
      quietUntil: null,
      digestMinutes: 0,
      timeZone: null,
    });
  });

  test('are shown again with what is wrong, and nothing is saved', async () => {
    const form = (await me.get(path)).form('Save changes');
    const answer = await me.press(form, { own_activity: 'on', quiet_from: '25:00', time_zone: '<b>Nowhere</b>' });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('This is not a time like 22:00.');
    expect(answer.text).toContain('This is not a time zone like Europe/Vienna.');
    expect(answer.html).not.toContain('<b>Nowhere');
    expect(await stored()).toMatchObject({ ownActivity: false, quietFrom: null });
  });

  test('mute until a date and time in the zone of the page, which it says in words', async () => {
    me.cookies.set('causeway_zone', 'Asia/Tokyo');
    const form = (await me.get(path)).form('Save changes');
    expect(form.fields).toMatchObject({ mute: '', mute_at: '' });
    for (const wrong of ['', '2999-02-31T10:00', '2020-01-01T10:00', 'tomorrow']) {
      const answer = await me.press(form, { mute: 'at', mute_at: wrong, own_activity: 'on' });
      expect([answer.status, answer.text.includes('This must be a time to come.')]).toEqual([422, true]);
      expect(answer.form('Save changes').fields).toMatchObject({ mute: 'at', mute_at: wrong });
    }
    expect(await stored()).toMatchObject({ mutedUntil: null, ownActivity: false });
    expect((await me.press(form, { mute: 'at', mute_at: '2999-03-06T07:30' })).status).toBe(303);
    expect(await stored()).toMatchObject({ mutedUntil: '2999-03-05T22:30:00.000Z' });
    const page = await me.get(path);
    expect(page.text).toContain('Until 6 March 2999 at 07:30 GMT+9');
    expect(page.form('Save changes').fields).toMatchObject({ mute: 'keep', mute_at: '2999-03-06T07:30' });
    expect((await me.get('/profile/notifications')).text).toContain('muted until 6 March 2999 at 07:30 GMT+9');
    await me.press(page.form('Save changes'), { mute: '' });
    expect(await stored()).toMatchObject({ mutedUntil: null });
    expect((await me.get('/profile/notifications')).text).not.toContain('muted until');
    me.cookies.delete('causeway_zone');
  });

  test('have an address for each group, for those with several', async () => {
    expect((await me.get(path)).text).not.toContain('Address for the group');
    await shop.gateway.sql(
      `insert into emails (user_id, address, verified_at) values ($1, 'work@example.com', now())`,
      [await idOf(who)],
    );
    const form = (await me.get(path)).form('Save changes');
    const shopId = await shop.namespaceId('shop');
    await me.press(form, { [`address.${shopId}`]: 'work@example.com' });
    expect((await me.get(path)).form('Save changes').fields[`address.${shopId}`]).toBe('work@example.com');
    const wrong = await me.press(form, { [`address.${shopId}`]: 'root@example.com' });
    expect(wrong.status).toBe(422);
    await shop.gateway.sql(`delete from emails where address = 'work@example.com'`);
  });
});

describe('the inbox', () => {
  let id: string;
  beforeAll(async () => {
    const [row] = await shop.gateway.sql<{ id: string }>(
      `insert into kept_mails (kind, recipient, subject, headers, text, html) values ('note', 'a@example.com', $1, $2,
         $3, '<html><head><style>p { color: red }</style></head><body><p>Hello</p><script>alert(1)</script></body></html>') returning id`,
      [
        hostile,
        { 'X-Test': hostile, 'List-Id': ['one', 'two'] },
        `See ${shop.gateway.url}/shop, not https://evil.example/ or ${shop.gateway.url}//evil.example/ or ${shop.gateway.url}/\\evil.example/`,
      ],
    );
    id = String(row!.id);
  });

  test('lists messages for administrators', async () => {
    const page = await root.get('/-/mail');
    expect(page.status).toBe(200);
    expect(page.text).toContain('alert(1)');
    expect(page.html).not.toContain('<script>');
    expect((await root.get('/admin/users')).html).toContain('href="/-/mail"');
    expect(page.html).toMatch(/aria-current="page"[^>]*>Inbox/);
    expect((await me.get('/-/mail')).status).toBe(403);
    const anonymous = await browserSession(shop.gateway).get('/-/mail');
    expect([anonymous.status, anonymous.location?.startsWith('/users/sign_in')]).toEqual([303, true]);
  });

  test('shows a message in a frame that does nothing', async () => {
    const page = await root.get(`/-/mail/${id}`);
    expect(page.headers.get('content-security-policy')).toContain("frame-src 'self'");
    expect(page.html).toContain(`src="/-/mail/${id}/html" sandbox="allow-popups allow-popups-to-escape-sandbox"`);
    expect(page.html).not.toContain('<script>');
    expect(page.text).toContain('List-Id: two');
    // By name, and a kind in words.
    expect(page.text.indexOf('List-Id: one')).toBeLessThan(page.text.indexOf('X-Test'));
    expect(page.html).toContain('<a href="/shop"');
    expect(page.html).not.toMatch(/href="[^"]*evil\.example/);
    const frame = await root.get(`/-/mail/${id}/html`);
    const policy = frame.headers.get('content-security-policy')!;
    for (const part of ["default-src 'none'", 'sandbox allow-popups', "frame-ancestors 'self'"])
      expect(policy).toContain(part);
    expect(policy).not.toMatch(/script-src|allow-scripts|allow-same-origin|https?:/);
    expect(frame.html).toContain('<head><base target="_blank">');
    for (const path of [`/-/mail/${id}`, `/-/mail/${id}/html`]) expect((await me.get(path)).status).toBe(403);
    for (const path of ['/-/mail/0', '/-/mail/x', '/-/mail/99999999999/html'])
      expect((await root.get(path)).status).toBe(404);
  });

  test('is for those who confirmed who they are recently', async () => {
    await shop.gateway.sql(`update sessions set authenticated_at = now() - interval '1 day'`);
    const page = await root.get('/-/mail');
    expect([page.status, page.location?.startsWith('/users/confirm_password')]).toEqual([303, true]);
  });
});
