import { setTimeout as pause } from 'node:timers/promises';
import { query } from '../cluster.ts';
import type { Fault } from '../fault.ts';

export const backendKilled: Fault = {
  name: 'backend-killed',
  what: 'One of PostgreSQL’s processes that serve a gateway is killed (`kill -9`): PostgreSQL ends all sessions and recovers by itself.',
  async run({ cluster, databaseUrl, gateways, watch }) {
    const [{ pid }] = (await query<{ pid: number }>(
      databaseUrl,
      `select pid from pg_stat_activity where application_name = 'causeway' limit 1`,
    )) as [{ pid: number }];
    process.kill(pid, 'SIGKILL');
    await pause(100);
    const acceptedAt = await cluster.accepts();
    await pause(1_500);
    return [watch.turnsGreen(gateways, acceptedAt)];
  },
};
