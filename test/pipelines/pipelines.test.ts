import { describe, expect, test } from 'vitest';
import { testGateway } from '../support/gateway.ts';
import { addMember, newUser } from '../support/places/people.ts';
import { statementsOf } from '../support/databases/statements.ts';
import { pendingJob } from './support/jobs.ts';
import { newReported, type Reported } from './support/reports.ts';

const gateway = await testGateway();
const { rest, graphql, sql, tokens } = gateway;
const token = tokens.maintainer;
const { developer } = tokens;

const iids = (body: readonly { iid: number }[]) => body.map(({ iid }) => iid);
const listed = async (project: Reported, query: string) =>
  iids((await rest('GET', `${project.path}/pipelines${query}`, { token })).body);

/** Four pipelines: 1 of `topic`, failed; 2 of `main`, a success; 3 of `topic`, running; 4 of the tag `v1`, by the developer. */
async function withFour(
  attributes: Record<string, unknown> = {},
): Promise<Reported & { readonly ids: readonly number[] }> {
  const project = await newReported(gateway, attributes);
  await rest('POST', `${project.path}/repository/tags`, { token, json: { tag_name: 'v1', ref: 'main' } });
  const said = [
    { sha: project.sha, ref: 'topic', state: 'failed' },
    { sha: project.sha, ref: 'main', state: 'success' },
    { state: 'running', ref: 'topic' },
    { sha: project.sha, ref: 'v1', state: 'pending', token: developer },
  ];
  const ids: number[] = [];
  for (const one of said) ids.push((await project.report(one)).body.pipeline_id);
  return { ...project, ids };
}

