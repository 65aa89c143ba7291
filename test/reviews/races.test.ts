import { beforeAll, describe, expect, test } from 'vitest';
import { newCode, type Code } from '../repository/support/code.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import type { RestAnswer } from '../support/requests/rest-client.ts';
import { whileHeld, type Held } from '../support/databases/held.ts';
import { runs } from '../support/run/runs.ts';
import { opened } from './support/opened.ts';
import { expectAgreed, gitIn, quiet, tipsOf, type Stored } from './support/sound.ts';

/** Two calls at once, on two gateways: each round has one outcome, on which git, the record and the answers agree. */

const rounds = runs > 1 ? 2 * runs : 1;
const timeout = 30_000 + rounds * 10_000;

let gateways: [TestGateway, TestGateway];
let code: Code;
beforeAll(async () => {
  const first = await testGateway();
  gateways = [first, await testGateway({}, first)];
  code = await newCode(first);
  await code.commit({ first: 'first\n' });
  await code.branch('aside');
});

interface Round {
  readonly id: number;
  readonly number: number;
  readonly branch: string;
  /** The head of the merge request before. */
  readonly head: string;
  /** Sends a request of the maintainer about the merge request by one of the gateways. */
  readonly call: (gateway: 0 | 1, method: string, path: string, json?: object) => Promise<RestAnswer>;
  readonly merge: (gateway: 0 | 1, json?: object) => Promise<RestAnswer>;
  readonly push: (gateway: 0 | 1) => Promise<RestAnswer>;
  readonly report: (gateway: 0 | 1, state: string) => Promise<RestAnswer>;
}

let made = 0;

/** A merge request from a new branch. */
async function newRound(): Promise<Round> {
  const number = ++made;
  const branch = `topic-${number}`;
  const head = await code.commit({ [`f-${number}`]: 'x\n' }, { branch, start_branch: 'main' });
  const { id, path } = await opened(gateways[0], code, { source_branch: branch, title: `Round ${number}` });
  const send = (gateway: 0 | 1, method: string, address: string, json: object = {}) =>
    gateways[gateway].rest(method, address, { token: gateways[0].tokens.maintainer, json });
  return {
    id,
    number,
    branch,
    head,
    call: (gateway, method, below, json) => send(gateway, method, `${path}${below}`, json),
    merge: (gateway, json) => send(gateway, 'PUT', `${path}/merge`, json),
    push: (gateway) =>
      send(gateway, 'POST', `${code.path}/repository/commits`, {
        branch,
        commit_message: 'More',
        actions: [{ action: 'create', file_path: `more-${number}`, content: 'y\n' }],
      }),
    report: (gateway, state) =>
      send(gateway, 'POST', `${code.path}/statuses/${head}`, { state, ref: branch, name: 'build' }),
  };
}

/** Either starts first in some of the rounds, by up to some milliseconds. */
async function atOnce<One, Other>(
  number: number,
  one: () => Promise<One>,
  other: () => Promise<Other>,
): Promise<[One, Other]> {
  const after = async <Value>(milliseconds: number, work: () => Promise<Value>) => {
    if (milliseconds > 0) await new Promise((resolve) => setTimeout(resolve, milliseconds));
    return await work();
  };
  const ahead = ((number * 7) % 25) - 12;
  return await Promise.all([after(-ahead, one), after(ahead, other)]);
}

/** Runs rounds. What a round returns is looked at after everything that follows has happened. */
async function race(
  begin: (round: Round) => Promise<(stored: Stored, main: readonly string[]) => void>,
): Promise<void> {
  for (let count = 0; count < rounds; count++) {
    const round = await newRound();
    const former = tipsOf(gateways[0], code, 'main', 'aside');
    const check = await begin(round);
    await quiet(gateways[0], code);
    const stored = await expectAgreed(gateways[0], code, round, former);
    check(stored, gitIn(gateways[0], code, 'ls-tree', '--name-only', 'refs/heads/main').split('\n'));
  }
}

/** How a merge is refused that came too late. */
const refused = [405, 409, 422];
const isMerged = ({ state }: Stored) => state === 'MERGED';

/** A merge that said so is there, and one that was refused isn't. */
function expectTold(answer: RestAnswer, stored: Stored): void {
  if (answer.status !== 200) expect(refused, answer.text).toContain(answer.status);
  expect(isMerged(stored)).toBe(answer.status === 200);
}

