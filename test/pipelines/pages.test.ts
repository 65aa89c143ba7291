import { beforeAll, describe, expect, inject, test } from 'vitest';
import {
  browserSession,
  focusedOn,
  scriptsOf,
  signIn,
  type BrowserSession,
  type WebPage,
} from '../support/pages/browser-session.ts';
import { newKey } from '../ssh/support/gateway.ts';
import { linksOf } from '../support/pages/page.ts';
import { testGateway } from '../support/gateway.ts';
import { newCi } from './support/ci.ts';
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
    const { html } = await anyone.get(`${at('pipelines')}?scope=tags&ref=main&source=push`);
    expect(linksOf(html)).toContain(`${at('pipelines')}?scope=finished&source=push&ref=main`);
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
    const { text, html } = await dave.get(page);
    expect(text).toContain('This branch is protected: your role doesn’t start, cancel or retry jobs on it.');
    expect(html).not.toContain('Cancel pipeline');
    const cancel = `${project.path}/pipelines/${own.pipeline_id}/cancel`;
    expect((await gateway.rest('POST', cancel, { token: gateway.tokens.developer })).status).toBe(403);
    const answer = await mary.press((await mary.get(page)).form('Cancel pipeline'));
    expect(answer.status).toBe(303);
    const done = await mary.get(answer.location!);
    expect(done.text).toContain('The pipeline is canceled.');
    expect(done.html).not.toContain('Cancel pipeline');
    expect((await anyone.get(`${page}/cancel`)).status).not.toBe(200);
  });
});

