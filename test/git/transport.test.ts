import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { isAncestor } from '../../src/git/history/index.ts';
import { readRef, resolveCommit } from '../../src/git/objects/index.ts';
import { changeRefs } from '../../src/git/refs/transaction.ts';
import type { Repository } from '../../src/git/repository.ts';
import { keepAround } from '../../src/git/storage/index.ts';
import type { PushPolicy } from '../../src/git/transport/index.ts';
import { fastImport, fsck, gitClient, newRepository, openEngine, plainGit, temporaryFolder } from './support/engine.ts';
import { openPolicy, serve } from './support/server.ts';

const git = await openEngine({ limits: { push: 3_000_000, pushedRefs: 20 } });

/** A work tree with one commit, and what serves its repository. */
async function workTree(policy: PushPolicy = openPolicy()) {
  const repository = await newRepository(git);
  const server = await serve(repository, policy);
  const folder = temporaryFolder();
  plainGit(folder, ['init', '--quiet', '--initial-branch=main']);
  plainGit(folder, ['remote', 'add', 'origin', server.url]);
  const commit = (name: string, content: string | Buffer = name) => {
    writeFileSync(join(folder, name), content);
    plainGit(folder, ['add', '.']);
    plainGit(folder, ['commit', '--quiet', '-m', name]);
    return plainGit(folder, ['rev-parse', 'HEAD']);
  };
  commit('first');
  return {
    repository,
    folder,
    commit,
    ...server,
    push: (...args: string[]) => gitClient(folder, ['push', 'origin', ...args]),
  };
}
const incoming = ({ path }: Repository) =>
  readdirSync(join(path, 'objects')).filter((name) => name.startsWith('tmp_objdir'));

describe('a clone', () => {
  let url: string;
  let repository: Repository;
  let tip: string;
  beforeAll(async () => {
    repository = await newRepository(git);
    ({ url } = await serve(repository, openPolicy()));
    let stream = '';
    for (let number = 1; number <= 40; number++) {
      stream += `commit refs/heads/main\ncommitter A <a@b> ${number} +0000\ndata 1\nx\nM 100644 inline f${number}\ndata 3\n${String(number).padStart(3)}\n\n`;
    }
    fastImport(repository, `${stream}reset refs/heads/other\nfrom refs/heads/main\n\n`);
    tip = (await resolveCommit(repository, 'main'))!.id;
  });

  test.each(['0', '1', '2'])('over protocol %s has everything', async (version) => {
    const folder = temporaryFolder();
    const { code, text: said } = await gitClient(folder, [
      '-c',
      `protocol.version=${version}`,
      'clone',
      '--quiet',
      url,
      'clone',
    ]);
    expect({ code, said }).toEqual({ code: 0, said: '' });
    expect(plainGit(join(folder, 'clone'), ['rev-parse', 'HEAD'])).toBe(tip);
    expect(plainGit(join(folder, 'clone'), ['rev-list', '--count', '--all'])).toBe('40');
  });

  test('may be shallow, partial, and deepened', async () => {
    const folder = temporaryFolder();
    expect((await gitClient(folder, ['clone', '--quiet', '--depth=3', url, 'shallow'])).code).toBe(0);
    expect(plainGit(join(folder, 'shallow'), ['rev-list', '--count', 'HEAD'])).toBe('3');
    expect((await gitClient(join(folder, 'shallow'), ['fetch', '--quiet', '--unshallow'])).code).toBe(0);
    expect(plainGit(join(folder, 'shallow'), ['rev-list', '--count', 'HEAD'])).toBe('40');
    expect((await gitClient(folder, ['clone', '--quiet', '--bare', '--filter=blob:none', url, 'partial'])).code).toBe(
      0,
    );
    expect(plainGit(join(folder, 'partial'), ['rev-list', '--objects', '--missing=print', 'HEAD'])).toContain('?');
  });

  test('shows no hidden references', async () => {
    await keepAround(repository, [tip]);
    await changeRefs(repository, [{ ref: 'refs/merge-requests/1/head', old: undefined, new: tip }]);
    for (const version of ['0', '2']) {
      const { text: said } = await gitClient(temporaryFolder(), [
        '-c',
        `protocol.version=${version}`,
        'ls-remote',
        url,
      ]);
      expect(said.split('\n').map((line) => line.split('\t')[1])).toEqual([
        'HEAD',
        'refs/heads/main',
        'refs/heads/other',
        'refs/merge-requests/1/head',
        undefined,
      ]);
    }
  });

  test('of an empty repository is empty', async () => {
    const empty = await newRepository(git);
    const { url: at } = await serve(empty, openPolicy());
    const { code, text: said } = await gitClient(temporaryFolder(), ['clone', at, 'clone']);
    expect(code).toBe(0);
    expect(said).toContain('You appear to have cloned an empty repository.');
  });

  test('that breaks off ends git', async () => {
    const large = await newRepository(git);
    fastImport(
      large,
      `commit refs/heads/main\ncommitter A <a@b> 1 +0000\ndata 1\nx\nM 100644 inline f\ndata 8000000\n${randomBytes(6_000_000).toString('base64')}\n\n`,
    );
    const { url: at } = await serve(large, openPolicy());
    const want = (await resolveCommit(large, 'main'))!.id;
    const before = git.engine.runner.jobs;
    const body = `0032want ${want}\n00000009done\n`;
    const response = await new Promise<NodeJS.ReadableStream & { destroy(): void }>((resolve) => {
      httpRequest(`${at}/git-upload-pack`, { method: 'POST' }, resolve).end(body);
    });
    await new Promise((resolve) => response.once('readable', resolve));
    response.destroy();
    await expect.poll(() => git.engine.runner.jobs).toBe(before);
  });
});

