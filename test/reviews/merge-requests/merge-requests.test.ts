import { beforeAll, describe, expect, test } from 'vitest';
import type { TestGateway } from '../../support/gateway.ts';
import { at, makeShop, missing, type Shop } from '../../support/places/shop.ts';

/** Opening, reading, changing and deleting merge requests over REST. */

let gateway: TestGateway;
let tokens: Shop['tokens'];
let api: Shop['api'];
let aProject: Shop['aProject'];
beforeAll(async () => {
  ({ gateway, tokens, api, aProject } = await makeShop());
});

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const branches = { source_branch: 'seal', target_branch: 'main' };
const open = (project: string, json: object = {}, token = tokens.developer) =>
  api('POST', at(project, '/merge_requests'), token, { json: { title: 'Seal the pump', ...branches, ...json } });
const idOf = async (token: string) => (await api('GET', 'user', token)).body.id as number;

/** A fork of a project, of the person with a token. @returns its path and number */
async function fork(project: string, token: string) {
  const { status, body } = await api('POST', at(project, '/fork'), token);
  expect(status).toBe(201);
  return { path: body.path_with_namespace as string, id: body.id as number };
}

describe('a merge request', () => {
  test('is opened with every attribute, and answered whole, with its members in order', async () => {
    const project = await aProject();
    const [assignee, reviewer] = await Promise.all([idOf(tokens.reporter), idOf(tokens.maintainer)]);
    const milestone = await api('POST', at(project, '/milestones'), tokens.developer, { json: { title: 'v1' } });
    const { status, body } = await open(project, {
      title: ' Draft: Seal the pump ',
      description: '- [x] find\n- [ ] seal',
      assignee_ids: [assignee, reviewer],
      reviewer_ids: [reviewer],
      labels: 'pump,bug',
      milestone_id: milestone.body.id,
      remove_source_branch: true,
      squash: true,
    });
    expect(status).toBe(201);
    const expected = {
      id: expect.any(Number),
      iid: 1,
      project_id: expect.any(Number),
      title: 'Draft: Seal the pump',
      description: '- [x] find\n- [ ] seal',
      state: 'opened',
      created_at: moment,
      updated_at: moment,
      merged_by: null,
      merge_user: null,
      merged_at: null,
      closed_by: null,
      closed_at: null,
      target_branch: 'main',
      source_branch: 'seal',
      user_notes_count: 0,
      upvotes: 0,
      downvotes: 0,
      author: expect.objectContaining({ username: 'the-developer' }),
      assignees: [expect.objectContaining({ username: 'the-reporter' })],
      assignee: expect.objectContaining({ username: 'the-reporter' }),
      reviewers: [expect.objectContaining({ username: 'the-maintainer' })],
      source_project_id: body.project_id,
      target_project_id: body.project_id,
      labels: ['bug', 'pump'],
      draft: true,
      work_in_progress: true,
      imported: false,
      imported_from: 'none',
      milestone: expect.objectContaining({ title: 'v1' }),
      merge_when_pipeline_succeeds: false,
      merge_status: expect.any(String),
      detailed_merge_status: expect.any(String),
      merge_after: null,
      sha: null,
      merge_commit_sha: null,
      squash_commit_sha: null,
      discussion_locked: null,
      should_remove_source_branch: null,
      force_remove_source_branch: true,
      prepared_at: null,
      reference: '!1',
      references: { short: '!1', relative: '!1', full: `${project}!1` },
      web_url: `${gateway.url}/${project}/-/merge_requests/1`,
      time_stats: {
        time_estimate: 0,
        total_time_spent: 0,
        human_time_estimate: null,
        human_total_time_spent: null,
      },
      squash: true,
      squash_on_merge: true,
      task_completion_status: { count: 2, completed_count: 1 },
      has_conflicts: expect.any(Boolean),
      blocking_discussions_resolved: true,
      subscribed: true,
      changes_count: null,
      latest_build_started_at: null,
      latest_build_finished_at: null,
      first_deployed_to_production_at: null,
      pipeline: null,
      head_pipeline: null,
      diff_refs: null,
      merge_error: null,
      user: { can_merge: true },
    };
    expect(body).toEqual(expected);
    expect(Object.keys(body)).toEqual(Object.keys(expected));
    const read = await api('GET', at(project, '/merge_requests/1'), tokens.developer);
    expect(read.body).toEqual({ ...body, first_contribution: false });
    const whole = await api('GET', at(project, '/merge_requests/1'), tokens.reporter, {
      query: { render_html: 'true', include_rebase_in_progress: 'true', include_diverged_commits_count: 'true' },
    });
    expect(whole.body).toMatchObject({
      title_html: 'Draft: Seal the pump',
      description_html: expect.stringContaining('<li'),
      rebase_in_progress: false,
      diverged_commits_count: 0,
      subscribed: true,
      user: { can_merge: false },
    });
    const todos = await gateway.sql<{ action: string; username: string }>(
      'select t.action, u.username from todos t join users u on u.id = t.user_id where merge_request_id = $1 order by t.action',
      [body.id],
    );
    expect(todos.map(({ action, username }) => [action, username])).toEqual([
      ['ASSIGNED', 'the-reporter'],
      ['REVIEW_REQUESTED', 'the-maintainer'],
    ]);
    const events = await gateway.sql<{ event: string }>(
      `select concat_ws(' ', kind, action, (select title from labels l where l.id = label_id)) as event
         from resource_events where merge_request_id = $1 order by kind, event`,
      [body.id],
    );
    expect(events.map(({ event }) => event)).toEqual(['LABEL ADD bug', 'LABEL ADD pump', 'MILESTONE ADD']);
  });

  test('is found by its own number, wherever it is, by those who read it', async () => {
    const project = await aProject();
    const { body } = await open(project);
    const found = await api('GET', `projects/merge_requests/${body.id}`, tokens.developer);
    expect(found.body).toEqual({ ...body, first_contribution: false });
    for (const token of [tokens.guest, tokens.stranger, undefined]) {
      const { status, body: answer } = await api('GET', `projects/merge_requests/${body.id}`, token);
      expect([status, answer]).toEqual([404, { message: '404 Not found' }]);
    }
    const byId = await api('GET', at(project, `/merge_requests/${body.id + 1_000}`), tokens.developer);
    expect([byId.status, byId.body.message]).toEqual([404, '404 Not found']);
    const guest = await api('GET', at(project, '/merge_requests/1'), tokens.guest);
    expect([guest.status, guest.body]).toEqual([403, { message: '403 Forbidden' }]);
    expect((await api('GET', at(project, '/merge_requests/1'), tokens.stranger)).body).toMatchObject(missing);
  });

  test('tells people whom it mentions, once', async () => {
    const project = await aProject();
    const { body } = await open(project, { description: '@the-owner please\n\nand @the-reporter and @the-stranger' });
    const todos = await gateway.sql<{ what: string }>(
      `select concat_ws(' ', t.action, u.username) as what from todos t join users u on u.id = t.user_id
        where merge_request_id = $1 order by what`,
      [body.id],
    );
    expect(todos.map(({ what }) => what)).toEqual(['DIRECTLY_ADDRESSED the-owner', 'MENTIONED the-reporter']);
    const [event] = await gateway.sql<{ ids: { mentionedIds: number[] } }>(
      `select ids from events where kind = 'merge_request.created' and subject_id = $1`,
      [body.id],
    );
    expect(event!.ids.mentionedIds.toSorted()).toEqual(
      (await Promise.all([idOf(tokens.owner), idOf(tokens.reporter)])).toSorted(),
    );
  });

  test.each([
    [{ title: undefined }, 400, { error: 'title is missing' }],
    [{ source_branch: undefined }, 400, { error: 'source_branch is missing' }],
    [{ target_branch: undefined }, 400, { error: 'target_branch is missing' }],
    [{ title: ' ' }, 400, { message: { title: ["can't be blank"] } }],
    [{ title: 'x'.repeat(256) }, 400, { message: { title: ['is too long (maximum is 255 characters)'] } }],
    [{ source_branch: ' ' }, 400, { message: { source_branch: ["can't be blank"] } }],
    [
      { source_branch: 'x'.repeat(1_025) },
      400,
      { message: { source_branch: ['is too long (maximum is 1024 bytes)'] } },
    ],
    [{ squash: 'maybe' }, 400, { error: 'squash is invalid' }],
    [{ source_branch: 'main' }, 422, { message: ["You can't use same project/branch for source and target"] }],
    [{ target_project_id: 2_000_000_000 }, 404, { message: '404 Not found' }],
  ])('with %o is refused', async (json, status, body) => {
    const project = await aProject();
    const answer = await open(project, json);
    expect([answer.status, answer.body]).toEqual([status, body]);
    const [{ total }] = (await gateway.sql<{ total: number }>(
      'select count(*)::int as total from merge_requests m join projects p on p.id = m.project_id where p.full_path = $1',
      [project],
    )) as [{ total: number }];
    expect(total).toBe(0);
  });

  test('of a pair of branches is opened once, however many ask for it at the same time', async () => {
    const project = await aProject();
    const answers = await Promise.all(Array.from({ length: 10 }, () => open(project)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(409)]);
    for (const { status, body } of answers)
      if (status === 409)
        expect(body).toEqual({
          message: ['Another open merge request already exists for this source branch: !1'],
        });
    expect((await open(project, { target_branch: 'stable' })).body.iid).toBe(2);
    expect((await open(project, { source_branch: 'other' })).body.iid).toBe(3);
  });

  test('is for reporters and above', async () => {
    const project = await aProject();
    const statusFor = async (token: string | undefined) =>
      (await api('POST', at(project, '/merge_requests'), token, { json: { title: 'x', ...branches } })).status;
    expect(await statusFor(undefined)).toBe(401);
    expect(await statusFor(tokens.stranger)).toBe(404);
    expect(await statusFor(tokens.guest)).toBe(403);
    expect(await statusFor(tokens.reporter)).toBe(201);
    const off = await aProject();
    await api('PUT', at(off), tokens.owner, { json: { merge_requests_access_level: 'disabled' } });
    const { status, body } = await open(off, {}, tokens.owner);
    expect([status, body]).toEqual([403, { message: '403 Forbidden' }]);
  });

  test('leaves out people who can’t read it', async () => {
    const project = await aProject();
    const [stranger, guest] = await Promise.all([idOf(tokens.stranger), idOf(tokens.guest)]);
    const made = await open(project, { assignee_id: stranger, reviewer_ids: [guest] });
    expect([made.status, made.body.assignee, made.body.reviewers]).toEqual([201, null, []]);
    const nobody = await open(project, { source_branch: 'other', assignee_ids: [0], reviewer_ids: [2_000_000_000] });
    expect([nobody.status, nobody.body.assignee, nobody.body.reviewers]).toEqual([201, null, []]);
  });
});

