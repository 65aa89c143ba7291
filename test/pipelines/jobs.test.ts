import { describe, expect, onTestFinished, test } from 'vitest';
import { deriveKey } from '../../src/auth/keys/crypto.ts';
import { newToken } from '../../src/auth/credentials/tokens.ts';
import { openSecret } from '../../src/schema/pipelines/variables/sealing.ts';
import { statementsOf } from '../support/databases/statements.ts';
import { subscribe } from '../support/requests/event-stream.ts';
import { testGateway } from '../support/gateway.ts';
import { secretKey } from '../support/run/global-setup.ts';
import { addMember, newUser } from '../support/places/people.ts';
import { newCi, quiet, type Ci } from './support/ci.ts';

const gateway = await testGateway();
const { rest, graphql, sql, tokens } = gateway;
const token = tokens.maintainer;

const three = `
stages: [build, test, deploy]
compile: { stage: build, script: make, tags: [ubuntu18, docker] }
unit: { stage: test, script: make test }
ship: { stage: deploy, script: make ship, when: manual }
`;

/** The ids of the jobs of a pipeline, by their names. */
async function idsOf(ci: Ci, pipeline: number): Promise<Record<string, number>> {
  const { body } = await rest('GET', `${ci.path}/pipelines/${pipeline}/jobs`, { token });
  return Object.fromEntries((body as { name: string; id: number }[]).map(({ name, id }) => [name, id]));
}

const started = async (yaml = three) => {
  const ci = await newCi(gateway, yaml);
  const { body } = await ci.run();
  const pipeline = (body as { id: number }).id;
  return { ci, pipeline, ids: await idsOf(ci, pipeline) };
};
const act = (ci: Ci, id: number, verb: string, json: object = {}, as = token) =>
  rest('POST', `${ci.path}/jobs/${id}/${verb}`, { token: as, json });
const statusOf = async (ci: Ci, pipeline: number) =>
  (await rest('GET', `${ci.path}/pipelines/${pipeline}`, { token })).body.status;

