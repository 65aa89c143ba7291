import { describe, expect, test, vi } from 'vitest';
import { testGateway } from '../support/gateway.ts';
import { addMember, newUser, type TestUser } from '../support/places/people.ts';
import { environmentSlug, guessedTier } from '../../src/values/ci/environments.ts';
import { newEnvironments } from './support/environments.ts';
import { newReported } from './support/reports.ts';

const gateway = await testGateway();
const { rest, graphql, tokens } = gateway;
const token = tokens.maintainer;
const { developer } = tokens;
const { project, make, get, put, stop } = await newEnvironments(gateway);

const charset =
  "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, but it cannot start or end with '/'";

test.each([
  ['production', 'production', 'production'],
  ['review/fix-foo', 'review-fix-foo-v25cyx', 'development'],
  ['Staging', 'staging-p75vhx', 'staging'],
  ['1env', 'env-1env-9z485v', 'other'],
  ['staging-', 'staging', 'staging'],
  ['a', 'a', 'other'],
])('the slug of %s is %s, and its tier %s', (name, slug, tier) => {
  expect(environmentSlug(name)).toBe(slug);
  expect(guessedTier(name)).toBe(tier);
});

test('slugs are short, and differ where names do', () => {
  const names = Array.from({ length: 500 }, (_, n) => `review/a-rather-long-name-of-a-branch-${n}`);
  const slugs = names.map(environmentSlug);
  expect(new Set(slugs).size).toBe(500);
  for (const slug of slugs) expect(slug).toMatch(/^[a-z][a-z0-9-]{0,22}[a-z0-9]$/);
});

