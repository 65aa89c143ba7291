import type { Context } from '../../../context.ts';
import { takenIn, type Sql } from '../../../database/index.ts';
import { findGroup, findNamespace, findProject, type NamespaceRow } from '../../../database/access/places.ts';
import { BadRequest, Forbidden, NotFound, TransferRefused } from '../../../errors.ts';
import { holds, isAdministrator, makeProject, ownProject, takeProject, writes } from '../../../policy/index.ts';
import { requireAdministrator } from '../../engine/administrators.ts';
import { reference } from '../../engine/global-id.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { mergeAllWhenDue } from '../../reviews/merging/when-due.ts';
import { again, untilSettled } from '../place/again.ts';
import { facts, lookUp } from '../place/look-up.ts';
import { projectById } from '../place/read.ts';
import { Project } from '../place/types.ts';
import { holdNamespaces, keepPlanningOfProject } from './move.ts';
import { findNamespaceOf, holdProject, isNameTaken, transferProject } from './statements.ts';

const refusals = {
  same: 'Project is already in this namespace.',
  notThere: "You don't have permission to transfer projects into that namespace.",
  taken: 'Project with same name or path in target namespace already exists',
} as const;

/** A namespace in which the viewer has a role. @throws NotFound for any other, as if it weren't there */
async function namespaceOf({ viewer, database }: Context, given: string): Promise<NamespaceRow> {
  const { by, value } = reference(given, 'Namespace');
  const [row] = await database.rows(findNamespace[by], [value, viewer.person?.id ?? null]);
  if (!row || (row.access_level === null && !isAdministrator(viewer))) throw new NotFound('Namespace');
  return row;
}

/** Transfers a project in a transaction. @returns `again` if a concurrent request transferred it first */
async function transfer(
  { viewer, origin }: Context,
  sql: Sql,
  id: number,
  target: NamespaceRow,
): Promise<typeof again | undefined> {
  const [place] = await sql.rows(findNamespaceOf, [id]);
  if (!place) throw new NotFound('Project');
  const kept = await holdNamespaces(sql, [place.namespace_id, target.id]);
  const [from, to] = [place.namespace_id, target.id].map((one) => kept.find((row) => row.id === one));
  const [project] = await sql.rows(holdProject, [id]);
  // Concurrent requests removed them.
  if (!project || !from) throw new NotFound('Project');
  if (!to) throw new NotFound('Namespace');
  if (project.namespace_id !== from.id) return again;
  if (to.id === from.id) throw new TransferRefused(refusals.same);
  const allowed =
    holds(makeProject[target.project_creation_level], viewer, facts(target)) &&
    holds(takeProject, viewer, facts(target));
  if (!allowed || !to.has_room) throw new TransferRefused(refusals.notThere);
  const fullPath = `${to.full_path}/${project.path}`;
  const [found] = await sql.rows(isNameTaken, [to.id, project.name, fullPath.toLowerCase()]);
  if (found!.taken) throw new TransferRefused(refusals.taken);
  await sql.rows(transferProject, [
    id,
    to.id,
    fullPath,
    project.full_path,
    to.visibility,
    from.owner_id,
    to.owner_id,
    viewer.person?.id ?? null,
    origin.address,
    origin.requestId,
    to.runners === 'disabled_and_unoverridable',
  ]);
  await keepPlanningOfProject(sql, id);
  await mergeAllWhenDue(sql, id);
  return undefined;
}

/** @throws NotFound for the group or the namespace, Forbidden, BadRequest unless one is named */
async function targetOf(
  context: Context,
  { namespace, group }: { readonly namespace?: string | null; readonly group?: string | null },
): Promise<NamespaceRow> {
  if (namespace != null) return await namespaceOf(context, namespace);
  const { id } = await lookUp(context, findGroup, 'Group', group!);
  return await namespaceOf(context, String(id));
}

mutation('projectTransfer', {
  payload: (t: FieldsOf<{ id: number }>) => ({
    project: t.field({
      type: Project,
      resolve: async ({ id }, _args, context) => (await projectById(context, id))!,
    }),
  }),
  description:
    'Moves a project to another namespace. For its owners, who are maintainers of the group or own the namespace. Its number stays, its former path redirects; it gets no more visible than the group, and loses the runners of the instance where the group disables them for good. Members of the project stay, members of the former group leave.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    fullPath: t.id({ required: true, description: 'Full path, global id or number of the project.' }),
    namespace: t.id({ description: 'Full path or id of a group, or of your own namespace.' }),
    group: t.id({ description: 'For administrators, instead of `namespace`: full path or id of a group.' }),
  }),
  resolve: async (context, { fullPath, namespace, group }) => {
    if ((namespace == null) === (group == null)) throw new BadRequest('Name a namespace or a group.');
    if (group != null) requireAdministrator(context);
    // With a group, that comes first; otherwise the project.
    const administered = group == null ? undefined : await targetOf(context, { group });
    const row = await lookUp(context, findProject, 'Project', fullPath);
    if (!holds(ownProject, context.viewer, facts(row))) throw new Forbidden();
    const target = administered ?? (await targetOf(context, { namespace }));
    try {
      await untilSettled(context.database, (sql) => transfer(context, sql, row.id, target));
    } catch (error) {
      throw takenIn(error) === 'routes' ? new TransferRefused(refusals.taken) : error;
    }
    return { id: row.id };
  },
});
