import type { TestGateway } from '../gateway.ts';

/** What is known of each table of a database: its rows, counted with the transactions that wrote them, and their digest. */
type Known = Map<string, { readonly version: string; readonly digest: string }>;

const known = new Map<string, Promise<Known>>();

/**
 * A digest of every row of every table, without `last_used_at` and `last_used_ip`. Only tables that were written to since
 * the last time are read: each write gives a row a later transaction, so that their sum grows unless there are fewer rows.
 */
export async function everything(gateway: TestGateway): Promise<string> {
  if (!known.has(gateway.databaseUrl)) known.set(gateway.databaseUrl, prepare(gateway));
  const tables = await known.get(gateway.databaseUrl)!;
  const [{ versions }] = (await gateway.sql<{ versions: string[] }>('select versions_of_everything() as versions')) as [
    { versions: string[] },
  ];
  const written = [...tables.keys()].filter((name, index) => tables.get(name)!.version !== versions[index]);
  if (written.length > 0) {
    const digests = await gateway.sql<{ name: string; digest: string }>(written.map(digestOf).join(' union all '));
    const names = [...tables.keys()];
    for (const { name, digest } of digests) tables.set(name, { version: versions[names.indexOf(name)]!, digest });
  }
  return [...tables.values()].map(({ digest }) => digest).join(' ');
}

const digestOf = (name: string) =>
  `select '${name}' as name, md5(coalesce(string_agg(r, '|' order by r), '')) as digest
     from (select (to_jsonb(t) - 'last_used_at' - 'last_used_ip')::text as r from "${name}" t) rows`;

/** Makes a function of the database, which plans its long statement once: to plan takes longer than to run it. */
async function prepare(gateway: TestGateway): Promise<Known> {
  const tables = await gateway.sql<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const versions = tables.map(
    ({ name }) => `(select count(*) || ' ' || coalesce(sum(xmin::text::bigint), 0) from "${name}")`,
  );
  await gateway.sql(
    `create function versions_of_everything() returns text[] language plpgsql as $$ begin return array[${versions.join(', ')}]; end $$`,
  );
  return new Map(tables.map(({ name }) => [name, { version: '', digest: '' }]));
}
