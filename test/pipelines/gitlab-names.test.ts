import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { ObjectReader } from '../../src/git/pool/objects.ts';
import { newCode, type Code } from '../repository/support/code.ts';
import { newMergeRequest } from '../reviews/support/merge-requests.ts';
import { statementsOf } from '../support/databases/statements.ts';
import { testGateway } from '../support/gateway.ts';
import { newCi, type Ci } from './support/ci.ts';
import { runningJob } from './support/jobs.ts';

/** Queries that were written for GitLab run unmodified: pipelines, jobs and settings under its names. */

const gateway = await testGateway();
const { rest, graphql, sql, tokens } = gateway;
const token = tokens.maintainer;

const yaml = `
stages: [build, test, deploy]
compile: { stage: build, script: make, tags: [nothing-has-this] }
lint: { stage: build, script: make lint }
unit: { stage: test, script: make test, needs: [lint] }
whole: { stage: test, script: make all }
ship: { stage: deploy, script: make ship, when: manual }
`;

let ci: Ci;
let pipeline: number;
/** Without a configuration: pushes make no pipelines. */
let code: Code;
let sha: string;
beforeAll(async () => {
  code = await newCode(gateway);
  sha = await code.commit({ 'a.txt': 'a' });
  ci = await newCi(gateway, yaml);
  pipeline = ((await ci.run()).body as { id: number }).id;
});

const inProject = async (fields: string, as: string | undefined = token, path = ci.fullPath) => {
  const { data, errors } = await graphql<any>(`query ($path: ID!) { project(fullPath: $path) { ${fields} } }`, {
    token: as,
    variables: { path },
  });
  expect(errors).toBeUndefined();
  return data!.project;
};
const ofPipeline = async (fields: string, as = token) =>
  (await inProject(`pipeline(id: "${pipeline}") { ${fields} }`, as)).pipeline;
const ofJobs = async (fields: string, as = token) => {
  const { jobs } = await ofPipeline(`jobs { nodes { name ${fields} } }`, as);
  return Object.fromEntries((jobs.nodes as { name: string }[]).map(({ name, ...rest }) => [name, rest])) as Record<
    string,
    any
  >;
};

/** Sends a log as a runner does. */
async function writeLog(job: { readonly id: number; readonly token: string }, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  const { status } = await fetch(`${gateway.url}/api/v4/jobs/${job.id}/trace`, {
    method: 'PATCH',
    headers: {
      'content-type': 'text/plain',
      'content-range': `0-${bytes.length - 1}`,
      'job-token': job.token,
    },
    body: bytes,
  });
  expect(status).toBe(202);
}

/** A machine of a new runner of a project, which carries out jobs. */
async function giveMachine(project: number, jobs: readonly number[]): Promise<number> {
  const [runner] = await sql<{ id: number }>(
    `insert into runners (kind, description, token_digest, tags)
     values ('project_type', 'x', sha256(random()::text::bytea), '{}') returning id`,
  );
  await sql('insert into runner_projects (runner_id, project_id) values ($1, $2)', [runner!.id, project]);
  const [manager] = await sql<{ id: number }>(
    `insert into runner_managers (runner_id, system_id) values ($1, 'machine-1') returning id`,
    [runner!.id],
  );
  await sql('update ci_jobs set runner_id = $2, runner_manager_id = $3 where id = any($1::int[])', [
    jobs,
    runner!.id,
    manager!.id,
  ]);
  return manager!.id;
}

/** Names in a connection, sorted. */
const names = ({ nodes }: { readonly nodes: readonly { name: string }[] }) => nodes.map(({ name }) => name).toSorted();

