import { expect, test } from 'vitest';
import { signIn } from '../support/browser-session.ts';
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
