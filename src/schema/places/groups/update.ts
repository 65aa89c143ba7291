import type { Context } from '../../../context.ts';
import { isUniqueViolation, type Sql } from '../../../database/index.ts';
import { changeGroup, findGroupForChange } from './statements/groups.ts';
import { findGroup } from '../../../database/access/places.ts';
import { isTaken, lockGroups, moveTree } from '../../../database/access/trees.ts';
import { Forbidden, InvalidFields, NotFound } from '../../../errors.ts';
import { record } from '../../../events/record.ts';
import { audit } from '../../../oauth/index.ts';
import { holds, manageGroup, writes, type Visibility } from '../../../policy/index.ts';
import { groupAttributes, type GivenGroupAttributes } from '../../../values/attributes/group-attributes.ts';
import { attributeInputs } from '../../engine/attributes.ts';
import { mutation, type InputsOf } from '../../engine/mutation.ts';
import { mergeAllBelow } from '../../reviews/merging/when-due.ts';
import { avatarOptions, checkAvatar } from '../avatars/input.ts';
import type { SentPicture } from '../avatars/picture.ts';
import { storeAvatar } from '../avatars/store.ts';
import { inTrees } from '../place/again.ts';
import { facts, lookUp } from '../place/look-up.ts';
import { VisibilityLevelsEnum } from '../place/types.ts';
import { changeAttributes, checkGroupAttributes, givenAttributes } from './attributes.ts';
import { fullPathProblems, textsOf } from './names.ts';
import { keepVisibility } from './visibility.ts';
import { groupPayload } from './payload.ts';

const taken = () => new InvalidFields({ path: ['has already been taken'] });

/**
 * Changes the path of a group in a locked tree, and the full paths of everything below it.
 * @returns whether the path differs
 * @throws InvalidFields
 */
async function move(sql: Sql, id: number, path: string): Promise<boolean> {
  await sql.rows(lockGroups, [id]);
  const [now] = await sql.rows(findGroupForChange, [id]);
  // A concurrent request removed it.
  if (!now) throw new NotFound('Group');
  const { full_path: from, parent_id: parentId, parent_path: parent, longest } = now;
  const to = parent === null ? path : `${parent}/${path}`;
  if (to === from) return false;
  const problems = textsOf({ path }, parent === null);
  problems.add('path', fullPathProblems(longest - from.length + to.length));
  problems.refuse();
  const [found] = await sql.rows(isTaken, [id, to.toLowerCase()]);
  if (found!.taken) throw taken();
  try {
    await sql.rows(moveTree, [id, parentId, path, to, from, 'PUBLIC']);
  } catch (error) {
    // A concurrent request did it first.
    if (isUniqueViolation(error)) throw taken();
    throw error;
  }
  return true;
}

/** The fields that a group's owners change, by any of two mutations. */
const changes = (t: InputsOf) => ({
  path: t.string(),
  name: t.string(),
  description: t.string({ description: 'Null: no description.' }),
  visibility: t.field({
    type: VisibilityLevelsEnum,
    description: 'Not wider than that of the parent group, nor narrower than that of its contents.',
  }),
  avatar: t.field(avatarOptions),
  ...attributeInputs(t, groupAttributes),
});

interface Changes extends GivenGroupAttributes {
  readonly path?: string | null;
  readonly name?: string | null;
  readonly description?: string | null;
  readonly visibility?: Visibility | null;
  readonly avatar?: SentPicture | null;
}

/** @throws NotFound, Forbidden, InvalidFields */
async function change(context: Context, group: string, given: Changes): Promise<{ id: number }> {
  const { viewer, origin, database } = context;
  const row = await lookUp(context, findGroup, 'Group', group);
  if (!holds(manageGroup, viewer, facts(row))) throw new Forbidden();
  const name = given.name === null ? '' : given.name;
  const description = given.description === null ? '' : given.description;
  const attributes = givenAttributes(context, given);
  const problems = textsOf({ name, description }, false);
  checkGroupAttributes(problems, attributes);
  const avatar = checkAvatar(problems, given.avatar);
  problems.refuse();
  const actorId = viewer.person?.id ?? null;
  const work = async (sql: Sql) => {
    if (given.path !== undefined && (await move(sql, row.id, given.path ?? '')))
      await record(sql, 'group.renamed', { actorId, groupId: row.id, subjectId: row.id });
    const [changed] = await sql.rows(changeGroup, [
      row.id,
      name ?? null,
      description ?? null,
      given.visibility ?? null,
    ]);
    if (!changed) throw new NotFound('Group');
    if (attributes) await changeAttributes(context, sql, row.id, attributes);
    if (given.visibility && given.visibility !== row.visibility) await keepVisibility(sql, row.id, given.visibility);
    await storeAvatar(sql, 'group', row.id, avatar);
    await audit({ sql, origin }, { kind: 'group_updated', actorId, detail: changed.full_path });
    // Shares of its projects give roles again.
    if (attributes?.shareWithGroupLock === false) await mergeAllBelow(sql, row.id);
  };
  if (given.path !== undefined || given.visibility || attributes) await inTrees(database, [row.id], 'exclusive', work);
  else await database.transaction(work);
  return { id: row.id };
}

mutation('groupUpdate', {
  payload: groupPayload,
  description:
    'Changes a group. For its owners. A new path changes the full path of everything below it. Omitted fields stay as they are.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    fullPath: t.id({ required: true, description: 'Full path, global id or number.' }),
    ...changes(t),
  }),
  resolve: (context, { fullPath, ...given }) => change(context, fullPath, given),
});

mutation('updateGroup', {
  payload: groupPayload,
  description: 'Changes a group, like `groupUpdate`.',
  deprecationReason: 'Use `groupUpdate`.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({ group: t.id({ required: true, description: 'Id or full path.' }), ...changes(t) }),
  resolve: (context, { group, ...given }) => change(context, group, given),
});
