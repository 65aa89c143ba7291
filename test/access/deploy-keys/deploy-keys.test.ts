import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { gitClient, plainGit, temporaryFolder } from '../../git/support/engine.ts';
import { newCode, type Code } from '../../repository/support/code.ts';
import { workTree } from '../../repository/support/clone.ts';
import { command, connected, newKey, sshGateway, through } from '../../ssh/support/gateway.ts';
import { addMember, newUser, type TestUser } from '../../support/places/people.ts';

const { gateway, port, start } = await sshGateway();
await start();
const { rest, graphql, sql, tokens } = gateway;
const token = tokens.maintainer;
const { root: administrator, developer } = tokens;

let project: Code;
let other: Code;
let someone: TestUser;
beforeAll(async () => {
  [project, other] = [await newCode(gateway), await newCode(gateway)];
  someone = await newUser(gateway, 'deploy-keys-of-others');
});

const add = (key: string, more: Record<string, unknown> = {}, { on = project, as = token } = {}) =>
  rest('POST', `${on.path}/deploy_keys`, { token: as, json: { title: 'Machine', key, ...more } });
const list = async (on = project) => (await rest('GET', `${on.path}/deploy_keys`, { token })).body as { id: number }[];
const remove = (id: number, on = project) => rest('DELETE', `${on.path}/deploy_keys/${id}`, { token });
/** A project of somebody else. */
const foreign = async (name: string) =>
  (await rest('POST', '/api/v4/projects', { token: someone.token, json: { name } })).body as { id: number };