describe('an environment', () => {
  test('has the record of the contract', async () => {
    const { status, body } = await make({ name: 'review/fix-foo', external_url: 'https://fix.example.com' });
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual([
      'id',
      'name',
      'slug',
      'external_url',
      'created_at',
      'updated_at',
      'tier',
      'project',
      'state',
      'auto_stop_at',
      'description',
      'auto_stop_setting',
    ]);
    expect(body).toMatchObject({
      name: 'review/fix-foo',
      slug: 'review-fix-foo-v25cyx',
      external_url: 'https://fix.example.com',
      tier: 'development',
      state: 'available',
      auto_stop_at: null,
      description: null,
      auto_stop_setting: 'always',
      project: { id: project.id, path_with_namespace: project.fullPath },
    });
    for (const key of ['permissions', '_links', 'issues_enabled', 'shared_with_groups'])
      expect(body.project).not.toHaveProperty(key);
    const single = await get(body.id);
    expect(single.status).toBe(200);
    expect(single.body).toMatchObject({ id: body.id, last_deployment: null });
    expect(single.body).not.toHaveProperty('project');
  });

  test.each([
    [{}, { error: 'name is missing' }],
    [{ name: 'x', slug: 'y' }, { error: 'slug is automatically generated and cannot be changed' }],
    [{ name: 'x', tier: 'moon' }, { error: 'tier does not have a valid value' }],
    [{ name: '' }, { message: { name: ["can't be blank"] } }],
    [{ name: '/x' }, { message: { name: [charset] } }],
    [{ name: 'x/' }, { message: { name: [charset] } }],
    [{ name: 'ä' }, { message: { name: [charset] } }],
    [{ name: 'x'.repeat(256) }, { message: { name: ['is too long (maximum is 255 characters)'] } }],
    [
      { name: 'x', external_url: 'javascript:alert(1)' },
      { message: { external_url: ['is blocked: Only allowed schemes are http, https'] } },
    ],
    [
      { name: 'x', external_url: `https://example.com/${'x'.repeat(255)}` },
      { message: { external_url: ['is too long (maximum is 255 characters)'] } },
    ],
  ])('is refused for %o', async (json, body) => {
    expect(await make(json)).toMatchObject({ status: 400, body });
    expect((await rest('GET', `${project.path}/environments?name=x`, { token })).body).toEqual([]);
  });

  test('has a name of its own', async () => {
    const { status } = await make({ name: 'once', external_url: '' });
    expect(status).toBe(201);
    expect(await make({ name: 'once' })).toMatchObject({
      status: 400,
      body: { message: { name: ['has already been taken'] } },
    });
    // Another name with the same slug.
    expect(await make({ name: 'once-' })).toMatchObject({
      status: 400,
      body: { message: { slug: ['has already been taken'] } },
    });
    const all = await Promise.all(Array.from({ length: 8 }, () => make({ name: 'race' })));
    expect(all.map((one) => one.status).toSorted()).toEqual([201, ...Array.from({ length: 7 }, () => 400)]);
  });

  test('is changed, and what isn’t sent stays', async () => {
    const { id } = (await make({ name: 'change', external_url: 'https://a.example.com', description: 'Old' })).body;
    expect(await put(id, { tier: 'production' })).toMatchObject({
      status: 200,
      body: { tier: 'production', external_url: 'https://a.example.com', description: 'Old', name: 'change' },
    });
    expect(await put(id, { external_url: '', description: '', name: 'changed' })).toMatchObject({
      status: 200,
      body: { external_url: null, description: null, name: 'changed', slug: 'change', tier: 'production' },
    });
    expect(await put(id, { slug: 'x' })).toMatchObject({
      status: 400,
      body: { error: 'slug is automatically generated and cannot be changed' },
    });
    expect(await put(id, { name: 'once' })).toMatchObject({
      status: 400,
      body: { message: { name: ['has already been taken'] } },
    });
    expect(await put(id, { name: '' })).toMatchObject({ status: 400, body: { message: { name: ["can't be blank"] } } });
    expect(await put(id + 1000, { tier: 'other' })).toMatchObject({ status: 404, body: { message: '404 Not found' } });
  });

  test('is stopped, and only then deleted', async () => {
    const { id } = (await make({ name: 'stop' })).body;
    const remove = () => rest('DELETE', `${project.path}/environments/${id}`, { token: developer });
    expect(await remove()).toMatchObject({ status: 403, body: { message: '403 Forbidden' } });
    expect(await stop(id)).toMatchObject({ status: 200, body: { id, state: 'stopped', project: { id: project.id } } });
    expect(await stop(id)).toMatchObject({ status: 200, body: { state: 'stopped' } });
    expect((await remove()).status).toBe(204);
    expect(await remove()).toMatchObject({ status: 404, body: { message: '404 Not found' } });
    expect(await stop(id)).toMatchObject({ status: 404, body: { message: '404 Not found' } });
  });

  test('is stopped at the root, too, by those who may', async () => {
    const { id } = (await make({ name: 'root' })).body;
    const atRoot = (as?: string, which = id) =>
      rest('POST', `/api/v4/environments/${which}/stop`, { ...(as !== undefined && { token: as }) });
    expect((await atRoot()).status).toBe(401);
    const stranger = await newUser(gateway, 'no-environments');
    expect(await atRoot(stranger.token)).toMatchObject({ status: 404, body: { message: '404 Not found' } });
    expect(await atRoot(stranger.token, 999_999)).toMatchObject({ status: 404, body: { message: '404 Not found' } });
    expect((await get(id)).body.state).toBe('available');
    const { status, body } = await atRoot(developer);
    expect({ status, state: body.state, keys: Object.keys(body.project) }).toMatchObject({
      status: 200,
      state: 'stopped',
      keys: expect.not.arrayContaining(['permissions', '_links']),
    });
  });

  test('of another project isn’t found', async () => {
    const other = await newReported(gateway);
    const { id } = (await make({ name: 'other' }, { on: other })).body;
    for (const [method, path] of [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/stop'],
    ] as const)
      expect(await rest(method, `${project.path}/environments/${id}${path}`, { token })).toMatchObject({
        status: 404,
        body: { message: '404 Not found' },
      });
  });

  test('stays as it is in an archived project', async () => {
    const other = await newReported(gateway);
    const { id } = (await make({ name: 'kept' }, { on: other })).body;
    await rest('POST', `${other.path}/archive`, { token });
    expect((await make({ name: 'new' }, { on: other })).status).toBe(403);
    expect((await rest('POST', `${other.path}/environments/${id}/stop`, { token })).status).toBe(403);
    expect((await get(id, other)).body.state).toBe('available');
  });
});

