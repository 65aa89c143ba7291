import { describe, expect, test } from 'vitest';
import { createPipelines } from '../../src/schema/pipelines/creation/of-push.ts';
import { testGateway } from '../support/gateway.ts';
import { whileHeld } from '../support/databases/held.ts';
import { quiet as settled } from '../reviews/support/sound.ts';
import { addMember, newUser } from '../support/places/people.ts';
import { newCi, quiet } from './support/ci.ts';

const gateway = await testGateway();
const { rest, graphql, sql, tokens } = gateway;
const token = tokens.maintainer;

/** Follows all changes of a project, as if that were still to be done. @param runs how often at the same time */
async function followAgain(projectId: number, runs = 1): Promise<void> {
  await sql('update repositories set pipelined = 0 where project_id = $1', [projectId]);
  const run = () => createPipelines(gateway.gateway.application, { projectId }, AbortSignal.timeout(60_000));
  await Promise.all(Array.from({ length: runs }, run));
}

const threeStages = `
stages: [build, test, deploy]
compile: { stage: build, script: make }
unit: { stage: test, script: make test }
lint: { stage: test, script: make lint, allow_failure: true }
ship: { stage: deploy, script: make ship, when: manual }
`;

describe('a pipeline of a protected tag', () => {
  test('is made by those who may make the tag, and its jobs are protected', async () => {
    const ci = await newCi(gateway, threeStages);
    const tag = async (tag_name: string) => {
      const { status } = await rest('POST', `${ci.path}/repository/tags`, { token, json: { tag_name, ref: 'main' } });
      expect(status).toBe(201);
    };
    await rest('POST', `${ci.path}/protected_tags`, { token, json: { name: 'v*' } });
    await tag('v1');
    await tag('w1');
    expect((await ci.run({ ref: 'v1' }, tokens.developer)).body).toEqual({
      message: {
        base: [
          "You do not have sufficient permission to run a pipeline on 'v1'. Please select a different branch or contact your administrator for assistance.",
        ],
      },
    });
    const isProtected = async (ref: string, by: string) => {
      const { status, body } = await ci.run({ ref }, by);
      expect([status, body.tag]).toEqual([201, true]);
      const rows = await sql<{ one: boolean }>(
        'select bool_and(protected) as one from ci_jobs where pipeline_id = $1',
        [body.id],
      );
      return { id: body.id as number, is: rows[0]!.one };
    };
    const closed = await isProtected('v1', token);
    expect(closed.is).toBe(true);
    expect((await isProtected('w1', tokens.developer)).is).toBe(false);
    const act = (name: string) =>
      rest('POST', `${ci.path}/pipelines/${closed.id}/${name}`, { token: tokens.developer });
    expect([(await act('retry')).status, (await act('cancel')).status]).toEqual([403, 403]);
  });
});

