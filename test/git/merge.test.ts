import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Conflict } from '../../src/git/errors.ts';
import { canMerge, cherryPick, merge, mergeTrees, rebase, revert, squash } from '../../src/git/merge/index.ts';
import { readCommit } from '../../src/git/objects/index.ts';
import type { Repository } from '../../src/git/repository.ts';
import { changeRefs } from '../../src/git/refs/transaction.ts';
import { commitActions, type Action } from '../../src/git/write/index.ts';
import { runs } from '../support/run/runs.ts';
import { fsck, newRepository, openEngine, plainGit, temporaryFolder } from './support/engine.ts';
import { filesOf } from './support/model.ts';

const git = await openEngine({ limits: { rebasedCommits: 5 } });
const ann = { name: 'Ann', email: 'ann@example.com', at: new Date(1_700_000_000_000), zone: '+0200' };
const carl = { name: 'Carl', email: 'carl@example.com', at: new Date(1_700_000_500_000) };
const said = { message: 'Said\n', author: carl, committer: carl };

const commit = (
  repository: Repository,
  parents: string[],
  files: Record<string, string | undefined>,
  message = 'x\n',
) => {
  const actions = Object.entries(files).map(([path, content]): Action =>
    content === undefined
      ? { action: 'delete', path }
      : {
          action: parents.length > 0 && path.startsWith('=') ? 'update' : 'create',
          path,
          content: Buffer.from(content),
        },
  );
  return commitActions(repository, { parents, message, author: ann, committer: ann }, actions);
};
const lines = (...changed: [number, string][]) => {
  const all = Array.from({ length: 12 }, (_, index) => `line ${index}`);
  for (const [index, text] of changed) all[index] = text;
  return `${all.join('\n')}\n`;
};

/** A base, a target and a source that changed different lines of one file, and a source that conflicts. */
async function sides() {
  const repository = await newRepository(git);
  const base = await commit(repository, [], { '=f': lines(), keep: 'keep\n' });
  const target = await commit(repository, [base], { '=f': lines([1, 'target']), t: 't\n' });
  const source = await commit(repository, [base], { '=f': lines([9, 'source']), s: 's\n' }, 'Source\n\nBody\n');
  const other = await commit(repository, [base], { '=f': lines([1, 'other']) });
  return { repository, base, target, source, other };
}

