import {
  groupAccessLevel,
  liveGroup,
  liveProject,
  projectAccessLevel,
  stillMember,
} from '../../../../database/access/places.ts';
import { rankOf, type Via } from '../../../../notify/causes.ts';
import {
  activePersonSees,
  personIsActive,
  personReads,
  personReadsEpic,
  personReadsInternal,
  personReadsMergeRequests,
  personReadsPipelines,
  personReadsSnippet,
} from '../../../planning/issues/statements/readers.ts';

/**
 * Parts of the statements that find who is told of something. They say in SQL what `src/notify/decide.ts` says of one person.
 * Their parameters: $1 project, or group for epics, $2 id of the subject, $3 the event of the settings or null, $4 whether it is on by default,
 * $5 another event that brings it or null, $6 whose own activity it is or null, $7 whether everyone is told who takes part,
 * watches or subscribed, $8, $9, $10 people whom it concerns by name, how they do, and the ranks of their reasons, $11
 * labels whose subscribers are told, $12 the rank of their reason, $13 whether it is internal, $14 whether WATCH alone
 * doesn't bring it, $15 whether PARTICIPATING brings it to all candidates, $16 the least role of those who are told because
 * of their role or null, $17 a time zone or null, $18 the time zone of the instance.
 */

export type SubjectKind = 'Epic' | 'Issue' | 'MergeRequest' | 'Pipeline' | 'Snippet' | 'Project';

interface Subject {
  /** Joins of what is read of the subject. */
  readonly joins: string;
  /** A query for the people who take part: `user_id`. */
  readonly participants: string;
  /** Whether the person `u` reads it, who sees the project. */
  readonly reads: string;
  /** SQL for whether the person `c.user_id` is subscribed to it; null if they never said so. */
  readonly subscribed: string;
}

const none = 'select null::int as user_id where false';
const role = 'role.level';

const subjects: Record<SubjectKind, Subject> = {
  Issue: {
    joins: 'join issues i on i.id = $2::int and i.project_id = p.id',
    participants: `select user_id from participants where issue_id = $2::int and not by_award
      union select unnest(array[author_id, assignee_id]) from issues where id = $2::int`,
    reads: personReads({ author: 'i.author_id', assignee: 'i.assignee_id', confidential: 'i.confidential' }, role),
    subscribed: '(select s.subscribed from subscriptions s where s.issue_id = $2::int and s.user_id = u.id)',
  },
  MergeRequest: {
    joins: 'join merge_requests mr on mr.id = $2::int and mr.project_id = p.id',
    participants: `select user_id from participants where merge_request_id = $2::int and not by_award
      union select unnest(array[author_id, assignee_id, reviewer_id]) from merge_requests where id = $2::int`,
    reads: personReadsMergeRequests(role),
    subscribed: '(select s.subscribed from subscriptions s where s.merge_request_id = $2::int and s.user_id = u.id)',
  },
  Snippet: {
    joins: 'join snippets sn on sn.id = $2::int and sn.project_id = p.id',
    participants: `select author_id as user_id from snippets where id = $2::int
      union select author_id from notes where snippet_id = $2::int and not system`,
    reads: personReadsSnippet(role),
    subscribed: 'null::boolean',
  },
  Epic: {
    joins: 'join epics ep on ep.id = $2::int and ep.group_id = n.id',
    participants: 'select author_id as user_id from epics where id = $2::int',
    reads: personReadsEpic(role),
    subscribed: 'null::boolean',
  },
  Pipeline: {
    joins: 'join pipelines pl on pl.id = $2::int and pl.project_id = p.id',
    participants: none,
    reads: personReadsPipelines(role),
    subscribed: 'null::boolean',
  },
  Project: { joins: '', participants: none, reads: 'true', subscribed: 'null::boolean' },
};

const via = (name: Via) => `'${name}'`;
const noReason = rankOf(null);
const loud = `in ('WATCH', 'CUSTOM')`;

/** Members of `place` and of the groups above it. */
const members = (kind: SubjectKind) => {
  const inherited = `select m.user_id, m.access_level from place join group_members m on m.group_id = any(place.ancestry) where ${stillMember}`;
  if (kind === 'Epic') return inherited;
  return `select m.user_id, m.access_level from project_members m, place where m.project_id = place.id and ${stillMember}
     union all ${inherited}`;
};

