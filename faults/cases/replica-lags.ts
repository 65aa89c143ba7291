import { setTimeout as pause } from 'node:timers/promises';
import type { Replica } from '../cluster.ts';
import type { Fault } from '../fault.ts';
import { promised } from '../promised.ts';
import { calls } from '../load.ts';
import { allAnswered } from '../verify.ts';

let replica: Replica | undefined;
/** How often something is written and read at once. */
const times = 40;

export const replicaLags: Fault = {
  name: 'replica-lags',
  what: 'A replica of the database replays everything with a delay of two seconds, and is killed (`kill -9`) after five.',
  async settings({ cluster, database }) {
    replica = await cluster.replica('2s');
    const settings = { DATABASE_REPLICA_URL: replica.url(database) };
    return [settings, settings];
  },
  async run({ gateways, load, watch, spare: [person] }) {
    const from = performance.now();
    let old = 0;
    let seen = 0;
    for (let value = 1; value <= times; value++) {
      const name = `replica-${value}`;
      const made = await load.ask(gateways[value % 2]!, calls.makeToken(person!, name));
      if (made.status !== 201) continue;
      // A list reads from the replica if that has caught up.
      const read = await Promise.all(gateways.map((gateway) => load.ask(gateway, calls.listTokens(person!))));
      const lists = read.filter(({ status }) => status === 200);
      seen += lists.length;
      old += lists.filter(({ text }) => !text.includes(`"${name}"`)).length;
    }
    await pause(Math.max(0, from + 5_000 - performance.now()));
    await replica!.end('SIGKILL');
    await pause(2_000);
    return [
      promised(
        'A write at one gateway is in the lists of both at once.',
        `${old} of ${seen} reads were of an older state`,
        old === 0 && seen > times,
      ),
      allAnswered('All requests are answered, before and after it is killed.', load.between(from, performance.now())),
      watch.staysGreen(gateways, from),
    ];
  },
  clear: async () => await replica?.end('SIGKILL'),
};
