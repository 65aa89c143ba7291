import { mkdirSync, rmdirSync, rmSync, writeFileSync, renameSync, chmodSync, statSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Conflict, Invalid, TooLarge } from '../../src/git/errors.ts';
import { readCommit, readTag, resolveCommit } from '../../src/git/objects/index.ts';
import { changeRefs } from '../../src/git/refs/transaction.ts';
import { commitActions, writeTag, type Action, type NewCommit } from '../../src/git/write/index.ts';
import { runs } from '../support/run/runs.ts';
import { fastImport, fsck, newRepository, openEngine, plainGit, temporaryFolder } from './support/engine.ts';
import { filesOf } from './support/model.ts';

const git = await openEngine({ limits: { actions: 100, blob: 1_000_000 } });
const at = new Date('2026-01-02T03:04:05Z');
const person = { name: 'Ann', email: 'ann@example.com', at };
const commit = (parents: string[] = [], message = 'A message\n'): NewCommit => ({
  parents,
  message,
  author: person,
  committer: { ...person, name: 'Carl' },
});
const text = (content: string) => Buffer.from(content);
const create = (path: string, content = 'x'): Action => ({ action: 'create', path, content: text(content) });

describe('commits by actions', () => {
  test('make what plain git makes, bit for bit', async () => {
    const repository = await newRepository(git);
    const id = await commitActions(repository, commit(), [
      create('a/b', 'one'),
      create('a.c', 'two'),
      create('z', 'three'),
    ]);
    const folder = temporaryFolder();
    plainGit(folder, ['init', '--quiet']);
    mkdirSync(join(folder, 'a'));
    for (const [path, content] of [
      ['a/b', 'one'],
      ['a.c', 'two'],
      ['z', 'three'],
    ] as const)
      writeFileSync(join(folder, path), content);
    plainGit(folder, ['add', '.']);
    const tree = plainGit(folder, ['write-tree']);
    expect((await readCommit(repository, id))?.tree).toBe(tree);
    expect(plainGit(repository.path, ['cat-file', 'commit', id])).toBe(
      `tree ${tree}\nauthor Ann <ann@example.com> 1767323045 +0000\ncommitter Carl <ann@example.com> 1767323045 +0000\n\nA message`,
    );
    expect(fsck(repository)).not.toContain('error');
  });

  test('leave no reference', async () => {
    const repository = await newRepository(git);
    await commitActions(repository, commit(), [create('a')]);
    expect(plainGit(repository.path, ['for-each-ref'])).toBe('');
  });

  test('agree with a work tree after any sequence of actions', async () => {
    const paths = fc.constantFrom('a', 'b', 'd/a', 'd/b', 'd/e/f', 'd', 'a/x', 'ü', 'd.x', 'd-');
    const action = fc.record({
      action: fc.constantFrom('create', 'create', 'update', 'delete', 'move', 'chmod'),
      path: paths,
      previousPath: paths,
      content: fc.string({ maxLength: 20 }),
      executable: fc.boolean(),
      keep: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(action, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 5 }),
        async (commits) => {
          const repository = await newRepository(git);
          const folder = temporaryFolder();
          plainGit(folder, ['init', '--quiet']);
          let tip: string | undefined;
          for (const given of commits) {
            // What a work tree refuses ends the commit: the commits before stay.
            const actions: Action[] = given.map(({ keep, ...one }) => {
              const content = text(one.content);
              if (one.action === 'move')
                return { action: 'move', path: one.path, previousPath: one.previousPath, ...(keep ? {} : { content }) };
              if (one.action === 'chmod') return { action: 'chmod', path: one.path, executable: one.executable };
              if (one.action === 'delete') return { action: 'delete', path: one.path };
              return { action: one.action as 'create' | 'update', path: one.path, content };
            });
            const possible = inFolder(folder, actions);
            const made = await commitActions(repository, commit(tip ? [tip] : []), actions).catch(
              (error: Error) => error,
            );
            if (!possible) {
              expect(made).toBeInstanceOf(Conflict);
              break;
            }
            expect(typeof made).toBe('string');
            tip = made as string;
            plainGit(folder, ['add', '--all', '--force', '.']);
            expect((await readCommit(repository, tip))?.tree).toBe(plainGit(folder, ['write-tree']));
          }
          if (tip) {
            await changeRefs(repository, [{ ref: 'refs/heads/main', old: undefined, new: tip }]);
            expect(fsck(repository)).toBe('');
          }
        },
      ),
      { numRuns: 12 * runs },
    );
  });

  test('take many files as one pack', async () => {
    const repository = await newRepository(git);
    const id = await commitActions(
      repository,
      commit(),
      Array.from({ length: 60 }, (_, index) => create(`f/${index}`, `${index}`.repeat(index * 40))),
    );
    expect(Object.keys(filesOf(repository, id))).toHaveLength(60);
    expect(plainGit(repository.path, ['count-objects', '-v'])).toContain('packs: 1');
    expect(fsck(repository)).toBe('');
  });

  test('refuse what contradicts the tree, and change nothing', async () => {
    const repository = await newRepository(git);
    const base = await commitActions(repository, commit(), [create('file'), create('folder/file')]);
    const kindOf = (...actions: Action[]) =>
      commitActions(repository, commit([base]), actions).then(
        () => 'made',
        (error: Conflict) => error.kind,
      );
    expect(await kindOf(create('file'))).toBe('file-exists');
    expect(await kindOf(create('folder'))).toBe('directory-exists');
    expect(await kindOf(create('file/below'))).toBe('file-exists');
    expect(await kindOf({ action: 'update', path: 'none', content: text('') })).toBe('no-file');
    expect(await kindOf({ action: 'update', path: 'folder', content: text('') })).toBe('no-file');
    expect(await kindOf({ action: 'delete', path: 'none' })).toBe('no-file');
    expect(await kindOf({ action: 'move', path: 'new', previousPath: 'none' })).toBe('no-file');
    expect(await kindOf({ action: 'move', path: 'folder/file', previousPath: 'file' })).toBe('file-exists');
    expect(await kindOf({ action: 'chmod', path: 'none', executable: true })).toBe('no-file');
    expect(await kindOf({ action: 'delete', path: 'file', lastCommitId: 'f'.repeat(40) })).toBe('changed');
    expect(await kindOf({ action: 'delete', path: 'file', lastCommitId: base })).toBe('made');
    await expect(commitActions(repository, commit(['1'.repeat(40)]), [])).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const many = Array.from({ length: 101 }, (_, index) => create(`${index}`));
    await expect(commitActions(repository, commit(), many)).rejects.toBeInstanceOf(TooLarge);
    await expect(commitActions(repository, commit(), [create('big', 'x'.repeat(1_000_001))])).rejects.toBeInstanceOf(
      TooLarge,
    );
  });

  test('refuse paths that reach a git folder, as they are and as targets', async () => {
    const repository = await newRepository(git);
    const base = await commitActions(repository, commit(), [create('file')]);
    for (const path of ['.git/config', '../x', '/etc/passwd', 'a/.GIT/x', 'git~1', '']) {
      await expect(commitActions(repository, commit(), [create(path)])).rejects.toBeInstanceOf(Invalid);
      await expect(
        commitActions(repository, commit([base]), [{ action: 'move', path, previousPath: 'file' }]),
      ).rejects.toBeInstanceOf(Invalid);
    }
  });

  test('replace a symbolic link by a file, and write through none', async () => {
    const repository = await newRepository(git);
    fastImport(
      repository,
      'commit refs/heads/main\ncommitter A <a@b> 1 +0000\ndata 1\nx\nM 120000 inline link\ndata 4\n/etc\nM 120000 inline one\ndata 1\na\n\n',
    );
    const { id } = (await resolveCommit(repository, 'main'))!;
    await expect(commitActions(repository, commit([id]), [create('link/passwd')])).rejects.toMatchObject({
      kind: 'file-exists',
    });
    const next = await commitActions(repository, commit([id]), [
      { action: 'update', path: 'link', content: text('plain') },
    ]);
    expect(filesOf(repository, next)).toEqual({ link: '100644 plain', one: '120000 a' });
    await expect(
      commitActions(repository, commit([id]), [{ action: 'move', path: '.gitmodules', previousPath: 'one' }]),
    ).rejects.toBeInstanceOf(Invalid);
  });

  test('let git check what git itself reads', async () => {
    const repository = await newRepository(git);
    const modules = (url: string) => create('.gitmodules', `[submodule "x"]\n\tpath = x\n\turl = ${url}\n`);
    await expect(commitActions(repository, commit(), [modules('--upload-pack=touch /tmp/x')])).rejects.toBeInstanceOf(
      Invalid,
    );
    const base = await commitActions(repository, commit(), [create('plain', '[submodule "x"]\n\turl = --bad\n')]);
    await expect(
      commitActions(repository, commit([base]), [{ action: 'move', path: '.gitmodules', previousPath: 'plain' }]),
    ).rejects.toBeInstanceOf(Invalid);
    const good = await commitActions(repository, commit(), [modules('https://example.com/x.git')]);
    expect(filesOf(repository, good)['.gitmodules']).toContain('example.com');
  });

  test('stay sound with any names, addresses and messages', async () => {
    const repository = await newRepository(git);
    let tip: string | undefined;
    const hostile = ['', ' ', '<x>', 'a\nb', 'a\0b', '\ud800', '"', 'Ann <ann@x>\nparent 1', '.', '\u202eevil', 'ü'];
    for (const name of hostile) {
      const one = { name, email: name, at: new Date(-5) };
      tip = await commitActions(repository, { parents: tip ? [tip] : [], message: name, author: one, committer: one }, [
        create(`f${hostile.indexOf(name)}`),
      ]);
    }
    await changeRefs(repository, [{ ref: 'refs/heads/main', old: undefined, new: tip }]);
    expect(fsck(repository)).toBe('');
    expect(plainGit(repository.path, ['rev-list', '--count', 'main'])).toBe(String(hostile.length));
  });

  test('make annotated tags', async () => {
    const repository = await newRepository(git);
    const target = await commitActions(repository, commit(), [create('a')]);
    const tag = await writeTag(repository, { name: 'v1', commit: target, message: 'First', tagger: person });
    await changeRefs(repository, [{ ref: 'refs/tags/v1', old: undefined, new: tag }]);
    expect(await readTag(repository, tag)).toMatchObject({
      name: 'v1',
      target,
      message: 'First\n',
      tagger: { name: 'Ann' },
    });
    expect((await resolveCommit(repository, 'v1'))?.id).toBe(target);
    expect(fsck(repository)).toBe('');
  });
});

