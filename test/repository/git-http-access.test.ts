import { connect, createServer, type AddressInfo } from 'node:net';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { gitClient, plainGit } from '../git/support/engine.ts';
import { testGateway } from '../support/gateway.ts';
import { addMember, newUser, type TestUser } from '../support/places/people.ts';
import { rawClient } from '../support/requests/raw-client.ts';
import { clone, gitUrl, workTree } from './support/clone.ts';
import { newProject } from './support/project.ts';

const gateway = await testGateway();
const { rest, tokens, sql } = gateway;
const ask = rawClient(gateway.url);

const services = ['git-upload-pack', 'git-receive-pack'] as const;
type Service = (typeof services)[number];
const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
/** What `info/refs` answers, as its status and the text that git shows. */
async function refs(path: string, service: Service, authorization?: string) {
  const { status, text, headers } = await ask({
    path: `/${path}.git/info/refs?service=${service}`,
    headers: authorization === undefined ? {} : { authorization },
  });
  return { status, headers, text: status === 200 ? '' : text.trimEnd() };
}
const outcome = async (...given: Parameters<typeof refs>) => {
  const { status, text } = await refs(...given);
  return `${status} ${text}`.trimEnd();
};

const denied = '401 HTTP Basic: Access denied.';
const hidden = "404 The project you were looking for could not be found or you don't have permission to view it.";
const noCode = '403 You are not allowed to download code from this project.';
const noPush = '403 You are not allowed to push code to this project.';
const noDownload = '403 You are not allowed to download code.';
const noUpload = '403 You are not allowed to upload code.';

let secret: string;
let open: string;
const people: Record<string, TestUser> = {};

beforeAll(async () => {
  const projects = [await newProject(gateway), await newProject(gateway, { visibility: 'public' })];
  [secret, open] = projects.map(({ fullPath }) => fullPath) as [string, string];
  for (const project of projects) {
    const work = workTree(gitUrl(gateway, project, tokens.maintainer));
    work.commit('first');
    expect(await work.push('main')).toMatchObject({ code: 0 });
  }
  for (const role of ['GUEST', 'REPORTER', 'DEVELOPER'] as const) {
    const user = (people[role] = await newUser(gateway, `git-${role.toLowerCase()}`, {
      password: 'a long password 1',
    }));
    await addMember(gateway, user, role, { project: secret });
  }
  people.STRANGER = await newUser(gateway, 'git-stranger');
});

describe('who may fetch and push', () => {
  test.each([
    ['anonymous', denied, denied, '200', denied],
    ['STRANGER', hidden, hidden, '200', noPush],
    ['GUEST', noCode, noPush, '200', noPush],
    ['REPORTER', '200', noPush, '200', noPush],
    ['DEVELOPER', '200', '200', '200', noPush],
  ])('%s', async (role, ...expected) => {
    const token = people[role]?.token;
    const authorization = token && basic('whoever', token);
    const found: string[] = [];
    for (const path of [secret, open])
      for (const service of services) found.push(await outcome(path, service, authorization));
    expect(found.map((one) => (one.startsWith('401') ? `${one.split('. ')[0]}.` : one))).toEqual(expected);
  });

  test('isn’t told whether a hidden project exists', async () => {
    for (const service of services)
      for (const authorization of [undefined, basic('x', people.STRANGER!.token), basic('x', 'cwpat_wrong')]) {
        const [one, other] = [
          await refs(secret, service, authorization),
          await refs('nobody/nothing', service, authorization),
        ];
        for (const { headers } of [one, other]) for (const name of ['x-request-id', 'date']) delete headers[name];
        for (const name of Object.keys(one.headers)) if (name.startsWith('ratelimit')) delete one.headers[name];
        for (const name of Object.keys(other.headers)) if (name.startsWith('ratelimit')) delete other.headers[name];
        expect(one).toEqual(other);
      }
  });

  test('with which scope', async () => {
    const of = async (scope: string) => {
      const authorization = basic('x', await gateway.personalToken('git-developer', [scope]));
      return [await outcome(secret, services[0], authorization), await outcome(secret, services[1], authorization)];
    };
    expect(await of('api')).toEqual(['200', '200']);
    expect(await of('write_repository')).toEqual(['200', '200']);
    expect(await of('read_repository')).toEqual(['200', noUpload]);
    expect(await of('read_api')).toEqual(['200', noUpload]);
    expect(await of('read_user')).toEqual([noDownload, noUpload]);
  });

  test('nobody to an archived project, which is still read', async () => {
    const { id, fullPath } = await newProject(gateway);
    const authorization = basic('x', tokens.maintainer);
    await sql('update projects set archived = true where id = $1', [id]);
    expect(await outcome(fullPath, 'git-upload-pack', authorization)).toBe('200');
    expect(await outcome(fullPath, 'git-receive-pack', authorization)).toBe(noPush);
  });
});

