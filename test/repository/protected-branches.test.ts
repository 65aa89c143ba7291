import { describe, expect, test, vi } from 'vitest';
import { testGateway } from '../support/gateway.ts';
import { newUser } from '../support/places/people.ts';
import { newCode } from './support/code.ts';

const gateway = await testGateway();
const { rest, graphql, sql, tokens } = gateway;
const token = tokens.maintainer;
const { developer } = tokens;

const post = (path: string, json: unknown, by = token) =>
  rest('POST', `${path}/protected_branches`, { token: by, json });

describe('a rule that protects branches', () => {
  test('is made with its levels, listed, found by its own name, changed and deleted', async () => {
    const { path, fullPath } = await newCode(gateway);
    const made = await post(path, { name: 'feature*', push_access_level: 30, allow_force_push: true });
    expect(made.status).toBe(201);
    const { id } = made.body;
    expect(made.body).toEqual({
      id: expect.any(Number),
      name: 'feature*',
      push_access_levels: [
        { id, access_level: 30, access_level_description: 'Developers + Maintainers', deploy_key_id: null },
      ],
      merge_access_levels: [{ id, access_level: 40, access_level_description: 'Maintainers', deploy_key_id: null }],
      allow_force_push: true,
    });
    await post(path, { name: 'closed', push_access_level: 0, merge_access_level: 60 });
    const list = (query?: Record<string, string>) =>
      rest('GET', `${path}/protected_branches`, { token: developer, ...(query && { query }) });
    const all = await list();
    expect(all.body.map(({ name }: { name: string }) => name)).toEqual(['closed', 'feature*']);
    expect(all.headers.get('x-total')).toBe('2');
    expect(all.body[0].push_access_levels[0].access_level_description).toBe('No one');
    expect(all.body[0].merge_access_levels[0].access_level_description).toBe('Administrators');
    expect((await list({ search: 'FEAT' })).body).toEqual([made.body]);
    const one = `${path}/protected_branches/feature*`;
    expect((await rest('GET', one, { token: developer })).body).toEqual(made.body);
    expect((await rest('GET', `${path}/protected_branches/feature-1`, { token })).body).toEqual({
      message: '404 Not found',
    });
    const changed = await rest('PATCH', one, { token, json: { allow_force_push: false } });
    expect([changed.status, changed.body]).toEqual([200, { ...made.body, allow_force_push: false }]);
    expect((await rest('PATCH', one, { token, json: { allow_force_push: null } })).body).toEqual({
      error: 'allow_force_push is empty',
    });
    expect((await rest('DELETE', one, { token })).status).toBe(204);
    expect(await rest('DELETE', one, { token })).toMatchObject({ status: 404, body: { message: '404 Not found' } });
    expect((await rest('PATCH', one, { token, json: {} })).body).toEqual({ message: '404 Not found' });
    const audited = await sql<{ kind: string }>(`select kind from audit_events where detail = $1 order by id`, [
      `feature* of ${fullPath}`,
    ]);
    expect(audited.map(({ kind }) => kind)).toEqual([
      'branch_rule_created',
      'branch_rule_updated',
      'branch_rule_deleted',
    ]);
  });

  test('is refused with a wrong or used name, or a wrong level', async () => {
    const { path } = await newCode(gateway);
    expect(await post(path, {})).toMatchObject({ status: 400, body: { error: 'name is missing' } });
    expect((await post(path, { name: 'x', push_access_level: 35 })).body).toEqual({
      error: 'push_access_level does not have a valid value',
    });
    expect((await post(path, { name: 'x', merge_access_level: 'all' })).body.error).toMatch(/^merge_access_level /);
    expect((await post(path, { name: 'x' })).status).toBe(201);
    expect(await post(path, { name: 'x' })).toMatchObject({
      status: 409,
      body: { message: "Protected branch 'x' already exists" },
    });
    expect(await post(path, { name: ' ' })).toMatchObject({ status: 422, body: { message: ["Name can't be blank"] } });
    expect(await post(path, { name: 'x'.repeat(256) })).toMatchObject({
      status: 422,
      body: { message: ['Name is too long (maximum is 255 characters)'] },
    });
  });

  test('is written by maintainers only, and read by all who read the repository', async () => {
    const { path } = await newCode(gateway, { visibility: 'public' });
    await post(path, { name: 'x' });
    const one = `${path}/protected_branches/x`;
    const stranger = (await newUser(gateway, 'protector')).token;
    for (const by of [developer, stranger]) {
      const forbidden = { status: 403, body: { message: '403 Forbidden' } };
      expect(await post(path, {}, by)).toMatchObject(forbidden);
      expect(await rest('PATCH', one, { token: by, json: { allow_force_push: true } })).toMatchObject(forbidden);
      expect(await rest('DELETE', one, { token: by })).toMatchObject(forbidden);
    }
    expect((await rest('GET', `${path}/protected_branches`)).body).toHaveLength(1);
    expect((await rest('GET', one, { token: stranger })).status).toBe(200);
  });

  test('isn’t deleted if it was changed after the client looked', async () => {
    const { path } = await newCode(gateway);
    await post(path, { name: 'x' });
    const remove = (at: number) =>
      rest('DELETE', `${path}/protected_branches/x`, {
        token,
        headers: { 'if-unmodified-since': new Date(at).toUTCString() },
      });
    expect(await remove(Date.now() - 60_000)).toMatchObject({
      status: 412,
      body: { message: '412 Precondition Failed' },
    });
    expect((await remove(Date.now() + 60_000)).status).toBe(204);
  });

  test('is made for the default branch of a fork as its group wants it', async () => {
    const source = await newCode(gateway, { visibility: 'public' });
    await source.commit({ 'a.txt': 'a' });
    const rulesOfFork = async (level: number) => {
      const path = `forks-${level}`;
      const json = { name: path, path, default_branch_protection: level };
      expect((await rest('POST', '/api/v4/groups', { token, json })).status).toBe(201);
      const { body: fork } = await rest('POST', `${source.path}/fork`, { token, json: { namespace_path: path } });
      const read = (more: string) => rest('GET', `/api/v4/projects/${fork.id}${more}`, { token });
      await vi.waitFor(async () => expect((await read('')).body.import_status).toBe('finished'), 15_000);
      type Rule = Record<'push_access_levels' | 'merge_access_levels', { access_level: number }[]>;
      return ((await read('/protected_branches')).body as Rule[]).map((rule) => [
        rule.push_access_levels[0]!.access_level,
        rule.merge_access_levels[0]!.access_level,
      ]);
    };
    expect(await rulesOfFork(0)).toEqual([]);
    expect(await rulesOfFork(1)).toEqual([[30, 40]]);
    expect(await rulesOfFork(2)).toEqual([[40, 40]]);
    expect(await rulesOfFork(3)).toEqual([[40, 30]]);
  });

  test('decides who pushes', async () => {
    const { path, commit, branch } = await newCode(gateway);
    await commit({ 'a.txt': 'a' });
    await branch('one');
    const write = async (name: string, by = developer) => {
      const actions = [{ action: 'create', file_path: `${name}-${Math.random()}.txt`, content: '' }];
      const json = { branch: name, commit_message: 'Try', actions };
      return (await rest('POST', `${path}/repository/commits`, { token: by, json })).status;
    };
    expect(await write('main')).toBe(403);
    expect(await write('one')).toBe(201);
    await post(path, { name: 'on*', push_access_level: 40 });
    expect(await write('one')).toBe(403);
    await post(path, { name: 'one', push_access_level: 30 });
    expect(await write('one')).toBe(201);
    await rest('DELETE', `${path}/protected_branches/one`, { token });
    await rest('DELETE', `${path}/protected_branches/on*`, { token });
    await post(path, { name: '*e', push_access_level: 0 });
    expect(await write('one', token)).toBe(403);
    expect(await write('one', tokens.root)).toBe(403);
  });
});

