import { beforeAll, describe, expect, test } from 'vitest';
import { FairLine } from '../../src/auth/passwords/fair-line.ts';
import { WorkQueue } from '../../src/auth/passwords/password-queue.ts';
import { browserSession } from '../support/pages/browser-session.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import {
  account,
  inBody,
  registerInstanceApplication,
  token,
  type Account,
  type RegisteredApplication,
} from '../support/oauth/oauth.ts';
import { elsewhere, from } from '../support/oauth/token-endpoint.ts';

describe('a line for costly work', () => {
  /** Work that the test ends. */
  function job() {
    let resolve!: (value: string) => void;
    let reject!: (error: Error) => void;
    const ended = new Promise<string>((...how) => ([resolve, reject] = how));
    return { resolve, reject, work: () => ended };
  }

  const one = { address: '192.0.2.1', client: '' };
  const other = { address: '192.0.2.2', client: '' };

  test('runs so many at once, the rest in order, and refuses work when it is full', async () => {
    const queue = new WorkQueue(2, 2);
    const begun: number[] = [];
    const jobs = [0, 1, 2, 3].map(() => job());
    const results = jobs.map(({ work }, index) => queue.run(one, () => (begun.push(index), work())));
    await expect(queue.run(one, () => Promise.resolve('never'))).rejects.toMatchObject({ code: 'BUSY', retryAfter: 2 });
    expect(begun).toEqual([0, 1]);
    jobs[1]!.resolve('second');
    expect(await results[1]).toBe('second');
    expect(begun).toEqual([0, 1, 2]);
    // One left, so one may come.
    const late = queue.run(one, () => (begun.push(4), Promise.resolve('late')));
    await expect(queue.run(one, () => Promise.resolve('never'))).rejects.toMatchObject({ code: 'BUSY' });
    for (const { resolve } of jobs) resolve('done');
    expect(await Promise.all([...results, late])).toEqual(['done', 'second', 'done', 'done', 'late']);
    expect(begun).toEqual([0, 1, 2, 3, 4]);
  });

  test('that is full drops the newest item of the sender with the most, so that others have room', async () => {
    const queue = new WorkQueue(1, 2);
    const begun: string[] = [];
    const first = job();
    const results = [
      queue.run(one, first.work),
      ...['second', 'third'].map((name) => queue.run(one, () => (begun.push(name), Promise.resolve(name)))),
    ];
    const late = queue.run(other, () => (begun.push('late'), Promise.resolve('late')));
    await expect(results[2]).rejects.toMatchObject({ code: 'BUSY', retryAfter: 2 });
    await expect(queue.run(one, () => Promise.resolve('never'))).rejects.toMatchObject({ code: 'BUSY' });
    first.resolve('first');
    expect(await Promise.all([results[0], results[1], late])).toEqual(['first', 'second', 'late']);
    expect(begun).toEqual(['second', 'late']);
  });

  test('goes on after work that fails', async () => {
    const queue = new WorkQueue(1, 1);
    const failing = job();
    const failed = queue.run(one, failing.work);
    const next = queue.run(one, () => Promise.resolve('next'));
    failing.reject(new Error('broken'));
    await expect(failed).rejects.toThrow('broken');
    expect(await next).toBe('next');
    expect(await queue.run(one, () => Promise.resolve('another'))).toBe('another');
  });
});

