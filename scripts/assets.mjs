// Builds the browser assets: the stylesheet, the icon, GraphiQL and the API reference.
// Nothing is loaded from other sites, at build time or at run time.
//
//   node scripts/assets.mjs [folder]

import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const browser = fileURLToPath(new URL('../src/web/browser/', import.meta.url));

/** Assets: the name that pages use, and the source file. */
const entries = {
  'site.css': 'site.css',
  'favicon.svg': 'favicon.svg',
  'approve.js': 'approve.ts',
  'notifications.js': 'notifications.ts',
  'live.js': 'live.ts',
  'copy.js': 'copy.ts',
  'comments.js': 'comments.ts',
  'passkey.js': 'passkey.ts',
  'password.js': 'password.ts',
  'strength.js': 'strength.ts',
  'docs.js': 'docs/docs.ts',
  'docs.css': 'docs/docs.css',
  'graphiql.js': 'graphiql/graphiql.tsx',
  'graphiql.css': 'graphiql/graphiql.css',
};

/**
 * Bundles every asset into `outdir`, each with a hash of its content in its name and a gzipped
 * copy beside it, and writes `manifest.json`, which maps the names that pages use to file names.
 *
 * @param {{ outdir: string, minify?: boolean }} options
 * @returns {Promise<{ manifest: Record<string, string>, files: string[] }>} the manifest, and the files that were bundled
 */
export async function buildAssets({ outdir, minify = true }) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    metafile: true,
    entryPoints: Object.values(entries).map((source) => join(browser, source)),
    outdir,
    bundle: true,
    write: false,
    minify,
    format: 'iife',
    target: 'es2022',
    loader: { '.svg': 'copy' },
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'eof',
    logLevel: 'warning',
    alias: { 'react-style-singleton': join(browser, 'graphiql/no-style-elements.ts') },
    plugins: [withoutFonts],
  });
  await mkdir(outdir, { recursive: true });
  const built = await Promise.all(outputFiles.map((file) => writeHashed(outdir, basename(file.path), file.contents)));
  const manifest = Object.fromEntries(built.sort(([one], [other]) => one.localeCompare(other)));
  const missing = Object.keys(entries).filter((name) => !(name in manifest));
  if (missing.length > 0) throw new Error(`The build made no ${missing.join(', ')}.`);
  await writeFile(join(outdir, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return { manifest, files: Object.keys(metafile.inputs) };
}

/** Removes fonts from GraphiQL's stylesheet: they are most of it, and the system has good ones. */
const withoutFonts = {
  name: 'without-fonts',
  setup({ onLoad }) {
    onLoad({ filter: /graphiql[\\/]dist[\\/]style\.css$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(/@font-face\s*\{[^}]*\}/g, ''),
      loader: 'css',
    }));
  },
};

const compress = promisify(gzip);

async function writeHashed(outdir, name, contents) {
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 12);
  const hashed = name.replace(/\.\w+$/, `-${hash}$&`);
  await Promise.all([
    writeFile(join(outdir, hashed), contents),
    writeFile(join(outdir, `${hashed}.gz`), await compress(contents, { level: 9 })),
  ]);
  return [name, hashed];
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await buildAssets({ outdir: resolve(process.argv[2] ?? 'dist/assets') });
}
