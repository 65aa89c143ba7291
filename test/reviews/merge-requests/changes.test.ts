import { beforeAll, describe, expect, test } from 'vitest';
import type { TestGateway } from '../../support/gateway.ts';
import { at, makeShop, type Shop } from '../../support/places/shop.ts';

/** Changing, closing, reopening and deleting merge requests. */

let gateway: TestGateway;
let tokens: Shop['tokens'];
let api: Shop['api'];
let aProject: Shop['aProject'];
beforeAll(async () => {
  ({ gateway, tokens, api, aProject } = await makeShop());
});

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const open = async (project: string, json: object = {}, token = tokens.developer) => {
  const sent = { title: 'Seal the pump', source_branch: 'seal', target_branch: 'main', ...json };
  return (await api('POST', at(project, '/merge_requests'), token, { json: sent })).body;
};
const change = (project: string, json: object, token = tokens.developer) =>
  api('PUT', at(project, '/merge_requests/1'), token, { json });
const idOf = async (token: string) => (await api('GET', 'user', token)).body.id as number;
const kindsOf = async (id: number) =>
  (
    await gateway.sql<{ kind: string }>(
      `select kind from events where subject_kind = 'MergeRequest' and subject_id = $1 order by id`,
      [id],
    )
  ).map(({ kind }) => kind);
const notesOf = async (id: number) =>
  (
    await gateway.sql<{ body: string }>('select body from notes where merge_request_id = $1 and system order by id', [
      id,
    ])
  ).map(({ body }) => body);

