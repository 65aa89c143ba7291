import type { Context } from '../../../context.ts';
import {
  adminNote,
  approveMergeRequest,
  createNote,
  destroyMergeRequest,
  holds,
  isOpenTo,
  mayChange,
  mayMergeInto,
  readInternalNote,
  readMergeRequest,
  resolveNote,
  updateMergeRequest,
  writeCode,
  type Facts,
  type Viewer,
} from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { may, mayIn } from '../../places/place/permission.ts';
import { rightsById } from '../../places/projects/permissions.ts';
import { rulesOf } from '../../repository/protected-branches/read.ts';
import { MergeRequest, type ShownMergeRequest } from './types.ts';

/** What the viewer may do with a merge request, as `userPermissions` shows it. */

interface Rights extends Facts {
  readonly archived: boolean;
  readonly one: ShownMergeRequest;
  /** The target: one record for a page, so that its rules are read once. */
  readonly target: { readonly id: number };
}

async function rightsAbout(context: Context, one: ShownMergeRequest): Promise<Rights> {
  const target = one.rights
    ? { id: one.projectId, archived: one.rights.isArchived, facts: one.rights.facts }
    : (await rightsById(context, one.projectId))!;
  const mergeRequest = { authorId: one.authorId, assigneeId: one.assigneeId };
  return { ...target.facts, archived: target.archived, mergeRequest, one, target };
}

/** Whether a viewer takes part in its discussion. */
const mayComment = (rights: Rights, viewer: Viewer) =>
  holds(createNote, viewer, rights) &&
  isOpenTo(viewer, { facts: rights, isArchived: rights.archived, isLocked: rights.one.discussionLocked === true });

const MergeRequestPermissions = builder.objectRef<Rights>('MergeRequestPermissions').implement({
  description: 'What you may do with a merge request.',
  fields: (t) => ({
    readMergeRequest: t.boolean(may(readMergeRequest, 'True: you read it.')),
    updateMergeRequest: t.boolean(mayIn(updateMergeRequest, 'Whether you change, close and reopen it.')),
    adminMergeRequest: t.boolean(mayIn(updateMergeRequest, 'The same.')),
    destroyMergeRequest: t.boolean(mayIn(destroyMergeRequest, 'Whether you delete it.')),
    canApprove: t.boolean(mayIn(approveMergeRequest, 'Whether you approve it.')),
    canMerge: t.boolean({
      description: 'Whether you may merge into its target branch.',
      resolve: async (rights, _args, context) => {
        const { viewer } = context;
        // Most people may not write at all: no rule needs to be read for them.
        if (!mayChange(writeCode, viewer, rights, rights.archived)) return false;
        const { archived, one, target } = rights;
        const rules = await rulesOf(context, target);
        return mayMergeInto({ viewer, facts: rights, archived, rules }, one.targetBranch);
      },
    }),
    readInternalNote: t.boolean(may(readInternalNote, 'Whether you read and write internal comments.')),
    adminNote: t.boolean(mayIn(adminNote, 'Whether you change and delete the comments of others.')),
    resolveNote: t.boolean({
      description: 'Whether you resolve its threads.',
      resolve: (rights, _args, { viewer }) => mayComment(rights, viewer) && holds(resolveNote, viewer, rights),
    }),
    createNote: t.boolean({
      description: 'Whether you comment.',
      resolve: (rights, _args, { viewer }) => mayComment(rights, viewer),
    }),
  }),
});

builder.objectField(MergeRequest, 'userPermissions', (t) =>
  t.field({ type: MergeRequestPermissions, resolve: (one, _args, context) => rightsAbout(context, one) }),
);