describe('the list', () => {
  test('is by name, and filtered', async () => {
    const on = await newReported(gateway);
    for (const name of ['staging', 'production', 'review/b', 'review/a']) await make({ name }, { on });
    const list = async (query = '') => {
      const { status, body } = await rest('GET', `${on.path}/environments${query}`, { token });
      return status === 200 ? (body as { name: string }[]).map(({ name }) => name) : { status, body };
    };
    expect(await list()).toEqual(['production', 'review/a', 'review/b', 'staging']);
    expect(await list('?name=production')).toEqual(['production']);
    expect(await list('?search=review')).toEqual(['review/a', 'review/b']);
    expect(await list('?states=stopped')).toEqual([]);
    expect(await list('?search=re')).toEqual({
      status: 400,
      body: { message: '400 Bad request - Search query is less than 3 characters' },
    });
    expect(await list('?search=rev&name=x')).toEqual({
      status: 400,
      body: { error: 'name, search cannot be used together' },
    });
    expect(await list('?states=gone')).toEqual({ status: 400, body: { error: 'states does not have a valid value' } });
    const page = await rest('GET', `${on.path}/environments?per_page=3&page=2`, { token });
    expect([page.headers.get('x-total'), page.headers.get('x-total-pages')]).toEqual(['4', '2']);
    const { data } = await graphql(
      `
        query ($path: ID!) {
          project(fullPath: $path) {
            environments(type: "review") {
              nodes {
                name
                environmentType
                tier
                state
                path
              }
            }
            environment(name: "staging") {
              name
              slug
              lastDeployment(status: SUCCESS) {
                iid
              }
            }
          }
        }
      `,
      { token, variables: { path: on.fullPath } },
    );
    expect(data!.project).toMatchObject({
      environments: {
        nodes: [
          { name: 'review/a', environmentType: 'review', tier: 'DEVELOPMENT', state: 'available' },
          { name: 'review/b' },
        ],
      },
      environment: { name: 'staging', slug: 'staging', lastDeployment: null },
    });
  });

  test('is for reporters, and for everyone where jobs are public', async () => {
    const people = await Promise.all(['env-guest', 'env-reporter', 'env-nobody'].map((name) => newUser(gateway, name)));
    const [guest, reporter, nobody] = people as [TestUser, TestUser, TestUser];
    const place = { project: project.fullPath };
    await addMember(gateway, guest, 'GUEST', place);
    await addMember(gateway, reporter, 'REPORTER', place);
    const statuses = async (method: 'GET' | 'POST', path: string) =>
      await Promise.all(
        [nobody, guest, reporter].map(
          async (one) =>
            (await rest(method, path, { token: one.token, ...(method === 'POST' && { json: { name: 'no' } }) })).status,
        ),
      );
    expect(await statuses('GET', `${project.path}/environments`)).toEqual([404, 403, 200]);
    expect(await statuses('GET', `${project.path}/deployments`)).toEqual([404, 403, 200]);
    expect(await statuses('POST', `${project.path}/environments`)).toEqual([404, 403, 403]);
    const open = await newReported(gateway, { visibility: 'public' });
    await make({ name: 'seen' }, { on: open });
    const [{ id }] = (await rest('GET', `${open.path}/environments`, {})).body;
    expect((await rest('POST', `/api/v4/environments/${id}/stop`, { token: nobody.token })).status).toBe(403);
    await rest('PUT', open.path, { token, json: { public_jobs: false } });
    expect((await rest('GET', `${open.path}/environments`, {})).status).toBe(403);
  });

  test('isn’t there where environments are switched off', async () => {
    const on = await newReported(gateway, { environments_access_level: 'disabled' });
    expect((await rest('GET', `${on.path}/environments`, { token })).status).toBe(403);
    expect((await make({ name: 'x' }, { on })).status).toBe(403);
  });
});

describe('GraphQL', () => {
  test('makes, changes, stops and deletes', async () => {
    const run = async (name: string, input: object, selection: string) => {
      const Input = `${name[0]!.toUpperCase()}${name.slice(1)}Input`;
      const { data, errors } = await graphql(
        `mutation ($input: ${Input}!) { result: ${name}(input: $input) { errors ${selection} } }`,
        { token: developer, variables: { input } },
      );
      return (errors ?? data!.result) as any;
    };
    const made = await run(
      'environmentCreate',
      { projectPath: project.fullPath, name: 'by GraphQL', tier: 'TESTING' },
      'environment { id name tier }',
    );
    expect(made).toMatchObject({ errors: [], environment: { name: 'by GraphQL', tier: 'TESTING' } });
    const { id } = made.environment;
    expect(id).toMatch(/^gid:\/\/gitlab\/Environment\/\d+$/);
    expect(
      await run('environmentCreate', { projectPath: project.fullPath, name: 'by GraphQL' }, 'environment { id }'),
    ).toEqual({
      errors: ['Name has already been taken'],
      environment: null,
    });
    expect(
      await run('environmentUpdate', { id, externalUrl: 'https://x.example.com' }, 'environment { externalUrl }'),
    ).toMatchObject({
      environment: { externalUrl: 'https://x.example.com' },
    });
    expect(await run('environmentDelete', { id }, '')).toMatchObject([{ message: expect.any(String) }]);
    expect(await run('environmentStop', { id, force: true }, 'environment { state }')).toMatchObject({
      environment: { state: 'stopped' },
    });
    expect(await run('environmentDelete', { id }, '')).toEqual({ errors: [] });
  });
});