describe('a pipeline over the API', () => {
  test('has the jobs of the configuration, of which the first wait for a runner', async () => {
    const ci = await newCi(gateway, threeStages);
    const { status, body } = await ci.run();
    expect([status, body.status, body.source, body.ref, body.tag]).toEqual([201, 'pending', 'api', 'main', false]);
    expect(body).not.toHaveProperty('variables');
    expect(await ci.jobs(body.id)).toEqual({ compile: 'pending', unit: 'created', lint: 'created', ship: 'created' });
    await ci.end(body.id, 'compile');
    expect(await ci.jobs(body.id)).toEqual({ compile: 'success', unit: 'pending', lint: 'pending', ship: 'created' });
    await ci.end(body.id, 'lint', { status: 'failed', failureReason: 'script_failure' });
    await ci.end(body.id, 'unit');
    expect(await ci.jobs(body.id)).toEqual({ compile: 'success', unit: 'success', lint: 'failed', ship: 'manual' });
    const ended = (await rest('GET', `${ci.path}/pipelines/${body.id}`, { token })).body;
    expect([ended.status, ended.detailed_status.label]).toEqual(['success', 'passed with warnings']);
  });

  test('is refused in the words of the contract, and nothing is stored', async () => {
    const ci = await newCi(gateway, threeStages);
    await ci.branch('other');
    await ci.branch('twice');
    await rest('POST', `${ci.path}/repository/tags`, { token, json: { tag_name: 'twice', ref: 'main' } });
    await ci.commit({}, { branch: 'other', actions: [{ action: 'delete', file_path: '.gitlab-ci.yml' }] });
    await ci.configure('never: { script: make, rules: [{ when: never }] }', { branch: 'twice', commit_message: 'x' });
    await quiet(gateway);
    const before = await sql('select count(*) from pipelines');
    const base = async (json: Record<string, unknown>, as = token) => {
      const { status, body } = await ci.run(json, as);
      return [status, body.message?.base ?? body.message ?? body.error];
    };
    expect(await base({ ref: 'gone' })).toEqual([400, ['Reference not found']]);
    expect(await base({ ref: 'twice' })).toEqual([400, ['Ref is ambiguous']]);
    expect(await base({ ref: 'other' })).toEqual([400, ['Missing CI config file']]);
    expect(await base({})).toEqual([400, 'ref is missing']);
    expect(await base({ ref: 'refs/heads/twice' })).toEqual([
      400,
      [
        'Pipeline will not run for the selected trigger. The rules configuration prevented any jobs from being added to the pipeline.',
      ],
    ]);
    expect(await base({ ref: 'main' }, tokens.developer)).toEqual([
      400,
      [
        "You do not have sufficient permission to run a pipeline on 'main'. Please select a different branch or contact your administrator for assistance.",
      ],
    ]);
    expect(await base({ ref: 'main', variables: [{ key: 'a b', value: '1' }] })).toEqual([
      400,
      { variables: ["key can contain only letters, digits and '_'."] },
    ]);
    const reporter = await newUser(gateway, 'reporting-pipelines');
    await addMember(gateway, reporter, 'REPORTER', { project: String(ci.id) });
    expect(await base({ ref: 'main' }, reporter.token)).toEqual([403, '403 Forbidden']);
    await rest('PUT', ci.path, { token, json: { builds_access_level: 'disabled' } });
    expect(await base({ ref: 'main' })).toEqual([400, ['Pipelines are disabled!']]);
    expect(await sql('select count(*) from pipelines')).toEqual(before);
  });

  test('with a wrong configuration is refused with its sentences', async () => {
    const ci = await newCi(gateway, '.hidden: { script: make }');
    const { status, body } = await ci.run();
    expect([status, body]).toEqual([
      400,
      { message: { base: ['jobs config should contain at least one visible job'] } },
    ]);
  });

  test('takes variables, which its rules see, and which are sealed', async () => {
    const ci = await newCi(gateway, 'yes: { script: make, rules: [{ if: "$WANTED == \\"really\\"" }] }');
    expect((await ci.run()).status).toBe(400);
    const { status, body } = await ci.run({ ref: 'main', variables: [{ key: 'WANTED', value: 'really' }] });
    expect([status, await ci.jobs(body.id)]).toEqual([201, { yes: 'pending' }]);
    const [stored] = await sql<{ key: string; sealed: Buffer }>('select * from ci_pipeline_variables');
    expect([stored!.key, stored!.sealed.includes('really')]).toEqual(['WANTED', false]);
    const twice = [1, 2].map((value) => ({ key: 'A', value: String(value) }));
    expect((await ci.run({ ref: 'main', variables: twice })).body).toEqual({
      message: { variables: ['have duplicate values (A)'] },
    });
    await rest('PUT', ci.path, { token, json: { ci_pipeline_variables_minimum_override_role: 'owner' } });
    const helper = await newUser(gateway, 'maintaining-pipelines');
    await addMember(gateway, helper, 'MAINTAINER', { project: String(ci.id) });
    const refusal = await ci.run({ ref: 'main', variables: [{ key: 'WANTED', value: 'really' }] }, helper.token);
    expect(refusal.body).toEqual({ message: { base: ['Insufficient permissions to set pipeline variables'] } });
  });

  test('has GitLab’s form at /graphql', async () => {
    const ci = await newCi(gateway, threeStages);
    const { data } = await graphql(
      'mutation ($path: ID!) { pipelineCreate(input: { projectPath: $path, ref: "main", variables: [{ key: "A", value: "1", variableType: FILE }] }) { errors pipeline { status source ref } } }',
      { token, variables: { path: ci.fullPath } },
    );
    expect(data!.pipelineCreate).toEqual({ errors: [], pipeline: { status: 'PENDING', source: 'api', ref: 'main' } });
    const refused = await graphql(
      'mutation ($path: ID!) { pipelineCreate(input: { projectPath: $path, ref: "none" }) { errors pipeline { status } } }',
      { token, variables: { path: ci.fullPath } },
    );
    expect(refused.data!.pipelineCreate).toEqual({ errors: ['Reference not found'], pipeline: null });
  });
});