describe('the pipelines of a project', () => {
  test('have the basic record, the newest first', async () => {
    const project = await withFour();
    const { body, headers } = await rest('GET', `${project.path}/pipelines`, { token });
    expect(Object.keys(body[0])).toEqual([
      'id',
      'iid',
      'project_id',
      'sha',
      'ref',
      'status',
      'source',
      'created_at',
      'updated_at',
      'web_url',
      'name',
    ]);
    expect(body[3]).toEqual({
      id: project.ids[0],
      iid: 1,
      project_id: project.id,
      sha: project.sha,
      ref: 'topic',
      status: 'failed',
      source: 'external',
      created_at: expect.stringMatching(/\.\d{3}Z$/),
      updated_at: expect.stringMatching(/\.\d{3}Z$/),
      web_url: `${gateway.url}/${project.fullPath}/-/pipelines/${project.ids[0]}`,
      name: null,
    });
    expect(iids(body)).toEqual([4, 3, 2, 1]);
    expect(headers.get('x-total')).toBe('4');
  });

  test('are filtered and sorted', async () => {
    const project = await withFour();
    const moment = (await rest('GET', `${project.path}/pipelines/${project.ids[2]}`, { token })).body
      .updated_at as string;
    await sql(`update pipelines set updated_at = updated_at + interval '1 hour', name = 'Nightly' where id = $1`, [
      project.ids[0],
    ]);
    await sql(`update pipelines set yaml_errors = 'jobs:x', source = 'push' where id = $1`, [project.ids[1]]);
    const hourLater = new Date(+new Date(moment) + 1_800_000).toISOString();
    const cases: readonly [query: string, found: readonly number[]][] = [
      ['?scope=running', [3]],
      ['?scope=pending', [4]],
      ['?scope=finished', [2, 1]],
      ['?scope=branches', [3, 2]],
      ['?scope=tags', [4]],
      ['?status=failed', [1]],
      ['?status=waiting_for_resource', []],
      ['?ref=topic', [3, 1]],
      [`?sha=${project.sha}`, [4, 2, 1]],
      ['?yaml_errors=true', [2]],
      ['?yaml_errors=false', [4, 3, 1]],
      ['?username=developer', [4]],
      ['?username=nobody-of-this-name', []],
      ['?name=Nightly', [1]],
      ['?source=push', [2]],
      ['?source=external&scope=finished', [1]],
      [`?updated_after=${hourLater}`, [1]],
      [`?updated_before=${hourLater}`, [4, 3, 2]],
      [`?created_after=${hourLater}`, []],
      [`?created_before=${hourLater}`, [4, 3, 2, 1]],
      ['?sort=asc', [1, 2, 3, 4]],
      ['?order_by=status&sort=asc', [1, 4, 3, 2]],
      ['?order_by=ref', [4, 3, 1, 2]],
      ['?order_by=updated_at', [1, 4, 3, 2]],
      ['?order_by=user_id&sort=asc&ref=v1', [4]],
      ['?per_page=1&page=2', [3]],
    ];
    for (const [query, found] of cases) expect([query, await listed(project, query)]).toEqual([query, found]);
  });

  test.each([
    ['scope=all', 'scope does not have a valid value'],
    ['status=done', 'status does not have a valid value'],
    ['order_by=name', 'order_by does not have a valid value'],
    ['source=me', 'source does not have a valid value'],
    ['updated_after=soon', 'updated_after is invalid'],
  ])('%s is refused', async (query, error) => {
    const project = await newReported(gateway);
    const { status, body } = await rest('GET', `${project.path}/pipelines?${query}`, { token });
    expect([status, body]).toEqual([400, { error }]);
  });

  test('are read by guests and anonymous requests only where jobs are public', async () => {
    const project = await withFour({ visibility: 'public' });
    const hidden = await withFour();
    const guest = await newUser(gateway, 'guest-of-pipelines');
    await addMember(gateway, guest, 'GUEST', { project: String(hidden.id) });
    const statuses = async () => [
      (await rest('GET', `${project.path}/pipelines`)).status,
      (await rest('GET', `${hidden.path}/pipelines/${hidden.ids[0]}`, { token: guest.token })).status,
      (await rest('GET', `${hidden.path}/pipelines`)).status,
    ];
    expect(await statuses()).toEqual([200, 200, 404]);
    for (const { path } of [project, hidden]) await rest('PUT', path, { token, json: { public_jobs: false } });
    expect(await statuses()).toEqual([403, 403, 404]);
    const nested = await graphql(
      'query ($path: ID!) { project(fullPath: $path) { pipelines { count } pipeline(iid: 1) { id } } }',
      {
        token: guest.token,
        variables: { path: hidden.fullPath },
      },
    );
    expect(nested.data!.project).toEqual({ pipelines: null, pipeline: null });
    const { body } = await rest('GET', `${hidden.path}/repository/commits/${hidden.sha}`, { token: developer });
    expect(body).toMatchObject({ status: 'pending', last_pipeline: { id: hidden.ids[3] } });
  });

  test('are there for no one without a repository, over REST and at /graphql', async () => {
    const project = await withFour({ visibility: 'public' });
    const off = { merge_requests_access_level: 'disabled', builds_access_level: 'disabled' };
    await rest('PUT', project.path, { token, json: { repository_access_level: 'disabled', ...off } });
    const query = 'query ($path: ID!) { project(fullPath: $path) { pipelines { count } pipelineCounts { all } } }';
    for (const as of [token, developer]) {
      expect((await rest('GET', `${project.path}/pipelines`, { token: as })).status).toBe(403);
      const asked = await graphql(query, { token: as, variables: { path: project.fullPath } });
      expect(asked.data!.project).toEqual({ pipelines: null, pipelineCounts: null });
    }
  });
});

test('pipelines are counted, by what became of them, for those who read them', async () => {
  const project = await withFour();
  const counts = async (args = '', as = token) =>
    (
      await graphql<{ project: { pipelineCounts: object | null } }>(
        `query ($path: ID!) { project(fullPath: $path) { pipelineCounts${args} { all running pending finished } } }`,
        { token: as, variables: { path: project.fullPath } },
      )
    ).data!.project.pipelineCounts;
  expect(await counts()).toEqual({ all: 4, running: 1, pending: 1, finished: 2 });
  expect(await counts('(ref: "topic")')).toEqual({ all: 2, running: 1, pending: 0, finished: 1 });
  expect(await counts(`(sha: "${project.sha}", source: "external")`)).toMatchObject({ all: 3 });
  expect(await counts('(source: "push")')).toEqual({ all: 0, running: 0, pending: 0, finished: 0 });
  await rest('PUT', project.path, { token, json: { public_jobs: false } });
  const guest = await newUser(gateway, 'guest-of-counts');
  await addMember(gateway, guest, 'GUEST', { project: String(project.id) });
  expect(await counts('', guest.token)).toBeNull();
  // One statement counts those of many projects.
  const other = await withFour();
  const sent = await statementsOf(() =>
    graphql(`{ projects(ids: [${project.id}, ${other.id}]) { nodes { pipelineCounts { all } } } }`, { token }),
  );
  expect(sent.filter((text) => text.includes('group by pl.status'))).toHaveLength(1);
});