describe('a job', () => {
  test('is hidden from everyone where jobs are off; pipelines aren’t', async () => {
    const { ci, pipeline, ids } = await started();
    await rest('PUT', ci.path, { token, json: { visibility: 'public', builds_access_level: 'disabled' } });
    for (const path of [
      '/jobs',
      `/jobs/${ids.compile}`,
      `/jobs/${ids.compile}/trace`,
      '/pipeline_schedules',
      '/environments',
      '/deployments',
    ])
      for (const as of [token, tokens.root])
        expect([path, (await rest('GET', `${ci.path}${path}`, { token: as })).status]).toEqual([path, 403]);
    expect((await rest('GET', `${ci.path}/pipelines/${pipeline}`, { token })).status).toBe(200);
    expect((await rest('GET', `${ci.path}/pipelines/${pipeline}/jobs`, { token })).text).not.toContain('compile');
  });

  test('is neither counted nor listed where jobs are off, but what scripts report is', async () => {
    const { ci, pipeline } = await started(`
compile: { script: make, allow_failure: true }
unit: { script: make test, needs: [compile] }
`);
    await ci.end(pipeline, 'compile', { status: 'failed', failureReason: 'script_failure' });
    const { sha } = (await rest('GET', `${ci.path}/pipelines/${pipeline}`, { token })).body;
    const reported = { state: 'success', name: 'outside', ref: 'main', pipeline_id: pipeline };
    expect((await rest('POST', `${ci.path}/statuses/${sha}`, { token, json: reported })).status).toBe(201);
    await ci.run();
    const names = 'nodes { name }';
    const query = `{ project(fullPath: "${ci.fullPath}") { pipelines(first: 3) { nodes {
      id totalJobs warnings retryable usesNeeds detailedStatus { group } jobs(first: 5) { ${names} }
      stages(first: 3) { nodes { jobs(first: 3) { nodes { name stage { jobs(first: 3) { ${names} } } } } } } job(name: "compile") { name }
    } } } }`;
    const shown = async () => {
      const answer = await graphql<any>(query, { token });
      expect(answer.errors).toBeUndefined();
      const pipelines = answer.data!.project.pipelines.nodes as any[];
      const statuses = (await rest('GET', `${ci.path}/repository/commits/${sha}/statuses`, { token })).body as any[];
      const one = pipelines.find(({ id }) => id.endsWith(`/${pipeline}`));
      return { one, statuses: statuses.filter((status) => status.pipeline_id === pipeline).map(({ name }) => name) };
    };
    const { one, statuses } = await shown();
    expect(one).toMatchObject({ totalJobs: 3, warnings: true, retryable: true, usesNeeds: true });
    expect(statuses).toEqual(['compile', 'unit', 'outside']);
    const menu = async () => (await rest('GET', `/${ci.fullPath}`)).text;
    await rest('PUT', ci.path, { token, json: { visibility: 'public' } });
    expect(await menu()).toContain('/-/pipeline_schedules"');

    await rest('PUT', ci.path, { token, json: { builds_access_level: 'disabled' } });
    const seen = [{ name: 'outside' }];
    expect(await shown()).toEqual({
      statuses: ['outside'],
      one: {
        id: one.id,
        totalJobs: 1,
        warnings: false,
        retryable: false,
        usesNeeds: false,
        detailedStatus: { group: one.detailedStatus.group.replace('-with-warnings', '') },
        jobs: { nodes: seen },
        stages: { nodes: [{ jobs: { nodes: [{ name: 'outside', stage: { jobs: { nodes: seen } } }] } }] },
        job: null,
      },
    });
    expect(await menu()).toContain('/-/pipelines"');
    expect(await menu()).not.toContain('/-/pipeline_schedules"');
    // However many pipelines a page has, no statement runs twice for it.
    const asked = await statementsOf(() =>
      graphql(`{ project(fullPath: "${ci.fullPath}") { pipelines { nodes { jobs { ${names} } } } } }`, { token }),
    );
    expect(new Set(asked).size).toBe(asked.length);
  });

  test('is seen, with its pipeline, only by those who read pipelines, also where a script reported it', async () => {
    const { ci, pipeline } = await started();
    const { sha } = (await rest('GET', `${ci.path}/pipelines/${pipeline}`, { token })).body;
    const reported = { state: 'success', name: 'outside', ref: 'main', pipeline_id: pipeline };
    await rest('POST', `${ci.path}/statuses/${sha}`, { token, json: reported });
    await rest('PUT', ci.path, { token, json: { visibility: 'public', builds_access_level: 'private' } });
    const stranger = await newUser(gateway, 'stranger-to-jobs');
    const query = `{ project(fullPath: "${ci.fullPath}") { repository { commit(ref: "main") {
      statuses(first: 20) { nodes { name pipeline { status } } } } } } }`;
    const shown = async (as: string) =>
      (await graphql<any>(query, { token: as })).data!.project.repository.commit.statuses;
    expect(await shown(stranger.token)).toBeNull();
    expect((await shown(token)).nodes).toContainEqual({ name: 'outside', pipeline: { status: expect.any(String) } });
    const list = `${ci.path}/repository/commits/${sha}/statuses`;
    expect((await rest('GET', list, { token: stranger.token })).status).toBe(403);
    expect((await rest('GET', list, { token })).status).toBe(200);
  });

  test('has exactly the keys of the contract', async () => {
    const { ci, pipeline, ids } = await started();
    const { body } = await rest('GET', `${ci.path}/jobs/${ids.compile}`, { token });
    expect(Object.keys(body)).toEqual([
      'id',
      'status',
      'stage',
      'name',
      'ref',
      'tag',
      'coverage',
      'allow_failure',
      'created_at',
      'started_at',
      'finished_at',
      'erased_at',
      'duration',
      'queued_duration',
      'user',
      'commit',
      'pipeline',
      'web_url',
      'project',
      'artifacts',
      'runner',
      'runner_manager',
      'artifacts_expire_at',
      'archived',
      'tag_list',
    ]);
    expect(body).toMatchObject({
      status: 'pending',
      stage: 'build',
      name: 'compile',
      ref: 'main',
      started_at: null,
      duration: null,
      queued_duration: expect.any(Number),
      user: { username: 'maintainer', bio: expect.any(String) },
      commit: { title: 'Change' },
      pipeline: { id: pipeline, status: 'pending' },
      web_url: `${gateway.url}/${ci.fullPath}/-/jobs/${ids.compile}`,
      artifacts: [],
      tag_list: ['docker', 'ubuntu18'],
    });
    await ci.end(pipeline, 'compile', { status: 'failed', failureReason: 'script_failure', coverage: 81.5 });
    const failed = (await rest('GET', `${ci.path}/jobs/${ids.compile}`, { token })).body;
    expect(failed).toMatchObject({ failure_reason: 'script_failure', duration: expect.any(Number), coverage: 81.5 });
    expect((await rest('GET', `${ci.path}/jobs/0`, { token })).body).toEqual({ message: '404 Not found' });
  });

  test('is listed in its project and its pipeline, the newest first, without totals', async () => {
    const { ci, pipeline, ids } = await started();
    await quiet(gateway);
    const { body, headers } = await rest('GET', `${ci.path}/jobs?per_page=3`, { token });
    expect(body).toHaveLength(3);
    expect([headers.get('x-total'), headers.get('x-next-page')]).toEqual([null, '2']);
    const listed = async (query: string) =>
      ((await rest('GET', `${ci.path}/${query}`, { token })).body as { id: number }[]).map(({ id }) => id);
    const all = [ids.ship!, ids.unit!, ids.compile!];
    expect(await listed(`pipelines/${pipeline}/jobs`)).toEqual(all);
    expect(await listed(`pipelines/${pipeline}/jobs?scope[]=pending&scope[]=manual`)).toEqual([ids.compile]);
    expect(await listed(`pipelines/${pipeline}/jobs?scope=created`)).toEqual([ids.ship, ids.unit]);
    expect(await listed(`pipelines/${pipeline}/bridges`)).toEqual([]);
    expect((await rest('GET', `${ci.path}/jobs?scope=done`, { token })).body).toEqual({
      error: 'scope does not have a valid value',
    });
    await ci.end(pipeline, 'compile', { status: 'failed' });
    const again = (await act(ci, ids.compile!, 'retry')).body.id as number;
    expect(await listed(`pipelines/${pipeline}/jobs`)).toEqual([again, ids.ship, ids.unit]);
    expect(await listed(`pipelines/${pipeline}/jobs?include_retried=true`)).toEqual([again, ...all]);
  });

  test('is retried as a new one, and what was skipped after it waits again', async () => {
    const { ci, pipeline, ids } = await started();
    expect((await act(ci, ids.compile!, 'retry')).body).toEqual({ message: '403 Forbidden - Job is not retryable' });
    await ci.end(pipeline, 'compile', { status: 'failed' });
    expect(await ci.jobs(pipeline)).toEqual({ compile: 'failed', unit: 'skipped', ship: 'skipped' });
    const { status, body } = await act(ci, ids.compile!, 'retry');
    expect([status, body.status, body.name]).toEqual([201, 'pending', 'compile']);
    expect(body.id).toBeGreaterThan(ids.ship!);
    expect(await ci.jobs(pipeline)).toEqual({ compile: 'pending', unit: 'created', ship: 'created' });
    expect((await act(ci, ids.compile!, 'retry')).status).toBe(403);
    await ci.end(pipeline, 'compile');
    await ci.end(pipeline, 'unit');
    // A manual job that may not fail: it is one by its stage’s rules, and doesn’t block.
    expect([await ci.jobs(pipeline), await statusOf(ci, pipeline)]).toEqual([
      { compile: 'success', unit: 'success', ship: 'manual' },
      'success',
    ]);
  });

  test('that is manual is played, with variables, and played again after it failed', async () => {
    const { ci, pipeline, ids } = await started();
    expect((await act(ci, ids.ship!, 'play')).body).toEqual({ message: '400 Bad request - Unplayable Job' });
    await ci.end(pipeline, 'compile');
    await ci.end(pipeline, 'unit');
    const variables = { job_variables_attributes: [{ key: 'WHERE', value: 'harbour' }] };
    const { status, body } = await act(ci, ids.ship!, 'play', variables);
    expect([status, body.id, body.status]).toEqual([200, ids.ship, 'pending']);
    const kept = await sql<{ key: string; sealed: Buffer }>(
      'select key, sealed from ci_job_variables where job_id = $1',
      [ids.ship],
    );
    expect([kept.map(({ key }) => key), kept[0]!.sealed.includes('harbour')]).toEqual([['WHERE'], false]);
    expect((await act(ci, ids.ship!, 'play')).status).toBe(400);
    const job = (await idsOf(ci, pipeline)).ship!;
    await sql("update ci_jobs set status = 'manual' where id = $1", [job]);
    const blank = { job_variables_attributes: [{ key: 'INDENT', value: '  ' }] };
    expect((await act(ci, job, 'play', blank)).status).toBe(200);
    const keys = { derive: (label: string) => [deriveKey(secretKey, label)] };
    const [given] = await sql<{ sealed: Buffer }>('select sealed from ci_job_variables where job_id = $1', [job]);
    expect(openSecret(keys, `ci_job_variable:${job}:INDENT`, given!.sealed)).toBe('  ');
    await ci.end(pipeline, 'ship', { status: 'failed' });
    expect(await statusOf(ci, pipeline)).toBe('success');
    const again = await act(ci, ids.ship!, 'play');
    expect([again.status, again.body.status, again.body.id === ids.ship]).toEqual([200, 'pending', false]);
  });

  test('is canceled at once, also while it runs; a finished one stays', async () => {
    const { ci, pipeline, ids } = await started();
    await sql(
      "update ci_jobs set status = 'running', started_at = now(), token_digest = sha256(id::text::bytea) where id = $1",
      [ids.compile],
    );
    const { status, body } = await act(ci, ids.compile!, 'cancel');
    expect([status, body.status]).toEqual([201, 'canceled']);
    const [stored] = await sql('select token_digest from ci_jobs where id = $1', [ids.compile]);
    expect(stored).toEqual({ token_digest: null });
    expect(await ci.jobs(pipeline)).toEqual({ compile: 'canceled', unit: 'skipped', ship: 'skipped' });
    expect(await statusOf(ci, pipeline)).toBe('canceled');
    const again = await act(ci, ids.compile!, 'cancel');
    expect([again.status, again.body.status]).toEqual([201, 'canceled']);
    const { finishJob } = await import('../../src/schema/pipelines/processing/finish.ts');
    expect(await finishJob(gateway.gateway.application, ids.compile!, { status: 'success' })).toBe('not running');
  });

  test('is erased once it has finished, by who started it and by maintainers', async () => {
    const ci = await newCi(gateway, three);
    await ci.branch('open');
    const { body: made } = await ci.run({ ref: 'open' }, token);
    const ids = await idsOf(ci, made.id);
    expect((await act(ci, ids.compile!, 'erase')).body).toEqual({ message: '403 Forbidden - Job is not erasable!' });
    await ci.end(made.id, 'compile');
    expect((await act(ci, ids.compile!, 'erase', {}, tokens.developer)).body).toEqual({ message: '403 Forbidden' });
    const { status, body } = await act(ci, ids.compile!, 'erase');
    expect([status, body.erased_at]).toEqual([201, expect.any(String)]);
    expect((await act(ci, ids.compile!, 'erase')).status).toBe(403);
  });

  test('is changed by those who may push to its branch', async () => {
    const { ci, ids } = await started();
    const reporter = await newUser(gateway, 'reporting-jobs');
    await addMember(gateway, reporter, 'REPORTER', { project: String(ci.id) });
    for (const verb of ['cancel', 'retry', 'erase', 'play'])
      for (const as of [reporter.token, tokens.developer])
        expect((await act(ci, ids.compile!, verb, {}, as)).body).toEqual({ message: '403 Forbidden' });
  });

  test('has GitLab’s names at /graphql', async () => {
    const { ci, pipeline, ids } = await started(`
stages: [build, deploy]
compile: { stage: build, script: make }
ship: { stage: deploy, script: make, needs: [compile], when: manual }`);
    const id = `gid://gitlab/Ci::Build/${ids.compile}`;
    const query = `query ($path: ID!, $id: JobID!) { project(fullPath: $path) {
      jobs(statuses: [PENDING], first: 1) { nodes { name } }
      job(id: $id) { id name active cancelable retryable playable manualJob tags stageName needs { nodes { name } } webPath
        pipeline { iid } project { fullPath } schedulingType }
      ship: job(id: ${ids.ship}) { manualJob schedulingType needs { nodes { name } } } } }`;
    const { data } = await graphql(query, { token, variables: { path: ci.fullPath, id } });
    expect(data!.project).toMatchObject({
      jobs: { nodes: [{ name: 'compile' }] },
      job: {
        id,
        active: true,
        cancelable: true,
        retryable: false,
        playable: false,
        manualJob: false,
        tags: [],
        webPath: `/${ci.fullPath}/-/jobs/${ids.compile}`,
        needs: { nodes: [] },
        schedulingType: 'stage',
      },
      ship: { manualJob: true, schedulingType: 'dag', needs: { nodes: [{ name: 'compile' }] } },
    });
    const run = async (name: string, type: string, of: number) =>
      (
        await graphql(`mutation ($id: ${type}!) { ${name}(input: { id: $id }) { errors job { status } } }`, {
          token,
          variables: { id: `gid://gitlab/Ci::Build/${of}` },
        })
      ).data![name];
    expect(await run('jobCancel', 'CiBuildID', ids.compile!)).toEqual({ errors: [], job: { status: 'CANCELED' } });
    expect(await run('jobRetry', 'CiProcessableID', ids.compile!)).toEqual({ errors: [], job: { status: 'PENDING' } });
    await ci.end(pipeline, 'compile');
    expect(await run('jobPlay', 'CiProcessableID', ids.ship!)).toEqual({ errors: [], job: { status: 'PENDING' } });
  });
});

