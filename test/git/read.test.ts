import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { TooLarge } from '../../src/git/errors.ts';
import {
  commitNames,
  contributors,
  countCommits,
  isAncestor,
  lastCommitOf,
  logPage,
  mergeBase,
  type LogFilter,
} from '../../src/git/history/index.ts';
import { diffBetween, diffLimits, diffOfCommit, statsOfCommit } from '../../src/git/diff/index.ts';
import { hunksOf } from '../../src/values/text/hunks.ts';
import {
  findFile,
  readBlob,
  readCommit,
  readInfo,
  readTree,
  readWholeTree,
  resolveCommit,
  streamBlob,
} from '../../src/git/objects/index.ts';
import type { Repository } from '../../src/git/repository.ts';
import { runs } from '../support/run/runs.ts';
import { fastImport, newRepository, openEngine, plainGit } from './support/engine.ts';

const git = await openEngine({ limits: { blob: 1_000_000, treeEntries: 50 } });
let repository: Repository;
const plain = (...args: string[]) => plainGit(repository.path, args);
const idOf = (revision: string) => plain('rev-parse', `${revision}^{commit}`);

/** Sixty commits on `main`, a branch that was merged, one that wasn't, a tag, and files with names of every kind. */
function history(): string {
  const at = (number: number) => 1_700_000_000 + number * 60;
  const by = (number: number) =>
    `committer ${number % 3 === 0 ? 'Bo' : 'Ann'} <${number % 3 === 0 ? 'bo' : 'ann'}@example.com> ${at(number)} +0130\n`;
  const file = (path: string, content: string, mode = '100644') =>
    `M ${mode} inline ${/["\n]|^ /.test(path) ? JSON.stringify(path) : path}\ndata ${Buffer.byteLength(content)}\n${content}\n`;
  const message = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  let stream = '';
  for (let number = 1; number <= 60; number++) {
    stream += `commit refs/heads/main\nmark :${number}\n${by(number)}${message(`Commit ${number}\n\nBody ü\n`)}`;
    if (number === 1) {
      for (const name of ['ü.txt', 'a b', ':wq', '*', '-x', 'q"uote', 'tab\there', 'dir/ü/leaf'])
        stream += file(name, `${name}\n`);
      stream += file('tool', '#!/bin/sh\n', '100755') + file('link', '/etc/passwd', '120000');
      stream += `M 160000 ${'1'.repeat(40)} module\n`;
    }
    stream += file(`dir/${number % 7}`, `line\n`.repeat(number)) + file('counter', `${number}\n`);
  }
  stream += `commit refs/heads/side\nmark :100\n${by(30)}${message('Side\n')}from :20\n${file('side', 'side\n')}\n`;
  stream += `commit refs/heads/main\nmark :101\n${by(61)}${message('Merge\n')}from :60\nmerge :100\n${file('side', 'side\n')}\n`;
  stream += `commit refs/heads/open\nmark :102\n${by(62)}${message('Open\n')}from :10\n${file('open', 'open\n')}\n`;
  stream += `commit refs/heads/lonely\nmark :103\n${by(63)}${message('Lonely\n')}${file('x', 'x\n')}\n`;
  stream += `tag v1\nfrom :5\ntagger Ann <ann@example.com> 1700000000 +0000\n${message('One\n')}`;
  stream += `reset refs/tags/light\nfrom :6\n\nreset refs/tags/both\nfrom :7\n\nreset refs/heads/both\nfrom :8\n\n`;
  return stream;
}

beforeAll(async () => {
  repository = await newRepository(git);
  fastImport(repository, history());
});

describe('revisions', () => {
  test('are branches, tags, HEAD and object names', async () => {
    const found = async (revision: string, only?: 'branch' | 'tag') =>
      (await resolveCommit(repository, revision, only))?.id;
    const main = idOf('main');
    expect(await found('main')).toBe(main);
    expect(await found('HEAD')).toBe(main);
    expect(await found(main)).toBe(main);
    expect(await found(main.slice(0, 8).toUpperCase())).toBe(main);
    expect(await found('v1')).toBe(idOf('v1'));
    // A tag wins, as in git.
    expect(await found('both')).toBe(idOf('refs/tags/both'));
    expect(await found('both', 'branch')).toBe(idOf('refs/heads/both'));
    expect(await found('v1', 'branch')).toBeUndefined();
    for (const none of [
      'none',
      'main~1',
      'main^{tree}',
      ':/Commit',
      'a'.repeat(40),
      'deadbee',
      '--all',
      '',
      'main:dir',
      'main\n',
    ])
      expect(await found(none)).toBeUndefined();
    expect(await found(plain('rev-parse', 'main:counter'))).toBeUndefined();
  });
});

