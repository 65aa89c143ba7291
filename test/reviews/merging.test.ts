import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { storeClosed } from '../../src/schema/reviews/closing/statements.ts';
import { testGateway } from '../support/gateway.ts';
import { sentBy } from '../support/databases/statements.ts';
import { folderOf } from '../repository/support/journal.ts';
import { newTopic, opened } from './support/opened.ts';
import { quiet } from './support/sound.ts';

const gateway = await testGateway();
const { rest, sql, tokens } = gateway;
const token = tokens.maintainer;

const commitOf = async (path: string, ref: string) =>
  (await rest('GET', `${path}/repository/commits/${encodeURIComponent(ref)}`, { token })).body;
const read = async (path: string) => (await rest('GET', path, { token })).body;
const merge = (path: string, json: object = {}, by = token) => rest('PUT', `${path}/merge`, { token: by, json });
const branchStatus = async (path: string, name: string) =>
  (await rest('GET', `${path}/repository/branches/${name}`, { token })).status;

describe('a merge', () => {
  test('makes a merge commit, closes the issues that it names, and removes the branch', async () => {
    const project = await newTopic(gateway);
    const { path, head, base } = project;
    const issue = await rest('POST', `${path}/issues`, { token, json: { title: 'To do' } });
    const one = await opened(gateway, project, {
      description: `Closes #${issue.body.iid}`,
      remove_source_branch: true,
    });
    expect(one.record).toMatchObject({
      state: 'opened',
      sha: head,
      diff_refs: { base_sha: base, head_sha: head, start_sha: base },
      changes_count: '1',
      merge_status: 'can_be_merged',
      detailed_merge_status: 'mergeable',
      has_conflicts: false,
    });
    expect((await read(`${one.path}/closes_issues`)).map(({ iid }: { iid: number }) => iid)).toEqual([issue.body.iid]);
    const merged = await merge(one.path, { sha: head });
    expect(merged.status, merged.text).toBe(200);
    const main = await commitOf(path, 'main');
    expect(merged.body).toMatchObject({
      state: 'merged',
      sha: head,
      merge_commit_sha: main.id,
      squash_commit_sha: null,
      merge_user: { username: 'maintainer' },
      merged_by: { username: 'maintainer' },
      merged_at: expect.any(String),
    });
    expect(main.parent_ids).toEqual([base, head]);
    expect(main.message).toBe(
      `Merge branch 'topic' into 'main'\n\nA topic\n\nCloses #${issue.body.iid}\n\nSee merge request ${project.fullPath}!${one.iid}`,
    );
    await vi.waitFor(async () => {
      expect((await read(`${path}/issues/${issue.body.iid}`)).state).toBe('closed');
      expect(await branchStatus(path, 'topic')).toBe(404);
    }, 10_000);
    expect((await merge(one.path)).status).toBe(405);
    const json = { branch: 'main' };
    const reverted = await rest('POST', `${path}/repository/commits/${main.id}/revert`, { token, json });
    expect(reverted.body.message).toBe(
      `Revert "Merge branch 'topic' into 'main'"\n\nThis reverts merge request !${one.iid}\n`,
    );
  });

  test('waits for a reference whose lock a killed git left', async () => {
    const project = await newTopic(gateway);
    const kept = join(folderOf(gateway, project), 'refs/keep-around');
    mkdirSync(kept, { recursive: true });
    const lock = join(kept, `${project.head}.lock`);
    writeFileSync(lock, '');
    const json = { title: 'A topic', source_branch: 'topic', target_branch: 'main' };
    const refused = await rest('POST', `${project.path}/merge_requests`, { token, json });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    rmSync(lock);
    const again = await rest('POST', `${project.path}/merge_requests`, { token, json });
    // It was opened before what it changes could be kept.
    expect(again.status).toBe(409);
    const [one] = await read(`${project.path}/merge_requests`);
    expect(await read(`${project.path}/merge_requests/${one.iid}`)).toMatchObject({
      sha: project.head,
      changes_count: '1',
    });
  });

  test('is asked for in a comment, and a description sets what a new one begins with', async () => {
    const project = await newTopic(gateway);
    const comment = (path: string, body: string, by = token) =>
      rest('POST', `${path}/notes`, { token: by, json: { body } });
    await rest('POST', `${project.path}/labels`, { token, json: { name: 'bug', color: '#ff0000' } });
    const one = await opened(gateway, project, {
      description: 'Why\n/draft\n/label ~bug\n/assign me\n/assign_reviewer me\n/estimate 1h\n/merge',
    });
    expect(one.record).toMatchObject({
      title: 'Draft: A topic',
      description: 'Why',
      labels: ['bug'],
      assignees: [{ username: 'maintainer' }],
      reviewers: [{ username: 'maintainer' }],
      time_stats: { time_estimate: 3_600 },
    });
    // A draft isn't merged.
    expect((await comment(one.path, '/merge')).status).toBe(400);
    expect((await comment(one.path, '/ready')).status).toBe(202);
    // Whoever may not push to the target may not merge.
    expect((await comment(one.path, 'Please\n/merge', tokens.developer)).status).toBe(201);
    expect((await read(one.path)).state).toBe('opened');
    const answer = await comment(one.path, '/merge');
    expect([answer.status, answer.body.summary]).toEqual([202, ['Merged this merge request.']]);
    expect(await read(one.path)).toMatchObject({ state: 'merged', merged_by: { username: 'maintainer' } });
  });

  test('is activity, as are opening, approving and commenting, for those who read merge requests', async () => {
    const project = await newTopic(gateway);
    const one = await opened(gateway, project);
    const change = (json: object) => rest('PUT', one.path, { token, json });
    await change({ state_event: 'close' });
    await change({ state_event: 'reopen' });
    await rest('POST', `${one.path}/notes`, { token, json: { body: 'Fine' } });
    expect((await rest('POST', `${one.path}/approve`, { token })).status).toBe(201);
    expect((await merge(one.path)).status).toBe(200);
    const eventsOf = async (path: string, query = '', by = token) =>
      (await rest('GET', `${path}/events${query}`, { token: by })).body;
    const shown = (events: any[]) => events.map((event) => `${event.action_name} ${event.target_type}`);
    expect(shown(await eventsOf(project.path, '?target_type=merge_request&sort=asc'))).toEqual([
      'opened MergeRequest',
      'closed MergeRequest',
      'opened MergeRequest',
      'approved MergeRequest',
      'accepted MergeRequest',
    ]);
    const [merged] = await eventsOf(project.path, '?action=merged');
    expect(merged).toMatchObject({ target_id: one.id, target_iid: one.iid, target_title: 'A topic' });
    const [noted] = await eventsOf(project.path, '?target_type=note');
    expect(noted).toMatchObject({
      action_name: 'commented on',
      target_title: 'A topic',
      note: { body: 'Fine', noteable_type: 'MergeRequest' },
    });
    await rest('PUT', project.path, { token, json: { merge_requests_access_level: 'disabled' } });
    expect(shown(await eventsOf(project.path)).filter((one) => /MergeRequest|Note/.test(one))).toEqual([]);
  });

  test('squashes, and goes on without a merge commit', async () => {
    const project = await newTopic(gateway, { merge_method: 'ff' });
    const { path, base, commit } = project;
    const head = await commit({ 'c.txt': 'c\n' }, { branch: 'topic' });
    const one = await opened(gateway, project);
    const merged = await merge(one.path, { squash: true, sha: head, squash_commit_message: 'Both at once' });
    expect(merged.status, merged.text).toBe(200);
    const main = await commitOf(path, 'main');
    expect(merged.body).toMatchObject({ merge_commit_sha: null, squash_commit_sha: main.id });
    expect(main).toMatchObject({ parent_ids: [base], message: 'Both at once' });
    const files = await read(`${path}/repository/tree?ref=main`);
    expect(files.map(({ name }: { name: string }) => name)).toEqual(['a.txt', 'b.txt', 'c.txt']);
  });

  test('squashes one commit, too, unless it says the same already, and remembers that it was asked to', async () => {
    const project = await newTopic(gateway);
    const { path, base, head } = project;
    const one = await opened(gateway, project);
    const merged = await merge(one.path, { squash: true, should_remove_source_branch: false });
    expect(merged.status, merged.text).toBe(200);
    const { squash_commit_sha: squashed } = merged.body;
    expect(merged.body).toMatchObject({ squash: true, squash_commit_sha: expect.not.stringContaining(head) });
    expect(await commitOf(path, squashed)).toMatchObject({ parent_ids: [base], message: 'A topic' });
    expect((await commitOf(path, 'main')).parent_ids).toEqual([base, squashed]);
    await project.branch('same', 'main');
    const same = await project.commit({ 'd.txt': 'd\n' }, { branch: 'same', commit_message: 'Add d' });
    const other = await opened(gateway, project, { source_branch: 'same', title: 'Add d' });
    expect((await merge(other.path, { squash: true })).body).toMatchObject({ squash_commit_sha: same });
  });

  test('is described by the templates of the project, with all that they name', async () => {
    const project = await newTopic(gateway, {
      squash_option: 'always',
      merge_commit_template:
        '%{source_project_id} %{unknown}\n\n%{issues}\n\n%{url}\n%{merge_request_author}\n%{merged_by}\n%{first_multiline_commit}\n\n%{reviewed_by}\n%{approved_by}\n%{co_authored_by}\n%{description}',
      squash_commit_template:
        '%{first_commit}\n\n%{first_multiline_commit_description}\n\n%{all_commits}\n\n%{co_authored_by}\n\n%{description}',
    });
    const { path } = project;
    const ada = { author_name: 'Ada', author_email: 'ada@example.org', branch: 'topic' };
    await project.commit({ 'c.txt': 'c\n' }, { ...ada, commit_message: 'Add c\n\nIt comes after b.\n' });
    await project.commit({ 'd.txt': 'd\n' }, { ...ada, commit_message: 'Add d' });
    const personOf = async (by: string) => {
      const { body } = await rest('GET', '/api/v4/user', { token: by });
      return `${body.name} <${body.commit_email}>`;
    };
    const [maintainer, developer] = [await personOf(token), await personOf(tokens.developer)];
    const one = await opened(gateway, project, { reviewer_ids: [3] });
    const byReviewer = { token: tokens.developer };
    expect((await rest('POST', `${one.path}/approve`, byReviewer)).status).toBe(201);
    const merged = await merge(one.path);
    expect(merged.status, merged.text).toBe(200);
    expect((await commitOf(path, merged.body.merge_commit_sha)).message).toBe(
      [
        `${project.id} %{unknown}`,
        '',
        merged.body.web_url,
        maintainer,
        maintainer,
        'Add c\n\nIt comes after b.',
        '',
        `Reviewed-by: ${developer}`,
        `Approved-by: ${developer}`,
        'Co-authored-by: Ada <ada@example.org>',
      ].join('\n'),
    );
    expect((await commitOf(path, merged.body.squash_commit_sha)).message).toBe(
      [
        'Change',
        'It comes after b.',
        '* Add d',
        '* Add c\n\nIt comes after b.',
        '* Change',
        'Co-authored-by: Ada <ada@example.org>',
      ].join('\n\n'),
    );
  });

  test('into another branch than the default one closes nothing', async () => {
    const project = await newTopic(gateway);
    const { path } = project;
    await project.branch('stable', 'main');
    for (const title of ['One', 'Two', 'Three']) await rest('POST', `${path}/issues`, { token, json: { title } });
    const one = await opened(gateway, project, { target_branch: 'stable', description: 'Closes #1, #2 and #3' });
    const closes = async () => ((await read(`${one.path}/closes_issues`)) as { iid: number }[]).map(({ iid }) => iid);
    expect(await closes()).toEqual([]);
    expect(await read(`${path}/issues/1/closed_by`)).toEqual([]);
    const moved = await rest('PUT', one.path, { token, json: { target_branch: 'main' } });
    expect(moved.status, moved.text).toBe(200);
    expect((await closes()).toSorted()).toEqual([1, 2, 3]);
    const change = (json: object) => rest('PUT', one.path, { token, json });
    // A branch that doesn't exist, so that there is no version of it.
    expect((await change({ target_branch: 'later' })).status).toBe(200);
    expect(await closes()).toEqual([]);
    await change({ target_branch: 'main' });
    expect((await closes()).toSorted()).toEqual([1, 2, 3]);
    await change({ state_event: 'close' });
    await change({ description: 'Closes #2' });
    await change({ state_event: 'reopen' });
    expect(await closes()).toEqual([2]);
    expect((await rest('PUT', one.path, { token, json: { target_branch: 'stable' } })).status).toBe(200);
    expect((await merge(one.path)).status).toBe(200);
    expect((await commitOf(path, 'stable')).message).not.toContain('Closes');
    expect((await read(`${path}/issues/1`)).state).toBe('opened');
  });

  test('is asked for in a comment at a head that its author saw', async () => {
    const project = await newTopic(gateway);
    const { head, base } = project;
    const one = await opened(gateway, project);
    const comment = (sha: string) =>
      rest('POST', `${one.path}/notes`, { token, json: { body: '/merge', merge_request_diff_head_sha: sha } });
    const stale = await comment(base);
    expect([stale.status, stale.body]).toEqual([400, { message: '400 Bad request - Failed to apply commands.' }]);
    expect((await read(one.path)).state).toBe('opened');
    expect((await comment(head)).status).toBe(202);
    expect((await read(one.path)).state).toBe('merged');
  });

  test('takes the commits of a fork into the target', async () => {
    const project = await newTopic(gateway, { visibility: 'public' });
    const { path, base } = project;
    const fork = await rest('POST', `${path}/fork`, { token: tokens.guest, json: {} });
    const forkPath = `/api/v4/projects/${fork.body.id}`;
    await vi.waitFor(async () => expect((await read(forkPath)).import_status).toBe('finished'), 10_000);
    const made = await rest('POST', `${forkPath}/repository/commits`, {
      token: tokens.guest,
      json: {
        branch: 'mine',
        start_branch: 'main',
        commit_message: 'From outside',
        actions: [{ action: 'create', file_path: 'f.txt', content: 'f' }],
      },
    });
    expect(made.status, made.text).toBe(201);
    // Nothing of the fork is in the target before.
    expect((await rest('GET', `${path}/repository/commits/${made.body.id}`, { token })).status).toBe(404);
    const asked = await rest('POST', `${forkPath}/merge_requests`, {
      token: tokens.guest,
      json: { source_branch: 'mine', target_branch: 'main', title: 'Mine', target_project_id: project.id },
    });
    expect(asked.status, asked.text).toBe(201);
    expect(asked.body).toMatchObject({ sha: made.body.id, source_project_id: fork.body.id, project_id: project.id });
    const one = `${path}/merge_requests/${asked.body.iid}`;
    expect((await merge(one, {}, tokens.guest)).status).toBe(401);
    expect((await merge(one)).body).toMatchObject({ state: 'merged' });
    expect((await commitOf(path, 'main')).parent_ids).toEqual([base, made.body.id]);
  });
});

