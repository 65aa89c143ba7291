import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { enqueue } from '../../src/jobs/enqueue.ts';
import { makeShop, type Shop } from '../support/places/shop.ts';
import { allTold, anEventfulProject, type Told } from '../support/mail/told.ts';
import { rowsOfMergeRequests } from './rows-of-merge-requests.ts';
import { rowsOfPipelines } from './rows-of-pipelines.ts';

/**
 * Who is told of what, row by row as clients know it from GitLab. The person in question is a developer of a private project
 * with settings of their own, unless a row says otherwise; what happens is done by the owner.
 */

let shop: Shop;
const extra: Record<string, string> = {};
const tokenOf = (who: string): string => extra[who] ?? shop.tokens[who.replace('the-', '') as keyof Shop['tokens']];
beforeAll(async () => {
  shop = await makeShop({ CAUSEWAY_INBOX: 'on' });
  extra['the-mate'] = await shop.make.user('the-mate');
  extra['the-inner'] = await shop.make.user('the-inner');
  await shop.make.member('the-mate', 'DEVELOPER', { group: 'shop' });
  for (const who of ['the-patron', 'the-sponsor']) {
    extra[who] = await shop.make.user(who, { tier: 'PREMIUM' });
    await shop.make.member(who, 'DEVELOPER', { group: 'shop' });
  }
  await shop.make.group('crew', 'PUBLIC');
  await shop.make.group('crew/deck', 'PUBLIC');
  await shop.make.member('the-mate', 'DEVELOPER', { group: 'crew/deck' });
  await shop.make.member('the-inner', 'DEVELOPER', { group: 'crew' });
  await shop.make.member('the-inner', 'DEVELOPER', { group: 'shop' });
});

/** The person in question. */
const me = 'the-developer';
const doer = 'the-owner';
const idOf = async (who: string) => (await shop.api('GET', 'user', tokenOf(who))).body.id as number;

type Level = 'disabled' | 'mention' | 'participating' | 'watch' | 'custom' | 'global';

interface Row {
  readonly row: number;
  readonly what: string;
  /** The level of the person for the project; none: the default. */
  readonly level?: Level;
  /** Switches of the level custom. */
  readonly on?: object;
  readonly who?: string;
  readonly visibility?: 'PRIVATE' | 'PUBLIC';
  /** What an issue is created with, by the doer or somebody else. */
  readonly issue?: () => object | Promise<object>;
  readonly author?: string;
  /** What happens before; nobody looks at what is told of it. */
  readonly before?: (project: Told) => Promise<unknown>;
  readonly happens: (project: Told) => Promise<unknown>;
  readonly cause: string;
  /** The reason that the message gives; undefined: there is no message. */
  readonly told?: string | null;
}

const comment =
  (body = 'Attention', who = doer, json: object = {}) =>
  (p: Told) =>
    p.send('POST', '/issues/1/notes', who, { body, ...json });
const change =
  (json: object | (() => Promise<object>), who = doer) =>
  async (p: Told) =>
    p.send('PUT', '/issues/1', who, typeof json === 'function' ? await json() : json);
const subscribe =
  (who = me) =>
  (p: Told) =>
    p.send('POST', '/issues/1/subscribe', who);
const unsubscribe =
  (who = me) =>
  async (p: Told) => {
    await p.send('POST', '/issues/1/subscribe', who);
    await p.send('POST', '/issues/1/unsubscribe', who);
  };
const both =
  (...steps: ((p: Told) => Promise<unknown>)[]) =>
  async (p: Told) => {
    for (const step of steps) await step(p);
  };
const open =
  (json: object | (() => Promise<object>) = {}, who = doer) =>
  async (p: Told) =>
    p.send('POST', '/issues', who, { title: 'Leak', ...(typeof json === 'function' ? await json() : json) });
const wantsOwn =
  (who = me) =>
  async () => {
    await shop.gateway.sql(
      'insert into global_notification_settings (user_id, own_activity) values ($1, true) on conflict (user_id) do update set own_activity = true',
      [await idOf(who)],
    );
  };
