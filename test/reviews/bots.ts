import { describe, expect, test } from 'vitest';
import { newCode } from '../repository/support/code.ts';
import type { TestGateway } from '../support/gateway.ts';
import type { RestRequest } from '../support/requests/rest-client.ts';

/** The requests of bots and build servers, in the form in which they send them: tests for a file that has a gateway. */
export function testsOfBots(gateway: () => TestGateway): void {
  const send = async (method: string, path: string, request: RestRequest = {}, status?: number) => {
    const answer = await gateway().rest(method, path, { token: gateway().tokens.maintainer, ...request });
    expect(answer.status, answer.text).toBe(status ?? (method === 'POST' ? 201 : 200));
    return answer;
  };
  const read = async (path: string) => (await send('GET', path)).body;

  /** A project with a commit on `main`, and the addresses of its merge requests. */
  async function start() {
    const { commit, branch, ...project } = await newCode(gateway());
    const path = `/api/v4/projects/${encodeURIComponent(project.fullPath)}`;
    const base = await commit({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
    /** A branch with a commit. @returns the name of the commit */
    const topic = async (name: string) => {
      await branch(name);
      return await commit({ [`${name}.txt`]: 'new\n' }, { branch: name });
    };
    return { ...project, path, base, topic };
  }

  describe('the requests of bots', () => {
    test('Renovate finds projects, keeps a merge request up to date, and has it merged', async () => {
      const { path, fullPath, topic } = await start();
      const mine = 'membership=true&with_merge_requests_enabled=true&min_access_level=30&archived=false';
      expect(await read(`/api/v4/projects?per_page=100&${mine}`)).toContainEqual(
        expect.objectContaining({ path_with_namespace: fullPath, default_branch: 'main', empty_repo: false }),
      );
      const head = await topic('renovate');
      const json = {
        source_branch: 'renovate',
        target_branch: 'main',
        remove_source_branch: true,
        title: 'Draft: Update it',
        description: 'From 1 to 2',
        labels: '',
      };
      const { body: made } = await send('POST', `${path}/merge_requests`, { json });
      expect(made).toMatchObject({ draft: true, labels: [], sha: head, head_pipeline: null });
      const one = `${path}/merge_requests/${made.iid}`;
      await send('POST', `${one}/approve`, { token: gateway().tokens.developer });
      const labels = { title: 'Update it', add_labels: ['minor', 'deps'], remove_labels: ['major'] };
      expect((await send('PUT', one, { json: labels })).body).toMatchObject({
        draft: false,
        labels: ['deps', 'minor'],
      });
      const [person] = await read('/api/v4/users?username=developer');
      expect(await read('/api/v4/users/developer/status')).toHaveProperty('availability');
      const assigned = await send('PUT', `${one}?assignee_ids[]=${person.id}`);
      expect(assigned.body.assignees).toMatchObject([{ username: 'developer' }]);

      const status = { context: 'renovate/stability-days', description: 'Old enough' };
      const report = (state: string, code?: number) =>
        send('POST', `${path}/statuses/${head}`, { json: { state, ...status } }, code);
      await report('pending');
      const { message } = (await report('pending', 400)).body;
      expect(message).toMatch(/^Cannot transition status via :enqueue from :pending/);
      await report('success');
      const { last_pipeline: pipeline } = await read(`${path}/repository/commits/${head}`);
      expect(pipeline).toMatchObject({ id: expect.any(Number), status: 'success' });
      expect(await read(`${path}/repository/commits/${head}/statuses`)).toMatchObject([
        { name: status.context, status: 'success', allow_failure: false },
      ]);
      expect(await read(`${one}?include_diverged_commits_count=1`)).toMatchObject({
        diverged_commits_count: 0,
        pipeline: { status: 'success' },
        head_pipeline: { status: 'success', sha: head },
      });
      const merge = { should_remove_source_branch: true, merge_when_pipeline_succeeds: true };
      expect((await send('PUT', `${one}/merge`, { json: merge })).body.state).toBe('merged');
      const order = 'per_page=100&order_by=updated_at&sort=desc&scope=created_by_me';
      const since = encodeURIComponent(made.updated_at.replace(/\.\d{3}Z$/, 'Z'));
      expect(await read(`${path}/merge_requests?${order}&updated_after=${since}`)).toMatchObject([{ iid: made.iid }]);
    });

    test('Dependabot sends forms, also with empty values', async () => {
      const { path, base } = await start();
      const branch = 'dependabot/npm_and_yarn/pad-2.0';
      const ofBranch = `${path}/repository/branches/${encodeURIComponent(branch).replaceAll('.', '%2E')}`;
      await send('GET', ofBranch, {}, 404);
      await send('POST', `${path}/repository/branches`, { form: { branch, ref: base } });
      const commit = async (...more: [string, string][]) => {
        const form: [string, string][] = [
          ['branch', branch],
          ['commit_message', 'Bump pad'],
          ['actions[][action]', 'update'],
          ['actions[][encoding]', 'text'],
          ['actions[][file_path]', '/a.txt'],
          ['actions[][content]', 'changed\n'],
          ['actions[][action]', 'delete'],
          ['actions[][encoding]', 'text'],
          ['actions[][file_path]', '/b.txt'],
          ['actions[][content]', ''],
          ...more,
        ];
        return (await send('POST', `${path}/repository/commits`, { form })).body;
      };
      await commit(['author_name', 'Bot'], ['author_email', 'bot@example.com']);
      const label = { name: 'dependencies', color: '#0366d6', description: 'Of dependencies' };
      await send('POST', `${path}/labels`, { form: label });
      await send('POST', `${path}/labels`, { form: label }, 409);
      const { body: made } = await send('POST', `${path}/merge_requests`, {
        form: {
          title: 'Bump pad',
          source_branch: branch,
          target_branch: 'main',
          remove_source_branch: 'true',
          labels: 'dependencies,javascript',
          assignee_ids: '',
          milestone_id: '',
          target_project_id: '',
          reviewer_ids: '',
        },
      });
      expect(made).toMatchObject({ labels: ['dependencies', 'javascript'], assignees: [], milestone: null });
      const query = `source_branch=${encodeURIComponent(branch)}&target_branch=main&state=all`;
      expect(await read(`${path}/merge_requests?${query}`)).toMatchObject([{ iid: made.iid }]);
      const again = await commit(['force', 'true'], ['start_branch', 'main']);
      expect(again).toMatchObject({ title: 'Bump pad', parent_ids: [base] });
      expect((await read(ofBranch)).commit.id).toBe(again.id);
    });

    test('Jenkins reports, votes and merges', async () => {
      const { path, id, topic } = await start();
      await send('HEAD', '/api/v4/user');
      await send('GET', '/api/v4/groups?all_available=false&top_level_only=true&order_by=name&sort=asc');
      const head = await topic('build');
      const form = { source_branch: 'build', target_branch: 'main', title: 'Build it' };
      const { iid } = (await send('POST', `/api/v4/projects/${id}/merge_requests`, { form })).body;
      const one = `/api/v4/projects/${id}/merge_requests/${iid}`;
      const report = (state: string) =>
        send('POST', `${path}/statuses/${head}`, {
          form: { state, ref: 'build', context: 'Jenkins', target_url: 'https://ci.example.com/1', description: state },
        });
      await report('running');
      await report('success');
      await send('POST', `${one}/notes`, { form: { body: 'Built' } });
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const award = (await send('POST', `${one}/award_emoji?name=thumbsup`, { headers })).body;
      expect(await read(`${one}/award_emoji`)).toMatchObject([{ id: award.id, user: { username: 'maintainer' } }]);
      await send('DELETE', `${one}/award_emoji/${award.id}`, { headers }, 204);
      const opened = await read(`${path}/merge_requests?state=opened&page=1&per_page=100`);
      expect(opened).toMatchObject([{ iid, work_in_progress: false, source_project_id: id, target_project_id: id }]);
      const merge = { merge_commit_message: 'Merged by Jenkins', should_remove_source_branch: 'false' };
      expect((await send('PUT', `${one}/merge`, { form: merge })).body).toMatchObject({ state: 'merged' });
    });

    test('SonarQube, release-it and semantic-release look around before they begin', async () => {
      const { path, id, base } = await start();
      expect((await send('GET', '/api/v4/projects', { token: undefined })).body).toBeInstanceOf(Array);
      expect((await send('POST', '/api/v4/markdown', { json: { text: 'writes' } })).body.html).toContain('writes');
      const search = 'archived=false&simple=true&membership=true&order_by=name&sort=asc&search=&page=1&per_page=20';
      const { headers } = await send('GET', `/api/v4/projects?${search}`);
      expect(['x-page', 'x-per-page'].map((name) => headers.get(name))).toEqual(['1', '20']);
      expect(Number(headers.get('x-total'))).toBeGreaterThan(0);
      const only = `min_access_level=20&id_after=${id - 1}&id_before=${id + 1}`;
      expect(await read(`/api/v4/projects?${only}`)).toMatchObject([{ id }]);

      const plain = { headers: { 'content-type': 'text/plain', 'accept-encoding': 'identity' } };
      const { id: me } = (await send('GET', '/api/v4/user', plain)).body;
      expect((await send('GET', `${path}/members/all/${me}`, plain)).body.access_level).toBeGreaterThanOrEqual(40);
      expect((await send('GET', `${path}/milestones?title=1.0&include_parent_milestones=true`, plain)).body).toEqual(
        [],
      );

      expect((await read(path)).permissions).toHaveProperty('group_access');
      expect(await read(`${path}/repository/commits/${base}/merge_requests`)).toEqual([]);
      const title = 'The automated release is failing 🚨';
      const json = { id: encodeURIComponent(path), title, description: '## Why', labels: false };
      expect((await send('POST', `${path}/issues`, { json })).body).toMatchObject({
        title,
        labels: [],
        project_id: id,
      });
      const found = await read(`${path}/issues?state=opened&search=${encodeURIComponent(title)}`);
      expect(found).toMatchObject([{ title, project_id: id }]);
    });

    test('Forge for Emacs pulls topics, and clears people with 0', async () => {
      const { path, id, topic } = await start();
      await topic('forge');
      const json = {
        title: 'Draft: Forge it',
        description: '',
        target_project_id: id,
        target_branch: 'main',
        source_branch: 'forge',
        allow_collaboration: true,
      };
      const { iid } = (await send('POST', `${path}/merge_requests`, { json })).body;
      const one = `${path}/merge_requests/${iid}`;
      const { id: person } = await read('/api/v4/user');
      const people = { assignee_ids: [person], reviewer_ids: [person] };
      expect((await send('PUT', one, { json: people })).body).toMatchObject({ reviewers: [{ id: person }] });
      await send('PUT', one, { json: { assignee_id: 0 } });
      expect((await send('PUT', one, { json: { reviewer_ids: 0 } })).body).toMatchObject({
        assignees: [],
        reviewers: [],
      });
      const { iid: issue } = (await send('POST', `${path}/issues`, { json: { title: 'See', assignee_ids: [person] } }))
        .body;
      const cleared = await send('PUT', `${path}/issues/${issue}`, { json: { assignee_ids: 0 } });
      expect(cleared.body.assignees).toEqual([]);
      for (const [list, found] of [
        ['issues', { iid: issue, state: 'opened', milestone: null }],
        ['merge_requests', { iid, draft: true, source_project_id: id, target_project_id: id }],
      ] as const)
        expect(await read(`${path}/${list}?per_page=100&order_by=updated_at`)).toMatchObject([found]);
      expect(await read(`${path}/forks?per_page=100&simple=true`)).toEqual([]);
    });

    test('Sentry writes booleans as Python does, and asks who wrote one line', async () => {
      const { path, id, base } = await start();
      const query = 'simple=True&order_by=last_activity_at&page=1&per_page=100&membership=True';
      expect(await read(`/api/v4/projects?${query}`)).toContainEqual(expect.objectContaining({ id }));
      const line = `${path}/repository/files/a.txt/blame?ref=main&range%5Bstart%5D=1&range%5Bend%5D=1`;
      expect(await read(line)).toMatchObject([{ commit: { id: base }, lines: ['one'] }]);
      await send('HEAD', `${path}/repository/files/a.txt?ref=main`);
    });

    test('Sourcegraph pages through projects by keyset, and leaves archived ones out with `no`', async () => {
      const { id } = await start();
      const later = await start();
      const query = `membership=true&archived=no&order_by=id&sort=asc&pagination=keyset&per_page=1&id_after=${id - 1}`;
      const { body, headers } = await send('GET', `/api/v4/projects?${query}`);
      expect(body).toMatchObject([{ id, archived: false }]);
      const [, next] = /<([^>]*)>; rel="next"/.exec(headers.get('link')!)!;
      expect(await read(next!.replace(gateway().url, ''))).toMatchObject([{ id: later.id }]);
    });
  });
}
