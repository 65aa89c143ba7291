// Bundles the fuzzer and runs it on the built gateway: see test/fuzz/main.ts.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildIfNeeded } from './build.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
await buildIfNeeded();
mkdirSync(join(root, 'node_modules/.cache'), { recursive: true });
const bundle = mkdtempSync(join(root, 'node_modules/.cache/fuzz-'));
await build({
  absWorkingDir: root,
  entryPoints: ['test/fuzz/main.ts'],
  outdir: bundle,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  sourcemap: 'inline',
});
const { status } = spawnSync(process.execPath, ['--enable-source-maps', join(bundle, 'main.mjs'), ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
rmSync(bundle, { recursive: true, force: true });
process.exit(status ?? 1);
