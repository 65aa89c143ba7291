import type { Context } from '../../../context.ts';
import { featureLevel, projectAccessLevel } from '../../../database/access/places.ts';
import { all, readIssue, seePlace, toSql, variantOf } from '../../../policy/index.ts';
import { batched } from '../../engine/batched.ts';
import { readableIssues, readIssues, readSubscribed } from './statements/reading.ts';
import type { ShownIssue } from './types.ts';

/** Issues by id, for fields of any type. Those of a page are read in one statement. */

const records = batched<ShownIssue>(async ({ database, viewer }, ids) => {
  const rows = await database.rows(readIssues, [ids, viewer.person?.id ?? null]);
  return new Map(rows.map((row) => [row.id, row]));
});

const readable = batched<true>(async ({ database, viewer }, ids) => {
  const condition = toSql(all(seePlace, readIssue), viewer, {
    visibility: 'p.visibility',
    accessLevel: projectAccessLevel('$2::int'),
    level: featureLevel,
    issue: {
      authorId: 'i.author_id',
      assigneeId: 'i.assignee_id',
      confidential: 'i.confidential',
      viewerId: '$2::int',
    },
  });
  const rows = await database.rows(readableIssues(variantOf(viewer), condition), [ids, viewer.person?.id ?? null]);
  return new Map(rows.map(({ id }) => [id, true]));
});

/** An issue. The caller has checked that the viewer may read it. */
export const issueById = async (context: Context, id: number): Promise<ShownIssue> => (await records(context, id))!;

/** An issue, if the viewer may read it; null otherwise. At once for null, so that a page of such fields waits for nothing. */
export const readableIssueById = (context: Context, id: number | null): Promise<ShownIssue | null> | null =>
  id === null
    ? null
    : readable(context, id).then(async (isReadable) => (isReadable ? ((await records(context, id)) ?? null) : null));

/** Whether the viewer is subscribed to an issue. */
export const isSubscribed = batched<boolean>(async ({ database, viewer }, ids) => {
  if (viewer.person === null) return new Map();
  const rows = await database.rows(readSubscribed, [ids, viewer.person.id]);
  return new Map(rows.map(({ id, subscribed }) => [id, subscribed]));
});
