import type { TestGateway } from '../../support/gateway.ts';
import { tablesOfAwards } from './planning/awards.ts';
import { sequencesOfEnvironments, tablesOfEnvironments } from './code/environments.ts';
import { sequencesOfIssues, tablesOfIssues } from './planning/issues.ts';
import { sequencesOfJobFiles, tablesOfJobFiles } from './code/job-files.ts';
import { tablesOfLabels } from './planning/labels.ts';
import { tablesOfNotes } from './planning/notes.ts';
import { sequencesOfPipelines, tablesOfPipelines } from './code/pipelines.ts';
import { sequencesOfRepositories, tablesOfRepositories } from './code/repositories.ts';
import { linksOfReviews, sequencesOfReviews, tablesOfReviews } from './planning/reviews.ts';
import { tablesOfRunners } from './code/runners.ts';
import { tablesOfSnippets } from './planning/snippets.ts';
import { sequencesOfVariables, tablesOfVariables } from './code/variables.ts';

/**
 * The rows of a database as they were at one moment: what differs from them, and the way back. Triggers note which tables
 * were written to, so that only these are read and restored: a request writes to a few out of some hundred and fifty.
 */
export interface KeptRows {
  /** The tables whose rows differ from the kept ones, each with all its rows as text, but for times and new secrets. */
  changed(): Promise<Record<string, string>>;
  /** Restores the rows. */
  restore(): Promise<void>;
  /** Resets the sequences, so that both doors make rows with the same ids. */
  renumber(): Promise<void>;
}

/** Tables that are emptied and filled, each after those that it refers to. */
const planning = [
  'milestones',
  ...tablesOfReviews,
  ...tablesOfIssues,
  ...linksOfReviews,
  ...tablesOfLabels,
  ...tablesOfSnippets,
  ...tablesOfNotes,
  ...tablesOfAwards,
  ...tablesOfRepositories,
  ...tablesOfPipelines,
  ...tablesOfJobFiles,
  ...tablesOfVariables,
  ...tablesOfEnvironments,
  ...tablesOfRunners,
];

/** Tables of places and people that are emptied and filled; they depend on each other. */
const filled = [
  'avatars',
  'group_members',
  'project_members',
  'access_requests',
  'group_shares',
  'project_shares',
  'routes',
  'stars',
];
/** Tables that are empty when they are restored. */
const emptied = [
  'attempt_counters',
  'global_notification_settings',
  'group_notification_settings',
  'project_notification_settings',
  'user_statuses',
  'former_paths',
  'audit_events',
  'events',
  'jobs',
];
const places = ['projects', 'namespaces', 'error_tracking_settings'];

/** Columns that differ each time. */
const times =
  'updated_at, created_at, written_at, last_used_at, last_activity_at, deleting_since, starred_at, at, request_id, discussion_id, closed_at, spent_at, edited_at, resolved_at, run_at, reviewer_since, merged_at, queued_at, started_at, finished_at, rebasing_since, sealed, digest, token_digest';

/** The address of the error tracking of the demo project. */
const address = 'https://tracker.example.com/api/0/projects/demo/storefront';

