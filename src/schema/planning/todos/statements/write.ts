import { statement } from '../../../../database/index.ts';

/** Makes a to-do of a person about an issue. No row: there is one already, or the issue was removed. $1 issue, $2 person. */
export const insertTodo = statement<{ id: number }>(
  'insert_todo',
  `with issue as (
     select id, project_id from issues where id = $1::int for key share
   )
   insert into todos (user_id, author_id, project_id, issue_id, action)
   select $2::int, $2::int, project_id, id, 'MARKED' from issue on conflict do nothing returning id`,
);

/** Marks to-dos as done. Returns those that weren't. $1 ids, $2 the person. */
export const finishTodos = statement<{ id: number }>(
  'finish_todos',
  `update todos t set state = 'DONE', updated_at = now() from (
     select id from todos where id = any($1::int[]) and user_id = $2::int and state = 'PENDING' order by id for update
   ) mine where t.id = mine.id returning t.id`,
);

/** Marks all to-dos of a person as done. Returns those that weren't. $1 the person, $2 an issue, or null. */
export const finishAllTodos = statement<{ id: number }>(
  'finish_all_todos',
  `update todos t set state = 'DONE', updated_at = now() from (
     select id from todos where user_id = $1::int and state = 'PENDING' and ($2::int is null or issue_id = $2::int) order by id for update
   ) mine where t.id = mine.id returning t.id`,
);

/**
 * Makes to-dos pending again, except those of which there is a pending one of the same kind. $1 ids, $2 the person.
 */
export const restoreTodos = statement<{ id: number }>(
  'restore_todos',
  `update todos t set state = 'PENDING', updated_at = now() from (
     select distinct on (issue_id, action, coalesce(note_id, 0)) id from todos mine
      where id = any($1::int[]) and user_id = $2::int and state = 'DONE' and not exists (
        select from todos other where other.user_id = mine.user_id and other.issue_id = mine.issue_id and other.action = mine.action
          and coalesce(other.note_id, 0) = coalesce(mine.note_id, 0) and other.state = 'PENDING')
      order by issue_id, action, coalesce(note_id, 0), id desc
   ) mine where t.id = mine.id returning t.id`,
);
