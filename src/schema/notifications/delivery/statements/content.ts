import {
  activePersonSees,
  personIsActive,
  personReads,
  personReadsMergeRequests,
} from '../../../planning/issues/statements/readers.ts';
import { projectAccessLevel } from '../../../../database/access/places.ts';
import { shownLength } from '../../../../notify/content.ts';
import type { CauseName } from '../../../../notify/causes.ts';

/** SQL for what a message about the row `m` of a query is made of, as the JSON of `Content`, but for its target. */

const person = (id: string) =>
  `(select jsonb_build_object('name', w.name, 'username', w.username) from users w where w.id = ${id} and w.deleting_since is null)`;
const text = (column: string) => `left(${column}, ${shownLength + 1})`;
const idNamed = (name: string) => `(m.ids->>'${name}')::int`;
/** Causes whose messages show the description of the issue. */
const showDescription = (['NEW_ISSUE', 'NEW_MERGE_REQUEST', 'MENTIONED'] satisfies CauseName[])
  .map((cause) => `'${cause}'`)
  .join(', ');
/** Earlier comments of a thread that a message refers to. */
const mostEarlier = 20;

/** What is shown of issues and merge requests alike. */
const item = `'id', i.id, 'iid', i.iid, 'title', i.title, 'state', i.state,
    'description', case when m.cause in (${showDescription}) then ${text('i.description')} end,
    'author', ${person('i.author_id')}, 'assignee', ${person('i.assignee_id')},
    'milestone', (select ms.title from milestones ms where ms.id = i.milestone_id),
    'labels', (select coalesce(jsonb_agg(l.title order by l.title), '[]') from labels l where l.id = any(i.label_ids))`;

const mergeRequest = `(select jsonb_build_object(${item}, 'reviewer', ${person('i.reviewer_id')}, 'sourceBranch', i.source_branch,
    'targetBranch', i.target_branch)
  from merge_requests i where m.subject_kind = 'MergeRequest' and i.id = m.subject_id)`;

const issue = `(select jsonb_build_object(${item}, 'confidential', i.confidential, 'dueDate', i.due_date)
  from issues i where m.subject_kind = 'Issue' and i.id = m.subject_id)`;

const epic = `(select jsonb_build_object('id', ep.id, 'iid', ep.iid, 'title', ep.title, 'description', ${text('ep.description')}, 'author', ${person('ep.author_id')})
  from epics ep where m.subject_kind = 'Epic' and ep.id = m.subject_id)`;

const snippet = `(select jsonb_build_object('id', sn.id, 'title', sn.title) from snippets sn
  where m.subject_kind = 'Snippet' and sn.id = m.subject_id)`;

/** Names of failed jobs that a message shows at most. */
const mostFailed = 20;

const pipeline = `(select jsonb_build_object('id', pl.id, 'iid', pl.iid, 'ref', pl.ref, 'sha', pl.sha, 'status', pl.status,
    'failed', (select coalesce(jsonb_agg(f.name), '[]') from (
      select j.name from ci_jobs j where j.pipeline_id = pl.id and not j.retried and j.status = 'failed' order by j.stage_index, j.id limit ${mostFailed}) f))
  from pipelines pl where m.subject_kind = 'Pipeline' and pl.id = m.subject_id)`;

/** Others than those who read internal comments don't learn of their ids. */
const comment = `jsonb_build_object('id', nt.id, 'body', ${text('nt.body')}, 'internal', nt.internal,
    'threadId', case when nt.type is not null then encode(nt.discussion_id, 'hex') end,
    'place', case when nt.position is not null then jsonb_build_object('path', coalesce(nt.position->>'new_path', nt.position->>'old_path'),
      'newLine', nt.position->'new_line', 'oldLine', nt.position->'old_line') end,
    'earlier', (select coalesce(jsonb_agg(e.id order by e.id), '[]') from (
      select e.id from notes e where e.discussion_id = nt.discussion_id and e.id < nt.id and not e.system and (nt.internal or not e.internal)
       order by e.id desc limit ${mostEarlier}) e))`;