const assignTo = (who: string) => async () => ({ assignee_ids: [await idOf(who)] });
const mine = { author: me };
const assigned = { issue: assignTo(me) };
/** The issue is due tomorrow, by the clock of the instance, and the job of the day runs. */
const due = async () => {
  await shop.gateway.sql(
    "update issues set due_date = (now() at time zone 'UTC')::date + 1 where id = (select max(id) from issues)",
  );
  await shop.gateway.sql('delete from due_days');
  const [{ tomorrow }] = (await shop.gateway.sql<{ tomorrow: string }>(
    "select ((now() at time zone 'UTC')::date + 1)::text as tomorrow",
  )) as [{ tomorrow: string }];
  await enqueue(shop.gateway.gateway.application.database, 'tell_of_due_issues', { zone: 'UTC', due: tomorrow });
};
const rename = (p: Told) => p.send('PUT', '', doer, { path: `renamed-${Math.random().toString(36).slice(2)}` });

const note = { cause: 'NEW_NOTE', happens: comment() };
const opened = { cause: 'NEW_ISSUE' };
const subscribesToLabel = (who: string) => async (p: Told) => {
  await p.send('POST', '/labels', doer, { name: 'bug', color: '#ff0000' });
  await p.send('POST', '/labels/bug/subscribe', who);
};