describe('a pipeline of a configuration', () => {
  const yaml = `
stages: [build, test, deploy]
compile: { stage: build, script: make }
"<unit>": { stage: test, script: make test, needs: [compile] }
ship: { stage: deploy, script: make ship, when: manual, allow_failure: false }
`;

  test('is run with variables, and a link fills the form in', async () => {
    const ci = await newCi(gateway, yaml);
    const page = `/${ci.fullPath}/-/pipelines`;
    expect((await mary.get(page)).html).toContain(`href="${page}/new"`);
    const filled = (await mary.get(`${page}/new?ref=topic&var[NAME]=a%20b`)).form('Run the pipeline');
    const unknown = await mary.press(filled);
    expect([unknown.status, unknown.text]).toEqual([422, expect.stringContaining('Reference not found')]);
    const again = unknown.form('Run the pipeline');
    const nameless = await mary.press(again, { ref: 'main', key_1: '' });
    expect([nameless.status, nameless.text]).toEqual([422, expect.stringContaining('letters, digits')]);
    const started = await mary.press(again, { ref: 'main', key_2: 'FILE', value_2: 'x\r\ny', kind_2: 'FILE' });
    expect(started.status).toBe(303);
    const id = /\d+$/.exec(started.location!)![0];
    const token = gateway.tokens.maintainer;
    const given = (await gateway.rest('GET', `${ci.path}/pipelines/${id}/variables`, { token })).body;
    expect(given).toMatchObject([
      { key: 'FILE', value: 'x\ny', variable_type: 'file' },
      { key: 'NAME', value: 'a b', variable_type: 'env_var' },
    ]);
    expect((await gateway.rest('GET', `${ci.path}/pipelines/${id}`, { token })).body.source).toBe('web');
    expect((await anyone.get(`${page}/new`)).status).not.toBe(200);
  });

  test('is drawn, and its jobs are started, canceled, retried and erased', async () => {
    const ci = await newCi(gateway, yaml);
    const { id } = (await ci.run()).body as { id: number };
    const page = `/${ci.fullPath}/-/pipelines/${id}`;
    const drawn = (await mary.get(page)).html;
    expect(drawn).toContain('<svg aria-hidden="true"');
    expect(drawn.match(/<path class="need"/g)).toHaveLength(1);
    expect(drawn).toContain('<title>&lt;unit>: Created</title>');
    expect(drawn).toContain(`data-live="${page}/live"`);
    await mary.press((await mary.get(page)).form('Cancel compile'));
    expect(await ci.jobs(id)).toEqual({ compile: 'canceled', '<unit>': 'skipped', ship: 'skipped' });
    expect((await mary.press((await mary.get(page)).form('Retry compile'))).location).toBe(page);
    await ci.end(id, 'compile', { status: 'failed' });
    const failed = await mary.get(page);
    expect(failed.html).not.toContain('data-live=');
    const retried = await mary.press(failed.form('Retry pipeline'));
    expect((await mary.get(retried.location!)).text).toContain('run again');
    await ci.end(id, 'compile');
    await ci.end(id, '<unit>');
    await mary.press((await mary.get(page)).form('Start ship'));
    await ci.end(id, 'ship');
    expect(await ci.jobs(id)).toEqual({ compile: 'success', '<unit>': 'success', ship: 'success' });
    const job = /href="(\/[^"]*\/-\/jobs\/\d+)" tabindex="-1"/.exec((await mary.get(page)).html)![1]!;
    const erased = await mary.press((await mary.get(`${job}/erase`)).form('Erase log and artifacts'));
    expect((await mary.get(erased.location!)).text).toContain('The log was erased');
    expect((await anyone.get(page)).html).not.toContain('Retry');
  });

  test('has jobs whose forms are only for those who may use them', async () => {
    const ci = await newCi(gateway, yaml);
    const { maintainer: token } = gateway.tokens;
    await gateway.rest('POST', `${ci.path}/repository/branches?branch=free&ref=main`, { token });
    const { id } = (await ci.run({ ref: 'free' })).body as { id: number };
    await ci.end(id, 'compile');
    const jobOf = async (pipeline: number, name: string) => {
      const jobs = await gateway.sql<{ id: number }>('select id from ci_jobs where pipeline_id = $1 and name = $2', [
        pipeline,
        name,
      ]);
      return jobs[0]!.id;
    };
    const [compile, ship] = [await jobOf(id, 'compile'), await jobOf(id, 'ship')];
    const job = (one: number, way = '') => `/${ci.fullPath}/-/jobs/${one}${way}`;
    // A developer erases only what they started.
    const theirs = await dave.get(job(compile));
    expect([theirs.html.includes('/erase'), theirs.text.includes('Retry')]).toEqual([false, true]);
    const refused = await dave.get(job(compile, '/erase'));
    expect([refused.status, refused.text]).toEqual([
      403,
      expect.stringContaining('who started the job, and maintainers'),
    ]);
    expect((await mary.get(job(compile))).html).toContain(job(compile, '/erase'));
    expect((await dave.get(job(ship, '/play'))).status).toBe(200);
    // The main branch is protected.
    const { id: onMain } = (await ci.run()).body as { id: number };
    const play = await dave.get(job(await jobOf(onMain, 'ship'), '/play'));
    expect([play.status, play.text]).toEqual([403, expect.stringContaining('Your role doesn’t start')]);
  });

  test('has manual jobs that are started with variables', async () => {
    const ci = await newCi(gateway, 'ship: { script: make ship, when: manual }');
    const { id } = (await ci.run()).body as { id: number };
    const link = /href="([^"]*\/-\/jobs\/\d+)"/.exec((await mary.get(`/${ci.fullPath}/-/pipelines/${id}`)).html)![1]!;
    expect((await mary.get(link)).html).toContain(`href="${link}/play"`);
    const form = (await mary.get(`${link}/play`)).form('Start the job');
    const wrong = await mary.press(form, { key_1: 'A-B', value_1: 'x' });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('letters, digits')]);
    expect(focusedOn(wrong)).toEqual([expect.stringMatching(/^<p class="error" role="alert" tabindex="-1"/)]);
    expect((await mary.press(form, { key_1: 'TARGET', value_1: 'x' })).location).toBe(link);
    expect(await ci.jobs(id)).toEqual({ ship: 'pending' });
    const [given] = await gateway.sql<{ key: string }>('select key from ci_job_variables');
    expect(given).toEqual({ key: 'TARGET' });
  });
});

