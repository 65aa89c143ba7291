import { beforeAll, expect, test, vi } from 'vitest';
import { testGateway } from '../support/gateway.ts';
import { filledProject } from './support/clone.ts';

/** What people say with `git push -o`. */

const gateway = await testGateway();
const { rest, tokens, url } = gateway;
const token = tokens.maintainer;
let filled: Awaited<ReturnType<typeof filledProject>>;

beforeAll(async () => {
  filled = await filledProject(gateway);
});

const options = (...all: string[]) => all.flatMap((option) => ['-o', option]);

/** Commits on a new branch, and pushes it. */
async function pushBranch(name: string, ...given: string[]) {
  filled.git('checkout', '--quiet', '-b', name, 'main');
  filled.commit(`${name}.txt`);
  return await filled.push(...options(...given), name);
}

const mergeRequests = async (branch: string) =>
  (await rest('GET', `${filled.project.path}/merge_requests?source_branch=${encodeURIComponent(branch)}`, { token }))
    .body as Record<string, any>[];

test('a push tells where a merge request of its branch is made, and one of the default branch tells nothing', async () => {
  const { text } = await pushBranch('told');
  expect(text).toContain('To create a merge request for told, visit:');
  expect(text).toContain(`${url}/${filled.project.fullPath}/-/merge_requests/new?source=told`);
  filled.git('checkout', '--quiet', 'main');
  filled.commit('more.txt');
  expect((await filled.push('main')).text).not.toContain('merge request');
  const links = (printing_merge_request_link_enabled: boolean) =>
    rest('PUT', filled.project.path, { token, json: { printing_merge_request_link_enabled } });
  await links(false);
  expect((await pushBranch('not-told')).text).not.toContain('merge request');
  await links(true);
});

test('opens a merge request with the title of the only commit, and tells where it is', async () => {
  const { code, text } = await pushBranch('one', 'merge_request.create');
  expect({ code, text }).toMatchObject({ code: 0, text: expect.stringContaining('View merge request for one:') });
  const [made, ...others] = await mergeRequests('one');
  expect(others).toEqual([]);
  expect(made).toMatchObject({ title: 'Add one.txt', target_branch: 'main', state: 'opened', draft: false });
  expect(text).toContain(made!.web_url);
});

test('opens it with all that is said', async () => {
  const path = filled.project.path;
  await rest('POST', `${path}/labels`, { token, json: { name: 'needs care', color: '#123456' } });
  await rest('POST', `${path}/milestones`, { token, json: { title: 'Autumn' } });
  await rest('POST', `${path}/repository/branches`, { token, json: { branch: 'stable', ref: 'main' } });
  const { text } = await pushBranch(
    'much',
    'merge_request.create',
    'merge_request.target=stable',
    'merge_request.title=All of it',
    'merge_request.description=First\\nSecond',
    'merge_request.draft',
    'merge_request.remove_source_branch',
    'merge_request.squash',
    'merge_request.label=needs care',
    'merge_request.milestone=Autumn',
    'merge_request.assign=maintainer',
  );
  expect(text).not.toContain('WARNINGS');
  expect(await mergeRequests('much')).toMatchObject([
    {
      title: 'Draft: All of it',
      description: 'First\nSecond',
      target_branch: 'stable',
      force_remove_source_branch: true,
      squash: true,
      labels: ['needs care'],
      milestone: { title: 'Autumn' },
      assignee: { username: 'maintainer' },
    },
  ]);
});

test('a later push changes it, and makes no second one', async () => {
  await pushBranch('later', 'merge_request.create', 'merge_request.description=Stays');
  filled.commit('again.txt');
  await filled.push(
    ...options('merge_request.create', 'merge_request.title=Renamed', 'merge_request.label=new'),
    'later',
  );
  expect(await mergeRequests('later')).toMatchObject([{ title: 'Renamed', description: 'Stays' }]);
  expect(await mergeRequests('later')).toHaveLength(1);
});

test('what can’t be done is told, and the push stands', async () => {
  const without = await pushBranch('without', 'merge_request.title=Nothing');
  expect(without.code).toBe(0);
  expect(without.text).toContain('WARNINGS:');
  expect(without.text).toContain('A merge_request.create push option is required to create a merge request.');
  const unknown = await pushBranch('unknown', 'merge_request.create', 'merge_request.colour=red');
  expect(unknown.text).toContain("'merge_request.colour=red' is no option that is known here.");
  expect(await mergeRequests('unknown')).toHaveLength(1);
  const nowhere = await pushBranch('nowhere', 'merge_request.create', 'merge_request.target_project=no/where');
  expect(nowhere).toMatchObject({ code: 0, text: expect.stringContaining('WARNINGS:') });
  expect(await mergeRequests('nowhere')).toEqual([]);
  const same = await filled.push(...options('merge_request.create'), 'nowhere:main', '--force');
  expect(same.text).toContain("You can't use same project/branch for source and target");
});

test('merges by itself once its pipeline succeeds', async () => {
  const { project, git, commit, push } = await filledProject(gateway);
  commit('.gitlab-ci.yml', 'build:\n  script: make\n');
  await push('main');
  git('checkout', '--quiet', '-b', 'ready');
  commit('ready.txt');
  const { text } = await push(...options('merge_request.create', 'merge_request.auto_merge'), 'ready');
  expect(text).not.toContain('WARNINGS');
  const { body } = await rest('GET', `${project.path}/merge_requests/1`, { token });
  expect(body).toMatchObject({ merge_when_pipeline_succeeds: true, state: 'opened' });
  // Nothing is left to wait for where a skipped one counts as a success.
  await rest('PUT', project.path, { token, json: { allow_merge_on_skipped_pipeline: true } });
  git('checkout', '--quiet', '-b', 'quiet', 'main');
  commit('quiet.txt');
  const quiet = await push(...options('ci.skip', 'merge_request.create', 'merge_request.auto_merge'), 'quiet');
  expect(quiet.text).not.toContain('WARNINGS');
  const merged = await rest('GET', `${project.path}/merge_requests/2`, { token });
  expect(merged.body).toMatchObject({ merge_when_pipeline_succeeds: false, state: 'merged' });
});

test('`ci.skip` makes a skipped pipeline, `ci.variable` gives variables', async () => {
  const { project, git, commit, push } = await filledProject(gateway);
  commit('.gitlab-ci.yml', 'build:\n  script: make\n');
  await push(...options('ci.skip'), 'main');
  git('checkout', '--quiet', '-b', 'varied');
  commit('varied.txt');
  await push(...options('ci.variable=COLOUR=light blue', 'ci.variable="SIZE=7"'), 'varied');
  const pipelineOf = async (ref: string) => {
    const { body } = await rest('GET', `${project.path}/pipelines?ref=${ref}`, { token });
    expect(body).toHaveLength(1);
    return (body as [{ id: number; status: string }])[0];
  };
  await vi.waitFor(async () => expect(await pipelineOf('main')).toMatchObject({ status: 'skipped' }), 10_000);
  const varied = await vi.waitFor(() => pipelineOf('varied'), 10_000);
  expect(varied.status).toBe('pending');
  const { body } = await rest('GET', `${project.path}/pipelines/${varied.id}/variables`, { token });
  expect(body).toMatchObject([
    { key: 'COLOUR', value: 'light blue' },
    { key: 'SIZE', value: '7' },
  ]);
});