const note = `(select ${comment} from notes nt where nt.id = m.note_id)`;

/** SQL of the comments of the review that the row is about, as `nt`. None: it is about no review, or they were removed. */
export const reviewed = (row: string) =>
  `from notes nt where nt.id in (select jsonb_array_elements_text(${row}.ids->'noteIds')::int) and not nt.internal`;
const review = `(select jsonb_agg(${comment} order by nt.id) ${reviewed('m')})`;

/** A comment on a commit, with the commit. */
const commitNote = `(select jsonb_build_object('id', cc.id, 'body', ${text('cc.note')}, 'internal', false,
    'threadId', case when cc.is_in_thread then encode(cc.discussion_id, 'hex') end,
    'earlier', (select coalesce(jsonb_agg(e.id order by e.id), '[]') from (
      select e.id from commit_comments e where e.discussion_id = cc.discussion_id and e.id < cc.id order by e.id desc limit ${mostEarlier}) e),
    'place', case when cc.path is not null then jsonb_build_object('path', cc.path,
      'newLine', case when cc.line_type is distinct from 'old' then cc.line end, 'oldLine', case when cc.line_type = 'old' then cc.line end) end)
  from commit_comments cc where m.subject_kind = 'Commit' and cc.id = m.subject_id)`;
const commit = `(select jsonb_build_object('sha', cc.sha, 'title', cc.title) from commit_comments cc
  where m.subject_kind = 'Commit' and cc.id = m.subject_id)`;

/** The note of the system that names the commits of a push. */
const commits = `(select jsonb_build_object('body', ${text('nt.body')}) from notes nt where nt.id = ${idNamed('commitsNoteId')})`;

export const content = `(select jsonb_build_object('place', place.facts,
    'actor', ${person('m.actor_id')}, 'issue', ${issue}, 'mergeRequest', ${mergeRequest}, 'epic', ${epic}, 'snippet', ${snippet}, 'pipeline', ${pipeline}, 'commit', ${commit}, 'note', coalesce(${note}, ${commitNote}), 'review', ${review}, 'commits', ${commits},
    'formerAssignee', ${person(idNamed('formerAssigneeId'))}, 'assignee', ${person(idNamed('assigneeId'))},
    'milestone', (select ms.title from milestones ms where ms.id = ${idNamed('milestoneId')}))
  from (
    select jsonb_build_object('kind', 'Project', 'id', p.id, 'name', p.name, 'path', p.full_path) as facts from projects p where p.id = m.project_id
    union all select jsonb_build_object('kind', 'Group', 'id', n.id, 'name', n.name, 'path', n.full_path) from namespaces n where n.id = m.group_id
  ) place)`;

const readPlace = `p.deleting_since is null and ${personIsActive} and ${activePersonSees('role.level')}`;
const roleThere = `cross join lateral (select ${projectAccessLevel('u.id')} as level offset 0) role`;

/** SQL for a reference to where the issue of the row `d` moved or was copied to. */
const copied = `select p.full_path || '#' || i.iid from issues i join projects p on p.id = i.project_id
    join namespaces n on n.id = p.namespace_id ${roleThere}
  where i.id = (d.ids->>'targetId')::int and ${readPlace}
    and ${personReads({ author: 'i.author_id', assignee: 'i.assignee_id', confidential: 'i.confidential' }, 'role.level')}`;

/** SQL for a reference to the merge request that closed the issue of the row `d`. */
const closing = `select p.full_path || '!' || mr.iid from merge_requests mr join projects p on p.id = mr.project_id
    join namespaces n on n.id = p.namespace_id ${roleThere}
  where mr.id = (d.ids->>'mergeRequestId')::int and ${readPlace} and ${personReadsMergeRequests('role.level')}`;

/** SQL for a reference to what else the row `d` is about; null if there is nothing, or the person `u` doesn't read it. */
export const target = `case when d.ids ? 'targetId' then (${copied}) when d.ids ? 'mergeRequestId' then (${closing}) end`;
