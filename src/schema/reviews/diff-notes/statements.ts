import { statement } from '../../../database/index.ts';

/** One end of a comment on several lines, as the client gave it. */
interface LineEnd {
  readonly line_code?: string | null;
  readonly type?: string | null;
  readonly old_line?: number | null;
  readonly new_line?: number | null;
}

/** Where a comment stands in a diff, as it is stored and as the REST API has it. */
export interface NotePosition {
  readonly base_sha: string;
  readonly start_sha: string;
  readonly head_sha: string;
  readonly old_path: string;
  readonly new_path: string;
  readonly position_type: 'text' | 'file';
  /** Null for a line that only the other side has, and for a comment on a file. */
  readonly old_line: number | null;
  readonly new_line: number | null;
  readonly line_range: { readonly start: LineEnd; readonly end: LineEnd } | null;
}

/** Places a comment in a diff. $1 note, $2 position, $3 original position, $4 line code, or null. */
export const placeNote = statement<object>(
  'place_note_in_diff',
  'update notes set position = $2::jsonb, original_position = $3::jsonb, line_code = $4 where id = $1',
);

/** Locks a merge request while its threads change. $1 merge request. */
export const lockThreads = statement<{ id: number }>(
  'lock_threads_of_merge_request',
  'select id from merge_requests where id = $1 for update',
);

/**
 * Counts the threads of a merge request that can be resolved and aren't, under its lock. $1 merge request. No row: as many as
 * before. `auto_merge`: whether it is to be merged by itself, and not before `merge_after`.
 */
export const countUnresolved = statement<{
  readonly unresolved: number;
  readonly auto_merge: boolean;
  readonly merge_after: Date | null;
}>(
  'count_unresolved_threads',
  `update merge_requests m set unresolved = counted.count from (
     select count(distinct discussion_id)::int as count from notes
      where merge_request_id = $1::int and type is not null and not system and resolved_at is null
   ) counted where m.id = $1::int and m.unresolved <> counted.count returning m.unresolved, m.auto_merge, m.merge_after`,
);

/** The commits of the current version of a merge request. $1 merge request. */
export const currentVersion = statement<{ base: string | null; start: string | null; head: string | null }>(
  'current_version_of_merge_request',
  'select base_sha as base, start_sha as start, head_sha as head from merge_requests where id = $1',
);

/** A comment that stands in a diff. */
export interface PlacedNote {
  readonly id: number;
  readonly position: NotePosition;
}

/** The comments of a merge request that stand in one version of its diff. $1 merge request, $2 base, $3 head. */
export const notesAt = statement<PlacedNote>(
  'notes_in_version',
  `select id, position from notes
    where merge_request_id = $1 and type = 'DIFF' and position ->> 'base_sha' = $2 and position ->> 'head_sha' = $3 order by id`,
);

/** Moves comments to other places of a diff. $1 notes, $2 positions as a JSON list, $3 line codes. */
export const moveNotes = statement<object>(
  'move_notes_in_diff',
  `update notes t set position = moved.position, line_code = moved.line_code
     from (select unnest($1::int[]) as id, jsonb_array_elements($2::jsonb) as position, unnest($3::text[]) as line_code) moved
    where t.id = moved.id`,
);

/** Resolves the threads of comments whose lines were changed, if the project says so. $1 notes, $2 who changed them. */
export const resolveOutdated = statement<object>(
  'resolve_outdated_threads',
  `update notes t set resolved_at = now(), resolved_by_id = $2::int
    where t.discussion_id in (select discussion_id from notes where id = any($1::int[]))
      and t.type is not null and not t.system and t.resolved_at is null
      and exists (select from projects p where p.id = t.project_id and (p.attributes ->> 'resolveOutdatedDiffDiscussions')::boolean)`,
);
