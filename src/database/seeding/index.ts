import { OperatorError } from '../../errors.ts';
import { statement, type Database } from '../index.ts';
import { dropIndexes } from './indexes.ts';
import type { SeedPlan } from './parts.ts';
import { steps } from './steps.ts';

export { type SeedPlan } from './parts.ts';

/** Called before the first row of a step (`done` 0) and after each of its batches. */
export type SeedProgress = (label: string, done: number, all: number) => void;

/** Why nothing was seeded, with a remedy. */
class SeedError extends OperatorError {}

/**
 * Fills the database with made-up people, groups in trees, projects, settings and issues, for benchmarks and to try a big
 * instance. It writes SQL instead of running operations, since a million operations take hours. No one can sign in
 * with the credentials it creates. It runs in one transaction: interrupted seeding leaves nothing behind.
 * @param prefix of every name, to recognize seeded rows
 * @throws SeedError when the prefix was used before
 */
export async function seed(database: Database, plan: SeedPlan, prefix: string, progress: SeedProgress): Promise<void> {
  const wanted = steps.filter(({ counts }) => plan[counts] > 0);
  const tables = [...new Set(wanted.flatMap((step) => step.tables))];
  await database.transaction(async (sql) => {
    const run = (text: string, values: readonly unknown[] = []) => sql.rows<object>(statement('', text), values);
    const [taken] = await run('select 1 from routes where path in ($1, $2)', [`${prefix}-user-1`, `${prefix}-group-1`]);
    if (taken)
      throw new SeedError(
        `Names that begin with ${prefix}- exist: the database was seeded with this prefix before.`,
        'Choose other names with --prefix.',
      );

    await run(
      'create temporary table seeded (kind text, number int, id int not null, primary key (kind, number)) on commit drop',
    );
    const makeIndexes = await dropIndexes(sql, tables);
    for (const { counts, label, batch, text } of wanted) {
      const all = plan[counts];
      const size = typeof batch === 'number' ? batch : batch(plan);
      for (let done = 0; done < all;) {
        progress(label, done, all);
        const last = Math.min(done + size, all);
        await run(text, [done + 1, last, prefix, JSON.stringify(plan)]);
        done = last;
        if (done === all) progress(label, done, all);
      }
      await run('analyze seeded');
    }
    await makeIndexes((done, all) => progress('indexes and references', done, all));
  });
  // Gives the planner the new sizes, and leaves nothing for autovacuum.
  if (tables.length > 0) await database.rows(statement('', `vacuum (analyze) ${tables.join(', ')}`), []);
}
