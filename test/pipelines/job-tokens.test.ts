import { beforeAll, describe, expect, test } from 'vitest';
import { newToken } from '../../src/auth/credentials/tokens.ts';
import { newCode, type Code } from '../repository/support/code.ts';
import { clone, gitUrl, workTree } from '../repository/support/clone.ts';
import { testGateway } from '../support/gateway.ts';
import { rawClient } from '../support/requests/raw-client.ts';
import { addMember, newUser } from '../support/places/people.ts';
import { endJob, runningJob } from './support/jobs.ts';

const gateway = await testGateway();
const { rest, sql } = gateway;
const ask = rawClient(gateway.url);

let code: Code;
let other: Code;
let sha: string;

beforeAll(async () => {
  code = await newCode(gateway);
  other = await newCode(gateway);
  sha = await code.commit({ 'a.txt': 'a' });
  await other.commit({ 'b.txt': 'b' });
});

const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
/** What `info/refs` answers. */
const refs = async ({ fullPath }: Code, token: string, service = 'git-upload-pack', user = 'gitlab-ci-token') =>
  (
    await ask({
      path: `/${fullPath}.git/info/refs?service=${service}`,
      headers: { authorization: basic(user, token) },
    })
  ).status;

describe('git with the token of a job', () => {
  test('fetches its own project', async () => {
    const { token } = await runningJob(gateway, { ...code, sha });
    const fetched = await clone(gitUrl(gateway, code, { user: 'gitlab-ci-token', password: token }));
    expect(fetched).toMatchObject({ code: 0 });
  });

  test('fetches no other, and pushes nowhere', async () => {
    const { token } = await runningJob(gateway, { ...code, sha });
    expect(await refs(other, token)).toBe(404);
    expect(await refs(code, token, 'git-receive-pack')).toBe(403);
    const work = workTree(gitUrl(gateway, code, { user: 'gitlab-ci-token', password: token }));
    work.commit('b');
    expect((await work.push('main:taken')).code).not.toBe(0);
    const { status } = await rest('GET', `${code.path}/repository/branches/taken`, { token: gateway.tokens.root });
    expect(status).toBe(404);
  });

  test('is taken by its name alone', async () => {
    const { token } = await runningJob(gateway, { ...code, sha });
    for (const user of ['oauth2', 'maintainer', '']) expect(await refs(code, token, 'git-upload-pack', user)).toBe(401);
    expect(await refs(code, gateway.tokens.root)).toBe(401);
  });

  test('ends with the job', async () => {
    const { id, token } = await runningJob(gateway, { ...code, sha });
    await endJob(gateway, id, 'canceled');
    expect(await refs(code, token)).toBe(401);
  });

  test('isn’t guessed', async () => {
    await runningJob(gateway, { ...code, sha });
    for (const wrong of [newToken('job').secret, 'cwjt_', 'x']) expect(await refs(code, wrong)).toBe(401);
  });

  test('has the rights that its person has now', async () => {
    const person = await newUser(gateway, 'job-starter');
    await addMember(gateway, person, 'DEVELOPER', { project: String(code.id) });
    const { token } = await runningJob(gateway, { ...code, sha }, { userId: Number(person.id) });
    expect(await refs(code, token)).toBe(200);
    await sql('update project_members set access_level = 10 where user_id = $1', [person.id]);
    expect(await refs(code, token)).toBe(403);
    await sql('delete from project_members where user_id = $1', [person.id]);
    expect(await refs(code, token)).toBe(404);
    await sql(`update users set state = 'BLOCKED' where id = $1`, [person.id]);
    expect(await refs(code, token)).toBe(403);
    await sql('update ci_jobs set user_id = null where user_id = $1', [person.id]);
    expect(await refs(code, token)).toBe(401);
  });
});

describe('the API with the token of a job', () => {
  test('isn’t reached, nor taken for that of a person', async () => {
    const { token } = await runningJob(gateway, { ...code, sha });
    const statuses: number[] = [];
    const carriers: Record<string, string>[] = [
      { 'job-token': token },
      { 'private-token': token },
      { authorization: `Bearer ${token}` },
      { authorization: basic('gitlab-ci-token', token) },
    ];
    for (const headers of carriers)
      statuses.push((await ask({ path: `/api/v4/projects/${code.id}/repository/branches`, headers })).status);
    for (const name of ['job_token', 'private_token', 'access_token'])
      statuses.push((await ask({ path: `/api/v4/user?${name}=${token}` })).status);
    // Basic is no credential of the API: the request is anonymous, and the project hidden.
    expect(statuses).toEqual([401, 401, 401, 404, 401, 401, 401]);
  });

  test('isn’t reached at /graphql', async () => {
    const { token } = await runningJob(gateway, { ...code, sha });
    const { data } = await gateway.graphql<{ currentUser: unknown }>('{ currentUser { id } }', {
      headers: { 'job-token': token },
    });
    expect(data).toEqual({ currentUser: null });
    const carriers: Record<string, string>[] = [{ 'private-token': token }, { authorization: `Bearer ${token}` }];
    for (const headers of carriers)
      expect((await gateway.graphql('{ currentUser { id } }', { headers })).status).toBe(401);
  });
});
