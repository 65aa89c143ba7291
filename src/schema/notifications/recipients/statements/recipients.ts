import { statement, type Statement } from '../../../../database/index.ts';
import { jobsFrom } from '../../../../database/jobs-from.ts';
import type { Level } from '../../../../values/kinds/notification-levels.ts';
import { rankOf, reasons, type Reason, type SubjectKind, type Via } from '../../../../notify/causes.ts';
import { isBouncing, joinAddress } from './address.ts';
import { loudMembersAmong } from './loud.ts';
import { candidates, factsAbout, joinsOf, peopleOf, told } from './audience.ts';

const ofEachKind = <Row>(make: (kind: SubjectKind) => Statement<Row>): Record<SubjectKind, Statement<Row>> => ({
  Commit: make('Commit'),
  Epic: make('Epic'),
  Issue: make('Issue'),
  MergeRequest: make('MergeRequest'),
  Pipeline: make('Pipeline'),
  Snippet: make('Snippet'),
  Project: make('Project'),
});
/** The key of the job that sends messages. */
export const sendingKey = 'send';

const reasonNames = `array[${reasons.map((name) => `'${name}'`).join(', ')}]`;
const named = (kind: SubjectKind, name: string) =>
  `${name}_of_${kind === 'MergeRequest' ? 'merge_request' : kind.toLowerCase()}`;

/** SQL that makes the job that sends messages, if there are any. One waits and one runs at a time. @param messages SQL after `from` */
export const sendingOf = (messages: string) =>
  jobsFrom('send_notifications', {
    payload: `'{}'::jsonb`,
    key: `'${sendingKey}'`,
    from: `where exists (select from ${messages})`,
    waiting: 'runs sooner',
  });

/** The same as a CTE. */
export const sendingFrom = (messages: string) => `sending as (${sendingOf(messages)})`;

/** What messages are about that can be collected: about the others, there is one message. */
const collects = (kind: SubjectKind) => ['Epic', 'Issue', 'MergeRequest', 'Snippet'].includes(kind);
const urgent = (['ASSIGNED', 'REVIEW_REQUESTED', 'MENTIONED'] satisfies Reason[]).map(rankOf).join(', ');

/**
 * Joins `digest` to `told` for those who want messages about one thing as one: until when theirs waits, why, and the digest that
 * it belongs to. That is one that waits, or a new one. Mentions, assignments and requests for a review don't wait.
 */
const digestOf = (kind: SubjectKind) => `
         left join lateral (
         select coalesce(waiting.digest_id, nextval('notifications_id_seq')) as id,
           coalesce(waiting.due_at, now() + make_interval(mins => g.digest_minutes::int)) as due_at,
           coalesce(waiting.outcome, 'DIGEST') as outcome
           from global_notification_settings g left join lateral (
             select n.digest_id, n.due_at, n.outcome from notifications n
              where n.user_id = told.user_id and n.subject_kind = '${kind}' and n.subject_id = $2::int and n.state = 'WAITING'
                and n.digest_id is not null and n.attempts = 0 and n.due_at > now()
              order by n.id limit 1
           ) waiting on true
          where g.user_id = told.user_id and g.digest_minutes > 0 and told.via <> 'MENTION' and told.rank not in (${urgent}) limit 1
       ) digest on true`;

/**
 * Writes a message to every person who is notified of something, and a job that sends them. Who has the message already gets no
 * second one. The parameters are those of `candidates`; then $19 cause, $20 the name of the occurrence, $21 actor, $22 note,
 * $23 further ids. One row: how many messages there are.
 */
export const insertNotifications = ofEachKind<{ count: number }>((kind) =>
  statement(
    named(kind, 'insert_notifications'),
    `with ${candidates(kind)}, made as (
       insert into notifications (user_id, cause, occurrence, actor_id, ${kind === 'Epic' ? 'group_id' : 'project_id'}, subject_kind, subject_id, note_id, ids, via, reason, digest_id, due_at, outcome)
       select told.user_id, $19, $20, $21::int, $1::int, '${kind}', $2::int, $22::int, $23::jsonb, told.via,
         (${reasonNames})[told.rank + 1], ${collects(kind) ? 'digest.id, coalesce(digest.due_at, now()), digest.outcome' : 'null::bigint, now(), null::text'}
         from (${told(kind)}) told${collects(kind) ? digestOf(kind) : ''}
       on conflict (occurrence, user_id) do nothing returning 1
     ), ${sendingFrom('made')}
     select count(*)::int as count from made`,
  ),
);