const rows: readonly Row[] = [
  { row: 1, what: 'disabled, its author', level: 'disabled', ...mine, ...note },
  { row: 2, what: 'disabled, mentioned', level: 'disabled', ...note, happens: comment(`@${me}`) },
  { row: 3, what: 'disabled, subscribed', level: 'disabled', before: subscribe(), ...note, told: 'SUBSCRIBED' },
  { row: 4, what: 'mention, assignee', level: 'mention', ...assigned, ...note },
  { row: 5, what: 'mention, mentioned', level: 'mention', ...note, happens: comment(`@${me}`), told: 'MENTIONED' },
  {
    row: 6,
    what: 'mention, mentioned before',
    level: 'mention',
    before: comment(`@${me}`),
    issue: () => ({ description: `@${me}` }),
    ...note,
  },
  { row: 7, what: 'participating, no relation', level: 'participating', ...note },
  {
    row: 8,
    what: 'participating, commented before',
    level: 'participating',
    before: comment('Me', me),
    ...note,
    told: null,
  },
  {
    row: 9,
    what: 'participating, mentioned',
    level: 'participating',
    ...note,
    happens: comment(`@${me}`),
    told: 'MENTIONED',
  },
  {
    row: 10,
    what: 'participating, gave an award',
    level: 'participating',
    before: (p) => p.send('POST', '/issues/1/award_emoji', me, { name: 'thumbsup' }),
    ...note,
  },
  { row: 11, what: 'watch, no relation', level: 'watch', ...note, told: null },
  { row: 12, what: 'watch, subscribed', level: 'watch', before: subscribe(), ...note, told: 'SUBSCRIBED' },
  { row: 13, what: 'custom, switched on', level: 'custom', on: { new_note: true }, ...note, told: null },
  { row: 14, what: 'custom, never switched', level: 'custom', ...note },
  {
    row: 15,
    what: 'custom, switched off, takes part',
    level: 'custom',
    on: { new_note: false },
    ...mine,
    ...note,
    told: null,
  },
  {
    row: 16,
    what: 'custom, switched off, mentioned',
    level: 'custom',
    on: { new_note: false },
    ...note,
    happens: comment(`@${me}`),
    told: 'MENTIONED',
  },
  { row: 17, what: 'watch, unsubscribed', level: 'watch', before: unsubscribe(), ...note },
  {
    row: 18,
    what: 'participating, unsubscribed, mentioned',
    level: 'participating',
    before: unsubscribe(),
    ...note,
    happens: comment(`@${me}`),
    told: 'MENTIONED',
  },
  { row: 19, what: 'watch, wrote it', level: 'watch', ...note, happens: comment('Me', me) },
  {
    row: 20,
    what: 'participating, wrote it, wants own activity',
    level: 'participating',
    before: wantsOwn(),
    ...note,
    happens: comment('Me', me),
    told: 'OWN_ACTIVITY',
  },
  {
    row: 21,
    what: 'disabled, wrote it, wants own activity',
    level: 'disabled',
    before: wantsOwn(),
    ...note,
    happens: comment('Me', me),
  },
  {
    row: 22,
    what: 'watch, guest, confidential issue',
    who: 'the-guest',
    level: 'watch',
    issue: () => ({ confidential: true }),
    ...note,
  },
  {
    row: 23,
    what: 'mentioned in a confidential issue, no member',
    who: 'the-stranger',
    visibility: 'PUBLIC',
    issue: () => ({ confidential: true }),
    ...note,
    happens: comment('@the-stranger'),
  },
  {
    row: 24,
    what: 'watch, guest, internal note',
    who: 'the-guest',
    visibility: 'PUBLIC',
    level: 'watch',
    ...note,
    happens: comment('Secret', doer, { internal: true }),
  },
  {
    row: 26,
    what: 'participating, @all of a member',
    level: 'participating',
    ...note,
    happens: comment('@all'),
    told: 'MENTIONED',
  },
  {
    row: 27,
    what: 'participating, @all of a stranger',
    level: 'participating',
    visibility: 'PUBLIC',
    ...note,
    happens: comment('@all', 'the-stranger'),
  },
  {
    row: 28,
    what: 'mention, member of a mentioned group',
    who: 'the-mate',
    level: 'mention',
    ...note,
    happens: comment('@crew/deck'),
    told: 'MENTIONED',
  },
  {
    row: 29,
    what: 'mention, inherited member of a mentioned group',
    who: 'the-inner',
    level: 'mention',
    ...note,
    happens: comment('@crew/deck'),
  },
  {
    row: 30,
    what: 'watch in the group, global in the project',
    before: (p) => p.choose(me, { group: 'shop' }, { level: 'watch' }),
    ...note,
    told: null,
  },
  {
    row: 31,
    what: 'participating in the project, watch in the group',
    level: 'participating',
    before: (p) => p.choose(me, { group: 'shop' }, { level: 'watch' }),
    ...note,
  },
  {
    row: 32,
    what: 'watch everywhere, no member of a public project',
    who: 'the-stranger',
    visibility: 'PUBLIC',
    before: (p) => p.choose('the-stranger', 'global', { level: 'watch' }),
    ...note,
  },
  {
    row: 33,
    what: 'watch, no member of a public project',
    who: 'the-stranger',
    visibility: 'PUBLIC',
    level: 'watch',
    ...note,
    told: null,
  },
  {
    row: 34,
    what: 'watch, a note of the system',
    level: 'watch',
    cause: 'NEW_NOTE',
    happens: both(open(), (p) => p.send('POST', '/issues/2/notes', me, { body: '#1' })),
  },
  { row: 35, what: 'participating, no relation', level: 'participating', ...opened, happens: open() },
  {
    row: 36,
    what: 'participating, assignee',
    level: 'participating',
    ...opened,
    happens: open(assignTo(me)),
    told: 'ASSIGNED',
  },
  {
    row: 37,
    what: 'participating, assignee and mentioned',
    level: 'participating',
    ...opened,
    happens: open(async () => ({ ...(await assignTo(me)()), description: `@${me}` })),
    told: 'ASSIGNED',
  },
  { row: 38, what: 'mention, assignee', level: 'mention', ...opened, happens: open(assignTo(me)) },
  {
    row: 39,
    what: 'mention, mentioned',
    level: 'mention',
    ...opened,
    happens: open({ description: `@${me}` }),
    told: 'MENTIONED',
  },
  {
    row: 40,
    what: 'disabled, subscribed to a label',
    level: 'disabled',
    before: subscribesToLabel(me),
    ...opened,
    happens: open({ labels: 'bug' }),
    told: 'SUBSCRIBED',
  },
  {
    row: 41,
    what: 'subscribed to a label of the group in another project',
    level: 'participating',
    before: subscribedElsewhere,
    ...opened,
    happens: open({ labels: 'everywhere' }),
  },
  { row: 42, what: 'watch', level: 'watch', ...opened, happens: open(), told: null },
  {
    row: 43,
    what: 'participating, custom in the group',
    level: 'participating',
    before: (p) => p.choose(me, { group: 'shop' }, { level: 'custom', new_issue: true }),
    ...opened,
    happens: open(),
  },
  { row: 44, what: 'watch, its author', level: 'watch', ...opened, happens: open({}, me) },
  {
    row: 45,
    what: 'subscribed to a label of a confidential one, no member',
    who: 'the-stranger',
    visibility: 'PUBLIC',
    before: subscribesToLabel('the-stranger'),
    ...opened,
    happens: open({ labels: 'bug', confidential: true }),
  },
  {
    row: 46,
    what: 'mention, newly mentioned in the description',
    level: 'mention',
    cause: 'MENTIONED',
    happens: change({ description: `@${me}` }),
    told: 'MENTIONED',
  },
  {
    row: 47,
    what: 'watch, newly mentioned in a comment',
    level: 'watch',
    before: comment('First'),
    cause: 'NEW_NOTE',
    happens: editComment,
  },
  {
    row: 48,
    what: 'mention, new assignee',
    level: 'mention',
    cause: 'REASSIGN_ISSUE',
    happens: change(assignTo(me)),
    told: 'ASSIGNED',
  },
  {
    row: 49,
    what: 'mention, former assignee',
    level: 'mention',
    ...assigned,
    cause: 'REASSIGN_ISSUE',
    happens: change({ assignee_ids: [0] }),
    told: null,
  },
  {
    row: 50,
    what: 'disabled, new assignee',
    level: 'disabled',
    cause: 'REASSIGN_ISSUE',
    happens: change(assignTo(me)),
  },
  {
    row: 51,
    what: 'participating, unsubscribed, new assignee',
    level: 'participating',
    before: unsubscribe(),
    cause: 'REASSIGN_ISSUE',
    happens: change(assignTo(me)),
    told: 'ASSIGNED',
  },
  {
    row: 52,
    what: 'participating, takes it',
    level: 'participating',
    cause: 'REASSIGN_ISSUE',
    happens: change(assignTo(me), me),
  },
  {
    row: 53,
    what: 'participating, author',
    level: 'participating',
    ...mine,
    cause: 'CLOSE_ISSUE',
    happens: change({ state_event: 'close' }),
    told: null,
  },
  {
    row: 54,
    what: 'participating, mentioned in the description',
    level: 'participating',
    issue: () => ({ description: `@${me}` }),
    cause: 'CLOSE_ISSUE',
    happens: change({ state_event: 'close' }),
    told: null,
  },
  {
    row: 55,
    what: 'mention, mentioned in the description',
    level: 'mention',
    issue: () => ({ description: `@${me}` }),
    cause: 'CLOSE_ISSUE',
    happens: change({ state_event: 'close' }),
  },
  {
    row: 56,
    what: 'custom, switched off',
    level: 'custom',
    on: { reopen_issue: false },
    before: change({ state_event: 'close' }),
    cause: 'REOPEN_ISSUE',
    happens: change({ state_event: 'reopen' }),
  },
  {
    row: 57,
    what: 'participating, author',
    level: 'participating',
    ...mine,
    cause: 'ISSUE_DUE',
    happens: due,
    told: null,
  },
  { row: 58, what: 'watch, no relation', level: 'watch', cause: 'ISSUE_DUE', happens: due },
  { row: 59, what: 'watch, assignee', level: 'watch', ...assigned, cause: 'ISSUE_DUE', happens: due, told: null },
  {
    row: 60,
    what: 'watch, subscribed',
    level: 'watch',
    before: subscribe(),
    cause: 'ISSUE_DUE',
    happens: due,
    told: 'SUBSCRIBED',
  },
  {
    row: 61,
    what: 'custom, switched on',
    level: 'custom',
    on: { issue_due: true },
    cause: 'ISSUE_DUE',
    happens: due,
    told: null,
  },
  {
    row: 83,
    what: 'participating, maintainer through the group',
    who: 'the-maintainer',
    level: 'participating',
    cause: 'MOVED_PROJECT',
    happens: rename,
    told: null,
  },
  { row: 84, what: 'participating, developer', level: 'participating', cause: 'MOVED_PROJECT', happens: rename },
  { row: 85, what: 'mention, owner', who: 'the-owner', level: 'mention', cause: 'MOVED_PROJECT', happens: rename },
  {
    row: 86,
    what: 'custom, switched off, maintainer',
    who: 'the-maintainer',
    level: 'custom',
    on: { moved_project: false },
    cause: 'MOVED_PROJECT',
    happens: rename,
  },
  {
    row: 87,
    what: 'watch, no member',
    who: 'the-stranger',
    visibility: 'PUBLIC',
    level: 'watch',
    cause: 'MOVED_PROJECT',
    happens: rename,
  },
  {
    row: 88,
    what: 'subscribed, mail off in the group',
    level: 'watch',
    before: both(subscribe(), () => mailOf('shop', false)),
    ...note,
  },
  {
    row: 90,
    what: 'custom in the group, switched on',
    who: 'the-patron',
    before: (p) => p.choose('the-patron', { group: 'shop' }, { level: 'custom', new_epic: true }),
    cause: 'NEW_EPIC',
    happens: openEpic,
    told: null,
  },
  { row: 89, what: 'watch, blocked', level: 'watch', before: () => stateOf(me, 'BLOCKED'), ...note },
  ...rowsOfPipelines(() => shop),
  ...rowsOfMergeRequests(() => shop, idOf),
];

