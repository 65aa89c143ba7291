import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../support/run/process.ts';

/** The documents name tests for each attack and each threat: those tests exist, and say which attack they try. */

const read = (path: string) => readFileSync(join(repository, path), 'utf8');

/** Test files by their path below `test/`, without `.test.ts`. */
const files = new Map(
  readdirSync(join(repository, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => [path.replace(/\.test\.ts$/, ''), read(`test/${path}`)]),
);

/** The rows of the tables below a heading, as cells. */
function rowsBelow(document: string, heading: string): string[][] {
  const [, after] = read(document).split(`\n## ${heading}\n`);
  const [section] = after!.split('\n## ');
  return section!
    .split('\n')
    .filter((line) => /^\| (?!---|#|door)/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** Test files that a cell names in backticks; `*` stands for a part of a name. */
function named(cell: string): { readonly name: string; readonly found: string[] }[] {
  return [...cell.matchAll(/`([a-z][\w-]*\/[\w./*-]+)`/g)].map(([, name]) => {
    const pattern = new RegExp(`^${name!.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`);
    return { name: name!, found: [...files.keys()].filter((file) => pattern.test(file)) };
  });
}

const attacks = rowsBelow('docs/security.md', 'Known attacks, and our tests').map(([numbers, , tests]) => {
  const all = numbers!.split(', ').flatMap((part) => {
    const [first, last = first] = part.split('–').map(Number) as [number, number?];
    return Array.from({ length: last! - first! + 1 }, (_, index) => first! + index);
  });
  return { numbers: all, tests: tests! };
});

/** The last cells of the table of repositories, whose rows are numbered S1 to S32. */
const ofRepositories = [...read('docs/git-security.md').matchAll(/^\| S(\d+) \|.*\|([^|]*)\|$/gm)].map(
  ([, number, tests]) => ({ number: Number(number), tests: tests! }),
);

test('each test that the tables of attacks and threats name exists', () => {
  const threats = rowsBelow('docs/threat-model.md', 'Threats, door by door').map((cells) => cells.at(-1)!);
  const ofImports = rowsBelow('docs/coming-from-gitlab.md', 'How it is tested').map((cells) => cells.at(-1)!);
  const cells = [...attacks, ...ofRepositories].map(({ tests }) => tests).concat(threats, ofImports);
  expect(cells.length).toBeGreaterThan(40);
  const missing = cells.flatMap(named).filter(({ found }) => found.length === 0);
  expect(missing.map(({ name }) => name)).toEqual([]);
});

test('everything that is tried on repositories has a row, and a test', () => {
  expect(ofRepositories.map(({ number }) => number)).toEqual(Array.from({ length: 32 }, (_, index) => index + 1));
  expect(ofRepositories.filter(({ tests }) => named(tests).length === 0)).toEqual([]);
});

test('every known attack has a row, and a test of its row that names its number', () => {
  expect(attacks.flatMap(({ numbers }) => numbers)).toEqual(Array.from({ length: 44 }, (_, index) => index + 1));
  const untried = attacks.flatMap(({ numbers, tests }) => {
    const texts = named(tests).flatMap(({ found }) => found.map((file) => files.get(file)!));
    const tried = new Set(
      texts.flatMap((text) =>
        [...text.matchAll(/\brows? (\d+(?:(?:, | and |–| to )\d+)*)/g)].flatMap(([, list]) =>
          list!.match(/\d+/g)!.map(Number),
        ),
      ),
    );
    return numbers.filter((number) => !tried.has(number));
  });
  expect(untried).toEqual([]);
});
