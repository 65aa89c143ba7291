import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildIfNeeded } from './build.mjs';

/** The package’s own folder. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Builds the gateway, bundles programs that run beside it, and runs one of them with the arguments
 * of this process. Exits with its exit code.
 * @param {Record<string, string>} programs sources by the names of their bundles
 * @param {string} main name of the bundle to run
 * @param {(bundles: string) => Record<string, string>} [environment] extra environment variables
 */
export async function runBundled(programs, main, environment = () => ({})) {
  await buildIfNeeded();
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const bundles = mkdtempSync(join(cache, `${main}-`));
  try {
    await build({
      absWorkingDir: root,
      entryPoints: programs,
      outdir: bundles,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      packages: 'external',
      sourcemap: 'inline',
    });
    const { status } = spawnSync(
      process.execPath,
      ['--enable-source-maps', join(bundles, `${main}.js`), ...process.argv.slice(2)],
      {
        cwd: root,
        stdio: 'inherit',
        env: { ...process.env, ...environment(bundles) },
      },
    );
    process.exitCode = status ?? 1;
  } finally {
    rmSync(bundles, { recursive: true, force: true });
  }
}
