import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './report.ts';
import { startServer } from './server.ts';
import type { Store } from './store.ts';

/** Seconds from the start of the process to its first answer, and what it holds then. */
async function start(root: string, env: Record<string, string>): Promise<{ seconds: number; memory: number }> {
  const startedAt = performance.now();
  const server = await startServer([process.execPath, join(root, 'dist/cli.js'), 'start'], { PORT: '0', ...env }, 1);
  const answer = await fetch(`${server.origin}/api/v4/version`);
  await answer.text();
  const seconds = (performance.now() - startedAt) / 1000;
  const memory = server.memory();
  await server.stop();
  return { seconds, memory };
}

/** Cold and warm starts, on a database of its own and on a given one. */
export async function measureStarts(root: string, store: Store, secretKey: string): Promise<Record<string, number>> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-bench-'));
  try {
    const own = { DATA_DIR: join(folder, 'data') };
    const given = { DATABASE_URL: store.url, CAUSEWAY_SECRET_KEY: secretKey, CAUSEWAY_DEMO: 'off' };
    const first = await start(root, own);
    const second = [await start(root, own), await start(root, own), await start(root, own)];
    const shared = [await start(root, given), await start(root, given), await start(root, given)];
    return {
      'first start to first answer, own database, s': first.seconds,
      'second start to first answer, own database, s': median(second.map(({ seconds }) => seconds)),
      'start to first answer, given database, s': median(shared.map(({ seconds }) => seconds)),
      'memory after the first answer, given database, MB': median(shared.map(({ memory }) => memory)),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
