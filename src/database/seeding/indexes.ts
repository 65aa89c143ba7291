import { statement, type Sql } from '../index.ts';

/** An index or constraint of a table, as statements that drop and make it. */
interface Definition {
  readonly drop: string;
  readonly make: string;
}

/**
 * Lists constraints first, since they own their indexes. A key that other tables refer to is kept: dropping it would
 * drop every foreign key to it.
 */
const constraints = statement<Definition>(
  '',
  `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
          format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
     from pg_constraint c
    where conrelid = any($1::regclass[])
      and (contype = 'f' or contype in ('p', 'u') and not exists (select from pg_constraint r where r.contype = 'f' and r.conindid = c.conindid))
    -- A reference goes before the keys, and comes back after them.
    order by contype`,
);

const indexes = statement<Definition>(
  '',
  `select format('drop index %s', indexrelid::regclass) as drop, pg_get_indexdef(indexrelid) as make
     from pg_index i
    where indrelid = any($1::regclass[]) and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
);

/**
 * Drops the indexes and foreign keys of those tables that are empty. Building an index once over ten million rows takes
 * seconds; maintaining it row by row, many minutes. Run it in the transaction that fills the tables, so that an
 * interruption changes nothing.
 * @returns makes all of them again, which also checks every foreign key
 */
export async function dropIndexes(
  sql: Sql,
  tables: readonly string[],
): Promise<(progress: (done: number, all: number) => void) => Promise<void>> {
  const run = (text: string) => sql.rows<{ filled: boolean }>(statement('', text), []);
  const empty: string[] = [];
  for (const table of tables) {
    const [found] = await run(`select exists (select from ${table}) as filled`);
    if (!found!.filled) empty.push(table);
  }
  const found = await sql.rows(constraints, [empty]);
  for (const { drop } of found) await run(drop);
  const others = await sql.rows(indexes, [empty]);
  for (const { drop } of others) await run(drop);

  return async (progress) => {
    const made = [...others, ...found.reverse()];
    // Sort in memory where possible; for this transaction only.
    await run(`set local maintenance_work_mem = '512MB'`);
    for (const [done, { make }] of made.entries()) {
      progress(done, made.length);
      await run(make);
    }
    progress(made.length, made.length);
  };
}
