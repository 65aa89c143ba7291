// Translates the sources to JavaScript, a file for a file, so that the processes of a test run load them as they are.
// To translate them in each run, and to load them through Vite, takes half a minute.

import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const sourcesDir = join(root, 'src/');

/** The folder that mirrors `src`, as deep as that, since a few sources look for files beside them. */
const outdir = join(root, 'compiled/');

/** What a source is translated to. @param {string} path of a source, within `src` */
const compiledName = (path) => path.replace(/\.tsx?$/, '.js');

/** The file that a source is translated to, by their whole paths; undefined if the path isn’t that of a source. */
export const compiledPath = (path) =>
  path.startsWith(sourcesDir) ? join(outdir, compiledName(path.slice(sourcesDir.length))) : undefined;

/** Brings the mirror up to date: translates what has changed, and removes what is gone. */
export async function compile() {
  await mkdir(outdir, { recursive: true });
  const sources = await filesIn(sourcesDir, /\.tsx?$/);
  const mirror = await filesIn(outdir, /\.js$/);
  const gone = new Set(mirror.keys());
  const changed = [];
  for (const [path, time] of sources) {
    gone.delete(compiledName(path));
    // The time of the source, so that an older file in its place counts as a change too.
    if (mirror.get(compiledName(path)) !== time) changed.push(path);
  }
  await Promise.all([...gone].flatMap((path) => [rm(join(outdir, path)), rm(join(outdir, `${path}.map`))]));
  if (changed.length === 0) return;
  await build({
    absWorkingDir: root,
    entryPoints: changed.map((path) => `src/${path}`),
    outbase: 'src',
    outdir,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'linked',
    plugins: [importsAsTheyAre],
    logLevel: 'warning',
  });
  await Promise.all(
    changed.map((path) => {
      const time = new Date(sources.get(path));
      return utimes(join(outdir, compiledName(path)), time, time);
    }),
  );
}

/** The times of a folder's files, in milliseconds, by their paths in it. */
async function filesIn(top, name) {
  const paths = (await readdir(top, { recursive: true })).filter((path) => name.test(path));
  return new Map(
    await Promise.all(paths.map(async (path) => [path, Math.floor((await stat(join(top, path))).mtimeMs)])),
  );
}

/** Leaves each import to Node: a package as it is, a source under the name of what it is translated to. */
const importsAsTheyAre = {
  name: 'imports-as-they-are',
  setup({ onResolve }) {
    onResolve({ filter: /.*/ }, ({ path, kind }) =>
      kind === 'entry-point' ? undefined : { path: path.startsWith('.') ? compiledName(path) : path, external: true },
    );
  },
};