describe('protecting a branch in the older form', () => {
  test('says whether developers push and merge', async () => {
    const { path, commit, branch } = await newCode(gateway);
    await commit({ 'a.txt': 'a' });
    await branch('a/b');
    const put = (act: string, json: unknown = {}, name = 'a%2Fb', by = token) =>
      rest('PUT', `${path}/repository/branches/${name}/${act}`, { token: by, json });
    const flags = (body: Record<string, unknown>) => [
      body.protected,
      body.developers_can_push,
      body.developers_can_merge,
    ];
    const first = await put('protect');
    expect([first.status, first.body.name]).toEqual([200, 'a/b']);
    expect(flags(first.body)).toEqual([true, false, false]);
    expect(flags((await put('protect', { developers_can_push: true })).body)).toEqual([true, true, false]);
    expect(flags((await put('protect', { developers_can_merge: true })).body)).toEqual([true, true, true]);
    expect(flags((await put('protect', { developers_can_push: false })).body)).toEqual([true, false, true]);
    expect((await put('protect', { developers_can_push: 'perhaps' })).body).toEqual({
      error: 'developers_can_push is invalid',
    });
    for (const _twice of [1, 2]) {
      const { status, body } = await put('unprotect');
      expect([status, flags(body)]).toEqual([200, [false, false, false]]);
    }
    for (const act of ['protect', 'unprotect']) {
      expect(await put(act, {}, 'nothing')).toMatchObject({ status: 404, body: { message: '404 Branch Not Found' } });
      expect((await put(act, {}, 'branch*')).body).toEqual({ message: 'The branch refname is invalid' });
      expect(await put(act, {}, 'a%2Fb', developer)).toMatchObject({
        status: 403,
        body: { message: '403 Forbidden' },
      });
    }
  });
});

