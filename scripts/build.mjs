// Builds what `npm start` runs: the Prisma client and Pothos' types, the bundle,
// and the browser assets. Does nothing when no source changed since the last build.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { queriedOf } from './prisma-model.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);
const generated = new Set(['src/database/client', 'src/schema/engine/prisma-types.ts']);

/** A hash of the names, sizes and times of all sources. */
function fingerprint() {
  const hash = createHash('sha256').update(process.version);
  const visit = (path) => {
    if (generated.has(path)) return;
    const stats = statSync(join(root, path));
    if (stats.isDirectory()) for (const name of readdirSync(join(root, path)).sort()) visit(`${path}/${name}`);
    else hash.update(`${path} ${stats.size} ${stats.mtimeMs}\n`);
  };
  for (const path of ['package-lock.json', 'prisma', 'prisma.config.ts', 'scripts', 'src']) visit(path);
  return hash.digest('hex');
}

/** Generates Prisma's two clients, and Pothos' types. */
export async function generate() {
  const schema = join(root, 'prisma/schema.prisma');
  // Beside the other, for the paths in it.
  const queried = join(root, 'prisma/.queried.prisma');
  writeFileSync(queried, queriedOf(readFileSync(schema, 'utf8')));
  try {
    // Prisma removes the files of the inner client with the outer one's, and refuses the empty folders that remain.
    rmSync(join(root, 'src/database/client'), { recursive: true, force: true });
    await prismaGenerate('--schema', queried, '--generator', 'client', '--generator', 'pothos');
    await prismaGenerate('--schema', schema, '--generator', 'whole');
  } finally {
    rmSync(queried);
  }
}

/** Runs `prisma generate`. It needs no engine, but downloads one unless a variable names an executable. */
async function prismaGenerate(...args) {
  await run(process.execPath, [join(root, 'node_modules/prisma/build/index.js'), 'generate', ...args], {
    cwd: root,
    env: {
      ...process.env,
      // Prisma finds Pothos' generator there, even if npm doesn't run this script.
      PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}`,
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
    },
  });
}

/** Builds everything unless it is up to date. */
export async function buildIfNeeded() {
  const dist = join(root, 'dist');
  const stamp = join(dist, 'built');
  const wanted = fingerprint();
  if (
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === wanted &&
    [...generated].every((path) => existsSync(join(root, path)))
  )
    return;
  await generate();
  const [{ bundle, writeBundled }, { buildAssets }] = await Promise.all([
    import('./bundle.mjs'),
    import('./assets.mjs'),
  ]);
  // Build in a temporary folder, then rename: a failed build leaves the last one in place.
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true });
  const draft = mkdtempSync(join(root, 'node_modules/.cache/dist-'));
  try {
    const [files, { files: browserFiles }] = await Promise.all([
      bundle(draft),
      buildAssets({ outdir: join(draft, 'assets'), minify: true }),
    ]);
    await writeBundled(draft, [...files, ...browserFiles]);
    await run(process.execPath, [join(draft, 'check.js')]);
    writeFileSync(join(draft, 'built'), wanted);
    chmodSync(draft, 0o755);
    rmSync(dist, { recursive: true, force: true });
    renameSync(draft, dist);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv[2] === 'generate') await generate();
  else await buildIfNeeded();
}