describe('a push', () => {
  test('is decided, recorded and reported through the hooks, in this order', async () => {
    const policy = openPolicy();
    const { push, repository, commit, folder, errors } = await workTree(policy);
    expect(await push('main', 'main:refs/heads/other')).toMatchObject({ code: 0 });
    expect(policy.said).toEqual([
      'accept refs/heads/main',
      'accept refs/heads/other',
      'prepared refs/heads/main',
      'committed refs/heads/main',
      'prepared refs/heads/other',
      'committed refs/heads/other',
    ]);
    const next = commit('second');
    plainGit(folder, ['tag', '-a', '-m', 'x', 'v1']);
    expect(await push('--atomic', 'main', 'v1')).toMatchObject({ code: 0 });
    expect(await readRef(repository, 'refs/heads/main')).toBe(next);
    expect(await push('--delete', 'other')).toMatchObject({ code: 0 });
    expect(await readRef(repository, 'refs/heads/other')).toBeUndefined();
    expect(errors).toEqual([]);
    expect(fsck(repository)).toBe('');
  });

  test('that is refused leaves nothing, and says why', async () => {
    let quarantined: unknown;
    let found: boolean | undefined;
    const holder: { repository?: Repository } = {};
    const { push, repository, commit } = await workTree({
      ...openPolicy(),
      async accept({ quarantine, changes, options }) {
        quarantined = quarantine;
        const within = holder.repository!.within(quarantine!);
        const tip = changes[0]!.new!;
        found = (await resolveCommit(within, tip))?.id === tip && (await isAncestor(within, tip, tip));
        within.release();
        return options.includes('let me in') ? undefined : 'You are not allowed.\nAsk a maintainer.';
      },
    });
    holder.repository = repository;
    const tip = commit('second');
    const { code, text: said } = await push('main');
    expect(code).toBe(1);
    expect(said).toMatch(/remote: You are not allowed\.\s*\nremote: Ask a maintainer\./);
    expect(said).toContain('pre-receive hook declined');
    expect(found).toBe(true);
    expect(quarantined).toBeDefined();
    expect(await resolveCommit(repository, tip)).toBeUndefined();
    expect(incoming(repository)).toEqual([]);
    expect(await push('-o', 'let me in', 'main')).toMatchObject({ code: 0 });
    expect(await readRef(repository, 'refs/heads/main')).toBe(tip);
  });

  test('moves nothing when its record fails', async () => {
    const failure = new Error('the database is away');
    const { push, repository, errors } = await workTree({
      ...openPolicy(),
      prepared: async () => {
        throw failure;
      },
    });
    expect((await push('main')).code).not.toBe(0);
    expect(errors).toContain(failure);
    expect(await readRef(repository, 'refs/heads/main')).toBeUndefined();
  });

  test('that races with another has one winner, and the other is told', async () => {
    const { push, repository, commit, folder } = await workTree();
    await push('main');
    const one = commit('one');
    plainGit(folder, ['branch', 'one']);
    plainGit(folder, ['reset', '--quiet', '--hard', 'HEAD~1']);
    const two = commit('two');
    const results = await Promise.all([push('one:main'), push('main')]);
    expect(results.map(({ code }) => code).sort()).toEqual([0, 1]);
    const winner = results[0]!.code === 0 ? one : two;
    expect(await readRef(repository, 'refs/heads/main')).toBe(winner);
    expect(results.find(({ code }) => code === 1)!.text).toMatch(/rejected|failed/);
  });

  test('that is forced, or far too large, or of too many references', async () => {
    const { push, repository, commit, folder } = await workTree();
    await push('main');
    plainGit(folder, ['commit', '--quiet', '--amend', '-m', 'again']);
    expect((await push('main')).code).toBe(1);
    expect((await push('--force', 'main')).code).toBe(0);
    const small = await readRef(repository, 'refs/heads/main');
    const names = Array.from({ length: 21 }, (_, index) => `HEAD:refs/heads/n${index}`);
    const many = await push(...names);
    expect(many.code).toBe(1);
    expect(many.text).toContain('A push may change 20 references');
    // So many that the hook's own text is too long.
    const long = Array(9).fill('x'.repeat(240)).join('/');
    const all = Array.from({ length: 500 }, (_, index) => `create refs/heads/many/${long}/${index} ${small}\n`);
    plainGit(folder, ['update-ref', '--stdin'], all.join(''));
    const flood = await push('refs/heads/many/*:refs/heads/many/*');
    expect([flood.code, flood.text]).toEqual([1, expect.stringContaining('A push may change 20 references')]);
    commit('large', randomBytes(6_000_000));
    expect((await push('main')).code).toBe(1);
    expect(await readRef(repository, 'refs/heads/main')).toBe(small);
    expect(incoming(repository)).toEqual([]);
  });

  test('of a large file streams, without a length', async () => {
    const { push, commit, repository } = await workTree();
    const tip = commit('large', randomBytes(2_500_000));
    expect((await push('main')).code).toBe(0);
    expect(await readRef(repository, 'refs/heads/main')).toBe(tip);
  });

  test('reaches no hidden reference, and brings in no git folder', async () => {
    const { push, folder, repository } = await workTree();
    for (const ref of ['refs/keep-around/x', 'refs/merge-requests/1/head', 'refs/replace/x'])
      expect((await push(`main:${ref}`)).text).toContain('deny updating a hidden ref');
    const blob = plainGit(folder, ['hash-object', '-w', '--stdin'], 'x');
    const tree = plainGit(folder, ['mktree'], `100644 blob ${blob}\tconfig\n`);
    const outer = plainGit(folder, ['mktree'], `040000 tree ${tree}\t.git\n`);
    const evil = plainGit(folder, ['commit-tree', '-m', 'x', outer]);
    const { code, text: said } = await push(`${evil}:refs/heads/evil`);
    expect(code).toBe(1);
    expect(said).toContain('hasDotgit');
    expect(await resolveCommit(repository, evil)).toBeUndefined();
  });

  test('that breaks off in the middle leaves nothing', async () => {
    const { url, repository } = await workTree();
    const before = git.engine.runner.jobs;
    const line = `${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/main\0 report-status`;
    const request = httpRequest(`${url}/git-receive-pack`, { method: 'POST' }, () => undefined);
    request.on('error', () => undefined);
    request.write(`${(line.length + 4).toString(16).padStart(4, '0')}${line}0000PACK\0\0\0\x02\0\0\0\x05`);
    await expect.poll(() => git.engine.runner.jobs).toBeGreaterThan(before);
    request.destroy();
    await expect.poll(() => git.engine.runner.jobs).toBe(before);
    await expect.poll(() => incoming(repository)).toEqual([]);
    expect(await readRef(repository, 'refs/heads/main')).toBeUndefined();
  });

  test('runs no hook of the repository', async () => {
    const { push, repository } = await workTree();
    plainGit(repository.path, ['config', 'core.hooksPath', join(repository.path, 'hooks')]);
    const touched = join(repository.path, 'touched');
    const { mkdirSync } = await import('node:fs');
    mkdirSync(join(repository.path, 'hooks'));
    for (const name of ['pre-receive', 'update', 'post-receive', 'post-update', 'reference-transaction'])
      writeFileSync(join(repository.path, 'hooks', name), `#!/bin/sh\ntouch ${touched}\n`, { mode: 0o755 });
    expect((await push('main')).code).toBe(0);
    expect(existsSync(touched)).toBe(false);
  });
});

describe('nonsense', () => {
  test.each(['', '0000', 'ffff', 'garbage', '0032want 1234', `${'0'.repeat(4_000)}`])(
    '%j gets an answer or an end, never a hang',
    async (body) => {
      const repository = await newRepository(git);
      const { url } = await serve(repository, openPolicy());
      for (const service of ['git-upload-pack', 'git-receive-pack']) {
        const answer = await fetch(`${url}/${service}`, { method: 'POST', body }).then(
          (response) => response.text(),
          () => 'ended',
        );
        expect(typeof answer).toBe('string');
      }
      expect(fsck(repository)).toBe('');
    },
  );

  test('a protocol that is no version is left out', async () => {
    const repository = await newRepository(git);
    const { advertise } = await import('../../src/git/transport/index.ts');
    const said = await text(await advertise(repository, 'git-upload-pack', { protocol: 'version=2\nX: y' }));
    expect(said.startsWith('001e# service=git-upload-pack\n0000')).toBe(true);
    expect(await text(await advertise(repository, 'git-upload-pack', { protocol: 'version=2' }))).toContain(
      'version 2',
    );
  });
});
