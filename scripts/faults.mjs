// Bundles the fault suite and runs it: see faults/main.ts.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildIfNeeded } from './build.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
await buildIfNeeded();
mkdirSync(join(root, 'node_modules/.cache'), { recursive: true });
const bundle = mkdtempSync(join(root, 'node_modules/.cache/faults-'));
await build({
  absWorkingDir: root,
  entryPoints: { main: 'faults/main.ts' },
  outdir: bundle,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  sourcemap: 'inline',
});
const { status } = spawnSync(process.execPath, ['--enable-source-maps', join(bundle, 'main.js'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, FAULTS_ROOT: root },
});
rmSync(bundle, { recursive: true, force: true });
process.exit(status ?? 1);