describe('objects', () => {
  test('commits have their people, dates and text', async () => {
    expect(await readCommit(repository, idOf('main~1'))).toMatchObject({
      parents: [idOf('main~2')],
      author: { name: 'Bo', email: 'bo@example.com', seconds: 1_700_003_600, zone: '+0130' },
      message: 'Commit 60\n\nBody ü\n',
      signature: undefined,
    });
  });

  test('trees list what git lists', async () => {
    const entries = (await readTree(repository, idOf('main')))!;
    const listed = plain('ls-tree', '-z', 'main').split('\0').filter(Boolean);
    expect(entries.map(({ mode, type, id, name }) => `${mode} ${type} ${id}\t${name}`)).toEqual(listed);
    expect(entries.find(({ name }) => name === 'module')).toMatchObject({ type: 'commit', mode: '160000' });
    expect((await readTree(repository, idOf('main'), 'dir/ü'))?.map(({ name }) => name)).toEqual(['leaf']);
    for (const path of ['none', 'counter', '../x', './dir', 'dir/', 'link', 'module'])
      expect(await readTree(repository, idOf('main'), path)).toBeUndefined();
  });

  test('whole trees too, within their limit', async () => {
    const entries = (await readWholeTree(repository, idOf('main')))!;
    const listed = plain('ls-tree', '-r', '-t', '-z', 'main').split('\0').filter(Boolean);
    expect(entries.map(({ mode, type, id, path }) => `${mode} ${type} ${id}\t${path}`)).toEqual(listed);
    const below = (await readWholeTree(repository, idOf('main'), 'dir'))!;
    expect(below.map(({ path }) => path)).toContain('dir/ü/leaf');
    expect(await readWholeTree(repository, idOf('main'), 'none')).toBeUndefined();
    const large = await newRepository(git);
    fastImport(
      large,
      `commit refs/heads/main\ncommitter A <a@b> 1 +0000\ndata 1\nx\n${Array.from({ length: 60 }, (_, index) => `M 100644 inline f${index}\ndata 1\nx\n`).join('')}\n`,
    );
    const tip = (await resolveCommit(large, 'main'))!.id;
    await expect(readWholeTree(large, tip)).rejects.toBeInstanceOf(TooLarge);
  });

  test('files are found by their plain names', async () => {
    const main = idOf('main');
    for (const path of ['ü.txt', 'a b', ':wq', '*', '-x', 'q"uote', 'tab\there', 'dir/ü/leaf']) {
      const file = (await findFile(repository, main, path))!;
      expect(file).toMatchObject({ mode: '100644', type: 'blob' });
      expect(String(await readBlob(repository, file.id))).toBe(`${path}\n`);
    }
    expect(await findFile(repository, main, 'tool')).toMatchObject({ mode: '100755' });
    const link = (await findFile(repository, main, 'link'))!;
    expect(link.mode).toBe('120000');
    expect(String(await readBlob(repository, link.id))).toBe('/etc/passwd');
    for (const path of ['dir', 'module', 'link/passwd', 'none', '', 'a\nb', '../counter'])
      expect(await findFile(repository, main, path)).toBeUndefined();
    expect(await readInfo(repository, 'main')).toBeUndefined();
    expect(await readBlob(repository, main)).toBeUndefined();
  });

  test('a large file is streamed and never read whole, and an abandoned stream ends', async () => {
    const large = await newRepository(git);
    const content = 'large\n'.repeat(400_000);
    fastImport(
      large,
      `commit refs/heads/main\ncommitter A <a@b> 1 +0000\ndata 1\nx\nM 100644 inline large\ndata ${content.length}\n${content}\n\n`,
    );
    const file = (await findFile(large, (await resolveCommit(large, 'main'))!.id, 'large'))!;
    await expect(readBlob(large, file.id)).rejects.toBeInstanceOf(TooLarge);
    let size = 0;
    for await (const chunk of await streamBlob(large, file)) size += (chunk as Buffer).length;
    expect(size).toBe(content.length);
    const before = git.engine.runner.jobs;
    const stream = await streamBlob(large, file);
    await new Promise((resolve) => stream.once('readable', resolve));
    stream.destroy();
    await expect.poll(() => git.engine.runner.jobs).toBeLessThanOrEqual(before);
    await expect(
      streamBlob(large, { ...file, id: 'a'.repeat(40) }).then(async (none) => {
        for await (const _ of none);
      }),
    ).rejects.toMatchObject({ code: 'BROKEN' });
  });

  test('a repository that is not there is not found', async () => {
    const none = git.repository(99_999);
    await expect(resolveCommit(none, 'main')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(countCommits(none, { from: ['a'.repeat(40)] })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('history', () => {
  const names = (args: string[]) =>
    plain('rev-list', ...args)
      .split('\n')
      .filter(Boolean);
  const pages = async (filter: LogFilter, count = 20) => {
    const found: string[] = [];
    for (let skip = 0; ; skip += count) {
      const page = await logPage(repository, filter, { skip, count });
      found.push(...page.map(({ id }) => id));
      if (page.length < count) return found;
    }
  };

  test('pages list what git lists', async () => {
    const main = idOf('main');
    expect(await pages({ from: [main] })).toEqual(names(['main']));
    expect(await pages({ from: [main], order: 'topo' }, 7)).toEqual(names(['--topo-order', 'main']));
    expect(await pages({ from: [main], firstParent: true })).toEqual(names(['--first-parent', 'main']));
    expect(await pages({ from: [main], path: 'dir/3' })).toEqual(names(['main', '--', 'dir/3']));
    expect(await pages({ from: [main], path: '*' })).toEqual(names(['main', '--', ':(literal)*']));
    expect(await pages({ from: [main], not: [idOf('main~5')] })).toEqual(names(['main', '^main~5']));
    expect(await pages({ from: [main], author: 'BO@example' })).toEqual(names(['--author=Bo', 'main']));
    expect(await pages({ from: [main], author: '.*' })).toEqual([]);
    expect(await pages({ from: [main], since: new Date(1_700_003_000_000) })).toEqual(
      names(['--since=1700003000', 'main']),
    );
    expect(await pages({ from: [main], until: new Date(1_700_003_000_000) })).toEqual(
      names(['--until=1700003000', 'main']),
    );
    expect(await pages({})).toEqual(names(['--branches', '--tags']));
    expect(await pages({ from: [] })).toEqual([]);
    expect(await logPage(repository, { from: [main] }, { skip: 5_000, count: 20 })).toEqual([]);
  });

  test('counts, bases and ancestors', async () => {
    const [main, side, open, lonely] = ['main', 'side', 'open', 'lonely'].map(idOf) as [string, string, string, string];
    expect(await countCommits(repository, { from: [main] })).toBe(62);
    expect(await countCommits(repository, { from: [main] }, 10)).toBe(10);
    expect(await countCommits(repository, { from: [open], not: [main] })).toBe(1);
    expect(await mergeBase(repository, [main, open])).toBe(idOf('main~51'));
    expect(await mergeBase(repository, [main, lonely])).toBeUndefined();
    expect(await isAncestor(repository, side, main)).toBe(true);
    expect(await isAncestor(repository, open, main)).toBe(false);
    expect(await isAncestor(repository, main, main)).toBe(true);
    expect(await lastCommitOf(repository, main, 'dir/3')).toBe(names(['-1', 'main', '--', 'dir/3'])[0]);
    expect(await lastCommitOf(repository, main, 'never')).toBeUndefined();
    expect(await contributors(repository, main)).toEqual([
      { name: 'Bo', email: 'bo@example.com', commits: 21 },
      { name: 'Ann', email: 'ann@example.com', commits: 40 },
    ]);
    await expect(mergeBase(repository, [main, 'a'.repeat(40)])).rejects.toMatchObject({ code: 'INVALID' });
  });

  test('of any two commits say where they part, near or far, with merges between or not', async () => {
    const drawn = fc.array(fc.array(fc.nat(40), { minLength: 0, maxLength: 3 }), { minLength: 10, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(drawn, fc.infiniteStream(fc.nat()), async (shape, choices) => {
        const woods = await newRepository(git);
        // Most commits follow the one before or one further back; one in eight joins two; a few begin.
        const parents = shape.map((far, index) => {
          if (index === 0 || (far.length === 0 && index % 5 === 4)) return [];
          const back = (by: number) => Math.max(0, index - 1 - (by % 4));
          return [...new Set(far.length < 3 ? [back(far[0] ?? 0)] : [back(far[0]!), back(far[1]!)])];
        });
        const text = parents.map(([first, second], index) => {
          const from = first === undefined ? '' : `from :${first + 1}\n`;
          const merged = second === undefined ? '' : `merge :${second + 1}\n`;
          return `reset refs/heads/b${index}\n\ncommit refs/heads/b${index}\nmark :${index + 1}\ncommitter A <a@b> ${1_700_000_000 + index} +0000\ndata 1\nx\n${from}${merged}\n`;
        });
        fastImport(woods, text.join(''));
        const named = plainGit(woods.path, [
          'for-each-ref',
          '--format=%(refname:lstrip=3) %(objectname)',
          'refs/heads',
        ]);
        const ids: string[] = [];
        for (const line of named.split('\n')) ids[Number(line.split(' ')[0]!.slice(1))] = line.split(' ')[1]!;
        const reached = parents.map(() => new Set<number>());
        for (const [index, before] of parents.entries()) {
          reached[index]!.add(index);
          for (const one of before) for (const further of reached[one]!) reached[index]!.add(further);
        }
        for (let pair = 0; pair < 4; pair++) {
          const [left, right] = [choices.next().value % ids.length, choices.next().value % ids.length];
          const [tip, base] = [ids[left]!, ids[right]!];
          const missing = [...reached[left]!].filter((one) => !reached[right]!.has(one)).map((one) => ids[one]!);
          const filter = { from: [tip], not: [base] };
          expect((await commitNames(woods, filter, 1_000)).toSorted()).toEqual(missing.toSorted());
          expect((await logPage(woods, filter, { skip: 0, count: 100 })).map(({ id }) => id).toSorted()).toEqual(
            missing.toSorted(),
          );
          expect(await countCommits(woods, filter, 3)).toBe(Math.min(3, missing.length));
          expect(await isAncestor(woods, base, tip)).toBe(reached[left]!.has(right));
          const common = [...reached[left]!].filter((one) => reached[right]!.has(one));
          const best = common.filter((one) => !common.some((other) => other !== one && reached[other]!.has(one)));
          const found = await mergeBase(woods, [tip, base]);
          if (best.length === 0) expect(found).toBeUndefined();
          else expect(best.map((one) => ids[one])).toContain(found);
        }
      }),
      { numRuns: 12 * runs },
    );
  });
});

describe('differences', () => {
  test('of every commit are what git shows', async () => {
    for (const id of plain('rev-list', '--max-count=12', 'main').split('\n').concat(idOf('lonely'), idOf('main~60'))) {
      const { files, overflow } = await diffOfCommit(repository, id);
      const parent = plain('rev-list', '--parents', '-1', id).split(' ')[1];
      const args = parent ? [parent, id] : ['--root', '--no-commit-id', id];
      const shown = plain('diff-tree', '-r', '-M', '--name-status', '-z', ...args)
        .split('\0')
        .filter(Boolean);
      expect(files.length).toBe(shown.length / 2);
      expect(overflow).toBe(false);
      const numbers = plain('diff-tree', '-r', '--numstat', ...args)
        .split('\n')
        .map((line) => line.split('\t').map(Number));
      const sum = (column: number) => numbers.reduce((total, row) => total + (row[column] || 0), 0);
      expect(files.reduce((total, { additions }) => total + additions, 0)).toBe(sum(0));
      expect(await statsOfCommit(repository, id)).toEqual({
        additions: sum(0),
        deletions: sum(1),
        files: numbers.length,
      });
    }
  });

  test('of all kinds: new, gone, renamed, changed mode, binary, link, submodule, no line feed', async () => {
    const r = await newRepository(git);
    const body = 'one\ntwo\nthree\nfour\n';
    const data = (content: string) => `data ${content.length}\n${content}\n`;
    fastImport(
      r,
      `commit refs/heads/main\ncommitter A <a@b> 1 +0000\ndata 1\nx\nM 100644 inline old name\n${data(body)}M 100644 inline gone\n${data('gone\n')}M 100644 inline mode\n${data('mode\n')}M 100644 inline bin\n${data('a\0b')}M 120000 inline link\n${data('here')}M 100644 inline tail\n${data('end')}M 160000 ${'1'.repeat(40)} module\n\n` +
        `commit refs/heads/main\ncommitter A <a@b> 2 +0000\ndata 1\nx\nR "old name" new\tname\nD gone\nM 100755 inline mode\n${data('mode\n')}M 100644 inline bin\n${data('a\0c')}M 100644 inline link\n${data('file\n')}M 100644 inline tail\n${data('end\nmore')}M 160000 ${'2'.repeat(40)} module\nM 100644 inline diff --git a/x b/x\n${data('diff --git a/y b/y\n@@ -1 +1 @@\n')}\n`,
    );
    const tip = (await resolveCommit(r, 'main'))!.id;
    const { files, count } = await diffOfCommit(r, tip);
    const by = Object.fromEntries(files.map((file) => [`${file.status} ${file.newPath}`, file]));
    expect(Object.keys(by).sort()).toEqual([
      'added diff --git a/x b/x',
      'added link',
      'deleted gone',
      'deleted link',
      'modified bin',
      'modified mode',
      'modified module',
      'modified tail',
      'renamed new\tname',
    ]);
    expect(count).toBe(9);
    expect(by['renamed new\tname']).toMatchObject({ oldPath: 'old name', patch: '', oldMode: '100644' });
    expect(by['modified bin']).toMatchObject({ binary: true, patch: 'Binary files a/bin and b/bin differ\n' });
    expect(by['modified mode']).toMatchObject({ oldMode: '100644', newMode: '100755', patch: '' });
    expect(by['modified module']!.patch).toContain('+Subproject commit 2');
    expect(by['deleted gone']).toMatchObject({ newMode: '000000', patch: '@@ -1 +0,0 @@\n-gone\n' });
    expect(by['added diff --git a/x b/x']!.patch).toBe('@@ -0,0 +1,2 @@\n+diff --git a/y b/y\n+@@ -1 +1 @@\n');
    expect(hunksOf(by['modified tail']!.patch)).toEqual([
      {
        oldStart: 1,
        oldLines: 1,
        newStart: 1,
        newLines: 2,
        heading: '',
        lines: [
          { kind: 'deleted', text: 'end', oldLine: 1, newLine: undefined, unfinished: true },
          { kind: 'added', text: 'end', oldLine: undefined, newLine: 1, unfinished: false },
          { kind: 'added', text: 'more', oldLine: undefined, newLine: 2, unfinished: true },
        ],
      },
    ]);
  });

  test('stop at each limit, and the next answer is right', async () => {
    const r = await newRepository(git);
    const file = (path: string, content: string) => `M 100644 inline ${path}\ndata ${content.length}\n${content}\n`;
    const many = Array.from({ length: 30 }, (_, index) =>
      file(`f${String(index).padStart(2, '0')}`, 'line\n'.repeat(100)),
    ).join('');
    fastImport(
      r,
      `commit refs/heads/main\ncommitter A <a@b> 1 +0000\ndata 1\nx\n${many}${file('z-long', 'x'.repeat(300_000))}${file('z-many', 'x\n'.repeat(150_000))}${file('zz', 'end\n')}\n`,
    );
    const tip = (await resolveCommit(r, 'main'))!.id;
    const limited = (limits: Partial<typeof diffLimits>) => diffOfCommit(r, tip, { ...diffLimits, ...limits });
    const whole = await limited({});
    expect(whole).toMatchObject({ count: 33, overflow: false });
    expect(whole.files.map(({ tooLarge }) => tooLarge).filter(Boolean)).toHaveLength(2);
    expect(whole.files[30]).toMatchObject({ newPath: 'z-long', tooLarge: true, patch: '' });
    // Its lines are more than all patches may have, and take no room there.
    expect(whole.files[31]).toMatchObject({ newPath: 'z-many', tooLarge: true, patch: '', additions: 150_000 });
    expect(whole.files[32]).toMatchObject({ newPath: 'zz', patch: '@@ -0,0 +1 @@\n+end\n' });
    expect(await limited({ files: 5 })).toMatchObject({ count: 33, overflow: true, files: { length: 5 } });
    expect(await limited({ lines: 250 })).toMatchObject({ count: 33, overflow: true, files: { length: 2 } });
    expect(await limited({ bytes: 1_300 })).toMatchObject({ count: 33, overflow: true, files: { length: 2 } });
    expect(await limited({})).toEqual(whole);
    const [one, two] = await Promise.all([limited({ files: 1 }), limited({})]);
    expect(one.files).toHaveLength(1);
    expect(two).toEqual(whole);
  });

  test('between two commits', async () => {
    const { files } = await diffBetween(repository, idOf('main~3'), idOf('main'));
    expect(files.map(({ newPath }) => newPath)).toEqual(plain('diff', '--name-only', 'main~3', 'main').split('\n'));
    expect((await diffBetween(repository, idOf('main'), idOf('main'))).files).toEqual([]);
    await expect(diffBetween(repository, idOf('main'), 'a'.repeat(40))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