describe('a pipeline', () => {
  test('is retried: what failed or was canceled has new jobs, what was skipped waits again', async () => {
    const { ci, pipeline } = await started();
    const retry = (as = token) => rest('POST', `${ci.path}/pipelines/${pipeline}/retry`, { token: as });
    const { body: unchanged } = await retry();
    expect(unchanged.status).toBe('pending');
    await ci.end(pipeline, 'compile');
    await ci.end(pipeline, 'unit', { status: 'failed' });
    expect(await statusOf(ci, pipeline)).toBe('failed');
    expect((await retry(tokens.developer)).status).toBe(403);
    const { status, body } = await retry();
    expect([status, body.status, body.finished_at]).toEqual([201, 'running', null]);
    expect(await ci.jobs(pipeline)).toEqual({ compile: 'success', unit: 'pending', ship: 'created' });
    await rest('POST', `${ci.path}/pipelines/${pipeline}/cancel`, { token });
    expect(await ci.jobs(pipeline)).toEqual({ compile: 'success', unit: 'canceled', ship: 'canceled' });
    await retry();
    expect(await ci.jobs(pipeline)).toEqual({ compile: 'success', unit: 'pending', ship: 'created' });
  });

  test('tries failed jobs again as their configuration says, for the reasons that it names', async () => {
    const { ci, pipeline } = await started(
      'a: { script: make, retry: { max: 1, when: runner_system_failure } }\nb: { script: make, allow_failure: { exit_codes: [3] } }',
    );
    await ci.end(pipeline, 'a', { status: 'failed', failureReason: 'runner_system_failure' });
    expect(await ci.jobs(pipeline)).toEqual({ b: 'pending', a: 'pending' });
    await ci.end(pipeline, 'a', { status: 'failed', failureReason: 'runner_system_failure' });
    expect(await ci.jobs(pipeline)).toEqual({ b: 'pending', a: 'failed' });
    await ci.end(pipeline, 'b', { status: 'failed', failureReason: 'script_failure', exitCode: 3 });
    expect(await statusOf(ci, pipeline)).toBe('failed');
    const a = (await idsOf(ci, pipeline)).a!;
    await act(ci, a, 'retry');
    await ci.end(pipeline, 'a');
    expect(await statusOf(ci, pipeline)).toBe('success');
  });

  test('tries failed jobs again after the exit codes that their configuration names', async () => {
    const { ci, pipeline } = await started('a: { script: make, retry: { max: 2, exit_codes: [137, 255] } }');
    await ci.end(pipeline, 'a', { status: 'failed', failureReason: 'script_failure', exitCode: 255 });
    expect(await ci.jobs(pipeline)).toEqual({ a: 'pending' });
    await ci.end(pipeline, 'a', { status: 'failed', failureReason: 'script_failure', exitCode: 1 });
    expect(await ci.jobs(pipeline)).toEqual({ a: 'failed' });
  });
});