const ancestry = '(select ancestry from place)::int[]';

/**
 * SQL for whether the person `g.user_id` belongs to `place`: as a member, direct or inherited, as one of a group that it is
 * shared with, as its owner, or by a setting. Alternatives, so that PostgreSQL asks once a person or reads all at once,
 * whichever are fewer.
 */
const belongs = (kind: SubjectKind) => {
  const inherited = [
    `exists (select from group_members m where m.group_id = any(${ancestry}) and m.user_id = g.user_id and ${stillMember})`,
    `exists (select from group_shares share join group_members m on m.group_id = share.invited_group_id
       where share.group_id = any(${ancestry}) and m.user_id = g.user_id)`,
    `exists (select from group_notification_settings s where s.group_id = any(${ancestry}) and s.user_id = g.user_id)`,
  ];
  const direct = [
    `exists (select from project_members m where m.project_id = $1::int and m.user_id = g.user_id and ${stillMember})`,
    `exists (select from project_shares share join namespaces invited on invited.id = share.invited_group_id
       join group_members m on m.group_id = any(invited.ancestry) where share.project_id = $1::int and m.user_id = g.user_id)`,
    `exists (select from project_notification_settings s where s.project_id = $1::int and s.user_id = g.user_id)`,
    `g.user_id = (select n.owner_id from place join namespaces n on n.id = place.namespace_id)`,
  ];
  return (kind === 'Epic' ? inherited : [...direct, ...inherited]).join(' or ');
};

/**
 * People whose level may bring everything: those with a setting for the place that says so, and members whose global level
 * does. All others, nearly everyone, aren't looked at.
 */
const loudPeople = (kind: SubjectKind) => {
  const ofGroups = `select s.user_id from group_notification_settings s where s.group_id = any(${ancestry}) and s.level ${loud}
     union all select g.user_id from global_notification_settings g where g.level ${loud} and (${belongs(kind)})`;
  if (kind === 'Epic') return ofGroups;
  return `select s.user_id from project_notification_settings s where s.project_id = $1::int and s.level ${loud} union all ${ofGroups}`;
};

const groupsSend =
  'not exists (select from namespaces above where above.id = any(n.ancestry) and not above.emails_enabled)';

/** SQL for whether the project `p` of the namespace `n` sends mail; where there is no project, whether the group `n` does. */
export const sendsMail = `(coalesce((p.attributes->>'emailsEnabled')::boolean, true) and ${groupsSend})`;

/** The CTE `place`. */
const placeOf = (kind: SubjectKind) => {
  if (kind === 'Epic')
    return `place as materialized (
     select n.id, n.id as namespace_id, n.ancestry, ${groupsSend} as sends_mail from namespaces n where n.id = $1::int and ${liveGroup}
   )`;
  return `place as materialized (
     select p.id, p.namespace_id, n.ancestry, ${sendsMail} as sends_mail
       from projects p join namespaces n on n.id = p.namespace_id where p.id = $1::int and ${liveProject}
   )`;
};

/** SQL for whether the subscription `s` is to the subject. */
const subscribersOf = (kind: SubjectKind): string =>
  kind === 'Issue' ? 's.issue_id = $2::int' : kind === 'MergeRequest' ? 's.merge_request_id = $2::int' : 'false';

/** CTEs `place` and `candidate` (`user_id`, `via`, `rank`): everybody whom it may concern, before any rule. */
export const candidates = (kind: SubjectKind) => {
  const { participants } = subjects[kind];
  return `${placeOf(kind)}, parameters as (
     -- Their types, for kinds and statements that don't use all of them.
     select $2::int, $13::boolean, $17::text, $18::text
   ), candidate(user_id, via, rank) as (
     select * from unnest($8::int[], $9::text[], $10::int[])
     union all select user_id, ${via('PARTICIPANT')}, ${noReason} from (${participants}) taking where $7::boolean
     union all select s.user_id, ${via('SUBSCRIPTION')}, ${rankOf('SUBSCRIBED')} from subscriptions s
       where $7::boolean and ${subscribersOf(kind)} and s.subscribed
     union all select s.user_id, ${via('SUBSCRIPTION')}, $12::int from subscriptions s
       where s.label_id = any($11::int[]) and s.subscribed and (s.project_id is null or s.project_id = $1::int)
     union all select user_id, ${via('SETTING')}, ${noReason} from (${loudPeople(kind)}) l where $7::boolean
     union all select user_id, ${via('SETTING')}, ${noReason} from (${members(kind)}) m where m.access_level >= $16::int
     union all select n.owner_id, ${via('SETTING')}, ${noReason} from place join namespaces n on n.id = place.namespace_id where $16::int is not null
   )`;
};