describe('environments', () => {
  test('are made, listed, changed, stopped and deleted', async () => {
    const form = (await dave.get(at('environments/new'))).form('Create environment');
    const wrong = await dave.press(form, { name: '/x', externalUrl: 'ftp://example.com' });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('The name can contain only letters');
    expect(wrong.text).toContain('The address is blocked');
    const made = await dave.press(form, { name: 'review/a', externalUrl: 'https://a.example.com' });
    expect(made.status).toBe(303);
    const page = made.location!;
    expect((await anyone.get(page)).text).toContain('Development');
    expect((await anyone.get(page)).html).not.toContain(`${page}/stop`);
    expect((await anyone.get(at('environments'))).html).toContain(`href="${page}"`);
    expect((await anyone.get(`${at('environments')}?search=nothing`)).text).toContain('No environments match.');
    expect(await anyone.get(`${at('environments')}?search=x`)).toMatchObject({ status: 422 });

    const edit = (await dave.get(`${page}/edit`)).form('Save changes');
    expect((await dave.press(edit, { description: 'Look <b>here</b>' })).status).toBe(303);
    const shown = await anyone.get(page);
    expect(shown.text).toContain('Look <b>here</b>');
    expect(shown.html).toContain('href="https://a.example.com"');

    await gateway.rest('POST', `${project.path}/deployments`, {
      token: gateway.tokens.developer,
      json: { environment: 'review/a', sha: project.sha, ref: 'main', tag: false, status: 'success' },
    });
    const deployed = await anyone.get(page);
    for (const part of ['Deployment #1', 'Succeeded', project.sha.slice(0, 8)]) expect(deployed.text).toContain(part);
    expect(deployed.html).toContain(`href="${at(`commit/${project.sha}`)}"`);

    const stopped = await dave.press((await dave.get(`${page}/stop`)).form('Stop the environment'));
    expect(stopped.location).toBe(page);
    expect((await anyone.get(page)).text).toContain('Stopped');
    expect((await anyone.get(at('environments'))).html).not.toContain(`href="${page}"`);
    expect((await anyone.get(`${at('environments')}?state=stopped`)).html).toContain(`href="${page}"`);
    const none = await anyone.get(`${at('environments')}?state=stopped&search=nowhere`);
    expect(none.text).toContain('No environments match. Show all');
    expect(linksOf(none.html)).toContain(`${at('environments')}?search=nowhere`);
    expect((await anyone.get(`${at('environments')}?state=constructor`)).status).toBe(200);
    const deleted = await dave.press((await dave.get(`${page}/delete`)).form('Delete the environment'));
    expect(deleted.location).toBe(at('environments'));
    expect((await anyone.get(page)).status).toBe(404);
    for (const id of ['0', 'x', '99999999999']) expect((await anyone.get(at(`environments/${id}`))).status).toBe(404);
  });

  test('are changed by developers only', async () => {
    const gina = await signIn(gateway, 'guest');
    expect((await gina.get(at('environments'))).status).toBe(200);
    const refused = await gina.get(at('environments/new'));
    expect(refused.status).toBe(403);
    expect(linksOf(refused.html)).toContain(`/${project.fullPath}`);
    expect((await anyone.get(at('environments/new'))).status).not.toBe(200);
  });
});

