import { describe, expect, test } from 'vitest';
import { gitClient } from '../git/support/engine.ts';
import { signIn } from '../support/pages/browser-session.ts';
import { testGateway } from '../support/gateway.ts';
import { addMember, newUser } from '../support/places/people.ts';
import { filledProject, gitUrl } from './support/clone.ts';
import { newCode } from './support/code.ts';
import { refsIn } from './support/journal.ts';

const gateway = await testGateway();
const { rest, graphql, sql, tokens } = gateway;
const token = tokens.maintainer;
const { developer } = tokens;

const protect = (path: string, json: unknown, by = token) =>
  rest('POST', `${path}/protected_tags`, { token: by, json });

describe('a rule that protects tags', () => {
  test('is made with its level, listed, found by its own name and deleted', async () => {
    const { path, fullPath } = await newCode(gateway);
    const made = await protect(path, { name: 'v*', create_access_level: 30 });
    expect([made.status, made.body]).toEqual([
      201,
      {
        name: 'v*',
        create_access_levels: [
          {
            id: expect.any(Number),
            access_level: 30,
            access_level_description: 'Developers + Maintainers',
            deploy_key_id: null,
          },
        ],
      },
    ]);
    const usual = await protect(path, { name: 'release/1' });
    expect(usual.body.create_access_levels).toMatchObject([
      { access_level: 40, access_level_description: 'Maintainers' },
    ]);
    const all = await rest('GET', `${path}/protected_tags`, { token });
    expect([all.body, all.headers.get('x-total')]).toEqual([[usual.body, made.body], '2']);
    const one = `${path}/protected_tags/v*`;
    expect((await rest('GET', one, { token })).body).toEqual(made.body);
    expect((await rest('GET', `${path}/protected_tags/release%2F1`, { token })).body).toEqual(usual.body);
    expect((await rest('GET', `${path}/protected_tags/v1`, { token })).body).toEqual({ message: '404 Not found' });
    const early = { 'if-unmodified-since': new Date(Date.now() - 60_000).toUTCString() };
    expect((await rest('DELETE', one, { token, headers: early })).status).toBe(412);
    expect((await rest('DELETE', one, { token })).status).toBe(204);
    expect(await rest('DELETE', one, { token })).toMatchObject({ status: 404, body: { message: '404 Not found' } });
    const audited = await sql<{ kind: string }>('select kind from audit_events where detail = $1 order by id', [
      `v* of ${fullPath}`,
    ]);
    expect(audited.map(({ kind }) => kind)).toEqual(['tag_rule_created', 'tag_rule_deleted']);
  });

  test('is refused with a wrong or used name, or a wrong level', async () => {
    const { path } = await newCode(gateway);
    expect(await protect(path, {})).toMatchObject({ status: 400, body: { error: 'name is missing' } });
    expect((await protect(path, { name: 'x', create_access_level: 35 })).body).toEqual({
      error: 'create_access_level does not have a valid value',
    });
    expect((await protect(path, { name: 'x' })).status).toBe(201);
    for (const [name, message] of [
      ['x', 'Name has already been taken'],
      [' ', "Name can't be blank"],
      ['x'.repeat(256), 'Name is too long (maximum is 255 characters)'],
    ])
      expect(await protect(path, { name })).toMatchObject({ status: 422, body: { message: [message] } });
  });

  test('is for maintainers alone', async () => {
    const { path } = await newCode(gateway, { visibility: 'public' });
    await protect(path, { name: 'x' });
    const one = `${path}/protected_tags/x`;
    const stranger = (await newUser(gateway, 'tagger')).token;
    for (const by of [developer, stranger]) {
      const forbidden = { status: 403, body: { message: '403 Forbidden' } };
      expect(await protect(path, {}, by)).toMatchObject(forbidden);
      for (const [method, url] of [
        ['GET', `${path}/protected_tags`],
        ['GET', one],
        ['DELETE', one],
      ] as const)
        expect(await rest(method, url, { token: by })).toMatchObject(forbidden);
    }
    expect((await rest('GET', one)).status).toBe(401);
    const hidden = await newCode(gateway);
    expect((await rest('GET', `${hidden.path}/protected_tags`, { token: stranger })).status).toBe(404);
  });

  test('is made, read and deleted over GraphQL', async () => {
    const { fullPath, path, commit } = await newCode(gateway);
    await commit({ 'a.txt': 'a' });
    await rest('POST', `${path}/repository/tags`, { token, json: { tag_name: 'v1', ref: 'main' } });
    const create = `mutation ($input: TagRuleCreateInput!) {
      tagRuleCreate(input: $input) {
        errors
        tagRule { id name matchingTagsCount createAccessLevels { accessLevel accessLevelDescription } }
      }
    }`;
    const input = { projectPath: fullPath, name: 'v*', createAccessLevel: 0 };
    const tagRule = {
      id: expect.stringMatching(/^gid:\/\/gitlab\/ProtectedTag\/\d+$/),
      name: 'v*',
      matchingTagsCount: 1,
      createAccessLevels: [{ accessLevel: 0, accessLevelDescription: 'No one' }],
    };
    expect((await graphql(create, { token, variables: { input } })).data).toEqual({
      tagRuleCreate: { errors: [], tagRule },
    });
    const wrong = { projectPath: fullPath, name: 'x', createAccessLevel: 1 };
    expect((await graphql(create, { token, variables: { input: wrong } })).data).toMatchObject({
      tagRuleCreate: { errors: [expect.stringContaining('is not included in the list')], tagRule: null },
    });
    const query = `{ repository(project: "${fullPath}") {
      tag(name: "v1") { protected canDelete } tagRules { count nodes { name } } tagRule(name: "v*") { name }
    } }`;
    expect((await graphql(query, { token })).data).toEqual({
      repository: {
        tag: { protected: true, canDelete: false },
        tagRules: { count: 1, nodes: [{ name: 'v*' }] },
        tagRule: { name: 'v*' },
      },
    });
    expect((await graphql(query, { token: developer })).errors).toHaveLength(2);
    const remove = 'mutation ($input: TagRuleDeleteInput!) { tagRuleDelete(input: $input) { errors } }';
    const which = { projectPath: fullPath, name: 'v*' };
    expect((await graphql(remove, { token: developer, variables: { input: which } })).errors).toHaveLength(1);
    expect((await graphql(remove, { token, variables: { input: which } })).data).toEqual({
      tagRuleDelete: { errors: [] },
    });
  });
});