test('says with its jobs who may cancel and retry it: the rules of a project are read once', async () => {
  const project = await withFour();
  for (const ref of ['main', 'topic', 'main']) await pendingJob(gateway, { ...project, ref });
  const permissions = ['userPermissions { updatePipeline }', 'userPermissions { updateBuild }'];
  const ask = async (as: string | undefined, [ofPipeline, ofJob] = permissions) => {
    const query = `query ($path: ID!) { project(fullPath: $path) { pipelines { nodes {
      ref ${ofPipeline} jobs { nodes { external ${ofJob} } } } } } }`;
    const { data } = await graphql<any>(query, { token: as, variables: { path: project.fullPath } });
    return data!.project.pipelines.nodes as any[];
  };
  const allowed = async (as: string) => {
    const of = { pipelines: {} as Record<string, boolean>, jobs: {} as Record<string, boolean>, reported: false };
    for (const { ref, userPermissions, jobs } of await ask(as)) {
      of.pipelines[ref] = userPermissions.updatePipeline;
      for (const { external, userPermissions: may } of jobs.nodes)
        if (external) of.reported ||= may.updateBuild;
        else of.jobs[ref] = may.updateBuild;
    }
    return of;
  };
  expect(await allowed(token)).toEqual({
    pipelines: { v1: true, main: true, topic: true },
    jobs: { main: true, topic: true },
    reported: false,
  });
  expect(await allowed(developer)).toEqual({
    pipelines: { v1: true, main: false, topic: true },
    jobs: { main: false, topic: true },
    reported: false,
  });
  // The project, the role in it, the rules of branches, those of tags: once for all pipelines, and once for all jobs.
  const without = await statementsOf(() => ask(developer, ['', '']));
  const ofPipelines = await statementsOf(() => ask(developer, [permissions[0]!, '']));
  const ofJobs = await statementsOf(() => ask(developer, ['', permissions[1]!]));
  expect(ofPipelines.length - without.length).toBeLessThanOrEqual(4);
  expect(ofJobs.length - without.length).toBeLessThanOrEqual(3);
});

