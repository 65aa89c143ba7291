import { UserBasic, userBasicFields, type UserBasicData } from '../../accounts/users/basic.ts';
import { listRoute } from '../../engine/list-route.ts';
import { Accepted, objectSchema, recordOf, type Record as WireRecord } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { flag } from '../../engine/schemas.ts';
import { nameOf, notFound, one, tag } from '../merge-requests/actions.ts';

/** Routes of approvals, as in the free edition. */

interface ApprovalsData {
  readonly userHasApproved: boolean;
  readonly userCanApprove: boolean;
  readonly approved: boolean;
  readonly approvals: readonly { readonly user: UserBasicData; readonly approvedAt: string }[];
}

const approvalFields = `userHasApproved userCanApprove approved approvals { user { ${userBasicFields} } approvedAt }`;

const Approvals: WireRecord<ApprovalsData> = {
  name: 'MergeRequestApprovals',
  schema: objectSchema({
    user_has_approved: flag,
    user_can_approve: flag,
    approved: flag,
    approved_by: {
      type: 'array',
      items: objectSchema({ user: UserBasic.schema, approved_at: { type: 'string', format: 'date-time' } }),
    },
  }),
  present: (data) => ({
    user_has_approved: data.userHasApproved,
    user_can_approve: data.userCanApprove,
    approved: data.approved,
    approved_by: data.approvals.map(({ user, approvedAt }) => ({
      user: UserBasic.present(user),
      approved_at: approvedAt,
    })),
  }),
};

interface ReviewData {
  readonly user: UserBasicData;
  readonly reviewState: string;
  readonly createdAt: string;
}

const Review: WireRecord<ReviewData> = {
  name: 'MergeRequestReviewer',
  schema: objectSchema({
    user: UserBasic.schema,
    state: { type: 'string', enum: ['unreviewed', 'reviewed', 'approved', 'unapproved'] },
    created_at: { type: 'string', format: 'date-time' },
  }),
  present: ({ user, reviewState, createdAt }) => ({
    user: UserBasic.present(user),
    state: reviewState.toLowerCase(),
    created_at: createdAt,
  }),
};

const changed = (verb: 'approve' | 'unapprove', field: string, summary: string): AnyRoute =>
  route<{ [field: string]: { readonly mergeRequest: ApprovalsData } }>({
    method: 'POST',
    path: `${one}/${verb}`,
    summary,
    tag,
    parameters:
      verb === 'approve'
        ? [
            {
              name: 'sha',
              type: 'string',
              description: 'The head that you saw: refused if there is another one by now.',
            },
          ]
        : [],
    operation: `mutation ($input: ${field[0]!.toUpperCase()}${field.slice(1)}Input!) {
      ${field}(input: $input) { mergeRequest { ${approvalFields} } }
    }`,
    variables: (values) => ({ input: { ...nameOf(values), ...(verb === 'approve' && { sha: values.sha }) } }),
    status: 201,
    refusals: verb === 'approve' ? [409] : [404],
    missing: { ...notFound, Approval: '404 Not Found' },
    record: recordOf(Approvals, (data) => data[field]!.mergeRequest),
    dialect: 'version 4',
  });

export const approvalRoutes: readonly AnyRoute[] = [
  route<{ mergeRequest: ApprovalsData }>({
    method: 'GET',
    path: `${one}/approvals`,
    summary: 'Get the approvals of a merge request',
    tag,
    parameters: [],
    operation: `query ($project: ID!, $iid: String!) { mergeRequest(project: $project, iid: $iid) { ${approvalFields} } }`,
    variables: ({ id: project, merge_request_iid: iid }) => ({ project, iid }),
    subject: 'MergeRequest',
    missing: notFound,
    record: recordOf(Approvals, ({ mergeRequest }) => mergeRequest),
    dialect: 'version 4',
  }),
  changed('approve', 'mergeRequestApprove', 'Approve a merge request'),
  changed('unapprove', 'mergeRequestUnapprove', 'Take back an approval of a merge request'),
  route<unknown>({
    method: 'PUT',
    path: `${one}/reset_approvals`,
    summary: 'Take back all approvals of a merge request (bots only)',
    tag,
    parameters: [],
    operation: `mutation ($input: MergeRequestResetApprovalsInput!) {
      mergeRequestResetApprovals(input: $input) { mergeRequest { iid } }
    }`,
    variables: (values) => ({ input: nameOf(values) }),
    status: 202,
    missing: notFound,
    record: Accepted,
    dialect: 'version 4',
  }),
  listRoute<ReviewData>({
    path: `${one}/reviewers`,
    summary: 'List the reviewers of a merge request, and how far they have come',
    tag,
    of: 'MergeRequestReview',
    within: { field: 'mergeRequest', args: { project: 'ID', iid: 'String' } },
    subject: 'MergeRequest',
    missing: notFound,
    parameters: [],
    field: 'reviews',
    selection: `user { ${userBasicFields} } reviewState createdAt`,
    variables: ({ id: project, merge_request_iid: iid }) => ({ project, iid }),
    record: Review,
  }),
];
