import type { TestGateway } from './gateway.ts';

/** The databases that have the function below. */
const prepared = new Map<string, Promise<unknown>>();

/** A digest of every row of every table, without `last_used_at` and `last_used_ip`. */
export async function everything(gateway: TestGateway): Promise<string> {
  if (!prepared.has(gateway.databaseUrl)) prepared.set(gateway.databaseUrl, prepare(gateway));
  await prepared.get(gateway.databaseUrl);
  const [{ digest }] = (await gateway.sql<{ digest: string }>('select digest_of_everything() as digest')) as [
    { digest: string },
  ];
  return digest;
}

/** Makes a function of the database, which plans its long statement once: to plan takes longer than to run it. */
async function prepare(gateway: TestGateway): Promise<void> {
  const tables = await gateway.sql<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const digests = tables.map(
    ({ name }) =>
      `(select md5(coalesce(string_agg(r, '|' order by r), '')) from (select (to_jsonb(t) - 'last_used_at' - 'last_used_ip')::text as r from "${name}" t) rows)`,
  );
  await gateway.sql(
    `create function digest_of_everything() returns text language plpgsql as $$ begin return ${digests.join(` || ' ' || `)}; end $$`,
  );
}
