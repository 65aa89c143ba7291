import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { breaches, readSources, roomOf } from '../../scripts/check-rooms.mjs';
import { composition, free, mayImport } from '../../scripts/rooms.mjs';
import { repository } from '../support/run/process.ts';

const sources = readSources();

/** The breaches of the import law in one file. */
const found = (path: string, text: string) => breaches(new Map([[path, text]]));

const ways = (path: string) => [
  `import { a } from '${path}'; a();`,
  `import type { A } from '${path}'; export type B = A;`,
  `export * from '${path}';`,
  `import '${path}';`,
];

describe('the import law', () => {
  test('has no breaches', () => {
    expect(breaches(sources)).toEqual([]);
  });

  test('refuses a name that two statements have', () => {
    const path = 'src/schema/a/b/statements.ts';
    const one =
      "import { statement } from '../../../database/index.ts'; export const x = statement<{ id: number }>(\n  'x_of_y', '');";
    expect(found(path, one)).toEqual([]);
    expect(found(path, `${one} export const y = statement('x_of_y', 'select');`)).toEqual([
      `${path} names a statement x_of_y, as ${path} does`,
    ]);
  });

  test('has a line for every room, and no other lines', () => {
    const rooms = new Set([...sources.keys()].map(roomOf));
    expect([...rooms].sort()).toEqual([...Object.keys(mayImport), ...free, ...composition].sort());
  });

  test('has the same rooms as the architecture', async () => {
    const architecture = await readFile(join(repository, 'docs/architecture.md'), 'utf8');
    for (const room of [...Object.keys(mayImport), ...free, ...composition].filter((name) => name !== 'statements')) {
      expect(architecture).toMatch(new RegExp(`src/${room}(/|\\.ts)`));
    }
  });

  test('has the same areas and subjects as the architecture', async () => {
    const architecture = await readFile(join(repository, 'docs/architecture.md'), 'utf8');
    const [, table] = architecture.split('| area | subjects |\n|---|---|\n');
    const rows = table!.slice(0, table!.indexOf('\n\n')).split('\n');
    const named = rows.map((row) => {
      const [area, ...subjects] = [...row.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
      return [area!, subjects.toSorted()] as const;
    });
    const there = new Map<string, Set<string>>();
    for (const path of sources.keys()) {
      const [, room, area, subject, file] = path.split('/') as (string | undefined)[];
      if (!['schema', 'rest', 'web'].includes(room!) || file === undefined) continue;
      if (area === 'engine' || area === 'site' || area === 'browser') continue;
      there.set(area!, (there.get(area!) ?? new Set()).add(subject!));
    }
    expect(Object.fromEntries(named)).toEqual(
      Object.fromEntries([...there].map(([area, subjects]) => [area, [...subjects].toSorted()])),
    );
  });

  const rooms = Object.keys(mayImport).filter((room) => room !== 'statements');
  test.each(rooms)('refuses in %s every way to import a room that it may not', (room) => {
    const path = `src/${room}/deep/new.ts`;
    for (const other of [...rooms, ...composition].filter((name) => name !== room)) {
      for (const line of ways(`../../${other}/index.ts`)) {
        const expected = mayImport[room]!.includes(other)
          ? []
          : [`${path} imports src/${other}/index.ts: ${room} may not import ${other}`];
        expect(found(path, line), line).toEqual(expected);
      }
    }
  });

  test('refuses statements of another subject, outside of jobs and other statements', () => {
    const statements = 'src/schema/places/members/statements/changes.ts';
    const line = "import { hasOwner } from '../../places/members/statements/changes.ts'; hasOwner();";
    expect(found('src/schema/accounts/users/new.ts', line)).toHaveLength(1);
    expect(found('src/schema/accounts/users/statements/new.ts', line.replace('../../', '../../../'))).toEqual([]);
    expect(
      found('src/jobs/new.ts', `import { hasOwner } from '../${statements.slice('src/'.length)}'; hasOwner();`),
    ).toEqual([]);
  });

  test('refuses a circle, by types too', () => {
    const one = "import type { Two } from './two.ts'; export type One = Two;";
    const two = "import type { One } from './one.ts'; export type Two = One;";
    const both = new Map([...sources, ['src/mail/one.ts', one], ['src/mail/two.ts', two]]);
    expect(breaches(both)).toEqual([expect.stringContaining('import cycle')]);
  });

  test('refuses SQL outside of statements, and imports while running outside of composition', () => {
    expect(
      found('src/schema/places/groups/new.ts', 'const text = `select id from users`; console.log(text);'),
    ).toHaveLength(1);
    expect(found('src/schema/places/groups/statements/new.ts', 'export const text = `select id from users`;')).toEqual(
      [],
    );
    expect(found('src/mail/new.ts', "export const late = () => import('./index.ts');")).toHaveLength(1);
    expect(found('src/server.ts', "export const late = () => import('./web/index.ts');")).toEqual([]);
    expect(found('src/cli/new.ts', "export const late = () => import('../maintenance.ts');")).toEqual([]);
    expect(found('src/cli/new.ts', "export const late = () => import('../web/index.ts');")).toHaveLength(1);
  });
});

describe('the house rules', () => {
  /** Files that people write. */
  const written = ['src', 'test', 'bench', 'faults', 'scripts'].flatMap((room) =>
    readdirSync(join(repository, room), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(repository, join(parentPath, name)))
      .filter((path) => !/(?:^|\/)\.|^src\/database\/client\/|\/prisma-types\.ts$|^test\/screenshots\//.test(path)),
  );

  test('no source is longer than 400 lines, and no test longer than 800', () => {
    const tooLong = written
      .filter((path) => /\.(?:ts|tsx|mjs|css)$/.test(path))
      .map((path) => ({ path, lines: readFileSync(join(repository, path), 'utf8').split('\n').length - 1 }))
      .filter(({ path, lines }) => lines > (path.startsWith('test/') ? 800 : 400));
    expect(tooLong).toEqual([]);
  });

  test('no folder has more than twenty files, except where a name finds one of its kind', () => {
    const ofOneKind = ['faults/cases', 'test/clients', 'test/pipelines/ci-files'];
    const counts = new Map<string, number>();
    for (const path of written) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    expect([...counts].filter(([folder, count]) => count > 20 && !ofOneKind.includes(folder))).toEqual([]);
  });
});
