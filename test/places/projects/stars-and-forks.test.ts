import { describe, expect, onTestFinished, test } from 'vitest';
import { dataOf } from '../../support/requests/answers.ts';
import { at, makeShop } from '../../support/places/shop.ts';

/** Stars and forks of projects over REST. */

const { gateway, tokens, api, namespaceId, aProject } = await makeShop();

describe('stars', () => {
  test('are added and removed once, and counted', async () => {
    const path = await aProject('PUBLIC');
    expect(await api('POST', at(path, '/star'), tokens.stranger)).toMatchObject({
      status: 201,
      body: { star_count: 1 },
    });
    const again = await api('POST', at(path, '/star'), tokens.stranger);
    expect([again.status, again.text]).toEqual([304, '']);
    expect(await api('POST', at(path, '/star'), tokens.guest)).toMatchObject({ status: 201, body: { star_count: 2 } });

    const starrers = await api('GET', at(path, '/starrers'), undefined);
    expect(starrers.body).toEqual([
      {
        starred_since: expect.any(String),
        user: expect.objectContaining({ username: 'the-guest', web_url: `${gateway.url}/the-guest` }),
      },
      { starred_since: expect.any(String), user: expect.objectContaining({ username: 'the-stranger' }) },
    ]);
    expect((await api('GET', at(path, '/starrers'), undefined, { query: { search: 'stran' } })).body).toHaveLength(1);
    for (const list of ['users/the-stranger/starred_projects', 'projects?starred=true']) {
      expect((await api('GET', list, tokens.stranger)).body).toEqual([
        expect.objectContaining({ path_with_namespace: path }),
      ]);
    }

    expect(await api('POST', at(path, '/unstar'), tokens.stranger)).toMatchObject({
      status: 201,
      body: { star_count: 1 },
    });
    expect((await api('POST', at(path, '/unstar'), tokens.stranger)).status).toBe(304);
    expect((await api('DELETE', at(path, '/star'), tokens.stranger)).status).toBe(405);
  });

  test('of a private profile are shown to the person and administrators only', async () => {
    const path = await aProject('PUBLIC');
    expect((await api('POST', at(path, '/star'), tokens.guest)).status).toBe(201);
    type Found = { readonly nodes: readonly { readonly fullPath: string }[] };
    const shown = async (token: string | undefined) => {
      const { body } = await api('GET', 'users/the-guest/starred_projects', token);
      const { user, projects } = dataOf(
        await gateway.graphql<{ user: { starredProjects: Found } | null; projects: Found }>(
          `{ user(username: "the-guest") { starredProjects { nodes { fullPath } } }
             projects(starredBy: "the-guest") { nodes { fullPath } } }`,
          { token },
        ),
      );
      return [
        (body as { path_with_namespace: string }[]).map((project) => project.path_with_namespace),
        // Without a token, nobody sees the person there.
        ...[user?.starredProjects, projects].map((found) => (found?.nodes ?? []).map(({ fullPath }) => fullPath)),
      ].map((paths) => paths.includes(path));
    };
    const everywhere = [true, true, true];
    const nowhere = [false, false, false];
    expect(await shown(tokens.stranger)).toEqual(everywhere);
    const setPrivate = (isPrivate: boolean) =>
      gateway.sql(`update users set private_profile = $1 where username = 'the-guest'`, [isPrivate]);
    await setPrivate(true);
    onTestFinished(async () => void (await setPrivate(false)));
    expect(await shown(tokens.stranger)).toEqual(nowhere);
    expect(await shown(undefined)).toEqual(nowhere);
    expect(await shown(tokens.guest)).toEqual(everywhere);
    expect(await shown(tokens.root)).toEqual(everywhere);
  });

  test('added concurrently are all counted', async () => {
    const path = await aProject('PUBLIC');
    const who = [tokens.owner, tokens.maintainer, tokens.developer, tokens.guest, tokens.owner, tokens.maintainer];
    const statuses = (await Promise.all(who.map((token) => api('POST', at(path, '/star'), token)))).map(
      ({ status }) => status,
    );
    expect(statuses.sort()).toEqual([201, 201, 201, 201, 304, 304]);
    expect((await api('GET', at(path), undefined)).body.star_count).toBe(4);
  });
});

