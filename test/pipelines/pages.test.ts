import { beforeAll, describe, expect, test } from 'vitest';
import { browserSession, signIn, type BrowserSession } from '../support/browser-session.ts';
import { testGateway } from '../support/gateway.ts';
import { newReported, type Reported } from './support/reports.ts';

/** The pages of pipelines, without a browser and without JavaScript. */

const gateway = await testGateway();
let mary: BrowserSession;
let dave: BrowserSession;
const anyone = browserSession(gateway);
let project: Reported;
let running: number;
const at = (page: string) => `/${project.fullPath}/-/${page}`;

beforeAll(async () => {
  mary = await signIn(gateway, 'maintainer');
  dave = await signIn(gateway, 'developer');
  project = await newReported(gateway, { visibility: 'public' });
  await project.report({ sha: project.sha, ref: 'main', state: 'failed', name: 'unit' });
  running = (await project.report({ state: 'running', name: 'lint <b>', coverage: 12.5 })).body.pipeline_id;
  await project.report({
    state: 'success',
    name: 'build',
    target_url: 'https://ci.example.com/7?a=1&b=2',
    description: 'All <i>fine</i>',
  });
});

describe('the list of pipelines', () => {
  test('has each with its status, branch, commit and person', async () => {
    const { status, text, html } = await anyone.get(at('pipelines'));
    expect(status).toBe(200);
    for (const part of ['Pipeline #1', 'Pipeline #2', 'Failed', 'Running', 'topic', 'main', project.topic.slice(0, 8)])
      expect(text).toContain(part);
    expect(html).toContain(`href="${at(`pipelines/${running}`)}"`);
    expect(html).toContain(`href="${at(`commit/${project.topic}`)}"`);
    expect((await anyone.get(`/${project.fullPath}`)).html).toContain(`href="${at('pipelines')}"`);
  });

  test('is narrowed by scope, status, branch and source; what isn’t one is ignored', async () => {
    const shown = async (query: string) => {
      const { text } = await anyone.get(`${at('pipelines')}?${query}`);
      return [1, 2].filter((iid) => text.includes(`Pipeline #${iid}`));
    };
    expect(await shown('scope=finished')).toEqual([1]);
    expect(await shown('status=running')).toEqual([2]);
    expect(await shown('ref=main')).toEqual([1]);
    expect(await shown('source=push')).toEqual([]);
    expect(await shown('status=nothing&scope=everything')).toEqual([1, 2]);
    expect((await anyone.get(`${at('pipelines')}?source=push`)).text).toContain('No pipelines match.');
  });
});

describe('the page of a pipeline', () => {
  test('has its stages, with links to the pages of scripts', async () => {
    const { status, text, html } = await anyone.get(at(`pipelines/${running}`));
    expect(status).toBe(200);
    for (const part of ['Pipeline #2', 'external', 'lint <b>', 'build', 'All <i>fine</i>', 'coverage 12.5 %'])
      expect(text).toContain(part);
    expect(html).toContain('<a href="https://ci.example.com/7?a=1&amp;b=2" rel="nofollow noopener noreferrer">');
    expect(html).not.toContain('<i>fine');
    expect(html).not.toContain('Cancel pipeline');
    for (const page of ['pipelines/0', 'pipelines/x', 'pipelines/99999999999', 'pipelines/2000000000'])
      expect([page, (await anyone.get(at(page))).status]).toEqual([page, 404]);
  });

  test('cancels it for those who may', async () => {
    const own = (await project.report({ sha: project.sha, ref: 'main', state: 'running', name: 'deploy' })).body;
    const page = at(`pipelines/${own.pipeline_id}`);
    expect((await dave.get(page)).html).toContain('Cancel pipeline');
    const refused = await dave.press((await dave.get(page)).form('Cancel pipeline'));
    expect(refused.status).toBe(403);
    const answer = await mary.press((await mary.get(page)).form('Cancel pipeline'));
    expect(answer.status).toBe(303);
    const done = await mary.get(answer.location!);
    expect(done.text).toContain('The pipeline is canceled.');
    expect(done.html).not.toContain('Cancel pipeline');
    expect((await anyone.get(`${page}/cancel`)).status).not.toBe(200);
  });
});

test('commits have the status of their last pipeline', async () => {
  const history = (await anyone.get(at('commits/topic'))).html;
  expect(history).toContain(`href="${at(`pipelines/${running}`)}"`);
  const commit = (await anyone.get(at(`commit/${project.topic}`))).html;
  expect(commit).toContain(`href="${at(`pipelines/${running}`)}"`);
  await gateway.rest('PUT', project.path, { token: gateway.tokens.maintainer, json: { public_jobs: false } });
  const hidden = await anyone.get(at('commits/topic'));
  expect([hidden.status, hidden.html.includes('/-/pipelines')]).toEqual([200, false]);
  expect((await anyone.get(at('pipelines'))).status).not.toBe(200);
});
