import type { Context } from '../../../context.ts';
import { takenIn, type Sql } from '../../../database/index.ts';
import { findGroup, type PlaceRow } from '../../../database/access/places.ts';
import { isTaken, lockGroups, moveTree } from '../../../database/access/trees.ts';
import { Forbidden, NotFound, TransferRefused, Unauthenticated } from '../../../errors.ts';
import { record } from '../../../events/record.ts';
import { audit } from '../../../oauth/index.ts';
import { holds, makeSubgroup, manageGroup, writes } from '../../../policy/index.ts';
import { maxFullPathLength } from '../../../values/text/place-names.ts';
import { keepGroupMaker } from '../../accounts/users/changes/keep.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { mergeAllBelow } from '../../reviews/merging/when-due.ts';
import { inTrees } from '../place/again.ts';
import { facts, lookUp } from '../place/look-up.ts';
import { pathProblems } from '../place/paths.ts';
import { namespaceById } from '../place/read.ts';
import { Group } from '../place/types.ts';
import { tightenRunners } from '../groups/attributes.ts';
import { findMove, keepPlanningOfGroup } from './move.ts';
import { giveOwner } from './statements.ts';

/** Maximum nesting of groups, as for new ones. */
const maxDepth = 20;

const refusals = {
  alreadyRoot: 'Group is already a root group.',
  same: 'Group is already associated to the parent group.',
  permissions: "You don't have enough permissions.",
  taken: 'The parent group already has a subgroup or a project with the same path.',
  below: 'Cannot transfer group to one of its subgroup.',
  tooDeep: 'Parent has too deep level of nesting.',
  tooLong: `Path makes a full path that is too long (maximum is ${maxFullPathLength} characters).`,
} as const;

type Target = PlaceRow & { subgroup_creation_level: keyof typeof makeSubgroup };

/**
 * Transfers a group in a transaction that has locked both trees.
 * @throws NotFound if a concurrent request removed one of them, TransferRefused
 */
async function transfer({ viewer, origin }: Context, sql: Sql, id: number, target: Target | null): Promise<void> {
  const actorId = viewer.person?.id ?? null;
  const makesGroups = actorId === null || (await keepGroupMaker(sql, actorId));
  if (makesGroups === undefined) throw new Unauthenticated();
  await sql.rows(lockGroups, [id]);
  const now = await findMove(sql, id, target?.id ?? null);
  if (!now || (target && now.target_id === null)) throw new NotFound('Group');

  if (!target && now.parent_id === null) throw new TransferRefused(refusals.alreadyRoot);
  if (target && now.parent_id === target.id) throw new TransferRefused(refusals.same);
  const allowed = target ? holds(makeSubgroup[target.subgroup_creation_level], viewer, facts(target)) : makesGroups;
  if (!allowed) throw new TransferRefused(refusals.permissions);
  const fullPath = target ? `${now.target_path}/${now.path}` : now.path;
  const [found] = await sql.rows(isTaken, [id, fullPath.toLowerCase()]);
  if (found!.taken) throw new TransferRefused(refusals.taken);
  if (now.is_below) throw new TransferRefused(refusals.below);
  const [problem] = target ? [] : pathProblems(now.path, true);
  if (problem) throw new TransferRefused(`Path ${problem}`);
  if ((now.target_depth ?? 0) + now.levels > maxDepth) throw new TransferRefused(refusals.tooDeep);
  if (now.longest - now.full_path.length + fullPath.length > maxFullPathLength)
    throw new TransferRefused(refusals.tooLong);

  const visibility = now.target_visibility ?? 'PUBLIC';
  await sql.rows(moveTree, [id, target?.id ?? null, now.path, fullPath, now.full_path, visibility]);
  if (now.target_runners) await tightenRunners(sql, id, now.runners, now.target_runners);
  await keepPlanningOfGroup(sql, id);
  if (actorId !== null) await sql.rows(giveOwner, [id, actorId]);
  const ids = { fromId: now.parent_id, toId: target?.id ?? null };
  await record(sql, 'group.transferred', { actorId, groupId: id, subjectId: id, ids });
  await audit({ sql, origin }, { kind: 'group_transferred', actorId, detail: `${now.full_path} to ${fullPath}` });
  await mergeAllBelow(sql, id);
}

mutation('groupTransfer', {
  payload: (t: FieldsOf<{ id: number }>) => ({
    group: t.field({ type: Group, resolve: async ({ id }, _args, context) => (await namespaceById(context, id))! }),
  }),
  description:
    'Moves a group with everything below it to another group, or to the root. For its owners who may create groups there. Numbers stay, former paths redirect; nothing gets more visible than the parent group, nor has runners that the parent group disables. Members stay, members of the former parent leave; a group without an owner gets you.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    fullPath: t.id({ required: true, description: 'Full path, global id or number of the group.' }),
    parent: t.id({ description: 'Full path or id of the new parent group. Omitted or null: to the root.' }),
  }),
  resolve: async (context, { fullPath, parent }) => {
    const row = await lookUp(context, findGroup, 'Group', fullPath);
    if (!holds(manageGroup, context.viewer, facts(row))) throw new Forbidden();
    const target = parent == null ? null : await lookUp(context, findGroup, 'Group', parent);
    try {
      const groups = target ? [row.id, target.id] : [row.id];
      await inTrees(context.database, groups, 'exclusive', (sql) => transfer(context, sql, row.id, target));
    } catch (error) {
      // A concurrent request took the path.
      throw takenIn(error) === 'routes' ? new TransferRefused(refusals.taken) : error;
    }
    return { id: row.id };
  },
});
