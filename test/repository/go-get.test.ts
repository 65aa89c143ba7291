import { beforeAll, describe, expect, test } from 'vitest';
import { testGateway } from '../support/gateway.ts';
import { addMember, newUser } from '../support/places/people.ts';
import { gitUrl, workTree } from './support/clone.ts';
import { newProject } from './support/project.ts';

/** What the command `go` reads to find the repository of a module. */

const gateway = await testGateway();
const { rest, tokens, url } = gateway;
const host = new URL(url).host;

/** The meta elements of an answer, by their names. */
async function metaOf(path: string, authorization?: string) {
  const response = await fetch(`${url}/${path}?go-get=1`, { headers: authorization ? { authorization } : {} });
  const text = await response.text();
  const found = Object.fromEntries(
    [...text.matchAll(/<meta name="(go-\w+)" content="([^"]*)">/g)].map(([, name, content]) => [name, content]),
  );
  return { status: response.status, text, imports: found['go-import'], source: found['go-source'] };
}
const importOf = async (...given: Parameters<typeof metaOf>) => (await metaOf(...given)).imports;
const at = (path: string) => `${host}/${path} git ${url}/${path}.git`;
const basic = (token: string) => `Basic ${Buffer.from(`any:${token}`).toString('base64')}`;

let open: string;
let hidden: string;
beforeAll(async () => {
  const project = await newProject(gateway, { visibility: 'public' });
  open = project.fullPath;
  const work = workTree(gitUrl(gateway, project, tokens.maintainer));
  work.commit('go.mod', 'module example\n');
  await work.push('main');
  hidden = 'demo/platform/api';
});

describe('an import path', () => {
  test('of a project leads to its repository, and to its files', async () => {
    const { status, imports, source } = await metaOf(open);
    expect([status, imports]).toEqual([200, at(open)]);
    const page = `${url}/${open}/-`;
    expect(source).toBe(
      `${host}/${open} ${url}/${open} ${page}/tree/main{/dir} ${page}/blob/main{/dir}/{file}#L{line}`,
    );
    const advertised = await fetch(`${imports!.split(' ').at(-1)}/info/refs?service=git-upload-pack`);
    expect(advertised.status).toBe(200);
  });

  test('of a folder in a project leads to the project, also in a subgroup', async () => {
    expect(await importOf(`${open}/pkg/deep`)).toBe(at(open));
    expect(await importOf(`${hidden}/v2`, basic(tokens.maintainer))).toBe(at(hidden));
    const reader = await gateway.personalToken('maintainer', ['read_repository']);
    expect(await importOf(`${hidden}/v2`, `Bearer ${reader}`)).toBe(at(hidden));
  });

  test('of a project that moved leads to where it is', async () => {
    const { id, fullPath } = await newProject(gateway, { visibility: 'public' });
    const path = `${fullPath.slice(fullPath.lastIndexOf('/') + 1)}-moved`;
    expect((await rest('PUT', `/api/v4/projects/${id}`, { token: tokens.root, json: { path } })).status).toBe(200);
    expect(await importOf(`${fullPath}/pkg`)).toBe(`${host}/${fullPath} git ${url}/${fullPath}-moved.git`);
  });

  test('of a hidden project is answered as that of one which doesn’t exist: by its first two names', async () => {
    expect(await importOf(`${hidden}/v2`)).toBe(at('demo/platform'));
    expect(await importOf(hidden.replace('api', 'none'))).toBe(at('demo/platform'));
    expect(await importOf('nowhere/at/all')).toBe(at('nowhere/at'));
    const noCode = await gateway.personalToken('maintainer', ['read_user']);
    expect(await importOf(hidden, basic(noCode))).toBe(at('demo/platform'));
  });

  test('is asked for by name and password, as git may', async () => {
    const member = await newUser(gateway, 'gopher', { password: 'a long password 1' });
    await addMember(gateway, member, 'REPORTER', { project: hidden });
    const pair = Buffer.from('gopher:a long password 1').toString('base64');
    expect(await importOf(`${hidden}/v2`, `Basic ${pair}`)).toBe(at(hidden));
  });

  test('with a wrong token is refused as git is', async () => {
    const { status, text } = await metaOf(open, basic('cwpat_wrong'));
    expect(status).toBe(401);
    expect(text).toContain('HTTP Basic: Access denied');
  });

  test('that no project can have is a page as any other', async () => {
    for (const path of ['demo', 'demo/a%22b', 'users/..%2f', '-/snippets/1'])
      expect([path, (await metaOf(path)).imports]).toEqual([path, undefined]);
    expect((await fetch(`${url}/${open}?go-get=0`)).headers.get('content-type')).toContain('text/html');
    expect((await rest('GET', '/api/v4/version?go-get=1', { token: tokens.maintainer })).status).toBe(200);
  });
});