describe('a merge request', () => {
  test('is changed, closed and reopened, with notes, resource events and domain events', async () => {
    const project = await aProject();
    const made = await open(project, { labels: 'bug', description: '- [ ] seal' });
    const [reporter, maintainer] = await Promise.all([idOf(tokens.reporter), idOf(tokens.maintainer)]);
    const changed = await change(project, {
      title: 'Draft: Seal the valve',
      description: '- [x] seal',
      assignee_ids: [reporter],
      reviewer_ids: [maintainer],
      add_labels: 'a,b',
      remove_labels: ['bug'],
      squash: true,
      remove_source_branch: true,
      discussion_locked: true,
    });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      title: 'Draft: Seal the valve',
      draft: true,
      labels: ['a', 'b'],
      assignees: [{ username: 'the-reporter' }],
      reviewers: [{ username: 'the-maintainer' }],
      squash: true,
      force_remove_source_branch: true,
      discussion_locked: true,
      task_completion_status: { count: 1, completed_count: 1 },
    });
    expect(changed.body).not.toHaveProperty('first_contribution');
    const labelled = await change(project, { labels: 'a,b', add_labels: 'c', remove_labels: 'c' });
    expect([labelled.status, labelled.body.labels]).toEqual([200, ['a', 'b']]);
    const closed = (await change(project, { state_event: 'close' })).body;
    expect(closed).toMatchObject({ state: 'closed', closed_at: moment, closed_by: { username: 'the-developer' } });
    expect((await change(project, { state_event: 'close' })).status).toBe(200);
    expect((await change(project, { state_event: 'reopen' })).body).toMatchObject({
      state: 'opened',
      closed_at: null,
      closed_by: null,
    });
    const cleared = await change(project, {
      labels: [''],
      assignee_id: 0,
      reviewer_ids: [],
      title: 'Seal the valve',
      target_branch: 'stable',
    });
    expect(cleared.body).toMatchObject({
      labels: [],
      assignees: [],
      reviewers: [],
      draft: false,
      target_branch: 'stable',
    });
    expect(await notesOf(made.id)).toEqual([
      'marked this merge request as **draft**',
      'changed title from **{-Seal the pump-}** to **{+Draft: Seal the valve+}**',
      'marked the task **seal** as completed',
      'assigned to @the-reporter',
      'requested review from @the-maintainer',
      'locked this merge request',
      'marked this merge request as **ready**',
      'changed target branch from `main` to `stable`',
      'unassigned @the-reporter',
      'removed review request for @the-maintainer',
    ]);
    const events = await gateway.sql<{ event: string }>(
      `select concat_ws(' ', kind, action, (select title from labels l where l.id = label_id)) as event
         from resource_events where merge_request_id = $1 order by id`,
      [made.id],
    );
    expect(events.map(({ event }) => event)).toEqual([
      'LABEL ADD bug',
      'LABEL ADD a',
      'LABEL ADD b',
      'LABEL REMOVE bug',
      'STATE CLOSED',
      'STATE REOPENED',
      'LABEL REMOVE a',
      'LABEL REMOVE b',
    ]);
    expect(await kindsOf(made.id)).toEqual([
      'merge_request.created',
      'merge_request.drafted',
      'merge_request.updated',
      'merge_request.closed',
      'merge_request.reopened',
      'merge_request.readied',
      'merge_request.updated',
    ]);
    const [, , updated] = await gateway.sql<{ ids: object }>(
      `select ids from events where subject_kind = 'MergeRequest' and subject_id = $1 order by id`,
      [made.id],
    );
    expect(updated!.ids).toEqual({
      formerAssigneeId: null,
      assigneeId: reporter,
      formerReviewerId: null,
      reviewerId: maintainer,
      addedLabelIds: [expect.any(Number), expect.any(Number)],
    });
    const todos = await gateway.sql<{ what: string }>(
      `select concat_ws(' ', t.action, u.username) as what from todos t join users u on u.id = t.user_id
        where merge_request_id = $1 order by what`,
      [made.id],
    );
    expect(todos.map(({ what }) => what)).toEqual(['ASSIGNED the-reporter', 'REVIEW_REQUESTED the-maintainer']);
  });

  test('with another target, or closed, doesn’t merge by itself, and its version is made anew', async () => {
    const project = await aProject();
    const { id } = await open(project);
    const arm = () =>
      gateway.sql(
        `update merge_requests set auto_merge = true, merge_user_id = author_id, merge_params = '{}', merge_status = 'CAN_BE_MERGED',
           head_sha = repeat('a', 40), base_sha = repeat('b', 40), start_sha = repeat('c', 40) where id = $1`,
        [id],
      );
    await arm();
    expect((await change(project, { title: 'Seal it' })).body).toMatchObject({
      merge_when_pipeline_succeeds: true,
      merge_status: 'can_be_merged',
      merge_user: { username: 'the-developer' },
      merged_by: null,
      diff_refs: { base_sha: 'b'.repeat(40), head_sha: 'a'.repeat(40), start_sha: 'c'.repeat(40) },
    });
    await change(project, { target_branch: 'stable' });
    const rowOf = async () =>
      (
        await gateway.sql(
          'select auto_merge, merge_user_id, merge_params, head_sha is null as is_new from merge_requests where id = $1',
          [id],
        )
      )[0];
    expect(await rowOf()).toEqual({ auto_merge: false, merge_user_id: null, merge_params: null, is_new: true });
    await arm();
    await change(project, { state_event: 'close' });
    expect(await rowOf()).toEqual({ auto_merge: false, merge_user_id: null, merge_params: null, is_new: false });
  });

  test('is reopened only while no other one of its branches is open, and not once it is merged', async () => {
    const project = await aProject();
    const { id } = await open(project);
    await change(project, { state_event: 'close' });
    await open(project);
    const refused = { message: ['Another open merge request already exists for this source branch: !2'] };
    const again = await change(project, { state_event: 'reopen' });
    expect([again.status, again.body]).toEqual([409, refused]);
    await open(project, { target_branch: 'stable' });
    const moved = await api('PUT', at(project, '/merge_requests/3'), tokens.developer, {
      json: { target_branch: 'main' },
    });
    expect([moved.status, moved.body]).toEqual([409, refused]);
    const own = await api('PUT', at(project, '/merge_requests/3'), tokens.developer, {
      json: { target_branch: 'seal' },
    });
    expect([own.status, own.body]).toEqual([
      422,
      { message: ["You can't use same project/branch for source and target"] },
    ]);
    await gateway.sql(`update merge_requests set state = 'MERGED' where id = $1`, [id]);
    for (const state_event of ['reopen', 'close']) {
      const { status, body } = await change(project, { state_event });
      expect([status, body.state]).toEqual([200, 'merged']);
    }
    expect(await kindsOf(id)).toEqual(['merge_request.created', 'merge_request.closed']);
  });

  test.each([
    [{ title: '' }, { error: 'title is empty' }],
    [{ target_branch: null, description: 'x' }, { error: 'target_branch is empty' }],
    [{ state_event: 'merge' }, { error: 'state_event does not have a valid value' }],
    [
      {},
      {
        error:
          'assignee_id, assignee_ids, reviewer_ids, description, labels, add_labels, remove_labels, milestone_id, remove_source_branch, allow_collaboration, allow_maintainer_to_push, squash, target_branch, title, state_event, discussion_locked, merge_after are missing, at least one parameter must be provided',
      },
    ],
  ])('is not changed by %o', async (json, body) => {
    const project = await aProject();
    await open(project);
    const answer = await change(project, json);
    expect([answer.status, answer.body]).toEqual([400, body]);
    expect((await api('GET', at(project, '/merge_requests/1'), tokens.developer)).body.description).toBeNull();
  });

  test('is changed by its author, its assignee and developers; what isn’t theirs is left out', async () => {
    const project = await aProject('PUBLIC');
    const { body: fork } = await api('POST', at(project, '/fork'), tokens.stranger);
    const target = (await api('GET', at(project), tokens.owner)).body.id;
    await open(fork.path_with_namespace, { target_project_id: target }, tokens.stranger);
    const statusFor = async (token: string | undefined) =>
      (await api('PUT', at(project, '/merge_requests/1'), token, { json: { description: 'x' } })).status;
    expect(await statusFor(undefined)).toBe(401);
    for (const token of [tokens.guest, tokens.reporter]) expect(await statusFor(token)).toBe(403);
    for (const token of [tokens.stranger, tokens.developer]) expect(await statusFor(token)).toBe(200);
    const own = await change(
      project,
      { title: 'Mine', labels: 'bug', assignee_id: await idOf(tokens.stranger), remove_source_branch: true },
      tokens.stranger,
    );
    expect(own.body).toMatchObject({ title: 'Mine', labels: [], assignee: null, force_remove_source_branch: true });
    // Members of the target don't write to the fork.
    const theirs = await change(project, { remove_source_branch: false, allow_collaboration: true, labels: 'bug' });
    expect(theirs.body).toMatchObject({
      labels: ['bug'],
      force_remove_source_branch: true,
      allow_collaboration: false,
    });
    await change(project, { assignee_id: await idOf(tokens.reporter) });
    expect(await statusFor(tokens.reporter)).toBe(200);
    await api('POST', at(project, '/archive'), tokens.owner);
    expect(await statusFor(tokens.developer)).toBe(403);
  });

  test('is deleted by owners, once, and not if it was changed meanwhile', async () => {
    const project = await aProject();
    const { id } = await open(project);
    const remove = (token: string, headers = {}) => api('DELETE', at(project, '/merge_requests/1'), token, { headers });
    expect((await remove(tokens.developer)).status).toBe(403);
    expect((await remove(tokens.maintainer)).status).toBe(403);
    expect((await remove(tokens.owner, { 'if-unmodified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' })).status).toBe(412);
    expect((await remove(tokens.owner)).status).toBe(204);
    expect((await remove(tokens.owner)).body.message).toBe('404 Not found');
    expect(await kindsOf(id)).toEqual(['merge_request.created', 'merge_request.deleted']);
    expect((await open(project)).iid).toBe(2);
  });
});

