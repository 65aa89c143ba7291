import { statement, type Statement } from '../../../../database/index.ts';
import { storedWith } from '../../../../values/job-kinds.ts';
import type { Level } from '../../../../values/notification-levels.ts';
import { reasons, type Via } from '../../../../notify/causes.ts';
import { candidates, factsAbout, joinsOf, told, type SubjectKind } from './audience.ts';

const ofEachKind = <Row>(make: (kind: SubjectKind) => Statement<Row>): Record<SubjectKind, Statement<Row>> => ({
  Epic: make('Epic'),
  Issue: make('Issue'),
  Snippet: make('Snippet'),
  Project: make('Project'),
});
/** The key of the job that sends messages. */
export const sendingKey = 'send';

const reasonNames = `array[${reasons.map((name) => `'${name}'`).join(', ')}]`;
const named = (kind: SubjectKind, name: string) => `${name}_of_${kind.toLowerCase()}`;

/** A CTE that makes the job that sends messages, if there are any. One waits and one runs at a time. */
const sendingFrom = (messages: string) => {
  const { priority, attempts } = storedWith('send_notifications');
  return `sending as (
       insert into jobs (name, payload, key, priority, max_attempts)
       select 'send_notifications', '{}', '${sendingKey}', ${priority}, ${attempts} where exists (select from ${messages})
       on conflict (name, key) where lease is null and dead_at is null do update set run_at = least(jobs.run_at, excluded.run_at)
     )`;
};

/**
 * Writes a message to everybody who is told of something, and a job that sends them. Who has the message already gets no
 * second one. The parameters are those of `candidates`; then $19 cause, $20 the name of the occurrence, $21 actor, $22 note,
 * $23 further ids. One row: how many messages there are.
 */
export const insertNotifications = ofEachKind<{ count: number }>((kind) =>
  statement(
    named(kind, 'insert_notifications'),
    `with ${candidates(kind)}, made as (
       insert into notifications (user_id, cause, occurrence, actor_id, ${kind === 'Epic' ? 'group_id' : 'project_id'}, subject_kind, subject_id, note_id, ids, via, reason)
       select told.user_id, $19, $20, $21::int, $1::int, '${kind}', $2::int, $22::int, $23::jsonb, told.via,
         (${reasonNames})[told.rank + 1]
         from (${told(kind)}) told
       on conflict (occurrence, user_id) do nothing returning 1
     ), ${sendingFrom('made')}
     select count(*)::int as count from made`,
  ),
);

/** Someone who is told, or would be. */
export interface RecipientRow {
  readonly user_id: number;
  readonly via: Via;
  readonly rank: number;
}

/** Who would be told of something now. The parameters are those of `candidates`; then $19 how many at most, $20 after whose id. */
export const recipients = ofEachKind<RecipientRow>((kind) =>
  statement(
    named(kind, 'recipients'),
    `with ${candidates(kind)}
     select told.user_id, told.via, told.rank from (${told(kind)}) told where told.user_id > $20::int order by told.user_id limit $19::int`,
  ),
);

/** What decides whether one person is told, and where the level comes from. */
export interface StandingRow {
  readonly active: boolean;
  readonly reads: boolean;
  readonly mailEnabled: boolean;
  readonly own: boolean;
  readonly wantsOwn: boolean;
  readonly subscribed: boolean | null;
  readonly switchedOn: boolean;
  readonly muted: boolean;
  readonly level: Level | null;
  readonly source: 'GLOBAL' | 'GROUP' | 'PROJECT' | null;
  readonly group_id: number | null;
  readonly candidacies: readonly { readonly via: Via; readonly rank: number }[];
}

/** The same facts about one person. The parameters are those of `candidates`; then $19 the person. No row: there is no such person, or the subject is gone. */
export const standing = ofEachKind<StandingRow>((kind) => {
  const { inZone: _inZone, ...facts } = factsAbout(kind);
  const columns = Object.entries(facts).map(
    ([name, sql]) => `coalesce(${sql}, ${name === 'subscribed' ? 'null' : 'false'}) as "${name}"`,
  );
  return statement(
    named(kind, 'standing'),
    `with ${candidates(kind)}
     select ${columns.join(', ')}, e.level::text as level, e.source, e.group_id,
       (select coalesce(jsonb_agg(distinct jsonb_build_object('via', one.via, 'rank', one.rank)), '[]') from candidate one where one.user_id = u.id) as candidacies
       from ${joinsOf(kind, '(select $19::int as user_id) c')}`,
  );
});
