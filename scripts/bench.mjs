// Bundles the benchmark and its sides, and runs it: see bench/main.ts.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildIfNeeded } from './build.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
await buildIfNeeded();
mkdirSync(join(root, 'node_modules/.cache'), { recursive: true });
const bundles = mkdtempSync(join(root, 'node_modules/.cache/bench-'));
await build({
  absWorkingDir: root,
  entryPoints: { main: 'bench/main.ts', timing: 'bench/timing.ts', floor: 'bench/sides/floor.ts', 'plain-yoga': 'bench/sides/plain-yoga.ts', 'usual-stack': 'bench/sides/usual-stack.ts', 'oidc-provider': 'bench/sides/oidc-provider.ts' },
  outdir: bundles,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  sourcemap: 'inline',
});
const entry = process.argv.includes('--timing') ? 'timing.js' : 'main.js';
const { status } = spawnSync(process.execPath, ['--enable-source-maps', join(bundles, entry), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, BENCH_ROOT: root, BENCH_BUNDLES: bundles },
});
process.exit(status ?? 1);
