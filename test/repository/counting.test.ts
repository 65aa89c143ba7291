import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { measureRepository } from '../../src/jobs/repositories/measure.ts';
import { reconcile } from '../../src/schema/repository/writing/reconcile.ts';
import { testGateway } from '../support/gateway.ts';
import { whileHeld } from '../support/databases/held.ts';
import { newCode } from './support/code.ts';

const gateway = await testGateway();

test('the counting of a repository waits for a writer, who doesn’t wait for it', async () => {
  const { sql } = gateway;
  const { id, commit } = await newCode(gateway);
  await commit({ 'README.md': '# Harbour' });
  const counted = async () =>
    (await sql<{ readme_path: string }>('select readme_path from projects where id = $1', [id]))[0]!.readme_path;
  await expect.poll(counted, { timeout: 10_000 }).toBe('README.md');
  await sql(`update projects set readme_path = 'former.md' where id = $1`, [id]);

  const { database, git } = gateway.gateway.application;
  await whileHeld(
    gateway,
    ['select from repositories where project_id = $1 for update', id],
    [() => measureRepository(database, git, id, new AbortController().signal)],
    (writer) => writer.query('update projects set last_activity_at = now() where id = $1', [id]),
  );
  expect(await counted()).toBe('README.md');
});

test('a repository is counted when the change is finished that its writer didn’t see through', async () => {
  const { sql } = gateway;
  const { id, commit } = await newCode(gateway);
  await commit({ 'README.md': '# Harbour' });
  const { database, git } = gateway.gateway.application;
  const counted = async () =>
    (await sql<{ readme_path: string }>('select readme_path from projects where id = $1', [id]))[0]!.readme_path;
  await expect.poll(counted, { timeout: 10_000 }).toBe('README.md');
  const waiting = () => sql(`select from jobs where name = 'measure_repository' and key = $1`, [String(id)]);
  await expect.poll(waiting, { timeout: 10_000 }).toHaveLength(0);
  await sql(`update projects set readme_path = 'former.md' where id = $1`, [id]);
  await sql(`update ref_changes set applied = false, created_at = now() - interval '1 hour' where project_id = $1`, [
    id,
  ]);
  const fail = (_: number, error: Error) => {
    throw error;
  };
  expect(await reconcile(database, git, { signal: new AbortController().signal, report: fail })).toBeGreaterThan(0);
  await expect.poll(counted, { timeout: 10_000 }).toBe('README.md');
});

test('the files of a repository are put in order when a maintainer asks for it', async () => {
  const { rest, tokens } = gateway;
  const { id, path, commit } = await newCode(gateway);
  for (const name of ['a', 'b', 'c']) await commit({ [`${name}.md`]: name });
  const objects = join(gateway.gateway.application.git.repository(id).path, 'objects');
  const loose = () => readdirSync(objects).filter((name) => name.length === 2).length;
  const packs = () => readdirSync(join(objects, 'pack')).filter((name) => name.endsWith('.pack')).length;
  const ask = async (token: string, json = {}) => {
    const { status, body } = await rest('POST', `${path}/housekeeping`, { token, json });
    return [status, body];
  };
  expect(loose() + packs()).toBeGreaterThan(1);
  expect(await ask(tokens.developer)).toEqual([403, { message: '403 Forbidden' }]);
  expect(await ask(tokens.maintainer, { task: 'all' })).toEqual([400, { error: 'task does not have a valid value' }]);
  expect(await ask(tokens.maintainer, { task: 'prune' })).toEqual([201, { message: '201 Created' }]);
  await expect.poll(() => [loose(), packs()], { timeout: 20_000 }).toEqual([0, 1]);
  expect((await rest('GET', `${path}/repository/files/a.md?ref=main`, { token: tokens.maintainer })).status).toBe(200);
});

describe('the programming languages of a repository', () => {
  const { rest, tokens } = gateway;
  const languages = async (path: string, token = tokens.maintainer) =>
    (await rest('GET', `${path}/languages`, { token })).body;

  test('are counted by the bytes of its programs and markup, the five largest', async () => {
    const { path, fullPath, commit } = await newCode(gateway);
    expect(await languages(path)).toEqual({});
    await commit({
      'src/server.ts': 'x'.repeat(500),
      'src/page.tsx': 'x'.repeat(100),
      'main.rb': 'x'.repeat(200),
      Rakefile: 'x'.repeat(50),
      'engine/sum.h': 'x'.repeat(100),
      'page.html': 'x'.repeat(40),
      'style.css': 'x'.repeat(9),
      'run.sh': 'x',
      'README.md': 'x'.repeat(900),
      'data.json': 'x'.repeat(900),
      'node_modules/other/index.js': 'x'.repeat(900),
      'docs/example.py': 'x'.repeat(900),
      'app.min.js': 'x'.repeat(900),
      'strange.zzz': 'x'.repeat(900),
    });
    await expect
      .poll(() => languages(path), { timeout: 10_000 })
      .toEqual({ TypeScript: 60, Ruby: 25, C: 10, HTML: 4, CSS: 0.9 });
    const query = `{ project(fullPath: "${fullPath}") { languages { name share color } } }`;
    const { data } = await gateway.graphql(query, { token: tokens.maintainer });
    expect(data).toMatchObject({
      project: { languages: [{ name: 'TypeScript', share: 60, color: '#3178c6' }, {}, {}, {}, {}] },
    });
    for (const [with_programming_language, found] of [
      ['ruby', true],
      ['TypeScript', true],
      ['Python', false],
    ] as const) {
      const { body } = await rest('GET', '/api/v4/projects', {
        token: tokens.maintainer,
        query: { with_programming_language },
      });
      expect((body as { path_with_namespace: string }[]).some((one) => one.path_with_namespace === fullPath)).toBe(
        found,
      );
    }
  });

  test('are hidden from those who don’t read it', async () => {
    const { path, fullPath, commit } = await newCode(gateway, {
      visibility: 'public',
      repository_access_level: 'private',
      merge_requests_access_level: 'private',
      builds_access_level: 'private',
    });
    await commit({ 'main.rb': 'puts 1' });
    await expect.poll(() => languages(path), { timeout: 10_000 }).toEqual({ Ruby: 100 });
    const guest = await gateway.personalToken('guest', ['api']);
    expect(await languages(path, guest)).toEqual({});
    const query = { with_programming_language: 'Ruby', search: fullPath.split('/').at(-1)! };
    for (const [token, found] of [
      [tokens.maintainer, 1],
      [guest, 0],
    ] as const)
      expect((await rest('GET', '/api/v4/projects', { token, query })).body).toHaveLength(found);
  });
});
