import { describe, expect, test, vi } from 'vitest';
import { enqueue } from '../../src/jobs/enqueue.ts';
import { readHead } from '../../src/git/refs/index.ts';
import { testGateway } from '../support/gateway.ts';
import { addMember, newUser } from '../support/places/people.ts';
import { newMergeRequest } from '../reviews/support/merge-requests.ts';
import { newCode } from './support/code.ts';

const gateway = await testGateway();
const { rest, graphql, sql, tokens } = gateway;
const token = tokens.maintainer;
const { developer } = tokens;

const names = (body: readonly { name: string }[]) => body.map(({ name }) => name);

describe('the record of a branch', () => {
  test('has its commit, and says what the viewer may do', async () => {
    const { path, fullPath, commit, branch } = await newCode(gateway);
    const id = await commit({ 'a.txt': 'a' });
    await branch('feature/one');
    const main = await rest('GET', `${path}/repository/branches/main`, { token });
    expect(main.status).toBe(200);
    expect(Object.keys(main.body)).toEqual([
      'name',
      'commit',
      'merged',
      'protected',
      'developers_can_push',
      'developers_can_merge',
      'can_push',
      'default',
      'web_url',
    ]);
    expect(main.body).toEqual({
      name: 'main',
      commit: expect.objectContaining({ id, short_id: id.slice(0, 8), title: 'Change' }),
      merged: false,
      protected: true,
      developers_can_push: false,
      developers_can_merge: false,
      can_push: true,
      default: true,
      web_url: `${gateway.url}/${fullPath}/-/tree/main`,
    });
    const feature = `${path}/repository/branches/feature%2Fone`;
    expect((await rest('GET', feature, { token })).body).toMatchObject({
      name: 'feature/one',
      merged: true,
      protected: false,
      can_push: true,
      default: false,
      web_url: `${gateway.url}/${fullPath}/-/tree/feature/one`,
    });
    await commit({ 'b.txt': 'b' }, { branch: 'feature/one' });
    expect((await rest('GET', feature, { token })).body).toMatchObject({ merged: false });
    expect((await rest('GET', `${path}/repository/branches/main`, { token: developer })).body.can_push).toBe(false);
  });

  test('is found by its whole name alone; HEAD has no body', async () => {
    const { path, commit, branch } = await newCode(gateway);
    await commit({ 'a.txt': 'a' });
    await branch('ends-with.json');
    const at = (name: string) => `${path}/repository/branches/${name}`;
    expect((await rest('GET', at('ends-with.json'), { token })).body.name).toBe('ends-with.json');
    expect((await rest('GET', at('nothing'), { token })).body).toEqual({ message: '404 Branch Not Found' });
    expect((await rest('GET', at('branch*'), { token })).body).toEqual({ message: 'The branch refname is invalid' });
    const head = await rest('HEAD', at('main'), { token });
    expect([head.status, head.text]).toEqual([204, '']);
    const missing = await rest('HEAD', at('nothing'), { token });
    expect([missing.status, missing.text]).toEqual([404, '']);
  });

  test('isn’t found without a name, as Go clients ask for the default branch of an empty project', async () => {
    const { path, commit } = await newCode(gateway);
    const project = (await rest('GET', path, { token })).body as { default_branch: string | null };
    const ask = () => rest('GET', `${path}/repository/branches/${project.default_branch ?? ''}`, { token });
    const answer = await ask();
    expect([answer.status, answer.body]).toEqual([404, { message: '404 Branch Not Found' }]);
    expect((await rest('GET', `${path}/repository/branches`, { token })).body).toEqual([]);
    await commit({ 'a.txt': 'a' });
    // Elsewhere a slash at the end says nothing, such as after the last page.
    expect(names((await ask()).body)).toEqual(['main']);
    const after = await rest('GET', `${path}/repository/branches/?page=2`, { token });
    expect([after.status, after.body]).toEqual([200, []]);
  });
});