async function subscribedElsewhere(p: Told) {
  const { make, api } = shop;
  await make.project('shop/elsewhere').catch(() => undefined);
  await api('POST', 'groups/shop/labels', tokenOf(doer), { json: { name: 'everywhere', color: '#00ff00' } });
  const { status } = await api('POST', 'projects/shop%2Felsewhere/labels/everywhere/subscribe', tokenOf(me));
  expect([201, 304]).toContain(status);
  expect(p.project).not.toBe('shop/elsewhere');
}
async function openEpic() {
  const { status } = await shop.api('POST', 'groups/shop/epics', tokenOf('the-sponsor'), {
    json: { title: 'Harbour' },
  });
  expect(status).toBe(201);
}
async function editComment(p: Told) {
  const [first] = await p.send('GET', '/issues/1/notes', doer);
  await p.send('PUT', `/issues/1/notes/${first.id}`, doer, { body: `@${me}` });
}
const mailOf = (group: string, enabled: boolean) =>
  shop.gateway.sql('update namespaces set emails_enabled = $2 where full_path = $1', [group, enabled]);
const stateOf = (who: string, state: string) =>
  shop.gateway.sql('update users set state = $2::"UserState" where username = $1', [who, state]);

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

describe('a person is told, or not', () => {
  test.each(rows)('row $row ($cause): $what', async (row) => {
    const { who = me, level, on = {}, visibility, issue, author = doer, before, happens, cause, told } = row;
    const project = await anEventfulProject(shop, tokenOf, visibility);
    if (level) await project.choose(who, 'project', { level, ...on });
    if (cause !== 'NEW_ISSUE') await open((await issue?.()) ?? {}, author)(project);
    try {
      await before?.(project);
      await project.told(who);
      await happens(project);
      const found = (await project.told(who)).filter((one) => one.cause === cause);
      expect(found).toEqual(told === undefined ? [] : [{ cause, reason: told }]);
    } finally {
      await mailOf('shop', true);
      await stateOf(me, 'ACTIVE');
    }
  });

  test('by the name of their group only while it allows mentions', async () => {
    const project = await anEventfulProject(shop, tokenOf);
    await project.choose('the-mate', 'project', { level: 'mention' });
    await open({}, doer)(project);
    const disable = (disabled: boolean | null) =>
      shop.gateway.sql(`update namespaces set mentions_disabled = $1 where full_path = 'crew/deck'`, [disabled]);
    onTestFinished(async () => void (await disable(null)));
    const told = async () => {
      await project.told('the-mate');
      await comment('@crew/deck')(project);
      return await project.told('the-mate');
    };
    await disable(true);
    expect(await told()).toEqual([]);
    await disable(false);
    expect(await told()).toEqual([{ cause: 'NEW_NOTE', reason: 'MENTIONED' }]);
  });

  test('by an edit that mentions them at every level, if they subscribed to the issue or to one of its labels', async () => {
    const edits = async (before: (p: Told) => Promise<unknown>, issue: object = {}) => {
      const project = await anEventfulProject(shop, tokenOf);
      await project.choose(me, 'project', { level: 'disabled' });
      await subscribesToLabel('the-guest')(project);
      await open(issue)(project);
      await before(project);
      await project.told(me);
      await change({ description: `@${me}` })(project);
      return await project.told(me);
    };
    const told = [{ cause: 'MENTIONED', reason: 'SUBSCRIBED' }];
    expect(await edits(async () => undefined)).toEqual([]);
    expect(await edits(subscribe())).toEqual(told);
    const ofLabel = (p: Told) => p.send('POST', '/labels/bug/subscribe', me);
    expect(await edits(ofLabel, { labels: 'bug' })).toEqual(told);
    expect(await edits(ofLabel)).toEqual([]);
    expect(await edits(both(ofLabel, unsubscribe()), { labels: 'bug' })).toEqual([]);
  });

  test('in every row of the table', () => {
    expect(rows.map(({ row }) => row).toSorted((a, b) => a - b)).toEqual(range(1, 90));
  });
});

