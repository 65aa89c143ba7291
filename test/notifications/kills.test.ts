import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { secretKey } from '../support/global-setup.ts';
import { mailSink, type MailSink } from '../support/mail-sink.ts';
import { killProcesses, startProcess } from '../support/process.ts';
import { runs } from '../support/runs.ts';
import { makeShop, type Shop } from '../support/shop.ts';
import { anEventfulProject } from '../support/told.ts';

/**
 * Every message arrives, however often the process that sends it is killed and however the mail server behaves; one that
 * arrives twice has the same Message-ID.
 */

const rounds = Math.ceil(runs / 5);
const watchers = ['the-owner', 'the-maintainer', 'the-reporter', 'the-guest', 'the-developer'] as const;
let shop: Shop;
let sink: MailSink;
const tokenOf = (who: string): string => shop.tokens[who.replace('the-', '') as keyof Shop['tokens']];

beforeAll(async () => {
  sink = await mailSink();
  // This one works on no job: the processes that are killed do.
  shop = await makeShop({ ...sink.settings, CAUSEWAY_JOBS: '0' });
});
afterAll(killProcesses);

const start = () =>
  startProcess({
    ...sink.settings,
    DATABASE_URL: shop.gateway.databaseUrl,
    CAUSEWAY_SECRET_KEY: secretKey,
    CAUSEWAY_LOG_LEVEL: 'silent',
    CAUSEWAY_ACCESS_LOG: 'off',
  });

/** As if the time of all leases and pauses had passed. */
async function later(): Promise<void> {
  await shop.gateway.sql(`update notifications set due_at = now() where state = 'WAITING'`);
  await shop.gateway.sql('update jobs set run_at = now() where lease is null');
}
const leasesEnd = () => shop.gateway.sql('update jobs set run_at = now()');

const chance = (probability: number) => Math.random() < probability;

test(`nothing is lost, in ${rounds} rounds`, { timeout: 120_000 * rounds }, async () => {
  let doubles = 0;
  for (let round = 0; round < rounds; round++) {
    sink.arrived.length = 0;
    await shop.gateway.sql('delete from notifications');
    const p = await anEventfulProject(shop, tokenOf);
    for (const who of watchers) await p.choose(who, 'project', { level: 'watch' });
    for (let issue = 1; issue <= 10; issue++) {
      await p.send('POST', '/issues', 'the-owner', { title: `Leak ${issue}` });
      await p.send('POST', `/issues/${issue}/notes`, 'the-maintainer', { body: 'Yes' });
      await p.send('PUT', `/issues/${issue}`, 'the-developer', { state_event: 'close' });
    }
    // Four of the five are told of each: not those who did it.
    const expected = 10 * 3 * 4;
    sink.behaviour = {
      rcpt: () => (chance(0.05) ? 451 : undefined),
      data: () => (chance(0.05) ? 'dies' : chance(0.05) ? 452 : undefined),
      slow: 5,
    };
    const killed = start();
    await killed.ready();
    await vi.waitFor(() => expect(sink.arrived.length).toBeGreaterThan(expected * 0.1 * (1 + Math.random() * 5)), {
      timeout: 60_000,
      interval: 1,
    });
    await killed.stop('SIGKILL');
    await leasesEnd();
    const second = start();
    await second.ready();
    if (chance(0.5)) {
      await sink.down();
      await pause(200);
      await sink.up();
    }
    sink.behaviour = {};
    await vi.waitFor(
      async () => {
        await later();
        const [row] = await shop.gateway.sql<{ sent: number; others: number }>(
          `select count(*) filter (where state = 'SENT')::int as sent, count(*) filter (where state <> 'SENT')::int as others from notifications`,
        );
        expect(row).toEqual({ sent: expected, others: 0 });
      },
      { timeout: 60_000, interval: 1_000 },
    );
    await second.stop();
    const copies = sink.arrived.map(({ recipient, messageId }) => `${recipient} ${messageId}`);
    expect(new Set(copies).size).toBe(expected);
    expect(new Set(sink.arrived.map(({ recipient }) => recipient)).size).toBe(watchers.length);
    doubles += copies.length - expected;
  }
  // Doubles are allowed; most messages come once.
  expect(doubles).toBeLessThan(60 * rounds);
});