describe('deploy keys', () => {
  test('are added, enabled elsewhere, changed and removed, by maintainers', async () => {
    const other = await newReported(gateway);
    const page = at('deploy_keys');
    expect((await dave.get(page)).status).toBe(403);
    const { public: key } = newKey();
    const form = (await mary.get(page)).form('Add the key');
    const wrong = await mary.press(form, { title: '', key: 'x' });
    expect(wrong.status).toBe(422);
    for (const part of ["The title can't be blank", 'The key is invalid']) expect(wrong.text).toContain(part);
    expect((await mary.press(form, { title: 'Mirror <b>', key, can_push: 'on' })).location).toBe(page);
    const shown = await mary.get(page);
    for (const part of ['Mirror <b>', 'Pushes', 'SHA256:']) expect(shown.text).toContain(part);
    expect(shown.html).toContain('<code class="copyable">SHA256:');
    expect(scriptsOf(shown)).toEqual(['copy']);
    const [, id] = /deploy_keys\/(\d+)\/edit/.exec(shown.html)!;

    const elsewhere = `/${other.fullPath}/-/deploy_keys`;
    expect((await mary.get(elsewhere)).text).toContain('Enable a key');
    expect((await mary.press((await mary.get(elsewhere)).form('Enable'))).location).toBe(elsewhere);
    const enabled = await mary.get(elsewhere);
    expect(enabled.html).toContain(`deploy_keys/${id}/remove`);
    expect(enabled.text).not.toContain('Enable a key');
    expect(enabled.text).not.toContain('Pushes');

    const edit = (await mary.get(`${page}/${id}/edit`)).form('Save changes');
    expect((await mary.press(edit, { title: '' })).status).toBe(422);
    expect((await mary.press(edit, { title: 'Reader' })).location).toBe(page);
    const changed = await mary.get(page);
    expect(changed.text).toContain('Reader');
    const removed = await mary.press((await mary.get(`${page}/${id}/remove`)).form('Remove the key'));
    expect(removed.location).toBe(page);
    expect((await mary.get(page)).text).toContain('No deploy keys yet.');
    expect((await mary.get(`${page}/${id}/edit`)).status).toBe(404);
  });

  test('of other projects are offered page by page', async () => {
    await gateway.sql(
      `insert into ssh_keys (kind, title, key, fingerprint_sha256, fingerprint_md5, public)
       select 'DEPLOY', 'Offered ' || n, 'ssh-ed25519 AAAA' || n, sha256(('offered ' || n)::bytea), decode(md5('offered ' || n), 'hex'), true
         from generate_series(1, 50) n`,
    );
    const titles = ({ text }: WebPage) =>
      [...text.matchAll(/Offered (\d+) For every project/g)].map(([, n]) => Number(n));
    const first = await mary.get(at('deploy_keys'));
    const next = /<a [^>]*rel="next"[^>]* href="([^"]*available_after[^"]*)"/.exec(first.html)![1]!;
    const second = await mary.get(next);
    expect([...titles(first), ...titles(second)]).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    expect(second.text).toContain('No deploy keys yet.');
    expect(second.html).not.toContain('rel="next"');
    await gateway.sql(`delete from ssh_keys where title like 'Offered %'`);
  });
});

test.each([
  ['pipelines', 'run pipelines'],
  ['pipeline_schedules', 'make schedules'],
  ['environments', 'make environments'],
  ['branches', 'create branches'],
  ['tags', 'create tags'],
])('the page of %s says who may do more, where others have a button', async (page, what) => {
  const gina = await signIn(gateway, 'guest');
  expect((await gina.get(at(page))).text).toContain(`You need at least the Developer role to ${what}.`);
  expect((await anyone.get(at(page))).text).toContain(`Sign in to ${what}.`);
  expect((await dave.get(at(page))).text).not.toContain(`to ${what}.`);
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

describe('CI variables', () => {
  test('are added, shown on request, changed and removed by maintainers', async () => {
    const page = await mary.get(at('variables'));
    expect(page.text).toContain('No variables yet.');
    const fields = { key: 'DEPLOY_KEY', value: 'long-and-secret', environment_scope: 'prod', masked: 'on' };
    const added = await mary.press(page.form('Add the variable'), fields);
    const list = await mary.get(added.location ?? at('variables'));
    expect(list.text).toContain('DEPLOY_KEY');
    expect(list.html).not.toContain('long-and-secret');
    const show = /href="([^"]*variables\?show=\d+)"/.exec(list.html)![1]!;
    const asked = await mary.get(show);
    expect(asked.html).toContain('<code class="secret">long-and-secret</code>');
    expect([scriptsOf(list), scriptsOf(asked)]).toEqual([[], ['copy']]);
    const edit = await mary.get(/href="([^"]*variables\/[\w-]+\/edit)"/.exec(list.html)![1]!);
    expect(edit.html).not.toContain('long-and-secret');
    await mary.press(edit.form('Save changes'), { value: 'x' });
    await mary.press(edit.form('Save changes'), { value: '', environment_scope: '*', masked: 'on', protected: 'on' });
    const changed = await gateway.rest('GET', `${project.path}/variables/DEPLOY_KEY`, {
      token: gateway.tokens.maintainer,
    });
    expect(changed.body).toMatchObject({
      value: 'long-and-secret',
      environment_scope: '*',
      protected: true,
      masked: true,
    });
    const wrong = await mary.press((await mary.get(at('variables'))).form('Add the variable'), {
      key: 'A-B',
      value: 'x',
    });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('letters, digits')]);
    const remove = /href="([^"]*variables\/[\w-]+\/remove)"/.exec((await mary.get(at('variables'))).html)![1]!;
    await mary.press((await mary.get(remove)).form('Remove the variable'));
    expect((await mary.get(at('variables'))).text).toContain('No variables yet.');
    expect((await dave.get(at('variables'))).status).toBe(403);
    expect((await mary.get('/groups/demo/-/variables')).text).toContain('CI variables');
    expect((await dave.get('/groups/demo/-/variables')).status).toBe(403);
  });
});

