import { groupAccessLevel, placeSendsMail, projectAccessLevel } from '../../../../database/access/places.ts';
import { statement } from '../../../../database/index.ts';
import { mostADay, type CauseName, type MessageKind, type Reason, type Via } from '../../../../notify/causes.ts';
import type { Content } from '../../../../notify/content.ts';
import {
  activePersonSees,
  personIsActive,
  personManagesMembers,
  personReads,
  personReadsCode,
  personReadsEpic,
  personReadsInternal,
  personReadsMergeRequests,
  personReadsPipelines,
  personReadsSnippet,
  personSeesGroup,
} from '../../../planning/issues/statements/readers.ts';
import { isBouncing, joinAddress } from '../../recipients/statements/address.ts';
import { content, reviewed, target } from './content.ts';

/**
 * Seconds for which a claimed message belongs to the run that claimed it. Afterwards another one sends it, with the same
 * Message-ID.
 */
const lease = 120;
/** How long a message waits between two looks whether its person has a confirmed address, and how long altogether. */
const unconfirmedPause = `interval '1 hour'`;
const unconfirmedWait = `interval '7 days'`;

const role = 'role.level';
const readsIssue = personReads(
  { author: 'i.author_id', assignee: 'i.assignee_id', confidential: 'i.confidential' },
  role,
);

const isRequest = `d.cause = '${'ACCESS_REQUESTED' satisfies CauseName}'`;
/** Whether a request for access is answered, or its person may ask no more. */
const requestIsOver = `not exists (select from access_requests r join users asker on asker.id = r.user_id
  where r.id = (d.ids->>'requestId')::int and asker.state = 'ACTIVE' and asker.deleting_since is null)`;
/** Whether a message says that access was granted, to a person who has none any more. */
const isRevoked = `(d.cause = '${'ACCESS_GRANTED' satisfies CauseName}' and ${role} is null)`;

/** Why a message isn't sent; null if it is. The rules are those of `src/notify/decide.ts` that may change meanwhile. */
const verdict = `case
   when n.id is null or (d.note_id is not null and nt.id is null) or (d.ids ? 'noteIds' and not exists (select ${reviewed('d')})) or (${isRequest} and ${requestIsOver})
     or case d.subject_kind when 'Issue' then i.id is null when 'MergeRequest' then mr.id is null when 'Snippet' then sn.id is null when 'Epic' then ep.id is null when 'Pipeline' then pl.id is null when 'Commit' then cc.id is null when 'Group' then false else p.id is null end then 'GONE'
   when not (${personIsActive}) then 'BLOCKED'
   when not case when d.subject_kind = 'Epic' then ${personReadsEpic(role)} when d.subject_kind = 'Group' then ${personSeesGroup(role)} else ${activePersonSees(role)}
     and case d.subject_kind when 'Issue' then ${readsIssue} when 'MergeRequest' then ${personReadsMergeRequests(role)} when 'Snippet' then ${personReadsSnippet(role)}
       when 'Pipeline' then ${personReadsPipelines(role)} when 'Commit' then ${personReadsCode(role)} else true end
     and (not coalesce(nt.internal, false) or ${personReadsInternal(role)}) end
     or (${isRequest} and not ${personManagesMembers(role)}) or ${isRevoked} then 'NO_ACCESS'
   when not ${placeSendsMail} then 'MAIL_DISABLED'
   when g.muted_until > now() then 'MUTED'
   when d.via <> 'MENTION' and exists (select from subscriptions s where s.user_id = u.id and not s.subscribed
     and case d.subject_kind when 'Issue' then s.issue_id = d.subject_id when 'MergeRequest' then s.merge_request_id = d.subject_id
       when 'Epic' then s.epic_id = d.subject_id end)
     then 'UNSUBSCRIBED'
   when a.address is null then 'UNCONFIRMED'
   when ${isBouncing('d.via')} then 'BOUNCING' end`;

/** A claimed message, or one that was just dropped or held. */
export interface ClaimedMessage {
  readonly id: string;
  readonly user_id: number;
  readonly cause: CauseName;
  readonly occurrence: string;
  readonly subject_kind: MessageKind;
  readonly subject_id: number;
  readonly project_id: number | null;
  readonly group_id: number | null;
  readonly via: Via;
  readonly reason: Reason | null;
  /** This attempt included. */
  readonly attempts: number;
  /** Why it isn't sent; null if it is. */
  readonly outcome: string | null;
  readonly address: string | null;
  readonly timezone: string | null;
  readonly quiet_from: number | null;
  readonly quiet_until: number | null;
  /** The id of the first of the messages that are sent as one with it; null if it is sent alone. */
  readonly digest_id: string | null;
  /** How many messages the person got about the place within a day: `mostADay` of them are counted. */
  readonly sent_today: number;
  readonly target: Content['target'];
  /** Of the first message of an occurrence among those that are claimed, for all of them. */
  readonly content: Omit<Content, 'target'> | null;
}

/** SQL for whether the message `one` waits to be sent as one with the message `other`. */
const isSentWith = (one: string, other: string) =>
  `${one}.user_id = ${other}.user_id and ${one}.subject_kind = ${other}.subject_kind and ${one}.subject_id = ${other}.subject_id
     and ${one}.state = 'WAITING' and ${one}.digest_id is not null and ${one}.digest_id = ${other}.digest_id and ${one}.attempts = ${other}.attempts`;

/**
 * SQL of parts of a statement: `due` are messages that are due, at most $1 and the rest of their digests, locked. Of a digest,
 * only the message that is due first is looked for: a run that gets this gets all of it, or leaves it. Otherwise two runs at
 * once could send a part each.
 */