describe('the list of branches', () => {
  test('is searched, sorted and paged', async () => {
    const { path, commit } = await newCode(gateway);
    const url = `${path}/repository/branches`;
    expect((await rest('GET', url, { token })).body).toEqual([]);
    await commit({ 'a.txt': 'a' });
    for (const [name, date] of [
      ['fix-b', '2030-01-03'],
      ['fix-a', '2030-01-02'],
      ['big-FIX', '2030-01-01'],
    ] as const)
      await commit({ [`${name}.txt`]: date }, { branch: name, start_branch: 'main' });
    const list = (query: Record<string, string> = {}) => rest('GET', url, { token, query });
    const found = async (query: Record<string, string>) => names((await list(query)).body);
    expect(await found({})).toEqual(['big-FIX', 'fix-a', 'fix-b', 'main']);
    expect(await found({ search: 'fix' })).toEqual(['big-FIX', 'fix-a', 'fix-b']);
    expect(await found({ search: '^fix' })).toEqual(['fix-a', 'fix-b']);
    expect(await found({ search: 'fix$' })).toEqual(['big-FIX']);
    expect(await found({ search: '^MAIN$' })).toEqual(['main']);
    expect(await found({ search: 'a' })).toEqual(['fix-a', 'main']);
    expect(await found({ regex: '^fix-[a-c]' })).toEqual(['fix-a', 'fix-b']);
    expect((await list({ regex: '(' })).body).toEqual({ message: 'Regex is invalid' });
    expect((await list({ regex: '(?=x)' })).body).toEqual({ message: 'Regex is invalid' });
    expect((await list({ sort: 'sideways' })).body).toEqual({ error: 'sort does not have a valid value' });
    const updated = await found({ sort: 'updated_desc' });
    expect(await found({ sort: 'updated_asc' })).toHaveLength(updated.length);
    const page = await list({ per_page: '3' });
    expect(names(page.body)).toHaveLength(3);
    expect(page.headers.get('x-total')).toBe('4');
    expect(page.headers.get('x-next-page')).toBe('2');
  });

  test('sorts by the date of the last commit', async () => {
    const { path, commit, branch } = await newCode(gateway);
    const oldest = await commit({ 'a.txt': 'a' });
    // Dates of commits are whole seconds.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await commit({ 'b.txt': 'b' }, { branch: 'z-new', start_branch: 'main' });
    await branch('a-old', oldest);
    const list = async (sort: string) =>
      names((await rest('GET', `${path}/repository/branches`, { token, query: { sort } })).body);
    expect(await list('updated_desc')).toEqual(['z-new', 'a-old', 'main']);
    expect(await list('updated_asc')).toEqual(['a-old', 'main', 'z-new']);
  });

  test('continues after a name by keyset pagination', async () => {
    const { path, commit, branch } = await newCode(gateway);
    await commit({ 'a.txt': 'a' });
    for (const name of ['a', 'b', 'c']) await branch(name);
    let url: string | undefined = `${path}/repository/branches?pagination=keyset&per_page=2`;
    const seen: string[] = [];
    for (let pages = 0; url !== undefined && pages < 5; pages++) {
      const { body, headers } = await rest('GET', url, { token });
      seen.push(...names(body));
      expect(headers.get('x-total')).toBeNull();
      url = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
      // A branch that goes away meanwhile loses nobody's place.
      if (pages === 0) {
        expect(url).toContain('page_token=b');
        await rest('DELETE', `${path}/repository/branches/b`, { token });
      }
    }
    expect(seen).toEqual(['a', 'b', 'c', 'main']);
    const gone = await rest('GET', `${path}/repository/branches`, {
      token,
      query: { pagination: 'keyset', page_token: 'b', sort: 'updated_desc' },
    });
    expect([gone.status, gone.body]).toEqual([422, { message: 'Invalid page token: refs/heads/b' }]);
  });

  test('costs a bounded number of statements and processes', async () => {
    const { path, commit, branch } = await newCode(gateway);
    await commit({ 'a.txt': 'a' });
    const url = `${path}/repository/branches`;
    for (const name of ['a', 'b', 'c', 'd', 'e']) await branch(name);
    const run = vi.spyOn(gateway.gateway.application.git.engine.runner, 'run');
    const { body } = await rest('GET', url, { token });
    expect(body).toHaveLength(6);
    // Jobs may run something else meanwhile.
    const lists = run.mock.calls.flatMap(([{ args }]) => args.filter((arg) => arg === 'for-each-ref'));
    expect(lists).toHaveLength(2);
    run.mockRestore();
  });

  test('is missing where the repository is switched off, and forbidden to guests of private projects', async () => {
    const { path, commit } = await newCode(gateway, { visibility: 'public' });
    await commit({ 'a.txt': 'a' });
    const url = `${path}/repository/branches`;
    const stranger = (await newUser(gateway, 'stranger')).token;
    const read = async () => (await rest('GET', url, { token: stranger })).status;
    expect(await read()).toBe(200);
    const levels = {
      repository_access_level: 'private',
      merge_requests_access_level: 'private',
      builds_access_level: 'private',
    };
    const changed = await rest('PUT', path, { token, json: levels });
    expect(changed.status, changed.text).toBe(200);
    const off = await rest('GET', url, { token: stranger });
    expect([off.status, off.body]).toEqual([404, { message: '404 Repository Not Found' }]);
    expect((await rest('GET', `${path}/repository/tree`, { token: stranger })).status).toBe(403);
    const hidden = await newCode(gateway);
    await addMember(gateway, { id: '4' }, 'GUEST', { project: String(hidden.id) });
    const { status, body } = await rest('GET', `${hidden.path}/repository/branches`, { token: tokens.guest });
    expect([status, body]).toEqual([403, { message: '403 Forbidden' }]);
    expect((await rest('GET', `${hidden.path}/repository/branches`, { token: stranger })).body).toEqual({
      message: '404 Project Not Found',
    });
  });
});

