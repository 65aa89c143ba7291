import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { Refusals } from '../../src/oauth/refusals.ts';
import { testGateway } from '../support/gateway.ts';
import { refresh, registerApplication, session, type RegisteredApplication } from '../support/oauth/oauth.ts';

const gateway = await testGateway();

test('while a refusal is being written, equal ones don’t wait, and others are counted separately', async () => {
  const person = await session(gateway, 'person');
  const applications = [await registerApplication(person), await registerApplication(person)];
  const refuse = async (application: RegisteredApplication) => (await refresh(gateway, application, 'unknown')).status;
  for (const application of applications) await refuse(application);

  const holder = new pg.Client({ connectionString: gateway.databaseUrl });
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from audit_events where minute_key is not null for update');
  const answered: number[] = [];
  const flood = applications.flatMap((application) =>
    Array.from({ length: 10 }, async () => void answered.push(await refuse(application))),
  );
  // The first of either waits for its row, on a connection; unless a new minute has just begun, with new rows.
  await vi.waitFor(() => expect(answered.length).toBeGreaterThanOrEqual(18), { timeout: 20_000, interval: 20 });
  await holder.query('commit');
  await holder.end();
  await Promise.all(flood);
  expect(new Set(answered)).toEqual(new Set([400]));

  const counted = `select application_id::text as id, sum(count)::int as count from audit_events where kind = 'refresh_refused' group by 1 order by 1`;
  await expect.poll(() => gateway.sql(counted)).toEqual(applications.map(({ id }) => ({ id, count: 11 })));
});

test('what came meanwhile is one more write, and none where nothing came; a failed one blocks no other', async () => {
  const writes: number[] = [];
  const held: (() => void)[] = [];
  const refusals = new Refusals({
    rows: async (_statement, values) => {
      writes.push(values.at(-1) as number);
      await new Promise<void>((resolve, reject) =>
        held.push(writes.length === 3 ? () => reject(new Error('The database is away.')) : resolve),
      );
      return [];
    },
  });
  const refuse = () =>
    refusals.count({ kind: 'sign_in_refused', userId: 7 }, { address: '192.0.2.1', requestId: 'a-test' });
  const first = refuse();
  await Promise.all([refuse(), refuse(), refuse()]);
  expect(writes).toEqual([1]);
  held.shift()!();
  await first;
  expect(writes).toEqual([1, 3]);
  held.shift()!();

  const failed = refuse();
  held.shift()!();
  await expect(failed).rejects.toThrow('away');
  const next = refuse();
  held.shift()!();
  await next;
  expect(writes).toEqual([1, 3, 1, 1]);
});
