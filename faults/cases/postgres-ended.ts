import { setTimeout as pause } from 'node:timers/promises';
import type { Fault } from '../fault.ts';

/** PostgreSQL ends, and comes back two seconds later. */
const ended = (name: string, signal: NodeJS.Signals, how: string): Fault => ({
  name,
  what: `PostgreSQL ${how}, and is started again two seconds later.`,
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
/** Sessions are ended, transactions rolled back. */
export const postgresRestartedFast = ended('postgres-restarted-fast', 'SIGINT', 'is shut down fast');
/** As a power cut, but for what the system has yet to write. */
export const postgresRestartedImmediately = ended(
  'postgres-restarted-immediately',
  'SIGQUIT',
  'is shut down immediately, without a checkpoint',
);
