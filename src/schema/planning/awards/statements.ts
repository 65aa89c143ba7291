import { projectStatement, type ByReference, type PlaceRow, levelColumns } from '../../../database/access/places.ts';
import { statement } from '../../../database/index.ts';
import { ListQuery, type Parent, type Reading } from '../../../database/list.ts';
import { settledFrom } from '../todos/statements/parts.ts';

const tables = {
  issue_id: 'issues',
  merge_request_id: 'merge_requests',
  note_id: 'notes',
  snippet_id: 'snippets',
} as const;

/** The column of `awards` that names what an award is for. */
export type AwardedColumn = keyof typeof tables;

export interface AwardRecord {
  readonly id: number;
  readonly issueId: number | null;
  readonly mergeRequestId: number | null;
  readonly noteId: number | null;
  readonly snippetId: number | null;
  readonly userId: number;
  readonly name: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const columns = `a.id, a.issue_id as "issueId", a.merge_request_id as "mergeRequestId", a.note_id as "noteId", a.snippet_id as "snippetId", a.user_id as "userId", a.name,
  a.created_at as "createdAt", a.updated_at as "updatedAt"`;

const reading: Reading<AwardRecord> = { columns, from: 'awards a', id: 'a.id' };

/** The awards of something. */
export function awardList(column: AwardedColumn, id: number | Parent): ListQuery<AwardRecord> {
  const query = new ListQuery<AwardRecord>('awards a', 'a.id', reading);
  return query.where(`a.${column} = ${typeof id === 'number' ? `${query.key(id)}::int` : id}`);
}

/** An award. $1 its id, $2 what it is for. */
export const findAward = perColumn((column) =>
  statement<AwardRecord>(
    `find_award_by_${column}`,
    `select ${columns} from awards a where a.id = $1 and a.${column} = $2`,
  ),
);

function perColumn<Value>(make: (column: AwardedColumn) => Value): Readonly<Record<AwardedColumn, Value>> {
  return {
    issue_id: make('issue_id'),
    merge_request_id: make('merge_request_id'),
    note_id: make('note_id'),
    snippet_id: make('snippet_id'),
  };
}

/** The columns of what counts votes. */
const counting: readonly AwardedColumn[] = ['issue_id', 'merge_request_id'];

/** A CTE that counts the votes among the awards of the CTE `award`; nothing for what counts none. */
const votes = (column: AwardedColumn, sign: '+' | '-') =>
  counting.includes(column)
    ? `, voted_${column} as (
     update ${tables[column]} i set upvotes = i.upvotes ${sign} (award.name = 'thumbsup')::int, downvotes = i.downvotes ${sign} (award.name = 'thumbsdown')::int
       from award where i.id = award.${column} and award.name in ('thumbsup', 'thumbsdown')
   )`
    : '';

/** What an award for something, or for a note of it, belongs to: who gives it takes part there. */
export interface AwardedItem {
  readonly column: 'issue_id' | 'merge_request_id';
  readonly id: number;
}

/**
 * CTEs that let the giver take part in what the award belongs to, whose to-dos of it are done. @param id SQL
 */
const takingPart = (column: AwardedItem['column'], id: string) =>
  `, taking as (
     insert into participants (${column}, user_id, by_award) select ${id}, user_id, true from award on conflict do nothing
   ), done as (${settledFrom('award', {
     ...(column === 'issue_id' ? { issue: id } : { mergeRequest: id }),
     person: 'award.user_id',
   })})`;

const insertInto = (column: AwardedColumn, item: AwardedItem['column'] | 'none') =>
  statement<AwardRecord>(
    `insert_award_by_${column}_in_${item}`,
    `with subject as (
       select id from ${tables[column]} where id = $1::int for key share
     ), award as (
       insert into awards (${column}, user_id, name) select id, $2::int, $3::text from subject on conflict do nothing returning *
     )${votes(column, '+')}${item === 'none' ? '' : takingPart(item, '$4::int')}
     select ${columns} from award a${item === 'none' ? ' where $4::int is null' : ''}`,
  );

/**
 * Gives an award, by what it is for, and what it belongs to. Who does it takes part there and is done with their to-dos of
 * it. No row: it was given already, or what it is for was removed. $1 what it is for, $2 person, $3 name, $4 what it belongs
 * to, or null.
 */
export const insertAward = perColumn((column) => ({
  issue_id: insertInto(column, 'issue_id'),
  merge_request_id: insertInto(column, 'merge_request_id'),
  none: insertInto(column, 'none'),
}));

/** Takes an award back. No row: it is gone, or is newer than $2. $1 award, $2 a moment in whole seconds, or null. */
export const deleteAward = statement<AwardRecord>(
  'delete_award',
  `with award as (
     delete from awards where id = $1 and ($2::timestamptz is null or date_trunc('second', updated_at) <= $2::timestamptz) returning *
   )${counting.map((column) => votes(column, '-')).join('')} select ${columns} from award a`,
);

/** The award that a person gave. $1 what it is for, $2 person, $3 name. */
export const findOwnAward = perColumn((column) =>
  statement<AwardRecord>(
    `find_own_award_by_${column}`,
    `select ${columns} from awards a where a.${column} = $1 and a.user_id = $2 and a.name = $3`,
  ),
);

/** A note that awards are given to. */
export interface AwardedNote {
  readonly id: number;
  readonly system: boolean;
  readonly internal: boolean;
  readonly referrer_id: number | null;
  readonly referrer_merge_request_id: number | null;
  readonly referrer_project_id: number | null;
}

/** A note of something: by what it is on. $1 note, $2 what it is on. */
export const findNoteOf = perColumn((column) =>
  statement<AwardedNote>(
    `find_awarded_note_by_${column}`,
    `select id, system, internal, referrer_id, referrer_merge_request_id, referrer_project_id from notes where id = $1 and ${column} = $2::int`,
  ),
);

/** The project of a snippet; null for a personal one. $1 snippet. */
export const placeOfSnippet = statement<{
  project_id: number | null;
  author_id: number;
  visibility: 'PRIVATE' | 'INTERNAL' | 'PUBLIC';
}>(
  'place_of_awarded_snippet',
  'select project_id, author_id, visibility::text as visibility from snippets where id = $1',
);

/** A project, with one of its snippets if that exists. */
export type FoundSnippet = PlaceRow & {
  readonly archived: boolean;
  readonly snippet_id: number | null;
  readonly author_id: number;
  readonly snippet_visibility: 'PRIVATE' | 'INTERNAL' | 'PUBLIC';
};

/** Looks a snippet up in a project, with the role of the person. $1 the project, $2 the person, or null, $3 its id. */
export const findSnippetIn: ByReference<FoundSnippet> = projectStatement<FoundSnippet>(
  'find_awarded_snippet',
  `, p.archived${levelColumns('snippets')}, s.id as snippet_id, s.author_id, s.visibility::text as snippet_visibility`,
  'left join snippets s on s.project_id = p.id and s.id = $3::int',
);
