import type { TestGateway } from './gateway.ts';

/** A digest of every row of every table, without `last_used_at`. */
export async function everything(gateway: TestGateway): Promise<string> {
  const tables = await gateway.sql<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const digests = tables.map(
    ({ name }) =>
      `(select md5(coalesce(string_agg(r, '|' order by r), '')) from (select (to_jsonb(t) - 'last_used_at')::text as r from "${name}" t) rows)`,
  );
  const [{ digest }] = (await gateway.sql<{ digest: string }>(`select ${digests.join(` || ' ' || `)} as digest`)) as [
    { digest: string },
  ];
  return digest;
}