describe('the API', () => {
  test('has the record of the contract', async () => {
    const { public: key } = newKey();
    const { status, body } = await add(`  ${key} build@example.com \n`, { expires_at: '2090-01-01' });
    expect(status).toBe(201);
    const blob = Buffer.from(key.split(' ')[1]!, 'base64');
    const md5 = createHash('md5').update(blob).digest('hex').match(/../g)!.join(':');
    expect(body).toEqual({
      id: expect.any(Number),
      title: 'Machine',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      expires_at: '2090-01-01T00:00:00.000Z',
      last_used_at: null,
      usage_type: 'auth_and_signing',
      key: `${key.trim()} build@example.com`,
      fingerprint: md5,
      fingerprint_sha256: `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`,
      can_push: false,
    });
    expect((await rest('GET', `${project.path}/deploy_keys/${body.id}`, { token })).body).toEqual(body);
    expect(await list()).toEqual([body]);
    const all = await rest('GET', '/api/v4/deploy_keys', { token: administrator });
    expect(all.body).toMatchObject([
      { id: body.id, projects_with_write_access: [], projects_with_readonly_access: [{ id: project.id }] },
    ]);
    expect(all.body[0]).not.toHaveProperty('can_push');
    expect((await rest('GET', '/api/v4/deploy_keys?public=true', { token: administrator })).body).toEqual([]);
    // The same key again.
    expect(await add(key, { title: 'Again', can_push: true })).toMatchObject({ status: 201, body });
    expect((await remove(body.id)).status).toBe(204);
    expect(await sql('select 1 from ssh_keys where id = $1', [body.id])).toEqual([]);
    expect(await remove(body.id)).toMatchObject({ status: 404, body: { message: '404 Deploy key Not Found' } });
    expect(await rest('GET', `${project.path}/deploy_keys/${body.id}`, { token })).toMatchObject({
      status: 404,
      body: { message: '404 Not found' },
    });
  });

  test.each([
    [{ key: undefined }, { error: 'key is missing' }],
    [{ title: undefined }, { error: 'title is missing' }],
    [{ title: '' }, { message: { 'deploy_key.title': ["can't be blank"] } }],
    [
      { key: 'ssh-ed25519 x' },
      { message: { 'deploy_key.key': ['is invalid'], 'deploy_key.fingerprint_sha256': ['cannot be generated'] } },
    ],
    [{ expires_at: '2001-01-01' }, { message: { 'deploy_key.key': ['has expired'] } }],
    [{ can_push: 'perhaps' }, { error: 'can_push is invalid' }],
  ])('refuses %o', async (json, body) => {
    expect(await add(newKey().public, json)).toMatchObject({ status: 400, body });
    expect(await list()).toEqual([]);
  });

  test('is for maintainers', async () => {
    const { id } = (await add(newKey().public)).body;
    const calls = [
      ['GET', ''],
      ['GET', `/${id}`],
      ['POST', ''],
      ['PUT', `/${id}`],
      ['POST', `/${id}/enable`],
      ['DELETE', `/${id}`],
    ] as const;
    const json = { title: 'x', key: newKey().public };
    for (const [method, path] of calls)
      for (const [as, status] of [
        [developer, 403],
        [someone.token, 404],
        [undefined, method === 'GET' ? [401, 404] : 401],
      ] as const) {
        const answer = await rest(method, `${project.path}/deploy_keys${path}`, {
          ...(as !== undefined && { token: as }),
          ...(method !== 'GET' && { json }),
        });
        expect([status].flat(), `${method} ${path}`).toContain(answer.status);
      }
    expect((await list()).map((one) => one.id)).toEqual([id]);
    for (const method of ['GET', 'POST'] as const) {
      const send = (as: string | undefined) =>
        rest(method, '/api/v4/deploy_keys', { ...(as && { token: as }), ...(method === 'POST' && { json }) });
      expect([(await send(undefined)).status, (await send(token)).status]).toEqual([401, 403]);
    }
    await remove(id);
  });

  test('changes title and right to push', async () => {
    const { id } = (await add(newKey().public)).body;
    const put = (json: object) => rest('PUT', `${project.path}/deploy_keys/${id}`, { token, json });
    expect(await put({})).toMatchObject({
      status: 400,
      body: { error: 'title, can_push are missing, at least one parameter must be provided' },
    });
    expect(await put({ title: '' })).toMatchObject({
      status: 400,
      body: { message: { 'deploy_key.title': ["can't be blank"] } },
    });
    expect(await put({ title: 'Other', can_push: true })).toMatchObject({
      status: 200,
      body: { id, title: 'Other', can_push: true },
    });
    expect(await put({ can_push: false })).toMatchObject({ status: 200, body: { title: 'Other', can_push: false } });
    await remove(id);
  });

  test('lets one key open several projects of those who maintain them', async () => {
    const { public: key } = newKey();
    const { id } = (await add(key)).body;
    expect(await add(key, { title: 'Ignored', can_push: true }, { on: other })).toMatchObject({
      status: 201,
      body: { id, title: 'Machine', can_push: true },
    });
    expect((await remove(id)).status).toBe(204);
    expect((await list(other)).map((one) => one.id)).toEqual([id]);
    const enabled = await rest('POST', `${project.path}/deploy_keys/${id}/enable`, { token });
    expect(enabled).toMatchObject({ status: 201, body: { id, title: 'Machine' } });
    expect(enabled.body).not.toHaveProperty('can_push');
    expect(await list()).toMatchObject([{ id, can_push: false }]);
    // Others can’t take it, and aren’t told where it is.
    const theirs = await foreign('takes-keys');
    const refused = await rest('POST', `/api/v4/projects/${theirs.id}/deploy_keys`, {
      token: someone.token,
      json: { title: 'x', key },
    });
    expect(refused).toMatchObject({
      status: 400,
      body: { message: { 'deploy_key.fingerprint_sha256': ['has already been taken'] } },
    });
    for (const which of [id, 999_999])
      expect(
        await rest('POST', `/api/v4/projects/${theirs.id}/deploy_keys/${which}/enable`, { token: someone.token }),
      ).toMatchObject({ status: 404, body: { message: '404 Deploy key Not Found' } });
    await remove(id);
    await remove(id, other);
    expect(await sql('select 1 from ssh_keys where id = $1', [id])).toEqual([]);
  });

  test('of administrators makes keys that every project may enable', async () => {
    const { public: key } = newKey();
    const make = () => rest('POST', '/api/v4/deploy_keys', { token: administrator, json: { title: 'For all', key } });
    const { status, body } = await make();
    expect(status).toBe(201);
    expect(await make()).toMatchObject({
      status: 400,
      body: { message: { fingerprint_sha256: ['has already been taken'] } },
    });
    const theirs = `/api/v4/projects/${(await foreign('enables-keys')).id}/deploy_keys/${body.id}`;
    expect((await rest('POST', `${theirs}/enable`, { token: someone.token })).status).toBe(201);
    expect(await rest('PUT', theirs, { token: someone.token, json: { title: 'Mine' } })).toMatchObject({
      status: 200,
      body: { title: 'For all' },
    });
    expect((await rest('DELETE', theirs, { token: someone.token })).status).toBe(204);
    expect((await rest('GET', '/api/v4/deploy_keys?public=true', { token: administrator })).body).toMatchObject([
      { id: body.id },
    ]);
  });

  test('keeps keys of people and of projects apart', async () => {
    const mine = newKey();
    const own = await rest('POST', '/api/v4/user/keys', { token, json: { title: 'Mine', key: mine.public } });
    expect(own.status).toBe(201);
    expect(await add(mine.public)).toMatchObject({
      status: 400,
      body: { message: { 'deploy_key.fingerprint_sha256': ['has already been taken'] } },
    });
    const machine = newKey();
    const { id } = (await add(machine.public)).body;
    expect(
      await rest('POST', '/api/v4/user/keys', { token, json: { title: 'Mine', key: machine.public } }),
    ).toMatchObject({ status: 400, body: { message: { fingerprint_sha256: ['has already been taken'] } } });
    expect((await rest('GET', `/api/v4/user/keys/${id}`, { token })).status).toBe(404);
    expect((await rest('POST', `${project.path}/deploy_keys/${own.body.id}/enable`, { token })).status).toBe(404);
    await remove(id);
  });

  test('forgets a key with its last project, so that it may be added again', async () => {
    const { public: key } = newKey();
    const gone = await newCode(gateway);
    const { id } = (await add(key, {}, { on: gone })).body;
    await sql('delete from projects where id = $1', [gone.id]);
    expect(await sql('select 1 from ssh_keys where id = $1', [id])).toEqual([]);
    const both = await Promise.all([add(key), add(key, {}, { on: other })]);
    expect(both.map(({ status }) => status)).toEqual([201, 201]);
    expect(both[0].body.id).toBe(both[1].body.id);
    const removed = await Promise.all([remove(both[0].body.id), remove(both[0].body.id, other)]);
    expect(removed.map(({ status }) => status)).toEqual([204, 204]);
    expect(await sql('select 1 from ssh_keys where id = $1', [both[0].body.id])).toEqual([]);
  });

  test('shows them in GraphQL, to maintainers', async () => {
    const { id } = (await add(newKey().public, { can_push: true })).body;
    const query = `query ($path: ID!) { project(fullPath: $path) { deployKeys { nodes { databaseId title canPush projectsWithWriteAccess { name } } } } }`;
    const of = async (as: string) =>
      (await graphql(query, { token: as, variables: { path: project.fullPath } })).data as {
        project: { deployKeys: unknown };
      };
    expect((await of(token)).project.deployKeys).toEqual({
      nodes: [{ databaseId: id, title: 'Machine', canPush: true, projectsWithWriteAccess: null }],
    });
    expect((await of(developer)).project.deployKeys).toBeNull();
    await remove(id);
  });
});

