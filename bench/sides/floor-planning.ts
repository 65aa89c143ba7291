import type pg from 'pg';
import { answer, answerPage, bearer, bodyOf, live, unauthorized, type Asked } from './by-hand.ts';

/** The floor of planning: issues of a project, one issue, and new issues and comments, each with one statement. */

/** SQL: the person of the token, and the project $2 with their role, if they see it. */
export const here = `me as materialized (select u.id from ${bearer} where ${live}), place as materialized (
    select p.id, p.full_path, n.ancestry, role.access_level from projects p join namespaces n on n.id = p.namespace_id, lateral (select greatest(
      (select m.access_level from project_members m where m.project_id = p.id and m.user_id = (select id from me)),
      (select max(m.access_level) from group_members m where m.group_id = any(n.ancestry) and m.user_id = (select id from me))) as access_level) role
    where p.id = $2 and p.deleting_since is null and n.deleting_since is null and (p.visibility <> 'PRIVATE' or role.access_level is not null)
  )`;

/** SQL: the person of a joined row of `users`, or null. */
export const personColumn = (alias: string) =>
  `case when ${alias}.id is not null then json_build_array(${alias}.id, ${alias}.username, ${alias}.public_email, ${alias}.name, ${alias}.state, ${alias}.avatar) end`;

/** SQL: the milestone `m` and the titles of the labels of an issue or a merge request `i`. */
export const planned = `m.id as m_id, m.iid as m_iid, m.project_id as m_project_id, m.title as m_title, m.description as m_description, m.state as m_state,
  m.created_at as m_created_at, m.updated_at as m_updated_at, m.due_date::text as m_due, m.start_date::text as m_start,
  case when i.label_ids <> '{}' then array(select l.title from labels l where l.id = any(i.label_ids) order by l.title) end as titles`;

/** SQL: what an issue `i` of `place` shows. */
const shown = `i.*, i.due_date::text as due, place.full_path, ${personColumn('a')} as author, ${personColumn('s')} as assignee,
  ${personColumn('c')} as closer, ${planned}`;
const joined = `join users a on a.id = i.author_id left join users s on s.id = i.assignee_id left join users c on c.id = i.closed_by_id
  left join milestones m on m.id = i.milestone_id`;
const reads = `(not i.confidential or i.author_id = (select id from me) or i.assignee_id = (select id from me) or place.access_level >= 20)`;

const statements = {
  issues: `with ${here}, listed as (
      select i.id, i.created_at, count(*) over ()::int as total from place join issues i on i.project_id = place.id and ${reads}
       order by i.created_at desc, i.id desc limit 20)
    select ${shown}, listed.total from listed join issues i on i.id = listed.id cross join place ${joined} order by listed.created_at desc, listed.id desc`,
  issue: `with ${here} select ${shown}, coalesce(
      (select w.subscribed from subscriptions w where w.issue_id = i.id and w.user_id = (select id from me)),
      exists (select from participants w where w.issue_id = i.id and w.user_id = (select id from me))) as subscribed
    from place join issues i on i.project_id = place.id and i.iid = $3 and ${reads} ${joined}`,
  create: `with ${here}, counter as (
      insert into project_counters as c (project_id, kind, last) select id, 'ISSUE', 1 from place where access_level >= 10
      on conflict (project_id, kind) do update set last = c.last + 1 returning last
    ), labelled as (
      select l.id, l.title from place join labels l on l.project_id = place.id and l.title = any($5::text[])
    ), i as (
      insert into issues (project_id, iid, title, description, assignee_id, author_id, label_ids)
      select place.id, counter.last, $3, $4, me.id, me.id, array(select id from labelled order by id) from me, place, counter returning *
    ), taking as (insert into participants (issue_id, user_id) select id, author_id from i
    ), todo as (
      insert into todos (user_id, author_id, project_id, issue_id, action) select assignee_id, author_id, project_id, id, 'ASSIGNED' from i
    ), resource as (
      insert into resource_events (issue_id, user_id, kind, action, label_id) select i.id, i.author_id, 'LABEL', 'ADD', labelled.id from i, labelled
    ), event as (
      insert into events (kind, actor_id, project_id, subject_kind, subject_id) select 'issue.created', author_id, project_id, 'Issue', id from i
    )
    select ${shown.replace('(select l.title from labels l where l.id = any(i.label_ids) order by l.title)', '(select title from labelled order by title)')},
      true as subscribed from place cross join i ${joined}`,
  note: `with ${here}, i as (
      update issues i set notes_count = i.notes_count + 1, updated_at = now() from place
       where i.project_id = place.id and i.iid = $3 and ${reads} returning i.id, i.iid, i.project_id
    ), t as (
      insert into notes (issue_id, project_id, discussion_id, author_id, body)
      select i.id, i.project_id, uuid_send(gen_random_uuid()) || substring(uuid_send(gen_random_uuid()) from 1 for 4), me.id, $4 from me, i returning *
    ), taking as (
      insert into participants (issue_id, user_id) select issue_id, author_id from t on conflict do nothing
    ), settled as (
      update todos w set state = 'DONE', updated_at = now() from t where w.issue_id = t.issue_id and w.user_id = t.author_id and w.state = 'PENDING'
    ), event as (
      insert into events (kind, actor_id, project_id, subject_kind, subject_id, ids)
      select 'note.created', author_id, project_id, 'Note', id, jsonb_build_object('issueId', issue_id, 'snippetId', null, 'mentionedIds', '[]'::jsonb,
        'addressedIds', '[]'::jsonb) from t
    )
    select t.id, t.body, t.created_at, t.updated_at, t.issue_id, t.project_id, i.iid,
      json_build_array(a.id, a.username, a.public_email, a.name, a.state, a.avatar) as author from t, i, users a where a.id = t.author_id`,
};

