import { isDraft } from '../../../values/text/draft-title.ts';
import { builder } from '../../engine/builder.ts';
import { Problems } from '../../engine/input.ts';
import { checkDescription, checkTitle, readTexts } from '../../planning/issues/changes/input.ts';
import { linkIssues, messagesOf } from '../../reviews/closing/link.ts';
import { importing, NotTaken } from '../origins/importing.ts';
import { milestoneOf, projectOf } from '../origins/place.ts';
import { authorOf, firstOf, personOf } from '../people/persons.ts';
import { refuse } from '../people/people.ts';
import { changeMergeRequest, insertMergeRequest } from './statements.ts';
import { nameHead, versionOf } from './version.ts';

/** Importing merge requests, after the repositories that have their commits. */

const ImportedMergeState = builder.enumType('ImportedMergeRequestState', {
  values: ['OPENED', 'CLOSED', 'MERGED'] as const,
});

const ImportedApproval = builder.inputType('ImportedApproval', {
  fields: (t) => ({ personKey: t.string({ required: true }), at: t.field({ type: 'Time', required: true }) }),
});

importing('mergeRequests', {
  description: 'Imports merge requests, without what was said about them.',
  keeps: 'merge_requests',
  record: (t) => ({
    projectKey: t.string({ required: true, description: 'The target.' }),
    sourceProjectKey: t.string({ description: 'Omitted: the fork is gone.' }),
    iid: t.int({ required: true }),
    sourceBranch: t.string({ required: true }),
    targetBranch: t.string({ required: true }),
    title: t.string({ required: true }),
    description: t.string(),
    state: t.field({ type: ImportedMergeState, required: true }),
    authorKey: t.string(),
    assigneeKeys: t.stringList({ required: true, description: 'The first who is here is it.' }),
    reviewerKeys: t.stringList({ required: true, description: 'The first who is here is it.' }),
    milestoneKey: t.string(),
    labels: t.stringList({ required: true }),
    discussionLocked: t.boolean(),
    squash: t.boolean({ required: true }),
    removesSource: t.boolean(),
    headSha: t.string(),
    baseSha: t.string(),
    startSha: t.string(),
    mergeCommitSha: t.string(),
    squashCommitSha: t.string(),
    mergedByKey: t.string(),
    mergedAt: t.field({ type: 'Time' }),
    mergeAfter: t.field({ type: 'Time' }),
    closedByKey: t.string(),
    closedAt: t.field({ type: 'Time' }),
    approvals: t.field({ type: [ImportedApproval], description: 'Omitted: those that are here stay.' }),
    timeEstimate: t.int({ required: true, description: 'Seconds.' }),
    timeSpent: t.int({ required: true, description: 'Seconds: one log of the author.' }),
    createdAt: t.field({ type: 'Time', required: true }),
    updatedAt: t.field({ type: 'Time', required: true }),
  }),
  refersTo: (one) => [
    ['projects', one.projectKey],
    ['projects', one.sourceProjectKey],
    ['milestones', one.milestoneKey],
    ...[one.authorKey, ...one.assigneeKeys, ...one.reviewerKeys, one.mergedByKey, one.closedByKey].map(
      (key) => ['people', key] as const,
    ),
    ...(one.approvals ?? []).map(({ personKey }) => ['people', personKey] as const),
  ],
  examine: async (batch, given) => {
    const projectId = projectOf(batch, given.projectKey);
    const problems = new Problems();
    checkTitle(problems, given.title);
    checkDescription(problems, given.description ?? null);
    refuse(problems);
    const git = batch.context.git.repository(projectId);
    const version = await versionOf(git, given);
    if (!version && given.headSha) batch.remark('Its commits aren’t in the repository: it shows no changes.');
    const messages = version ? await messagesOf(git, version) : [];
    return { projectId, git, version, messages, tasks: readTexts(given.title, given.description ?? null).tasks };
  },
  store: async (batch, given, { projectId, git, version, messages, tasks }, known) => {
    const { iid, state } = given;
    const description = given.description ?? null;
    const approvals = given.approvals?.flatMap(({ personKey, at }) => {
      const id = personOf(batch, 'approver', personKey);
      return id === null ? [] : [{ id, at }];
    });
    const [row] = await batch.sql.rows(known === undefined ? insertMergeRequest : changeMergeRequest, [
      known ?? batch.keptId(given.key),
      projectId,
      iid,
      batch.localOf('projects', given.sourceProjectKey) ?? null,
      given.sourceBranch,
      given.targetBranch,
      given.title,
      description,
      isDraft(given.title),
      state,
      await authorOf(batch, given.authorKey),
      firstOf(batch, 'assignee', given.assigneeKeys),
      firstOf(batch, 'reviewer', given.reviewerKeys),
      milestoneOf(batch, given.milestoneKey),
      given.labels,
      given.discussionLocked ?? null,
      given.squash,
      given.removesSource ?? null,
      given.mergeCommitSha ?? null,
      given.squashCommitSha ?? null,
      personOf(batch, 'merger', given.mergedByKey),
      state === 'MERGED' ? (given.mergedAt ?? given.updatedAt) : null,
      state === 'CLOSED' ? (given.closedAt ?? given.updatedAt) : null,
      personOf(batch, 'closer', given.closedByKey),
      given.timeEstimate,
      given.timeSpent,
      tasks.count,
      tasks.completed,
      given.createdAt,
      given.updatedAt,
      version?.head ?? null,
      version?.base ?? null,
      version?.start ?? null,
      version?.files ?? null,
      version?.commits ?? 0,
      approvals?.map(({ id }) => id) ?? null,
      approvals?.map(({ at }) => at) ?? null,
      given.mergeAfter ?? null,
    ]);
    if (!row) throw new NotTaken('It was removed here.');
    if (row.labels < given.labels.length) batch.remark('Labels of it aren’t here.');
    if (row.iid !== iid) batch.remark(`Its number ${iid} is taken: imported as ${row.iid}.`);
    // The other side doesn't list what merging closes with the record: the texts say it here, too.
    await linkIssues(batch.context, batch.sql, { ...row, description, target_branch: given.targetBranch }, messages);
    if (version) await nameHead(git, row.iid, version.head);
    return row.id;
  },
});
