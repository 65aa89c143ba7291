import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clockIn, momentIn } from '../../src/values/time/time-zone.ts';
import { signIn } from '../support/pages/browser-session.ts';
import { testGateway } from '../support/gateway.ts';

/** Times on pages. */

const gateway = await testGateway();

test('are those of the visitor’s time zone, with UTC in the title', async () => {
  const { id } = (
    await gateway.rest('POST', '/api/v4/projects/demo%2Fstorefront/issues', {
      token: gateway.tokens.maintainer,
      json: { title: 'Late in Vienna' },
    })
  ).body as { id: number };
  await gateway.sql(`update issues set created_at = '2026-03-05T22:30:00Z' where id = $1`, [id]);
  const path = '/demo/storefront/-/issues?search=Vienna';
  const dave = await signIn(gateway, 'developer');
  const inUtc = '<time datetime="2026-03-05T22:30:00.000Z" title="5 March 2026 at 22:30 UTC">';
  expect((await dave.get(path)).html).toContain(`${inUtc}5 March 2026</time>`);
  await gateway.sql(`update users set timezone = 'Asia/Tokyo' where username = 'developer'`);
  expect((await dave.get(path)).html).toContain(`${inUtc}6 March 2026</time>`);
  await gateway.sql(`update users set timezone = null where username = 'developer'`);
});

test('are those of the browser’s time zone, where one chose none', async () => {
  const dave = await signIn(gateway, 'developer');
  const path = '/demo/storefront/-/issues?search=Vienna';
  const day = async () => />(\d+ March 2026)<\/time>/.exec((await dave.get(path)).html)![1];
  dave.cookies.set('causeway_zone', 'Asia/Tokyo');
  expect(await day()).toBe('6 March 2026');
  await gateway.sql(`update users set timezone = 'Europe/Vienna' where username = 'developer'`);
  expect(await day()).toBe('5 March 2026');
  await gateway.sql(`update users set timezone = null where username = 'developer'`);
  for (const nonsense of ['Etc/Unknown', 'Mars/Olympus', '+02:00', 'a'.repeat(200), '"><b>'])
    expect([nonsense, dave.cookies.set('causeway_zone', nonsense) && (await day())]).toEqual([
      nonsense,
      '5 March 2026',
    ]);
});

test('are those of the visitor’s time zone for the end of a membership and of a status, too', async () => {
  await gateway.sql(
    `update group_members set expires_at = '2999-03-06' where user_id = (select id from users where username = 'guest')`,
  );
  const dave = await signIn(gateway, 'developer');
  dave.cookies.set('causeway_zone', 'America/New_York');
  const members = await dave.get('/demo/storefront/-/members');
  expect(members.text).toContain('until 5 March 2999');
  await dave.press((await dave.get('/profile')).form('Set status'), {
    message: 'Away',
    clear_status_after: 'ONE_DAY',
  });
  expect((await dave.get('/profile')).text).toMatch(/It ends on \d+ \w+ 20\d\d at \d\d:\d\d (EST|EDT|GMT-[45]) ?\./);
});

test.each([
  ['2026-03-05T22:30', '2026-03-05T21:30:00.000Z'],
  ['2026-07-05T22:30', '2026-07-05T20:30:00.000Z'],
  // Clocks skip from 2 to 3, and go from 3 to 2.
  ['2026-03-29T01:59', '2026-03-29T00:59:00.000Z'],
  ['2026-03-29T03:00', '2026-03-29T01:00:00.000Z'],
  ['2026-03-29T02:30', '2026-03-29T01:30:00.000Z'],
  ['2026-10-25T01:59', '2026-10-24T23:59:00.000Z'],
  ['2026-10-25T03:00', '2026-10-25T02:00:00.000Z'],
  ['2026-02-31T10:00', undefined],
  ['2026-02-03', undefined],
  ['0000-01-01T00:00', undefined],
  // In UTC, that is the year before the first one.
  ['0001-01-01T00:30', undefined],
  ['tomorrow', undefined],
])('a clock in Vienna shows %s at %s', (clock, moment) => {
  expect(momentIn('Europe/Vienna', clock)?.toISOString()).toBe(moment);
});

test('the clocks of every zone lead back to their moment', () => {
  const moments = fc.integer({ min: Date.UTC(1973, 0), max: Date.UTC(2100, 0) }).map((ms) => new Date(ms));
  fc.assert(
    fc.property(fc.constantFrom(...Intl.supportedValuesOf('timeZone')), moments, (zone, moment) => {
      const clock = clockIn(zone, moment);
      expect(clockIn(zone, momentIn(zone, clock)!)).toBe(clock);
    }),
    { numRuns: 100 },
  );
});

test.each([
  ['30 seconds', 'just now'],
  ['3 minutes', '3 minutes ago'],
  ['61 minutes', '1 hour ago'],
  ['25 hours', 'yesterday'],
  ['6 days', '6 days ago'],
  ['8 days', null],
])('of the last week say how long ago: %s is %s', async (age, says) => {
  const { id, iid } = (
    await gateway.rest('POST', '/api/v4/projects/demo%2Fstorefront/issues', {
      token: gateway.tokens.maintainer,
      json: { title: `Aged ${age}` },
    })
  ).body as { id: number; iid: number };
  await gateway.sql(`update issues set created_at = now() - $2::interval where id = $1`, [id, age]);
  const dave = await signIn(gateway, 'developer');
  const { text } = await dave.get(`/demo/storefront/-/issues?search=Aged`);
  expect(text).toMatch(new RegExp(`#${iid} · created ${says ?? String.raw`\d+ \w+ 20\d\d`} by`));
});