describe('one pipeline', () => {
  test('has the rest', async () => {
    const project = await withFour();
    const { body } = await rest('GET', `${project.path}/pipelines/${project.ids[0]}`, { token });
    expect(body).toMatchObject({
      before_sha: '0'.repeat(40),
      tag: false,
      yaml_errors: null,
      user: { username: 'maintainer', name: expect.any(String) },
      started_at: null,
      finished_at: expect.any(String),
      committed_at: null,
      duration: null,
      queued_duration: null,
      coverage: null,
      detailed_status: {
        icon: 'status_failed',
        text: 'Failed',
        label: 'failed',
        group: 'failed',
        tooltip: 'failed',
        has_details: true,
        details_path: `/${project.fullPath}/-/pipelines/${project.ids[0]}`,
        illustration: null,
      },
      archived: false,
    });
    expect((await rest('GET', `${project.path}/pipelines/${project.ids[3]}`, { token })).body.tag).toBe(true);
  });

  test('that isn’t there, or is of another project, is not found', async () => {
    const [project, other] = [await withFour(), await withFour()];
    for (const id of [0, -1, 2_000_000_000, 99_999_999_999, other.ids[0]]) {
      const { status, body } = await rest('GET', `${project.path}/pipelines/${id}`, { token });
      expect([status, body]).toEqual([404, { message: '404 Not found' }]);
    }
    const { status, body } = await rest('GET', `${project.path}/pipelines/first`, { token });
    expect([status, body]).toEqual([400, { error: 'pipeline_id is invalid' }]);
  });

  test('is the latest of a branch, for the commit that it is at', async () => {
    const project = await withFour();
    const latest = async (query: string) =>
      (await rest('GET', `${project.path}/pipelines/latest${query}`, { token })).body;
    expect([(await latest('')).iid, (await latest('?ref=topic')).iid, (await latest('?ref=v1')).iid]).toEqual([
      2, 3, 4,
    ]);
    expect(await latest('?ref=gone')).toEqual({ message: '404 Not found' });
    await project.commit({ 'c.txt': 'c' });
    expect(await latest('')).toEqual({ message: '404 Not found' });
  });

  test('is shown with its commit', async () => {
    const project = await withFour();
    const { body } = await rest('GET', `${project.path}/repository/commits/${project.topic}`, { token });
    expect(body).toMatchObject({
      status: 'running',
      last_pipeline: { id: project.ids[2], iid: 3, source: 'external' },
    });
    const fresh = await project.commit({ 'c.txt': 'c' });
    expect((await rest('GET', `${project.path}/repository/commits/${fresh}`, { token })).body).toMatchObject({
      status: null,
      last_pipeline: null,
    });
  });

  test('has GitLab’s names at /graphql', async () => {
    const project = await withFour();
    await project.report({ state: 'success', name: 'lint', target_url: 'https://ci.example.com/8' });
    const { data } = await graphql(
      `
        query ($path: ID!, $sha: String!) {
          project(fullPath: $path) {
            pipelines(first: 2, status: RUNNING, scope: BRANCHES) {
              count
              nodes {
                iid
              }
            }
            pipeline(iid: "3") {
              id
              iid
              sha
              ref
              status
              active
              cancelable
              complete
              warnings
              source
              path
              user {
                username
              }
              detailedStatus {
                group
                label
              }
              stages {
                nodes {
                  name
                  status
                  jobs {
                    nodes {
                      name
                      status
                      targetUrl
                      stageName
                    }
                  }
                }
              }
              jobs(statuses: [SUCCESS]) {
                count
                nodes {
                  id
                  name
                }
              }
            }
            bySha: pipeline(sha: $sha) {
              iid
            }
            none: pipeline(iid: "99") {
              iid
            }
            repository {
              commit(ref: "topic") {
                pipelines {
                  nodes {
                    iid
                  }
                }
                latestPipeline {
                  iid
                }
              }
            }
          }
        }
      `,
      { token, variables: { path: project.fullPath, sha: project.sha } },
    );
    expect(data!.project).toMatchObject({
      pipelines: { count: 1, nodes: [{ iid: '3' }] },
      pipeline: {
        id: `gid://gitlab/Ci::Pipeline/${project.ids[2]}`,
        status: 'RUNNING',
        active: true,
        cancelable: true,
        complete: false,
        warnings: false,
        source: 'external',
        path: `/${project.fullPath}/-/pipelines/${project.ids[2]}`,
        user: { username: 'maintainer' },
        detailedStatus: { group: 'running', label: 'running' },
        stages: {
          nodes: [
            {
              name: 'external',
              status: 'RUNNING',
              jobs: { nodes: [{ name: 'default' }, { name: 'lint', targetUrl: 'https://ci.example.com/8' }] },
            },
          ],
        },
        jobs: { count: 1, nodes: [{ id: expect.stringMatching(/GenericCommitStatus/), name: 'lint' }] },
      },
      bySha: { iid: '4' },
      none: null,
      repository: { commit: { pipelines: { nodes: [{ iid: '3' }] }, latestPipeline: { iid: '3' } } },
    });
  });
});

