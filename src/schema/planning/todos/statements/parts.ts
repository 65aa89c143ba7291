import { columnOf, keyOf, type Item } from '../../notes/statements/item.ts';
import { peopleNamed, personSees } from '../../issues/statements/readers.ts';

/** Parts of other statements that make and settle to-dos, in the transaction of what causes them. */

/** Where a part of a statement finds its values: SQL over the CTE `from`. */
interface Settled {
  readonly person: string;
  /** Whether to do it. Default: always. */
  readonly when?: string;
}

/**
 * SQL that marks the pending to-dos of a person on an issue or a merge request as done, for each row of the CTE `from`. In the order of their
 * ids, so that two of these don't wait for each other.
 */
export const settledFrom = (from: string, { person, when = 'true', ...item }: Settled & Item) =>
  `update todos t set state = 'DONE', updated_at = now() from (
     select own.id from ${from}, todos own where own.${columnOf(item)} = ${keyOf(item)} and own.user_id = ${person} and own.state = 'PENDING' and ${when}
      order by own.id for update of own
   ) pending where t.id = pending.id returning t.id`;

/** SQL expressions over a CTE with one issue or merge request. */
interface Mentioned {
  /** SQL of an array of names in lower case, and of those among them that begin a line. */
  readonly names: string;
  readonly addressed: string;
  /** The person who writes. */
  readonly writer: string;
  readonly project: string;
  /** Whether the person `u`, who sees the project, reads it. */
  readonly reads: string;
}

/**
 * SQL for the people whom a text of an issue or a merge request mentions and who see the project: `id`, `addressed`, and whether they read it,
 * `reads`. @param from a CTE with it
 */
export const mentionedFrom = (from: string, { names, addressed, writer, project, reads }: Mentioned) =>
  `select u.id, bool_or(named.path = any(${addressed}::text[])) as addressed, bool_or(${reads}) as reads
     from ${from}, (${peopleNamed(names, writer, project)}) named join users u on u.id = named.id,
       projects p join namespaces n on n.id = p.namespace_id
    where p.id = ${project} and ${personSees} group by u.id`;

/**
 * The same for a text that mentions no one. PostgreSQL estimates what names may find, and would plan the statement again
 * for each call, which costs more than running it: code that may write either has a statement for each.
 */
export const mentionedNobody = ({ names, addressed }: Pick<Mentioned, 'names' | 'addressed'>) =>
  `select null::int as id, false as addressed, false as reads where false and ${names}::text[] = ${addressed}::text[]`;

/** SQL for whose to-dos mentions make, and of which kind: those of all but the person who writes. */
export const owedToMentioned = (mentioned: string, writer: string) =>
  `select ${mentioned}.id as user_id, case when ${mentioned}.addressed then 'DIRECTLY_ADDRESSED' else 'MENTIONED' end as action
     from ${mentioned} where ${mentioned}.reads and ${mentioned}.id <> ${writer}`;

interface Owed {
  readonly project: string;
  /** Who causes them. */
  readonly author: string;
  /** The comment that they come from. */
  readonly note?: string;
}

/**
 * SQL that makes a to-do for each row of the CTE `from`, which has `user_id` and `action`: at most one that is pending of
 * each kind, for the same person and comment. Returns `user_id`.
 */
export const todosFrom = (from: string, { project, author, note = 'null', ...item }: Owed & Item) =>
  `insert into todos (user_id, author_id, project_id, ${columnOf(item)}, note_id, action)
   select ${from}.user_id, ${author}, ${project}, ${keyOf(item)}, ${note}::int, ${from}.action::"TodoAction" from ${from}
   on conflict do nothing returning user_id`;

/** SQL that removes the to-dos of an issue from those who don't read it any more. @param from a CTE with the issue */
export const unreadFrom = (
  from: string,
  { when, project, reads }: Omit<Mentioned, 'names' | 'addressed' | 'writer'> & { when: string },
) =>
  `delete from todos t using ${from}, users u, projects p join namespaces n on n.id = p.namespace_id
    where ${when} and t.issue_id = ${from}.id and u.id = t.user_id and p.id = ${project} and not (${personSees} and ${reads})`;
