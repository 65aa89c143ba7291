import type { Context } from '../../../context.ts';
import { viewerId, type Prefetch } from '../../../database/index.ts';
import type { ByReference, PlaceRow } from '../../../database/access/places.ts';
import { Moved, NotFound } from '../../../errors.ts';
import { accessByKey, holds, reachesProject, seePlace, type Facts } from '../../../policy/index.ts';
import { isReference, reference } from '../../engine/global-id.ts';

/** What decides what the viewer may do in a place. The levels of features are those that the statement read. */
export function facts(row: PlaceRow): Facts {
  const { issues_level: issues, merge_requests_level: mergeRequests, snippets_level: snippets } = row;
  const levels = {
    issues,
    mergeRequests,
    snippets,
    repository: row.repository_level,
    builds: row.builds_level,
    environments: row.environments_level,
  };
  const { visibility, access_level: accessLevel, public_jobs: publicJobs } = row;
  const own = { visibility, accessLevel: accessLevel ?? 0, levels };
  return publicJobs === undefined ? own : { ...own, publicJobs };
}

/**
 * Looks up a place that the viewer may see, with a statement of the caller. A missing place and a hidden one cost
 * the same work and get the same answer.
 * @param more further values of the statement
 * @throws NotFound with the subject; its subclass Moved for a place whose path has changed; BadRequest
 */
export async function lookUp<Row extends PlaceRow>(
  context: Context,
  statements: ByReference<Row>,
  subject: 'Project' | 'Group',
  given: string,
  ...more: readonly unknown[]
): Promise<Row> {
  const { by, value } = reference(given, subject);
  const [found] = await context.database.rows<Row & { path?: string }>(statements[by], [
    value,
    context.viewer.person?.id ?? null,
    ...more,
  ]);
  // A deploy key is a member of nothing: it names its projects itself.
  const byKey = found && subject === 'Project' ? accessByKey(context.viewer, found.id) : null;
  const row = byKey === null ? found : { ...found!, access_level: byKey };
  if (!row || !isReached(context, subject, row) || !holds(seePlace, context.viewer, facts(row)))
    throw new NotFound(subject);
  if (by === 'path' && row.path !== value) throw new Moved(subject, row.id, String(value));
  return row;
}

/** The token of a job reaches no place but its project. */
const isReached = ({ viewer }: Context, subject: 'Project' | 'Group', { id }: PlaceRow) =>
  subject === 'Project' ? reachesProject(viewer, id) : viewer.credential?.kind !== 'job';

/** The same look-up as a prefetch with the viewer's credential. @param given not validated yet */
export function prefetchPlace<Row extends PlaceRow>(
  statements: ByReference<Row>,
  subject: 'Project' | 'Group',
  given: unknown,
  ...more: readonly unknown[]
): Prefetch | undefined {
  if (typeof given !== 'string' || !isReference(given, subject)) return undefined;
  const { by, value } = reference(given, subject);
  return { statement: statements[by], values: [value, viewerId, ...more] };
}

/**
 * Several places, in the order given, with one statement.
 * @throws NotFound naming the subject, if any of them is missing or hidden; BadRequest
 */
export async function lookUpMany<Row extends PlaceRow>(
  context: Context,
  statements: ByReference<Row>,
  subject: 'Project' | 'Group',
  given: readonly string[],
): Promise<Row[]> {
  if (given.length === 0) return [];
  const references = given.map((one) => reference(one, subject));
  const values = (by: 'id' | 'path') => references.filter((one) => one.by === by).map(({ value }) => value);
  const rows = await context.database.rows(statements.many, [
    values('id'),
    context.viewer.person?.id ?? null,
    values('path'),
  ]);
  const visible = rows.filter((row) => isReached(context, subject, row) && holds(seePlace, context.viewer, facts(row)));
  const found = new Map<number | string, Row>(
    visible.flatMap((row) => [
      [row.id, row],
      [row.path, row],
    ]),
  );
  return references.map(({ value }) => {
    const row = found.get(value);
    if (!row) throw new NotFound(subject);
    return row;
  });
}
