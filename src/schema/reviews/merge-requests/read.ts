import type { Context } from '../../../context.ts';
import { featureLevel, projectAccessLevel } from '../../../database/access/places.ts';
import { all, readMergeRequest, seePlace, toSql, variantOf } from '../../../policy/index.ts';
import { batched } from '../../engine/batched.ts';
import { readableMergeRequests, readMergeRequests, readSubscribed } from './statements/reading.ts';
import type { ShownMergeRequest } from './types.ts';

/** Merge requests by id, for fields of any type. Those of a page are read in one statement. */

const records = batched<ShownMergeRequest>(async ({ database, viewer }, ids) => {
  const rows = await database.rows(readMergeRequests, [ids, viewer.person?.id ?? null]);
  return new Map(rows.map((row) => [row.id, row]));
});

const readable = batched<true>(async ({ database, viewer }, ids) => {
  const condition = toSql(all(seePlace, readMergeRequest), viewer, {
    visibility: 'p.visibility',
    accessLevel: projectAccessLevel('$2::int'),
    level: featureLevel,
  });
  const rows = await database.rows(readableMergeRequests(variantOf(viewer), condition), [
    ids,
    viewer.person?.id ?? null,
  ]);
  return new Map(rows.map(({ id }) => [id, true]));
});

/** A merge request. The caller has checked that the viewer may read it. */
export const mergeRequestById = async (context: Context, id: number): Promise<ShownMergeRequest> =>
  (await records(context, id))!;

/** A merge request, if the viewer may read it; null otherwise. At once for null. */
export const readableMergeRequestById = (
  context: Context,
  id: number | null,
): Promise<ShownMergeRequest | null> | null =>
  id === null
    ? null
    : readable(context, id).then(async (isReadable) => (isReadable ? ((await records(context, id)) ?? null) : null));

/** Whether the viewer is subscribed to a merge request. */
export const isSubscribed = batched<boolean>(async ({ database, viewer }, ids) => {
  if (viewer.person === null) return new Map();
  const rows = await database.rows(readSubscribed, [ids, viewer.person.id]);
  return new Map(rows.map(({ id, subscribed }) => [id, subscribed]));
});