export type PersonRow = [
  id: number,
  username: string,
  publicEmail: string | null,
  name: string,
  state: string,
  avatar: string | null,
];

/** What `planned` selects, with the path of the project. */
export interface PlannedRow {
  readonly full_path: string;
  readonly titles: readonly string[] | null;
  readonly m_id: number | null;
  readonly m_iid: number;
  readonly m_project_id: number;
  readonly m_title: string;
  readonly m_description: string;
  readonly m_state: string;
  readonly m_created_at: Date;
  readonly m_updated_at: Date;
  readonly m_due: string | null;
  readonly m_start: string | null;
}

interface IssueRow extends PlannedRow {
  readonly id: number;
  readonly iid: number;
  readonly project_id: number;
  readonly title: string;
  readonly description: string | null;
  readonly state: string;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly closed_at: Date | null;
  readonly closer: PersonRow | null;
  readonly author: PersonRow;
  readonly assignee: PersonRow | null;
  readonly type: string;
  readonly severity: string;
  readonly notes_count: number;
  readonly upvotes: number;
  readonly downvotes: number;
  readonly due: string | null;
  readonly confidential: boolean;
  readonly discussion_locked: boolean | null;
  readonly time_estimate: number;
  readonly tasks: number;
  readonly tasks_completed: number;
  readonly subscribed?: boolean;
  readonly total: number;
}

interface NoteRow {
  readonly id: number;
  readonly body: string;
  readonly author: PersonRow;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly issue_id: number;
  readonly project_id: number;
  readonly iid: number;
}

export const personOf = (base: string, [id, username, publicEmail, name, state, avatar]: PersonRow) => ({
  id,
  username,
  public_email: publicEmail ?? '',
  name,
  state: state.toLowerCase(),
  locked: false,
  avatar_url: avatar && `${base}/uploads/-/system/user/avatar/${id}/${avatar}`,
  web_url: `${base}/${username}`,
});

export const duration = (seconds: number) =>
  [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor((seconds % 3600) / 60), 'm'],
  ]
    .flatMap(([count, unit]) => (count ? `${count}${unit}` : []))
    .join(' ') || null;

export const milestoneOf = (base: string, row: PlannedRow) =>
  row.m_id === null
    ? null
    : {
        id: row.m_id,
        iid: row.m_iid,
        project_id: row.m_project_id,
        title: row.m_title,
        description: row.m_description,
        state: row.m_state.toLowerCase(),
        created_at: row.m_created_at,
        updated_at: row.m_updated_at,
        due_date: row.m_due,
        start_date: row.m_start,
        expired: row.m_due !== null && row.m_due < new Date().toISOString().slice(0, 10),
        web_url: `${base}/${row.full_path}/-/milestones/${row.m_iid}`,
      };