describe('a pipeline in its parts', () => {
  test('has a name that developers give it', async () => {
    const project = await withFour();
    const [{ id }] = (await rest('GET', `${project.path}/pipelines`, { token })).body as [{ id: number }];
    const put = (json: object, as = token) =>
      rest('PUT', `${project.path}/pipelines/${id}/metadata`, { token: as, json });
    expect(await put({ name: ' Nightly ' })).toMatchObject({ status: 200, body: { id, name: 'Nightly' } });
    const named = await rest('GET', `${project.path}/pipelines`, { token, query: { name: 'Nightly' } });
    expect(named.body).toMatchObject([{ id }]);
    expect(await put({})).toMatchObject({ status: 400, body: { error: 'name is missing' } });
    expect(await put({ name: '' })).toMatchObject({ status: 400, body: { message: { name: ["can't be blank"] } } });
    expect((await put({ name: 'x'.repeat(256) })).status).toBe(400);
    const guest = await newUser(gateway, 'guest-naming-pipelines');
    await addMember(gateway, guest, 'GUEST', { project: String(project.id) });
    expect((await put({ name: 'x' }, guest.token)).status).toBe(403);
    expect((await put({ name: 'x' }, tokens.guest)).status).toBe(404);
  });

  test('has its commit, its jobs by name and by groups, and its stages by their jobs', async () => {
    const project = await withFour();
    for (const name of ['unit 1/2', 'unit 2/2', 'lint: [a, b]', 'v 1'])
      await project.report({ state: 'success', name });
    const { data, errors } = await graphql<{ project: { pipeline: unknown } }>(
      `
        query ($path: ID!) {
          project(fullPath: $path) {
            pipeline(iid: "3") {
              retryable
              totalJobs
              usesNeeds
              refPath
              commitPath
              commit {
                title
              }
              none: job {
                name
              }
              job(name: "unit 1/2") {
                createdByTag
                refPath
                stage {
                  name
                  jobs {
                    count
                  }
                }
              }
              stages(first: 5) {
                nodes {
                  groups(first: 20) {
                    nodes {
                      name
                      size
                      detailedStatus {
                        group
                      }
                      jobs(first: 5) {
                        nodes {
                          name
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      `,
      { variables: { path: project.fullPath }, token },
    );
    expect(errors).toBeUndefined();
    const total = (data!.project.pipeline as { totalJobs: number }).totalJobs;
    expect(data!.project.pipeline).toMatchObject({
      retryable: false,
      usesNeeds: false,
      none: null,
      commit: { title: expect.any(String) },
      commitPath: `/${project.fullPath}/-/commit/${project.topic}`,
      refPath: `/${project.fullPath}/-/commits/topic`,
      job: { createdByTag: false, stage: { name: 'external', jobs: { count: total } } },
    });
    const { stages } = data!.project.pipeline as { stages: { nodes: [{ groups: { nodes: { name: string }[] } }] } };
    const groups = stages.nodes[0].groups.nodes;
    expect(groups.find(({ name }) => name === 'unit')).toMatchObject({
      size: 2,
      detailedStatus: { group: 'success' },
      jobs: { nodes: [{ name: 'unit 1/2' }, { name: 'unit 2/2' }] },
    });
    expect(groups.map(({ name }) => name)).toEqual(expect.arrayContaining(['lint', 'v 1']));
  });
});