describe('a push', () => {
  test('makes one pipeline for each branch or tag that it changes, with the commit before', async () => {
    const ci = await newCi(gateway, threeStages);
    const [first] = await ci.pushed();
    expect(first).toMatchObject({ ref: 'main', source: 'push', status: 'pending' });
    await ci.branch('topic');
    await rest('POST', `${ci.path}/repository/tags`, { token, json: { tag_name: 'v1', ref: 'main' } });
    const sha = await ci.commit({ 'a.txt': 'a' });
    const pushed = await ci.pushed();
    expect(pushed.map(({ ref }) => ref)).toEqual(['main', 'v1', 'topic', 'main']);
    const { body } = await rest('GET', `${ci.path}/pipelines/${pushed[0]!.id}`, { token });
    expect(body).toMatchObject({ sha, before_sha: first!.sha, tag: false });
    expect((await rest('GET', `${ci.path}/pipelines/${pushed[1]!.id}`, { token })).body.tag).toBe(true);
    await rest('DELETE', `${ci.path}/repository/branches/topic`, { token });
    expect(await ci.pushed()).toHaveLength(4);
  });

  test('with a message that says so makes a skipped one; without a configuration, none', async () => {
    const ci = await newCi(gateway, threeStages);
    await ci.commit({ 'a.txt': 'a' }, { commit_message: 'Nothing to see [CI Skip]' });
    const [skipped] = await ci.pushed();
    expect([skipped!.status, await ci.jobs(skipped!.id)]).toEqual(['skipped', {}]);
    await ci.commit({}, { actions: [{ action: 'delete', file_path: '.gitlab-ci.yml' }] });
    expect(await ci.pushed()).toHaveLength(2);
  });

  test('with a wrong configuration makes a failed one that says why', async () => {
    const ci = await newCi(gateway, 'a: { script: make }');
    const [first] = await ci.pushed();
    await ci.end(first!.id, 'a');
    await ci.configure('a: { scripts: make }');
    const [failed] = await ci.pushed();
    const { body } = await rest('GET', `${ci.path}/pipelines/${failed!.id}`, { token });
    expect(body.status).toBe('failed');
    expect(body.yaml_errors).toContain('jobs:a config');
    await quiet(gateway);
    const events = await sql<{ kind: string }>('select kind from events where subject_id = $1 and kind like $2', [
      failed!.id,
      'pipeline.%',
    ]);
    expect(events.map(({ kind }) => kind)).toEqual(['pipeline.failed']);
  });

  test('is read from another path where the project says so', async () => {
    const ci = await newCi(gateway, 'a: { script: make }', { ci_config_path: 'ci/main.yml' });
    expect(await ci.pushed()).toEqual([]);
    await ci.commit({
      'ci/main.yml': 'b: { script: make, timeout: 5 minutes }\ninclude: /ci/more.yml',
      'ci/more.yml': 'c: { script: make }',
    });
    const [pushed] = await ci.pushed();
    expect(await ci.jobs(pushed!.id)).toEqual({ b: 'pending', c: 'pending' });
    const rows = await sql('select timeout from ci_jobs where pipeline_id = $1 order by id', [pushed!.id]);
    expect(rows).toEqual(expect.arrayContaining([{ timeout: 300 }, { timeout: 3600 }]));
  });
});

const forMergeRequests = `
workflow: { rules: [{ when: always }] }
usual: { script: make, only: [branches] }
review: { script: make, rules: [{ if: $CI_MERGE_REQUEST_IID }] }
`;