describe('runners', () => {
  test('are made with their token shown once, paused, resumed and removed', async () => {
    const made = await mary.press((await mary.get(at('runners'))).form('Make the runner'), {
      description: 'Builder <b>',
      tags: 'linux, arm',
    });
    const shown = await mary.get(made.location!);
    expect(shown.html).toMatch(/glrt-[\w-]{20}/);
    expect(shown.text).toContain('gitlab-runner register');
    const again = await mary.get(made.location!);
    expect([again.status, again.html.includes('glrt-')]).toEqual([410, false]);
    const list = await mary.get(at('runners'));
    for (const part of ['Builder <b>', 'linux, arm', 'Never asked for a job']) expect(list.text).toContain(part);
    await mary.press(list.form('Pause Builder <b>'));
    expect((await mary.get(at('runners'))).text).toContain('Paused');
    await mary.press((await mary.get(at('runners'))).form('Resume Builder <b>'));
    const without = await mary.press((await mary.get(at('runners'))).form('Make the runner'), {
      description: 'None',
      tags: '',
      run_untagged: '',
    });
    expect([without.status, without.text]).toEqual([422, expect.stringContaining('can not be empty')]);
    const remove = /href="([^"]*runners\/\d+\/remove)"/.exec(list.html)![1]!;
    await mary.press((await mary.get(remove)).form('Remove the runner'));
    expect((await mary.get(at('runners'))).text).toContain('No runners yet.');
    expect((await dave.get(at('runners'))).status).toBe(403);
    expect((await dave.get('/groups/demo/-/runners')).status).toBe(403);
  });

  test('of the whole instance are made, paused and removed by administrators, who see those of projects too', async () => {
    await mary.press((await mary.get(at('runners'))).form('Make the runner'), { description: 'Of a project' });
    const root = await signIn(gateway, 'root', inject('passwords').root);
    expect((await root.get('/admin')).html).toContain('href="/admin/runners"');
    const wrong = await root.press((await root.get('/admin/runners')).form('Make the runner'), { run_untagged: '' });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('can not be empty')]);
    const made = await root.press((await root.get('/admin/runners')).form('Make the runner'), {
      description: 'For everybody',
      run_untagged: 'on',
    });
    const shown = await root.get(made.location!);
    expect(shown.html).toMatch(/glrt-[\w-]{20}/);
    expect((await root.get(made.location!)).status).toBe(410);
    const list = await root.get('/admin/runners');
    expect(list.text).toMatch(/For everybody .*All projects .*Of a project .*Projects of their own/);
    // Projects use it, and don't change it.
    const ofProject = await mary.get(at('runners'));
    expect(ofProject.text).toContain('For everybody');
    expect(ofProject.forms.map(({ button }) => button)).not.toContain('Pause For everybody');
    expect((await root.press(list.form('Pause For everybody'))).location).toBe('/admin/runners');
    expect((await root.get('/admin/runners')).form('Resume For everybody')).toBeDefined();
    for (const remove of list.html.match(/\/admin\/runners\/\d+\/remove/g)!)
      await root.press((await root.get(remove)).form('Remove the runner'));
    expect((await root.get('/admin/runners')).text).toContain('No runners yet.');
    expect((await mary.get('/admin/runners')).status).toBe(403);
    expect((await anyone.get('/admin/runners')).location).toContain('/users/sign_in');
  });
});