describe('creating a branch', () => {
  const create = (path: string, json: unknown, by = token) =>
    rest('POST', `${path}/repository/branches`, { token: by, json });

  test('needs its name and a reference, and the right to push', async () => {
    const { path } = await newCode(gateway, { visibility: 'public' });
    const missing = await create(path, { branch_name: 'x' });
    expect(missing).toMatchObject({
      status: 400,
      body: { error: 'branch is missing, branch is empty, ref is missing, ref is empty' },
    });
    expect((await create(path, {}, tokens.guest)).body).toEqual({ message: '403 Forbidden' });
    expect((await rest('POST', `${path}/repository/branches`, { json: { branch: 'a', ref: 'b' } })).status).toBe(401);
  });

  test('in an empty repository, begins the default branch with a README', async () => {
    const { path } = await newCode(gateway);
    expect((await create(path, { branch: 'x', ref: 'nothing' })).body).toEqual({
      message: "Failed to create branch 'x': invalid reference name 'nothing'",
    });
    expect((await rest('GET', `${path}/repository/branches`, { token })).body).toEqual([]);
    const made = await create(path, { branch: 'x', ref: 'main' });
    expect([made.status, made.body]).toEqual([201, expect.objectContaining({ name: 'x', default: false })]);
    expect(made.body.commit.title).toBe('Add README.md');
    const { body } = await rest('GET', `${path}/repository/branches`, { token });
    expect(body.map(({ name, ...one }: { name: string; default: boolean }) => [name, one.default])).toEqual([
      ['main', true],
      ['x', false],
    ]);
    expect((await rest('GET', `${path}/repository/files/README.md/raw`, { token })).text).toBe('');
  });

  test('is refused with the text of the first rule that it breaks', async () => {
    const { path, commit, branch } = await newCode(gateway);
    const id = await commit({ 'a.txt': 'a' });
    await branch('a');
    const refused = async (name: string, ref = 'main', by = token) => {
      const { status, body } = await create(path, { branch: name, ref }, by);
      expect(status, JSON.stringify(body)).toBe(400);
      return body.message as string;
    };
    expect(await refused('new design')).toBe('Branch name is invalid');
    expect(await refused('-x')).toBe('Branch name is invalid');
    expect(await refused('refs/heads/x')).toBe('Branch name is invalid');
    expect(await refused('a')).toBe('Branch already exists');
    expect(await refused('x', 'foo')).toBe("Failed to create branch 'x': invalid reference name 'foo'");
    expect(await refused('x', 'main~1')).toBe("Failed to create branch 'x': invalid reference name 'main~1'");
    expect(await refused('a/b')).toBe(
      "Failed to create branch 'a/b': Branch name conflicts with existing branch hierarchy.",
    );
    await branch('c/d');
    expect(await refused('c')).toBe(
      "Failed to create branch 'c': Branch name conflicts with existing branch hierarchy.",
    );
    const hexadecimal = 'You cannot create a branch with a 40-character hexadecimal branch name.';
    expect(await refused(id)).toBe(hexadecimal);
    expect(await refused(`${id}/x`)).toBe(hexadecimal);
    expect(await refused(`${id}-/x`)).toBe(hexadecimal);
    for (const ref of [id, id.slice(0, 8), 'HEAD', 'a'])
      expect((await create(path, { branch: `from-${ref}`, ref })).status).toBe(201);
  });

  test('that a rule protects needs the right to push, or to merge what is protected already', async () => {
    const { id, path, commit } = await newCode(gateway);
    await commit({ 'a.txt': 'a' });
    await commit({ 'b.txt': 'b' }, { branch: 'loose', start_branch: 'main' });
    await sql(
      `insert into protected_branches (project_id, name, push_access_level, merge_access_level)
       values ($1, 'stable-*', 40, 30), ($1, 'closed-*', 40, 40)`,
      [id],
    );
    const by = (name: string, ref: string) => create(path, { branch: name, ref }, developer);
    expect((await by('stable-1', 'main')).status).toBe(201);
    expect((await by('stable-2', 'loose')).body).toEqual({
      message: 'You can only use an existing protected branch ref as the basis of a new protected branch.',
    });
    expect((await by('closed-1', 'main')).body).toEqual({
      message: 'You are not allowed to create protected branches on this project.',
    });
    expect((await create(path, { branch: 'closed-1', ref: 'loose' })).status).toBe(201);
  });

  test('is refused in an archived project', async () => {
    const { path, commit } = await newCode(gateway);
    await commit({ 'a.txt': 'a' });
    await rest('POST', `${path}/archive`, { token });
    expect((await create(path, { branch: 'x', ref: 'main' })).body).toEqual({
      message: 'You are not allowed to push code to this project.',
    });
  });
});

