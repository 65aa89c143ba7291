import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { afterFile } from '../support/run/after-file.ts';
import { crashingPostgres } from '../support/databases/crashing-postgres.ts';
import type { TestGateway } from '../support/gateway.ts';
import { secretKey } from '../support/run/global-setup.ts';
import { mailSink, type MailSink } from '../support/mail/mail-sink.ts';
import { killProcesses, startProcess, type GatewayProcess } from '../support/run/process.ts';
import { runs } from '../support/run/runs.ts';
import { makeShop, type Shop } from '../support/places/shop.ts';
import { anEventfulProject } from '../support/mail/told.ts';

/**
 * Every message arrives, however often the process that sends it or PostgreSQL is killed and however the mail server
 * behaves; one that arrives twice has the same Message-ID.
 */

const rounds = Math.ceil(runs / 5);
const watchers = ['the-owner', 'the-maintainer', 'the-reporter', 'the-guest', 'the-developer'] as const;
let sink: MailSink;

beforeAll(async () => {
  sink = await mailSink();
});
afterAll(killProcesses);

// The gateway of the shop works on no job: the processes that are killed do.
const aShop = (from?: TestGateway) => makeShop({ ...sink.settings, CAUSEWAY_JOBS: '0' }, from);

async function start(shop: Shop): Promise<GatewayProcess> {
  const started = startProcess({
    ...sink.settings,
    DATABASE_URL: shop.gateway.databaseUrl,
    CAUSEWAY_SECRET_KEY: secretKey,
    CAUSEWAY_LOG_LEVEL: 'silent',
    CAUSEWAY_ACCESS_LOG: 'off',
  });
  await started.ready();
  return started;
}

/** As if the time of all leases and pauses had passed. */
async function later({ gateway }: Shop): Promise<void> {
  await gateway.sql(`update notifications set due_at = now() where state = 'WAITING'`);
  await gateway.sql('update jobs set run_at = now() where lease is null');
  // The process that sends wouldn’t look for some seconds.
  gateway.gateway.application.changes.publishJobs();
}
const leasesEnd = ({ gateway }: Shop) => gateway.sql('update jobs set run_at = now()');

const chance = (probability: number) => Math.random() < probability;

/** Four of the five watchers are told of each of these: not those who did it. */
const expected = 10 * 3 * 4;

/** Makes what people are told of, and begins to send it to a mail server that misbehaves. */
async function beginToSend(shop: Shop): Promise<GatewayProcess> {
  sink.arrived.length = 0;
  await shop.gateway.sql('delete from notifications');
  const p = await anEventfulProject(
    shop,
    (who: string): string => shop.tokens[who.replace('the-', '') as keyof Shop['tokens']],
  );
  for (const who of watchers) await p.choose(who, 'project', { level: 'watch' });
  for (let issue = 1; issue <= 10; issue++) {
    await p.send('POST', '/issues', 'the-owner', { title: `Leak ${issue}` });
    await p.send('POST', `/issues/${issue}/notes`, 'the-maintainer', { body: 'Yes' });
    await p.send('PUT', `/issues/${issue}`, 'the-developer', { state_event: 'close' });
  }
  sink.behaviour = {
    rcpt: () => (chance(0.05) ? 451 : undefined),
    data: () => (chance(0.05) ? 'dies' : chance(0.05) ? 452 : undefined),
    slow: 5,
  };
  return start(shop);
}

/** Until a part of it was sent, between a tenth and six tenths. */
const untilSome = () =>
  vi.waitFor(() => expect(sink.arrived.length).toBeGreaterThan(expected * 0.1 * (1 + Math.random() * 5)), {
    timeout: 60_000,
    interval: 1,
  });

/** Waits until everything is sent. @returns how many messages arrived twice */
async function untilAll(shop: Shop): Promise<number> {
  sink.behaviour = {};
  await vi.waitFor(
    async () => {
      await later(shop);
      const [row] = await shop.gateway.sql<{ sent: number; others: number }>(
        `select count(*) filter (where state = 'SENT')::int as sent, count(*) filter (where state <> 'SENT')::int as others from notifications`,
      );
      expect(row).toEqual({ sent: expected, others: 0 });
    },
    { timeout: 60_000, interval: 500 },
  );
  const copies = sink.arrived.map(({ recipient, messageId }) => `${recipient} ${messageId}`);
  expect(new Set(copies).size).toBe(expected);
  expect(new Set(sink.arrived.map(({ recipient }) => recipient)).size).toBe(watchers.length);
  return copies.length - expected;
}

// Doubles are allowed; most messages come once.
const mostDoubles = 60 * rounds;

test(
  `nothing is lost when the process that sends is killed, in ${rounds} rounds`,
  { timeout: 120_000 * rounds },
  async () => {
    const shop = await aShop();
    let doubles = 0;
    for (let round = 0; round < rounds; round++) {
      const killed = await beginToSend(shop);
      await untilSome();
      await killed.stop('SIGKILL');
      await leasesEnd(shop);
      const second = await start(shop);
      if (chance(0.5)) {
        await sink.down();
        await pause(200);
        await sink.up();
      }
      doubles += await untilAll(shop);
      await second.stop();
    }
    expect(doubles).toBeLessThan(mostDoubles);
  },
);

// It takes half a minute; what is killed by chance is in the suite of faults too.
test.runIf(runs > 1)(
  `nothing is lost when PostgreSQL crashes, in ${rounds} rounds`,
  { timeout: 120_000 * rounds },
  async () => {
    const postgres = await crashingPostgres();
    afterFile(() => postgres.stop());
    const shop = await aShop({ databaseUrl: postgres.url } as TestGateway);
    let doubles = 0;
    for (let round = 0; round < rounds; round++) {
      const sender = await beginToSend(shop);
      await untilSome();
      await postgres.crash();
      await vi.waitFor(() => leasesEnd(shop), { timeout: 30_000, interval: 100 });
      doubles += await untilAll(shop);
      // The process that sends outlived it.
      expect(sender.child.exitCode).toBeNull();
      await sender.stop();
    }
    expect(doubles).toBeLessThan(mostDoubles);
  },
);
