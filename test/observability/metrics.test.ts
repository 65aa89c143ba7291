import { beforeAll, describe, expect, test, vi } from 'vitest';
import { counters } from '../../src/counters.ts';
import { clone, filledProject, gitUrl } from '../repository/support/clone.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { scrapeOf } from '../support/requests/scrape.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await testGateway({ CAUSEWAY_PASSWORD_GRANT_WITHOUT_CLIENT: 'on', CAUSEWAY_MAX_REQUESTS: '10' });
});

const scrape = (url = gateway.url) => scrapeOf(url);
const settings = '/api/v4/notification_settings';
const route = `route="GET ${settings}"`;

describe('metrics', () => {
  test('count requests by route and class of status, with their time and their statements', async () => {
    const before = (await scrape()).get(`causeway_requests_total{${route},status="2xx"}`) ?? 0;
    for (let time = 0; time < 5; time++) await gateway.rest('GET', settings, { token: gateway.tokens.guest });
    await gateway.rest('GET', settings);
    await vi.waitFor(async () => {
      const found = await scrape();
      expect(found.get(`causeway_requests_total{${route},status="2xx"}`)).toBe(before + 5);
      expect(found.get(`causeway_requests_total{${route},status="4xx"}`)).toBe(1);
      expect(found.get(`causeway_request_seconds_count{${route}}`)).toBe(before + 6);
      expect(found.get(`causeway_request_seconds_bucket{${route},le="+Inf"}`)).toBe(before + 6);
      expect(found.get(`causeway_request_seconds_sum{${route}}`)).toBeGreaterThan(0);
      expect(found.get(`causeway_database_statements_total{${route}}`)).toBeGreaterThan(0);
    });
  });

  test('use routes as labels, never paths or anything else that a client chooses', async () => {
    for (let number = 0; number < 20; number++) {
      await gateway.rest('GET', `/api/v4/projects/unknown%2Fchosen-${number}`);
      await gateway.rest('GET', `/api/v4/chose-${number}`);
      await fetch(`${gateway.url}/chose-${number}`);
      await fetch(`${gateway.url}/chose/${number}/-/settings`);
    }
    const text = await (await fetch(`${gateway.url}/-/metrics`)).text();
    expect(text).toContain('route="GET /api/v4/projects/:id"');
    expect(text).toContain('route="none"');
    expect(text).not.toContain('chose');
  });

  test('include the pool, the event loop, memory and requests under way', async () => {
    const found = await scrape();
    for (const name of [
      'causeway_database_connections{state="idle"}',
      'causeway_database_waiting',
      'causeway_git_running',
      'causeway_git_waiting',
      'causeway_requests_under_way',
      'causeway_requests_shed_total',
      'nodejs_eventloop_lag_mean_seconds',
      'process_resident_memory_bytes',
      'nodejs_heap_size_used_bytes',
      'process_cpu_seconds_total',
    ]) {
      expect([name, found.has(name)]).toEqual([name, true]);
    }
  });

  test('count refused passwords and tokens that were issued, refreshed and revoked', async () => {
    const grant = { grant_type: 'password', username: 'root', password: 'wrong' };
    const kinds = [
      'causeway_refusals_total{kind="password_refused"}',
      'causeway_oauth_tokens_issued_total{grant="password"}',
      'causeway_oauth_tokens_refreshed_total{grant="refresh_token"}',
      'causeway_oauth_tokens_revoked_total{by="token_revoked"}',
    ];
    const numbers = async () => {
      const found = await scrape();
      return kinds.map((kind) => found.get(kind) ?? 0);
    };
    const before = await numbers();
    expect((await gateway.rest('POST', '/oauth/token', { form: grant })).status).toBe(400);
    await gateway.operator('mutation ($input: ResetPasswordInput!) { resetPassword(input: $input) { user { id } } }', {
      input: {
        userId: (await gateway.operator<{ user: { id: number } }>('{ user(username: "guest") { id: databaseId } }'))
          .user.id,
        password: 'a password of guest',
      },
    });
    const issued = await gateway.rest('POST', '/oauth/token', {
      form: { grant_type: 'password', username: 'guest', password: 'a password of guest' },
    });
    const refreshed = await gateway.rest('POST', '/oauth/token', {
      form: { grant_type: 'refresh_token', refresh_token: issued.body.refresh_token },
    });
    // The second time there is nothing left to revoke.
    for (let times = 0; times < 2; times++)
      await gateway.rest('POST', '/oauth/revoke', { form: { token: refreshed.body.access_token } });
    expect([issued.status, refreshed.status]).toEqual([200, 200]);
    expect(await numbers()).toEqual(before.map((number) => number + 1));
  });

  test('count operations at /graphql, and the counters of other rooms', async () => {
    const done = 'causeway_graphql_operations_total{outcome="done"}';
    const before = (await scrape()).get(done) ?? 0;
    await gateway.graphql('{ currentUser { id } }', { token: gateway.tokens.guest });
    counters.limited.count('api');
    const found = await scrape();
    expect(found.get(done)).toBe(before + 1);
    expect(found.get('causeway_rate_limited_total{limit="api"}')).toBeGreaterThan(0);
  });

  test('count commands of git, by kind', async () => {
    const kinds = ['transfer', 'command'].map((kind) => `causeway_git_jobs_total{kind="${kind}"}`);
    const { project } = await filledProject(gateway);
    const before = await scrape();
    expect((await clone(gitUrl(gateway, project, gateway.tokens.maintainer))).code).toBe(0);
    const after = await scrape();
    expect(after.get(kinds[0]!)).toBeGreaterThan(before.get(kinds[0]!)!);
    expect(after.get(kinds[1]!)).toBeGreaterThan(0);
  });

  test('are served only to addresses that the operator allows', async () => {
    const elsewhere = await testGateway({ CAUSEWAY_MONITORING_ADDRESSES: '192.0.2.1' }, gateway);
    expect((await fetch(`${elsewhere.url}/-/metrics`)).status).toBe(404);
    expect((await fetch(`${gateway.url}/-/metrics`, { headers: { 'x-forwarded-for': '127.0.0.1' } })).status).toBe(404);
  });
});