describe('deleting a branch', () => {
  const remove = (path: string, name: string, by = token, headers: Record<string, string> = {}) =>
    rest('DELETE', `${path}/repository/branches/${encodeURIComponent(name)}`, { token: by, headers });

  test('is done by those who push, but not to the default branch', async () => {
    const { path, commit, branch } = await newCode(gateway);
    await commit({ 'a.txt': 'a' });
    await branch('a/b');
    expect((await remove(path, 'a/b', developer)).status).toBe(204);
    expect((await remove(path, 'a/b')).body).toEqual({ message: '404 Branch Not Found' });
    expect((await remove(path, 'branch*')).body).toEqual({ message: 'The branch refname is invalid' });
    for (const by of [token, developer])
      expect(await remove(path, 'main', by)).toMatchObject({
        status: 400,
        body: { message: 'The default branch of a project cannot be deleted.' },
      });
  });

  test('is forbidden to developers if a rule protects it', async () => {
    const { id, path, commit, branch } = await newCode(gateway);
    await commit({ 'a.txt': 'a' });
    await branch('stable');
    await sql(`insert into protected_branches (project_id, name, push_access_level) values ($1, 'sta*', 30)`, [id]);
    const text =
      'You are not allowed to delete protected branches from this project. Only a project maintainer or owner can delete a protected branch.';
    expect(await remove(path, 'stable', developer)).toMatchObject({ status: 403, body: { message: text } });
    expect((await remove(path, 'stable')).status).toBe(204);
  });

  test('is refused if its commit is newer than the client knows', async () => {
    const { path, commit, branch } = await newCode(gateway);
    await commit({ 'a.txt': 'a' });
    await branch('old');
    const since = (date: Date) => ({ 'if-unmodified-since': date.toUTCString() });
    expect(await remove(path, 'old', token, since(new Date(Date.now() - 60_000)))).toMatchObject({
      status: 412,
      body: { message: '412 Precondition Failed' },
    });
    expect((await remove(path, 'old', token, since(new Date(Date.now() + 60_000)))).status).toBe(204);
  });
});