describe('one attribute of a merge request', () => {
  const set = async (project: string, name: string, fields: string, token = tokens.developer) => {
    const { data, errors } = await gateway.graphql<{ set: { mergeRequest: object | null; errors: string[] } | null }>(
      `mutation ($project: ID!) { set: ${name}(input: { projectPath: $project, iid: "1", ${fields} }) {
         errors mergeRequest { title draft discussionLocked milestone { title } labelTitles
           assignees { nodes { username } } reviewers { nodes { username } } state }
       } }`,
      { variables: { project }, token },
    );
    return data?.set?.mergeRequest ?? data?.set?.errors ?? errors;
  };
  const person = (username: string) => ({ nodes: [{ username }] });

  test('is set with GitLab’s mutations', async () => {
    const project = await aProject();
    await open(project);
    const { body: label } = await api('POST', at(project, '/labels'), tokens.developer, {
      json: { name: 'bug', color: '#ff0000' },
    });
    const { body: milestone } = await api('POST', at(project, '/milestones'), tokens.developer, {
      json: { title: 'v1' },
    });
    expect(await set(project, 'mergeRequestSetAssignees', 'assigneeUsernames: ["the-owner"]')).toMatchObject({
      assignees: person('the-owner'),
    });
    expect(
      await set(project, 'mergeRequestSetAssignees', 'assigneeUsernames: ["the-owner"], operationMode: REMOVE'),
    ).toMatchObject({ assignees: { nodes: [] } });
    expect(await set(project, 'mergeRequestSetReviewers', 'reviewerUsernames: ["the-owner"]')).toMatchObject({
      reviewers: person('the-owner'),
    });
    expect(
      await set(project, 'mergeRequestSetReviewers', 'reviewerUsernames: ["the-developer"], operationMode: APPEND'),
    ).toEqual(['A merge request has at most one reviewer.']);
    expect(await set(project, 'mergeRequestSetLabels', `labelIds: ["${label.id}"]`)).toMatchObject({
      labelTitles: ['bug'],
    });
    expect(
      await set(project, 'mergeRequestSetLabels', `labelIds: ["${label.id}"], operationMode: REMOVE`),
    ).toMatchObject({ labelTitles: [] });
    expect(await set(project, 'mergeRequestSetMilestone', `milestoneId: "${milestone.id}"`)).toMatchObject({
      milestone: { title: 'v1' },
    });
    expect(await set(project, 'mergeRequestSetLocked', 'locked: true')).toMatchObject({ discussionLocked: true });
    expect(await set(project, 'mergeRequestSetDraft', 'draft: true')).toMatchObject({
      title: 'Draft: Seal the pump',
      draft: true,
    });
    expect(await set(project, 'mergeRequestSetDraft', 'draft: false')).toMatchObject({ title: 'Seal the pump' });
    // As clients of version 13 call it.
    expect(await set(project, 'mergeRequestSetWip', 'wip: true')).toMatchObject({ title: 'Draft: Seal the pump' });
    expect(await set(project, 'mergeRequestSetWip', 'wip: false')).toMatchObject({ title: 'Seal the pump' });
    expect(await set(project, 'mergeRequestUpdate', 'state: CLOSED')).toMatchObject({ state: 'closed' });
    expect(await set(project, 'mergeRequestUpdate', 'title: " "')).toEqual(["Title can't be blank"]);
    expect(await set(project, 'mergeRequestSetLocked', 'locked: false', tokens.reporter)).toEqual([
      expect.objectContaining({ extensions: expect.objectContaining({ code: 'FORBIDDEN' }) }),
    ]);
  });

  test('can be a review that is asked for again', async () => {
    const project = await aProject();
    const owner = await idOf(tokens.owner);
    const { id } = await open(project, { reviewer_ids: [owner] });
    await gateway.sql(`update todos set state = 'DONE' where merge_request_id = $1`, [id]);
    expect(await set(project, 'mergeRequestReviewerRereview', `userId: "${owner}"`)).toMatchObject({
      reviewers: person('the-owner'),
    });
    const todos = await gateway.sql(
      `select 1 from todos where merge_request_id = $1 and action = 'REVIEW_REQUESTED' and state = 'PENDING'`,
      [id],
    );
    expect(todos).toHaveLength(1);
    expect(await set(project, 'mergeRequestReviewerRereview', `userId: "${await idOf(tokens.developer)}"`)).toEqual([
      expect.objectContaining({ extensions: expect.objectContaining({ code: 'NOT_FOUND' }) }),
    ]);
  });
});