const due = `begun as materialized (
     select n.* from notifications n where n.state = 'WAITING' and n.due_at <= now()
        and (n.digest_id is null or not exists (select from notifications one where ${isSentWith('one', 'n')} and (one.due_at, one.id) < (n.due_at, n.id)))
      order by n.due_at, n.id limit $1::int for update of n skip locked
   ), rest as materialized (
     select one.* from begun cross join lateral (
       select n.* from notifications n where ${isSentWith('n', 'begun')} and n.id <> begun.id for update of n skip locked
     ) one where begun.digest_id is not null
   ), torn as materialized (
     -- An earlier run, whose lease ended, is storing what became of some of these.
     select begun.* from begun where begun.digest_id is not null and exists (
       select from notifications one where ${isSentWith('one', 'begun')} and one.id <> begun.id and not exists (select from rest where rest.id = one.id))
   ), due as materialized (
     select found.* from (select * from begun union all select * from rest) found
      where not exists (select from torn where found.id = torn.id or (${isSentWith('found', 'torn')}))
   )`;

/**
 * Names a digest by the first of its messages as it is claimed for the first time, so that it consists of the same ones at each
 * attempt: what is written meanwhile belongs to another one.
 */
const digest = `case when j.attempts > 0 or j.digest_id is null then j.digest_id
     else min(j.id) filter (where j.outcome is null) over (partition by j.user_id, j.digest_id, j.attempts) end as digest_id`;

/** SQL for how many messages the person of `m` got within a day. One that consists of several counts once. @param place a condition */
const sentAbout = (place: string) => `(select count(*)::int from (
       select from notifications s where s.user_id = m.user_id and ${place} and s.state = 'SENT' and s.sent_at > now() - interval '1 day'
         and (s.digest_id is null or s.digest_id = s.id) limit ${mostADay}
     ) counted)`;

/**
 * Claims messages that are due, the oldest first, and checks in the same statement that their people may still have them.
 * Those who may not: the message is dropped, or held while there is no confirmed address. $1 how many at most; the last digest
 * may have more.
 */
export const claimMessages = statement<ClaimedMessage>(
  'claim_messages',
  `with ${due}, judged as materialized (
     select d.id, d.user_id, d.digest_id, d.attempts, ${verdict} as outcome, a.address, u.timezone, g.quiet_from, g.quiet_until,
       d.created_at < now() - ${unconfirmedWait} as waited,
       ${target} as target
       from due d join users u on u.id = d.user_id
       left join projects p on p.id = d.project_id and p.deleting_since is null
       left join namespaces n on n.id = coalesce(p.namespace_id, d.group_id) and n.deleting_since is null
       left join issues i on d.subject_kind = 'Issue' and i.id = d.subject_id and i.project_id = p.id
       left join merge_requests mr on d.subject_kind = 'MergeRequest' and mr.id = d.subject_id and mr.project_id = p.id
       left join epics ep on d.subject_kind = 'Epic' and ep.id = d.subject_id and ep.group_id = n.id
       left join pipelines pl on d.subject_kind = 'Pipeline' and pl.id = d.subject_id and pl.project_id = p.id
       left join commit_comments cc on d.subject_kind = 'Commit' and cc.id = d.subject_id and cc.project_id = p.id
       left join snippets sn on d.subject_kind = 'Snippet' and sn.id = d.subject_id and sn.project_id = p.id
       left join notes nt on nt.id = d.note_id
       left join global_notification_settings g on g.user_id = u.id
       left join lateral (select case when p.id is null then ${groupAccessLevel('u.id')} else ${projectAccessLevel('u.id')} end as level offset 0) role on n.id is not null
       ${joinAddress('u.id', 'n.ancestry')}
   ), named as (
     select j.id, j.outcome, j.address, j.timezone, j.quiet_from, j.quiet_until, j.waited, j.target, ${digest} from judged j
   ), m as (
     update notifications row set outcome = j.outcome, address = coalesce(j.address, row.address),
         state = case when j.outcome is null or (j.outcome = 'UNCONFIRMED' and not j.waited) then row.state else 'DROPPED' end,
         due_at = case when j.outcome is null then now() + interval '${lease} s' when j.outcome = 'UNCONFIRMED' then now() + ${unconfirmedPause} else row.due_at end,
         attempts = row.attempts + case when j.outcome is null then 1 else 0 end, digest_id = coalesce(j.digest_id, row.digest_id)
       from named j where row.id = j.id
     returning row.*, j.timezone, j.quiet_from, j.quiet_until, j.target
   ), places as materialized (
     select m.*, case when m.project_id is null then ${sentAbout('s.project_id is null and s.group_id = m.group_id')}
       else ${sentAbout('s.project_id = m.project_id')} end as sent_today
       from (select distinct user_id, project_id, group_id from m) m
   )
   select m.id::text as id, m.user_id, m.cause, m.occurrence, m.subject_kind, m.subject_id, m.project_id, m.group_id, m.via, m.reason, m.attempts, m.outcome,
     m.address, m.timezone, m.quiet_from, m.quiet_until, m.target, m.digest_id::text as digest_id, places.sent_today,
     case when m.outcome is null and row_number() over (partition by m.occurrence, m.outcome order by m.id) = 1 then ${content} end as content
     from m join places on places.user_id = m.user_id and places.project_id is not distinct from m.project_id
      and places.group_id is not distinct from m.group_id order by m.id`,
);
