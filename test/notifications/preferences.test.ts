import { beforeAll, describe, expect, test } from 'vitest';
import { findDueIssues } from '../../src/jobs/notifications/due.ts';
import { makeShop, type Shop } from '../support/places/shop.ts';
import { anEventfulProject } from '../support/mail/told.ts';

/** When people want messages, and where they go. */

let shop: Shop;
beforeAll(async () => {
  shop = await makeShop({ CAUSEWAY_INBOX: 'on' });
  await shop.gateway.sql(
    `insert into emails (user_id, address, verified_at) select id, 'two@example.com', now() from users where username = 'the-developer'`,
  );
  await shop.gateway.sql(
    `insert into emails (user_id, address) select id, 'unseen@example.com' from users where username = 'the-developer'`,
  );
});

const fields = 'ownActivity mutedUntil quietFrom quietUntil digestMinutes timeZone effectiveTimeZone';
const update = async (input: object, token = shop.tokens.developer) =>
  shop.gateway.graphql<any>(
    `mutation ($input: UpdateNotificationPreferencesInput!) { updateNotificationPreferences(input: $input) { errors notificationPreferences { ${fields} } } }`,
    { variables: { input }, token },
  );
const read = async (token = shop.tokens.developer) =>
  (await shop.gateway.graphql<any>(`{ notificationPreferences { ${fields} } }`, { token })).data!
    .notificationPreferences;
const unset = {
  ownActivity: false,
  mutedUntil: null,
  quietFrom: null,
  quietUntil: null,
  digestMinutes: 0,
  timeZone: null,
  effectiveTimeZone: 'UTC',
};

describe('preferences', () => {
  test('have defaults, and are changed one by one', async () => {
    expect(await read()).toEqual(unset);
    const first = await update({ ownActivity: true, quietFrom: '22:00', quietUntil: '07:30' });
    expect(first.data!.updateNotificationPreferences).toEqual({
      errors: [],
      notificationPreferences: { ...unset, ownActivity: true, quietFrom: '22:00', quietUntil: '07:30' },
    });
    await update({ digestMinutes: 15 });
    await update({ timeZone: 'europe/vienna', mutedUntil: '2999-01-01T00:00:00Z' });
    expect(await read()).toEqual({
      ownActivity: true,
      mutedUntil: '2999-01-01T00:00:00.000Z',
      quietFrom: '22:00',
      quietUntil: '07:30',
      digestMinutes: 15,
      timeZone: 'Europe/Vienna',
      effectiveTimeZone: 'Europe/Vienna',
    });
    await update({ ownActivity: null, mutedUntil: null, quietFrom: null, digestMinutes: null, timeZone: null });
    expect(await read()).toEqual(unset);
    // What is over isn't shown.
    await update({ mutedUntil: '2020-01-01T00:00:00Z' });
    expect(await read()).toEqual(unset);
  });

  test.each([
    [{ quietFrom: '25:00', quietUntil: '07:00' }, 'Quiet from is not a time like 22:00'],
    [{ quietFrom: '22:00' }, "Quiet until can't be blank"],
    [{ quietUntil: '22:00' }, "Quiet from can't be blank"],
    [{ quietFrom: '22:00', quietUntil: '22:00' }, 'Quiet until must differ from the begin'],
    [{ digestMinutes: 16 }, 'Digest minutes must be from 0 to 15'],
    [{ digestMinutes: -1 }, 'Digest minutes must be from 0 to 15'],
    [{ timeZone: 'Europe/Nowhere' }, 'Time zone is not a time zone like Europe/Vienna'],
    [{ timeZone: '+02:00' }, 'Time zone is not a time zone like Europe/Vienna'],
    [{ timeZone: 'x'.repeat(10_000) }, 'Time zone is not a time zone like Europe/Vienna'],
  ])('aren’t changed by %j', async (input, problem) => {
    const { data } = await update({ ownActivity: true, ...input });
    expect(data!.updateNotificationPreferences.errors).toEqual([problem]);
    expect(await read()).toEqual(unset);
  });

  test('stay when the global setting is reset', async () => {
    await update({ ownActivity: true, quietFrom: '22:00', quietUntil: '07:30' });
    await shop.gateway.graphql('mutation { resetNotificationSettings(input: {}) { errors } }', {
      token: shop.tokens.developer,
    });
    expect(await read()).toMatchObject({ ownActivity: true, quietFrom: '22:00' });
    await update({ ownActivity: false, quietFrom: null, digestMinutes: 5 });
    await shop.gateway.graphql('mutation { resetNotificationSettings(input: {}) { errors } }', {
      token: shop.tokens.developer,
    });
    expect(await read()).toEqual({ ...unset, digestMinutes: 5 });
    await update({ digestMinutes: 0 });
  });

  test('need a token that writes', async () => {
    const token = await shop.gateway.personalToken('the-developer', ['read_api']);
    expect((await update({ ownActivity: true }, token)).errors?.[0]?.extensions?.code).toBe('INSUFFICIENT_SCOPE');
    expect(await read(token)).toEqual(unset);
    expect((await update({ ownActivity: true }, '')).errors).toHaveLength(1);
  });
});