describe('a live subscription', () => {
  async function listen(query: string, as: string, at: { readonly url: string } = gateway) {
    const reader = await subscribe(at, `subscription { told: ${query} }`, { token: as });
    onTestFinished(() => reader.leave());
    return async () => (await reader.next())!.data as { data?: { told: unknown }; errors?: unknown };
  }

  test('follows a pipeline with its jobs, through another gateway too, and a job by itself', async () => {
    const { ci, pipeline, ids } = await started();
    const other = await testGateway({}, gateway);
    const whole = await listen(
      `ciPipelineStatusUpdated(pipelineId: "gid://gitlab/Ci::Pipeline/${pipeline}") { status jobs { nodes { name status } } }`,
      token,
      other,
    );
    const one = await listen(`ciJobStatusUpdated(jobId: "gid://gitlab/Ci::Build/${ids.unit}") { name status }`, token);
    await ci.end(pipeline, 'compile');
    expect(await whole()).toMatchObject({
      data: {
        told: {
          status: 'RUNNING',
          jobs: {
            nodes: [
              { name: 'ship', status: 'CREATED' },
              { name: 'unit', status: 'PENDING' },
              { name: 'compile', status: 'SUCCESS' },
            ],
          },
        },
      },
    });
    // What happened to `compile` alone is no change of it.
    expect(await one()).toEqual({ data: { told: { name: 'unit', status: 'PENDING' } } });
    await ci.end(pipeline, 'unit', { status: 'failed' });
    expect(await whole()).toMatchObject({ data: { told: { status: 'FAILED' } } });
    expect(await one()).toEqual({ data: { told: { name: 'unit', status: 'FAILED' } } });
    await rest('DELETE', `${ci.path}/pipelines/${pipeline}`, { token: tokens.root });
    expect(await whole()).toEqual({ data: { told: null } });
  });

  test('is for those who read it', async () => {
    const { pipeline, ids } = await started();
    const stranger = await newUser(gateway, 'stranger-to-pipelines');
    for (const query of [
      `ciPipelineStatusUpdated(pipelineId: "gid://gitlab/Ci::Pipeline/${pipeline}") { status }`,
      `ciJobStatusUpdated(jobId: "gid://gitlab/Ci::Build/${ids.unit}") { status }`,
    ])
      expect(await (await listen(query, stranger.token))()).toMatchObject({
        errors: [{ extensions: { code: 'NOT_FOUND' } }],
      });
  });
});