describe('a deployment', () => {
  const report = (json: Record<string, unknown>, as = developer) =>
    rest('POST', `${project.path}/deployments`, { token: as, json });
  const said = (more = {}) => ({
    environment: 'deployed',
    sha: project.sha,
    ref: 'main',
    tag: false,
    status: 'success',
    ...more,
  });
  const update = (id: number, status: string) =>
    rest('PUT', `${project.path}/deployments/${id}`, { token: developer, json: { status } });
  const remove = (id: number, as = token) => rest('DELETE', `${project.path}/deployments/${id}`, { token: as });

  test('has the record of the contract, and makes its environment', async () => {
    const { status, body } = await report(said());
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual([
      'id',
      'iid',
      'ref',
      'sha',
      'created_at',
      'updated_at',
      'user',
      'environment',
      'deployable',
      'status',
    ]);
    expect(body).toMatchObject({
      iid: 1,
      ref: 'main',
      sha: project.sha,
      user: { username: 'developer' },
      environment: { name: 'deployed', slug: 'deployed' },
      deployable: null,
      status: 'success',
    });
    expect(Object.keys(body.environment)).toEqual(['id', 'name', 'slug', 'external_url', 'created_at', 'updated_at']);
    expect((await rest('GET', `${project.path}/deployments/${body.id}`, { token })).body).toEqual(body);
    const environment = (await get(body.environment.id)).body;
    expect(environment.last_deployment).toMatchObject({ id: body.id, status: 'success' });
    expect(environment.last_deployment).not.toHaveProperty('environment');
  });

  test.each([
    [{ ref: 'gone' }, { message: { ref: ['The branch or tag does not exist'] } }],
    [{ tag: true }, { message: { ref: ['The branch or tag does not exist'] } }],
    [{ sha: 'b'.repeat(40) }, { message: { sha: ['The commit does not exist'] } }],
    [{ environment: '/x' }, { message: { name: [charset] } }],
    [{ status: 'skipped' }, { error: 'status does not have a valid value' }],
    [{ tag: undefined }, { error: 'tag is missing' }],
    [{ environment: undefined, sha: undefined }, { error: 'environment is missing, sha is missing' }],
  ])('is refused for %o', async (json, body) => {
    expect(await report(said({ environment: 'refused', ...json }))).toMatchObject({ status: 400, body });
    expect((await rest('GET', `${project.path}/environments?name=refused`, { token })).body).toEqual([]);
  });

  test('goes on, and the newest successful one is what is on its environment', async () => {
    const { id, environment } = (await report(said({ environment: 'steps', status: 'running' }))).body;
    const last = async () => (await get(environment.id)).body.last_deployment?.id ?? null;
    expect(await last()).toBeNull();
    expect(await remove(id)).toMatchObject({ status: 400, body: { message: 'Cannot destroy running deployment' } });
    expect(await update(id, 'success')).toMatchObject({ status: 200, body: { id, status: 'success' } });
    expect(await last()).toBe(id);
    expect(await remove(id)).toMatchObject({
      status: 400,
      body: { message: 'Deployment currently deployed to environment' },
    });
    expect(await update(id, 'running')).toMatchObject({
      status: 400,
      body: { message: { status: ['cannot transition via "run"'] } },
    });
    expect(await update(id, 'success')).toMatchObject({
      status: 400,
      body: { message: { status: ['cannot transition via "succeed"'] } },
    });
    const failed = (await report(said({ environment: 'steps', status: 'failed' }))).body;
    expect(await last()).toBe(id);
    expect((await remove(failed.id, developer)).status).toBe(403);
    expect((await remove(failed.id)).status).toBe(204);
    expect(await rest('GET', `${project.path}/deployments/${failed.id}`, { token })).toMatchObject({
      status: 404,
      body: { message: '404 Not found' },
    });
    await stop(environment.id);
    await report(said({ environment: 'steps' }));
    expect((await get(environment.id)).body.state).toBe('available');
  });

  test('is listed by filters and orders', async () => {
    const on = await newReported(gateway);
    const add = async (environment: string, status: string, ref = 'main') =>
      (
        await rest('POST', `${on.path}/deployments`, {
          token,
          json: { environment, status, ref, sha: on.sha, tag: false },
        })
      ).body.iid as number;
    expect(await add('b', 'success')).toBe(1);
    expect(await add('a', 'failed', 'topic')).toBe(2);
    expect(await add('b', 'running')).toBe(3);
    const list = async (query = '') => {
      const { status, body } = await rest('GET', `${on.path}/deployments${query}`, { token });
      return status === 200 ? (body as { iid: number }[]).map(({ iid }) => iid) : { status, body };
    };
    expect(await list()).toEqual([1, 2, 3]);
    expect(await list('?sort=desc')).toEqual([3, 2, 1]);
    expect(await list('?order_by=ref&sort=desc')).toEqual([2, 3, 1]);
    expect(await list('?order_by=finished_at')).toEqual([1, 2, 3]);
    expect(await list('?environment=b')).toEqual([1, 3]);
    expect(await list('?environment=none')).toEqual([]);
    expect(await list('?status=failed')).toEqual([2]);
    expect(await list('?status=moon')).toEqual({ status: 400, body: { error: 'status does not have a valid value' } });
    expect(await list('?order_by=updated_at&updated_after=2020-01-01T00:00:00Z')).toEqual([1, 2, 3]);
    expect(await list('?updated_after=2020-01-01T00:00:00Z')).toEqual({
      status: 400,
      body: { message: '400 Bad request - `updated_at` filter and `updated_at` sorting must be paired' },
    });
    expect(await list('?order_by=finished_at&status=success&finished_before=2020-01-01T00:00:00Z')).toEqual([]);
    const { data } = await graphql(
      `
        query ($path: ID!) {
          project(fullPath: $path) {
            deployment(iid: 2) {
              status
              ref
              environment {
                name
              }
              triggerer {
                username
              }
            }
            environments {
              nodes {
                name
                deployments(statuses: [SUCCESS, RUNNING]) {
                  nodes {
                    iid
                  }
                }
              }
            }
          }
        }
      `,
      { token, variables: { path: on.fullPath } },
    );
    expect(data!.project).toEqual({
      deployment: { status: 'FAILED', ref: 'topic', environment: { name: 'a' }, triggerer: { username: 'maintainer' } },
      environments: {
        nodes: [
          { name: 'a', deployments: { nodes: [] } },
          { name: 'b', deployments: { nodes: [{ iid: '3' }, { iid: '1' }] } },
        ],
      },
    });
  });

  test('brings merge requests to its environment', async () => {
    const on = await newReported(gateway);
    const deploy = async () => {
      const { body: main } = await rest('GET', `${on.path}/repository/branches/main`, { token });
      const json = { environment: 'production', status: 'success', ref: 'main', sha: main.commit.id, tag: false };
      return (await rest('POST', `${on.path}/deployments`, { token, json })).body.id as number;
    };
    const merge = async (branch: string) => {
      await on.branch(branch);
      await on.commit({ [`${branch}.txt`]: branch }, { branch });
      const opened = await rest('POST', `${on.path}/merge_requests`, {
        token,
        json: { source_branch: branch, target_branch: 'main', title: branch },
      });
      const merged = await rest('PUT', `${on.path}/merge_requests/${opened.body.iid}/merge`, { token });
      expect(merged.status, JSON.stringify(merged.body)).toBe(200);
    };
    const brought = async (id: number) => {
      const { body } = await rest('GET', `${on.path}/deployments/${id}/merge_requests`, { token });
      return (body as { title: string }[]).map(({ title }) => title);
    };
    await merge('one');
    const first = await deploy();
    await vi.waitFor(async () => expect(await brought(first)).toEqual(['one']), { timeout: 10_000 });
    await merge('two');
    const second = await deploy();
    await vi.waitFor(async () => expect(await brought(second)).toEqual(['two']), { timeout: 10_000 });
    expect(await brought(first)).toEqual(['one']);
    const list = await rest('GET', `${on.path}/merge_requests?environment=production&deployed_after=2020-01-01`, {
      token,
    });
    expect(list.body.map((one: { title: string }) => one.title)).toEqual(['two', 'one']);
    const none = await rest('GET', `${on.path}/merge_requests?environment=staging`, { token });
    expect(none.body).toEqual([]);
    const { body: one } = await rest('GET', `${on.path}/merge_requests/1`, { token });
    const [deployed] = await gateway.sql<{ finished_at: Date }>('select finished_at from deployments where id = $1', [
      first,
    ]);
    expect(one.first_deployed_to_production_at).toBe(deployed!.finished_at.toISOString());
  });
});