describe('a merge is refused', () => {
  test('where git finds a conflict', async () => {
    const project = await newTopic(gateway);
    const one = await opened(gateway, project);
    await project.commit({ 'b.txt': 'another\n' });
    const refused = await merge(one.path);
    expect([refused.status, refused.body]).toEqual([422, { message: 'Branch cannot be merged' }]);
    expect(await read(one.path)).toMatchObject({
      state: 'opened',
      merge_status: 'cannot_be_merged',
      detailed_merge_status: 'conflict',
      has_conflicts: true,
    });
    const trial = await rest('GET', `${one.path}/merge_ref`, { token });
    expect([trial.status, trial.body]).toEqual([400, { message: 'Merge request is not mergeable' }]);
  });

  test('by a rule first, and then by git', async () => {
    const project = await newTopic(gateway, { only_allow_merge_if_pipeline_succeeds: true });
    const one = await opened(gateway, project);
    await project.commit({ 'b.txt': 'another\n' });
    expect((await read(one.path)).detailed_merge_status).toBe('conflict');
    expect((await merge(one.path)).status).toBe(405);
    await rest('PUT', project.path, { token, json: { only_allow_merge_if_pipeline_succeeds: false } });
    expect((await merge(one.path)).status).toBe(422);
  });

  test('where the fork is gone', async () => {
    const project = await newTopic(gateway);
    const one = await opened(gateway, project);
    await gateway.sql('update merge_requests set source_project_id = null where id = $1', [one.id]);
    expect((await read(one.path)).detailed_merge_status).toBe('commits_status');
    const refused = await merge(one.path);
    expect([refused.status, refused.body]).toEqual([422, { message: 'Branch cannot be merged' }]);
  });

  test('for another head than the client saw, for drafts, and for people who may not push there', async () => {
    const project = await newTopic(gateway);
    const one = await opened(gateway, project);
    const other = await merge(one.path, { sha: project.base });
    expect([other.status, other.body]).toEqual([
      409,
      { message: `SHA does not match HEAD of source branch: ${project.head}` },
    ]);
    const developer = await merge(one.path, {}, tokens.developer);
    expect([developer.status, developer.body]).toEqual([401, { message: '401 Unauthorized' }]);
    await gateway.sql('update merge_requests set draft = true where id = $1', [one.id]);
    const draft = await merge(one.path);
    expect([draft.status, draft.body]).toEqual([405, { message: '405 Method Not Allowed' }]);
    expect((await rest('PUT', `${project.path}/merge_requests/99/merge`, { token })).body).toMatchObject({
      message: '404 Not found',
    });
    expect((await commitOf(project.path, 'main')).id).toBe(project.base);
  });

  test('by a project that only goes forward, until the branch is rebased', async () => {
    const project = await newTopic(gateway, { merge_method: 'rebase_merge' });
    const { path, head } = project;
    const one = await opened(gateway, project);
    const main = await project.commit({ 'c.txt': 'c\n' });
    expect((await read(one.path)).detailed_merge_status).toBe('need_rebase');
    expect((await merge(one.path)).status).toBe(422);
    const rebased = await rest('PUT', `${one.path}/rebase`, { token, json: { skip_ci: true } });
    expect([rebased.status, rebased.body]).toEqual([202, { rebase_in_progress: true }]);
    await vi.waitFor(
      async () =>
        expect(await read(`${one.path}?include_rebase_in_progress=true`)).toMatchObject({
          rebase_in_progress: false,
          merge_error: null,
        }),
      10_000,
    );
    const now = await read(one.path);
    expect(now.sha).not.toBe(head);
    expect((await commitOf(path, 'topic')).parent_ids).toEqual([main]);
    const [pushed] = await gateway.sql('select ci_options from ref_changes where project_id = $1 and after = $2', [
      project.id,
      now.sha,
    ]);
    expect(pushed).toEqual({ ci_options: ['ci.skip'] });
    expect((await merge(one.path)).status).toBe(200);
    expect((await commitOf(path, 'main')).parent_ids).toEqual([main, now.sha]);
  });
});