describe('deleting merged branches', () => {
  const removeAll = (path: string, by = token) => rest('DELETE', `${path}/repository/merged_branches`, { token: by });
  const left = async (path: string) => names((await rest('GET', `${path}/repository/branches`, { token })).body);

  test('happens in the background, and spares protected and unmerged ones', async () => {
    const { id, path, commit, branch } = await newCode(gateway);
    await commit({ 'a.txt': 'a' });
    for (const name of ['merged-1', 'merged-2', 'stable']) await branch(name);
    await commit({ 'b.txt': 'b' }, { branch: 'ahead', start_branch: 'main' });
    await sql(`insert into protected_branches (project_id, name) values ($1, 'stable')`, [id]);
    const { status, body } = await removeAll(path, developer);
    expect([status, body]).toEqual([202, { message: '202 Accepted' }]);
    await vi.waitFor(async () => expect(await left(path)).toEqual(['ahead', 'main', 'stable']), { timeout: 30_000 });
    // The record says so just after git has done it.
    await vi.waitFor(
      async () =>
        expect(
          await sql(
            'select ref, actor_id, applied from ref_changes where project_id = $1 and after is null order by ref',
            [id],
          ),
        ).toEqual(['merged-1', 'merged-2'].map((name) => ({ ref: `refs/heads/${name}`, actor_id: 3, applied: true }))),
      { timeout: 30_000 },
    );
  });

  test('spares the branches of open merge requests, on both sides', async () => {
    const { path, fullPath, commit, branch } = await newCode(gateway);
    await commit({ 'a.txt': 'a' });
    for (const name of ['closed', 'gone', 'source', 'target']) await branch(name);
    const asked = { author: 'maintainer', target: 'target' };
    await newMergeRequest(gateway, fullPath, { ...asked, source: 'source' });
    const { id } = await newMergeRequest(gateway, fullPath, { ...asked, iid: 2, source: 'closed', target: 'main' });
    await sql(`update merge_requests set state = 'CLOSED' where id = $1`, [id]);
    expect((await removeAll(path, developer)).status).toBe(202);
    await vi.waitFor(async () => expect(await left(path)).toEqual(['main', 'source', 'target']), { timeout: 30_000 });
  });

  test('is forbidden to those who don’t push', async () => {
    const { path } = await newCode(gateway, { visibility: 'public' });
    expect((await removeAll(path, tokens.guest)).body).toEqual({ message: '403 Forbidden' });
    expect((await removeAll(path)).status).toBe(202);
  });

  test('takes place with the rights that the person has by then', async () => {
    const { id, path, commit, branch } = await newCode(gateway);
    await commit({ 'a.txt': 'a' });
    await branch('merged');
    await sql('delete from project_members where project_id = $1 and user_id = 3', [id]);
    const { database } = gateway.gateway.application;
    await enqueue(database, 'remove_merged_branches', { projectId: id, personId: 3 }, { key: `${id} 3` });
    await vi.waitFor(async () => expect(await sql('select 1 from jobs where key = $1', [`${id} 3`])).toEqual([]), {
      timeout: 10_000,
    });
    expect(await left(path)).toEqual(['main', 'merged']);
  });
});