describe('a merge request whose branches conflict', () => {
  test('is told to its author and to the person who has it merge by itself, with a to-do, once', async () => {
    const p = await anEventfulProject(shop, tokenOf);
    const commit = (branch: string, file: string, more: object = {}) =>
      p.send('POST', '/repository/commits', doer, {
        branch,
        commit_message: 'Change',
        actions: [{ action: 'create', file_path: file, content: branch }],
        ...more,
      });
    await commit('main', 'a.txt');
    await commit('topic', 'b.txt', { start_branch: 'main' });
    await p.send('POST', '/merge_requests', me, { source_branch: 'topic', target_branch: 'main', title: 'Seal' });
    await p.send('POST', '/statuses/topic', doer, { state: 'running', ref: 'topic', name: 'check' });
    await p.send('PUT', '/merge_requests/1/merge', 'the-maintainer', { merge_when_pipeline_succeeds: true });
    await p.choose('the-reporter', 'project', { level: 'watch' });
    const told = async () => {
      await p.told(me);
      return await shop.gateway.sql(
        `select u.username, n.via, n.reason from notifications n join users u on u.id = n.user_id join projects p on p.id = n.project_id
          where n.cause = 'UNMERGEABLE' and p.full_path = $1 order by u.username`,
        [p.project],
      );
    };
    expect(await told()).toEqual([]);
    // The second time, it only stays as it is.
    for (const file of ['b.txt', 'c.txt']) {
      const { id } = await commit('main', file);
      await vi.waitFor(async () => {
        const { merge_status: status } = await p.send('GET', '/merge_requests/1', doer);
        const [{ checked_target: target }] = (await shop.gateway.sql(
          'select checked_target from merge_requests i join projects p on p.id = i.project_id where p.full_path = $1',
          [p.project],
        )) as [{ checked_target: string }];
        expect([status, target]).toEqual(['cannot_be_merged', id]);
      });
      expect(await told()).toEqual(
        [me, 'the-maintainer'].map((username) => ({ username, via: 'PARTICIPANT', reason: null })),
      );
    }
    for (const who of [me, 'the-maintainer']) {
      const { body } = await shop.api('GET', 'todos?action=unmergeable', tokenOf(who));
      expect(body.map((todo: any) => [todo.target_type, todo.target.title, todo.author.username])).toEqual([
        ['MergeRequest', 'Seal', who],
      ]);
    }
    expect((await shop.api('GET', 'todos?action=unmergeable', tokenOf('the-reporter'))).body).toEqual([]);
  });
});