describe('over GraphQL', () => {
  test('rules are listed, made, changed and deleted by their ids', async () => {
    const { fullPath, commit, branch } = await newCode(gateway);
    await commit({ 'a.txt': 'a' });
    await branch('x-1');
    await branch('x-2');
    const ask = async (source: string, variables: object, by = token) =>
      await graphql<Record<string, any>>(source, { token: by, variables: variables as Record<string, unknown> });
    const create = `mutation ($input: BranchRuleCreateInput!) {
      branchRuleCreate(input: $input) { errors branchRule { id name isDefault isProtected matchingBranchesCount } }
    }`;
    const made = await ask(create, { input: { projectPath: fullPath, name: 'x-*' } });
    expect(made.data!.branchRuleCreate).toEqual({
      errors: [],
      branchRule: {
        id: expect.stringMatching(/^gid:\/\/gitlab\/Projects::BranchRule\/\d+$/),
        name: 'x-*',
        isDefault: false,
        isProtected: true,
        matchingBranchesCount: 2,
      },
    });
    expect((await ask(create, { input: { projectPath: fullPath, name: 'x-*' } })).data!.branchRuleCreate).toEqual({
      errors: ["Protected branch 'x-*' already exists"],
      branchRule: null,
    });
    const { id } = made.data!.branchRuleCreate.branchRule;
    const update = `mutation ($input: BranchRuleUpdateInput!) {
      branchRuleUpdate(input: $input) { errors branchRule { name branchProtection {
        allowForcePush pushAccessLevels { nodes { accessLevel accessLevelDescription } } mergeAccessLevels { nodes { accessLevel } }
      } } }
    }`;
    const branchProtection = { allowForcePush: true, pushAccessLevels: [{ accessLevel: 30 }] };
    const changed = await ask(update, { input: { id, name: 'y', branchProtection } });
    expect(changed.data!.branchRuleUpdate).toEqual({
      errors: [],
      branchRule: {
        name: 'y',
        branchProtection: {
          allowForcePush: true,
          pushAccessLevels: { nodes: [{ accessLevel: 30, accessLevelDescription: 'Developers + Maintainers' }] },
          mergeAccessLevels: { nodes: [{ accessLevel: 40 }] },
        },
      },
    });
    const rename = await ask(update, { input: { id, name: 'main' } });
    expect(rename.data!.branchRuleUpdate.errors).toEqual(["Protected branch 'main' already exists"]);
    const wrong = { pushAccessLevels: [{ accessLevel: 30 }, { accessLevel: 40 }] };
    expect((await ask(update, { input: { id, branchProtection: wrong } })).data!.branchRuleUpdate.errors).toHaveLength(
      1,
    );
    const list = '{ project(fullPath: "PATH") { branchRules { count nodes { name isDefault } } } }';
    expect((await ask(list.replace('PATH', fullPath), {}, developer)).data).toEqual({
      project: {
        branchRules: {
          count: 2,
          nodes: [
            { name: 'main', isDefault: true },
            { name: 'y', isDefault: false },
          ],
        },
      },
    });
    const remove = 'mutation ($input: BranchRuleDeleteInput!) { branchRuleDelete(input: $input) { errors } }';
    const stranger = (await newUser(gateway, 'outsider')).token;
    const hidden = await ask(remove, { input: { id } }, stranger);
    const missing = await ask(remove, { input: { id: 'gid://gitlab/Projects::BranchRule/999999' } }, stranger);
    expect(hidden.errors).toEqual(missing.errors);
    expect((await ask(remove, { input: { id } }, developer)).errors).toHaveLength(1);
    expect((await ask(remove, { input: { id } })).data).toEqual({ branchRuleDelete: { errors: [] } });
  });
});