describe('a credential', () => {
  test('nobody over HTTP where the group at the root allows SSH only', async () => {
    const token = tokens.maintainer;
    const { body: root } = await rest('POST', '/api/v4/groups', { token, json: { name: 'only', path: 'only-ssh' } });
    const json = { name: 'below', path: 'below', parent_id: root.id };
    const { body: below } = await rest('POST', '/api/v4/groups', { token, json });
    const { path } = await newProject(gateway);
    const { body } = await rest('PUT', `${path}/transfer`, { token, json: { namespace: below.id } });
    const fullPath = body.path_with_namespace as string;
    const allow = (protocol: string) =>
      rest('PUT', `/api/v4/groups/${root.id}`, { token, json: { enabled_git_access_protocol: protocol } });
    const both = () => Promise.all(services.map((service) => outcome(fullPath, service, basic('x', token))));
    await allow('ssh');
    expect(await both()).toEqual(services.map(() => '403 Git access over HTTP is not allowed'));
    expect(await outcome(fullPath, 'git-upload-pack', basic('x', people.STRANGER!.token))).toBe(hidden);
    for (const protocol of ['http', 'all']) {
      await allow(protocol);
      expect(await both()).toEqual(['200', '200']);
    }
  });

  test('is a token of any user name, an OAuth token of the name oauth2, or a bearer token', async () => {
    const access = await gateway.accessToken('git-developer', ['read_repository']);
    const personal = people.DEVELOPER!.token;
    for (const authorization of [
      basic('', personal),
      basic('somebody-else', personal),
      basic('oauth2', personal),
      basic('oauth2', access),
      `Bearer ${access}`,
      `Bearer ${personal}`,
    ])
      expect(await outcome(secret, 'git-upload-pack', authorization)).toBe('200');
    for (const authorization of [
      basic('git-developer', access),
      basic('oauth2', await gateway.accessToken(null, ['api'])),
      basic('x', await gateway.personalToken('git-developer', ['api'], { expired: true })),
      basic('x', await gateway.personalToken('git-developer', ['api'], { revoked: true })),
      basic('x', `${personal}x`),
      basic(personal, ''),
      basic(personal, 'x-oauth-basic'),
      'Basic !',
      'Negotiate x',
      'Bearer',
    ])
      expect(await outcome(secret, 'git-upload-pack', authorization), authorization).toMatch(denied);
  });

  test('is nothing else than that header', async () => {
    const { signIn } = await gateway.operator<{ signIn: { session: string } }>(
      'mutation ($input: SignInInput!) { signIn(input: $input) { session } }',
      { input: { login: 'root', password: inject('passwords').root, userAgent: 'test' } },
    );
    const path = `/${secret}.git/info/refs?service=git-upload-pack`;
    for (const { query = '', ...headers } of [
      { cookie: `causeway_session=${signIn.session}; session=${signIn.session}` },
      { 'private-token': tokens.root },
      { query: `&private_token=${tokens.root}&access_token=${tokens.root}` },
    ] as Record<string, string>[])
      expect((await ask({ path: path + query, headers })).status).toBe(401);
  });

  test('may be a password, counted as at sign-in, if there is no second factor', async () => {
    const attempt = (login: string, password: string) => refs(secret, 'git-upload-pack', basic(login, password));
    expect((await attempt('git-developer', 'a long password 1')).status).toBe(200);
    expect((await attempt(people.DEVELOPER!.email, 'a long password 1')).status).toBe(200);
    expect(await outcome(secret, 'git-receive-pack', basic('git-developer', 'a long password 1'))).toBe('200');
    expect(await outcome(secret, 'git-upload-pack', basic('git-guest', 'a long password 1'))).toBe(noCode);
    await sql(
      `insert into second_factors (user_id, sealed_seed, confirmed_at) select id, '\\x00', now() from users where username = 'git-reporter'`,
    );
    expect((await attempt('git-reporter', 'a long password 1')).status).toBe(401);
    const statuses: number[] = [];
    for (let number = 0; number < 12; number++) statuses.push((await attempt('git-developer', 'wrong')).status);
    expect(statuses.slice(0, 10)).toEqual(Array<number>(10).fill(401));
    expect(statuses.slice(10)).toEqual([429, 429]);
    expect((await attempt('git-developer', 'a long password 1')).status).toBe(429);
    // A token isn't a guess, and works on.
    expect((await attempt('git-developer', people.DEVELOPER!.token)).status).toBe(200);
    // Without a credential nothing is counted.
    const counters = () => sql('select key, count from attempt_counters order by key');
    const before = await counters();
    for (let number = 0; number < 5; number++) await refs(secret, 'git-upload-pack');
    expect(await counters()).toEqual(before);
    const events = await sql(`select from audit_events where kind = 'sign_in_refused'`);
    expect(events.length).toBeGreaterThan(0);
  });

  test('of a blocked person says so, as a token; as a password it is just wrong', async () => {
    const user = await newUser(gateway, 'git-blocked', { password: 'a long password 1' });
    await addMember(gateway, user, 'DEVELOPER', { project: secret });
    await rest('POST', `/api/v4/users/${user.id}/block`, { token: tokens.root });
    expect(await outcome(secret, 'git-upload-pack', basic('x', user.token))).toBe('403 Your account has been blocked.');
    expect(await outcome(secret, 'git-upload-pack', basic('git-blocked', 'a long password 1'))).toMatch(denied);
  });

  test('is no password in the strict profile', async () => {
    const strict = await testGateway(
      { CAUSEWAY_PROFILE: 'strict', CAUSEWAY_BASE_URL: 'https://code.example.com' },
      gateway,
    );
    const { port } = new URL(strict.gateway.listening);
    const asking = rawClient(`http://127.0.0.1:${port}`);
    const path = `/${secret}.git/info/refs?service=git-upload-pack`;
    const password = await asking({ path, headers: { authorization: basic('git-guest', 'a long password 1') } });
    expect(password.status).toBe(401);
    const token = await asking({ path, headers: { authorization: basic('x', people.GUEST!.token) } });
    expect(token.status).toBe(403);
  });
});

