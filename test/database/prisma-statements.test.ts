import { expect, test } from 'vitest';
import { createContext } from '../../src/context.ts';
import { testGateway } from '../support/gateway.ts';

test('Prisma’s statements stay prepared; the least recently used are closed, in the process and in PostgreSQL', async () => {
  const { application } = (await testGateway()).gateway;
  const context = await createContext(application, null, { origin: { address: '', requestId: '' } });
  // In sequence: the pool takes the connection that was used last.
  const ask = <Row>(sql: string) => context.database.prisma.$queryRawUnsafe<Row[]>(sql);
  const often = 'select 0 as often';
  const held = async () => {
    const rows = await ask<{ statement: string }>(
      `select statement from pg_prepared_statements where name like 'prisma_%'`,
    );
    return rows.map(({ statement }) => statement);
  };
  for (let at = 0; at < 800; at++) {
    await ask(`select ${at} as rare`);
    if (at % 100 === 0) await ask(often);
  }
  const statements = await held();
  // Retired names are closed a hundred at a time.
  expect(statements.length).toBeGreaterThan(400);
  expect(statements.length).toBeLessThanOrEqual(600);
  expect(statements).toContain(often);
  expect(statements).toContain('select 799 as rare');
  expect(statements).not.toContain('select 0 as rare');
  // A retired one is prepared again, and answers.
  expect(await ask('select 0 as rare')).toEqual([{ rare: 0 }]);
  expect(await held()).toContain('select 0 as rare');
});