describe('merging', () => {
  test('joins both sides, with the parents in order', async () => {
    const { repository, target, source } = await sides();
    const id = await merge(repository, { target, source, ...said });
    expect(await readCommit(repository, id)).toMatchObject({
      parents: [target, source],
      message: 'Said\n',
      author: { name: 'Carl' },
    });
    expect(filesOf(repository, id)['=f']).toBe(`100644 ${lines([1, 'target'], [9, 'source']).trimEnd()}`);
    expect(await canMerge(repository, target, source)).toBe(true);
  });

  test('says which paths conflict', async () => {
    const { repository, target, other } = await sides();
    const error = await merge(repository, { target, source: other, ...said }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Conflict);
    expect(error).toMatchObject({ kind: 'merge', names: ['=f'] });
    expect(await canMerge(repository, target, other)).toBe(false);
    const lonely = await commit(repository, [], { x: 'x' });
    expect(await canMerge(repository, target, lonely)).toBe(false);
    await expect(mergeTrees(repository, target, 'a'.repeat(40))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('squashes to one commit on the target', async () => {
    const { repository, target, source } = await sides();
    const more = await commit(repository, [source], { more: 'more\n' });
    const id = await squash(repository, { target, source: more, ...said });
    expect(await readCommit(repository, id)).toMatchObject({ parents: [target] });
    expect(Object.keys(filesOf(repository, id))).toEqual(['=f', 'keep', 'more', 's', 't']);
    await expect(squash(repository, { target: id, source: more, ...said })).rejects.toMatchObject({ kind: 'empty' });
  });
});

describe('single commits', () => {
  test('are picked, and not twice', async () => {
    const { repository, target, source, other } = await sides();
    const later = await commit(repository, [source], { later: 'later\n' });
    const id = await cherryPick(repository, { commit: later, onto: target, ...said });
    expect(await readCommit(repository, id)).toMatchObject({ parents: [target] });
    expect(Object.keys(filesOf(repository, id))).toEqual(['=f', 'keep', 'later', 't']);
    await expect(cherryPick(repository, { commit: later, onto: id, ...said })).rejects.toMatchObject({ kind: 'empty' });
    await expect(cherryPick(repository, { commit: other, onto: target, ...said })).rejects.toMatchObject({
      kind: 'merge',
      names: ['=f'],
    });
    const root = await commit(repository, [], { root: 'root\n' });
    expect(
      Object.keys(filesOf(repository, await cherryPick(repository, { commit: root, onto: target, ...said }))),
    ).toContain('root');
  });

  test('are taken back, merges and the first one too', async () => {
    const { repository, base, target, source } = await sides();
    const id = await revert(repository, { commit: target, onto: target, ...said });
    expect(filesOf(repository, id)).toEqual(filesOf(repository, base));
    const merged = await merge(repository, { target, source, ...said });
    expect(filesOf(repository, await revert(repository, { commit: merged, onto: merged, ...said }))).toEqual(
      filesOf(repository, target),
    );
    await expect(revert(repository, { commit: base, onto: target, ...said })).rejects.toMatchObject({ kind: 'merge' });
    expect(filesOf(repository, await revert(repository, { commit: base, onto: base, ...said }))).toEqual({});
    await expect(revert(repository, { commit: target, onto: id, ...said })).rejects.toMatchObject({ kind: 'empty' });
  });
});

describe('rebasing', () => {
  test('does the commits again, with their authors', async () => {
    const { repository, target, source } = await sides();
    const two = await commit(repository, [source], { two: '2\n' }, 'Two\n');
    const id = await rebase(repository, { target, source: two, committer: carl });
    const last = (await readCommit(repository, id))!;
    expect(last).toMatchObject({
      message: 'Two\n',
      author: { name: 'Ann', zone: '+0200' },
      committer: { name: 'Carl' },
    });
    const first = (await readCommit(repository, last.parents[0]!))!;
    expect(first).toMatchObject({ parents: [target], message: 'Source\n\nBody\n' });
    expect(Object.keys(filesOf(repository, id))).toEqual(['=f', 'keep', 's', 't', 'two']);
    expect(await rebase(repository, { target: two, source: two, committer: carl })).toBe(two);
    await changeRefs(repository, [{ ref: 'refs/heads/main', old: undefined, new: id }]);
    expect(fsck(repository)).toBe('');
  });

  test('stops at a conflict and at its limit', async () => {
    const { repository, target, other } = await sides();
    await expect(rebase(repository, { target, source: other, committer: carl })).rejects.toMatchObject({
      kind: 'merge',
      names: ['=f'],
    });
    let tip = target;
    for (let number = 0; number < 6; number++) tip = await commit(repository, [tip], { [`n${number}`]: 'n' });
    await expect(rebase(repository, { target, source: tip, committer: carl })).rejects.toMatchObject({
      code: 'TOO_LARGE',
    });
  });

  test('agrees with plain git, in picks and merges of any edits', async () => {
    const edits = fc.array(fc.tuple(fc.nat({ max: 11 }), fc.constantFrom('a', 'b', 'c')), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(edits, edits, async (left, right) => {
        const repository = await newRepository(git);
        const base = await commit(repository, [], { '=f': lines() });
        const target = await commit(repository, [base], { '=f': lines(...left), t: 't' });
        const source = await commit(repository, [base], { '=f': lines(...right), s: 's' });
        await changeRefs(repository, [
          { ref: 'refs/heads/main', old: undefined, new: target },
          { ref: 'refs/heads/source', old: undefined, new: source },
        ]);
        const folder = temporaryFolder();
        plainGit(folder, ['clone', '--quiet', repository.path, '.']);
        const plain = (...args: string[]) => {
          try {
            plainGit(folder, ['reset', '--quiet', '--hard', 'origin/main']);
            plainGit(folder, args);
            return plainGit(folder, ['rev-parse', 'HEAD^{tree}']);
          } catch {
            return 'conflict';
          }
        };
        const ours = (made: Promise<string>) =>
          made.then(
            async (id) => (await readCommit(repository, id))!.tree,
            () => 'conflict',
          );
        expect(await ours(merge(repository, { target, source, ...said }))).toBe(
          plain('merge', '--no-edit', 'origin/source'),
        );
        expect(await ours(cherryPick(repository, { commit: source, onto: target, ...said }))).toBe(
          plain('cherry-pick', 'origin/source'),
        );
        expect(await ours(revert(repository, { commit: target, onto: target, ...said }))).toBe(
          plain('revert', '--no-edit', 'origin/main'),
        );
        writeFileSync(join(folder, '.git/done'), '');
      }),
      { numRuns: 4 * runs },
    );
  });
});
