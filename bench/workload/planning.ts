import { madeText } from '../store.ts';
import { asPeople, both, cpu, post, throughput, type Work } from './request.ts';

/** Issues and comments of seeded projects, beside the floor. */

/** A number that the seed gave an issue of every project. */
const seededIid = (turn: number) => 1 + (turn % 40);

const issuesOfProject = asPeople(({ project }) => ({
  path: `/api/v4/projects/${project}/issues`,
  contains: '"labels"',
}));
const issue = asPeople(({ project }, turn) => ({
  path: `/api/v4/projects/${project}/issues/${seededIid(turn)}`,
  contains: '"subscribed"',
}));
const newIssue = asPeople(({ id, project }) => ({
  ...post(`/api/v4/projects/${project}/issues`, {
    title: madeText,
    description: 'As somebody writes who has found something that does not work, and has little time.',
    labels: 'Label 1,Label 2',
    assignee_ids: String(id),
  }),
  status: 201,
  contains: '"Label 1"',
}));
const newNote = asPeople(({ project }, turn) => ({
  ...post(`/api/v4/projects/${project}/issues/${seededIid(turn)}/notes`, { body: madeText }),
  status: 201,
  contains: '"noteable_iid"',
}));

export const planningWork: readonly Work[] = [
  {
    name: 'planning, a page of issues',
    key: true,
    contenders: both(issuesOfProject),
    targets: [cpu('floor', 2), throughput('floor')],
    alike: true,
  },
  {
    name: 'planning, an issue',
    key: true,
    contenders: both(issue),
    targets: [cpu('floor', 2), throughput('floor')],
    alike: true,
  },
  {
    name: 'planning, a new comment',
    key: true,
    contenders: both(newNote),
    targets: [throughput('floor', 0.6), cpu('floor')],
  },
  // The last one: projects grow by it.
  {
    name: 'planning, a new issue',
    key: true,
    contenders: both(newIssue),
    targets: [throughput('floor', 0.6), cpu('floor')],
  },
];