describe('a job', () => {
  test('says what it is, and what it waits for', async () => {
    const jobs = await ofJobs(`kind triggered playPath downstreamPipeline { id }
      previousStageJobs { nodes { name } }
      previousStageJobsOrNeeds { nodes { __typename ... on CiBuildNeed { name } ... on CiJob { name } } }`);
    expect(jobs.compile).toMatchObject({ kind: 'BUILD', triggered: false, downstreamPipeline: null });
    expect(jobs.compile.playPath).toMatch(new RegExp(`^/${ci.fullPath}/-/jobs/\\d+/play$`));
    expect(names(jobs.compile.previousStageJobs)).toEqual([]);
    expect(names(jobs.unit.previousStageJobs)).toEqual(['compile', 'lint']);
    expect(names(jobs.ship.previousStageJobs)).toEqual(['unit', 'whole']);
    expect(jobs.unit.previousStageJobsOrNeeds.nodes).toEqual([{ __typename: 'CiBuildNeed', name: 'lint' }]);
    expect(jobs.whole.previousStageJobsOrNeeds.nodes.map((one: any) => one.__typename)).toEqual(['CiJob', 'CiJob']);
    expect(names(jobs.whole.previousStageJobsOrNeeds)).toEqual(['compile', 'lint']);
  });

  test('has a button for what one can do with it, and its stage and what it needs have ids', async () => {
    const fields = `detailedStatus { action { id title buttonTitle icon method path confirmationMessage } }
      databaseId browseArtifactsPath needs { nodes { id } } stage { id groups { nodes { id name } } }`;
    await sql(`update ci_jobs set status = 'manual' where pipeline_id = $1 and name = 'ship'`, [pipeline]);
    const jobs = await ofJobs(fields);
    const { compile, ship, unit } = jobs;
    const page = (job: { databaseId: number }) => `/${ci.fullPath}/-/jobs/${job.databaseId}`;
    expect(compile.detailedStatus.action).toEqual({
      id: expect.any(String),
      title: 'Cancel',
      buttonTitle: 'Cancel this job',
      icon: 'cancel',
      method: 'post',
      path: `${page(compile)}/cancel`,
      confirmationMessage: null,
    });
    const start = { title: 'Run', buttonTitle: 'Run this job', icon: 'play', path: `${page(ship)}/play` };
    expect(ship.detailedStatus.action).toMatchObject(start);
    expect(unit.needs.nodes).toEqual([{ id: expect.stringMatching(/^gid:\/\/gitlab\/Ci::BuildNeed\//) }]);
    expect(compile.stage.id).toMatch(/^gid:\/\/gitlab\/Ci::Stage\//);
    const ids = Object.values(jobs).flatMap(({ stage }) => stage.groups.nodes.map(({ id }: { id: string }) => id));
    expect(new Set(ids).size).toBe(5);
    const groups = await ofPipeline('stages { nodes { groups { nodes { detailedStatus { action { path } } } } } }');
    expect(groups.stages.nodes[2].groups.nodes[0].detailedStatus.action.path).toBe(`${page(ship)}/play`);

    await sql(`update ci_jobs set status = 'canceled' where id = $1`, [compile.databaseId]);
    await sql(`update ci_jobs set status = 'scheduled', when_to_run = 'delayed' where id = $1`, [unit.databaseId]);
    const then = await ofJobs(fields);
    expect(then.compile.detailedStatus.action).toMatchObject({ title: 'Retry', path: `${page(compile)}/retry` });
    expect(then.unit.detailedStatus.action).toMatchObject({ title: 'Unschedule', icon: 'time-out' });
    await sql(`update ci_jobs set status = 'pending' where id = $1`, [compile.databaseId]);
    await sql(`update ci_jobs set status = 'created', when_to_run = 'on_success' where id = $1`, [unit.databaseId]);
    await sql(`update ci_jobs set status = 'created' where id = $1`, [ship.databaseId]);
    const guest = await gateway.accessToken('guest', ['api']);
    const [person] = await sql<{ id: number }>(`select id from users where username = 'guest'`);
    await rest('POST', `${ci.path}/members`, { token, json: { user_id: person!.id, access_level: 20 } });
    expect((await ofJobs(fields, guest)).compile.detailedStatus.action).toBeNull();
    await rest('DELETE', `${ci.path}/members/${person!.id}`, { token });
  });

  test('is stuck while no runner takes it', async () => {
    const stuck = async () =>
      Object.fromEntries(Object.entries(await ofJobs('stuck')).map(([name, job]) => [name, job.stuck]));
    const none = { unit: false, whole: false, ship: false };
    expect(await stuck()).toEqual({ compile: true, lint: true, ...none });
    expect((await ofPipeline('stuck')).stuck).toBe(true);
    const { body } = await rest('POST', '/api/v4/user/runners', {
      token,
      json: { runner_type: 'project_type', project_id: ci.id, run_untagged: true },
    });
    const { id } = body as { id: number };
    expect((await stuck()).lint).toBe(true);
    await sql('update runners set contacted_at = now() where id = $1', [id]);
    expect(await stuck()).toEqual({ compile: true, lint: false, ...none });
    await sql(`update runners set tags = '{nothing-has-this}' where id = $1`, [id]);
    expect((await ofPipeline('stuck')).stuck).toBe(false);
    await sql('delete from runners where id = $1', [id]);
  });

  test('can be started by those who may, with variables that only they and maintainers see', async () => {
    const own = await newCi(gateway, 'ship: { script: make ship, when: manual }\nother: { script: make }');
    const made = (await own.run()).body as { id: number };
    const ask = async (as: string | undefined) => {
      const { pipeline: found } = await inProject(
        `pipeline(id: "${made.id}") { hasManualActions hasScheduledActions
           jobs { nodes { name canPlayJob manualVariables { nodes { key value } } } } }`,
        as,
        own.fullPath,
      );
      return found;
    };
    const shown = async (as: string) =>
      Object.fromEntries((await ask(as)).jobs.nodes.map(({ name, ...rest }: any) => [name, rest]));
    expect(await ask(token)).toMatchObject({ hasManualActions: true, hasScheduledActions: false });
    expect(await shown(token)).toEqual({
      ship: { canPlayJob: true, manualVariables: { nodes: [] } },
      other: { canPlayJob: false, manualVariables: { nodes: [] } },
    });
    // Developers may not run what is on a protected branch.
    expect((await shown(tokens.developer)).ship).toEqual({ canPlayJob: false, manualVariables: null });
    const [ship] = await sql<{ id: number }>(`select id from ci_jobs where pipeline_id = $1 and name = 'ship'`, [
      made.id,
    ]);
    const variables = [{ key: 'TO', value: 'production' }];
    const played = await rest('POST', `${own.path}/jobs/${ship!.id}/play`, {
      token,
      json: { job_variables_attributes: variables },
    });
    expect(played.status).toBe(200);
    expect((await shown(token)).ship).toEqual({ canPlayJob: false, manualVariables: { nodes: variables } });
    expect((await shown(tokens.developer)).ship.manualVariables).toBeNull();
    expect(await ask(token)).toMatchObject({ hasManualActions: false });
  });

  test('shows its machine to those who administer its runner', async () => {
    const job = await runningJob(gateway, { ...code, sha });
    const manager = await giveMachine(code.id, [job.id]);
    const machine = async (as: string) =>
      (await inProject(`job(id: "${job.id}") { runnerManager { id systemId } }`, as, code.fullPath)).job.runnerManager;
    const shown = { id: `gid://gitlab/Ci::RunnerManager/${manager}`, systemId: 'machine-1' };
    expect(await machine(token)).toEqual(shown);
    expect(await machine(tokens.root)).toEqual(shown);
    expect(await machine(tokens.developer)).toBeNull();
  });
});

describe('the log of a job', () => {
  const newLog = async (text: string) => {
    const job = await runningJob(gateway, { ...code, sha });
    await writeLog(job, text);
    return job;
  };
  const summary = async (job: { id: number }, args = '', as: string | undefined = token) =>
    (await inProject(`job(id: "${job.id}") { trace { htmlSummary${args} } }`, as, code.fullPath)).job.trace
      ?.htmlSummary;

  test('is summed up as HTML by its last lines: colours as classes, what is dangerous escaped', async () => {
    const lines = Array.from({ length: 120 }, (_, index) => `line ${index + 1}`);
    const job = await newLog(
      `${lines.join('\n')}\nsection_start:1:step[collapsed=true]\r\u001b[0K\u001b[32mgood\u001b[0m\n<script>alert("x")</script>\nold\rnew\n`,
    );
    const all = await summary(job, '(lastLines: 1000)');
    expect(all.split('<br/>')).toHaveLength(100);
    expect((await summary(job)).split('<br/>')).toHaveLength(10);
    expect(await summary(job, '(lastLines: 3)')).toBe(
      '<span><span class="ansi-green-fg">good</span><br/>&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;<br/>new</span>',
    );
    expect(await summary(job, '(lastLines: 0)')).toBe('<span>new</span>');
    expect(await summary(job, '(lastLines: -5)')).toBe('<span>new</span>');
  });

  test('keeps what is masked, and reads the end of a long one', async () => {
    await rest('POST', `${code.path}/variables`, {
      token,
      json: { key: 'SECRET', value: 'very-secret-1', masked: true },
    });
    const job = await newLog(`${'x'.repeat(79)}\n`.repeat(1_000) + 'the very-secret-1 value\n');
    const text = await summary(job, '(lastLines: 100)');
    expect(text).toContain('the [MASKED] value');
    expect(text).not.toContain('very-secret');
    expect(text.length).toBeLessThan(20_000);
  });

  test('is null without one, and for those who don’t read it', async () => {
    const job = await newLog('hello\n');
    expect((await ofJobs('trace { htmlSummary }')).lint).toEqual({ trace: null });
    await sql('update ci_traces set debug = true where job_id = $1', [job.id]);
    expect(await summary(job)).toBe('<span>hello</span>');
    const guest = await gateway.accessToken('guest', ['api']);
    const { data } = await graphql<any>(
      `query ($path: ID!) { project(fullPath: $path) { job(id: "${job.id}") { trace { htmlSummary } } } }`,
      { token: guest, variables: { path: code.fullPath } },
    );
    expect(data?.project?.job?.trace ?? null).toBeNull();
  });
});

describe('a pipeline', () => {
  test('says what it is for', async () => {
    expect(
      await ofPipeline(`child trigger triggeredByPath upstream { id } sourceJob { id } configSource type latest
        refText committedAt mergeRequest { iid } mergeRequestEventType commit { committedDate }`),
    ).toEqual({
      child: false,
      trigger: false,
      triggeredByPath: null,
      upstream: null,
      sourceJob: null,
      configSource: 'REPOSITORY_SOURCE',
      type: 'branch',
      latest: expect.any(Boolean),
      refText: `for <a class="ref-name" href="/${ci.fullPath}/-/commits/main">main</a>`,
      committedAt: expect.any(String),
      mergeRequest: null,
      mergeRequestEventType: null,
      commit: { committedDate: expect.any(String) },
    });
  });

  test('keeps the warnings about its configuration', async () => {
    const own = await newCi(gateway, 'a: { script: make, resource_group: x }');
    const made = (await own.run()).body as { id: number };
    const { pipeline: shown } = await inProject(
      `pipeline(id: "${made.id}") { warningMessages { id content } }`,
      token,
      own.fullPath,
    );
    const content = expect.stringContaining('jobs:a:resource_group has no effect here');
    expect(shown.warningMessages).toEqual([{ id: expect.stringContaining(String(made.id)), content }]);
    expect((await ofPipeline('warningMessages { content }')).warningMessages).toEqual([]);
  });

  test('is the latest until its branch moves, and its branch may be gone', async () => {
    const own = await newCi(gateway, 'a: { script: make }');
    const made = (await own.run()).body as { id: number };
    const ask = async () =>
      (await inProject(`pipeline(id: "${made.id}") { latest refText }`, token, own.fullPath)).pipeline;
    expect((await ask()).latest).toBe(true);
    await own.commit({ 'b.txt': 'b' });
    expect((await ask()).latest).toBe(false);
    await sql(`update pipelines set ref = '<gone>' where id = $1`, [made.id]);
    expect(await ask()).toEqual({ latest: false, refText: 'for <span class="ref-name">&lt;gone&gt;</span>' });
  });

  test('is compared with its branch together with others of a list', async () => {
    const own = await newCi(gateway, 'a: { script: make }');
    const branches = ['counted-1', 'counted-2', 'counted-3'];
    for (const ref of branches) {
      await own.branch(ref);
      for (let turn = 0; turn < 3; turn++) await own.run({ ref });
    }
    const asked = vi.spyOn(ObjectReader.prototype, 'contents');
    const { pipelines } = await inProject('pipelines { nodes { ref latest refText } }', token, own.fullPath);
    const names = asked.mock.calls.map(([name]) => name).filter((name) => name.includes('counted-'));
    asked.mockRestore();
    const nodes = pipelines.nodes as { ref: string; latest: boolean }[];
    expect(nodes.filter(({ ref, latest }) => latest && branches.includes(ref)).length).toBeGreaterThanOrEqual(9);
    expect(names.toSorted()).toEqual(branches.map((name) => `refs/heads/${name}^{commit}`));
  });

  test('of a merge request names it', async () => {
    const own = await newCi(gateway, 'a: { script: make }');
    await own.branch('feature/one');
    const one = await newMergeRequest(gateway, own.fullPath, { author: 'maintainer', source: 'feature/one' });
    const made = (await own.run({ ref: 'feature/one' })).body as { id: number };
    await sql('update pipelines set merge_request_id = $2 where id = $1', [made.id, one.id]);
    const ask = async () =>
      (
        await inProject(
          `pipeline(id: "${made.id}") { type latest mergeRequestEventType mergeRequest { iid } refText }`,
          token,
          own.fullPath,
        )
      ).pipeline;
    const path = `/${own.fullPath}/-`;
    const branch = `<a class="ref-name" href="${path}/commits/feature/one">feature/one</a>`;
    expect(await ask()).toEqual({
      type: 'merge_request',
      latest: true,
      mergeRequestEventType: 'DETACHED',
      mergeRequest: { iid: '1' },
      refText: `for <a class="mr-iid" href="${path}/merge_requests/1">!1</a> with ${branch}`,
    });
    await rest('PUT', own.path, { token: tokens.root, json: { merge_requests_access_level: 'disabled' } });
    expect(await ask()).toMatchObject({ mergeRequest: null, refText: `for ${branch}` });
  });

  test('has the files and the tests of its jobs', async () => {
    const own = await newCi(gateway, 'one: { script: make }\ntwo: { script: make }\nthree: { script: make }');
    const made = (await own.run()).body as { id: number };
    const jobs = await sql<{ id: number; name: string }>('select id, name from ci_jobs where pipeline_id = $1', [
      made.id,
    ]);
    const id = (name: string) => jobs.find((one) => one.name === name)!.id;
    const cases = [{ name: 'adds', classname: 'Sum', file: null, status: 'success', executionTime: 0.5, output: null }];
    for (const name of ['one', 'two'])
      await sql('insert into ci_test_reports (job_id, cases) values ($1, $2)', [id(name), JSON.stringify(cases)]);
    await sql(
      `insert into ci_artifacts (job_id, kind, format, filename, size, location, complete)
       values ($1, 'archive', 'zip', 'artifacts.zip', 10, 'x', true)`,
      [id('one')],
    );
    const suite = (ids: (string | number)[]) => `testSuite(buildIds: ${JSON.stringify(ids)}) { name totalCount totalTime
      testCases { nodes { name } } }`;
    const ask = async (ids: (string | number)[]) =>
      (
        await inProject(
          `pipeline(id: "${made.id}") { jobArtifacts { name fileType } ${suite(ids)} }`,
          token,
          own.fullPath,
        )
      ).pipeline;
    const browsed = await inProject(
      `pipeline(id: "${made.id}") { jobs { nodes { name browseArtifactsPath } } }`,
      token,
      own.fullPath,
    );
    const ofOne = { name: 'one', browseArtifactsPath: `/${own.fullPath}/-/jobs/${id('one')}` };
    expect(browsed.pipeline.jobs.nodes.filter((one: any) => one.browseArtifactsPath !== null)).toEqual([ofOne]);
    expect(await ask([id('one')])).toEqual({
      jobArtifacts: [{ name: 'artifacts.zip', fileType: 'ARCHIVE' }],
      testSuite: { name: 'one', totalCount: 1, totalTime: 0.5, testCases: { nodes: [{ name: 'adds' }] } },
    });
    expect((await ask([`gid://gitlab/Ci::Build/${id('one')}`, id('two')])).testSuite).toMatchObject({
      totalCount: 2,
      totalTime: 1,
    });
    expect((await ask([id('three')])).testSuite).toBeNull();
  });
});

describe('the settings of pipelines', () => {
  const fields = `keepLatestArtifact jobTokenScopeEnabled inboundJobTokenScopeEnabled mergePipelinesEnabled
    mergeTrainsEnabled project { fullPath }`;
  const change = (input: object, as = token) =>
    graphql<any>(
      `mutation ($input: ProjectCiCdSettingsUpdateInput!) {
        projectCiCdSettingsUpdate(input: $input) { ciCdSettings { ${fields} } errors } }`,
      { token: as, variables: { input: { fullPath: ci.fullPath, ...input } } },
    );

  test('are read and changed by maintainers', async () => {
    const usual = {
      keepLatestArtifact: true,
      jobTokenScopeEnabled: false,
      inboundJobTokenScopeEnabled: true,
      mergePipelinesEnabled: false,
      mergeTrainsEnabled: false,
      project: { fullPath: ci.fullPath },
    };
    expect((await inProject(`ciCdSettings { ${fields} }`)).ciCdSettings).toEqual(usual);
    expect((await inProject(`ciCdSettings { ${fields} }`, tokens.developer)).ciCdSettings).toBeNull();
    const { data } = await change({ keepLatestArtifact: false, inboundJobTokenScopeEnabled: true });
    expect(data.projectCiCdSettingsUpdate).toEqual({
      ciCdSettings: { ...usual, keepLatestArtifact: false },
      errors: [],
    });
    expect((await rest('GET', ci.path, { token })).body.keep_latest_artifact).toBe(false);
    const refused = await change({ keepLatestArtifact: true }, tokens.developer);
    expect(refused.errors).toHaveLength(1);
  });

  test('that are what they are can’t be changed', async () => {
    const { data } = await change({ keepLatestArtifact: true, jobTokenScopeEnabled: true });
    expect(data.projectCiCdSettingsUpdate).toEqual({
      ciCdSettings: null,
      errors: [expect.stringContaining('can only be false')],
    });
    expect((await rest('GET', ci.path, { token })).body.keep_latest_artifact).toBe(false);
  });
});

test('a page of 20 jobs takes as many statements as one of two', async () => {
  const many = await newCi(
    gateway,
    Array.from(
      { length: 20 },
      (_, index) => `job-${index}: { script: make, when: ${index % 2 ? 'manual' : 'on_success'} }`,
    ).join('\n'),
  );
  const made = (await many.run()).body as { id: number };
  const fields = `name detailedStatus { action { path } } browseArtifactsPath kind triggered stuck canPlayJob playPath downstreamPipeline { id } manualVariables { nodes { key value } }
    previousStageJobs { nodes { name } } previousStageJobsOrNeeds { nodes { __typename } } runnerManager { systemId }
    trace { htmlSummary }`;
  const ask = async (first: number) => {
    let found: any;
    const sent = await statementsOf(async () => {
      found = await inProject(
        `pipeline(id: "${made.id}") { jobs(first: ${first}) { nodes { ${fields} } } }`,
        token,
        many.fullPath,
      );
    });
    expect(found.pipeline.jobs.nodes).toHaveLength(first);
    return sent.length;
  };
  await ask(2);
  expect(await ask(20)).toBe(await ask(2));
});

test('the logs and machines of 20 jobs are looked up at once', async () => {
  const own = await newCode(gateway);
  const at = { ...own, sha: await own.commit({ 'a.txt': 'a' }) };
  const jobs: number[] = [];
  for (let count = 0; count < 20; count++) {
    const job = await runningJob(gateway, at);
    await writeLog(job, `hello ${count}\n`);
    jobs.push(job.id);
    await giveMachine(own.id, [job.id]);
  }
  const ask = async (first: number) => {
    let found: any;
    const sent = await statementsOf(async () => {
      const fields = 'trace { htmlSummary } runnerManager { systemId } triggered stuck';
      found = await inProject(`jobs(first: ${first}) { nodes { ${fields} } }`, token, own.fullPath);
    });
    expect(found.jobs.nodes).toHaveLength(first);
    for (const { trace, runnerManager } of found.jobs.nodes) {
      expect(trace.htmlSummary).toMatch(/^<span>hello \d+<\/span>$/);
      expect(runnerManager).toEqual({ systemId: 'machine-1' });
    }
    return sent.length;
  };
  await ask(2);
  expect(await ask(20)).toBe(await ask(2));
});

test('administrators see where the folder of a repository is', async () => {
  const path = async (as: string) => (await inProject('repository { diskPath }', as)).repository.diskPath;
  expect(await path(token)).toBeNull();
  const folder = (await path(tokens.root)) as string;
  expect(folder).toMatch(/^@hashed\/[0-9a-f]{2}\/[0-9a-f]{2}\/[0-9a-f]{64}$/);
  expect(existsSync(join(gateway.dataDir, 'repositories', `${folder}.git`, 'HEAD'))).toBe(true);
});