/** Does the same in a folder. @returns whether all of it was possible */
function inFolder(folder: string, actions: readonly Action[]): boolean {
  const isFile = (path: string) => existsSync(join(folder, path)) && statSync(join(folder, path)).isFile();
  const write = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  const tidy = (path: string) => {
    for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
      plainRemove(join(folder, parent));
    }
  };
  try {
    for (const one of actions) {
      const path = join(folder, one.path);
      switch (one.action) {
        case 'create':
          if (existsSync(path)) return false;
          write(one.path, one.content);
          break;
        case 'update':
          if (!isFile(one.path)) return false;
          writeFileSync(path, one.content);
          break;
        case 'delete':
          if (!isFile(one.path)) return false;
          rmSync(path);
          tidy(one.path);
          break;
        case 'move': {
          if (!isFile(one.previousPath)) return false;
          const aside = join(folder, '.git', 'aside');
          renameSync(join(folder, one.previousPath), aside);
          tidy(one.previousPath);
          if (existsSync(path)) return false;
          mkdirSync(dirname(path), { recursive: true });
          renameSync(aside, path);
          if (one.content !== undefined) writeFileSync(path, one.content);
          break;
        }
        case 'chmod':
          if (!isFile(one.path)) return false;
          chmodSync(path, one.executable ? 0o755 : 0o644);
      }
    }
    return true;
  } catch {
    return false;
  }
}

/** Removes a folder if it is empty. */
function plainRemove(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Others are in it.
  }
}
