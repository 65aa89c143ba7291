import type { Context } from '../../../context.ts';
import { projectAccessLevel } from '../../../database/access/places.ts';
import { readNamespaces, readProjects } from '../../../database/access/records.ts';
import { batched, batchedRecords } from '../../engine/batched.ts';
import { seenBy } from './seen-by.ts';
import { groupRoles, visibleGroups, visibleProjects } from './statements.ts';

/** Groups and projects by id, for fields of any type. Those of a page are read in one statement. */

const isVisibleGroup = batched<true>(async (context, ids) => {
  const { variant, visible } = seenBy(context);
  const rows = await context.database.rows(visibleGroups(variant, visible), [ids, context.viewer.person?.id ?? null]);
  return new Map(rows.map(({ id }) => [id, true]));
});

const isVisibleProject = batched<true>(async (context, ids) => {
  const { variant, visible } = seenBy(context);
  const condition = visible({ visibility: 'p.visibility', accessLevel: projectAccessLevel('$2::int') });
  const rows = await context.database.rows(visibleProjects(variant, condition), [
    ids,
    context.viewer.person?.id ?? null,
  ]);
  return new Map(rows.map(({ id }) => [id, true]));
});

const groupRole = batched<number>(async ({ database, viewer }, ids) => {
  const rows = await database.rows(groupRoles, [ids, viewer.person!.id]);
  return new Map(rows.map(({ id, access_level: level }) => [id, level ?? 0]));
});

/** The number of the viewer's role in a group, direct or inherited; 0 for none. */
export const roleInGroup = async (context: Context, id: number): Promise<number> =>
  context.viewer.person === null ? 0 : ((await groupRole(context, id)) ?? 0);

/** Whether the viewer sees the group with an id. */
export const seesGroup = async (context: Context, id: number): Promise<boolean> =>
  (await isVisibleGroup(context, id)) === true;

/** A group or a personal namespace. The caller has checked that the viewer may see it. */
export const namespaceById = batchedRecords(readNamespaces);
/** A group, if the viewer may see it. */
export const visibleGroupById = batchedRecords(readNamespaces, isVisibleGroup);

/** A project. The caller has checked that the viewer may see it. */
export const projectById = batchedRecords(readProjects);
/** A project, if the viewer may see it. */
export const visibleProjectById = batchedRecords(readProjects, isVisibleProject);