describe('a merge request follows its branches', () => {
  test('with a version for each push', async () => {
    const project = await newTopic(gateway);
    const { path, base, head, commit } = project;
    const issue = await rest('POST', `${path}/issues`, { token, json: { title: 'To do' } });
    const one = await opened(gateway, project);
    const next = await commit({ 'c.txt': 'c\n' }, { branch: 'topic', commit_message: `Fixes #${issue.body.iid}` });
    // At once, also before the push is followed.
    expect(await read(one.path)).toMatchObject({ sha: next, changes_count: '2', merge_status: 'can_be_merged' });
    expect((await read(`${one.path}/commits`)).map(({ id }: { id: string }) => id)).toEqual([next, head]);
    const changes = await read(`${one.path}/changes`);
    expect(changes).toMatchObject({ iid: one.iid, overflow: false });
    expect(changes.changes.map((file: Record<string, unknown>) => [file.new_path, file.new_file, file.diff])).toEqual([
      ['b.txt', true, '@@ -0,0 +1 @@\n+b\n'],
      ['c.txt', true, '@@ -0,0 +1 @@\n+c\n'],
    ]);
    expect(await read(`${one.path}/diffs?per_page=1`)).toEqual([changes.changes[0]]);
    const versions = await read(`${one.path}/versions`);
    expect(versions).toEqual([
      {
        id: expect.any(Number),
        head_commit_sha: next,
        base_commit_sha: base,
        start_commit_sha: base,
        created_at: expect.any(String),
        merge_request_id: one.id,
        state: 'collected',
        real_size: '2',
        patch_id_sha: null,
      },
      expect.objectContaining({ head_commit_sha: head, real_size: '1' }),
    ]);
    const first = await read(`${one.path}/versions/${versions[1].id}`);
    expect(first.commits.map(({ id }: { id: string }) => id)).toEqual([head]);
    expect(first.diffs.map((file: Record<string, unknown>) => file.new_path)).toEqual(['b.txt']);
    expect((await rest('GET', `${one.path}/versions/${versions[1].id + 1000}`, { token })).status).toBe(404);
    expect((await read(`${one.path}/closes_issues`)).map(({ iid }: { iid: number }) => iid)).toEqual([issue.body.iid]);
    const [note] = await vi.waitFor(async () => {
      const notes = await gateway.sql<{ body: string }>('select body from notes where merge_request_id = $1', [one.id]);
      expect(notes).toHaveLength(1);
      return notes;
    });
    expect(note!.body).toMatch(new RegExp(`^added 1 commit\n\n- ${next.slice(0, 8)} Fixes`));
  });

  test('is closed with its source branch, and merged when the target contains it', async () => {
    const project = await newTopic(gateway);
    const { path, branch } = project;
    const one = await opened(gateway, project);
    await branch('other', 'topic');
    const other = await opened(gateway, project, { source_branch: 'other' });
    await rest('DELETE', `${path}/repository/branches/other`, { token });
    await vi.waitFor(async () => expect((await read(other.path)).state).toBe('closed'), 10_000);
    const made = await rest('POST', `${path}/repository/commits`, {
      token,
      json: {
        branch: 'main',
        start_branch: 'topic',
        force: true,
        commit_message: 'On',
        actions: [{ action: 'create', file_path: 'd', content: '' }],
      },
    });
    expect(made.status, made.text).toBe(201);
    await vi.waitFor(async () => expect((await read(one.path)).state).toBe('merged'), 10_000);
    expect(await read(one.path)).toMatchObject({ merge_user: { username: 'maintainer' }, merge_commit_sha: null });
  });

  test.each([
    ['it', false],
    ['commits that came in the meantime', true],
  ])('is merged by a push of %s, also if it is checked before the push is followed', async (_what, isPushed) => {
    const project = await newTopic(gateway);
    const { path, branch, commit } = project;
    const one = await opened(gateway, project);
    await quiet(gateway, project);
    const [before] = await sql<{ followed: number }>('select followed from repositories where project_id = $1', [
      project.id,
    ]);
    const followFrom = (change: number) =>
      sql('update repositories set followed = $2 where project_id = $1', [project.id, change]);
    await followFrom(2 ** 31 - 1);
    if (isPushed) await commit({ 'c.txt': 'c' }, { branch: 'topic' });
    await commit({ 'd.txt': 'd' }, { branch: 'main', start_branch: 'topic', force: true });
    await sql(`update merge_requests set merge_status = 'UNCHECKED' where id = $1`, [one.id]);
    await read(`${path}/merge_requests?with_merge_status_recheck=true`);
    await vi.waitFor(async () => expect((await read(one.path)).merge_status).toBe('cannot_be_merged'), 10_000);
    await followFrom(before!.followed);
    await branch('other', 'main');
    await vi.waitFor(async () => expect((await read(one.path)).state).toBe('merged'), 10_000);
    expect(await read(one.path)).toMatchObject({ merge_user: { username: 'maintainer' } });
    if (!isPushed) expect(await read(one.path)).toMatchObject({ changes_count: '1' });
  });

  test('closes issues that a push to the default branch names', async () => {
    const project = await newTopic(gateway);
    const { path, commit } = project;
    const issue = await rest('POST', `${path}/issues`, { token, json: { title: 'To do' } });
    await commit({ 'z.txt': 'z' }, { commit_message: `Resolves ${project.fullPath}#${issue.body.iid}` });
    await vi.waitFor(async () => expect((await read(`${path}/issues/${issue.body.iid}`)).state).toBe('closed'), 10_000);
  });
});