describe('a line that takes turns', () => {
  const lineOf = (...items: string[]) => {
    const line = new FairLine<string>();
    // As in "an address, an application there, and which of its items".
    for (const item of items) line.add({ address: item[0]!, client: item[1]! }, item);
    return line;
  };
  const drained = (line: FairLine<string>) => Array.from({ length: line.size }, () => line.next());

  test('gives each address a turn in a round, and each client of an address one in its rounds', () => {
    expect(drained(lineOf('a-1', 'a-2', 'a-3', 'ax1', 'ax2', 'ay1', 'b-1', 'b-2', 'cx1'))).toEqual([
      'a-1',
      'b-1',
      'cx1',
      'ax1',
      'b-2',
      'ay1',
      'a-2',
      'ax2',
      'a-3',
    ]);
  });

  test('serves a newcomer in the next round of a flood', () => {
    const line = lineOf(...Array.from({ length: 100 }, (_, index) => `a-${index}`));
    expect([line.next(), line.next()]).toEqual(['a-0', 'a-1']);
    line.add({ address: 'b', client: '-' }, 'b-1');
    expect([line.next(), line.next(), line.next()]).toEqual(['a-2', 'b-1', 'a-3']);
  });

  test('drops the newest item of the sender with the most, counted by address first', () => {
    const line = lineOf('a-1', 'ax1', 'ay1', 'b-1', 'b-2', 'ax2');
    expect(line.dropLast()).toBe('ax2');
    expect(line.dropLast()).toBe('ay1');
    expect(line.dropLast()).toBe('b-2');
    expect(drained(line)).toEqual(['a-1', 'b-1', 'ax1']);
    expect([line.dropLast(), line.next(), line.size]).toEqual([undefined, undefined, 0]);
  });
});

describe('row 44: a flood of passwords', () => {
  let gateway: TestGateway;
  let application: RegisteredApplication;
  let user: Account;
  beforeAll(async () => {
    gateway = await testGateway({ CAUSEWAY_TRUSTED_PROXIES: 'loopback' });
    application = await registerInstanceApplication(gateway);
    user = await account(gateway, 'somebody');
  });

  const ask = (username: string, password: string) =>
    token(gateway, { grant_type: 'password', username, password, ...inBody(application) }, from(elsewhere()));

  test('is answered by 400 or by 429 with Retry-After, while other requests and later ones go on', async () => {
    const flood = Array.from({ length: 240 }, (_one, index) => ask(`nobody-${index}`, 'wrong'));
    const { access_token: own } = (await token(gateway, { grant_type: 'client_credentials', ...inBody(application) }))
      .body;
    expect(
      (await gateway.rest('GET', '/oauth/token/info', { headers: { authorization: `Bearer ${own}` } })).status,
    ).toBe(200);
    const answers = await Promise.all(flood);
    const turnedAway = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 400).length + turnedAway.length).toBe(240);
    expect(turnedAway.length).toBeGreaterThan(0);
    for (const { body, headers } of turnedAway) {
      expect(body).toEqual({
        error: 'temporarily_unavailable',
        error_description: 'Too many passwords are being checked. Try again in a moment.',
      });
      expect(headers.get('retry-after')).toBe('2');
    }
    // Refused requests were not counted.
    const [counted] = await gateway.sql<{ count: number }>(
      `select coalesce(sum(count), 0)::int as count from attempt_counters where key like 'account name % from %'`,
    );
    expect(counted!.count).toBe(240 - turnedAway.length);
    expect((await ask(user.username, user.password)).status).toBe(200);
  });

  test('of made-up names from one address leaves turns to other addresses, and to another client there', async () => {
    const attacker = from(elsewhere());
    const flood = Array.from({ length: 140 }, (_one, index) =>
      token(
        gateway,
        { grant_type: 'password', username: `made-up-${index}`, password: 'wrong', ...inBody(application) },
        attacker,
      ),
    );
    const mine = await registerInstanceApplication(gateway);
    const right = { grant_type: 'password', username: user.username, password: user.password };
    const people = await Promise.all([
      ...Array.from({ length: 10 }, () => ask(user.username, user.password)),
      token(gateway, { ...right, ...inBody(mine) }, attacker),
    ]);
    expect(people.map(({ status }) => status)).toEqual(Array.from({ length: 11 }, () => 200));
    expect((await Promise.all(flood)).filter(({ status }) => status === 429).length).toBeGreaterThan(0);
  });

  test('at the sign-in page gets a page', async () => {
    const browser = browserSession(gateway);
    const form = (await browser.get('/users/sign_in')).form('Sign in');
    const pages = await Promise.all(
      Array.from({ length: 240 }, (_one, index) =>
        browser.press(form, { login: `nobody-${index}`, password: 'wrong' }, { 'x-forwarded-for': elsewhere() }),
      ),
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
