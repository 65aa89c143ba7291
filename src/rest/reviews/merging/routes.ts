import { flag, text } from '../../engine/declared.ts';
import { objectSchema } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { mergeRequestIn, nameOf, notFound, one, tag, type Payload } from '../merge-requests/actions.ts';
import { mergeRequestFields } from '../merge-requests/record.ts';

/** Routes that merge, and that get a merge request ready for it. */

export const mergingRoutes: readonly AnyRoute[] = [
  route<Payload<'mergeRequestAccept'>>({
    method: 'PUT',
    path: `${one}/merge`,
    summary: 'Merge a merge request',
    tag,
    parameters: [
      text('merge_commit_message', 'The message of the merge commit.'),
      text('squash_commit_message', 'The message of the squashed commit.'),
      flag('should_remove_source_branch', 'Whether the source branch is removed; as its author asked, if omitted.'),
      flag('merge_when_pipeline_succeeds', 'Once the pipeline of the head succeeds.'),
      flag('auto_merge', 'The same.'),
      text('sha', 'The head that you saw: refused if there is another one by now.'),
      flag('squash', 'Whether its commits become one; as it says itself, if omitted.'),
    ],
    operation: `mutation ($input: MergeRequestAcceptInput!) {
      mergeRequestAccept(input: $input) { mergeRequest { ${mergeRequestFields} } }
    }`,
    variables: (values) => ({
      input: {
        ...nameOf(values),
        sha: values.sha,
        strategy:
          values.merge_when_pipeline_succeeds === true || values.auto_merge === true
            ? 'MERGE_WHEN_PIPELINE_SUCCEEDS'
            : undefined,
        commitMessage: values.merge_commit_message,
        squashCommitMessage: values.squash_commit_message,
        squash: values.squash,
        shouldRemoveSourceBranch: values.should_remove_source_branch,
      },
    }),
    refusals: [409, 422],
    missing: notFound,
    record: mergeRequestIn('mergeRequestAccept'),
    dialect: 'version 4',
  }),
  route<{ mergeRequestCancelAutoMerge: { readonly cancelled: boolean } }>({
    method: 'POST',
    path: `${one}/cancel_merge_when_pipeline_succeeds`,
    summary: 'Stop a merge request from being merged once its pipeline succeeds',
    tag,
    parameters: [],
    operation: `mutation ($input: MergeRequestCancelAutoMergeInput!) {
      mergeRequestCancelAutoMerge(input: $input) { cancelled }
    }`,
    variables: (values) => ({ input: nameOf(values) }),
    status: 201,
    missing: notFound,
    record: {
      name: 'AutoMergeCancelled',
      schema: objectSchema(
        {
          status: { type: 'string', enum: ['success', 'error'] },
          message: { type: 'string' },
          http_status: { type: 'integer' },
        },
        ['message', 'http_status'],
      ),
      present: ({ mergeRequestCancelAutoMerge: { cancelled } }) =>
        cancelled
          ? { status: 'success' }
          : { status: 'error', message: "Can't cancel the automatic merge", http_status: 406 },
    },
    dialect: 'version 4',
  }),
  route<{ mergeRequestRebase: unknown }>({
    method: 'PUT',
    path: `${one}/rebase`,
    summary: 'Rebase the source branch of a merge request, in the background',
    tag,
    parameters: [flag('skip_ci', 'Whether no pipeline is made for it.')],
    operation: `mutation ($input: MergeRequestRebaseInput!) { mergeRequestRebase(input: $input) { mergeRequest { iid } } }`,
    variables: (values) => ({ input: { ...nameOf(values), skipCi: values.skip_ci } }),
    status: 202,
    refusals: [409],
    missing: notFound,
    record: {
      name: 'RebaseInProgress',
      schema: objectSchema({ rebase_in_progress: { type: 'boolean' } }),
      present: () => ({ rebase_in_progress: true }),
    },
    dialect: 'version 4',
  }),
  route<{ mergeRequest: { readonly mergeRef: string } }>({
    method: 'GET',
    path: `${one}/merge_ref`,
    summary: 'Merge a merge request on trial',
    tag,
    parameters: [],
    operation: `query ($project: ID!, $iid: String!) { mergeRequest(project: $project, iid: $iid, current: true) { mergeRef } }`,
    variables: ({ id: project, merge_request_iid: iid }) => ({ project, iid }),
    subject: 'MergeRequest',
    missing: notFound,
    record: {
      name: 'MergeRef',
      schema: objectSchema({ commit_id: { type: 'string' } }),
      present: ({ mergeRequest }) => ({ commit_id: mergeRequest.mergeRef }),
    },
    dialect: 'version 4',
  }),
];
