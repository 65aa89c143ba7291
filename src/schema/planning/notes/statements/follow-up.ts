import { statement } from '../../../../database/index.ts';

/** A thread of a merge request that an issue continues. */
export interface ContinuedThread {
  /** Its comments, the oldest first. */
  readonly noteIds: readonly number[];
  readonly resolvable: boolean;
  readonly internal: boolean;
  /** The first comment that isn't resolved; the first one, if all are. */
  readonly shownId: number;
  readonly body: string;
  readonly username: string;
}

/**
 * Threads of a merge request, the oldest first: one of them, or all that aren't resolved. $1 merge request, $2 the thread in
 * hexadecimal, or null, $3 whether internal ones, too, $4 how many at most.
 */
export const continuedThreads = statement<ContinuedThread>(
  'continued_threads',
  `select thread.ids as "noteIds", thread.resolvable, thread.internal, shown.id as "shownId", shown.body, u.username
     from (
       select array_agg(id order by id) as ids, bool_or(type is not null) as resolvable, bool_or(internal) as internal
         from notes where merge_request_id = $1::int and not system and ($2::text is null or discussion_id = decode($2, 'hex'))
        group by discussion_id
       having ($2::text is not null or bool_or(type is not null and resolved_at is null)) and ($3::boolean or not bool_or(internal))
     ) thread cross join lateral (
       select n.id, n.body, n.author_id from notes n where n.id = any(thread.ids) order by n.resolved_at is not null, n.id limit 1
     ) shown join users u on u.id = shown.author_id
    order by thread.ids[1] limit $4::int`,
);

/**
 * Notes of the system inside threads that an issue continues. $1 author, $2 a comment of each thread, $3 text, $4 the issue:
 * who doesn't read it, doesn't see the notes.
 */
export const insertContinuations = statement<object>(
  'insert_continuations',
  `insert into notes (merge_request_id, project_id, discussion_id, type, author_id, body, system, action, internal, referrer_id)
   select n.merge_request_id, n.project_id, n.discussion_id, 'DISCUSSION', $1::int, $3, true, 'discussion', n.internal, $4::int
     from notes n where n.id = any($2::int[])`,
);
