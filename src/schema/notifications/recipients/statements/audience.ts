import { groupsSendMail, liveGroup, liveProject, placeSendsMail } from '../../../../database/access/places.ts';
import { rankOf, type SubjectKind, type Via } from '../../../../notify/causes.ts';
import {
  activePersonSees,
  personIsActive,
  personReads,
  personReadsCode,
  personReadsEpic,
  personReadsInternal,
  personReadsMergeRequests,
  personReadsPipelines,
  personReadsSnippet,
} from '../../../planning/issues/statements/readers.ts';
import { joinAddress } from './address.ts';
import { ancestry, anyRole, few, joinsOfPlace, loudHere, loudMembers, members } from './loud.ts';

/**
 * Parts of the statements that find who is notified of something. They say in SQL what `src/notify/decide.ts` says of one person.
 * Their parameters: $1 project, or group for epics, $2 id of the subject, $3 the event of the settings or null, $4 whether it is on by default,
 * $5 another event that brings it or null, $6 whose own activity it is or null, $7 whether everyone is notified who takes part,
 * watches or subscribed, $8, $9, $10 people whom it concerns by name, how they do, and the ranks of their reasons, $11
 * labels whose subscribers are notified, $12 the rank of their reason, $13 whether it is internal, $14 whether WATCH alone
 * doesn't bring it, $15 whether PARTICIPATING brings it to all candidates, $16 the least role of those who are notified because
 * of their role or null, $17 a time zone or null, $18 the time zone of the instance.
 */

interface Subject {
  /** Joins of what is read of the subject. */
  readonly joins: string;
  /** A query for the people who take part: `user_id`. */
  readonly participants: string;
  /** Whether the person `u` reads it, who sees the project. */
  readonly reads: string;
  /** SQL for whether the subscription `s` is to it; null if no one subscribes to such. */
  readonly subscriptions: string | null;
  /** A query for the ids of its labels, `label_ids`, if it has labels. */
  readonly labels?: string;
}

const none = 'select null::int as user_id where false';
const role = 'role.level';

/** A query for the people who changed an issue or a merge request, as notes of the system and events say. */
const changed = (column: 'issue_id' | 'merge_request_id') =>
  `select author_id from notes where ${column} = $2::int and system union select user_id from resource_events where ${column} = $2::int`;

const subjects: Record<SubjectKind, Subject> = {
  Issue: {
    joins: 'join issues i on i.id = $2::int and i.project_id = p.id',
    participants: `select user_id from participants where issue_id = $2::int and not by_award
      union select unnest(array[author_id, assignee_id]) from issues where id = $2::int union ${changed('issue_id')}`,
    reads: personReads({ author: 'i.author_id', assignee: 'i.assignee_id', confidential: 'i.confidential' }, role),
    subscriptions: 's.issue_id = $2::int',
    labels: 'select label_ids from issues where id = $2::int',
  },
  MergeRequest: {
    joins: 'join merge_requests mr on mr.id = $2::int and mr.project_id = p.id',
    participants: `select user_id from participants where merge_request_id = $2::int and not by_award
      union select unnest(array[author_id, assignee_id, reviewer_id]) from merge_requests where id = $2::int union ${changed('merge_request_id')}`,
    reads: personReadsMergeRequests(role),
    subscriptions: 's.merge_request_id = $2::int',
    labels: 'select label_ids from merge_requests where id = $2::int',
  },
  Snippet: {
    joins: 'join snippets sn on sn.id = $2::int and sn.project_id = p.id',
    participants: `select author_id as user_id from snippets where id = $2::int
      union select author_id from notes where snippet_id = $2::int and not system
      union select user_id from snippet_participants where snippet_id = $2::int`,
    reads: personReadsSnippet(role),
    subscriptions: null,
  },
  Commit: {
    joins: 'join commit_comments cc on cc.id = $2::int and cc.project_id = p.id',
    participants: `select other.author_id as user_id from commit_comments one
      join commit_comments other on other.project_id = one.project_id and other.sha = one.sha where one.id = $2::int`,
    reads: personReadsCode(role),
    subscriptions: null,
  },
  Epic: {
    joins: 'join epics ep on ep.id = $2::int and ep.group_id = n.id',
    participants: 'select author_id as user_id from epics where id = $2::int',
    reads: personReadsEpic(role),
    subscriptions: 's.epic_id = $2::int',
  },
  Pipeline: {
    joins: 'join pipelines pl on pl.id = $2::int and pl.project_id = p.id',
    participants: none,
    reads: personReadsPipelines(role),
    subscriptions: null,
  },
  Project: { joins: '', participants: none, reads: 'true', subscriptions: null },
};

