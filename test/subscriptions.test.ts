import { beforeAll, expect, test } from 'vitest';
import { subscribe, eventSource } from './support/event-stream.ts';
import { testGateway, type TestGateway } from './support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await testGateway();
});
const settings = 'subscription { notificationSettingsChanged { scope level project { fullPath } } }';

test('try', async () => {
  const token = gateway.tokens.maintainer;
  const reader = await subscribe(gateway, settings, { token });
  console.log(reader.status, Object.fromEntries(reader.headers));
  const other = await eventSource(gateway, settings, token);
  console.log(other.status, Object.fromEntries(other.headers));
  const put = await gateway.rest('PUT', '/api/v4/projects/demo%2Fstorefront/notification_settings', { token, json: { level: 'watch' } });
  expect(put.status).toBe(200);
  console.log(JSON.stringify(await reader.next()), JSON.stringify(await other.next()));
  for (const [q, o] of [
    [settings, {}],
    ['subscription { x }', { token }],
    [settings, { token: 'cwat_x' }],
    [settings, { token, headers: { accept: 'application/json' } }],
    [settings, { token: await gateway.personalToken('guest', ['read_user']) }],
    ['{ currentUser { username } }', { token }],
  ] as const) {
    const r = await subscribe(gateway, q, o);
    console.log(q, r.status, r.headers.get('content-type'), JSON.stringify(await r.rest()));
  }
  await gateway.sql(`update personal_access_tokens set revoked_at = now()`);
  console.log(JSON.stringify([await reader.rest(), await other.rest()]));
});
