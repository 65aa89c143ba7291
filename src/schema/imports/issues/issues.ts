import { Problems } from '../../engine/input.ts';
import { checkDescription, checkTitle, readTexts } from '../../planning/issues/changes/input.ts';
import { importing, NotTaken } from '../origins/importing.ts';
import { milestoneOf, projectOf } from '../origins/place.ts';
import { authorOf, firstOf, personOf } from '../people/persons.ts';
import { refuse } from '../people/people.ts';
import { changeIssue, insertIssue } from './statements.ts';

const types = new Set(['ISSUE', 'INCIDENT', 'TEST_CASE', 'TASK']);

importing('issues', {
  description: 'Imports issues, without what was said about them.',
  keeps: 'issues',
  record: (t) => ({
    projectKey: t.string({ required: true }),
    iid: t.int({ required: true }),
    title: t.string({ required: true }),
    description: t.string(),
    type: t.string({ required: true }),
    closed: t.boolean({ required: true }),
    authorKey: t.string(),
    assigneeKeys: t.stringList({ required: true, description: 'The first who is here is it.' }),
    milestoneKey: t.string(),
    labels: t.stringList({
      required: true,
      description: 'Titles, of labels of the project and of groups that contain it.',
    }),
    dueDate: t.field({ type: 'Date' }),
    confidential: t.boolean({ required: true }),
    discussionLocked: t.boolean(),
    closedAt: t.field({ type: 'Time' }),
    closedByKey: t.string(),
    timeEstimate: t.int({ required: true, description: 'Seconds.' }),
    timeSpent: t.int({ required: true, description: 'Seconds: one log of the author.' }),
    createdAt: t.field({ type: 'Time', required: true }),
    updatedAt: t.field({ type: 'Time', required: true }),
  }),
  refersTo: ({ projectKey, authorKey, assigneeKeys, milestoneKey, closedByKey }) => [
    ['projects', projectKey],
    ['people', authorKey],
    ...assigneeKeys.map((key) => ['people', key] as const),
    ['people', closedByKey],
    ['milestones', milestoneKey],
  ],
  examine: async (batch, issue) => {
    const projectId = projectOf(batch, issue.projectKey);
    const problems = new Problems();
    checkTitle(problems, issue.title);
    checkDescription(problems, issue.description ?? null);
    refuse(problems);
    return { projectId, tasks: readTexts(issue.title, issue.description ?? null).tasks };
  },
  store: async (batch, issue, { projectId, tasks }, known) => {
    const { iid } = issue;
    const [row] = await batch.sql.rows(known === undefined ? insertIssue : changeIssue, [
      known ?? batch.keptId(issue.key),
      projectId,
      iid,
      issue.title,
      issue.description ?? null,
      types.has(issue.type) ? issue.type : 'ISSUE',
      issue.closed ? 'CLOSED' : 'OPENED',
      await authorOf(batch, issue.authorKey),
      firstOf(batch, 'assignee', issue.assigneeKeys),
      milestoneOf(batch, issue.milestoneKey),
      issue.labels,
      issue.dueDate ?? null,
      issue.confidential,
      issue.discussionLocked ?? null,
      issue.closed ? (issue.closedAt ?? issue.updatedAt) : null,
      personOf(batch, 'closer', issue.closedByKey),
      issue.timeEstimate,
      issue.timeSpent,
      tasks.count,
      tasks.completed,
      issue.createdAt,
      issue.updatedAt,
    ]);
    if (!row) throw new NotTaken('It was removed here.');
    if (row.labels < issue.labels.length) batch.remark('Labels of it aren’t here.');
    if (row.iid !== iid) batch.remark(`Its number ${iid} is taken: imported as ${row.iid}.`);
    return row.id;
  },
});
