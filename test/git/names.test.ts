import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isReadable, isSpecial, problemOf } from '../../src/git/names/paths.ts';
import { isName, isObjectName, isRef } from '../../src/git/names/refs.ts';
import { candidates } from '../../src/git/names/revisions.ts';
import { runSync } from '../support/run/programs.ts';
import { runs } from '../support/run/runs.ts';

describe('names of branches and tags', () => {
  test.each([
    'main',
    'feature/x',
    'v1.0.0',
    'ends-with.json',
    'ünïcode',
    'a-b',
    '1234567',
    'x'.repeat(200),
    'a/refs',
    'HEAD2',
  ])('take %s', (name) => expect(isName(name)).toBe(true));
  test.each([
    '',
    '-x',
    '--output=/tmp/x',
    'HEAD',
    'refs/heads/x',
    'refs',
    'a..b',
    'a b',
    'a~1',
    'a^',
    'a:b',
    'a?',
    'a*',
    'a[b',
    'a\\b',
    '@',
    'a@{1}',
    'a.lock',
    'a.lock/b',
    '.a',
    'a/.b',
    '/a',
    'a/',
    'a//b',
    'a.',
    'a\u0000',
    'a\nb',
    'a\u007f',
    '\ud800',
    'a'.repeat(40),
    '0'.repeat(40),
    `${'0'.repeat(40)}/x`,
    `${'0'.repeat(40)}-/x`,
    'F'.repeat(40),
    '0'.repeat(64),
    'x'.repeat(251),
  ])('refuse %j', (name) => expect(isName(name)).toBe(false));

  test('take nothing that git refuses', () => {
    const parts = fc.constantFrom(
      'a',
      'B',
      '-',
      '.',
      '..',
      '/',
      '@',
      '{',
      '~',
      '^',
      ':',
      '*',
      '[',
      '\\',
      ' ',
      '.lock',
      'HEAD',
      'ü',
      '?',
    );
    const names = fc.sample(fc.array(parts, { minLength: 1, maxLength: 5 }), 150 * runs).map((some) => some.join(''));
    const taken = names.filter(isName);
    expect(taken.length).toBeGreaterThan(5);
    const refused = (name: string) => {
      try {
        runSync('git', ['check-ref-format', '--branch', name], { cwd: '/', env: { PATH: process.env.PATH } });
        return false;
      } catch {
        return true;
      }
    };
    expect([...new Set(taken)].slice(0, 40 * runs).filter(refused)).toEqual([]);
  });

  test('full names begin with refs and a folder', () => {
    expect(isRef('refs/merge-requests/1/head')).toBe(true);
    for (const ref of ['HEAD', 'refs/heads', 'refs/heads/', 'heads/x', 'refs/heads/a..b', 'refs//x', '-refs/x/y'])
      expect(isRef(ref)).toBe(false);
  });

  test('object names are whole and small', () => {
    expect(isObjectName('a'.repeat(40))).toBe(true);
    for (const name of ['a'.repeat(39), 'A'.repeat(40), `${'a'.repeat(40)}\n`, 'g'.repeat(40), ''])
      expect(isObjectName(name)).toBe(false);
  });
});

describe('revisions', () => {
  test.each([
    'main~1',
    'main^',
    'main@{1}',
    ':/text',
    '^{/x}',
    'main:path',
    'HEAD~3',
    '--all',
    '-1',
    '',
    'a..b',
    '^main',
    'HEAD^{tree}',
    '@',
  ])('have no syntax: %j names nothing', (text) => expect(candidates(text)).toEqual([]));

  test('are HEAD, a tag, a branch, or hex digits', () => {
    expect(candidates('HEAD')).toEqual(['HEAD']);
    expect(candidates('v1')).toEqual(['refs/tags/v1', 'refs/heads/v1']);
    expect(candidates('ABCDEF1')).toEqual(['refs/tags/ABCDEF1', 'refs/heads/ABCDEF1', 'abcdef1']);
    expect(candidates('a'.repeat(40))).toEqual(['a'.repeat(40)]);
    expect(candidates('x', 'branch')).toEqual(['refs/heads/x']);
    expect(candidates('refs/heads/x')).toEqual(['refs/heads/x']);
    expect(candidates('refs/keep-around/x')).toEqual([]);
  });
});

describe('paths to write', () => {
  test.each([
    'a',
    'a/b.txt',
    'v1..2.txt',
    '-x',
    ':wq',
    '*',
    '.gitignore',
    '.github/x',
    'ü/ö',
    'a b',
    'git',
    'a:b',
    '...x',
  ])('take %s', (path) => expect(problemOf(path)).toBeUndefined());
  test.each([
    '/a',
    'a/',
    'a//b',
    '.',
    'a/./b',
    '.git',
    '.git/config',
    'a/.GIT/hooks/x',
    '.Git ',
    '.git.',
    '.git. .',
    'git~1',
    'GIT~1/x',
    '.g\u200cit',
    '.git\u200f',
    '\ufeff.git',
    '.git::$INDEX_ALLOCATION',
    '.git:x/config',
    'a\\b',
    '..\\x',
    'a\u0000',
    'a\nb',
    'a\rb',
    'x.',
    'x ',
    '\ud800',
  ])('refuse %j', (path) => expect(problemOf(path)).toBe('invalid'));
  test('are bounded', () => {
    expect(problemOf('x'.repeat(256))).toBe('invalid');
    expect(problemOf('x'.repeat(255))).toBeUndefined();
    expect(problemOf(`${'x/'.repeat(2_047)}xx`)).toBeUndefined();
    expect(problemOf(`${'x/'.repeat(2_048)}xx`)).toBe('invalid');
  });
  test('say what is wrong', () => {
    expect(problemOf('')).toBe('empty');
    expect(problemOf('a/../b')).toBe('traversal');
    expect(problemOf('../x')).toBe('traversal');
  });
  test.each([
    '.gitmodules',
    '.GITMODULES',
    'gitmod~1',
    'GI7EBA~1',
    '.gitattributes',
    '.gitm\u200codules',
    '.gitmodules .',
  ])('know that git reads %s', (name) => expect(isSpecial(name)).toBe(true));
  test('read what was written otherwise', () => {
    expect(isReadable('.git/x.')).toBe(true);
    for (const path of ['', 'a/../b', './a', 'a\0', '/a']) expect(isReadable(path)).toBe(false);
  });
});