test('a button that was pressed too late says so', async () => {
  const ci = await newCi(gateway, 'unit: { script: make unit }');
  const { id } = (await ci.run()).body as { id: number };
  const pipeline = `/${ci.fullPath}/-/pipelines/${id}`;
  const page = /href="([^"]*\/-\/jobs\/\d+)"/.exec((await mary.get(pipeline)).html)![1]!;
  expect((await mary.get(page)).text).toContain('It waits for a runner of this project. See whether one is online');
  const seen = await dave.get(page);
  expect(seen.text).not.toContain('See whether one is online');
  expect(seen.text).toContain('This branch is protected: your role doesn’t start, cancel or retry jobs on it.');
  expect([seen.html, (await dave.get(pipeline)).html].join('')).not.toContain(`action="${page}/cancel"`);
  expect((await mary.get(pipeline)).text).toContain('Jobs wait for a runner of this project.');
  await mary.press((await mary.get(page)).form('Cancel'));
  const retry = (await mary.get(page)).form('Retry');
  expect((await mary.press(retry)).status).toBe(303);
  const late = await mary.press(retry);
  expect([late.status, late.text]).toEqual([403, expect.stringContaining('Job is not retryable Back to the page')]);
});

test('a delayed job is unscheduled, and waits for a person', async () => {
  const ci = await newCi(gateway, 'later: { script: make, when: delayed, start_in: 1 day }');
  const { id } = (await ci.run()).body as { id: number };
  const pipeline = `/${ci.fullPath}/-/pipelines/${id}`;
  const waiting = await mary.get(pipeline);
  const job = /href="([^"]*\/-\/jobs\/\d+)"/.exec(waiting.html)![1]!;
  expect((await mary.get(job)).text).toMatch(/Starts .* UTC/);
  const page = await mary.press(waiting.form('Unschedule later'));
  expect([page.status, page.location]).toEqual([303, expect.stringContaining(pipeline)]);
  const { text } = await mary.get(page.location!);
  expect(text).toContain('The job doesn’t start by itself. Start it when it is to run.');
  expect([text.includes('Start later'), text.includes('Unschedule')]).toEqual([true, false]);
  expect((await mary.get(job)).text).not.toContain('Starts ');
});

describe('triggers', () => {
  test('show their token to their owner on request, and are removed', async () => {
    const made = await mary.press((await mary.get(at('triggers'))).form('Make the trigger'), {
      description: 'Nightly',
    });
    expect((await mary.get(made.location!)).html).toMatch(/glptt-[0-9a-f]{40}/);
    const list = await mary.get(at('triggers'));
    expect(list.text).toContain('Nightly');
    expect(list.html).not.toContain('glptt-');
    const remove = /href="([^"]*triggers\/\d+\/remove)"/.exec(list.html)![1]!;
    await mary.press((await mary.get(remove)).form('Remove the trigger'));
    expect((await mary.get(at('triggers'))).text).toContain('No triggers yet.');
    expect((await dave.get(at('triggers'))).status).toBe(403);
  });
});