/**
 * A query for those of them who would get a message now, as `told`: without people who have no confirmed address, or whose
 * address bounces. `insertNotifications` writes a message to these too: it is judged when it is sent.
 */
const reached = (kind: SubjectKind) =>
  `(${told(kind)}) told cross join place ${joinAddress('told.user_id', 'place.ancestry')}
        where a.address is not null and not ${isBouncing('told.via')}`;

/** Someone who is notified, or would be. */
export interface RecipientRow {
  readonly user_id: number;
  readonly via: Via;
  readonly rank: number;
}

/**
 * Who would be notified of something now, by their ids. The parameters are those of `candidates`; then $19 how many at most, $20
 * after and $21 before whose id, $22 how many to skip.
 */
const recipientsIn = (order: 'asc' | 'desc') =>
  ofEachKind<RecipientRow>((kind) =>
    statement(
      `${named(kind, 'recipients')}_${order}`,
      `with ${candidates(kind)}
       select told.user_id, told.via, told.rank from ${reached(kind)}
        and ($20::int is null or told.user_id > $20::int) and ($21::int is null or told.user_id < $21::int)
        order by told.user_id ${order} limit $19::int offset $22::int`,
    ),
  );
export const recipients = { asc: recipientsIn('asc'), desc: recipientsIn('desc') };

/** How many people would be notified. The parameters are those of `candidates`; then $19 up to how many to count. */
export const countRecipients = ofEachKind<{ total: number }>((kind) =>
  statement(
    named(kind, 'count_recipients'),
    `with ${candidates(kind)} select count(*)::int as total from (select from ${reached(kind)} limit $19::int) counted`,
  ),
);

/** What decides whether one person is notified, and where the level comes from. */
export interface StandingRow {
  readonly user_id: number;
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
  /** The switch of the event in the setting that applies; null if it was never set. */
  readonly switch: boolean | null;
  readonly muted_until: Date | null;
  /** The verified address that the message goes to; null if there is none. */
  readonly address: string | null;
  readonly bounces: boolean;
  readonly candidacies: readonly { readonly via: Via; readonly rank: number }[];
}

/**
 * The same facts about some people. The parameters are those of `candidates`; then $19 their ids. No row of a person: they
 * are gone, or of another time zone. No row at all: the subject is gone.
 */
export const standings = ofEachKind<StandingRow>((kind) => {
  const { inZone, ...facts } = factsAbout(kind);
  const columns = Object.entries(facts).map(
    ([name, sql]) => `coalesce(${sql}, ${name === 'subscribed' ? 'null' : 'false'}) as "${name}"`,
  );
  // A parameter that a statement doesn't use has no type.
  const unused = '($14::boolean and $15::boolean) is not null';
  return statement(
    named(kind, 'standings'),
    `with ${candidates(kind)}, asked(user_id) as (select unnest($19::int[])), any_candidate as (
       select user_id, via, rank from candidate union all select user_id, 'SETTING', ${rankOf(null)} from (${loudMembersAmong(kind, 'asked')}) l
     )
     select u.id as user_id, ${columns.join(', ')}, e.level::text as level, e.source, e.group_id,
       (e.events->>$3::text)::boolean as "switch", g.muted_until, a.address, coalesce(a.bounces, false) as bounces,
       (select coalesce(jsonb_agg(distinct jsonb_build_object('via', one.via, 'rank', one.rank)), '[]') from any_candidate one where one.user_id = u.id) as candidacies
       from ${joinsOf(kind, peopleOf(kind, 'asked'), 'and s.user_id in (select user_id from asked)')} ${joinAddress('u.id', 'place.ancestry')} where ${inZone} and ${unused}`,
  );
});