describe('a merge request', () => {
  test('has pipelines of the jobs that ask for it, when it is made, pushed to, and when somebody says so', async () => {
    const ci = await newCi(gateway, forMergeRequests);
    await ci.branch('topic');
    const first = await ci.commit({ 'a.txt': 'a' }, { branch: 'topic' });
    expect((await ci.pushed()).map(({ source }) => source)).toEqual(['push', 'push', 'push']);
    const json = { source_branch: 'topic', target_branch: 'main', title: 'More' };
    const { body: made } = await rest('POST', `${ci.path}/merge_requests`, { token, json });
    const [ofNew] = await ci.pushed();
    expect(ofNew).toMatchObject({ source: 'merge_request_event', sha: first, ref: 'topic' });
    expect(await ci.jobs(ofNew!.id)).toEqual({ review: 'pending' });
    const second = await ci.commit({ 'b.txt': 'b' }, { branch: 'topic' });
    const pushed = await ci.pushed();
    expect(pushed.slice(0, 2).map(({ source, sha }) => [source, sha])).toEqual([
      ['merge_request_event', second],
      ['push', second],
    ]);
    const path = `${ci.path}/merge_requests/${made.iid}`;
    const asked = await rest('POST', `${path}/pipelines`, { token });
    expect([asked.status, asked.body.source, asked.body.sha]).toEqual([200, 'merge_request_event', second]);
    expect((await rest('GET', path, { token })).body.head_pipeline.id).toBe(asked.body.id);
    const listed = (await rest('GET', `${path}/pipelines`, { token })).body as { id: number }[];
    expect(listed[0]!.id).toBe(asked.body.id);
    const unseen = await rest('POST', `${path}/pipelines`, { token, json: { async: true } });
    expect([unseen.status, unseen.body]).toEqual([202, { message: '202 Accepted' }]);
    await rest('PUT', path, { token, json: { state_event: 'close' } });
    const none = await rest('POST', `${path}/pipelines`, { token });
    expect([none.status, none.body]).toEqual([405, { message: '405 Method Not Allowed' }]);
  });

  describe('that is opened before its push was followed', () => {
    const onlyReviews = 'review: { script: make, rules: [{ if: $CI_MERGE_REQUEST_IID }] }';
    const json = { source_branch: 'topic', target_branch: 'main', title: 'More' };

    test('has one pipeline, also where both are looked at at once', async () => {
      const ci = await newCi(gateway, onlyReviews);
      await ci.branch('topic');
      const head = await ci.commit({ 'a.txt': 'a' }, { branch: 'topic' });
      expect(await ci.pushed()).toEqual([]);
      let opened: Promise<unknown>;
      await whileHeld<unknown>(
        gateway,
        [`insert into project_counters (project_id, kind, last) values ($1, 'PIPELINE', 0) returning last`, ci.id],
        // Its own job waits, and so does that of the push, which sees no pipeline either.
        [
          () => (opened = rest('POST', `${ci.path}/merge_requests`, { token, json })),
          async () => {
            await opened;
            await followAgain(ci.id);
          },
        ],
      );
      expect(await ci.pushed()).toMatchObject([{ source: 'merge_request_event', sha: head }]);
      // A person may want another one.
      expect((await rest('POST', `${ci.path}/merge_requests/1/pipelines`, { token })).status).toBe(200);
      expect(await ci.pushed()).toMatchObject([{ sha: head }, { sha: head }]);
    });

    test('has none for a commit that was replaced before', async () => {
      const ci = await newCi(gateway, onlyReviews);
      await ci.branch('topic');
      const head = await ci.commit({ 'a.txt': 'a' }, { branch: 'topic' });
      await rest('POST', `${ci.path}/merge_requests`, { token, json });
      const [made, ...others] = await ci.pushed();
      expect([made, others]).toMatchObject([{ source: 'merge_request_event', sha: head }, []]);
      await followAgain(ci.id);
      expect(await ci.pushed()).toEqual([made]);
    });
  });

  test('has pipelines in place of those of its branch, where the configuration chooses by open merge requests', async () => {
    const ci = await newCi(
      gateway,
      `
workflow:
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_COMMIT_BRANCH && $CI_OPEN_MERGE_REQUESTS
      when: never
    - if: $CI_COMMIT_BRANCH
variables: { MERGES: "$CI_OPEN_MERGE_REQUESTS" }
any: { script: make }
labeled:
  script: make
  rules: [{ if: $CI_MERGE_REQUEST_LABELS =~ /urgent/ && $CI_MERGE_REQUEST_DRAFT == "true" && $CI_COMMIT_TIMESTAMP }]
`,
    );
    await ci.branch('topic');
    await ci.commit({ 'a.txt': 'a' }, { branch: 'topic' });
    const [before] = await ci.pushed();
    expect(before).toMatchObject({ source: 'push', ref: 'topic' });
    const json = { source_branch: 'topic', target_branch: 'main', title: 'Draft: More', labels: 'later,urgent' };
    expect((await rest('POST', `${ci.path}/merge_requests`, { token, json })).status).toBe(201);
    await ci.pushed();
    const sha = await ci.commit({ 'b.txt': 'b' }, { branch: 'topic' });
    const [ofBoth] = await ci.pushed();
    expect(ofBoth).toMatchObject({ source: 'merge_request_event', sha });
    expect((await ci.pushed()).filter((one) => one.sha === sha)).toHaveLength(1);
    expect(await ci.jobs(ofBoth!.id)).toEqual({ any: 'pending', labeled: 'pending' });
    expect((await ci.run({ ref: 'topic' })).body).toEqual({
      message: { base: ['Pipeline filtered out by workflow rules.'] },
    });
    expect((await ci.run()).status).toBe(201);
  });

  test('has no pipeline for a push that says so', async () => {
    const ci = await newCi(gateway, forMergeRequests);
    await ci.branch('topic');
    await ci.commit({ 'a.txt': 'a' }, { branch: 'topic' });
    const json = { source_branch: 'topic', target_branch: 'main', title: 'More' };
    await rest('POST', `${ci.path}/merge_requests`, { token, json });
    await ci.pushed();
    const sha = await ci.commit({ 'b.txt': 'b' }, { branch: 'topic', commit_message: 'Version 2 [skip ci]' });
    const made = (await ci.pushed()).filter((one) => one.sha === sha);
    expect(made).toMatchObject([{ source: 'push', status: 'skipped' }]);
  });

  test('has no pipelines of a tag that is called like its branch, and isn’t merged when one succeeds', async () => {
    const ci = await newCi(gateway, 'unit: { script: make }');
    await ci.branch('topic');
    const sha = await ci.commit({ 'a.txt': 'a' }, { branch: 'topic' });
    const json = { source_branch: 'topic', target_branch: 'main', title: 'More' };
    await rest('POST', `${ci.path}/merge_requests`, { token, json });
    const [head] = await ci.pushed();
    const tag = await rest('POST', `${ci.path}/repository/tags`, { token, json: { tag_name: 'topic', ref: sha } });
    expect(tag.status, tag.text).toBe(201);
    const [ofTag] = await ci.pushed();
    expect([ofTag!.ref, ofTag!.sha, ofTag!.id > head!.id]).toEqual(['topic', sha, true]);
    const path = `${ci.path}/merge_requests/1`;
    const read = async (of = '') => (await rest('GET', path + of, { token })).body;
    expect((await read()).head_pipeline.id).toBe(head!.id);
    expect(((await read('/pipelines')) as { id: number }[]).map(({ id }) => id)).toEqual([head!.id]);
    const listed = await graphql(
      `{ project(fullPath: "${ci.fullPath}") { mergeRequests { nodes { headPipeline { id } } } } }`,
      { token },
    );
    const nodes = [{ headPipeline: { id: `gid://gitlab/Ci::Pipeline/${head!.id}` } }];
    expect(listed.data).toEqual({ project: { mergeRequests: { nodes } } });
    const waits = await rest('PUT', `${path}/merge`, { token, json: { merge_when_pipeline_succeeds: true } });
    expect([waits.status, waits.body.state]).toEqual([200, 'opened']);
    await ci.end(ofTag!.id, 'unit');
    await settled(gateway, ci);
    expect((await read()).state).toBe('opened');
    await ci.end(head!.id, 'unit');
    await expect.poll(async () => (await read()).state, { timeout: 15_000 }).toBe('merged');
  });

  test('is merged when its pipeline succeeds', async () => {
    const ci = await newCi(gateway, 'unit: { script: make }');
    await ci.branch('topic');
    await ci.commit({ 'a.txt': 'a' }, { branch: 'topic' });
    const json = { source_branch: 'topic', target_branch: 'main', title: 'More' };
    const { body: made } = await rest('POST', `${ci.path}/merge_requests`, { token, json });
    const [head] = await ci.pushed();
    const path = `${ci.path}/merge_requests/${made.iid}`;
    const waits = await rest('PUT', `${path}/merge`, { token, json: { merge_when_pipeline_succeeds: true } });
    expect([waits.status, waits.body.merge_when_pipeline_succeeds, waits.body.state]).toEqual([200, true, 'opened']);
    await ci.end(head!.id, 'unit');
    await expect.poll(async () => (await rest('GET', path, { token })).body.state, { timeout: 15_000 }).toBe('merged');
  });
});

