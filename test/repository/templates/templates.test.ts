import { readdir } from 'node:fs/promises';
import { Gitlab } from '@gitbeaker/rest';
import { beforeAll, describe, expect, test } from 'vitest';
import { dataOf, refusal } from '../../support/requests/answers.ts';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import { newUser } from '../../support/places/people.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await testGateway();
});

const get = (path: string, query: Record<string, string> = {}, token?: string) =>
  gateway.rest('GET', `/api/v4/templates/${path}`, { query, token });
const year = () => String(new Date().getUTCFullYear());

describe('licenses', () => {
  test('are listed for everyone, with placeholders in their texts', async () => {
    const { status, body, headers } = await get('licenses', { per_page: '100' });
    expect([status, headers.get('x-total'), headers.get('x-next-page')]).toEqual([200, String(body.length), '']);
    expect(body.length).toBeGreaterThan(30);
    const mit = body.find(({ key }: { key: string }) => key === 'mit');
    expect(mit).toEqual({
      key: 'mit',
      name: 'MIT License',
      nickname: null,
      html_url: 'https://choosealicense.com/licenses/mit/',
      source_url: 'https://spdx.org/licenses/MIT.html',
      popular: true,
      description: expect.stringMatching(/^A short and simple permissive license/),
      conditions: ['include-copyright'],
      permissions: ['commercial-use', 'modifications', 'distribution', 'private-use'],
      limitations: ['liability', 'warranty'],
      content: expect.stringContaining('Copyright (c) [year] [fullname]'),
    });
    expect(body.map(({ key }: { key: string }) => key)).toEqual(
      body.map(({ key }: { key: string }) => key.toLowerCase()),
    );
  });

  test('are paginated', async () => {
    const [first, second] = [
      await get('licenses', { per_page: '2' }),
      await get('licenses', { per_page: '2', page: '2' }),
    ];
    expect([first.body.length, first.headers.get('x-next-page'), second.headers.get('x-prev-page')]).toEqual([
      2,
      '2',
      '1',
    ]);
    expect(second.body[0].key).not.toBe(first.body[1].key);
    expect((await get('licenses', { page: '99' })).body).toEqual([]);
  });

  test('can be filtered by popularity', async () => {
    const keys = async (popular: string) =>
      (await get('licenses', { popular, per_page: '100' })).body.map(({ key }: { key: string }) => key);
    expect((await keys('true')).sort()).toEqual(['apache-2.0', 'gpl-3.0', 'mit']);
    expect(await keys('false')).not.toContain('mit');
    expect((await get('licenses', { popular: 'perhaps' })).body).toEqual({ error: 'popular is invalid' });
  });

  test.each(['mit', 'MIT', 'gpl-3.0', 'GPL-3.0', 'bsd-4-clause'])('%s is found in any case', async (key) => {
    expect((await get(`licenses/${key}`)).body.key).toBe(key.toLowerCase());
  });

  test('are filled in with the year, the project and the name that are given', async () => {
    const { body } = await get('licenses/bsd-4-clause', { project: 'Store & Co', fullname: 'Ann $& Example' });
    expect(body.content).toContain(`Copyright (c) ${year()}, Ann $& Example`);
    expect(body.content).toContain('developed by Store & Co');
    expect(body.content).not.toMatch(/\[(year|fullname|project)\]/);
    const { content } = (await get('licenses/gpl-3.0', { project: 'Shop', fullname: 'Ann' })).body;
    expect(content).toContain(`Copyright (C) ${year()}  Ann`);
    expect(content).toContain('    Shop\n');
    expect((await get('licenses/apache-2.0', { fullname: 'Ann' })).body.content).toContain(`Copyright ${year()} Ann`);
  });

  test('have the viewer’s name by default, and the placeholder for anonymous requests', async () => {
    const person = await newUser(gateway, 'author');
    expect((await get('licenses/mit', {}, person.token)).body.content).toContain(`Copyright (c) ${year()} author`);
    expect((await get('licenses/mit', { fullname: '' }, person.token)).body.content).toContain(`${year()} author`);
    expect((await get('licenses/mit', { fullname: 'Other' }, person.token)).body.content).toContain(`${year()} Other`);
    expect((await get('licenses/mit')).body.content).toContain(`Copyright (c) ${year()} [fullname]`);
  });

  test('refuse values that are too long', async () => {
    const { status, body } = await get('licenses/mit', { project: 'x'.repeat(256), fullname: 'y'.repeat(256) });
    const problem = ['is too long (maximum is 255 characters)'];
    expect([status, body]).toEqual([400, { message: { project: problem, fullname: problem } }]);
  });
});