test('approvals are given and taken back', async () => {
  const project = await newTopic(gateway);
  const one = await opened(gateway, project);
  const by = tokens.developer;
  const approve = (json: object = {}) => rest('POST', `${one.path}/approve`, { token: by, json });
  expect((await rest('GET', `${one.path}/approvals`, { token: by })).body).toEqual({
    user_has_approved: false,
    user_can_approve: true,
    approved: false,
    approved_by: [],
  });
  const stale = await approve({ sha: project.base });
  expect([stale.status, stale.body]).toEqual([
    409,
    { message: `SHA does not match HEAD of source branch: ${project.head}` },
  ]);
  const approved = await approve({ sha: project.head });
  expect(approved.status).toBe(201);
  expect(approved.body).toMatchObject({
    user_has_approved: true,
    user_can_approve: false,
    approved: true,
    approved_by: [{ user: { username: 'developer' }, approved_at: expect.any(String) }],
  });
  expect((await approve()).status).toBe(401);
  expect((await rest('POST', `${one.path}/approve`, { token: tokens.guest })).status).toBeGreaterThanOrEqual(403);
  const unapprove = () => rest('POST', `${one.path}/unapprove`, { token: by });
  expect((await unapprove()).body).toMatchObject({ approved: false });
  const again = await unapprove();
  expect(again.body).toMatchObject({ message: '404 Not Found' });
  await rest('POST', `${project.path}/archive`, { token });
  expect((await approve()).status).toBe(403);
  expect((await read(`${one.path}/approvals`)).user_can_approve).toBe(false);
});