describe('a newer pipeline of a branch', () => {
  test('cancels older ones, unless a job has started that may not be interrupted, or the project says no', async () => {
    const yaml = 'gentle: { script: make, interruptible: true }\nfirm: { script: make }';
    const ci = await newCi(gateway, yaml);
    const [first] = await ci.pushed();
    await sql("update ci_jobs set status = 'running', started_at = now() where pipeline_id = $1 and name = 'gentle'", [
      first!.id,
    ]);
    await ci.commit({ 'a.txt': 'a' });
    const [second, canceled] = await ci.pushed();
    expect([second!.status, canceled!.status]).toEqual(['pending', 'canceled']);
    await sql("update ci_jobs set status = 'running', started_at = now() where pipeline_id = $1 and name = 'firm'", [
      second!.id,
    ]);
    await ci.commit({ 'b.txt': 'b' });
    expect((await ci.pushed()).map(({ status }) => status)).toEqual(['pending', 'pending', 'canceled']);
    await rest('PUT', ci.path, { token, json: { auto_cancel_pending_pipelines: 'disabled' } });
    await ci.commit({ 'c.txt': 'c' });
    expect((await ci.pushed()).map(({ status }) => status)).toEqual(['pending', 'pending', 'pending', 'canceled']);
  });
});

describe('`workflow: auto_cancel`', () => {
  const jobs = 'gentle: { script: make, interruptible: true }\nfirm: { script: make }';

  test.each([
    ['{on_new_commit: interruptible}', { gentle: 'canceled', firm: 'running' }],
    ['{on_new_commit: none}', { gentle: 'running', firm: 'running' }],
  ])('%s says what a newer commit cancels', async (said, expected) => {
    const ci = await newCi(gateway, `workflow: {auto_cancel: ${said}}\n${jobs}`);
    const [first] = await ci.pushed();
    await sql("update ci_jobs set status = 'running', started_at = now() where pipeline_id = $1", [first!.id]);
    await ci.commit({ 'a.txt': 'a' });
    expect(await ci.pushed()).toHaveLength(2);
    expect(await ci.jobs(first!.id)).toEqual(expected);
  });

  test('cancels the rest of a pipeline when a job fails that may not', async () => {
    const ci = await newCi(
      gateway,
      `workflow: {auto_cancel: {on_job_failure: none}, rules: [{if: $CI, auto_cancel: {on_job_failure: all}}]}
may: { script: make, allow_failure: true }
twice: { script: make, retry: 1 }
other: { script: make }
after: { stage: deploy, script: make }`,
    );
    const [made] = await ci.pushed();
    const id = made!.id;
    const waits = { other: 'pending', after: 'created' };
    await ci.end(id, 'may', { status: 'failed' });
    await ci.end(id, 'twice', { status: 'failed' });
    expect(await ci.jobs(id)).toEqual({ ...waits, may: 'failed', twice: 'pending' });
    await ci.end(id, 'twice', { status: 'failed' });
    expect(await ci.jobs(id)).toEqual({ other: 'canceled', after: 'canceled', may: 'failed', twice: 'failed' });
    expect((await ci.pushed())[0]!.status).toBe('failed');
  });
});