describe('the clock', () => {
  test('starts delayed jobs, which can be started before', async () => {
    const { ci, pipeline, ids } = await started(
      'soon: { script: make, when: delayed, start_in: 1 second }\nlater: { script: make, when: delayed, start_in: 1 day }',
    );
    expect((await ci.jobs(pipeline)).later).toBe('scheduled');
    await expect.poll(async () => (await ci.jobs(pipeline)).soon, { timeout: 15_000 }).toBe('pending');
    expect((await act(ci, ids.later!, 'play')).body.status).toBe('pending');
  });

  test('leaves alone a delayed job that was unscheduled: it waits for a person', async () => {
    const { ci, pipeline, ids } = await started('soon: { script: make, when: delayed, start_in: 2 seconds }');
    const unschedule = async (as: string) => {
      const { data, errors } = await graphql(
        'mutation ($id: CiBuildID!) { jobUnschedule(input: { id: $id }) { errors job { status scheduled scheduledAt playable } } }',
        { token: as, variables: { id: `gid://gitlab/Ci::Build/${ids.soon}` } },
      );
      return errors?.[0]!.message ?? (data!.jobUnschedule as { errors: string[]; job: object });
    };
    expect(await unschedule(tokens.developer)).toContain('you don');
    const waits = { status: 'MANUAL', scheduled: false, scheduledAt: null, playable: true };
    expect(await unschedule(token)).toEqual({ errors: [], job: waits });
    expect(await unschedule(token)).toEqual({ errors: ['The job doesn’t wait for its time.'], job: null });
    // Its time comes.
    await gateway.sql(`update jobs set run_at = now() where name = 'start_delayed_job' and payload->>'jobId' = $1`, [
      String(ids.soon),
    ]);
    await expect
      .poll(() =>
        gateway.sql(`select 1 from jobs where name = 'start_delayed_job' and payload->>'jobId' = $1`, [
          String(ids.soon),
        ]),
      )
      .toEqual([]);
    expect(await ci.jobs(pipeline)).toEqual({ soon: 'manual' });
    expect(await statusOf(ci, pipeline)).toBe('manual');
    expect((await act(ci, ids.soon!, 'play')).body.status).toBe('pending');
  });

  test('fails jobs that no runner ends', async () => {
    const { ci, pipeline, ids } = await started(
      'silent: { script: make }\nlong: { script: make, timeout: 1 minute }\nlonely: { script: make }\nstale: { script: make, when: delayed, start_in: 1 day }\nfine: { script: make }',
    );
    const set = (name: string, what: string) => sql(`update ci_jobs set ${what} where id = $1`, [ids[name]]);
    await set('silent', "status = 'running', started_at = now(), contacted_at = now() - interval '61 minutes'");
    await set('long', "status = 'running', started_at = now() - interval '3 minutes', contacted_at = now()");
    await set('lonely', "queued_at = now() - interval '25 hours'");
    await set('stale', "scheduled_at = now() - interval '61 minutes'");
    await set('fine', "status = 'running', started_at = now() - interval '30 minutes', contacted_at = now()");
    const { dropStuckJobs } = await import('../../src/schema/pipelines/processing/stuck.ts');
    await dropStuckJobs(gateway.gateway.application.database, new AbortController().signal);
    const rows = await sql<{ name: string; status: string; failure_reason: string | null }>(
      'select name, status, failure_reason from ci_jobs where pipeline_id = $1 order by id',
      [pipeline],
    );
    expect(rows.map((row) => Object.values(row))).toEqual([
      ['silent', 'failed', 'stuck_or_timeout_failure'],
      ['long', 'failed', 'job_execution_timeout'],
      ['lonely', 'failed', 'stuck_or_timeout_failure'],
      ['stale', 'failed', 'stale_schedule'],
      ['fine', 'running', null],
    ]);
    expect(await statusOf(ci, pipeline)).toBe('running');
  });
});

describe('the token of a job', () => {
  test('reads its job; that of a person doesn’t', async () => {
    const { ids } = await started();
    const { secret, digest } = newToken('job');
    await sql(
      "update ci_jobs set status = 'running', started_at = now(), token_digest = $2, issued_digest = $2 where id = $1",
      [ids.compile, digest],
    );
    const own = await rest('GET', '/api/v4/job', { headers: { 'job-token': secret } });
    expect([own.status, own.body.id]).toEqual([200, ids.compile]);
    expect((await rest('GET', '/api/v4/job', { token })).status).toBe(404);
    expect((await rest('GET', '/api/v4/job')).status).toBe(401);
  });
});