describe('git over SSH', () => {
  const urlOf = ({ fullPath }: { fullPath: string }) => `ssh://git@127.0.0.1:${port}/${fullPath}.git`;
  const hidden = "The project you were looking for could not be found or you don't have permission to view it.";

  const machine = newKey();
  let id: number;
  let code: Code;
  let first: string;
  beforeAll(async () => {
    code = await newCode(gateway);
    first = await code.commit({ 'a.txt': 'a' });
    id = (await add(machine.public, {}, { on: code })).body.id;
  });
  const allow = (canPush: boolean) =>
    rest('PUT', `${code.path}/deploy_keys/${id}`, { token, json: { can_push: canPush } });
  const clone = async (of: { fullPath: string } = code, key = machine) => {
    const folder = temporaryFolder();
    const said = await gitClient(folder, [...through(key), 'clone', urlOf(of), 'clone']);
    return { ...said, folder: `${folder}/clone` };
  };
  const push = (folder: string, ...refs: string[]) =>
    gitClient(folder, [...through(machine), 'push', 'origin', ...refs]);

  test('clones exactly its projects', async () => {
    const copy = await clone();
    expect(copy.code, copy.text).toBe(0);
    expect(plainGit(copy.folder, ['rev-parse', 'HEAD'])).toBe(first);
    const [used] = await sql<{ at: Date | null }>('select last_used_at as at from ssh_keys where id = $1', [id]);
    expect(used!.at).not.toBeNull();
    for (const of of [other, { fullPath: 'nothing/here' }]) {
      const refused = await clone(of);
      expect(refused.code).not.toBe(0);
      expect(refused.text).toContain(hidden);
    }
    // What everyone may clone, it may, too.
    const open = await newCode(gateway, { visibility: 'public' });
    await open.commit({ 'a.txt': 'a' });
    expect(await clone(open)).toMatchObject({ code: 0 });
    expect((await push((await clone(open)).folder, 'HEAD:refs/heads/x')).text).toContain('not allowed to push');
  });

  test('pushes only where it may, and never to a protected branch', async () => {
    await allow(false);
    const work = workTree(urlOf(code));
    await gitClient(work.folder, [...through(machine), 'pull', 'origin', 'main']);
    const commit = work.commit('by a machine');
    const readOnly = await push(work.folder, 'HEAD:refs/heads/topic');
    expect(readOnly.code).not.toBe(0);
    expect(readOnly.text).toContain('You are not allowed to push code to this project.');
    await allow(true);
    const made = await push(work.folder, 'HEAD:refs/heads/topic', 'HEAD:refs/tags/v1');
    expect(made.code, made.text).toBe(0);
    const { body } = await rest('GET', `${code.path}/repository/branches/topic`, { token });
    expect(body.commit.id).toBe(commit);
    const actors = await sql<{ username: string }>(
      `select distinct u.username from ref_changes c join users u on u.id = c.actor_id where c.project_id = $1 and c.ref like '%topic'`,
      [code.id],
    );
    expect(actors).toEqual([{ username: 'maintainer' }]);
    for (const [ref, text] of [
      ['HEAD:refs/heads/main', 'not allowed to push code to protected branches'],
      [':refs/heads/main', 'cannot be deleted'],
    ] as const) {
      const refused = await push(work.folder, ref);
      expect(refused.code).not.toBe(0);
      expect(refused.text).toContain(text);
    }
    // Nor where developers push: a key has no role.
    await rest('POST', `${code.path}/protected_branches`, {
      token,
      json: { name: 'release-*', push_access_level: 30, merge_access_level: 30 },
    });
    expect((await push(work.folder, 'HEAD:refs/heads/release-1')).code).not.toBe(0);
    work.commit('again');
    await code.branch('release-2');
    expect((await push(work.folder, 'HEAD:refs/heads/release-2')).text).toContain('protected branches');
    expect(await push(work.folder, '+HEAD:refs/tags/v1')).toMatchObject({ code: 0 });
    // An archived project is read only.
    await rest('POST', `${code.path}/archive`, { token });
    expect((await push(work.folder, 'HEAD:refs/heads/late')).code).not.toBe(0);
    expect(await clone()).toMatchObject({ code: 0 });
    await rest('POST', `${code.path}/unarchive`, { token });
  });

  test('doesn’t begin a repository, since its first branch is protected', async () => {
    const empty = await newCode(gateway);
    await add(machine.public, { can_push: true }, { on: empty });
    const work = workTree(urlOf(empty));
    work.commit('first');
    const refused = await push(work.folder, 'HEAD:refs/heads/main');
    expect(refused.code).not.toBe(0);
    expect(refused.text).toContain('A default branch');
  });

  test('ends with the key, its time and its project', async () => {
    const key = newKey();
    const made = (await add(key.public, {}, { on: code })).body.id as number;
    expect(await clone(code, key)).toMatchObject({ code: 0 });
    await sql(`update ssh_keys set expires_at = now() - interval '1 second' where id = $1`, [made]);
    expect((await clone(code, key)).text).toContain('Your SSH key has expired.');
    await sql('update ssh_keys set expires_at = null where id = $1', [made]);
    const open = await connected(port, { privateKey: key.private });
    await remove(made, code);
    expect((await clone(code, key)).code).not.toBe(0);
    open.end();
  });

  test('acts for nobody: it reaches nothing but git, also when who added it is blocked', async () => {
    expect(await command(port, machine, 'whoami')).toMatchObject({
      code: 1,
      errors: 'Welcome, deploy key. Causeway gives no shell.\n',
    });
    const maker = await newUser(gateway, 'adds-deploy-keys');
    await addMember(gateway, maker, 'MAINTAINER', { project: String(code.id) });
    const key = newKey();
    const made = await add(key.public, { can_push: true }, { on: code, as: maker.token });
    expect(made.status).toBe(201);
    await sql(`update users set state = 'BLOCKED' where id = $1`, [maker.id]);
    const copy = await clone(code, key);
    expect(copy.code, copy.text).toBe(0);
    const pushed = await gitClient(copy.folder, [...through(key), 'push', 'origin', 'HEAD:refs/heads/by-nobody']);
    expect(pushed.code, pushed.text).toBe(0);
    expect(
      await sql(`select actor_id from ref_changes where project_id = $1 and ref = 'refs/heads/by-nobody'`, [code.id]),
    ).toEqual([{ actor_id: null }]);
  });
});
