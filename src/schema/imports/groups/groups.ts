import { lockOfTrees } from '../../../database/access/trees.ts';
import { groupAttributes, type GivenGroupAttributes } from '../../../values/attributes/group-attributes.ts';
import { attributeInputs, checkAttributes } from '../../engine/attributes.ts';
import { changeAttributes, startAttributes } from '../../places/groups/attributes.ts';
import { fullPathProblems, textsOf } from '../../places/groups/names.ts';
import { VisibilityLevelsEnum } from '../../places/place/types.ts';
import { freePath } from '../origins/free-path.ts';
import { importing, NotTaken } from '../origins/importing.ts';
import { refuse } from '../people/people.ts';
import { followGroup, moveOf } from './move.ts';
import { changeGroup, findParentGroup, findParentOf, insertGroup, visibilityFits } from './statements.ts';
import { within } from './visibility.ts';

const attributesOf = (given: object): GivenGroupAttributes =>
  Object.fromEntries(
    Object.keys(groupAttributes).map((name) => [name, (given as { readonly [name: string]: unknown })[name]]),
  );

importing('groups', {
  description: 'Imports groups, each after the one that contains it.',
  keeps: 'namespaces',
  record: (t) => ({
    parentKey: t.string({ description: 'Omitted: at the root.' }),
    keepsParent: t.boolean({
      description: 'Whether it stays in the group that contains it here, if it is here already.',
    }),
    path: t.string({ required: true }),
    name: t.string({ required: true }),
    description: t.string({ required: true }),
    visibility: t.field({ type: VisibilityLevelsEnum, required: true }),
    createdAt: t.field({ type: 'Time', required: true }),
    ...attributeInputs(t, groupAttributes),
  }),
  refersTo: ({ parentKey }) => [['groups', parentKey]],
  examine: async (batch, group, known) => {
    const { sql } = batch;
    const parentId = batch.localOf('groups', group.parentKey);
    const isBelow = group.parentKey != null;
    const [parent] = parentId === undefined ? [] : await sql.rows(findParentGroup, [parentId]);
    if (isBelow && !parent && !batch.dryRun) throw new NotTaken('The group that contains it wasn’t imported.');
    const problems = textsOf(group, !isBelow);
    checkAttributes(problems, groupAttributes, group);
    const wanted = parent ? `${parent.full_path}/${group.path}` : group.path;
    problems.add('path', fullPathProblems(wanted.length));
    refuse(problems);
    const visibility = within(batch, group.visibility, parent?.visibility);
    // Nothing is in a group that will only be made.
    const isFree = known !== undefined || (isBelow && !parent);
    const free = isFree ? { path: wanted, suffix: '' } : await freePath(batch, wanted);
    const placed = { parentId: parentId ?? null, path: `${group.path}${free.suffix}` };
    // What contains it isn't here in a dry run.
    if (known === undefined || (isBelow && !parent)) return { placed, fullPath: free.path, visibility, moves: false };
    if (group.keepsParent) placed.parentId = (await sql.rows(findParentOf, [known]))[0]?.parent_id ?? null;
    const move = await moveOf(batch, known, placed);
    if (move?.why !== undefined) batch.remark(move.why);
    return { placed, fullPath: free.path, visibility, moves: move !== undefined && move.why === undefined };
  },
  store: async (batch, group, { placed, fullPath, visibility, moves }, known) => {
    const { context, sql } = batch;
    const { name, description, createdAt } = group;
    const { parentId, path } = placed;
    if (known !== undefined) {
      if (moves) await followGroup(batch, known, placed);
      const [fits] = await sql.rows(visibilityFits, [known, visibility]);
      if (!fits) batch.remark('Its visibility stays: it would be narrower than what it contains.');
      const changed = await sql.rows(changeGroup, [known, name, description, fits ? visibility : null]);
      if (changed.length === 0) throw new NotTaken('It was removed here.');
      await changeAttributes(context, sql, known, attributesOf(group));
      return known;
    }
    if (parentId !== null) await sql.rows(lockOfTrees.shared, [[parentId]]);
    const [made] = await sql.rows(insertGroup, [
      batch.keptId(group.key),
      parentId,
      path,
      name,
      fullPath,
      description,
      visibility,
      createdAt,
    ]);
    await startAttributes(context, sql, made!.id, parentId, attributesOf(group));
    return made!.id;
  },
});