test('what one has to do is counted, open things alone', async () => {
  const project = await aProject();
  const [reporter, maintainer] = await Promise.all([idOf(tokens.reporter), idOf(tokens.maintainer)]);
  const counts = async (token: string | undefined) => (await api('GET', 'user_counts', token)).body;
  const before = { reporter: await counts(tokens.reporter), maintainer: await counts(tokens.maintainer) };
  await open(project, { assignee_ids: [reporter], reviewer_ids: [maintainer] });
  const issue = { title: 'Pump', assignee_ids: [reporter] };
  await api('POST', at(project, '/issues'), tokens.developer, { json: issue });
  const more = (former: Record<string, number>, added: Record<string, number>) =>
    Object.fromEntries(Object.entries(former).map(([name, count]) => [name, count + (added[name] ?? 0)]));
  const assigned = { merge_requests: 1, assigned_merge_requests: 1, assigned_issues: 1, todos: 2 };
  expect(Object.keys(before.reporter)).toEqual([
    'merge_requests',
    'assigned_issues',
    'assigned_merge_requests',
    'review_requested_merge_requests',
    'todos',
  ]);
  expect(await counts(tokens.reporter)).toEqual(more(before.reporter, assigned));
  const reviews = { review_requested_merge_requests: 1, todos: 1 };
  expect(await counts(tokens.maintainer)).toEqual(more(before.maintainer, reviews));
  await change(project, { state_event: 'close' });
  expect(await counts(tokens.maintainer)).toMatchObject({
    review_requested_merge_requests: before.maintainer.review_requested_merge_requests,
  });
  expect((await api('GET', 'user_counts', undefined)).status).toBe(401);
});