test('people who edit or label an issue take part in it', async () => {
  const p = await anEventfulProject(shop, tokenOf);
  await p.send('POST', '/labels', doer, { name: 'bug', color: '#ff0000' });
  await p.send('POST', '/issues', doer, { title: 'Leak' });
  const told = async (who: string) => {
    await p.told(who);
    await comment()(p);
    return await p.told(who);
  };
  const changes = { [me]: { title: 'The leak' }, 'the-reporter': { add_labels: 'bug' } };
  for (const [who, json] of Object.entries(changes)) {
    expect(await told(who)).toEqual([]);
    await p.send('PUT', '/issues/1', who, json);
    expect(await told(who)).toEqual([{ cause: 'NEW_NOTE', reason: null }]);
  }
});

test('what a person without a confirmed address opens causes no message', async () => {
  const p = await anEventfulProject(shop, tokenOf);
  await p.choose(me, 'project', { level: 'watch' });
  await p.told(me);
  const confirmed = (when: string) =>
    shop.gateway.sql(`update emails set verified_at = ${when} where user_id = $1`, [idOfDoer]);
  const idOfDoer = await idOf(doer);
  await confirmed('null');
  try {
    await p.send('POST', '/issues', doer, { title: 'Leak' });
    await p.send('PUT', '/issues/1', doer, { description: `@${me}` });
    expect(await p.told(me)).toEqual([]);
    await p.send('POST', '/issues/1/notes', doer, { body: `@${me}` });
    expect(await p.told(me)).toEqual([{ cause: 'NEW_NOTE', reason: 'MENTIONED' }]);
  } finally {
    await confirmed('now()');
  }
  await p.send('POST', '/issues', doer, { title: 'Another one' });
  expect(await p.told(me)).toEqual([{ cause: 'NEW_ISSUE', reason: null }]);
});

