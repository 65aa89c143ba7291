import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asking } from '../load.ts';
import { median, type Check } from '../report.ts';
import { startServer } from '../server.ts';
import { gatewayCommand, gatewayEnv } from '../sides.ts';
import type { Store } from '../store.ts';
import { graphql, settingsQuery } from '../workload/graphql.ts';

/** Seconds from the start of the process to its first answer, and its megabytes after the first query. */
async function start(env: Record<string, string>, store: Store): Promise<{ seconds: number; memory: number }> {
  const startedAt = performance.now();
  const server = await startServer(gatewayCommand, { PORT: '0', ...env }, { cores: 1 });
  try {
    const ask = asking(server);
    await ask({ path: '/api/v4/version' });
    const seconds = (performance.now() - startedAt) / 1000;
    await ask(graphql(settingsQuery, '')(store, ask).next(0, 0));
    return { seconds, memory: server.memory() };
  } finally {
    await server.stop();
  }
}

/** Cold and warm starts, on a database of its own and on a given one. */
export async function measureStarts(store: Store): Promise<Check[]> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-bench-'));
  const repeat = async (env: Record<string, string>) => [
    await start(env, store),
    await start(env, store),
    await start(env, store),
  ];
  try {
    const own = { DATA_DIR: join(folder, 'data') };
    const first = await start(own, store);
    const second = await repeat(own);
    const given = await repeat(gatewayEnv(store));
    const seconds = (starts: typeof given) => median(starts.map((one) => one.seconds));
    return [
      { name: 'first start to first answer, own database', value: first.seconds, unit: 's' },
      { name: 'second start to first answer, own database', value: seconds(second), unit: 's', bound: 1 },
      { name: 'start to first answer, given database', value: seconds(given), unit: 's', bound: 0.5 },
      {
        name: 'memory after the first query',
        value: median(given.map(({ memory }) => memory)),
        unit: 'MB',
        bound: 170,
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
