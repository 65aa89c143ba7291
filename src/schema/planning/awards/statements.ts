import { projectStatement, type ByReference, type PlaceRow, levelColumns } from '../../../database/access/places.ts';
import { statement } from '../../../database/index.ts';
import { ListQuery, type Parent, type Reading } from '../../../database/list.ts';
import { settledFrom } from '../todos/statements/parts.ts';

/** The column of `awards` that names what an award is for. */
export type AwardedColumn = 'issue_id' | 'note_id' | 'snippet_id';

export interface AwardRecord {
  readonly id: number;
  readonly issueId: number | null;
  readonly noteId: number | null;
  readonly snippetId: number | null;
  readonly userId: number;
  readonly name: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const columns = `a.id, a.issue_id as "issueId", a.note_id as "noteId", a.snippet_id as "snippetId", a.user_id as "userId", a.name,
  a.created_at as "createdAt", a.updated_at as "updatedAt"`;

const reading: Reading<AwardRecord> = { columns, from: 'awards a', id: 'a.id' };

/** The awards of an issue, a note or a snippet. */
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

const tables = { issue_id: 'issues', note_id: 'notes', snippet_id: 'snippets' } as const;

function perColumn<Value>(make: (column: AwardedColumn) => Value): Readonly<Record<AwardedColumn, Value>> {
  return { issue_id: make('issue_id'), note_id: make('note_id'), snippet_id: make('snippet_id') };
}

/** CTE that counts the votes among the awards of the CTE `from`. */
const votesFrom = (from: string, sign: '+' | '-') =>
  `voted as (
     update issues i set upvotes = i.upvotes ${sign} (${from}.name = 'thumbsup')::int, downvotes = i.downvotes ${sign} (${from}.name = 'thumbsdown')::int
       from ${from} where i.id = ${from}.issue_id and ${from}.name in ('thumbsup', 'thumbsdown')
   )`;

/**
 * Gives an award. Who does it takes part in the issue and is done with their to-dos of it. No row: it was given already, or
 * what it is for was removed. $1 what it is for, $2 person, $3 name, $4 the issue that it belongs to, or null.
 */
export const insertAward = perColumn((column) =>
  statement<AwardRecord>(
    `insert_award_by_${column}`,
    `with subject as (
       select id from ${tables[column]} where id = $1::int for key share
     ), award as (
       insert into awards (${column}, user_id, name) select id, $2::int, $3::text from subject on conflict do nothing returning *
     ), ${votesFrom('award', '+')}, taking as (
       insert into participants (issue_id, user_id, by_award) select $4::int, user_id, true from award where $4::int is not null on conflict do nothing
     ), done as (${settledFrom('award', { issue: '$4::int', person: 'award.user_id' })})
     select ${columns} from award a`,
  ),
);

/** Takes an award back. No row: it is gone, or is newer than $2. $1 award, $2 a moment in whole seconds, or null. */
export const deleteAward = statement<AwardRecord>(
  'delete_award',
  `with award as (
     delete from awards where id = $1 and ($2::timestamptz is null or date_trunc('second', updated_at) <= $2::timestamptz) returning *
   ), ${votesFrom('award', '-')} select ${columns} from award a`,
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
}

/** A note of an issue or of a snippet. $1 note, $2 issue or null, $3 snippet or null. */
export const findNoteOf = statement<AwardedNote>(
  'find_awarded_note',
  `select id, system, internal, referrer_id from notes
    where id = $1 and ((issue_id = $2::int and snippet_id is null) or (snippet_id = $3::int and issue_id is null))`,
);

/** What a note belongs to. $1 note. */
export const placeOfNote = statement<{ issue_id: number | null; snippet_id: number | null }>(
  'place_of_awarded_note',
  'select issue_id, snippet_id from notes where id = $1',
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
