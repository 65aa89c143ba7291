import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { Conflict, NotFound, PlainBadRequest, PlainForbidden } from '../../../errors.ts';
import { linkIssues, reads, writes } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { identify, idOf } from '../../engine/global-id.ts';
import { rootList } from '../../engine/list.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { requirePerson } from '../issues/changes/input.ts';
import {
  lookUpIssue,
  mayOnIssue,
  prefetchIssue,
  prefetchNamed,
  requireIssueRight,
  type SeenIssue,
} from '../issues/look-up.ts';
import { issueById, readableIssueById } from '../issues/read.ts';
import { Issue } from '../issues/types.ts';
import { linkNote, unlinkNote, writeSystemNotes } from '../notes/system.ts';
import {
  deleteLink,
  findLink,
  insertLink,
  lockIssues,
  markAsDuplicate,
  relatedList,
  type LinkRow,
  type RelatedRecord,
} from './statements.ts';

/** Links between issues: that they have to do with each other. */

const IssueLinkType = builder.enumType('IssueLinkType', { values: { RELATES_TO: {} } as const });

const RelatedIssue = builder.objectRef<RelatedRecord>('RelatedIssue').implement({
  description: 'An issue that is linked with another one.',
  fields: (t) => ({
    issue: t.field({ type: Issue, direct: true, resolve: (row) => ({ ...row, id: row.issueId }) }),
    linkType: t.field({ type: IssueLinkType, direct: true, resolve: () => 'RELATES_TO' as const }),
    linkCreatedAt: t.expose('linkCreatedAt', { type: 'Time' }),
    linkUpdatedAt: t.expose('linkUpdatedAt', { type: 'Time' }),
  }),
});
identify(RelatedIssue, 'IssueLink');

const IssueLink = builder.objectRef<LinkRow>('IssueLink').implement({
  description: 'That two issues have to do with each other.',
  fields: (t) => ({
    source: t.field({ type: Issue, resolve: ({ source_id: id }, _args, context) => issueById(context, id) }),
    target: t.field({ type: Issue, resolve: ({ target_id: id }, _args, context) => issueById(context, id) }),
    linkType: t.field({ type: IssueLinkType, direct: true, resolve: () => 'RELATES_TO' as const }),
  }),
});
identify(IssueLink, 'IssueLink');

const named = builder.args((t) => ({
  project: t.id({ required: true, description: 'Id or full path of the project of the issue.' }),
  iid: t.string({ required: true }),
}));

rootList('relatedIssues', {
  type: RelatedIssue,
  description: 'The issues that are linked with an issue, and that you can read; the oldest link first.',
  admission: { class: 'token', scopes: reads },
  prefetch: prefetchIssue,
  args: () => named,
  orders: { id: { column: 'k.id', type: 'int' } },
  by: 'id_asc',
  rows: async (context, name) => relatedList(context.viewer, (await lookUpIssue(context, name)).issue.id),
});

/** A link of an issue, of which the viewer reads both. @throws NotFound */
async function readableLink(context: Context, { issue }: SeenIssue, given: string): Promise<LinkRow> {
  const [link] = await context.database.rows(findLink, [idOf(given, 'IssueLink'), issue.id]);
  const other = link && (link.source_id === issue.id ? link.target_id : link.source_id);
  if (!link || !(await readableIssueById(context, other!))) throw new NotFound('IssueLink');
  return link;
}

builder.queryField('issueLink', (t) =>
  t.field({
    type: IssueLink,
    nullable: true,
    description: 'A link of an issue.',
    admission: { class: 'token', scopes: reads },
    prefetch: prefetchIssue,
    args: { ...named, id: t.arg.id({ required: true }) },
    resolve: async (_root, { id, ...name }, context) => readableLink(context, await lookUpIssue(context, name), id),
  }),
);

/** How an issue refers to another one. */
export const referenceIn = ({ issue: from }: SeenIssue, { issue: to }: SeenIssue) =>
  `${from.projectId === to.projectId ? '' : to.projectPath}#${to.iid}`;