describe('a protected tag', () => {
  test('is made over the API by those whom its rule names, and deleted by maintainers', async () => {
    const { path, commit } = await newCode(gateway);
    await commit({ 'a.txt': 'a' });
    const make = async (tag_name: string, by: string) => {
      const { status, body } = await rest('POST', `${path}/repository/tags`, {
        token: by,
        json: { tag_name, ref: 'main' },
      });
      return status === 201 ? body.protected : [status, body.message];
    };
    const remove = async (name: string, by: string) => {
      const { status, body } = await rest('DELETE', `${path}/repository/tags/${name}`, { token: by });
      return status === 204 ? status : [status, body.message];
    };
    const refused = [400, 'You are not allowed to create this tag as it is protected.'];
    await protect(path, { name: 'v*' });
    expect(await make('v1', developer)).toEqual(refused);
    expect(await make('v1', token)).toBe(true);
    expect(await make('w1', developer)).toBe(false);
    // Of several rules, the most permissive counts.
    await protect(path, { name: 'v2*', create_access_level: 30 });
    expect(await make('v2', developer)).toBe(true);
    expect(await remove('v2', developer)).toEqual([
      403,
      'You are not allowed to delete protected tags from this project. Only a project maintainer or owner can delete a protected tag.',
    ]);
    expect(await remove('v2', token)).toBe(204);
    expect(await remove('w1', developer)).toBe(204);
    await protect(path, { name: 'never', create_access_level: 0 });
    expect(await make('never', tokens.root)).toEqual(refused);
    const list = await rest('GET', `${path}/repository/tags`, { token: developer });
    expect(list.body.map((one: { name: string; protected: boolean }) => [one.name, one.protected])).toEqual([
      ['v1', true],
    ]);
    await rest('DELETE', `${path}/protected_tags/v*`, { token });
    expect((await rest('GET', `${path}/repository/tags/v1`, { token })).body.protected).toBe(false);
    expect(await remove('v1', developer)).toBe(204);
  });

  test('is pushed by those whom its rule names, and neither moved nor deleted by a push', async () => {
    const { project, push, commit, folder, first } = await filledProject(gateway);
    await addMember(gateway, { id: '3' }, 'DEVELOPER', { project: project.fullPath });
    const url = gitUrl(gateway, project, developer);
    await protect(project.path, { name: 'v*' });
    const refused = await gitClient(folder, ['push', url, 'main:refs/tags/v1', 'main:refs/heads/topic']);
    expect(refused.text).toContain('remote: You are not allowed to create this tag as it is protected.');
    expect(refused.text).toContain('[remote rejected] main -> v1 (pre-receive hook declined)');
    expect(await push('main:refs/tags/v1')).toMatchObject({ code: 0 });
    commit('second');
    expect((await push('--force', 'main:refs/tags/v1')).text).toContain('remote: Protected tags cannot be updated.');
    expect((await gitClient(folder, ['push', url, '--delete', 'v1'])).text).toContain(
      'remote: You are not allowed to delete protected tags from this project.',
    );
    expect((await push('--delete', 'v1')).text).toContain(
      'remote: You can only delete protected tags using the web interface.',
    );
    expect(refsIn(gateway, project)).toEqual({ 'refs/heads/main': first, 'refs/tags/v1': first });
  });

  test('is marked in the list of tags, where those who may delete it find how', async () => {
    const { path, fullPath, commit } = await newCode(gateway);
    await commit({ 'a.txt': 'a' });
    await rest('POST', `${path}/repository/tags`, { token, json: { tag_name: 'v1', ref: 'main' } });
    await protect(path, { name: 'v*' });
    const page = `/${fullPath}/-/tags`;
    const removal = `${page}/delete/v1`;
    const [mary, dave] = await Promise.all([signIn(gateway, 'maintainer'), signIn(gateway, 'developer')]);
    const { html } = await mary.get(page);
    expect(html).toMatch(/<bdi>v1<\/bdi>.*?>Protected</s);
    expect(html).toContain(removal);
    expect((await dave.get(page)).html).not.toContain(removal);
  });
});