test('the local time of a person is that of their time zone', async () => {
  const of = async (who: string) =>
    (await shop.api('GET', `users/${await idOf('the-developer')}`, who)).body.local_time as unknown;
  const idOf = async (username: string) =>
    (await shop.gateway.sql<{ id: number }>('select id from users where username = $1', [username]))[0]!.id;
  expect(await of(shop.tokens.stranger)).toBeNull();
  await update({ timeZone: 'Asia/Kathmandu' });
  const expected = [0, -60_000].map((ago) => {
    const at = new Date(Date.now() + ago + 345 * 60_000);
    const hour = at.getUTCHours();
    return `${hour % 12 || 12}:${String(at.getUTCMinutes()).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`;
  });
  expect(expected).toContain(await of(shop.tokens.stranger));
  expect((await shop.api('GET', 'user', shop.tokens.developer)).body.local_time).toMatch(/^\d{1,2}:\d\d [AP]M$/);
  await update({ timeZone: null });
});

test('what is due tomorrow is told by the clock of each person, once', async () => {
  const { database } = shop.gateway.gateway.application;
  const p = await anEventfulProject(shop, (who) => shop.tokens[who.replace('the-', '') as keyof Shop['tokens']]);
  // One has just got up, and it is late in the evening of another one: their days may differ.
  const people = { 'the-developer': 2, 'the-reporter': 22 } as const;
  const due: Record<string, string> = {};
  const zones: Record<string, string> = {};
  for (const [who, hour] of Object.entries(people)) {
    const ahead = ((hour - new Date().getUTCHours() + 35) % 24) - 11;
    zones[who] = `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
    const [row] = await shop.gateway.sql<{ due: string }>(`select ((now() at time zone $1)::date + 1)::text as due`, [
      zones[who],
    ]);
    due[who] = row!.due;
    await p.choose(who, 'project', { level: 'custom', issue_due: true });
  }
  const days = [...new Set(Object.values(due)), '2000-01-01'];
  for (const day of days) await p.send('POST', '/issues', 'the-owner', { title: day, due_date: day });
  const told = async (who: string) => {
    await p.told(who);
    const rows = await shop.gateway.sql<{ title: string }>(
      `select i.title from notifications n join users u on u.id = n.user_id join issues i on i.id = n.subject_id
        where u.username = $1 and n.cause = 'ISSUE_DUE'`,
      [who],
    );
    return rows.map(({ title }) => title);
  };
  for (const [who, zone] of Object.entries(zones))
    await shop.gateway.sql('update users set timezone = $2 where username = $1', [who, zone]);
  for (const _time of [1, 2]) {
    await findDueIssues(database, 'UTC');
    for (const who of Object.keys(people)) expect([who, await told(who)]).toEqual([who, [due[who]]]);
  }
  await shop.gateway.sql('update users set timezone = null');
});

describe('the address of a group', () => {
  const choose = async (input: object, token = shop.tokens.developer) =>
    (
      await shop.gateway.graphql<any>(
        `mutation ($input: UpdateNotificationSettingsInput!) { updateNotificationSettings(input: $input) { errors notificationSettings { level notificationEmail } } }`,
        { variables: { input }, token },
      )
    ).data!.updateNotificationSettings;
  const goesTo = async (project: string) =>
    (
      await shop.gateway.graphql<any>(
        `{ notificationDecision(event: MOVED_PROJECT, project: "${project}") { notificationEmail } }`,
        { token: shop.tokens.developer },
      )
    ).data!.notificationDecision.notificationEmail;

  test('is obeyed in it and below, unless a nearer group has one', async () => {
    const [outer, inner] = [await shop.aProject(), await shop.aProject('PRIVATE', 'shop/inner')];
    expect(await goesTo(outer)).toBe('the-developer@example.com');
    expect(await choose({ group: 'shop', notificationEmail: 'TWO@example.com' })).toEqual({
      errors: [],
      notificationSettings: { level: 'GLOBAL', notificationEmail: 'two@example.com' },
    });
    expect([await goesTo(outer), await goesTo(inner)]).toEqual(['two@example.com', 'two@example.com']);
    await choose({ group: 'shop/inner', notificationEmail: 'the-developer@example.com' });
    expect(await goesTo(inner)).toBe('the-developer@example.com');
    // Other changes keep it; resetting forgets it.
    await choose({ group: 'shop', level: 'WATCH' });
    expect(await goesTo(outer)).toBe('two@example.com');
    const { data } = await shop.gateway.graphql<any>(
      '{ currentUser { notificationSettings(search: "shop") { nodes { group { fullPath } notificationEmail } } } }',
      { token: shop.tokens.developer },
    );
    expect(
      data!.currentUser.notificationSettings.nodes.find(({ group }: any) => group?.fullPath === 'shop'),
    ).toMatchObject({ notificationEmail: 'two@example.com' });
    await choose({ group: 'shop', notificationEmail: null });
    expect(await goesTo(outer)).toBe('the-developer@example.com');
  });

  test.each(['unseen@example.com', 'the-owner@example.com', 'none'])('is never %s', async (address) => {
    expect((await choose({ group: 'shop', notificationEmail: address })).errors.at(-1)).toBe(
      'Notification email must be an email you have verified',
    );
  });

  test('is forgotten with the address', async () => {
    const project = await shop.aProject();
    await choose({ group: 'shop', notificationEmail: 'two@example.com' });
    await shop.gateway.sql(`delete from emails where address = 'two@example.com'`);
    expect(await goesTo(project)).toBe('the-developer@example.com');
  });
});
