import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { keepAlive, notify } from '../../../src/database/pub-sub.ts';
import { whichPrimary } from '../../../src/database/wire/primary.ts';
import { readSettings } from '../../../src/instance/statements.ts';
import { noteUse } from '../../../src/auth/statements/tokens.ts';
import { claimMessages } from '../../../src/schema/notifications/delivery/statements/claim.ts';
import { messageSent, nextMessage, wakeSending } from '../../../src/schema/notifications/delivery/statements/settle.ts';
import { happened } from '../../../src/schema/notifications/recipients/statements/happened.ts';
import { projectsBelow } from '../../../src/schema/notifications/recipients/statements/moved.ts';
import { insertNotifications } from '../../../src/schema/notifications/recipients/statements/recipients.ts';
import { beginPeriods, claimJobs, finishJob, renewLeases } from '../../../src/jobs/statements/queue.ts';

/**
 * Statements that don't belong to one request: reading settings, notifying other processes and people, the queue, recording the use of a token,
 * checking the server of a new connection, keeping the connection that listens.
 */
const background = [
  readSettings,
  notify,
  noteUse,
  claimJobs,
  finishJob,
  renewLeases,
  beginPeriods,
  happened,
  projectsBelow,
  ...Object.values(insertNotifications),
  claimMessages,
  messageSent,
  nextMessage,
  wakeSending,
];
const nowAndThen = new Set([...background.map(({ text }) => text), whichPrimary, keepAlive]);

/** A statement as it was sent, with its values. */
export interface Sent {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The databases whose queues this process works off, while their gateways run. */
export const worked = new Set<Pick<pg.Pool, 'query'>>();

/** Milliseconds that a queue may take to come to rest. */
const restless = 10_000;

/** Waits until no job runs or is due: it would be taken for what a test does. */
export async function untilIdle(): Promise<void> {
  const due = `select from jobs where dead_at is null and (lease is not null or run_at < now() + interval '0.1 s') limit 1`;
  const until = Date.now() + restless;
  for (const database of worked)
    while (Date.now() < until && (await database.query(due)).rowCount !== 0) await pause(10);
}

/**
 * The SQL statements that this process sends during some work, in order, without background statements. Only for tests
 * that run nothing else at the same time. It waits first for the jobs that earlier work has set off.
 * @param leftOut texts of statements to ignore
 */
export async function sentBy(work: () => Promise<unknown>, leftOut: ReadonlySet<string> = nowAndThen): Promise<Sent[]> {
  await untilIdle();
  const seen: Sent[] = [];
  const original = pg.Client.prototype.query;
  pg.Client.prototype.query = function (this: pg.Client, ...parameters: unknown[]) {
    const [query, beside] = parameters;
    const { text, values } = typeof query === 'string' ? { text: query } : (query as pg.QueryConfig);
    if (!leftOut.has(text)) seen.push({ text, values: values ?? (Array.isArray(beside) ? beside : []) });
    return (original as (...all: unknown[]) => unknown).apply(this, parameters);
  } as typeof original;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = original;
  }
  return seen;
}

/** The texts of these statements. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  return (await sentBy(work)).map(({ text }) => text);
}
