import { beforeAll, describe, expect, test } from 'vitest';
import type { TestGateway } from '../../support/gateway.ts';
import { at, makeShop, type Shop } from '../../support/places/shop.ts';

/** Commands in comments and descriptions of issues. */

let gateway: TestGateway;
let tokens: Shop['tokens'];
let api: Shop['api'];
let aProject: Shop['aProject'];
beforeAll(async () => {
  ({ gateway, tokens, api, aProject } = await makeShop());
});

const create = (project: string, json: object, token = tokens.reporter) =>
  api('POST', at(project, '/issues'), token, { json: { title: 'Pump leaks', ...json } });
async function anIssue(json: object = {}, token = tokens.reporter) {
  const project = await aProject();
  const made = await create(project, json, token);
  expect(made.status).toBe(201);
  return { project, issue: at(project, '/issues/1'), id: made.body.id as number };
}
const comment = (issue: string, body: string, token = tokens.reporter) =>
  api('POST', `${issue}/notes`, token, { json: { body } });
const read = async (issue: string, token = tokens.reporter) => (await api('GET', issue, token)).body;
const notes = async (issue: string) =>
  (await api('GET', `${issue}/notes?sort=asc`, tokens.reporter)).body.map(({ body }: { body: string }) => body);

describe('a comment of nothing but commands', () => {
  test('is 202, and changes the issue as its own routes do', async () => {
    const { project, issue } = await anIssue({ labels: 'old' });
    for (const name of ['bug', 'two words'])
      await api('POST', at(project, '/labels'), tokens.reporter, { json: { name, color: '#ff0000' } });
    const milestone = (await api('POST', at(project, '/milestones'), tokens.reporter, { json: { title: 'Spring' } }))
      .body;
    const labels = (await api('GET', at(project, '/labels'), tokens.reporter)).body as { id: number; name: string }[];
    const labelId = (name: string) => labels.find((one) => one.name === name)!.id;
    const people = await gateway.sql<{ id: number; username: string }>('select id, username from users');
    const idOf = (username: string) => people.find((one) => one.username === username)!.id;
    const lines = [
      '/LABEL ~bug ~"two words" ~unknown',
      '/unlabel ~old',
      '/assign @the-developer',
      '/milestone %Spring',
      '/due 2999-08-05',
      '/estimate 3h',
      '/spend 1h 30m 2026-01-03',
      '/title Pump squeaks',
      '/close',
    ];
    expect(await comment(issue, lines.join('\n'))).toMatchObject({
      status: 202,
      body: {
        commands_changes: {
          add_label_ids: [labelId('bug'), labelId('two words')],
          remove_label_ids: [labelId('old')],
          assignee_ids: [idOf('the-developer')],
          milestone_id: milestone.id,
          due_date: '2999-08-05',
          time_estimate: 10_800,
          spend_time: { duration: 5_400, user_id: idOf('the-reporter'), spent_at: '2026-01-03' },
          title: 'Pump squeaks',
          state_event: 'close',
        },
        summary: [
          'Added ~"bug" ~"two words" labels.',
          'Removed ~"old" label.',
          'Assigned @the-developer.',
          'Set the milestone to %Spring.',
          'Set the due date to Aug 5, 2999.',
          'Set time estimate to 3h.',
          'Added 1h 30m spent time.',
          'Changed the title to "Pump squeaks".',
          'Closed this issue.',
        ],
      },
    });
    expect(await read(issue)).toMatchObject({
      title: 'Pump squeaks',
      state: 'closed',
      labels: ['bug', 'two words'],
      assignees: [{ username: 'the-developer' }],
      milestone: { title: 'Spring' },
      due_date: '2999-08-05',
      time_stats: { time_estimate: 10_800, total_time_spent: 5_400 },
      user_notes_count: 0,
    });
    expect(await notes(issue)).toEqual([
      'changed title from **Pump {-leaks-}** to **Pump {+squeaks+}**',
      'assigned to @the-developer',
      'changed due date to August 5, 2999',
      'changed time estimate to 3h',
      'added 1h 30m of time spent at 2026-01-03',
    ]);
    const states = (await api('GET', `${issue}/resource_state_events`, tokens.guest)).body;
    expect(states).toMatchObject([{ state: 'closed', user: { username: 'the-reporter' } }]);
    const undone = [
      '/reopen',
      '/unassign',
      '/remove_milestone',
      '/remove_due_date',
      '/remove_estimate',
      '/remove_time_spent',
      '/unlabel',
    ];
    expect((await comment(issue, undone.join('\n'))).body.summary).toEqual([
      'Reopened this issue.',
      'Removed assignee @the-developer.',
      'Removed %Spring milestone.',
      'Removed the due date.',
      'Removed time estimate.',
      'Removed spent time.',
      'Removed all labels.',
    ]);
    expect(await read(issue)).toMatchObject({
      state: 'opened',
      labels: [],
      assignees: [],
      milestone: null,
      due_date: null,
      time_stats: { time_estimate: 0, total_time_spent: 0 },
    });
  });

  test('takes labels with commas between them, and time that was spent until today', async () => {
    const { project, issue } = await anIssue();
    for (const name of ['bug', 'two words'])
      await api('POST', at(project, '/labels'), tokens.reporter, { json: { name, color: '#ff0000' } });
    expect((await comment(issue, '/label ~bug, ~"two words"')).body.summary).toEqual([
      'Added ~"bug" ~"two words" labels.',
    ]);
    expect((await comment(issue, '/spend 90 minutes 2026/01/03')).body.summary).toEqual(['Added 1h 30m spent time.']);
    const { status, body } = await comment(issue, '/spend 1h 2999-01-01');
    expect([status, body]).toEqual([400, { message: '400 Bad request - Failed to apply commands.' }]);
    expect(await read(issue)).toMatchObject({ labels: ['bug', 'two words'], time_stats: { total_time_spent: 5_400 } });
  });

  test('subtracts time from what the commands before it leave', async () => {
    const { issue } = await anIssue();
    const spend = async (body: string) => {
      const { status, body: said } = await comment(issue, body);
      return [status, said.summary, (await read(issue)).time_stats.total_time_spent];
    };
    expect(await spend('/spend 1h\n/spend -30m')).toEqual([
      202,
      ['Added 1h spent time.', 'Subtracted 30m spent time.'],
      1_800,
    ]);
    expect(await spend('/spend -30m\n/spend -30m')).toEqual([202, ['Subtracted 30m spent time.'], 0]);
    expect(await spend('/spend 1h\n/remove_time_spent\n/spend -30m')).toEqual([
      202,
      ['Added 1h spent time.', 'Removed spent time.'],
      0,
    ]);
  });

  test('subscribes, marks to-dos, locks and hides', async () => {
    const { issue, id } = await anIssue();
    const summary = async (body: string, token = tokens.reporter) => (await comment(issue, body, token)).body.summary;
    expect(await summary('/subscribe', tokens.guest)).toEqual(['Subscribed to notifications.']);
    expect((await read(issue, tokens.guest)).subscribed).toBe(true);
    expect(await summary('/unsubscribe', tokens.guest)).toEqual(['Unsubscribed from this issue.']);
    expect((await read(issue, tokens.guest)).subscribed).toBe(false);
    const todos = () => gateway.sql('select state, action from todos where issue_id = $1', [id]);
    expect(await summary('/todo', tokens.guest)).toEqual(['Added a to-do item.']);
    await summary('/todo', tokens.guest);
    expect(await todos()).toEqual([{ state: 'PENDING', action: 'MARKED' }]);
    expect(await summary('/done', tokens.guest)).toEqual(['Marked to do as done.']);
    expect(await todos()).toEqual([{ state: 'DONE', action: 'MARKED' }]);
    expect(await summary('/lock\n/confidential')).toEqual(['Locked the discussion.', 'Made this issue confidential.']);
    expect(await read(issue)).toMatchObject({ discussion_locked: true, confidential: true });
    expect(await summary('/unlock')).toEqual(['Unlocked the discussion.']);
  });

  test('toggles an emoji, by any of its names', async () => {
    const { issue } = await anIssue();
    const votes = async () => (await read(issue)).upvotes as number;
    const done = await comment(issue, '/award :+1:', tokens.guest);
    expect(done).toMatchObject({
      status: 202,
      body: { commands_changes: { emoji_award: 'thumbsup' }, summary: ['Toggled :thumbsup: emoji award.'] },
    });
    expect(await votes()).toBe(1);
    expect((await comment(issue, '/react thumbsup', tokens.guest)).status).toBe(202);
    expect(await votes()).toBe(0);
    expect((await comment(issue, '/award :no-such:', tokens.guest)).status).toBe(400);
  });

  test('marks a duplicate, and closes it', async () => {
    const { project, issue } = await anIssue();
    const { body: original } = await create(project, { title: 'Original' });
    const { body: secret } = await create(project, { title: 'Secret', confidential: true });
    expect(await comment(issue, '/duplicate #9')).toMatchObject({ status: 400 });
    expect(await comment(issue, '/duplicate #1')).toMatchObject({ status: 400 });
    expect(await comment(issue, '/duplicate #2', tokens.guest)).toMatchObject({ status: 400 });
    expect(await comment(issue, '/duplicate #2')).toMatchObject({
      status: 202,
      body: {
        commands_changes: { canonical_issue_id: original.id },
        summary: ['Closed this issue. Marked as related to, and a duplicate of, #2.'],
      },
    });
    const shown = await read(issue);
    expect(shown).toMatchObject({ state: 'closed', _links: { closed_as_duplicate_of: original._links.self } });
    expect(await notes(issue)).toEqual(['marked this issue as a duplicate of #2']);
    expect(await notes(at(project, '/issues/2'))).toEqual(['marked #1 as a duplicate of this issue']);
    const links = (await api('GET', `${issue}/links`, tokens.reporter)).body as { iid: number }[];
    expect(links.map(({ iid }) => iid)).toEqual([2]);
    await comment(issue, '/reopen');
    expect(await read(issue)).toMatchObject({ state: 'opened', _links: { closed_as_duplicate_of: null } });
    // An issue that one doesn't read can't be named.
    const author = await create(project, {}, tokens.guest);
    expect(
      await comment(at(project, `/issues/${author.body.iid}`), `/duplicate #${secret.iid}`, tokens.guest),
    ).toMatchObject({ status: 400 });
  });

  test('copies labels and milestone of another issue of the project', async () => {
    const { project, issue } = await anIssue({ labels: 'own' });
    const { body: milestone } = await api('POST', at(project, '/milestones'), tokens.reporter, {
      json: { title: 'Spring' },
    });
    await create(project, { labels: 'bug,old', milestone_id: milestone.id });
    expect(await comment(issue, '/copy_metadata #2')).toMatchObject({
      status: 202,
      body: { summary: ['Copied labels and milestone from #2.'], commands_changes: { milestone_id: milestone.id } },
    });
    expect(await read(issue)).toMatchObject({ labels: ['bug', 'old', 'own'], milestone: { title: 'Spring' } });
    const elsewhere = await aProject();
    await create(elsewhere, { labels: 'bug' });
    expect((await comment(issue, `/copy_metadata ${elsewhere}#1`)).status).toBe(400);
  });

  test('moves and clones with the comment that says so', async () => {
    const { project, issue, id } = await anIssue();
    const elsewhere = await aProject();
    const { body: target } = await api('GET', at(elsewhere), tokens.reporter);
    expect((await comment(issue, `/move ${project}`)).status).toBe(400);
    expect((await comment(issue, '/move closed/none')).status).toBe(400);
    expect((await comment(issue, `/move ${elsewhere}`, tokens.guest)).status).toBe(400);
    expect(await comment(issue, `/clone ${elsewhere}`)).toMatchObject({
      status: 202,
      body: {
        summary: [`Cloned this issue to ${elsewhere}.`],
        commands_changes: { target_clone_project_id: target.id, clone_with_notes: false },
      },
    });
    expect(await read(issue)).toMatchObject({ id, state: 'opened', moved_to_id: null });
    const moved = await comment(issue, `Goes there.\n/move ${elsewhere}`);
    expect(moved).toMatchObject({
      status: 201,
      body: { body: 'Goes there.', commands_changes: { target_project_id: target.id } },
    });
    const { body: copy } = await api('GET', at(elsewhere, '/issues/2'), tokens.reporter);
    expect(await read(issue)).toMatchObject({ state: 'closed', moved_to_id: copy.id });
    expect(await notes(at(elsewhere, '/issues/2'))).toContain('Goes there.');
    expect(await notes(at(elsewhere, '/issues/2'))).toContain(`moved from ${project}#1`);
    expect((await comment(issue, `/move ${elsewhere}`)).status).toBe(400);
    expect((await comment(issue, '/clone --with_notes')).status).toBe(202);
    expect(await notes(at(project, '/issues/2'))).toContain('Goes there.');
  });

  test('is refused if it has no effect, or if the person may do none of it', async () => {
    const { issue } = await anIssue();
    const failed = { message: '400 Bad request - Failed to apply commands.' };
    for (const body of [
      '/spend nonsense',
      '/spend -1h',
      '/assign @nobody-here',
      '/label ~unknown',
      '/due someday',
      '/reopen',
    ])
      expect(await comment(issue, body)).toMatchObject({ status: 400, body: failed });
    for (const body of ['/spend 1h', '/close', '/label ~bug', '/lock'])
      expect(await comment(issue, body, tokens.guest)).toMatchObject({
        status: 400,
        body: { message: `400 Bad request - Note {:note=>["can't be blank"]}` },
      });
    expect(await read(issue)).toMatchObject({
      state: 'opened',
      time_stats: { total_time_spent: 0 },
      user_notes_count: 0,
    });
    expect(await notes(issue)).toEqual([]);
  });

  test('is no thread either, and deletes the comment that becomes it', async () => {
    const { issue } = await anIssue();
    const started = await api('POST', `${issue}/discussions`, tokens.reporter, { json: { body: '/estimate 1h' } });
    expect(started).toMatchObject({ status: 202, body: { summary: ['Set time estimate to 1h.'] } });
    const { id } = (await comment(issue, 'One')).body;
    const changed = await api('PUT', `${issue}/notes/${id}`, tokens.reporter, { json: { body: '/close' } });
    expect(changed).toMatchObject({ status: 202, body: { commands_changes: { state_event: 'close' } } });
    expect((await api('GET', `${issue}/notes/${id}`, tokens.reporter)).status).toBe(404);
    expect(await read(issue)).toMatchObject({ state: 'closed', user_notes_count: 0 });
    const { data } = (await gateway.graphql(
      `mutation { createNote(input: { noteableId: "gid://gitlab/Issue/${(await read(issue)).id}", body: "/reopen" }) { note { id } errors quickActionsStatus { commandsOnly commandNames messages errorMessages } } }`,
      { token: tokens.reporter },
    )) as { data: any };
    expect(data.createNote).toEqual({
      note: null,
      errors: [],
      quickActionsStatus: {
        commandsOnly: true,
        commandNames: ['reopen'],
        messages: ['Reopened this issue.'],
        errorMessages: null,
      },
    });
  });
});

