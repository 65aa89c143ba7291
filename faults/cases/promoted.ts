import { setTimeout as pause } from 'node:timers/promises';
import { relayTo, type Relay } from '../../test/support/databases/relay.ts';
import { query, type Replica } from '../cluster.ts';
import type { Fault } from '../fault.ts';
import { promised, rounded } from '../promised.ts';
import { calls, numberOf } from '../load.ts';

let standby: Replica | undefined;
let ways: Relay[] = [];
let database = '';
/** Seconds from the promotion until writes must be acknowledged again. */
const within = 6;
/** Milliseconds for which writes are tried. */
const trying = 12_000;

export const promoted: Fault = {
  name: 'promoted',
  what: 'The synchronous standby is promoted and gets the database’s address. The former primary still runs, and one gateway keeps its connections to it.',
  async settings({ cluster, database: name }) {
    database = name;
    standby = await cluster.replica('0');
    await cluster.end('SIGINT');
    await cluster.start({ synchronous_standby_names: '*' });
    ways = [await relayTo(cluster.url(name)), await relayTo(cluster.url(name))];
    return ways.map(({ url }) => ({ DATABASE_URL: url }));
  },
  async run({ cluster, gateways, load, spare: [person] }) {
    await load.ask(gateways[0]!, calls.setSetting(person!, 0));
    await standby!.promote();
    const promotedAt = performance.now();
    for (const way of ways) way.turnTo(standby!.url(database));
    ways[0]!.cut();
    ways[0]!.restore();
    // Written at the gateway that has moved, read at both, as soon as acknowledged.
    let [acknowledged, old, shown] = [0, 0, 0];
    let writtenAt: number | undefined;
    for (let value = 1; performance.now() < promotedAt + trying; value++) {
      const { wanted } = await load.ask(gateways[0]!, calls.setSetting(person!, value % 4_000));
      if (wanted) {
        acknowledged++;
        writtenAt ??= performance.now();
        const reads = await Promise.all(gateways.map((gateway) => load.ask(gateway, calls.setting(person!))));
        const answers = reads.filter(({ status }) => status === 200);
        shown += answers.length;
        old += answers.filter(({ text }) => numberOf(text) !== value % 4_000).length;
      }
      await pause(20);
    }
    const took = (writtenAt ?? Infinity) - promotedAt;
    const [last] = await query<{ follows: boolean }>(cluster.url('postgres'), 'select pg_is_in_recovery() as follows');
    return [
      promised(
        'The former primary still runs, as a primary.',
        last!.follows ? 'it follows another one' : 'it answers',
        !last!.follows,
      ),
      promised(`Writes are acknowledged again within ${within} s.`, `after ${rounded(took)}`, took < within * 1_000),
      promised(
        'No read shows a state older than an acknowledged write.',
        `${old} of ${shown} reads after ${acknowledged} writes`,
        old === 0 && shown > acknowledged,
      ),
    ];
  },
  async clear({ cluster }) {
    for (const way of ways) await way.close();
    await standby?.end('SIGKILL');
    // Without a standby, synchronous commits would wait without end.
    await cluster.end('SIGINT');
    await cluster.start({});
  },
};