export async function keepRows({ gateway }: TestGateway): Promise<KeptRows> {
  /** Runs a statement on the gateway's connection pool, which is faster than a new connection. */
  const sql = <Row>(text: string) => gateway.application.database.rows<Row>({ name: '', text }, []);

  for (const table of [...planning, ...filled, 'projects', 'namespaces'])
    await sql(`create table kept_${table} as select * from ${table}`);
  await sql(restoreNumbers);
  await sql('create table kept_touched (name text not null)');
  await sql(`create function restore_rows() returns void language plpgsql as $$ declare known text[]; begin
    known := array(select distinct name from kept_touched);
    if known && '{${[...places, ...filled].join(', ')}}' or exists (select from users where avatar is not null or attributes <> '{}') then
      delete from projects where id not in (select id from kept_projects);
      update projects p set namespace_id = k.namespace_id, name = k.name, path = k.path, full_path = k.full_path, description = k.description, visibility = k.visibility, archived = k.archived,
        topics = k.topics, star_count = k.star_count, forks_count = k.forks_count, forked_from_id = k.forked_from_id, deleting_since = k.deleting_since, avatar = k.avatar,
        default_branch = k.default_branch, readme_path = k.readme_path, import_status = k.import_status from kept_projects k where k.id = p.id;
      delete from error_tracking_settings where project_id not in (select id from projects where full_path = 'demo/storefront');
      update error_tracking_settings set active = false, project_name = 'Storefront', api_url = '${address}';
      delete from namespaces where id not in (select id from kept_namespaces);
      update namespaces n set parent_id = k.parent_id, ancestry = k.ancestry, name = k.name, path = k.path, full_path = k.full_path, description = k.description, visibility = k.visibility,
        deleting_since = k.deleting_since, avatar = k.avatar from kept_namespaces k where k.id = n.id;
      update users set avatar = null, attributes = '{}' where avatar is not null or attributes <> '{}';
      ${filled.map((table) => `delete from ${table}; insert into ${table} select * from kept_${table};`).join('\n      ')}
    end if;
    -- What is deleted takes others with it.
    loop
      known := array(select distinct name from kept_touched);
      ${planning
        .toReversed()
        .map((table) => `if '${table}' = any(known) then delete from ${table}; end if;`)
        .join(' ')}
      exit when not exists (select from kept_touched where name <> all(known));
    end loop;
    ${planning.map((table) => `if '${table}' = any(known) then insert into ${table} select * from kept_${table}; end if;`).join(' ')}
    ${emptied.map((table) => `delete from ${table};`).join(' ')}
    delete from kept_touched where name = any('{${[...planning, ...filled, ...emptied, ...places].join(', ')}}');
    perform restore_numbers();
  end $$`);

  const tables = await sql<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' and tablename not like '%migration%' and tablename not like 'kept_%'`,
  );
  const rowsOf = async (names: readonly string[]): Promise<Map<string, string>> => {
    if (names.length === 0) return new Map();
    const selects = names.map(
      (name) =>
        `select '${name}' as name, coalesce(string_agg(row, e'\\n' order by row), '') as rows
           from (select (to_jsonb(t) - '{${times}}'::text[])::text as row from ${name} t) rows_of_one`,
    );
    const found = await sql<{ name: string; rows: string }>(selects.join(' union all '));
    return new Map(found.map(({ name, rows }) => [name, withoutChance(rows)]));
  };

  await sql(`create function note_write() returns trigger language plpgsql as $$ begin
    insert into kept_touched values (quote_ident(tg_table_name)); return null;
  end $$`);
  for (const { name } of tables)
    await sql(`create trigger noted after insert or update or delete on ${name} execute function note_write()`);
  // Once, so that the tables are as each restoring leaves them.
  await sql("insert into kept_touched values ('projects')");
  await sql('select restore_rows()');
  await sql('delete from kept_touched');
  const kept = await rowsOf(tables.map(({ name }) => name));

  return {
    async changed() {
      const touched = await sql<{ name: string }>('select distinct name from kept_touched order by name');
      const now = await rowsOf(touched.map(({ name }) => name));
      return Object.fromEntries([...now].filter(([name, rows]) => rows !== kept.get(name)));
    },
    restore: async () => void (await sql('select restore_rows()')),
    renumber: async () => void (await sql('select restore_numbers()')),
  };
}

/** The names of commits have the time in them. */
const withoutChance = (rows: string) =>
  rows
    .replace(/\b[0-9a-f]{40}\b/g, 'a commit')
    // Erasing a job changes nothing else.
    .replace(/"erased_at": "[^"]+"/g, '"erased_at": "a moment"')
    // What a request ends has run until then, and the other door ends it later.
    .replace(/"duration": \d+/g, '"duration": "a while"');

const numberedFromHundred = [
  ...sequencesOfIssues,
  ...sequencesOfReviews,
  ...sequencesOfRepositories,
  ...sequencesOfPipelines,
  ...sequencesOfJobFiles,
  ...sequencesOfVariables,
  ...sequencesOfEnvironments,
  ...tablesOfRunners,
];
const numberedFromTheirs = ['namespaces', 'projects', 'group_members', 'project_members', 'access_requests', 'avatars'];

const restoreNumbers = `create function restore_numbers() returns void language plpgsql as $$ begin
    perform ${[
      ...numberedFromTheirs.map((table) => `setval('${table}_id_seq', (select max(id) from kept_${table}))`),
      ...['milestones', 'snippets', 'epics'].map((table) => `setval('${table}_id_seq', 200)`),
      ...['audit_events', 'events', 'jobs'].map((table) => `setval('${table}_id_seq', 1)`),
      `setval('project_shares_id_seq', 10)`,
      ...numberedFromHundred.map((table) => `setval('${table}_id_seq', 100)`),
    ].join(', ')};
  end $$`;
