import { statement, type Statement } from '../../../../database/index.ts';
import {
  levelColumns,
  liveProject,
  projectAccessLevel,
  projectStatement,
  type PlaceRow,
} from '../../../../database/access/places.ts';

/** What people comment on, with its project and the role of a person there. Its columns are null if it is missing. */
export interface NoteableRow extends PlaceRow {
  readonly archived: boolean;
  readonly full_path: string;
  readonly noteable_id: number | null;
  readonly iid: number | null;
  readonly author_id: number;
  /** Of an issue. */
  readonly assignee_id: number | null;
  readonly confidential: boolean;
  readonly locked: boolean;
  /** Of a snippet. */
  readonly snippet_visibility: PlaceRow['visibility'] | null;
}

const columns = {
  issue: `, p.archived, p.full_path, i.id as noteable_id, i.iid, i.author_id, i.assignee_id, i.confidential,
    coalesce(i.discussion_locked, false) as locked, null as snippet_visibility${levelColumns('issues')}`,
  snippet: `, p.archived, p.full_path, s.id as noteable_id, null::int as iid, s.author_id, null::int as assignee_id, false as confidential,
    false as locked, s.visibility::text as snippet_visibility${levelColumns('snippets')}`,
};

const byId = (name: string, more: string, noteable: string): Statement<NoteableRow> =>
  statement(
    name,
    `select p.id, p.visibility::text as visibility, ${projectAccessLevel('$2::int')} as access_level ${more}
       from ${noteable} join namespaces n on n.id = p.namespace_id where ${liveProject}`,
  );

/** In a project: $1 the project, $2 the person, or null, $3 the iid. */
export const findNoteableIssue = projectStatement<NoteableRow>(
  'find_noteable_issue',
  columns.issue,
  'left join issues i on i.project_id = p.id and i.iid = $3::int',
);

/** In a project: $1 the project, $2 the person, or null, $3 the snippet. */
export const findNoteableSnippet = projectStatement<NoteableRow>(
  'find_noteable_snippet',
  columns.snippet,
  'left join snippets s on s.project_id = p.id and s.id = $3::int',
);

/** $1 issue, $2 the person, or null. */
export const noteableIssueById = byId(
  'noteable_issue_by_id',
  columns.issue,
  'issues i join projects p on i.id = $1::int and p.id = i.project_id',
);

/** $1 snippet, $2 the person, or null. */
export const noteableSnippetById = byId(
  'noteable_snippet_by_id',
  columns.snippet,
  'snippets s join projects p on s.id = $1::int and p.id = s.project_id',
);

/** What a note belongs to. $1 note. */
export const placeOfNote = statement<{ issue_id: number | null; snippet_id: number | null }>(
  'place_of_note',
  'select issue_id, snippet_id from notes where id = $1',
);

/** The same for a discussion. $1 its id in hexadecimal. */
export const placeOfDiscussion = statement<{ issue_id: number | null; snippet_id: number | null }>(
  'place_of_discussion',
  `select issue_id, snippet_id from notes where discussion_id = decode($1, 'hex') limit 1`,
);
