import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Fault } from '../fault.ts';
import { promised } from '../promised.ts';

/** Sessions of the gateways' pools, those in a transaction first. */
const cut = `select count(*) filter (where pg_terminate_backend(pid))::int as cut,
    count(*) filter (where state in ('active', 'idle in transaction'))::int as busy
  from (select pid, state from pg_stat_activity where application_name = 'causeway' and datname = current_database()
         order by state not in ('active', 'idle in transaction') limit 5) s`;

export const connectionsCut: Fault = {
  name: 'connections-cut',
  what: 'For three seconds connections of both gateways are cut in the database, five at a time and those in a transaction first.',
  async run({ databaseUrl, gateways, watch }) {
    const from = performance.now();
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    const sum = { cut: 0, busy: 0 };
    while (performance.now() < from + 3_000) {
      const { rows } = await client.query<typeof sum>(cut);
      sum.cut += rows[0]!.cut;
      sum.busy += rows[0]!.busy;
      await pause(15);
    }
    await client.end();
    await pause(500);
    return [
      promised(
        'Connections are cut in the middle of their work.',
        `${sum.cut} were cut, ${sum.busy} of them busy`,
        sum.busy > 0,
      ),
      watch.staysGreen(gateways, from),
    ];
  },
};
