// Writes the table of settings into docs/configuration.md, from src/config/.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @param {Record<string, { meaning: string, otherwise: string, remedy: string }>} settings
 * @returns {string} a table in Markdown
 */
export function settingsTable(settings) {
  const row = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const rows = Object.entries(settings).map(([name, { meaning, otherwise, remedy }]) =>
    row([`\`${name}\``, meaning, otherwise, remedy]),
  );
  return ['| setting | meaning | default | it must be |', '|---|---|---|---|', ...rows].join('\n');
}

const root = fileURLToPath(new URL('..', import.meta.url));
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { build } = await import('esbuild');
  const outfile = join(root, 'node_modules/.cache/config.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['src/config/index.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  });
  const { settings } = await import(outfile);
  rmSync(outfile);
  const file = join(root, 'docs/configuration.md');
  const table = readFileSync(file, 'utf8').replace(/^\| setting \|[^]*?(?=\n\n)/m, () => settingsTable(settings));
  writeFileSync(file, table);
}