function issueOf(base: string, row: IssueRow): object {
  const assignee = row.assignee && personOf(base, row.assignee);
  const self = `${base}/api/v4/projects/${row.project_id}/issues/${row.iid}`;
  return {
    id: row.id,
    iid: row.iid,
    project_id: row.project_id,
    title: row.title,
    description: row.description,
    state: row.state.toLowerCase(),
    created_at: row.created_at,
    updated_at: row.updated_at,
    closed_at: row.closed_at,
    closed_by: row.closer && personOf(base, row.closer),
    labels: row.titles ?? [],
    milestone: milestoneOf(base, row),
    assignees: assignee ? [assignee] : [],
    author: personOf(base, row.author),
    type: row.type,
    assignee,
    user_notes_count: row.notes_count,
    merge_requests_count: 0,
    upvotes: row.upvotes,
    downvotes: row.downvotes,
    due_date: row.due,
    confidential: row.confidential,
    discussion_locked: row.discussion_locked,
    issue_type: row.type.toLowerCase(),
    web_url: `${base}/${row.full_path}/-/issues/${row.iid}`,
    time_stats: {
      time_estimate: row.time_estimate,
      total_time_spent: 0,
      human_time_estimate: duration(row.time_estimate),
      human_total_time_spent: null,
    },
    task_completion_status: { count: row.tasks, completed_count: row.tasks_completed },
    has_tasks: row.tasks > 0,
    _links: {
      self,
      notes: `${self}/notes`,
      award_emoji: `${self}/award_emoji`,
      project: `${base}/api/v4/projects/${row.project_id}`,
      closed_as_duplicate_of: null,
    },
    references: { short: `#${row.iid}`, relative: `#${row.iid}`, full: `${row.full_path}#${row.iid}` },
    severity: row.severity,
    subscribed: row.subscribed,
    moved_to_id: null,
    imported: false,
    imported_from: 'none',
    service_desk_reply_to: null,
  };
}

const noteOf = (base: string, row: NoteRow) => ({
  id: row.id,
  type: null,
  body: row.body,
  attachment: null,
  author: personOf(base, row.author),
  created_at: row.created_at,
  updated_at: row.updated_at,
  system: false,
  noteable_id: row.issue_id,
  noteable_type: 'Issue',
  project_id: row.project_id,
  resolvable: false,
  confidential: false,
  internal: false,
  imported: false,
  imported_from: 'none',
  noteable_iid: row.iid,
  commands_changes: {},
});

/** Answers a request about issues. @returns false for any other */
export async function planning(asked: Asked): Promise<boolean> {
  const { pool, request, response, secret, path, baseUrl } = asked;
  const [, project, iid, notes] = /^\/api\/v4\/projects\/(\d+)\/issues(?:\/(\d+)(\/notes)?)?$/.exec(path) ?? [];
  if (project === undefined) return false;
  const rows = async <Row extends pg.QueryResultRow>(name: keyof typeof statements, ...values: unknown[]) =>
    (await pool.query<Row>({ name, text: statements[name], values: [secret, project, ...values] })).rows;
  const isPost = request.method === 'POST';
  const form = isPost ? new URLSearchParams(await bodyOf(request)) : undefined;
  if (notes) {
    const [note] = await rows<NoteRow>('note', iid, form!.get('body'));
    if (note) answer(response, 201, noteOf(baseUrl, note));
    else unauthorized(response);
    return true;
  }
  const found = form
    ? await rows<IssueRow>('create', form.get('title'), form.get('description'), form.get('labels')!.split(','))
    : iid
      ? await rows<IssueRow>('issue', iid)
      : await rows<IssueRow>('issues');
  if (found.length === 0) unauthorized(response);
  else if (!form && !iid)
    answerPage(
      asked,
      found.map((row) => issueOf(baseUrl, row)),
      found[0]!.total,
    );
  else answer(response, form ? 201 : 200, issueOf(baseUrl, found[0]!));
  return true;
}
