import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { newCode } from '../repository/support/code.ts';
import { folderOf } from '../repository/support/journal.ts';
import { testGateway } from '../support/gateway.ts';
import { runs } from '../support/run/runs.ts';
import { byHand, methods, shapeOf } from './support/by-hand.ts';
import { opened } from './support/opened.ts';
import { gitIn, quiet } from './support/sound.ts';

/** Whatever people do over REST, the branches are what plain git by hand would have made of them. */

const gateway = await testGateway();
const token = gateway.tokens.maintainer;

const branches = ['main', 'one', 'two', 'three'] as const;
const files = ['a.txt', 'b.txt'] as const;
const lines = 9;

const side = fc.constantFrom(...branches.slice(1));
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('commit' as const),
      branch: fc.constantFrom(...branches),
      file: fc.constantFrom(...files),
      line: fc.nat(lines - 1),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('merge' as const),
      source: side,
      // Into another one than `main`, now and then.
      target: fc.oneof({ weight: 4, arbitrary: fc.constant('main' as const) }, { weight: 1, arbitrary: side }),
      method: fc.constantFrom(...methods),
      squash: fc.boolean(),
      rebases: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('revert' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** A new project, and the same by hand. */
async function bothSides() {
  const code = await newCode(gateway);
  const hand = byHand();
  const { rest } = gateway;
  let written = 0;

  async function commit({ branch, file, line }: Extract<Step, { do: 'commit' }>) {
    const before = hand.read(branch, file);
    const content = (before ?? 'line\n'.repeat(lines)).trimEnd().split('\n');
    content[line] = `written ${++written}`;
    const text = `${content.join('\n')}\n`;
    const action = { action: before === undefined ? 'create' : 'update', file_path: file, content: text };
    await code.commit({}, { branch, actions: [action] });
    hand.commit(branch, file, text);
  }

  async function merge({ source, target, method, squash, rebases }: Extract<Step, { do: 'merge' }>) {
    if (source === target || hand.isBehind(source, target)) return;
    const isOpen = hand.isOpen(source, target);
    if (isOpen && (rebases || squash)) return;
    const set = await rest('PUT', code.path, { token, json: { merge_method: method } });
    expect(set.status, set.text).toBe(200);
    const { path } = await opened(gateway, code, { source_branch: source, target_branch: target });
    if (rebases) {
      expect((await rest('PUT', `${path}/rebase`, { token })).status).toBe(202);
      const rebased = await vi.waitFor(
        async () => {
          const { body } = await rest('GET', `${path}?include_rebase_in_progress=true`, { token });
          expect(body.rebase_in_progress).toBe(false);
          return body;
        },
        { timeout: 20_000, interval: 20 },
      );
      expect(rebased.merge_error === null).toBe(hand.rebase(source, target));
    }
    const json = { squash, should_remove_source_branch: false };
    const merged = await rest('PUT', `${path}/merge`, { token, json });
    const isMerged = hand.merge(source, target, { method, squash });
    expect([200, 405, 422], merged.text).toContain(merged.status);
    expect(merged.status === 200, `${merged.status} ${merged.text}`).toBe(isMerged);
    if (!isMerged) await rest('PUT', path, { token, json: { state_event: 'close' } });
  }

  async function revert() {
    const last = ['rev-list', '--first-parent', '--merges', '--max-count=1', 'main'];
    const sha = gitIn(gateway, code, ...last);
    if (sha === '') return;
    const path = `${code.path}/repository/commits/${sha}/revert`;
    const reverted = await rest('POST', path, { token, json: { branch: 'main' } });
    expect([201, 400], reverted.text).toContain(reverted.status);
    expect(reverted.status === 201, reverted.text).toBe(hand.revert('main', hand.git(...last)));
  }

  const take = (one: Step) => (one.do === 'commit' ? commit(one) : one.do === 'merge' ? merge(one) : revert());
  for (const file of files) await commit({ do: 'commit', branch: 'main', file, line: 0 });
  for (const branch of branches.slice(1)) {
    await code.branch(branch);
    hand.branch(branch, 'main');
    await commit({ do: 'commit', branch, file: 'a.txt', line: branches.indexOf(branch) * 2 });
  }
  // One is merged, whatever chance says.
  await merge({ do: 'merge', source: 'one', target: 'main', method: 'merge', squash: false, rebases: false });
  return { code, hand, take };
}

test('branches are what git by hand makes of them', { timeout: 60_000 + runs * 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 12, size: 'max' }), async (steps) => {
      const { code, hand, take } = await bothSides();
      for (const one of steps) await take(one);
      expect(shapeOf(folderOf(gateway, code))).toEqual(shapeOf(hand.folder));
      await quiet(gateway, code);
      expect(gitIn(gateway, code, 'fsck', '--strict', '--no-dangling')).toBe('');
      const [{ count }] = (await gateway.sql<{ count: number }>(
        `select count(*)::int as count from merge_requests where project_id = $1 and state = 'MERGED'`,
        [code.id],
      )) as [{ count: number }];
      expect(count).toBeGreaterThan(0);
    }),
    // A failure is told as it came: to make it smaller takes minutes.
    { numRuns: runs, endOnFailure: true },
  );
});