/** Notes a link, or its end, on both issues. */
async function note(
  sql: Sql,
  authorId: number,
  one: SeenIssue,
  other: SeenIssue,
  text: typeof linkNote,
): Promise<void> {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    const { id: issueId, projectId } = from.issue;
    await writeSystemNotes(sql, { issueId, projectId, authorId }, [text(referenceIn(from, to), to.issue.id)]);
  }
}

/** Marks an issue as a duplicate of another one, and links the two, in the transaction that closes it. @throws NotFound */
export async function markDuplicateWithin(sql: Sql, authorId: number, one: SeenIssue, original: SeenIssue) {
  const ids = [one.issue.id, original.issue.id];
  if ((await sql.rows(lockIssues, [ids])).length < ids.length) throw new NotFound('Issue');
  await sql.rows(markAsDuplicate, ids);
  await sql.rows(insertLink, ids);
  const texts = [
    [one, original, `marked this issue as a duplicate of ${referenceIn(one, original)}`],
    [original, one, `marked ${referenceIn(original, one)} as a duplicate of this issue`],
  ] as const;
  for (const [{ issue }, { issue: other }, body] of texts)
    await writeSystemNotes(sql, { issueId: issue.id, projectId: issue.projectId, authorId }, [
      { body, action: 'duplicate', referrerId: other.id },
    ]);
}

const payload = (t: FieldsOf<{ link: LinkRow }>) => ({
  link: t.field({ type: IssueLink, resolve: ({ link }) => link }),
});

mutation('linkIssues', {
  payload,
  description: 'Links an issue with another one. Needs the role of a guest in both projects.',
  admission: { class: 'token', scopes: writes },
  prefetch: prefetchNamed,
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path or id of the project.' }),
    iid: t.string({ required: true }),
    targetProjectPath: t.id({ required: true, description: 'Full path or id of the other project.' }),
    targetIid: t.string({ required: true }),
  }),
  resolve: async (context, input) => {
    const source = await lookUpIssue(context, { project: input.projectPath, iid: input.iid });
    const target = await lookUpIssue(context, { project: input.targetProjectPath, iid: input.targetIid });
    const may = (seen: SeenIssue) => !seen.isArchived && mayOnIssue(context, seen, linkIssues);
    if (!may(source) || !may(target))
      throw new PlainForbidden("Couldn't link issues. You must have at least the Guest role in both projects.");
    const actor = requirePerson(context);
    const ids = [source.issue.id, target.issue.id];
    if (ids[0] === ids[1]) throw new PlainBadRequest('An issue can’t be linked with itself.');
    const link = await context.database.transaction(async (sql) => {
      const locked = await sql.rows(lockIssues, [ids]);
      if (locked.length < ids.length) throw new NotFound('Issue');
      const [made] = await sql.rows(insertLink, ids);
      if (!made) throw new Conflict('Issue(s) already assigned');
      await note(sql, actor, source, target, linkNote);
      return made;
    });
    return { link };
  },
});

mutation('unlinkIssues', {
  payload: (t: FieldsOf<{ link: LinkRow }>) => ({ ...payload(t) }),
  description: 'Removes a link between issues. Needs the role of a guest in both projects.',
  admission: { class: 'token', scopes: writes },
  prefetch: prefetchNamed,
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path or id of the project of one of the issues.' }),
    iid: t.string({ required: true }),
    linkId: t.id({ required: true }),
  }),
  resolve: async (context, input) => {
    const seen = await lookUpIssue(context, { project: input.projectPath, iid: input.iid });
    const link = await readableLink(context, seen, input.linkId);
    const other = await issueById(context, link.source_id === seen.issue.id ? link.target_id : link.source_id);
    const seenOther = await lookUpIssue(context, { project: String(other.projectId), iid: String(other.iid) });
    if (!mayOnIssue(context, seen, linkIssues) || !mayOnIssue(context, seenOther, linkIssues))
      throw new NotFound('IssueLinkRight');
    requireIssueRight(context, seen, linkIssues);
    const actor = requirePerson(context);
    await context.database.transaction(async (sql) => {
      const [gone] = await sql.rows(deleteLink, [link.id]);
      if (!gone) throw new NotFound('IssueLink');
      await note(sql, actor, seen, seenOther, unlinkNote);
    });
    return { link };
  },
});
