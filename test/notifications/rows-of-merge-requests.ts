import type { Shop } from '../support/places/shop.ts';
import type { Told } from '../support/mail/told.ts';

/** The rows of the decision table about merge requests: a branch is pushed, reviewed and merged. */

const me = 'the-developer';
const doer = 'the-owner';

const commit = (p: Told, branch: string, file: string, who = doer, more: object = {}) =>
  p.send('POST', '/repository/commits', who, {
    branch,
    commit_message: 'Change',
    actions: [{ action: 'create', file_path: file, content: file }],
    ...more,
  });

/** A project with a branch that is ahead of `main`. */
const branched = async (p: Told) => {
  await commit(p, 'main', 'a.txt');
  await commit(p, 'topic', 'b.txt', doer, { start_branch: 'main' });
};

const open =
  (json: object | (() => Promise<object>) = {}, who = doer) =>
  async (p: Told) =>
    p.send('POST', '/merge_requests', who, {
      source_branch: 'topic',
      target_branch: 'main',
      title: 'Seal the pump',
      ...(typeof json === 'function' ? await json() : json),
    });

const opened =
  (...how: Parameters<typeof open>) =>
  async (p: Told) => {
    await branched(p);
    await open(...how)(p);
  };

/** A push over the API, and the wait until it is followed. */
const push =
  (shop: () => Shop, who = doer) =>
  async (p: Told) => {
    const { id } = await commit(p, 'topic', 'c.txt', who);
    for (;;) {
      const { sha } = await p.send('GET', '/merge_requests/1', doer);
      const jobs = await shop().gateway.sql("select 1 from jobs where name = 'follow_references'");
      if (sha === id && jobs.length === 0) return;
    }
  };

const merge =
  (who: string, json: object = {}) =>
  (p: Told) =>
    p.send('PUT', '/merge_requests/1/merge', who, json);
const report = (state: string) => (p: Told) =>
  p.send('POST', '/statuses/topic', doer, { state, ref: 'topic', name: 'check' });

/** Waits until what waited for a pipeline is merged. */
const merged = async (p: Told) => {
  while ((await p.send('GET', '/merge_requests/1', doer)).state !== 'merged');
};

export function rowsOfMergeRequests(shop: () => Shop, idOf: (who: string) => Promise<number>) {
  const reviewing = async () => ({ reviewer_ids: [await idOf(me)] });
  // Branches that developers merge into.
  const maintained = { who: 'the-maintainer' };
  return [
    {
      row: 25,
      what: 'watch, guest of a private project',
      who: 'the-guest',
      level: 'watch',
      before: opened(),
      happens: (p: Told) => p.send('POST', '/merge_requests/1/notes', doer, { body: 'Attention' }),
      cause: 'NEW_NOTE',
    },
    {
      row: 62,
      what: 'watch, no relation',
      level: 'watch',
      before: opened(),
      happens: push(shop),
      cause: 'PUSH_TO_MERGE_REQUEST',
    },
    {
      row: 63,
      what: 'watch, author, another one pushes',
      level: 'watch',
      before: opened({}, me),
      happens: push(shop),
      cause: 'PUSH_TO_MERGE_REQUEST',
      told: null,
    },
    {
      row: 64,
      what: 'participating, reviewer',
      level: 'participating',
      before: opened(reviewing),
      happens: push(shop),
      cause: 'PUSH_TO_MERGE_REQUEST',
      told: null,
    },
    {
      row: 65,
      what: 'watch, guest of a private project, mentioned',
      who: 'the-guest',
      level: 'watch',
      before: branched,
      happens: open({ description: '@the-guest' }),
      cause: 'NEW_MERGE_REQUEST',
    },
    {
      row: 66,
      what: 'watch',
      level: 'watch',
      before: opened(),
      happens: (p: Told) => p.send('PUT', '/merge_requests/1', doer, { state_event: 'close' }),
      cause: 'CLOSE_MERGE_REQUEST',
      told: null,
    },
    {
      row: 67,
      what: 'watch, merged it',
      ...maintained,
      level: 'watch',
      before: opened(),
      happens: merge('the-maintainer'),
      cause: 'MERGE_MERGE_REQUEST',
    },
    {
      row: 68,
      what: 'watch, had it merge by itself',
      ...maintained,
      level: 'watch',
      before: async (p: Told) => {
        await opened()(p);
        await report('running')(p);
        await merge('the-maintainer', { merge_when_pipeline_succeeds: true })(p);
      },
      happens: async (p: Told) => {
        await report('success')(p);
        await merged(p);
      },
      cause: 'MERGE_MERGE_REQUEST',
      told: null,
    },
    {
      row: 69,
      what: 'participating, author',
      level: 'participating',
      before: opened({}, me),
      happens: merge(doer),
      cause: 'MERGE_MERGE_REQUEST',
      told: null,
    },
  ] as const;
}