describe('forks', () => {
  test('can’t be made more visible than their source', async () => {
    const path = await aProject();
    const { body: fork } = await api('POST', at(path, '/fork'), tokens.reporter);
    expect(fork.visibility).toBe('private');
    const widen = (visibility: string) => api('PUT', `projects/${fork.id}`, tokens.reporter, { json: { visibility } });
    expect(await widen('public')).toMatchObject({
      status: 400,
      body: {
        message: { visibility_level: ['public is not allowed since the fork source project has lower visibility.'] },
      },
    });
    expect((await widen('private')).status).toBe(200);
    await api('DELETE', `projects/${fork.id}/fork`, tokens.reporter);
    expect((await widen('public')).status).toBe(200);
  });

  test('show their source, and are counted and listed there', async () => {
    const path = await aProject('INTERNAL');
    const { status, body } = await api('POST', at(path, '/fork'), tokens.stranger);
    expect({ status, ...body }).toMatchObject({
      status: 201,
      path_with_namespace: `the-stranger/${path.split('/')[1]}`,
      visibility: 'internal',
      forked_from_project: { path_with_namespace: path, forks_count: 1 },
    });
    expect((await api('GET', at(path, '/forks'), tokens.owner)).body).toEqual([
      expect.objectContaining({ id: body.id }),
    ]);
    expect((await api('GET', at(path), tokens.owner)).body.forks_count).toBe(1);
    expect(await api('POST', at(path, '/fork'), tokens.stranger, { json: { path: 'another' } })).toMatchObject({
      status: 409,
      body: { message: 'Project already forked' },
    });
  });

  test('begin with how jobs of their source run', async () => {
    const path = await aProject();
    const json = {
      ci_config_path: 'ci/main.yml',
      ci_default_git_depth: 7,
      builds_access_level: 'private',
      shared_runners_enabled: false,
      // Of the others, none comes along.
      merge_method: 'ff',
    };
    expect((await api('PUT', at(path), tokens.owner, { json })).status).toBe(200);
    const { body } = await api('POST', at(path, '/fork'), tokens.reporter);
    expect((await api('GET', `projects/${body.id}`, tokens.reporter)).body).toMatchObject({
      ...json,
      merge_method: 'merge',
    });
  });

  test('are created in namespaces where the caller may create projects, by id or path', async () => {
    const path = await aProject();
    let forks = 0;
    const fork = (json: object, token = tokens.developer) =>
      api('POST', at(path, '/fork'), token, { json: { path: `fork-${++forks}`, ...json } });
    expect(await fork({ namespace_path: 'shop/inner', name: 'Other', description: 'D' })).toMatchObject({
      status: 201,
      body: { name: 'Other', description: 'D', namespace: { full_path: 'shop/inner' } },
    });
    expect(await fork({ namespace_id: await namespaceId('the-developer') })).toMatchObject({
      status: 201,
      body: { namespace: { full_path: 'the-developer' } },
    });
    for (const namespace of ['closed', 'nothing', 'the-owner', '99999']) {
      expect(await fork({ namespace })).toMatchObject({
        status: 404,
        body: { message: '404 Target Namespace Not Found' },
      });
    }
    expect(await fork({ path: path.split('/')[1]!, namespace: 'shop' }, tokens.owner)).toMatchObject({
      status: 409,
      body: { message: 'Path has already been taken' },
    });
  });

  test('can’t be created by a guest who may not read the source, and none is more visible than its source', async () => {
    const path = await aProject();
    expect(await api('POST', at(path, '/fork'), tokens.guest)).toMatchObject({
      status: 404,
      body: { message: '404 Not Found' },
    });
    expect(await api('POST', at(path, '/fork'), tokens.reporter, { json: { visibility: 'public' } })).toMatchObject({
      status: 400,
      body: {
        message: { visibility_level: ['public is not allowed since the fork source project has lower visibility.'] },
      },
    });
    expect(await api('POST', 'projects/fork/1', tokens.owner)).toMatchObject({ status: 404 });
  });

  test('don’t show a source that the caller may not see', async () => {
    const path = await aProject('INTERNAL');
    const { body } = await api('POST', at(path, '/fork'), tokens.stranger);
    await api('PUT', at(path), tokens.owner, { json: { visibility: 'private' } });
    expect((await api('GET', `projects/${body.id}`, tokens.stranger)).body).not.toHaveProperty('forked_from_project');
  });

  test('can be related to an existing project and unrelated, by owners', async () => {
    const [source, path] = [await aProject('PUBLIC'), await aProject()];
    const { id } = (await api('GET', at(source), tokens.owner)).body;
    expect((await api('POST', at(path, `/fork/${id}`), tokens.maintainer)).status).toBe(403);
    expect(await api('POST', at(path, '/fork/99999'), tokens.owner)).toMatchObject({
      status: 404,
      body: { message: '404 Source Project Not Found' },
    });
    expect((await api('POST', at(source, `/fork/${id}`), tokens.owner)).status).toBe(400);
    expect(await api('POST', at(path, `/fork/${id}`), tokens.owner)).toMatchObject({
      status: 201,
      body: { forked_from_project: { id } },
    });
    expect(await api('POST', at(path, `/fork/${id}`), tokens.owner)).toMatchObject({
      status: 409,
      body: { message: 'Project already forked' },
    });
    const gone = await api('DELETE', at(path, '/fork'), tokens.owner);
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect((await api('DELETE', at(path, '/fork'), tokens.owner)).status).toBe(304);
    expect((await api('GET', at(source), tokens.owner)).body.forks_count).toBe(0);
  });
});