describe('the default branch', () => {
  test('is chosen among the branches, by maintainers, and all else changes with it or not at all', async () => {
    const { id, path, fullPath, commit, branch } = await newCode(gateway);
    const put = (json: unknown, by = token) => rest('PUT', path, { token: by, json });
    const refused = (name: string) => ({
      status: 400,
      body: { message: { base: [`Could not change HEAD: branch '${name}' does not exist`] } },
    });
    expect(await put({ default_branch: 'main' })).toMatchObject(refused('main'));
    await commit({ 'a.txt': 'a' });
    await branch('next');
    expect(await put({ default_branch: 'nothing', name: 'Renamed' })).toMatchObject(refused('nothing'));
    expect(await put({ default_branch: 'x y' })).toMatchObject(refused('x y'));
    expect((await rest('GET', path, { token })).body).toMatchObject({
      name: fullPath.split('/')[1],
      default_branch: 'main',
    });
    expect((await put({ default_branch: 'next' }, developer)).status).toBe(403);
    const changed = await put({ default_branch: 'next' });
    expect([changed.status, changed.body.default_branch]).toEqual([200, 'next']);
    const { git } = gateway.gateway.application;
    expect(await readHead(git.repository(id))).toBe('next');
    const deleted = (name: string) => rest('DELETE', `${path}/repository/branches/${name}`, { token });
    expect((await deleted('next')).body).toEqual({ message: 'The default branch of a project cannot be deleted.' });
    expect((await deleted('main')).status).toBe(204);
    const update = 'mutation ($input: UpdateProjectInput!) { updateProject(input: $input) { errors } }';
    const input = { project: fullPath, defaultBranch: 'main' };
    expect((await graphql(update, { token, variables: { input } })).data).toEqual({
      updateProject: { errors: ["Could not change HEAD: branch 'main' does not exist"] },
    });
  });
});

describe('over GraphQL', () => {
  test('branches are read, made and deleted', async () => {
    const { fullPath, commit } = await newCode(gateway);
    const id = await commit({ 'a.txt': 'a' });
    const createBranch = `mutation ($input: CreateBranchInput!) { createBranch(input: $input) { branch { name commit { sha } } errors } }`;
    const create = (name: string) =>
      graphql(createBranch, { token, variables: { input: { projectPath: fullPath, name, ref: 'main' } } });
    expect((await create('x-1')).data).toEqual({
      createBranch: { branch: { name: 'x-1', commit: { sha: id } }, errors: [] },
    });
    expect((await create('x-1')).data).toEqual({ createBranch: { branch: null, errors: ['Branch already exists'] } });
    const read = `query ($path: ID!) { project(fullPath: $path) { repository {
      branchNames(searchPattern: "*-1", offset: 0, limit: 10)
      branches(first: 1, sort: NAME_ASC) { count pageInfo { hasNextPage endCursor } nodes { name protected canPush } }
      branch(name: "x-1") { name merged default }
    } } }`;
    const { data, errors } = await graphql(read, { token, variables: { path: fullPath } });
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      project: {
        repository: {
          branchNames: ['x-1'],
          branches: {
            count: 2,
            pageInfo: { hasNextPage: true, endCursor: expect.any(String) },
            nodes: [{ name: 'main', protected: true, canPush: true }],
          },
          branch: { name: 'x-1', merged: true, default: false },
        },
      },
    });
    const { data: gone } = await graphql(
      'mutation ($input: BranchDeleteInput!) { branchDelete(input: $input) { errors } }',
      { token, variables: { input: { projectPath: fullPath, name: 'x-1' } } },
    );
    expect(gone).toEqual({ branchDelete: { errors: [] } });
  });
});