describe('canceling a pipeline', () => {
  test('cancels what hasn’t finished; a finished one stays as it is', async () => {
    const project = await withFour();
    await project.report({ state: 'success', name: 'lint' });
    const cancel = (id: number, as = token) => rest('POST', `${project.path}/pipelines/${id}/cancel`, { token: as });
    const { status, body } = await cancel(project.ids[2]!);
    expect([status, body.status]).toEqual([200, 'canceled']);
    expect(body.finished_at).not.toBeNull();
    const statuses = await rest('GET', `${project.path}/repository/commits/${project.topic}/statuses`, { token });
    expect(statuses.body.map((one: { name: string; status: string }) => [one.name, one.status])).toEqual([
      ['default', 'canceled'],
      ['lint', 'success'],
    ]);
    const again = await cancel(project.ids[1]!);
    expect([again.status, again.body.status]).toEqual([200, 'success']);
    expect((await cancel(project.ids[1]!, developer)).status).toBe(403);
    expect((await cancel(project.ids[3]!, developer)).status).toBe(200);
    // A report after that is a new status: the canceled one has ended.
    expect((await project.report({ state: 'running' })).status).toBe(201);
    expect((await rest('GET', `${project.path}/pipelines/${project.ids[2]}`, { token })).body).toMatchObject({
      status: 'running',
      finished_at: null,
    });
  });

  test('while a script reports leaves one outcome', async () => {
    const project = await withFour();
    const id = project.ids[2]!;
    await Promise.all([
      rest('POST', `${project.path}/pipelines/${id}/cancel`, { token }),
      project.report({ state: 'success' }),
    ]);
    const { body } = await rest('GET', `${project.path}/pipelines/${id}`, { token });
    const statuses = await rest('GET', `${project.path}/repository/commits/${project.topic}/statuses`, { token });
    expect(statuses.body).toHaveLength(1);
    expect(body.status).toBe(statuses.body[0].status);
  });
});

describe('the end of a pipeline', () => {
  test('would be told its own person alone, while they read its jobs', async () => {
    const project = await withFour();
    const guest = await newUser(gateway, 'guest-with-a-pipeline');
    await addMember(gateway, guest, 'GUEST', { project: String(project.id) });
    const [id] = project.ids;
    await sql(
      `update pipelines set user_id = (select id from users where username = 'guest-with-a-pipeline') where id = $1`,
      [id],
    );
    const told = async (event: string) => {
      const { data, errors } = await graphql(
        'query ($event: NotificationEvent!, $id: ID!) { notificationRecipients(event: $event, subject: $id) { nodes { user { username } } } }',
        { token, variables: { event, id: `gid://gitlab/Ci::Pipeline/${id}` } },
      );
      expect(errors).toBeUndefined();
      return (data!.notificationRecipients as { nodes: { user: { username: string } }[] }).nodes.map(
        ({ user }) => user.username,
      );
    };
    expect(await told('FAILED_PIPELINE')).toEqual(['guest-with-a-pipeline']);
    expect(await told('FIXED_PIPELINE')).toEqual(['guest-with-a-pipeline']);
    expect(await told('SUCCESS_PIPELINE')).toEqual([]);
    await rest('PUT', project.path, { token, json: { public_jobs: false } });
    expect(await told('FAILED_PIPELINE')).toEqual([]);
  });
});

describe('deleting a pipeline', () => {
  test('is for owners, and removes its statuses', async () => {
    const project = await withFour();
    const at = `${project.path}/pipelines/${project.ids[2]}`;
    const helper = await newUser(gateway, 'maintaining');
    await addMember(gateway, helper, 'MAINTAINER', { project: String(project.id) });
    expect((await rest('DELETE', at, { token: helper.token })).status).toBe(403);
    const old = { 'if-unmodified-since': 'Wed, 21 Oct 2015 07:28:00 GMT' };
    expect((await rest('DELETE', at, { token, headers: old })).status).toBe(412);
    expect((await rest('DELETE', at, { token })).status).toBe(204);
    expect((await rest('DELETE', at, { token })).status).toBe(404);
    const statuses = await rest('GET', `${project.path}/repository/commits/${project.topic}/statuses`, { token });
    expect(statuses.body).toEqual([]);
    expect(await listed(project, '')).toEqual([4, 2, 1]);
  });

  test('works by its global id alone at /graphql', async () => {
    const project = await withFour();
    const destroy = (as: string) =>
      graphql('mutation ($id: CiPipelineID!) { pipelineDestroy(input: { id: $id }) { errors } }', {
        token: as,
        variables: { id: `gid://gitlab/Ci::Pipeline/${project.ids[0]}` },
      });
    const stranger = await newUser(gateway, 'stranger-to-pipelines');
    expect((await destroy(stranger.token)).errors).toMatchObject([
      { message: expect.stringContaining('does not exist') },
    ]);
    expect((await destroy(token)).data!.pipelineDestroy).toEqual({ errors: [] });
    expect(await listed(project, '')).toEqual([4, 3, 2]);
  });
});
