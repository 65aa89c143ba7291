import { existsSync, readFileSync, statSync, utimesSync, writeFileSync, mkdirSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { archive, type ArchiveFormat } from '../../src/git/archive/index.ts';
import { blame } from '../../src/git/blame/index.ts';
import { diffOfCommit } from '../../src/git/diff/index.ts';
import { logPage } from '../../src/git/history/index.ts';
import { readRef, resolveCommit } from '../../src/git/objects/index.ts';
import { readHead } from '../../src/git/refs/index.ts';
import { changeRefs } from '../../src/git/refs/transaction.ts';
import type { Repository } from '../../src/git/repository.ts';
import {
  checkConfiguration,
  copyRepository,
  createRepository,
  exists,
  fetchRef,
  keepAround,
  maintain,
  needsMaintenance,
  pathOf,
  removeRepository,
  restoreRepository,
  sizeOf,
  staleLocks,
  sweepRemoved,
} from '../../src/git/storage/index.ts';
import { fastImport, fsck, newRepository, openEngine, plainGit, temporaryFolder } from './support/engine.ts';

const git = await openEngine();
async function filled(): Promise<{ repository: Repository; tip: string }> {
  const repository = await newRepository(git);
  let stream = '';
  for (let number = 1; number <= 12; number++) {
    const body = Array.from({ length: number }, (_, index) => `line ${index}`).join('\n');
    stream += `commit refs/heads/main\ncommitter A${number % 2} <a@b> ${number} +0000\ndata 1\nx\nM 100644 inline dir/file\ndata ${body.length}\n${body}\nM 120000 inline link\ndata 4\n/etc\nM 100644 inline -x\ndata 1\nx\n\n`;
  }
  fastImport(repository, `${stream}tag v1\nfrom refs/heads/main\ntagger A <a@b> 1 +0000\ndata 1\nx\n`);
  return { repository, tip: (await resolveCommit(repository, 'main'))!.id };
}

describe('a repository', () => {
  test('lies where its number says, and nowhere else', () => {
    expect(pathOf(1)).toBe('@hashed/6b/86/6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b.git');
    for (const id of [0, -1, 1.5, Number.NaN, 2 ** 60]) expect(() => pathOf(id)).toThrow();
  });

  test('is what git calls an empty bare repository, and for nobody else', async () => {
    const repository = await newRepository(git);
    expect(plainGit(repository.path, ['rev-parse', '--is-bare-repository'])).toBe('true');
    expect(fsck(repository)).toMatch(/^(?:notice: .*\n?)*$/);
    expect(statSync(repository.path).mode & 0o077).toBe(0);
    expect(await exists(repository.path)).toBe(true);
    await expect(createRepository(repository.path)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(createRepository(git.repository(77_777).path, '-x')).rejects.toMatchObject({ code: 'INVALID' });
    expect(await exists(git.repository(77_777).path)).toBe(false);
  });

  test('made by two at once is made once', async () => {
    const { path } = git.repository(66_666);
    const results = await Promise.allSettled([1, 2, 3].map(() => createRepository(path)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('has its configuration from us alone: what it says itself runs nothing', async () => {
    const { repository, tip } = await filled();
    expect(await checkConfiguration(repository.path)).toBe(true);
    const touched = join(temporaryFolder(), 'touched');
    const program = join(repository.path, 'program');
    writeFileSync(program, `#!/bin/sh\ntouch ${touched}\ncat\n`, { mode: 0o755 });
    for (const name of [
      'core.fsmonitor',
      'core.pager',
      'core.editor',
      'core.sshCommand',
      'core.askPass',
      'diff.external',
      'core.alternateRefsCommand',
      'uploadpack.packObjectsHook',
      'gpg.program',
      'diff.evil.textconv',
      'diff.evil.command',
      'filter.evil.smudge',
      'tar.tar.gz.command',
    ])
      plainGit(repository.path, ['config', name, program]);
    mkdirSync(join(repository.path, 'info'), { recursive: true });
    writeFileSync(join(repository.path, 'info/attributes'), '* diff=evil filter=evil\n');
    // Readers have no command that could run something; the others check the configuration first.
    repository.release();
    await diffOfCommit(repository, tip);
    expect(readFileSync(join(repository.path, 'config'), 'utf8')).toContain('program');
    await logPage(repository, { from: [tip], path: 'dir/file' }, { skip: 0, count: 5 });
    await blame(repository, { commit: tip, path: 'dir/file' });
    await buffer(await archive(repository, { commit: tip, format: 'tar.gz', prefix: 'x' }));
    expect(existsSync(touched)).toBe(false);
    expect(await checkConfiguration(repository.path)).toBe(true);
    expect(readFileSync(join(repository.path, 'config'), 'utf8')).not.toContain('program');
  });

  test('is copied whole, and independent', async () => {
    const { repository, tip } = await filled();
    await keepAround(repository, [tip]);
    const copy = await newRepository(git);
    await copyRepository(copy, repository);
    expect(plainGit(copy.path, ['for-each-ref', '--format=%(refname) %(objectname)'])).toBe(
      plainGit(repository.path, ['for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads', 'refs/tags']),
    );
    expect(await readHead(copy)).toBe('main');
    expect(existsSync(join(copy.path, 'objects/info/alternates'))).toBe(false);
    expect(readFileSync(join(copy.path, 'config'), 'utf8')).not.toContain('remote');
    await removeRepository(git.root, repository);
    expect(fsck(copy)).toBe('');
    expect((await resolveCommit(copy, 'main'))?.id).toBe(tip);
    await expect(copyRepository(copy, repository)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('takes in a branch of another', async () => {
    const { repository, tip } = await filled();
    const target = await newRepository(git);
    const to = 'refs/merge-requests/1/head';
    await fetchRef(target, repository, { branch: 'main', to });
    expect(await readRef(target, to)).toBe(tip);
    await expect(fetchRef(target, repository, { branch: 'none', to })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(fetchRef(target, repository, { branch: '-x', to })).rejects.toMatchObject({ code: 'INVALID' });
  });

  test('goes aside, comes back, and goes for good', async () => {
    const { repository, tip } = await filled();
    const removed = (await removeRepository(git.root, repository, 1_000))!;
    expect(await exists(repository.path)).toBe(false);
    expect(await removeRepository(git.root, repository)).toBeUndefined();
    await expect(resolveCommit(repository, 'main')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await restoreRepository(repository, removed);
    expect((await resolveCommit(repository, 'main'))?.id).toBe(tip);
    await removeRepository(git.root, repository, 2_000);
    expect(await sweepRemoved(git.root, 1_999)).toBe(0);
    expect(await sweepRemoved(git.root, 2_001)).toBe(1);
    expect(existsSync(join(git.root, '+deleted'))).toBe(true);
  });

  test('is maintained while it is read, and keeps what is kept', async () => {
    const { repository, tip } = await filled();
    const [before] = await logPage(repository, { from: [tip] }, { skip: 1, count: 1 });
    await changeRefs(repository, [{ ref: 'refs/heads/side', old: undefined, new: before!.id }]);
    await keepAround(repository, [tip]);
    for (const how of ['usual', 'thorough', 'usual'] as const) {
      const [, ...found] = await Promise.all([
        maintain(repository, how),
        ...Array.from({ length: 20 }, () => resolveCommit(repository, 'main')),
      ]);
      expect(found.every((commit) => commit?.id === tip)).toBe(true);
      expect((await resolveCommit(repository, 'main'))?.id).toBe(tip);
    }
    expect(await sizeOf(repository)).toMatchObject({ packs: 1, loose: 0 });
    expect((await sizeOf(repository)).bytes).toBeGreaterThan(0);
    expect(needsMaintenance({ bytes: 0, loose: 6_700, packs: 0 })).toBe(true);
    expect(needsMaintenance({ bytes: 0, loose: 10, packs: 3 })).toBe(false);
    expect(fsck(repository)).toBe('');
  });

  test('tells which locks nobody holds', async () => {
    const { repository } = await filled();
    for (const name of ['HEAD.lock', 'refs/heads/main.lock']) writeFileSync(join(repository.path, name), '');
    utimesSync(join(repository.path, 'refs/heads/main.lock'), 1, 1);
    expect(await staleLocks(repository)).toEqual(['refs/heads/main.lock']);
  });
});

describe('an archive', () => {
  test.each<[ArchiveFormat, string[]]>([
    ['tar', ['tar', '-t']],
    ['tar.gz', ['tar', '-tz']],
  ])('as %s has the files below its folder, and links as links', async (format, [file, ...args]) => {
    const { repository, tip } = await filled();
    const bytes = await buffer(await archive(repository, { commit: tip, format, prefix: 'p-main' }));
    const listed = execFileSync(file!, args, { input: bytes }).toString().split('\n').filter(Boolean);
    expect(listed).toEqual(['p-main/', 'p-main/-x', 'p-main/dir/', 'p-main/dir/file', 'p-main/link']);
  });

  test('is without some paths, which are plain names', async () => {
    const { repository, tip } = await filled();
    const listed = async (without: string[], path = '') => {
      const how = { commit: tip, format: 'tar', prefix: 'p', path, without } as const;
      return execFileSync('tar', ['-t'], { input: await buffer(await archive(repository, how)) }).toString();
    };
    expect(await listed(['dir', '-x', 'nowhere'])).toBe('p/\np/link\n');
    expect(await listed(['*', ':(glob)**', '../x', ''])).toBe('p/\np/-x\np/dir/\np/dir/file\np/link\n');
    expect(await listed(['link'], 'dir')).toBe('p/\np/dir/\np/dir/file\n');
    expect(await listed(['dir/file'], 'dir')).toBe('p/\n');
  });

  test('has a part, or is refused', async () => {
    const { repository, tip } = await filled();
    const part = await buffer(await archive(repository, { commit: tip, format: 'tar', prefix: 'p', path: 'dir' }));
    expect(execFileSync('tar', ['-t'], { input: part }).toString()).toBe('p/\np/dir/\np/dir/file\n');
    const option = await buffer(await archive(repository, { commit: tip, format: 'tar', prefix: 'p', path: '-x' }));
    expect(execFileSync('tar', ['-t'], { input: option }).toString()).toBe('p/\np/-x\n');
    expect(
      (await buffer(await archive(repository, { commit: tip, format: 'zip', prefix: 'p' }))).toString('latin1', 0, 2),
    ).toBe('PK');
    const refused = (more: object) => archive(repository, { commit: tip, format: 'tar', prefix: 'p', ...more });
    for (const path of ['none', '../x', '*'])
      await expect(refused({ path })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    for (const prefix of ['', '../p', 'a/b'])
      await expect(refused({ prefix })).rejects.toMatchObject({ code: 'INVALID' });
    await expect(refused({ format: 'tar --exec=x' })).rejects.toMatchObject({ code: 'INVALID' });
    await expect(refused({ commit: '--remote=x' })).rejects.toMatchObject({ code: 'INVALID' });
  });
});

describe('blame', () => {
  test('names the commit of each line, as git does', async () => {
    const { repository, tip } = await filled();
    const found = await blame(repository, { commit: tip, path: 'dir/file' });
    const plain = plainGit(repository.path, ['blame', '-l', '-s', '--root', tip, '--', 'dir/file'])
      .split('\n')
      .map((line) => line.slice(0, 40));
    expect(found.flatMap(({ commit, lines }) => lines.map(() => commit))).toEqual(plain);
    expect(found.flatMap(({ lines }) => lines)).toEqual(Array.from({ length: 12 }, (_, index) => `line ${index}`));
    const part = await blame(repository, { commit: tip, path: 'dir/file', range: [3, 4] });
    expect(part.flatMap(({ lines }) => lines)).toEqual(['line 2', 'line 3']);
    expect(part[0]!.start).toBe(3);
    expect(await blame(repository, { commit: tip, path: 'dir/file', range: [50, 60] })).toEqual([]);
    expect(await blame(repository, { commit: tip, path: '-x' })).toMatchObject([{ lines: ['x'] }]);
  });

  test('of nothing is refused', async () => {
    const { repository, tip } = await filled();
    for (const path of ['none', 'dir', '', '../x'])
      await expect(blame(repository, { commit: tip, path })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    for (const range of [
      [0, 1],
      [2, 1],
      [1.5, 2],
    ] as const)
      await expect(blame(repository, { commit: tip, path: '-x', range })).rejects.toMatchObject({ code: 'INVALID' });
  });
});