describe('at once', { timeout }, () => {
  test('a push and a merge: what is merged is one of both heads, and the one that the call named', async () => {
    await race(async ({ number, head, branch, push, merge }) => {
      const named = number % 2 === 0 ? { sha: head } : {};
      const [pushed, merged] = await atOnce(
        number,
        () => push(0),
        () => merge(1, named),
      );
      expect(pushed.status, pushed.text).toBe(201);
      return (stored, main) => {
        expectTold(merged, stored);
        expect([head, pushed.body.id]).toContain(stored.head_sha);
        if (isMerged(stored) && number % 2 === 0) expect(stored.head_sha).toBe(head);
        expect(main.includes(`more-${number}`)).toBe(isMerged(stored) && stored.head_sha === pushed.body.id);
        // Nothing of the push is lost, whatever was merged.
        expect(gitIn(gateways[0], code, 'rev-parse', `refs/heads/${branch}`)).toBe(pushed.body.id);
      };
    });
  });

  test('a merge and a close', async () => {
    await race(async ({ number, call, merge }) => {
      const [merged, closed] = await atOnce(
        number,
        () => merge(0),
        () => call(1, 'PUT', '', { state_event: 'close' }),
      );
      expect(closed.status, closed.text).toBe(200);
      return (stored) => {
        expectTold(merged, stored);
        expect(stored.state).toBe(merged.status === 200 ? 'MERGED' : 'CLOSED');
        expect(closed.body.state).toBe(stored.state.toLowerCase());
      };
    });
  });

  test('two merges', async () => {
    await race(async ({ number, merge }) => {
      const both = await atOnce(
        number,
        () => merge(0, { squash: false }),
        () => merge(1),
      );
      const statuses = both.map(({ status }) => status).toSorted();
      // The later one says that it isn't open any more, also where the branch is gone by then.
      expect(statuses).toEqual([200, 405]);
      return (stored) => expect(stored.state).toBe('MERGED');
    });
  });

  test('a merge and the deletion of the source branch', async () => {
    await race(async ({ number, branch, merge }) => {
      const [first, second] = gateways;
      const [merged, deleted] = await atOnce(
        number,
        () => merge(0),
        () => second.rest('DELETE', `${code.path}/repository/branches/${branch}`, { token: first.tokens.maintainer }),
      );
      expect(deleted.status, deleted.text).toBe(204);
      return (stored) => {
        expectTold(merged, stored);
        expect(stored.state).toBe(merged.status === 200 ? 'MERGED' : 'CLOSED');
      };
    });
  });

  test('a merge and another target', async () => {
    await race(async ({ number, call, merge }) => {
      const [merged, moved] = await atOnce(
        number,
        () => merge(0),
        () => call(1, 'PUT', '', { target_branch: 'aside' }),
      );
      expect(moved.status, moved.text).toBe(200);
      return (stored) => {
        // Whichever came first: it was merged where the record says. After the move, it may be merged there.
        expectTold(merged, stored);
        if (!isMerged(stored)) expect(stored.target_branch).toBe('aside');
      };
    });
  });
});

describe('after a merge was accepted, while it waits for the repository', () => {
  const held = (): Held => ['select from repositories where project_id = $1 for update', code.id];

  test.each([
    ['a draft', { title: 'Draft: Round' }, 409],
    ['a request for another target', { target_branch: 'aside' }, 409],
    ['closed', { state_event: 'close' }, 405],
  ])('it becomes %s: nothing is merged', async (_what, change, status) => {
    const round = await newRound();
    await quiet(gateways[0], code);
    const former = tipsOf(gateways[0], code, 'main', 'aside');
    const [merged] = await whileHeld(gateways[0], held(), [() => round.merge(0)], async () => {
      const changed = await round.call(1, 'PUT', '', change);
      expect(changed.status, changed.text).toBe(200);
    });
    expect(merged!.status, merged!.text).toBe(status);
    await quiet(gateways[0], code);
    expect((await expectAgreed(gateways[0], code, round, former)).state).not.toBe('MERGED');
  });

  test('its automatic merge is cancelled: nothing is merged', async () => {
    const round = await newRound();
    await round.report(0, 'running');
    await round.merge(0, { merge_when_pipeline_succeeds: true });
    await quiet(gateways[0], code);
    const former = tipsOf(gateways[0], code, 'main', 'aside');
    await whileHeld(gateways[0], held(), [() => round.report(0, 'success')], async () => {
      const cancelled = await round.call(1, 'POST', '/cancel_merge_when_pipeline_succeeds');
      expect(cancelled.body).toEqual({ status: 'success' });
    });
    await quiet(gateways[0], code);
    expect(await expectAgreed(gateways[0], code, round, former)).toMatchObject({ state: 'OPENED', auto_merge: false });
  });
});

describe('merging once the pipeline succeeds, at once with', { timeout }, () => {
  const later = { merge_when_pipeline_succeeds: true };

  test('its cancelling: who was told that it is cancelled sees no merge', async () => {
    await race(async ({ number, call, merge, report }) => {
      await report(0, 'running');
      expect((await merge(0, later)).status).toBe(200);
      const [reported, cancelled] = await atOnce(
        number,
        () => report(0, 'success'),
        () => call(1, 'POST', '/cancel_merge_when_pipeline_succeeds'),
      );
      expect([reported.status, cancelled.status]).toEqual([201, 201]);
      return (stored) => {
        expect(stored.state).toBe(cancelled.body.status === 'success' ? 'OPENED' : 'MERGED');
        expect(stored.auto_merge).toBe(false);
      };
    });
  });

  test('the success that it waits for: it is merged', async () => {
    await race(async ({ number, merge, report }) => {
      await report(0, 'running');
      const [reported, set] = await atOnce(
        number,
        () => report(0, 'success'),
        () => merge(1, later),
      );
      expect([reported.status, set.status], set.text).toEqual([201, 200]);
      return (stored) => expect(stored.state).toBe('MERGED');
    });
  });

  test('a push, after the head that was named: it waits for that one only', async () => {
    await race(async ({ number, head, merge, push, report }) => {
      await report(0, 'running');
      const [pushed, set] = await atOnce(
        number,
        () => push(0),
        () => merge(1, { ...later, sha: head }),
      );
      expect(pushed.status, pushed.text).toBe(201);
      // 405: of the new head there is no pipeline.
      expect([200, 405, 409], set.text).toContain(set.status);
      expect((await report(0, 'success')).status).toBe(201);
      return (stored) => {
        expect(stored).toMatchObject({ state: 'OPENED', head_sha: pushed.body.id, auto_merge: false });
        expect(stored.merge_user_id).toBeNull();
      };
    });
  });
});
