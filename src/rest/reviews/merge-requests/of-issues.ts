import { listRoute } from '../../engine/list-route.ts';
import type { AnyRoute } from '../../engine/route.ts';
import { notFound } from '../../planning/issues/actions.ts';
import { listedMergeRequests } from './list.ts';

/** The merge requests of an issue. */

const listed = (name: string, field: string, summary: string): AnyRoute =>
  listRoute({
    ...listedMergeRequests,
    path: `/api/v4/projects/:id/issues/:issue_iid/${name}`,
    summary,
    tag: 'Issues',
    parameters: [],
    within: { field: 'issue', args: { project: 'ID', iid: 'String' } },
    field,
    variables: ({ id: project, issue_iid: iid }) => ({ project, iid, details: false, html: false }),
    subject: 'Issue',
    missing: notFound,
  });

export const mergeRequestsOfIssues: readonly AnyRoute[] = [
  listed('related_merge_requests', 'relatedMergeRequests', 'List the merge requests that mention an issue'),
  listed('closed_by', 'closedByMergeRequests', 'List the merge requests that close an issue once they are merged'),
];