test('a group that gets another path is a move of every project below it', async () => {
  for (const group of ['shop/dock', 'shop/dock/pier', 'shop/port']) await shop.make.group(group);
  const projects = [];
  for (const group of ['shop/dock/pier', 'shop/dock', 'shop/port'])
    projects.push((await anEventfulProject(shop, tokenOf, 'PRIVATE', group)).project.split('/').at(-1));
  const [inner, outer] = projects;
  const told = async () => {
    await allTold(shop.gateway);
    return await shop.gateway.sql(
      `with gone as (delete from notifications returning user_id, cause, subject_id)
       select u.username as who, gone.cause, p.full_path as project from gone join users u on u.id = gone.user_id
         join projects p on p.id = gone.subject_id order by project, who`,
    );
  };
  const group = (path: string) => `groups/${encodeURIComponent(path)}`;
  const moved = (path: string) =>
    [`${path}/${outer}`, `${path}/pier/${inner}`].flatMap((project) =>
      ['the-maintainer', 'the-owner'].map((who) => ({ who, cause: 'MOVED_PROJECT', project })),
    );
  await told();
  const change = async (method: string, path: string, json: object) => {
    const { status, body } = await shop.api(method, path, tokenOf(doer), { json });
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    return body;
  };
  await change('PUT', group('shop/dock'), { name: 'The dock', path: 'dock' });
  expect(await told()).toEqual([]);
  await change('PUT', group('shop/dock'), { path: 'wharf' });
  expect(await told()).toEqual(moved('shop/wharf'));
  await change('POST', `${group('shop/wharf')}/transfer`, { group_id: await shop.namespaceId('shop/port') });
  expect(await told()).toEqual(moved('shop/port/wharf'));
  // So is a person who gets another username.
  const sailor = await shop.make.user('the-sailor');
  expect((await shop.api('POST', 'projects', sailor, { json: { path: 'boat' } })).status).toBe(201);
  const { id } = (await shop.api('GET', 'user', sailor)).body;
  const rename = async (username: string) =>
    expect((await shop.api('PUT', `users/${id}`, shop.tokens.root, { json: { username } })).status).toBe(200);
  await rename('the-sailor');
  expect(await told()).toEqual([]);
  await rename('the-captain');
  expect(await told()).toEqual([{ who: 'the-captain', cause: 'MOVED_PROJECT', project: 'the-captain/boat' }]);
});

describe('a merge request', () => {
  test('is told of as it becomes a draft, becomes ready, and has no open thread left', async () => {
    const p = await anEventfulProject(shop, tokenOf);
    const commit = (branch: string, more: object = {}) =>
      p.send('POST', '/repository/commits', doer, {
        branch,
        commit_message: 'Change',
        actions: [{ action: 'create', file_path: `${branch}.txt`, content: branch }],
        ...more,
      });
    await commit('main');
    await commit('topic', { start_branch: 'main' });
    await p.send('POST', '/merge_requests', me, { source_branch: 'topic', target_branch: 'main', title: 'Seal' });
    const threads: string[] = [];
    for (const body of ['One', 'Two'])
      threads.push((await p.send('POST', '/merge_requests/1/discussions', doer, { body })).id);
    const resolve = (thread: string) =>
      p.send('PUT', `/merge_requests/1/discussions/${thread}`, doer, { resolved: true });
    await p.told(me);
    const happenings: readonly (readonly [() => Promise<unknown>, readonly string[]])[] = [
      [() => p.send('PUT', '/merge_requests/1', doer, { title: 'Draft: Seal' }), ['DRAFTED']],
      [() => p.send('PUT', '/merge_requests/1', doer, { title: 'Draft: Seal it' }), []],
      [() => p.send('PUT', '/merge_requests/1', doer, { title: 'Seal it' }), ['READIED']],
      [() => resolve(threads[0]!), []],
      [() => resolve(threads[1]!), ['THREADS_RESOLVED']],
      [() => resolve(threads[1]!), []],
    ];
    for (const [happens, causes] of happenings) {
      await happens();
      expect(await p.told(me)).toEqual(causes.map((cause) => ({ cause, reason: null })));
    }
  });
});
