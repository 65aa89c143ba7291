import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Fault, Scene } from '../fault.ts';
import { promised, rounded } from '../promised.ts';
import { timeouts, type Gateway } from '../gateways.ts';
import { calls, type Outcome } from '../load.ts';
import type { Person } from '../store.ts';
import { allAnswered } from '../verify.ts';

/** Locks the rows of these people's settings while requests ask for them. */
async function whileHeld(scene: Scene, people: readonly Person[], gateways: readonly Gateway[], milliseconds: number) {
  const { databaseUrl, load } = scene;
  for (const person of people) await load.ask(scene.gateways[0]!, calls.setSetting(person, 0));
  const holder = new pg.Client({ connectionString: databaseUrl });
  await holder.connect();
  await holder.query('begin');
  const { rowCount } = await holder.query(
    'select 1 from group_notification_settings where user_id = any($1) for update',
    [people.map(({ id }) => id)],
  );
  if (rowCount !== people.length) throw new Error(`${rowCount} rows are held instead of ${people.length}.`);
  const from = performance.now();
  const waited: Outcome[] = [];
  await Promise.all(
    people
      .flatMap((person) =>
        gateways.map(async (gateway) => {
          for (let value = 1; performance.now() < from + milliseconds; value++) {
            const outcome = await load.ask(gateway, calls.setSetting(person, value));
            if (outcome.startedAt + outcome.milliseconds <= from + milliseconds) waited.push(outcome);
          }
        }),
      )
      .concat(pause(milliseconds).then(async () => void (await holder.query('rollback')))),
  );
  const to = from + milliseconds;
  await holder.end();
  await pause(200);
  const afterwards = await Promise.all(
    people.flatMap((person) => gateways.map((gateway) => load.ask(gateway, calls.setSetting(person, 3)))),
  );
  return { from, to, waited, afterwards };
}

/** Milliseconds that may pass after a timeout until the response arrives. */
const allowance = 1_000;

function refusedInTime(promise: string, waited: readonly Outcome[], bound: number) {
  const most = Math.max(0, ...waited.map(({ milliseconds }) => milliseconds));
  const kept =
    waited.length > 0 &&
    waited.every(
      ({ status, wrong, milliseconds }) => status === 503 && wrong === undefined && milliseconds <= bound + allowance,
    );
  const statuses = [...new Set(waited.map(({ status, wrong }) => wrong ?? status))].join(', ');
  return promised(promise, `${waited.length} requests, answered ${statuses}, the longest after ${rounded(most)}`, kept);
}

export const lockHeld: Fault = {
  name: 'lock-held',
  what: 'A frequently used row is locked for ten seconds.',
  async run(scene) {
    const { gateways, watch, load, spare } = scene;
    const { from, to, waited, afterwards } = await whileHeld(
      scene,
      spare.slice(0, 1),
      [...gateways, ...gateways],
      10_000,
    );
    return [
      refusedInTime(
        `Requests that wait for it are answered 503 after the statement timeout (${timeouts.statement / 1_000} s).`,
        waited,
        timeouts.statement,
      ),
      allAnswered('All other requests are answered.', load.between(from, to)),
      allAnswered('Requests after the lock get the row.', afterwards),
      watch.staysGreen(gateways, from),
    ];
  },
};

const connections = 4;

export const poolExhausted: Fault = {
  name: 'pool-exhausted',
  what: `All ${connections} connections of one gateway wait for locked rows, for six seconds.`,
  settings: () =>
    Promise.resolve<Record<string, string>[]>([{ CAUSEWAY_DATABASE_CONNECTIONS: String(connections) }, {}]),
  async run(scene) {
    const { gateways, watch, load, spare } = scene;
    const [exhausted, other] = gateways as [Gateway, Gateway];
    const { from, to, waited, afterwards } = await whileHeld(
      scene,
      spare.slice(0, connections * 2),
      [exhausted],
      6_000,
    );
    const there = load.between(from, to).filter(({ gateway }) => gateway === exhausted);
    const refused = there.filter(({ status }) => status === 503);
    const most = Math.max(0, ...there.map(({ milliseconds }) => milliseconds));
    const bound = timeouts.connection + timeouts.statement;
    return [
      refusedInTime('Requests that wait for a row, or for a connection, are answered 503 in time.', waited, bound),
      promised(
        `No request waits for a connection longer than the timeout (${timeouts.connection / 1_000} s for each piece of work, ${timeouts.request / 1_000} s in all).`,
        `${refused.length} of ${there.length} requests got none, the longest after ${rounded(most)}`,
        refused.length > 0 && most <= timeouts.request + allowance,
      ),
      allAnswered(
        'The other gateway answers everything.',
        load.between(from, to).filter(({ gateway }) => gateway === other),
      ),
      allAnswered('Requests afterwards are answered.', afterwards),
      watch.staysGreen(gateways, from),
    ];
  },
};