describe('the variables of a pipeline', () => {
  test('are shown to maintainers and to who gave them', async () => {
    const ci = await newCi(gateway, 'a: { script: make }');
    await ci.branch('open');
    const variables = [
      { key: 'BLANK', value: ' \n' },
      { key: 'EMPTY', value: '' },
      { key: 'WHERE', value: 'harbour', variable_type: 'file' },
    ];
    const { body } = await ci.run({ ref: 'open', variables }, tokens.developer);
    const path = `${ci.path}/pipelines/${body.id}/variables`;
    const shown = variables.map((one) => ({ variable_type: 'env_var', ...one, raw: false }));
    for (const as of [token, tokens.developer]) expect((await rest('GET', path, { token: as })).body).toEqual(shown);
    const { body: other } = await ci.run({ ref: 'open' }, token);
    const refused = await rest('GET', `${ci.path}/pipelines/${other.id}/variables`, { token: tokens.developer });
    expect([refused.status, refused.body]).toEqual([403, { message: '403 Forbidden' }]);
  });
});

describe('the queue', () => {
  test('makes one pipeline of a change, however often and wherever it is asked', async () => {
    const ci = await newCi(gateway, 'a: { script: make }');
    await ci.pushed();
    for (const runs of [3, 1]) await followAgain(ci.id, runs);
    expect((await ci.pushed()).map(({ ref }) => ref)).toEqual(['main']);
  });
});
