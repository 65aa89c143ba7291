import { beforeAll, describe, expect, test } from 'vitest';
import { WorkQueue } from '../src/auth/password-queue.ts';
import { browserSession } from './support/browser-session.ts';
import { testGateway, type TestGateway } from './support/gateway.ts';
import { account, inBody, registerApplication, session, token, type Account, type RegisteredApplication } from './support/oauth.ts';
import { elsewhere, from } from './support/token-endpoint.ts';

describe('a line for costly work', () => {
  /** Work that ends when it is told to. */
  function job() {
    let resolve!: (value: string) => void;
    let reject!: (error: Error) => void;
    const told = new Promise<string>((...how) => ([resolve, reject] = how));
    return { resolve, reject, work: () => told };
  }

  test('lets so much through at once, the rest in its order, and turns away who finds the line full', async () => {
    const queue = new WorkQueue(2, 2);
    const begun: number[] = [];
    const jobs = [0, 1, 2, 3].map(() => job());
    const results = jobs.map(({ work }, index) => queue.run(() => (begun.push(index), work())));
    await expect(queue.run(() => Promise.resolve('never'))).rejects.toMatchObject({ code: 'BUSY', retryAfter: 2 });
    expect(begun).toEqual([0, 1]);
    jobs[1]!.resolve('second');
    expect(await results[1]).toBe('second');
    expect(begun).toEqual([0, 1, 2]);
    // One left, so one may come.
    const late = queue.run(() => (begun.push(4), Promise.resolve('late')));
    await expect(queue.run(() => Promise.resolve('never'))).rejects.toMatchObject({ code: 'BUSY' });
    for (const { resolve } of jobs) resolve('done');
    expect(await Promise.all([...results, late])).toEqual(['done', 'second', 'done', 'done', 'late']);
    expect(begun).toEqual([0, 1, 2, 3, 4]);
  });

  test('goes on after work that fails', async () => {
    const queue = new WorkQueue(1, 1);
    const failing = job();
    const failed = queue.run(failing.work);
    const next = queue.run(() => Promise.resolve('next'));
    failing.reject(new Error('broken'));
    await expect(failed).rejects.toThrow('broken');
    expect(await next).toBe('next');
    expect(await queue.run(() => Promise.resolve('another'))).toBe('another');
  });
});

describe('row 44: a flood of passwords', () => {
  let gateway: TestGateway;
  let application: RegisteredApplication;
  let user: Account;
  beforeAll(async () => {
    gateway = await testGateway({ CAUSEWAY_TRUSTED_PROXIES: 'loopback' });
    application = await registerApplication(await session(gateway, 'person'));
    user = await account(gateway, 'somebody');
  });

  const ask = (username: string, password: string) =>
    token(gateway, { grant_type: 'password', username, password, ...inBody(application) }, from(elsewhere()));

  test('is answered by 400 or by 429 with Retry-After, everything else goes on, and so does who comes afterwards', async () => {
    const flood = Array.from({ length: 240 }, (_one, index) => ask(`nobody-${index}`, 'wrong'));
    const { access_token: own } = (await token(gateway, { grant_type: 'client_credentials', ...inBody(application) })).body;
    expect((await gateway.rest('GET', '/oauth/token/info', { headers: { authorization: `Bearer ${own}` } })).status).toBe(200);
    const answers = await Promise.all(flood);
    const turnedAway = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 400).length + turnedAway.length).toBe(240);
    expect(turnedAway.length).toBeGreaterThan(0);
    for (const { body, headers } of turnedAway) {
      expect(body).toEqual({ error: 'temporarily_unavailable', error_description: 'Too many passwords are being checked. Try again in a moment.' });
      expect(headers.get('retry-after')).toBe('2');
    }
    // Nothing was counted for those who were turned away.
    const [counted] = await gateway.sql<{ count: number }>(`select coalesce(sum(count), 0)::int as count from attempt_counters where key like 'account name % from %'`);
    expect(counted!.count).toBe(240 - turnedAway.length);
    expect((await ask(user.username, user.password)).status).toBe(200);
  });

  test('at the sign-in page is told so on a page', async () => {
    const browser = browserSession(gateway);
    const form = (await browser.get('/users/sign_in')).form('Sign in');
    const pages = await Promise.all(
      Array.from({ length: 240 }, (_one, index) =>
        browser.press(form, { login: `nobody-${index}`, password: 'wrong' }, { 'x-forwarded-for': elsewhere() })),
    );
    const turnedAway = pages.filter(({ status }) => status === 429);
    expect(turnedAway.length).toBeGreaterThan(0);
    for (const { html, headers } of turnedAway) {
      expect(headers.get('retry-after')).toBe('2');
      expect(html).toContain('Too many passwords are being checked. Try again in a moment.');
    }
    expect(pages.filter(({ status }) => status >= 500)).toEqual([]);
  });
});
