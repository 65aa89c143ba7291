import { statement } from '../../../database/index.ts';
import { ListQuery, type Parent, type Reading } from '../../../database/list.ts';
import type { Viewer } from '../../../policy/index.ts';
import type { NotePosition } from '../diff-notes/statements.ts';

/** A comment of a review that isn't published yet. */
export interface DraftNoteRecord {
  readonly id: number;
  readonly mergeRequestId: number;
  /** The project of the merge request. */
  readonly projectId: number;
  readonly authorId: number;
  readonly body: string;
  /** The thread that it replies to, in hexadecimal. */
  readonly discussionId: string | null;
  readonly resolveDiscussion: boolean;
  readonly commitId: string | null;
  /** Of a comment in the diff: where its author put it. */
  readonly diffPosition: NotePosition | null;
  readonly lineCode: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Changes with every change of the row. */
  readonly version: string;
}

const reading: Reading<DraftNoteRecord> = {
  columns: `t.id, t.merge_request_id as "mergeRequestId", (select project_id from merge_requests where id = t.merge_request_id) as "projectId",
    t.author_id as "authorId", t.body, encode(t.discussion_id, 'hex') as "discussionId",
    t.resolve_discussion as "resolveDiscussion", t.commit_id as "commitId", t.position as "diffPosition", t.line_code as "lineCode",
    t.created_at as "createdAt", t.updated_at as "updatedAt", t.xmin::text as version`,
  from: 'draft_notes t',
  id: 't.id',
};

/** SQL for whether a person sees the draft `t`: only its author does. @param person SQL of their id */
const sees = (person: string) => `t.author_id = ${person}`;

/** The drafts of the viewer in merge requests. */
export function draftList({ person }: Viewer, mergeRequest: Parent): ListQuery<DraftNoteRecord> {
  const query = new ListQuery<DraftNoteRecord>(reading.from, reading.id, reading);
  return query.where(`t.merge_request_id = ${mergeRequest}`).where(sees(query.personId(person?.id)));
}

const found = `select ${reading.columns} from ${reading.from} where ${sees('$1::int')}`;

/** A draft that a person sees. $1 person, $2 draft. */
export const findDraft = statement<DraftNoteRecord>('find_draft_note', `${found} and t.id = $2::int`);

/** All drafts of a person in a merge request, the oldest first. $1 person, $2 merge request. */
export const findDrafts = statement<DraftNoteRecord>(
  'find_draft_notes',
  `${found} and t.merge_request_id = $2::int order by t.id`,
);

/** Locks a merge request, so that its drafts are counted one after the other. $1 merge request. */
export const lockDrafts = statement<{ id: number }>(
  'lock_draft_notes',
  'select id from merge_requests where id = $1::int for no key update',
);

/**
 * Creates a draft. No row: the person has as many in this merge request as they may. $1 merge request, $2 author, $3 text,
 * $4 the thread in hexadecimal, or null, $5 whether it resolves that, $6 commit, or null, $7 position, or null, $8 line code, or
 * null, $9 how many they may have.
 */
export const insertDraft = statement<DraftNoteRecord>(
  'insert_draft_note',
  `with t as (
     insert into draft_notes (merge_request_id, author_id, body, discussion_id, resolve_discussion, commit_id, position, line_code)
     select $1::int, $2::int, $3, decode($4, 'hex'), $5::boolean, $6, $7::jsonb, $8
      where (select count(*) from draft_notes kept where kept.merge_request_id = $1::int and kept.author_id = $2::int) < $9::int
     returning *, xmin
   )
   select ${reading.columns} from t`,
);

/** Changes a draft. No row: it was published or removed. $1 draft, $2 text, $3 position, $4 line code. */
export const updateDraft = statement<DraftNoteRecord>(
  'update_draft_note',
  `with t as (
     update draft_notes set body = $2, position = $3::jsonb, line_code = $4, updated_at = now() where id = $1::int returning *, xmin
   )
   select ${reading.columns} from t`,
);

/** Removes a draft. No row: it was published or removed before. $1 draft. */
export const deleteDraft = statement<{ id: number }>(
  'delete_draft_note',
  'delete from draft_notes where id = $1::int returning id',
);

/** Takes drafts in order to publish them, as far as they are unchanged. $1 drafts, $2 their versions. */
export const takeDrafts = statement<{ id: number }>(
  'take_draft_notes',
  `delete from draft_notes t using unnest($1::int[], $2::text[]) wanted(id, version)
    where t.id = wanted.id and t.xmin::text = wanted.version returning t.id`,
);

/** Which drafts still exist. $1 drafts. */
export const remainingDrafts = statement<{ id: number }>(
  'remaining_draft_notes',
  'select id from draft_notes where id = any($1::int[])',
);
