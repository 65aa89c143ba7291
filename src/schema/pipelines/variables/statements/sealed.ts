import { statement, type Statement } from '../../../../database/index.ts';

/**
 * Every table with secrets of pipelines, to seal them again when the instance key changes. What a secret is bound to is
 * written here as in the subject that seals it.
 */

/** The secrets of a table, in the order of two values that identify a row: `key` is empty where an id is enough. */
export interface SealedTable {
  /** $1 the id of the last row that was read, $2 its key, $3 how many rows. */
  readonly next: Statement<SealedRow>;
  /** $1 id, $2 key, $3 as it was sealed, $4 as it is sealed now. No row: it was changed meanwhile. */
  readonly put: Statement<object>;
}

export interface SealedRow {
  readonly id: number;
  readonly key: string;
  readonly sealed: Buffer;
  /** What it is bound to. */
  readonly row: string;
}

interface Sealed {
  readonly table: string;
  /** The column that holds it. */
  readonly column?: string;
  /** SQL of the number that identifies its row, with `key` where that isn't enough. */
  readonly id?: string;
  readonly key?: string;
  /** SQL of what it is bound to. */
  readonly row: string;
}

const tables: readonly Sealed[] = [
  {
    table: 'ci_variables',
    row: `'ci variable ' || key || ' of ' || case when project_id is not null then 'project ' || project_id
            when group_id is not null then 'group ' || group_id else 'the instance' end`,
  },
  { table: 'ci_triggers', row: `'ci trigger ' || encode(digest, 'hex')` },
  {
    table: 'pipeline_schedule_variables',
    row: `'variable ' || key || ' of pipeline schedule ' || schedule_id`,
  },
  {
    table: 'runner_registration_tokens',
    row: `'runner_registration_token:' || coalesce('project ' || project_id, 'group ' || group_id, 'instance')`,
  },
  {
    table: 'ci_pipeline_variables',
    id: 'pipeline_id',
    key: 'key',
    row: `'ci_pipeline_variable:' || pipeline_id || ':' || key`,
  },
  { table: 'ci_job_variables', id: 'job_id', key: 'key', row: `'ci_job_variable:' || job_id || ':' || key` },
  { table: 'ci_reported_variables', id: 'job_id', key: 'key', row: `'ci_reported_variable:' || job_id || ':' || key` },
  { table: 'ci_traces', column: 'sealed_masks', row: `'ci_trace:' || job_id` },
];

export const sealedTables: readonly SealedTable[] = tables.map(
  ({ table, column = 'sealed', id = 'id', key = `''::text`, row }) => ({
    next: statement(
      `next_sealed_${table}`,
      `select ${id} as id, ${key} as key, ${column} as sealed, ${row} as row from ${table}
        where (${id}, ${key}) > ($1::int, $2::text) and ${row} is not null and ${column} is not null
        order by (${id}, ${key}) limit $3::int`,
    ),
    put: statement(
      `reseal_${table}`,
      `update ${table} set ${column} = $4::bytea
        where ${id} = $1::int and ${key} = $2::text and ${column} = $3::bytea returning 1`,
    ),
  }),
);
