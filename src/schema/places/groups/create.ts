import type { Context } from '../../../context.ts';
import { findParent, insertGroup } from './statements/groups.ts';
import { findGroup } from '../../../database/access/places.ts';
import { keepGroupMaker } from '../../accounts/users/changes/keep.ts';
import { Forbidden, InvalidFields, NotFound, Unauthenticated } from '../../../errors.ts';
import { record } from '../../../events/record.ts';
import { audit } from '../../../oauth/index.ts';
import { holds, makeSubgroup, writes } from '../../../policy/index.ts';
import { groupAttributes } from '../../../values/attributes/group-attributes.ts';
import { attributeInputs } from '../../engine/attributes.ts';
import { mutation } from '../../engine/mutation.ts';
import { AvatarInput, checkAvatar } from '../avatars/input.ts';
import { storeAvatar } from '../avatars/store.ts';
import { inTrees } from '../place/again.ts';
import { facts, lookUp } from '../place/look-up.ts';
import { VisibilityLevelsEnum } from '../place/types.ts';
import { checkGroupAttributes, givenAttributes, startAttributes } from './attributes.ts';
import { fullPathProblems, textsOf } from './names.ts';
import { refuseWiderThanParent } from './visibility.ts';
import { groupPayload } from './payload.ts';

/** Maximum nesting of groups. */
const maxDepth = 20;

/** The group to create in, if the viewer may. @throws NotFound, Forbidden */
async function parentOf(context: Context, parent: string | null): Promise<number | null> {
  if (parent === null) return null;
  const row = await lookUp(context, findGroup, 'Group', parent);
  if (!holds(makeSubgroup[row.subgroup_creation_level], context.viewer, facts(row))) throw new Forbidden();
  return row.id;
}

mutation('createGroup', {
  payload: groupPayload,
  description: 'Creates a group that you own: at the root, or in a group of which you are a maintainer.',
  admission: { class: 'token', scopes: writes },
  input: (field) => ({
    parent: field.id({ description: 'Id or full path of the parent group. Omitted: at the root.' }),
    path: field.string({ required: true }),
    name: field.string({ required: true }),
    description: field.string({ defaultValue: '' }),
    visibility: field.field({
      type: VisibilityLevelsEnum,
      defaultValue: 'PRIVATE',
      description: 'Not wider than that of the parent group.',
    }),
    avatar: field.field({ type: AvatarInput }),
    ...attributeInputs(field, groupAttributes),
  }),
  resolve: async (context, input) => {
    const { path, name } = input;
    const description = input.description ?? '';
    const attributes = givenAttributes(context, input);
    const parentId = await parentOf(context, input.parent ?? null);
    const { viewer, origin } = context;
    return await inTrees(context.database, parentId === null ? [] : [parentId], 'shared', async (sql) => {
      const actorId = viewer.person?.id ?? null;
      const makesGroups = actorId === null || (await keepGroupMaker(sql, actorId));
      if (makesGroups === undefined) throw new Unauthenticated();
      if (parentId === null && !makesGroups) throw new Forbidden();
      const [parent] = parentId === null ? [] : await sql.rows(findParent, [parentId]);
      // A concurrent request removed it.
      if (parentId !== null && !parent) throw new NotFound('Group');
      const fullPath = parent ? `${parent.full_path}/${path}` : path;
      const problems = textsOf({ name, path, description }, parentId === null);
      problems.add('path', fullPathProblems(fullPath.length));
      if (parent && parent.depth >= maxDepth) problems.add('parentId', ['has too deep level of nesting']);
      const avatar = checkAvatar(problems, input.avatar);
      checkGroupAttributes(problems, attributes);
      problems.refuse();
      const visibility = input.visibility ?? 'PRIVATE';
      if (parent) refuseWiderThanParent(visibility, parent.visibility);
      const values = [parentId, path, name, fullPath, description, visibility, actorId];
      const [made] = await sql.rows(insertGroup, values);
      if (!made) throw new InvalidFields({ path: ['has already been taken'] });
      await storeAvatar(sql, 'group', made.id, avatar);
      if (attributes || parentId !== null) await startAttributes(context, sql, made.id, parentId, attributes);
      await record(sql, 'group.created', { actorId, groupId: made.id, subjectId: made.id });
      await audit({ sql, origin }, { kind: 'group_created', actorId, detail: fullPath });
      return made;
    });
  },
});
