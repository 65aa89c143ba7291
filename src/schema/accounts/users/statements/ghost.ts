import { statement } from '../../../../database/index.ts';

/**
 * The ghost: the account that has what removed people wrote in the projects of others. It is made when it is needed,
 * and no one signs in with it.
 */

/** SQL for whether a row of `users` is the ghost. @param of the table's name in the statement, with a dot */
export const isGhost = (of = '') => `${of}attributes @> '{"ghost": true}'`;
const ghost = `(select g.id from users g where ${isGhost('g.')})`;

/** What goes to the ghost: tables with the column that names the person. */
const kept = [
  ['issues', 'author_id'],
  ['merge_requests', 'author_id'],
  ['notes', 'author_id'],
  ['commit_comments', 'author_id'],
  ['resource_events', 'user_id'],
  ['timelogs', 'user_id'],
  ['snippets', 'author_id'],
  ['epics', 'author_id'],
] as const;

const wrote = [...kept, ['awards', 'user_id'] as const]
  .map(([table, column]) => `exists (select from ${table} t where t.${column} = $1)`)
  .join(' or ');

/** SQL that makes the ghost, unless it exists. @param when a condition, in SQL */
export const makingGhost = (when = 'true') => `with free as (
   select name from (select 'ghost' || case n when 0 then '' else n::text end as name, n from generate_series(0, 1000) n) names
    where not exists (select from routes r where r.path = name) order by n limit 1
 ), made as (
   insert into users (username, name, state, attributes, can_create_group, projects_limit, updated_at)
   select name, 'Ghost User', 'BLOCKED', '{"ghost": true}', false, 0, now() from free
    where not exists (select from users where ${isGhost()}) and (${when})
   on conflict do nothing returning id, username
 ), space as (
   insert into namespaces (id, kind, owner_id, path, name, full_path, visibility, ancestry, updated_at)
   select next.id, 'USER', made.id, username, username, username, 'PUBLIC', array[next.id], now()
     from made, lateral (select nextval('namespaces_id_seq')::int as id) next
   returning id, full_path
 )
 insert into routes (path, namespace_id) select full_path, id from space`;

/** Makes the ghost, unless it exists or a person wrote nothing that remains. $1 the person. */
export const makeGhost = statement<object>('make_ghost', makingGhost(wrote));

// Waits for rows that others hold: what is passed over would keep the account from being removed.
const give = (table: string, column: string) =>
  statement<{ removed: number }>(
    `give_${table}_to_ghost`,
    `with batch as (
       select t.id from ${table} t where t.${column} = $1 order by t.id limit $2 for update
     ), given as (
       update ${table} t set ${column} = ${ghost} from batch where t.id = batch.id returning 1
     )
     select count(*)::int as removed from given`,
  );

/** Gives a batch of what a person wrote to the ghost. $1 the person, $2 the size of a batch. */
export const givings = [
  ...kept.map(([table, column]) => give(table, column)),
  statement<{ removed: number }>(
    'give_awards_to_ghost',
    `with batch as (
       select t.* from awards t where t.user_id = $1 order by t.id limit $2 for update
     ), taken as (
       -- The ghost gives an award once.
       select batch.id from batch join awards a on a.user_id = ${ghost} and a.name = batch.name
        and (a.issue_id = batch.issue_id or a.note_id = batch.note_id or a.snippet_id = batch.snippet_id
          or a.merge_request_id = batch.merge_request_id)
     ), gone as (
       delete from awards t using taken where t.id = taken.id returning 1
     ), given as (
       update awards t set user_id = ${ghost} from batch where t.id = batch.id and t.id not in (select id from taken) returning 1
     )
     select ((select count(*) from gone) + (select count(*) from given))::int as removed`,
  ),
];
