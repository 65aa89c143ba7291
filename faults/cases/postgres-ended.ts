import { setTimeout as pause } from 'node:timers/promises';
import type { Fault } from '../fault.ts';

/** PostgreSQL stops, and is started again two seconds later. */
const ended = (name: string, signal: NodeJS.Signals, how: string): Fault => ({
  name,
  what: `PostgreSQL ${how}, and started again two seconds later.`,
  async run({ cluster, gateways, watch }) {
    const brokeAt = performance.now();
    await cluster.end(signal);
    await pause(2_000);
    const acceptedAt = await cluster.start();
    await pause(1_500);
    return [watch.turnsRed(gateways, brokeAt), watch.turnsGreen(gateways, acceptedAt)];
  },
});

export const postgresKilled = ended('postgres-killed', 'SIGKILL', 'is killed (`kill -9`)');
/** Sessions end, transactions are rolled back. */
export const postgresRestartedFast = ended('postgres-restarted-fast', 'SIGINT', 'is shut down fast');
/** Like a power cut, except for the system's unwritten pages. */
export const postgresRestartedImmediately = ended(
  'postgres-restarted-immediately',
  'SIGQUIT',
  'is shut down immediately, without a checkpoint',
);