describe('an answer', () => {
  test('is never cached, and only Basic is asked for', async () => {
    const { headers, status } = await refs(secret, 'git-upload-pack');
    expect(status).toBe(401);
    expect(headers).toMatchObject({
      'www-authenticate': 'Basic realm="Causeway"',
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-cache, max-age=0, must-revalidate',
      expires: 'Fri, 01 Jan 1980 00:00:00 GMT',
      pragma: 'no-cache',
    });
    const served = await refs(open, 'git-upload-pack');
    expect(served.headers).toMatchObject({
      'content-type': 'application/x-git-upload-pack-advertisement',
      'cache-control': 'no-cache, max-age=0, must-revalidate',
    });
    for (const name of ['etag', 'content-encoding', 'access-control-allow-origin', 'set-cookie'])
      expect(served.headers[name]).toBeUndefined();
  });

  test.each<[string, string, number, Record<string, string>?]>([
    ['HEAD', '.git/info/refs?service=git-upload-pack', 403],
    ['GET', '.git/info/refs', 403],
    ['GET', '.git/info/refs?service=git-upload-archive', 403],
    ['GET', '.git/HEAD', 403],
    ['GET', '.git/objects/info/packs', 403],
    ['GET', '.git/objects/aa/bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 403],
    ['POST', '.git/info/lfs/objects/batch', 404],
    ['GET', '.wiki.git/info/refs?service=git-upload-pack', 404],
    ['GET', '/snippets/1.git/info/refs?service=git-upload-pack', 404],
    ['GET', '.git/git-upload-pack', 405],
    ['OPTIONS', '.git/info/refs?service=git-upload-pack', 405, { origin: 'https://evil.example' }],
    ['POST', '.git/git-upload-pack', 415],
    ['POST', '.git/git-upload-pack', 415, { 'content-type': 'application/x-git-receive-pack-request' }],
    [
      'POST',
      '.git/git-upload-pack',
      415,
      { 'content-type': 'application/x-git-upload-pack-request', 'content-encoding': 'br' },
    ],
    ['GET', '/info/refs', 404],
    ['GET', '.git/info/refs?service=%ff', 400],
    ['GET', '.git/info/refs?service=git-upload-pack&x=%00', 400],
    ['GET', `.git/info/refs?${'a[]=1&'.repeat(1_001)}`, 400],
    ['GET', '/info/refs?service=%', 400],
    ['GET', '%00.git/info/refs?service=git-upload-pack', 404],
    ['GET', '%ff.git/info/refs?service=git-upload-pack', 404],
  ])('to %s %s is %i', async (method, rest_, status, headers) => {
    const answer = await ask({
      method,
      path: `/${open}${rest_}`,
      ...(headers && { headers }),
      ...(method === 'POST' && { body: '0000' }),
    });
    expect(answer.status).toBe(status);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
  });

  test('leads to the address with .git, and to no other host', async () => {
    const moved = await ask({ path: `/${open}/info/refs?service=git-upload-pack` });
    expect([moved.status, moved.headers.location]).toEqual([301, `/${open}.git/info/refs?service=git-upload-pack`]);
    for (const slashes of ['//', '/\\'])
      expect((await ask({ path: `${slashes}evil.example/x/info/refs?service=git-upload-pack` })).status).toBe(404);
  });

  test('that one clones from leads a browser to the page of the project, and to no other host', async () => {
    for (const path of [open, secret, 'no/such'])
      for (const slash of ['', '/']) {
        const { status, headers } = await ask({ path: `/${path}.git${slash}` });
        expect([status, headers.location]).toEqual([301, `/${path}`]);
      }
    for (const path of ['//evil.example/x.git', '/\\evil.example/x.git'])
      expect((await ask({ path })).headers.location).toBeUndefined();
    expect((await ask({ method: 'POST', path: `/${open}.git` })).status).toBe(404);
  });

  test('to what is no request of git, or unpacks to too much, is an end without harm', async () => {
    const { gzipSync } = await import('node:zlib');
    const headers = {
      authorization: basic('x', people.DEVELOPER!.token),
      'content-type': 'application/x-git-upload-pack-request',
    };
    const path = `/${secret}.git/git-upload-pack`;
    const send = (body: Buffer, more: Record<string, string> = {}) =>
      ask({ method: 'POST', path, headers: { ...headers, ...more }, body }).then(
        ({ status }) => status,
        () => 'cut',
      );
    const want = Buffer.from(`0032want ${'1'.repeat(40)}\n`);
    for (const body of [Buffer.from('zzzz'), Buffer.from('0003'), randomBytes(5_000), Buffer.from('fff0x'), want])
      expect([200, 'cut']).toContain(await send(body));
    const have = `0032have ${'1'.repeat(40)}\n`;
    const many = gzipSync(`0012command=fetch0001${have.repeat(300_000)}0009done\n0000`);
    expect(many.length).toBeLessThan(100_000);
    expect(await send(many, { 'content-encoding': 'gzip', 'git-protocol': 'version=2' })).toBe('cut');
    expect(await send(Buffer.from('no gzip'), { 'content-encoding': 'gzip' })).toBe('cut');
    const { runner } = gateway.gateway.application.git.engine;
    await expect.poll(() => runner.jobs, { timeout: 10_000 }).toBeLessThan(10);
    expect((await refs(secret, 'git-upload-pack', headers.authorization)).status).toBe(200);
  });
});

describe('a project that moved', () => {
  test('is served at its former path, and a push says the new one', async () => {
    const { id, fullPath, path } = await newProject(gateway);
    const { commit, push } = workTree(gitUrl(gateway, { fullPath }, tokens.maintainer));
    commit('first');
    await push('main');
    const renamed = await rest('PUT', path, { token: tokens.maintainer, json: { path: `moved-${id}` } });
    const next = (renamed.body as { path_with_namespace: string }).path_with_namespace;
    commit('second');
    const { code, text: said } = await push('main');
    expect(code).toBe(0);
    expect(said).toContain(`remote: Project '${fullPath}' was moved to '${next}'.`);
    expect(said).toContain(`git remote set-url origin ${gateway.url}/${next}.git`);
    expect(await clone(gitUrl(gateway, { fullPath }, tokens.maintainer))).toMatchObject({ code: 0 });
    expect(await outcome(fullPath, 'git-upload-pack', basic('x', people.STRANGER!.token))).toBe(hidden);
  });
});

test('/graphql knows nothing of these fields', async () => {
  for (const field of [
    '{ gitUploadPack(project: "a/b") { fullPath } }',
    'mutation { gitReceivePack(project: "a/b") { fullPath } }',
  ]) {
    const { errors } = await gateway.graphql(field, { token: tokens.root });
    expect(errors![0]!.message).toContain("doesn't exist on type");
  }
});

describe('a slow client', () => {
  test('clones and pushes for longer than a request may take', async () => {
    const slow = await testGateway({
      CAUSEWAY_REQUEST_TIMEOUT: '1000',
      CAUSEWAY_BODY_TIMEOUT: '1000',
      CAUSEWAY_MAX_EVENT_LOOP_DELAY: '0',
    });
    const { port, close } = await narrow(Number(new URL(slow.url).port));
    afterAll(close);
    const url = `http://127.0.0.1:${port}`;
    const project = await newProject(slow);
    const { commit, push, git } = workTree(gitUrl({ url }, project, slow.tokens.maintainer));
    git('config', 'core.compression', '0');
    const tip = commit('large', randomBytes(3_000_000));
    const begun = Date.now();
    const pushed = await push('main');
    expect(pushed, pushed.text).toMatchObject({ code: 0 });
    const { code, folder } = await clone(gitUrl({ url }, project, slow.tokens.maintainer));
    expect(Date.now() - begun).toBeGreaterThan(2_000);
    expect(code).toBe(0);
    expect(plainGit(folder, ['rev-parse', 'HEAD'])).toBe(tip);
    expect((await gitClient(folder, ['fetch'])).code).toBe(0);
  });
});

/** A slow line to a port: 64 KiB in 50 ms, in both directions. */
async function narrow(to: number): Promise<{ port: number; close: () => void }> {
  const server = createServer((client) => {
    const gateway_ = connect(to, '127.0.0.1');
    for (const [from, into] of [
      [client, gateway_],
      [gateway_, client],
    ] as const) {
      from.on('error', () => into.destroy());
      from.on('end', () => into.end());
      from.on('data', (chunk: Buffer) => {
        into.write(chunk);
        from.pause();
        setTimeout(() => from.resume(), (chunk.length / 65_536) * 50);
      });
    }
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}