test('rules are made and removed on a page, by maintainers', async () => {
  const { fullPath, path, commit } = await newCode(gateway);
  await commit({ 'a.txt': 'a' });
  const [mary, dave] = await Promise.all([signIn(gateway, 'maintainer'), signIn(gateway, 'developer')]);
  const page = `/${fullPath}/-/settings/repository`;
  expect((await dave.get(page)).status).toBe(403);
  const empty = await mary.get(page);
  expect(empty.text).toContain('No protected tags yet.');
  const refused = await mary.press(empty.form('Protect branches'), { branch: 'main' });
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining("branch 'main' already exists")]);
  const branches = await mary.press(empty.form('Protect branches'), { branch: 'on/*', push: '0', merge: '30' });
  const tags = await mary.press(empty.form('Protect tags'), { tag: 'v*', create: '30' });
  expect([branches.location, tags.location]).toEqual([page, page]);
  const rules = async (kind: string) => (await rest('GET', `${path}/protected_${kind}`, { token })).body;
  expect(await rules('branches')).toMatchObject([
    { name: 'main' },
    {
      name: 'on/*',
      push_access_levels: [{ access_level: 0 }],
      merge_access_levels: [{ access_level: 30 }],
      allow_force_push: false,
    },
  ]);
  expect(await rules('tags')).toMatchObject([{ name: 'v*', create_access_levels: [{ access_level: 30 }] }]);
  for (const [kind, name] of [
    ['branches', 'on/*'],
    ['tags', 'v*'],
  ] as const) {
    const question = await mary.get(`${page}/${kind}/${name}`);
    expect(question.text).toContain(`Stop protecting ${name}?`);
    expect((await mary.press(question.form('Stop protecting'))).location).toBe(page);
  }
  expect([(await rules('branches')).length, (await rules('tags')).length]).toEqual([1, 0]);
});