describe('schedules', () => {
  test('are made with their next run shown, changed, taken and removed', async () => {
    const form = (await dave.get(at('pipeline_schedules/new'))).form('Make the schedule');
    const wrong = await dave.press(form, { description: 'Nightly', ref: 'topic', cron: 'x' });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('is invalid syntax')]);
    await dave.press(form, { description: 'Nightly', ref: 'topic', cron: '0 3 * * *', cron_timezone: 'Asia/Tokyo' });
    const list = await dave.get(at('pipeline_schedules'));
    for (const part of ['Nightly', 'topic', '0 3 * * * (Asia/Tokyo)', '18:00 UTC']) expect(list.text).toContain(part);
    const one = /href="([^"]*pipeline_schedules\/\d+)\/edit"/.exec(list.html)![1]!;
    await dave.press((await dave.get(`${one}/edit`)).form('Save changes'), {
      description: 'Weekly',
      cron: '0 3 * * 1',
    });
    const theirs = await mary.get(at('pipeline_schedules'));
    expect(theirs.text).toContain('Weekly');
    expect((await mary.get(`${one}/edit`)).status).toBe(403);
    // The branch has no configuration.
    const played = await dave.press((await dave.get(at('pipeline_schedules'))).form('Run now Weekly'));
    expect([played.status, played.text]).toEqual([422, expect.stringContaining('Missing CI config file')]);
    await mary.press(theirs.form('Take ownership of Weekly'));
    expect((await mary.get(`${one}/edit`)).status).toBe(200);
    expect((await mary.get(at('pipeline_schedules'))).text).toContain('Weekly');
    await mary.press((await mary.get(`${one}/remove`)).form('Remove the schedule'));
    expect((await mary.get(at('pipeline_schedules'))).text).toContain('No schedules yet.');
  });
});

describe('a badge', () => {
  const ask = async (page: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${gateway.url}/${page}`, { headers });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const titleIn = (text: string) => /<title>(.*)<\/title>/.exec(text)![1];

  test('shows the last pipeline of a branch, and its coverage', async () => {
    const own = await newReported(gateway, { visibility: 'public' });
    const report = (sent: object) => own.report({ sha: own.sha, ref: 'feature/x', ...sent });
    const at = `${own.fullPath}/-/badges/feature/x`;
    const title = async (name: string) => titleIn((await ask(`${at}/${name}`)).text);
    expect([await title('pipeline.svg'), await title('coverage.svg')]).toEqual([
      'pipeline: unknown',
      'coverage: unknown',
    ]);
    await report({ state: 'running', coverage: 91.5 });
    expect(await title('pipeline.svg')).toBe('pipeline: running');
    expect(await title('coverage.svg')).toBe('coverage: unknown');
    await report({ state: 'success', coverage: 91.5 });
    expect([await title('pipeline.svg'), await title('coverage.svg')]).toEqual([
      'pipeline: passed',
      'coverage: 91.50%',
    ]);
    expect(await title('pipeline.svg?key_text=A%3Cb%3E&key_width=80')).toBe('A&lt;b>: passed');
    const { headers, text } = await ask(`${at}/pipeline.svg?key_width=80`);
    expect(text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="129"/);
    expect(headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect(headers.get('cache-control')).toContain('no-store');
    expect(headers.get('content-security-policy')).toContain('sandbox');
  });

  test('is at the address that READMEs have, without a dash', async () => {
    const { fullPath } = await newReported(gateway, { visibility: 'public' });
    const { status, text } = await ask(`${fullPath}/badges/topic/pipeline.svg`);
    expect([status, titleIn(text)]).toEqual([200, 'pipeline: unknown']);
    expect((await ask(`${fullPath}/-/badges/main/other.svg`)).status).toBe(404);
  });

  test('is for those who read the pipelines', async () => {
    const open = await newReported(gateway, { visibility: 'public' });
    const hidden = await newReported(gateway);
    const statusOf = async ({ fullPath }: Reported) => (await ask(`${fullPath}/-/badges/main/pipeline.svg`)).status;
    expect([await statusOf(open), await statusOf(hidden)]).toEqual([200, 404]);
    await gateway.rest('PUT', open.path, { token: gateway.tokens.maintainer, json: { public_jobs: false } });
    expect(await statusOf(open)).toBe(404);
  });
});