describe('commands beside a text', () => {
  test('are cut from it, and told with it', async () => {
    const { issue } = await anIssue();
    const { status, body } = await comment(
      issue,
      'Done.\n/close\n\n```\n/reopen\n```\n/unknown word\n/tableflip enough',
    );
    expect(status).toBe(201);
    expect(body).toMatchObject({
      body: 'Done.\n\n```\n/reopen\n```\n/unknown word\nenough (╯°□°)╯︵ ┻━┻',
      commands_changes: { state_event: 'close' },
    });
    expect(await read(issue)).toMatchObject({ state: 'closed', user_notes_count: 1 });
    expect((await api('GET', `${issue}/notes/${body.id}`, tokens.guest)).body.commands_changes).toEqual({});
  });

  test('that a person may not use are cut and not done', async () => {
    const { issue } = await anIssue();
    const { status, body } = await comment(issue, 'Please.\n/close\n/label ~bug', tokens.guest);
    expect({ status, text: body.body, changes: body.commands_changes }).toEqual({
      status: 201,
      text: 'Please.',
      changes: {},
    });
    expect(await read(issue)).toMatchObject({ state: 'opened', labels: [] });
  });

  test('are not carried out if the comment can’t be stored', async () => {
    const { issue } = await anIssue();
    const reply = await api('POST', `${issue}/discussions/${'a'.repeat(40)}/notes`, tokens.reporter, {
      json: { body: 'Done.\n/close' },
    });
    expect(reply.status).toBe(404);
    expect((await read(issue)).state).toBe('opened');
  });
});