const via = (name: Via) => `'${name}'`;
const noReason = rankOf(null);

const sharedGroups = 'exists (select from group_shares share where share.group_id = any(n.ancestry))';

/** The CTE `place`. `shared`: whether a share may give a role in it. */
const placeOf = (kind: SubjectKind) => {
  if (kind === 'Epic')
    return `place as materialized (
     select n.id, n.id as namespace_id, n.ancestry, ${groupsSendMail} as sends_mail, ${sharedGroups} as shared
       from namespaces n where n.id = $1::int and ${liveGroup}
   )`;
  return `place as materialized (
     select p.id, p.namespace_id, n.ancestry, ${placeSendsMail} as sends_mail,
       ${sharedGroups} or exists (select from project_shares share where share.project_id = p.id) as shared
       from projects p join namespaces n on n.id = p.namespace_id where p.id = $1::int and ${liveProject}
   )`;
};

/** SQL for whether the subscription `s` to a label counts in the place. */
const countsHere = '(s.project_id is null or s.project_id = $1::int)';

/** People whom it concerns by name. Of those who would be notified as subscribers, only those who are. */
const byName = (kind: SubjectKind) => {
  const all = 'select * from unnest($8::int[], $9::text[], $10::int[]) named(user_id, via, rank)';
  const { subscriptions, labels } = subjects[kind];
  if (subscriptions === null || labels === undefined) return all;
  return `${all} where named.via <> ${via('SUBSCRIPTION')} or exists (
       select from subscriptions s where s.user_id = named.user_id and s.subscribed
         and (${subscriptions} or (s.label_id = any((${labels})::int[]) and ${countsHere})))`;
};

/**
 * CTEs `place`, those of `few`, and `candidate` (`user_id`, `via`, `rank`): whom it may concern, before any rule, without those who belong
 * to the place and whose global level may bring everything: they may be very many.
 */
export const candidates = (kind: SubjectKind) => {
  const { participants, subscriptions } = subjects[kind];
  return `${placeOf(kind)}, ${few(kind)}, parameters as (
     -- Their types, for kinds and statements that don't use all of them.
     select $2::int, $13::boolean, $17::text, $18::text
   ), candidate(user_id, via, rank) as materialized (
     ${byName(kind)}
     union all select user_id, ${via('PARTICIPANT')}, ${noReason} from (${participants}) taking where $7::boolean
     union all select s.user_id, ${via('SUBSCRIPTION')}, ${rankOf('SUBSCRIBED')} from subscriptions s
       where $7::boolean and ${subscriptions ?? 'false'} and s.subscribed
     union all select s.user_id, ${via('SUBSCRIPTION')}, $12::int from subscriptions s
       where s.label_id = any($11::int[]) and s.subscribed and ${countsHere}
     union all select user_id, ${via('SETTING')}, ${noReason} from (${loudHere(kind)}) l where $7::boolean
     union all select user_id, ${via('SETTING')}, ${noReason} from (${members(kind)}) m
       where $16::int is not null and m.access_level >= $16::int
     union all select n.owner_id, ${via('SETTING')}, ${noReason} from place join namespaces n on n.id = place.namespace_id where $16::int is not null
   )`;
};

/**
 * Joins of what the settings of the person `u` for the place say: `ps` for the project and `gs` for the nearest group, if they
 * have levels of their own. @param only restricts whose settings for groups are read
 */
const settings = (kind: SubjectKind, only: string) => `left join project_notification_settings ps
     on ps.user_id = u.id and ps.project_id = ${kind === 'Epic' ? 'null' : '$1::int'} and ps.level <> 'GLOBAL'
   left join (
     select distinct on (s.user_id) s.user_id, s.level, s.events, s.group_id from group_notification_settings s
      where s.group_id = any(${ancestry}) and s.level <> 'GLOBAL' ${only}
      order by s.user_id, array_position(${ancestry}, s.group_id) desc
   ) gs on gs.user_id = u.id`;

/** The setting that applies, `e`, out of these and the global one, `g`. */
const applying = `cross join lateral (
     select coalesce(ps.level, gs.level, g.level) as level,
       case when ps.level is not null then ps.events when gs.level is not null then gs.events else g.events end as events,
       case when ps.level is not null then 'PROJECT' when gs.level is not null then 'GROUP' when g.level is not null then 'GLOBAL' end as source,
       case when ps.level is null then gs.group_id end as group_id
   ) e`;

