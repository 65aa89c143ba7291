import type { Given } from '../client.ts';
import { flagIn, idIn, idOf, innerList, innerOf, numberIn, textIn, textsIn, timeIn } from '../fields.ts';
import type { Importer, Place } from '../importer.ts';
import { conversationOf, stamped } from './conversations.ts';
import { peopleIn, secondsIn } from './planning.ts';

/** Merge requests of every project, with what was said about them. Their commits are in the repositories by now. */

const epoch = new Date(0).toISOString();

export async function importMergeRequests(importer: Importer): Promise<void> {
  await importer.each(
    importer.projects.filter(({ record }) => record.merge_requests_enabled !== false),
    (place) => importer.part(`merge requests of project ${place.key}`, () => importMergeRequestsOf(importer, place)),
    'projects with their merge requests',
  );
}

async function importMergeRequestsOf(importer: Importer, project: Place): Promise<void> {
  const { client, since } = importer.options;
  await importer.orMissing('merge requests of projects', undefined, async () => {
    const order = { scope: 'all', state: 'all', order_by: 'created_at', sort: 'asc' };
    const query = { ...order, ...(since !== undefined && { updated_after: since }) };
    for await (const page of client.list(`/projects/${project.key}/merge_requests`, query)) {
      const listed = page.flatMap((record) => {
        const key = idIn(record);
        const iid = numberIn(record, 'iid');
        return key === undefined || iid === undefined
          ? importer.unreadable('merge requests')
          : [{ key, iid, stamp: stampOf(record) }];
      });
      const changed = await importer.changed('reviewThreads', listed);
      await importer.each(changed, (one) => importOne(importer, project, one));
    }
  });
}

/** What shows whether anything of it changed: emoji don't change its time. */
const stampOf = (record: Given) =>
  ['updated_at', 'user_notes_count', 'upvotes', 'downvotes', 'sha'].map((name) => String(record[name])).join(' ');

interface Listed {
  readonly key: string;
  readonly iid: number;
  readonly stamp: string;
}

async function importOne(importer: Importer, project: Place, { key, iid, stamp }: Listed): Promise<void> {
  const { client } = importer.options;
  const at = `/projects/${project.key}/merge_requests/${iid}`;
  const name = `${project.path}!${iid}`;
  // Only the single record has the commits.
  const record = await importer.orMissing('single merge requests', undefined, () => client.get(at));
  const given = record && mergeRequestFrom(project, record, await approvalsOf(importer, at));
  if (!given) return;
  await importer.write('mergeRequests', [{ key, name, record: { key, iid, ...given } }]);
  const said = await conversationOf(importer, at, 'merge requests');
  await importer.write('reviewThreads', [{ key, name, record: { key, ...stamped(stamp, said) } }]);
}

async function approvalsOf(importer: Importer, at: string) {
  const record = await importer.orMissing('approvals', undefined, () => importer.options.client.get(`${at}/approvals`));
  if (record === undefined) return undefined;
  return innerList(record, 'approved_by').flatMap((one) => {
    const personKey = idOf(one, 'user');
    return personKey === undefined ? [] : [{ personKey, at: timeIn(one, 'approved_at') ?? epoch }];
  });
}

function mergeRequestFrom({ key: projectKey }: Place, record: Given, approvals: readonly object[] | undefined) {
  const title = textIn(record, 'title');
  const sourceBranch = textIn(record, 'source_branch');
  const targetBranch = textIn(record, 'target_branch');
  if (title === undefined || sourceBranch === undefined || targetBranch === undefined) return undefined;
  const commits = innerOf(record, 'diff_refs') ?? {};
  const times = innerOf(record, 'time_stats') ?? {};
  const state = textIn(record, 'state') ?? '';
  const createdAt = timeIn(record, 'created_at') ?? epoch;
  return {
    projectKey,
    sourceProjectKey: idIn(record, 'source_project_id'),
    sourceBranch,
    targetBranch,
    title,
    description: textIn(record, 'description') ?? null,
    state: state === 'merged' ? 'MERGED' : state === 'closed' ? 'CLOSED' : 'OPENED',
    authorKey: idOf(record, 'author'),
    assigneeKeys: peopleIn(record, 'assignees', 'assignee'),
    reviewerKeys: peopleIn(record, 'reviewers', 'reviewer'),
    milestoneKey: idOf(record, 'milestone'),
    labels: [...textsIn(record, 'labels')].sort(),
    discussionLocked: typeof record.discussion_locked === 'boolean' ? record.discussion_locked : null,
    squash: flagIn(record, 'squash'),
    removesSource: typeof record.force_remove_source_branch === 'boolean' ? record.force_remove_source_branch : null,
    headSha: textIn(commits, 'head_sha') ?? textIn(record, 'sha'),
    baseSha: textIn(commits, 'base_sha'),
    startSha: textIn(commits, 'start_sha'),
    mergeCommitSha: textIn(record, 'merge_commit_sha'),
    squashCommitSha: textIn(record, 'squash_commit_sha'),
    mergedByKey: idOf(record, 'merge_user') ?? idOf(record, 'merged_by'),
    mergedAt: timeIn(record, 'merged_at'),
    mergeAfter: timeIn(record, 'merge_after'),
    closedByKey: idOf(record, 'closed_by'),
    closedAt: timeIn(record, 'closed_at'),
    approvals,
    timeEstimate: secondsIn(times, 'time_estimate'),
    timeSpent: secondsIn(times, 'total_time_spent'),
    createdAt,
    updatedAt: timeIn(record, 'updated_at') ?? createdAt,
  };
}
