import { listRoute } from '../../engine/list-route.ts';
import type { Parameter } from '../../engine/parameters.ts';
import { NoContent, type Record as WireRecord } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { Commit, commitFields, type CommitData } from '../../repository/commits/record.ts';
import { nameOf, notFound, one, tag } from '../merge-requests/actions.ts';

/** Routes of context commits. */

const path = `${one}/context_commits`;

interface Added {
  readonly mergeRequestAddContextCommits: { readonly commits: readonly CommitData[] };
}

const Commits: WireRecord<Added> = {
  name: 'ContextCommits',
  schema: { type: 'array', items: Commit.schema },
  present: ({ mergeRequestAddContextCommits: { commits } }) =>
    commits.map((commit) => Commit.present(commit) as { readonly [name: string]: unknown }),
};

const commits: Parameter = {
  name: 'commits',
  type: 'strings',
  required: true,
  description: 'Names of commits, at most 20.',
};

export const contextCommitRoutes: readonly AnyRoute[] = [
  listRoute<CommitData>({
    path,
    summary: 'List the context commits of a merge request',
    tag,
    of: 'Commit',
    within: { field: 'mergeRequest', args: { project: 'ID', iid: 'String' } },
    subject: 'MergeRequest',
    missing: notFound,
    parameters: [],
    field: 'contextCommits',
    selection: commitFields,
    variables: ({ id: project, merge_request_iid: iid }) => ({ project, iid }),
    record: Commit,
  }),
  route<Added>({
    method: 'POST',
    path,
    summary: 'Attach commits of the target to a merge request, for its reviewers to know of',
    tag,
    parameters: [commits],
    operation: `mutation ($input: MergeRequestAddContextCommitsInput!) {
      mergeRequestAddContextCommits(input: $input) { commits { ${commitFields} } }
    }`,
    variables: (values) => ({ input: { ...nameOf(values), commits: values.commits ?? [] } }),
    status: 201,
    missing: notFound,
    record: Commits,
    dialect: 'version 4',
  }),
  route<unknown>({
    method: 'DELETE',
    path,
    summary: 'Detach context commits from a merge request',
    tag,
    parameters: [commits],
    operation: `mutation ($input: MergeRequestRemoveContextCommitsInput!) {
      mergeRequestRemoveContextCommits(input: $input) { mergeRequest { iid } }
    }`,
    variables: (values) => ({ input: { ...nameOf(values), commits: values.commits ?? [] } }),
    status: 204,
    missing: notFound,
    record: NoContent,
    dialect: 'version 4',
  }),
];
