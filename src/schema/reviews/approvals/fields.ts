import type { Context } from '../../../context.ts';
import { Conflict, Forbidden, NotAuthorized, NotFound } from '../../../errors.ts';
import { approveMergeRequest, writes } from '../../../policy/index.ts';
import { userById } from '../../accounts/users/read.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { batched } from '../../engine/batched.ts';
import { builder } from '../../engine/builder.ts';
import { mutation } from '../../engine/mutation.ts';
import { connectionOf, offsetArg, resolveArrayPage, usually } from '../../engine/page.ts';
import { factsOf } from '../../places/projects/permissions.ts';
import { publishMergeRequest } from '../../planning/live/publish.ts';
import { projectById } from '../../places/place/read.ts';
import {
  lookUpMergeRequest,
  mayOnMergeRequest,
  prefetchNamed,
  type SeenMergeRequest,
} from '../merge-requests/look-up.ts';
import { mergeRequestPayload } from '../merge-requests/changes/payload.ts';
import { MergeRequest } from '../merge-requests/types.ts';
import { deleteApproval, findApprovals, insertApproval } from './statements.ts';

/** Approvals, as in GitLab's free edition: they are shown, and never stand in the way of merging. */

interface ApprovalRecord {
  readonly userId: number;
  readonly approvedAt: Date;
}

const approvalsOf = batched<readonly ApprovalRecord[]>(async ({ database }, ids) => {
  const rows = await database.rows(findApprovals, [ids]);
  const found = new Map<number, ApprovalRecord[]>(ids.map((id) => [id, []]));
  for (const row of rows) found.get(row.merge_request_id)!.push({ userId: row.user_id, approvedAt: row.created_at });
  return found;
});

const listed = async (context: Context, id: number): Promise<readonly ApprovalRecord[]> =>
  (await approvalsOf(context, id))!;

const Approval = builder.objectRef<ApprovalRecord>('MergeRequestApproval').implement({
  description: 'An approval by a person.',
  fields: (t) => ({
    user: t.field({
      type: UserCore,
      resolve: async ({ userId }, _args, context) => (await userById(context, userId))!,
    }),
    approvedAt: t.expose('approvedAt', { type: 'Time' }),
  }),
});

builder.objectFields(MergeRequest, (t) => ({
  approved: t.boolean({
    description: 'Whether anyone approved it.',
    resolve: async ({ id }, _args, context) => (await listed(context, id)).length > 0,
  }),
  approvals: t.field({
    type: [Approval],
    description: 'Who approved it and when, the first one first.',
    resolve: ({ id }, _args, context) => listed(context, id),
  }),
  approvedBy: t.connection(
    {
      type: UserCore,
      nullable: true,
      description: 'Who approved it.',
      ...usually(20),
      args: { ...offsetArg },
      resolve: async ({ id }, args, context) => {
        const people = await Promise.all((await listed(context, id)).map(({ userId }) => userById(context, userId)));
        return resolveArrayPage(
          args,
          people.filter((one) => one !== null),
          (one) => String(one.id),
        ) as never;
      },
    },
    connectionOf(UserCore) as never,
  ),
  userHasApproved: t.boolean({
    description: 'Whether you approved it.',
    resolve: async ({ id }, _args, context) =>
      (await listed(context, id)).some(({ userId }) => userId === context.viewer.person?.id),
  }),
  userCanApprove: t.boolean({
    description: 'Whether you may approve it, and haven’t.',
    resolve: async ({ id, projectId, state }, _args, context) => {
      const { viewer } = context;
      if (viewer.person === null || state !== 'OPENED') return false;
      const project = (await projectById(context, projectId))!;
      const facts = await factsOf(context, project);
      const has = (await listed(context, id)).some(({ userId }) => userId === viewer.person?.id);
      return !has && mayApprove(context, { facts, isArchived: project.archived });
    },
  }),
}));

function mayApprove(context: Context, seen: Pick<SeenMergeRequest, 'facts' | 'isArchived'>): boolean {
  return !seen.isArchived && mayOnMergeRequest(context, seen, approveMergeRequest);
}

function requireApproving(context: Context, seen: SeenMergeRequest): void {
  if (!mayApprove(context, seen)) throw new Forbidden();
}

mutation('mergeRequestApprove', {
  payload: mergeRequestPayload,
  description: 'Approves a merge request.',
  admission: { class: 'token', scopes: writes },
  prefetch: prefetchNamed,
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path or id of the target.' }),
    iid: t.string({ required: true }),
    sha: t.string({ description: 'The head that you saw: refused if there is another one by now.' }),
  }),
  resolve: async (context: Context, { projectPath: project, iid, sha }) => {
    const seen = await lookUpMergeRequest(context, { project, iid });
    requireApproving(context, seen);
    const { id, headSha, state } = seen.mergeRequest;
    if (sha && sha !== headSha) throw new Conflict(`SHA does not match HEAD of source branch: ${headSha ?? ''}`);
    if (state !== 'OPENED') throw new NotAuthorized();
    const [approved] = await context.database.rows(insertApproval, [id, context.viewer.person!.id]);
    if (!approved) throw new NotAuthorized();
    publishMergeRequest(context, id, ['APPROVALS']);
    return { id };
  },
});

mutation('mergeRequestResetApprovals', {
  payload: mergeRequestPayload,
  description: 'Takes back all approvals of a merge request. For bots alone, as in GitLab: people are refused.',
  admission: { class: 'token', scopes: writes },
  prefetch: prefetchNamed,
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path or id of the target.' }),
    iid: t.string({ required: true }),
  }),
  resolve: async (context: Context, { projectPath: project, iid }) => {
    await lookUpMergeRequest(context, { project, iid });
    // Every account here is a person's.
    throw new NotAuthorized();
  },
});

mutation('mergeRequestUnapprove', {
  payload: mergeRequestPayload,
  description: 'Takes back that you approved a merge request.',
  admission: { class: 'token', scopes: writes },
  prefetch: prefetchNamed,
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path or id of the target.' }),
    iid: t.string({ required: true }),
  }),
  resolve: async (context: Context, { projectPath: project, iid }) => {
    const seen = await lookUpMergeRequest(context, { project, iid });
    requireApproving(context, seen);
    const { id } = seen.mergeRequest;
    const [gone] = await context.database.rows(deleteApproval, [id, context.viewer.person?.id ?? 0]);
    if (!gone) throw new NotFound('Approval');
    publishMergeRequest(context, id, ['APPROVALS']);
    return { id };
  },
});