test('another target, a reopened one and another description are looked at once for the issues that they close', async () => {
  const project = await newTopic(gateway);
  await project.branch('other', 'main');
  const one = await opened(gateway, project, { target_branch: 'other' });
  const { body: issue } = await rest('POST', `${project.path}/issues`, { token, json: { title: 'To do' } });
  await quiet(gateway, project);
  const changes = [
    [{ description: `Closes #${issue.iid}` }, []],
    [{ target_branch: 'main' }, [issue.iid]],
    [{ state_event: 'close' }, [issue.iid]],
    [{ state_event: 'reopen', description: 'Nothing' }, []],
  ] as const;
  const counts: number[] = [];
  for (const [json, closed] of changes) {
    const sent = await sentBy(() => rest('PUT', one.path, { token, json }));
    counts.push(sent.filter(({ text, values }) => text === storeClosed.text && values[0] === one.id).length);
    expect((await read(`${one.path}/closes_issues`)).map(({ iid }: { iid: number }) => iid)).toEqual(closed);
  }
  expect(counts).toEqual([1, 1, 0, 1]);
});

test('a commit knows the merge requests that bring it, or brought it', async () => {
  const project = await newTopic(gateway);
  const { path, base, head, commit } = project;
  const next = await commit({ 'c.txt': 'c\n' }, { branch: 'topic' });
  const one = await opened(gateway, project);
  await project.branch('part', head);
  const part = await opened(gateway, project, { source_branch: 'part' });
  const of = async (sha: string, query: Record<string, string> = {}) => {
    const answer = await rest('GET', `${path}/repository/commits/${sha}/merge_requests`, {
      token,
      query,
    });
    expect(answer.status, answer.text).toBe(200);
    return answer.body.map(({ iid }: { iid: number }) => iid);
  };
  expect(await of(head)).toEqual([part.iid, one.iid]);
  expect(await of(next)).toEqual([one.iid]);
  expect(await of(base)).toEqual([]);
  const squash = { squash: true, squash_commit_message: 'All of it' };
  const merged = await rest('PUT', `${one.path}/merge`, { token, json: squash });
  expect(merged.status, merged.text).toBe(200);
  const { merge_commit_sha: merge, squash_commit_sha: squashed } = merged.body;
  for (const sha of [merge, squashed, next]) expect(await of(sha), sha).toEqual([one.iid]);
  expect(await of(head, { state: 'opened' })).toEqual([part.iid]);
  expect(await of('topic', { state: 'merged' })).toEqual([one.iid]);
  const gone = await rest('GET', `${path}/repository/commits/${'0'.repeat(40)}/merge_requests`, {
    token,
  });
  expect([gone.status, gone.body]).toEqual([404, { message: '404 Commit Not Found' }]);
});
