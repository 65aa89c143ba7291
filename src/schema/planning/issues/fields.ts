import {
  adminIssue,
  adminNote,
  createNote,
  destroyIssue,
  holds,
  isOpenTo,
  reads,
  readInternalNote,
  readIssue,
  resolveNote,
  updateIssue,
  type Facts,
  type Viewer,
} from '../../../policy/index.ts';
import type { Context } from '../../../context.ts';
import { orNull } from '../../engine/absent.ts';
import { requireAdministrator } from '../../engine/administrators.ts';
import { batched } from '../../engine/batched.ts';
import { builder } from '../../engine/builder.ts';
import { Project } from '../../places/place/types.ts';
import { may, mayIn } from '../../places/place/permission.ts';
import { rightsById } from '../../places/projects/permissions.ts';
import { userById } from '../../accounts/users/read.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { iidOf, lookUpIssue, lookUpIssueById, prefetchIssue, type SeenIssue } from './look-up.ts';
import { isSubscribed, readableIssueById } from './read.ts';
import { silentProjects } from './statements/mail.ts';
import { findIids } from './statements/reading.ts';
import { Issue, type ShownIssue } from './types.ts';

/** Single issues, and fields of issues that read something more. */

/** How many numbers one request names at most; further ones are ignored. */
const maxNamed = 100;

/** An issue with what its look-up read. */
const shown = ({ issue, subscribed }: SeenIssue): ShownIssue => ({ ...issue, subscribed });

/** Null instead of an issue that is missing or that the viewer doesn't read. */
async function shownOrNull(work: Promise<SeenIssue>): Promise<ShownIssue | null> {
  const seen = await orNull('Issue', work);
  return seen && shown(seen);
}

builder.queryFields((t) => ({
  issue: t.field({
    type: Issue,
    nullable: true,
    description: 'An issue, by its id or by its project and its iid; null if it is missing or you can’t read it.',
    admission: { class: 'token', scopes: reads, anonymous: true },
    prefetch: prefetchIssue,
    args: {
      id: t.arg({ type: 'IssueID' }),
      project: t.arg.id({ description: 'Instead of `id`: id or full path of the project, and `iid`.' }),
      iid: t.arg.string(),
    },
    resolve: async (_root, { id, project, iid }, context) => {
      if (project != null && iid != null) return await shownOrNull(lookUpIssue(context, { project, iid }));
      return id == null ? null : await shownOrNull(lookUpIssueById(context, id));
    },
  }),
  anyIssue: t.field({
    type: Issue,
    nullable: true,
    description: 'An issue by its id, wherever it is. For administrators.',
    admission: { class: 'token', scopes: reads },
    args: { id: t.arg({ type: 'IssueID', required: true }) },
    resolve: async (_root, { id }, context) => {
      requireAdministrator(context);
      return await shownOrNull(lookUpIssueById(context, id));
    },
  }),
}));

builder.objectField(Project, 'issue', (t) =>
  t.field({
    type: Issue,
    nullable: true,
    description: 'The issue of the project with a number; null if it is missing or you can’t read it.',
    args: {
      iid: t.arg.string(),
      iids: t.arg.stringList({ description: 'Instead of `iid`: the newest of these that you can read.' }),
    },
    resolve: async (project, { iid, iids }, context) => {
      const wanted = (iid == null ? (iids ?? []) : [iid]).slice(0, maxNamed).map(iidOf);
      const rows = await context.database.rows(findIids, [project.id, wanted]);
      const newest = rows.toSorted((one, other) => other.id - one.id);
      const all = await Promise.all(newest.map(({ id }) => readableIssueById(context, id)));
      return all.find((one) => one !== null) ?? null;
    },
  }),
);

/** Which projects of a page send no mail. */
const silent = batched<true>(
  async ({ database }, ids) => new Map((await database.rows(silentProjects, [ids])).map(({ id }) => [id, true])),
);

/** What decides what the viewer may do with an issue. */
async function factsAbout(
  context: Context,
  { projectId, authorId, assigneeId, confidential, discussionLocked }: ShownIssue,
): Promise<IssueRights> {
  const { facts, archived } = (await rightsById(context, projectId))!;
  return { ...facts, archived, issue: { authorId, assigneeId, confidential }, isLocked: discussionLocked ?? false };
}

/** The facts, and whether nothing changes, or only members comment. */
interface IssueRights extends Facts {
  readonly archived: boolean;
  readonly isLocked: boolean;
}

/** Whether a viewer takes part in its discussion. */
const mayComment = (facts: IssueRights, viewer: Viewer) =>
  holds(createNote, viewer, facts) && isOpenTo(viewer, { facts, isArchived: facts.archived, isLocked: facts.isLocked });

const IssuePermissions = builder.objectRef<IssueRights>('IssuePermissions').implement({
  description: 'What you may do with an issue.',
  fields: (t) => ({
    readIssue: t.boolean(may(readIssue, 'True: you read it.')),
    updateIssue: t.boolean(mayIn(updateIssue, 'Whether you change title and description, close and reopen it.')),
    reopenIssue: t.boolean(mayIn(updateIssue, 'Whether you reopen it.')),
    adminIssue: t.boolean(mayIn(adminIssue, 'Whether you change everything else.')),
    destroyIssue: t.boolean(mayIn(destroyIssue, 'Whether you delete it.')),
    createNote: t.boolean({
      description: 'Whether you comment.',
      resolve: (facts, _args, { viewer }) => mayComment(facts, viewer),
    }),
    readInternalNote: t.boolean(may(readInternalNote, 'Whether you read and write internal comments.')),
    adminNote: t.boolean(mayIn(adminNote, 'Whether you change and delete the comments of others.')),
    resolveNote: t.boolean({
      description: 'Whether you resolve its threads.',
      resolve: (facts, _args, { viewer }) => mayComment(facts, viewer) && holds(resolveNote, viewer, facts),
    }),
  }),
});

builder.objectFields(Issue, (t) => ({
  subscribed: t.boolean({
    description: 'Whether you are notified of it: as you decided, otherwise if you take part.',
    resolve: async ({ id, subscribed }, _args, context) => subscribed ?? (await isSubscribed(context, id)) ?? false,
  }),
  updatedBy: t.field({
    type: UserCore,
    nullable: true,
    resolve: ({ updatedById }, _args, context) => userById(context, updatedById),
  }),
  movedTo: t.field({
    type: Issue,
    nullable: true,
    description: 'The issue that it became elsewhere; null if you can’t read that one.',
    resolve: ({ movedToId }, _args, context) => readableIssueById(context, movedToId),
  }),
  closedAsDuplicateOf: t.field({
    type: Issue,
    nullable: true,
    description: 'The issue that it is a duplicate of; null if you can’t read that one.',
    resolve: ({ duplicatedToId }, _args, context) => readableIssueById(context, duplicatedToId),
  }),
  emailsDisabled: t.boolean({
    description: 'Whether its project, or a group above that, sends no mail.',
    resolve: async ({ projectId }, _args, context) => (await silent(context, projectId)) ?? false,
  }),
  userPermissions: t.field({
    type: IssuePermissions,
    resolve: (issue, _args, context) => factsAbout(context, issue),
  }),
}));