/**
 * Joins of what the settings of the person `u` say: `g` the global one, `ps` and `gs` that of the project and that of the
 * nearest group, if they have levels of their own, and `e` the one that applies.
 */
const settings = (kind: SubjectKind) => `left join global_notification_settings g on g.user_id = u.id
   left join project_notification_settings ps on ps.user_id = u.id and ps.project_id = ${kind === 'Epic' ? 'null' : '$1::int'} and ps.level <> 'GLOBAL'
   left join lateral (
     select s.level, s.events, s.group_id from group_notification_settings s
      where s.user_id = u.id and s.group_id = any(place.ancestry) and s.level <> 'GLOBAL'
      order by array_position(place.ancestry, s.group_id) desc limit 1
   ) gs on true
   cross join lateral (
     select coalesce(ps.level, gs.level, nullif(g.level, 'GLOBAL')) as level,
       case when ps.level is not null then ps.events when gs.level is not null then gs.events else g.events end as events,
       case when ps.level is not null then 'PROJECT' when gs.level is not null then 'GROUP' when g.level <> 'GLOBAL' then 'GLOBAL' end as source,
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
  subscribed: subjects[kind].subscribed,
  switchedOn: `(coalesce((e.events->>$3::text)::boolean, $4::boolean) or coalesce((e.events->>$5::text)::boolean, false))`,
  muted: 'coalesce(g.muted_until > now(), false)',
  inZone: `($17::text is null or coalesce(u.timezone, $18::text) = $17::text)`,
});

/** Whether the level that applies brings it to a candidate. */
const levelBrings = (switchedOn: string) =>
  `case coalesce(e.level::text, 'PARTICIPATING')
     when 'MENTION' then c.via = ${via('MENTION')}
     when 'PARTICIPATING' then c.via in (${via('PARTICIPANT')}, ${via('MENTION')}) or $15::boolean
     when 'WATCH' then not $14::boolean or c.via <> ${via('SETTING')}
     when 'CUSTOM' then ${switchedOn} or c.via in (${via('PARTICIPANT')}, ${via('MENTION')})
     else false end`;

/** Joins of everything that the facts about the people of a query `c` are read from. The role is looked up once. */
export const joinsOf = (kind: SubjectKind, people: string) =>
  `${people} join users u on u.id = c.user_id cross join place
     ${kind === 'Epic' ? '' : 'join projects p on p.id = place.id'} join namespaces n on n.id = place.namespace_id ${subjects[kind].joins}
     ${settings(kind)}
     left join lateral (select ${kind === 'Epic' ? groupAccessLevel('u.id') : projectAccessLevel('u.id')} as level offset 0) role on true`;

/** A query for those who are told: `user_id`, `via`, `rank`, each once. It needs the CTEs of `candidates`. */
export const told = (kind: SubjectKind) => {
  const { active, reads, mailEnabled, own, wantsOwn, subscribed, switchedOn, muted, inZone } = factsAbout(kind);
  return `select distinct on (c.user_id) c.user_id, c.via, case when ${own} then ${rankOf('OWN_ACTIVITY')} else c.rank end as rank
     from ${joinsOf(kind, '(select distinct user_id, via, rank from candidate) c')}
    where ${mailEnabled} and ${active} and ${inZone} and (not ${own} or ${wantsOwn}) and not ${muted}
      and (${subscribed} is not false or c.via = ${via('MENTION')})
      and (c.via = ${via('SUBSCRIPTION')} or ${levelBrings(switchedOn)})
      and ${reads}
    order by c.user_id, rank, c.via`;
};
