import { beforeAll, beforeEach, expect, vi } from 'vitest';
import { wakeSending } from '../../../src/schema/notifications/delivery/statements/settle.ts';
import { enqueue } from '../../../src/jobs/enqueue.ts';
import { mailSink, type Arrived, type MailSink } from './mail-sink.ts';
import { makeShop, type Shop } from '../places/shop.ts';
import { allTold, type Told } from './told.ts';

/** What became of a message. */
interface Fate {
  readonly state: string;
  readonly outcome: string | null;
  readonly attempts: number;
  readonly last_error: string | null;
}

/** A shop whose messages go to a mail server, for the tests of a file. Its parts are there once the first test runs. */
export interface Mailed {
  readonly shop: Shop;
  readonly sink: MailSink;
  /** As Message-IDs have it. */
  readonly host: string;
  readonly sql: Shop['gateway']['sql'];
  tokenOf(who: string): string;
  idOf(who: string): Promise<number>;
  /** The primary address of a person. */
  addressOf(who: string): Promise<string>;
  /** The messages that a person got, once everything was told and nothing is due. */
  mails(who?: string): Promise<Arrived[]>;
  /** What became of the messages to a person. */
  fates(who?: string): Promise<Fate[]>;
  /** Makes everything that waits due, and sends it. */
  sendAgain(): Promise<void>;
  open(p: Told, json?: object): Promise<any>;
  comment(p: Told, body: string): Promise<any>;
}

/** The person in question, and the one who does things. */
export const me = 'the-developer';
export const doer = 'the-owner';

export function mailedShop(): Mailed {
  let shop: Shop;
  let sink: MailSink;
  beforeAll(async () => {
    sink = await mailSink();
    shop = await makeShop(sink.settings);
  });
  beforeEach(async () => {
    sink.behaviour = {};
    await allTold(shop.gateway);
    await sql('delete from notifications');
    await sql('update emails set permanent_failures = 0, temporary_failures = 0, failing_since = null');
    sink.arrived.length = 0;
  });
  const sql: Mailed['sql'] = (text, values) => shop.gateway.sql(text, values);
  const addressOf = async (who: string) =>
    (
      await sql<{ address: string }>(
        'select e.address from emails e join users u on u.id = e.primary_of where u.username = $1',
        [who],
      )
    )[0]!.address;
  const settled = async () => {
    await allTold(shop.gateway);
    const lookAgain = Date.now() + 5_000;
    await vi.waitFor(
      async () => {
        const due = await sql(
          "select from notifications where state = 'WAITING' and (due_at <= now() or outcome is null)",
        );
        // As the job of every minute does, which tests hold back.
        if (due.length > 0 && Date.now() > lookAgain)
          await shop.gateway.gateway.application.database.rows(wakeSending, []);
        expect(due).toHaveLength(0);
      },
      { timeout: 50_000, interval: 20 },
    );
  };
  return {
    get shop() {
      return shop;
    },
    get sink() {
      return sink;
    },
    get host() {
      return new URL(shop.gateway.url).hostname;
    },
    sql,
    tokenOf: (who) => shop.tokens[who.replace('the-', '') as keyof Shop['tokens']],
    idOf: async (who) => (await sql<{ id: number }>('select id from users where username = $1', [who]))[0]!.id,
    addressOf,
    async mails(who = me) {
      await settled();
      return sink.to(await addressOf(who));
    },
    async fates(who = me) {
      await settled();
      return await sql(
        'select n.state, n.outcome, n.attempts, n.last_error from notifications n join users u on u.id = n.user_id where u.username = $1 order by n.id',
        [who],
      );
    },
    async sendAgain() {
      await sql("update notifications set due_at = now() where state = 'WAITING'");
      await enqueue(shop.gateway.gateway.application.database, 'send_notifications', {}, { key: 'send' });
    },
    open: (p, json = {}) => p.send('POST', '/issues', doer, { title: 'Leak', ...json }),
    comment: (p, body) => p.send('POST', '/issues/1/notes', doer, { body }),
  };
}
