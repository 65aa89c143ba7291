// Generates contract/ from the code: the GraphQL schema and the OpenAPI document.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const outfile = join(root, 'node_modules/.cache/contract.mjs');
await build({
  absWorkingDir: root,
  entryPoints: ['src/contract.ts'],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
});
const { contractFiles } = await import(outfile);
rmSync(outfile);
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
mkdirSync(join(root, 'contract'), { recursive: true });
for (const [name, text] of Object.entries(contractFiles(version))) writeFileSync(join(root, 'contract', name), text);
