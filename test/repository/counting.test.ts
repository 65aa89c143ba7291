import { expect, test } from 'vitest';
import { measureRepository } from '../../src/jobs/repositories/measure.ts';
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

test('what is counted before git made a recorded change is counted again', async () => {
  const { sql } = gateway;
  const { id, commit } = await newCode(gateway);
  await commit({ 'README.md': '# Harbour' });
  const { database, git } = gateway.gateway.application;
  const measure = () => measureRepository(database, git, id, new AbortController().signal);
  const waiting = () => sql(`select from jobs where name = 'measure_repository' and key = $1`, [String(id)]);
  await expect.poll(waiting, { timeout: 10_000 }).toHaveLength(0);
  await measure();
  expect(await waiting()).toHaveLength(0);
  await sql('update ref_changes set applied = false where project_id = $1', [id]);
  await measure();
  expect(await waiting()).toHaveLength(1);
});
