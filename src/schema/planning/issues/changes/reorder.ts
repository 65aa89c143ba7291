import type { Sql } from '../../../../database/index.ts';
import { BadRequest, NotFound, Unprocessable } from '../../../../errors.ts';
import { adminIssue, writes } from '../../../../policy/index.ts';
import { idOf } from '../../../engine/global-id.ts';
import { mutation } from '../../../engine/mutation.ts';
import { requirePerson } from './input.ts';
import { lookUpIssue, prefetchNamed, requireIssueRight } from '../look-up.ts';
import { issuePayload } from './payload.ts';
import { readableIssueById } from '../read.ts';
import { lockPlaces, nextPlace, previousPlace, setPlace, spreadPlaces } from '../statements/move.ts';
import { largestInteger } from '../../../../values/integers.ts';

/** The distance to the last or the first issue. */
const step = 500;

/** A place next to that of a neighbour: undefined if there is no room. */
async function placeNextTo(
  sql: Sql,
  id: number,
  neighbour: number,
  side: 'after' | 'before',
): Promise<number | undefined> {
  const rows = await sql.rows(lockPlaces, [[id, neighbour]]);
  const at = rows.find((row) => row.id === neighbour);
  if (!at || rows.length < 2) throw new NotFound('Issue');
  if (at.relative_position === null) return undefined;
  const projects = [...new Set(rows.map(({ project_id: project }) => project))];
  const [found] = await sql.rows(side === 'after' ? nextPlace : previousPlace, [projects, at.relative_position, id]);
  const other = found!.place;
  if (other === null) {
    const place = at.relative_position + (side === 'after' ? step : -step);
    return Math.abs(place) < largestInteger ? place : undefined;
  }
  const middle = Math.trunc((at.relative_position + other) / 2);
  return middle === at.relative_position || middle === other ? undefined : middle;
}

mutation('issueReorder', {
  payload: issuePayload,
  description:
    'Gives an issue another place in the manual order, behind or before another one. For planners and above.',
  admission: { class: 'token', scopes: writes },
  prefetch: prefetchNamed,
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path or id of the project.' }),
    iid: t.string({ required: true }),
    moveAfterId: t.id({ description: 'The issue behind which it goes.' }),
    moveBeforeId: t.id({ description: 'The issue before which it goes.' }),
  }),
  resolve: async (context, { projectPath: project, iid, moveAfterId, moveBeforeId }) => {
    const seen = await lookUpIssue(context, { project, iid });
    requireIssueRight(context, seen, adminIssue);
    requirePerson(context);
    const named = [moveAfterId, moveBeforeId].flatMap((one) => (one == null ? [] : [idOf(one, 'Issue')]));
    if (named.length === 0) throw new BadRequest('Name an issue behind or before which it goes.');
    const { id } = seen.issue;
    const neighbours = await Promise.all(named.map((one) => readableIssueById(context, one)));
    // Issues are ordered within a group.
    const root = (path: string) => path.slice(0, path.indexOf('/'));
    const isNear = (one: (typeof neighbours)[number]) =>
      one !== null && one.id !== id && root(one.projectPath) === root(seen.issue.projectPath);
    if (!neighbours.every(isNear)) throw new Unprocessable();
    const neighbour = neighbours[0]!;
    const side = moveAfterId == null ? 'before' : 'after';
    await context.database.transaction(async (sql) => {
      let place = await placeNextTo(sql, id, neighbour.id, side);
      if (place === undefined) {
        await sql.rows(spreadPlaces, [[...new Set([seen.issue.projectId, neighbour.projectId])]]);
        place = await placeNextTo(sql, id, neighbour.id, side);
      }
      if (place === undefined) throw new Unprocessable();
      await sql.rows(setPlace, [id, place]);
    });
    return { id };
  },
});
