import { statement } from '../../../../database/index.ts';
import {
  levelColumns,
  liveProject,
  projectAccessLevel,
  projectStatement,
  type PlaceRow,
} from '../../../../database/access/places.ts';
import { kind, kindColumns, ofEachKind, type NoteablePlace } from './kinds.ts';

/** What people comment on, with its project and the role of a person there. Its columns are null if it is missing. */
export interface NoteableRow extends PlaceRow {
  readonly archived: boolean;
  readonly full_path: string;
  readonly noteable_id: number | null;
  readonly iid: number | null;
  readonly author_id: number;
  /** Of an issue or a merge request. */
  readonly assignee_id: number | null;
  readonly confidential: boolean;
  readonly locked: boolean;
  /** Of a snippet. */
  readonly snippet_visibility: PlaceRow['visibility'] | null;
}

/** SQL of what decides who reads each kind, over its row `i`. */
const facts = {
  Issue: `i.iid, i.author_id, i.assignee_id, i.confidential, coalesce(i.discussion_locked, false) as locked,
    null as snippet_visibility${levelColumns('issues')}`,
  MergeRequest: `i.iid, i.author_id, i.assignee_id, false as confidential, coalesce(i.discussion_locked, false) as locked,
    null as snippet_visibility${levelColumns('mergeRequests', 'repository')}`,
  Snippet: `null::int as iid, i.author_id, null::int as assignee_id, false as confidential, false as locked,
    i.visibility::text as snippet_visibility${levelColumns('snippets')}`,
};

const columns = ofEachKind((name) => `, p.archived, p.full_path, i.id as noteable_id, ${facts[name]}`);

/** In a project: $1 the project, $2 the person, or null, $3 the iid, or the id of a snippet. */
export const findNoteable = ofEachKind((name) => {
  const { table } = kind(name);
  const key = name === 'Snippet' ? 'id' : 'iid';
  return projectStatement<NoteableRow>(
    `find_noteable_in_${table}`,
    columns[name],
    `left join ${table} i on i.project_id = p.id and i.${key} = $3::int`,
  );
});

/** $1 its id, $2 the person, or null. */
export const noteableById = ofEachKind((name) => {
  const { table } = kind(name);
  return statement<NoteableRow>(
    `noteable_in_${table}_by_id`,
    `select p.id, p.visibility::text as visibility, ${projectAccessLevel('$2::int')} as access_level ${columns[name]}
       from ${table} i join projects p on i.id = $1::int and p.id = i.project_id join namespaces n on n.id = p.namespace_id
      where ${liveProject}`,
  );
});

const place = `select ${kindColumns.join(', ')} from notes`;

/** What a note belongs to. $1 note. */
export const placeOfNote = statement<NoteablePlace>('place_of_note', `${place} where id = $1`);

/** The same for a discussion. $1 its id in hexadecimal. */
export const placeOfDiscussion = statement<NoteablePlace>(
  'place_of_discussion',
  `${place} where discussion_id = decode($1, 'hex') limit 1`,
);