describe.each([
  {
    path: 'gitignores',
    subject: 'gitignore',
    some: ['Node', 'Python', 'macOS', 'C++'],
    holds: 'node_modules',
    least: 150,
  },
  { path: 'gitlab_ci_ymls', subject: 'gitlab_ci_yml', some: ['Nodejs', 'Go', 'Docker'], holds: 'npm ci', least: 8 },
  { path: 'dockerfiles', subject: 'dockerfile', some: ['Node', 'Golang', 'Java'], holds: 'FROM node', least: 6 },
])('$path', ({ path, subject, some, holds, least }) => {
  test('are listed by name, for everyone', async () => {
    const { status, body, headers } = await get(path, { per_page: '100' });
    expect([status, Number(headers.get('x-total'))]).toEqual([200, expect.any(Number)]);
    expect(Number(headers.get('x-total'))).toBeGreaterThanOrEqual(least);
    const { body: next } = await get(path, { per_page: '100', page: '2' });
    const all = [...body, ...next] as { key: string; name: string }[];
    for (const name of some) expect(all).toContainEqual({ key: name, name });
    expect(new Set(all.map(({ key }) => key.toLowerCase())).size).toBe(all.length);
  });

  test('are found by name, in any case', async () => {
    for (const name of some) {
      const { status, body } = await get(`${path}/${encodeURIComponent(name)}`);
      expect([status, body]).toEqual([200, { name, content: expect.stringMatching(/\S/) }]);
      expect((await get(`${path}/${encodeURIComponent(name.toLowerCase())}`)).body).toEqual(body);
    }
    expect((await get(`${path}/${some[0]}`)).body.content).toContain(holds);
  });

  test.each(['Nothing', '..%2F..%2Fpackage', '%2Fetc%2Fpasswd', '.', 'README', 'x'.repeat(3_000)])(
    'there is no %s',
    async (name) => {
      const { status, body } = await get(`${path}/${name}`);
      // fetch resolves a dot to the folder itself.
      if (name !== '.') expect([status, body]).toEqual([404, { message: `404 ${subject} Not Found` }]);
    },
  );
});

describe('templates', () => {
  test('exist below `templates` only', async () => {
    for (const path of [
      'licenses',
      'licenses/mit',
      'gitignores',
      'gitignores/Node',
      'gitlab_ci_ymls',
      'gitlab_ci_ymls/Go',
      'dockerfiles',
      'dockerfiles/Node',
    ]) {
      const { status, body } = await gateway.rest('GET', `/api/v4/${path}`);
      expect([status, body.error, body.hint]).toEqual([
        404,
        '404 Not Found',
        expect.stringContaining(`/api/v4/templates/${path.split('/')[0]}`),
      ]);
      expect(body.hint).not.toContain('yet');
    }
  });

  test('refuse an invalid credential, and a token without a read scope', async () => {
    expect((await get('licenses', {}, 'garbage')).status).toBe(401);
    expect((await get('licenses', {}, await gateway.personalToken('guest', ['profile']))).body.error).toBe(
      'insufficient_scope',
    );
  });

  test('answer 404 for an unknown license', async () => {
    expect((await get('licenses/none')).body).toEqual({ message: '404 License Not Found' });
  });

  test('have valid file names', async () => {
    const folder = new URL('../../../templates/', import.meta.url);
    const [ci, docker] = [
      await readdir(new URL('gitlab_ci_ymls/', folder)),
      await readdir(new URL('dockerfiles/', folder)),
    ];
    expect(ci.filter((name) => !/^[A-Z]\w+\.gitlab-ci\.yml$/.test(name))).toEqual([]);
    expect(docker.filter((name) => !/^[A-Z]\w+\.Dockerfile$/.test(name))).toEqual([]);
  });

  test('can be read over GraphQL, several at once', async () => {
    const answer = await gateway.graphql<{
      license: { content: string };
      ignore: { content: string };
      all: { count: number; total: number; nodes: object[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
    }>(`{
      license: licenseTemplate(key: "mit", fullName: "Ann") { content }
      ignore: fileTemplate(kind: GITIGNORE, name: "node") { content }
      all: licenseTemplates(first: 3) { count total nodes { key } pageInfo { hasNextPage endCursor } }
    }`);
    const { license, ignore, all } = dataOf(answer);
    expect(license.content).toContain(`${year()} Ann`);
    expect(ignore.content).toContain('node_modules');
    expect([all.nodes.length, all.pageInfo.hasNextPage]).toEqual([3, true]);
    expect([all.count > 30, all.total]).toEqual([true, all.count]);
    const page = (args: string) =>
      gateway.graphql<{ licenseTemplates: { nodes: { key: string }[] } }>(
        `{ licenseTemplates(${args}) { nodes { key } } }`,
      );
    const next = dataOf(await page(`first: 3, after: "${all.pageInfo.endCursor}"`)).licenseTemplates.nodes;
    expect(next).toEqual(dataOf(await page('first: 3, offset: 3')).licenseTemplates.nodes);
    expect(refusal(await page('first: 3, offset: -1')).code).toBe('BAD_REQUEST');
    expect(refusal(await gateway.graphql('{ licenseTemplate(key: "none") { key } }'))).toMatchObject({
      code: 'NOT_FOUND',
      subject: 'License',
    });
  });

  // Except licenses: gitbeaker requests /templates/Licenses, which isn't a path of version 4.
  test('work with gitbeaker, on all pages', async () => {
    const client = new Gitlab({ host: gateway.url, token: gateway.tokens.maintainer });
    const { GitignoreTemplates, GitLabCIYMLTemplates, DockerfileTemplates } = client;
    expect((await GitignoreTemplates.all()).length).toBeGreaterThan(150);
    expect((await GitignoreTemplates.show('Node')).content).toContain('node_modules');
    expect((await GitLabCIYMLTemplates.show('Go')).content).toContain('go test');
    expect((await DockerfileTemplates.all()).map(({ key }) => key)).toContain('Python');
  });
});
