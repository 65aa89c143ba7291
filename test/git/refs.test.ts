import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Conflict, Mismatch } from '../../src/git/errors.ts';
import { readRef } from '../../src/git/objects/index.ts';
import { isEmpty, listRefs, readHead, setHead } from '../../src/git/refs/index.ts';
import { changeRefs, prepareChanges } from '../../src/git/refs/transaction.ts';
import { commitActions } from '../../src/git/write/index.ts';
import { runs } from '../support/run/runs.ts';
import { newRepository, openEngine, plainGit } from './support/engine.ts';
import type { Repository } from '../../src/git/repository.ts';

const git = await openEngine();
const person = { name: 'Ann', email: 'ann@example.com', at: new Date(1_700_000_000_000) };
const commits = async (repository: Repository, count: number) => {
  const made: string[] = [];
  for (let number = 0; number < count; number++) {
    const one = { parents: made.slice(-1), message: `${number}`, author: person, committer: person };
    made.push(
      await commitActions(repository, one, [{ action: 'create', path: `${number}`, content: Buffer.from('') }]),
    );
  }
  return made;
};
const main = 'refs/heads/main';

describe('references', () => {
  test('are made, moved and deleted, each only from the expected value', async () => {
    const repository = await newRepository(git);
    const [one, two] = (await commits(repository, 2)) as [string, string];
    expect(await isEmpty(repository)).toBe(true);
    await changeRefs(repository, [{ ref: main, old: undefined, new: one }]);
    expect(await isEmpty(repository)).toBe(false);
    await expect(changeRefs(repository, [{ ref: main, old: undefined, new: two }])).rejects.toEqual(new Mismatch(main));
    await expect(changeRefs(repository, [{ ref: main, old: two, new: two }])).rejects.toEqual(new Mismatch(main));
    await expect(changeRefs(repository, [{ ref: main, old: two, new: undefined }])).rejects.toEqual(new Mismatch(main));
    await expect(changeRefs(repository, [{ ref: 'refs/heads/none', old: two, new: one }])).rejects.toBeInstanceOf(
      Mismatch,
    );
    expect(await readRef(repository, main)).toBe(one);
    await changeRefs(repository, [{ ref: main, old: one, new: two }]);
    expect(await readRef(repository, main)).toBe(two);
    await changeRefs(repository, [{ ref: main, old: two, new: undefined }]);
    expect(await readRef(repository, main)).toBeUndefined();
  });

  test('change all together or not at all', async () => {
    const repository = await newRepository(git);
    const [one] = (await commits(repository, 1)) as [string];
    await changeRefs(repository, [{ ref: main, old: undefined, new: one }]);
    const all = [
      { ref: 'refs/heads/a', old: undefined, new: one },
      { ref: main, old: undefined, new: one },
    ];
    await expect(changeRefs(repository, all)).rejects.toEqual(new Mismatch(main));
    expect(await readRef(repository, 'refs/heads/a')).toBeUndefined();
  });

  test('wait, locked, between prepare and commit', async () => {
    const repository = await newRepository(git);
    const [one, two] = (await commits(repository, 2)) as [string, string];
    const prepared = await prepareChanges(repository, [{ ref: main, old: undefined, new: one }]);
    expect(existsSync(join(repository.path, `${main}.lock`))).toBe(true);
    expect(await readRef(repository, main)).toBeUndefined();
    await prepared.commit();
    expect(await readRef(repository, main)).toBe(one);
    const dropped = await prepareChanges(repository, [{ ref: main, old: one, new: two }]);
    await dropped.abort();
    expect(await readRef(repository, main)).toBe(one);
    expect(existsSync(join(repository.path, `${main}.lock`))).toBe(false);
  });

  test('that are asked for at once have one winner', async () => {
    const repository = await newRepository(git);
    const made = await commits(repository, 9);
    for (let round = 0; round < 2 * runs; round++) {
      const old = await readRef(repository, main);
      const results = await Promise.allSettled(
        made.filter((id) => id !== old).map((id) => changeRefs(repository, [{ ref: main, old, new: id }])),
      );
      const won = results.filter(({ status }) => status === 'fulfilled');
      expect(won).toHaveLength(1);
      for (const result of results)
        if (result.status === 'rejected')
          expect(result.reason).toMatchObject({ code: expect.stringMatching(/MISMATCH|BUSY/) });
    }
  });

  test('have no name that is a folder of another', async () => {
    const repository = await newRepository(git);
    const [one] = (await commits(repository, 1)) as [string];
    await changeRefs(repository, [{ ref: 'refs/heads/a/b', old: undefined, new: one }]);
    const hierarchy = { code: 'CONFLICT', kind: 'hierarchy' };
    for (const ref of ['refs/heads/a', 'refs/heads/a/b/c']) {
      await expect(changeRefs(repository, [{ ref, old: undefined, new: one }])).rejects.toMatchObject(hierarchy);
    }
    const both = ['refs/heads/x', 'refs/heads/x/y'].map((ref) => ({ ref, old: undefined, new: one }));
    await expect(changeRefs(repository, both)).rejects.toBeInstanceOf(Conflict);
    plainGit(repository.path, ['pack-refs', '--all']);
    await expect(changeRefs(repository, [{ ref: 'refs/heads/a', old: undefined, new: one }])).rejects.toMatchObject(
      hierarchy,
    );
  });

  test('hold only what is there, under names that git takes', async () => {
    const repository = await newRepository(git);
    await expect(changeRefs(repository, [{ ref: main, old: undefined, new: 'a'.repeat(40) }])).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    const [one] = (await commits(repository, 1)) as [string];
    for (const ref of ['main', 'HEAD', 'refs/heads/a b', 'refs/heads/x\0y', 'refs/heads/a..b', '--stdin'])
      await expect(changeRefs(repository, [{ ref, old: undefined, new: one }])).rejects.toMatchObject({
        code: 'INVALID',
      });
    await expect(changeRefs(repository, [{ ref: main, old: undefined, new: 'main' }])).rejects.toMatchObject({
      code: 'INVALID',
    });
    await expect(changeRefs(git.repository(88_888), [{ ref: main, old: undefined, new: one }])).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  test('are listed with their commits, and what they contain', async () => {
    const repository = await newRepository(git);
    const [one, two] = (await commits(repository, 2)) as [string, string];
    await changeRefs(repository, [
      { ref: main, old: undefined, new: two },
      { ref: 'refs/heads/ü/x', old: undefined, new: one },
      { ref: 'refs/tags/light', old: undefined, new: one },
    ]);
    plainGit(repository.path, ['tag', '-a', '-m', 'x', 'heavy', two]);
    const all = await listRefs(repository, { below: ['refs/heads', 'refs/tags'] });
    expect(all.map(({ ref, commit, annotated }) => [ref, commit, annotated])).toEqual([
      [main, two, false],
      ['refs/heads/ü/x', one, false],
      ['refs/tags/heavy', two, true],
      ['refs/tags/light', one, false],
    ]);
    expect(all[2]).toMatchObject({ seconds: 1_700_000_000 });
    const names = async (filter: object) =>
      (await listRefs(repository, { below: ['refs/heads'], ...filter })).map(({ ref }) => ref);
    expect(await names({ mergedInto: one })).toEqual(['refs/heads/ü/x']);
    expect(await names({ containing: two })).toEqual([main]);
    expect(await names({ below: [main] })).toEqual([main]);
  });

  test('HEAD names a branch', async () => {
    const repository = await newRepository(git);
    expect(await readHead(repository)).toBe('main');
    await setHead(repository, 'other/ü');
    expect(await readHead(repository)).toBe('other/ü');
    await expect(setHead(repository, '../../x')).rejects.toMatchObject({ code: 'INVALID' });
  });
});