describe('commands in a description', () => {
  test('of a new issue set what it begins with', async () => {
    const project = await aProject();
    await api('POST', at(project, '/labels'), tokens.reporter, { json: { name: 'bug', color: '#ff0000' } });
    const description =
      'It leaks.\n/label ~bug\n/assign me\n/due 2999-08-05\n/estimate 2h\n/confidential\n/title Pump leaks a lot\n/close';
    const { status, body } = await create(project, { description, labels: 'more' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      title: 'Pump leaks a lot',
      description: 'It leaks.',
      labels: ['bug', 'more'],
      assignees: [{ username: 'the-reporter' }],
      due_date: '2999-08-05',
      confidential: true,
      state: 'closed',
      time_stats: { time_estimate: 7_200 },
    });
    expect(await notes(at(project, '/issues/1'))).toEqual([
      'changed due date to August 5, 2999',
      'changed time estimate to 2h',
    ]);
    const guests = (await create(project, { description: 'x\n/assign me\n/label ~bug' }, tokens.guest)).body;
    expect(guests).toMatchObject({ description: 'x', labels: [], assignees: [] });
  });

  test('of a changed issue are carried out with the change', async () => {
    const { issue } = await anIssue({ description: 'Before' });
    const change = (description: string, token: string, more: object = {}) =>
      api('PUT', issue, token, { json: { description, ...more } });
    expect((await change('After\n/estimate 1h\n/lock', tokens.reporter, { title: 'Other' })).body).toMatchObject({
      title: 'Other',
      description: 'After',
      discussion_locked: true,
      time_stats: { time_estimate: 3_600 },
    });
    expect((await change('x\n/close', tokens.guest)).status).toBe(403);
    expect(await read(issue)).toMatchObject({ state: 'opened', description: 'After' });
  });
});