describe('a merge request from a fork', () => {
  test('is opened by who can read the target, whose labels and people stay members’', async () => {
    const project = await aProject('PUBLIC');
    const { path, id } = await fork(project, tokens.stranger);
    const target = (await api('GET', at(project), tokens.stranger)).body.id as number;
    const { status, body } = await open(
      path,
      {
        target_project_id: target,
        source_branch: 'main',
        labels: 'bug',
        assignee_id: await idOf(tokens.developer),
        remove_source_branch: true,
        allow_collaboration: true,
      },
      tokens.stranger,
    );
    expect(status).toBe(201);
    expect(body).toMatchObject({
      project_id: target,
      source_project_id: id,
      labels: [],
      assignee: null,
      force_remove_source_branch: true,
      allow_collaboration: true,
      allow_maintainer_to_push: true,
      references: { full: `${project}!1` },
      user: { can_merge: false },
    });
    const keys = Object.keys(body);
    expect(keys.slice(keys.indexOf('prepared_at'), keys.indexOf('reference'))).toEqual([
      'prepared_at',
      'allow_collaboration',
      'allow_maintainer_to_push',
    ]);
    const read = await api('GET', at(project, '/merge_requests/1'), tokens.stranger);
    expect(read.body).toMatchObject({ first_contribution: true, subscribed: true });
    expect((await api('GET', at(project, '/merge_requests/1'), undefined)).body).toMatchObject({
      subscribed: false,
      user: { can_merge: false },
    });
  });

  test('has no pipelines once its fork is gone', async () => {
    const project = await aProject('PUBLIC');
    const { path, id } = await fork(project, tokens.stranger);
    const target = (await api('GET', at(project), tokens.stranger)).body.id as number;
    await open(path, { target_project_id: target, source_branch: 'main' }, tokens.stranger);
    await gateway.sql('update merge_requests set source_project_id = null where source_project_id = $1', [id]);
    const { status, body } = await api('GET', at(project, '/merge_requests/1/pipelines'), tokens.developer);
    expect([status, body]).toEqual([200, []]);
  });

  test('is refused into a project that isn’t of its family, or that is closed to its author', async () => {
    const [project, other, hidden] = [await aProject('PUBLIC'), await aProject('PUBLIC'), await aProject()];
    const { path } = await fork(project, tokens.stranger);
    const numberOf = async (one: string) => (await api('GET', at(one), tokens.owner)).body.id as number;
    const into = async (one: string) => await open(path, { target_project_id: await numberOf(one) }, tokens.stranger);
    const answer = await into(other);
    expect([answer.status, answer.body]).toEqual([
      422,
      { message: ['Source project is not a fork of the target project'] },
    ]);
    const unseen = await into(hidden);
    expect([unseen.status, unseen.body]).toEqual([403, { message: '403 Forbidden' }]);
    await api('PUT', at(project), tokens.owner, { json: { merge_requests_access_level: 'private' } });
    const off = await into(project);
    expect([off.status, off.body]).toEqual([403, { message: '403 Forbidden' }]);
  });
});