/** The facts about the person `u`, as SQL. `src/notify/decide.ts` has them by the same names. */
export const factsAbout = (kind: SubjectKind) => ({
  active: `(${personIsActive})`,
  reads:
    kind === 'Epic'
      ? subjects.Epic.reads
      : `(${activePersonSees(role)} and ${subjects[kind].reads} and (not $13::boolean or ${personReadsInternal(role)}))`,
  mailEnabled: 'place.sends_mail',
  own: '(u.id is not distinct from $6::int)',
  wantsOwn: 'coalesce(g.own_activity, false)',
  subscribed: subjects[kind].subscriptions === null ? 'null::boolean' : 'own_subscription.subscribed',
  switchedOn: `(coalesce((e.events->>$3::text)::boolean, $4::boolean) or coalesce((e.events->>$5::text)::boolean, false))`,
  muted: 'coalesce(g.muted_until > now(), false)',
  inZone: `($17::text is null or coalesce(u.timezone, $18::text) = $17::text)`,
});

/** Whether the level that applies to a person `judged` brings it to a candidate. */
const levelBrings = `case judged.level
     when 'MENTION' then c.via = ${via('MENTION')}
     when 'PARTICIPATING' then c.via in (${via('PARTICIPANT')}, ${via('MENTION')}) or $15::boolean
     when 'WATCH' then not $14::boolean or c.via <> ${via('SETTING')}
     when 'CUSTOM' then judged."switchedOn" or c.via in (${via('PARTICIPANT')}, ${via('MENTION')})
     else false end`;

/**
 * Joins of everything that the facts about some people are read from.
 * @param people SQL of them: `u` their accounts, `g` their global settings, `role` their roles
 * @param only restricts whose settings for groups are read, where they are few
 */
export const joinsOf = (kind: SubjectKind, people: string, only: string) => {
  const { joins, subscriptions } = subjects[kind];
  const subscription =
    subscriptions === null
      ? ''
      : `left join (select s.user_id, s.subscribed from subscriptions s where ${subscriptions}) own_subscription on own_subscription.user_id = u.id`;
  return `(place ${joinsOfPlace(kind)} ${joins})
     cross join (${people} ${settings(kind, only)} ${subscription}) ${applying}`;
};

/** SQL of the people whom a CTE names by their ids, `user_id`, as facts are read from. Each role is looked up once. */
export const peopleOf = (kind: SubjectKind, cte: string) =>
  `(select distinct user_id from ${cte}) named join users u on u.id = named.user_id
   left join global_notification_settings g on g.user_id = u.id
   left join lateral (select ${anyRole(kind)} as level offset 0) role on true`;

/**
 * A query for the facts about some people, each read once, before anything is judged (`offset 0`): PostgreSQL can't estimate how
 * many pass, and would look up one after the other.
 */
const factsOf = (kind: SubjectKind, people: string, only: string) => {
  const facts = Object.entries(factsAbout(kind)).map(([name, sql]) => `${sql} as "${name}"`);
  return `select u.id, coalesce(e.level, 'PARTICIPATING') as level, ${facts.join(', ')}
         from ${joinsOf(kind, people, only)} where place.sends_mail offset 0`;
};

/**
 * A query for those who are notified: `user_id`, `via`, `rank`, each once. It needs the CTEs of `candidates`. A person who is
 * one also as a subscriber is one only as that if their address refused too many messages.
 */
export const told = (kind: SubjectKind) => {
  const passes = `judged."mailEnabled" and judged.active and judged."inZone" and (not judged.own or judged."wantsOwn") and not judged.muted
        and (judged.subscribed is not false or c.via = ${via('MENTION')})
        and (c.via = ${via('SUBSCRIPTION')} or ${levelBrings}) and judged.reads`;
  const rank = `case when judged.own then ${rankOf('OWN_ACTIVITY')} else c.rank end as rank`;
  const subscribed = `min(rank) filter (where via = ${via('SUBSCRIPTION')}) over (partition by user_id) as subscribed`;
  return `select best.user_id, case when refusing.bounces then ${via('SUBSCRIPTION')} else best.via end as via,
       case when refusing.bounces then best.subscribed else best.rank end as rank from (
       select distinct on (user_id) user_id, via, rank, ${subscribed} from (
       select judged.id as user_id, c.via, ${rank}
         from (${factsOf(kind, peopleOf(kind, 'candidate'), 'and s.user_id in (select user_id from candidate)')}) judged
         join candidate c on c.user_id = judged.id where ${passes}
       union all select judged.id, c.via, ${rank}
         from (${factsOf(kind, loudMembers(kind), '')}) judged, (select ${via('SETTING')} as via, ${noReason} as rank) c where ${passes}
     ) passing order by user_id, rank, via
     ) best left join lateral (
       select a.bounces from place ${joinAddress('best.user_id', 'place.ancestry')} where best.subscribed is not null
     ) refusing on true`;
};
