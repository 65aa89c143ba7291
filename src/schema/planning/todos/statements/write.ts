import { statement } from '../../../../database/index.ts';

const insertAbout = (table: 'issues' | 'merge_requests', column: 'issue_id' | 'merge_request_id') =>
  statement<{ id: number }>(
    `insert_todo_about_${table}`,
    `with item as (
     select id, project_id from ${table} where id = $1::int for key share
   )
   insert into todos (user_id, author_id, project_id, ${column}, action)
   select $2::int, $2::int, project_id, id, 'MARKED' from item on conflict do nothing returning id`,
  );

/**
 * Makes a to-do of a person about an issue or a merge request. No row: there is one already, or that was removed. $1 the
 * issue or merge request, $2 person.
 */
export const insertTodo = {
  issue: insertAbout('issues', 'issue_id'),
  mergeRequest: insertAbout('merge_requests', 'merge_request_id'),
};

/** Marks to-dos as done. Returns those that weren't. $1 ids, $2 the person. */
export const finishTodos = statement<{ id: number }>(
  'finish_todos',
  `update todos t set state = 'DONE', updated_at = now() from (
     select id from todos where id = any($1::int[]) and user_id = $2::int and state = 'PENDING' order by id for update
   ) mine where t.id = mine.id returning t.id`,
);

const finishAll = (name: string, about: string) =>
  statement<{ id: number }>(
    name,
    `update todos t set state = 'DONE', updated_at = now() from (
     select id from todos where user_id = $1::int and state = 'PENDING' and ${about} order by id for update
   ) mine where t.id = mine.id returning t.id`,
  );

/** Marks all to-dos of a person as done. Returns those that weren't. $1 the person. */
export const finishAllTodos = finishAll('finish_all_todos', 'true');

/** The same about an issue or a merge request. $1 the person, $2 the issue or merge request. */
export const finishTodosAbout = {
  issue: finishAll('finish_todos_of_issue', 'issue_id = $2::int'),
  mergeRequest: finishAll('finish_todos_of_merge_request', 'merge_request_id = $2::int'),
};

/** SQL that distinguishes to-dos about places: each is about another person who asks for a role there. */
const placeAndAuthor = `case when issue_id is null and merge_request_id is null then array[group_id, project_id, author_id] end`;
const samePlaceAndAuthor = `other.issue_id is null and other.merge_request_id is null and other.author_id = mine.author_id
            and (other.group_id = mine.group_id or other.project_id = mine.project_id) and mine.issue_id is null and mine.merge_request_id is null`;

/**
 * Makes to-dos pending again, except those of which there is a pending one of the same kind. $1 ids, $2 the person.
 */
export const restoreTodos = statement<{ id: number }>(
  'restore_todos',
  `update todos t set state = 'PENDING', updated_at = now() from (
     select distinct on (issue_id, merge_request_id, action, coalesce(note_id, 0), ${placeAndAuthor}) id from todos mine
      where id = any($1::int[]) and user_id = $2::int and state = 'DONE' and not exists (
        select from todos other where other.user_id = mine.user_id and other.action = mine.action
          and (other.issue_id = mine.issue_id or other.merge_request_id = mine.merge_request_id or ${samePlaceAndAuthor})
          and coalesce(other.note_id, 0) = coalesce(mine.note_id, 0) and other.state = 'PENDING')
      order by issue_id, merge_request_id, action, coalesce(note_id, 0), ${placeAndAuthor}, id desc
   ) mine where t.id = mine.id returning t.id`,
);
