import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainGit, temporaryFolder } from '../git/support/engine.ts';
import { testGateway } from '../support/gateway.ts';
import { runs } from '../support/run/runs.ts';
import { filledProject } from './support/clone.ts';
import { expectSound, folderOf, refsIn } from './support/journal.ts';

/** Whatever people do over REST and by pushes, one after the other, the repository is as if plain git had done it. */

const gateway = await testGateway();
const { rest, tokens } = gateway;

const branch = fc.constantFrom('main', 'a', 'b/c');
const path = fc.constantFrom('f', 'd/e', 'd/g', 'h');
const content = fc.constantFrom('one\n', 'two\n', '', 'é\u{1f600}x');

type Action =
  | { readonly action: 'create' | 'update'; readonly file_path: string; readonly content: string }
  | { readonly action: 'delete'; readonly file_path: string }
  | { readonly action: 'move'; readonly file_path: string; readonly previous_path: string }
  | { readonly action: 'chmod'; readonly file_path: string; readonly execute_filemode: boolean };

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ action: fc.constantFrom('create', 'update'), file_path: path, content }),
  fc.record({ action: fc.constant('delete'), file_path: path }),
  fc.record({ action: fc.constant('move'), file_path: path, previous_path: path }),
  fc.record({ action: fc.constant('chmod'), file_path: path, execute_filemode: fc.boolean() }),
);

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('commit'),
      branch,
      actions: fc.array(action, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('push'), branch, path, content, amend: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('branch'), branch, from: branch }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete'), branch }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('tag'), branch, name: fc.constantFrom('v1', 'v2') }) },
);

/** Does in a work tree what an action says. @returns whether it can be done */
function done(folder: string, given: Action): boolean {
  const file = join(folder, given.file_path);
  const isThere = existsSync(file);
  switch (given.action) {
    case 'create':
    case 'update':
      if (isThere === (given.action === 'create')) return false;
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, given.content);
      return true;
    case 'delete':
      if (isThere) rmSync(file);
      return isThere;
    case 'move': {
      const previous = join(folder, given.previous_path);
      if (!existsSync(previous) || isThere) return false;
      mkdirSync(dirname(file), { recursive: true });
      renameSync(previous, file);
      return true;
    }
    case 'chmod':
      if (isThere) chmodSync(file, given.execute_filemode ? 0o755 : 0o644);
      return isThere;
  }
}

test('a repository is what plain git makes of the same commits and pushes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
      const { project, folder: client, git, push, fetch } = await filledProject(gateway);
      const plain = temporaryFolder();
      const by = (...args: string[]) => plainGit(plain, args);
      plainGit(plain, ['clone', '--quiet', folderOf(gateway, project), '.']);
      const has = (name: string) => by('for-each-ref', `refs/heads/${name}`) !== '';
      const send = (method: string, where: string, json: object = {}) =>
        rest(method, `${project.path}/repository/${where}`, { token: tokens.maintainer, json });
      const commitAll = (message: string) => {
        by('add', '--all', '.');
        by('commit', '--quiet', '--allow-empty', '-m', message);
      };

      for (const one of steps) {
        if (one.do === 'commit' || one.do === 'push') {
          if (!has(one.branch)) continue;
          by('checkout', '--quiet', '--force', one.branch);
          by('clean', '--quiet', '-fd');
        }
        if (one.do === 'commit') {
          const isPossible = one.actions.every((each) => done(plain, each));
          const { status, text } = await send('POST', 'commits', {
            branch: one.branch,
            commit_message: 'Change',
            actions: one.actions,
          });
          expect(status, text).toBe(isPossible ? 201 : 400);
          if (isPossible) commitAll('Change');
        } else if (one.do === 'push') {
          expect((await fetch('--quiet', '--prune')).code).toBe(0);
          git('checkout', '--quiet', '--force', '-B', 'work', `origin/${one.branch}`);
          const forced = one.amend && one.branch !== 'main';
          for (const folder of [client, plain]) {
            mkdirSync(dirname(join(folder, one.path)), { recursive: true });
            writeFileSync(join(folder, one.path), one.content);
          }
          git('add', '--all', '.');
          git('commit', '--quiet', '--allow-empty', '-m', 'Push', ...(forced ? ['--amend'] : []));
          by('add', '--all', '.');
          by('commit', '--quiet', '--allow-empty', '-m', 'Push', ...(forced ? ['--amend'] : []));
          const pushed = await push(...(forced ? ['--force'] : []), `work:refs/heads/${one.branch}`);
          expect(pushed.code, pushed.text).toBe(0);
        } else if (one.do === 'branch') {
          const isPossible = has(one.from) && !has(one.branch);
          const { status } = await send('POST', 'branches', { branch: one.branch, ref: one.from });
          expect(status).toBe(isPossible ? 201 : 400);
          if (isPossible) by('branch', '--no-track', one.branch, one.from);
        } else if (one.do === 'delete') {
          const isPossible = has(one.branch) && one.branch !== 'main';
          const { status } = await send('DELETE', `branches/${encodeURIComponent(one.branch)}`);
          expect(status === 204).toBe(isPossible);
          by('checkout', '--quiet', '--force', 'main');
          if (isPossible) by('branch', '--quiet', '-D', one.branch);
        } else {
          const isPossible = has(one.branch) && by('tag', '--list', one.name) === '';
          const { status } = await send('POST', 'tags', { tag_name: one.name, ref: one.branch });
          expect(status).toBe(isPossible ? 201 : 400);
          if (isPossible) by('tag', one.name, one.branch);
        }
      }

      // Names of commits differ by their dates and people: what is in them doesn't, and how many led there.
      const shapes = (folder: string, refs: readonly string[]) =>
        Object.fromEntries(
          refs.map((ref) => [
            ref,
            [plainGit(folder, ['rev-parse', `${ref}^{tree}`]), plainGit(folder, ['rev-list', '--count', ref])],
          ]),
        );
      const refs = by('for-each-ref', '--format=%(refname)', 'refs/heads', 'refs/tags').split('\n').sort();
      expect(Object.keys(refsIn(gateway, project)).sort()).toEqual(refs);
      expect(shapes(folderOf(gateway, project), refs)).toEqual(shapes(plain, refs));
      await expectSound(gateway, project);
    }),
    { numRuns: 4 * runs },
  );
});
