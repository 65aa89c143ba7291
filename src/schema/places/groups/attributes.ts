import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { InvalidFields } from '../../../errors.ts';
import { isName } from '../../../git/names/index.ts';
import { isAdministrator, roles } from '../../../policy/index.ts';
import { writtenBy } from '../../../values/attributes/attributes.ts';
import {
  groupAttributes,
  type GivenGroupAttributes,
  type RunnersSetting,
} from '../../../values/attributes/group-attributes.ts';
import { checkAttributes } from '../../engine/attributes.ts';
import type { Problems } from '../../engine/input.ts';
import { findParentAttributes, findParentId, setAttributes, type ParentAttributes } from './statements/attributes.ts';

/** The attributes of a group within its tree: what a group above it decides for it. */

/** The attributes that an input gave; undefined if it gave none. */
export function givenAttributes(context: Context, input: GivenGroupAttributes): GivenGroupAttributes | undefined {
  const names = Object.keys(groupAttributes) as (keyof GivenGroupAttributes)[];
  const given = Object.fromEntries(names.map((name) => [name, input[name]]));
  if (Object.values(given).every((value) => value === undefined)) return undefined;
  return writtenBy(groupAttributes, given, (by) => by !== 'administrators' || isAdministrator(context.viewer));
}

/** Adds what is wrong with given attributes. */
export function checkGroupAttributes(problems: Problems, given: GivenGroupAttributes = {}): void {
  checkAttributes(problems, groupAttributes, given);
  const { defaultBranch: branch } = given;
  // One that is too long is refused as such.
  if (branch && [...branch].length <= groupAttributes.defaultBranch.longest && !isName(branch))
    problems.add('defaultBranch', ['is invalid']);
}

/**
 * Stores the attributes of an existing group. Call it with the tree locked: some of them change groups below.
 * @throws InvalidFields
 */
export async function changeAttributes(
  context: Context,
  sql: Sql,
  id: number,
  given: GivenGroupAttributes,
): Promise<void> {
  const [group] = await sql.rows(findParentId, [id]);
  const parent = group?.parent_id == null ? null : await parentAttributes(context, sql, group.parent_id);
  const allowed = parent === null ? given : withinParent(context, parent, given);
  await setAttributes(sql, id, allowed, group?.runners ?? 'enabled');
}

/** Stores the attributes of a new group: some are those of its parent. @throws InvalidFields */
export async function startAttributes(
  context: Context,
  sql: Sql,
  id: number,
  parentId: number | null,
  given: GivenGroupAttributes = {},
): Promise<void> {
  if (parentId === null) return await setAttributes(sql, id, given, 'enabled');
  const parent = await parentAttributes(context, sql, parentId);
  const runners = given.sharedRunnersSetting ?? (parent.runners === 'enabled' ? undefined : parent.runners);
  const allowed = withinParent(context, parent, { ...given, sharedRunnersSetting: runners });
  const locked = allowed.shareWithGroupLock ?? (parent.locked || undefined);
  await setAttributes(sql, id, { ...allowed, shareWithGroupLock: locked }, 'enabled');
}

const parentAttributes = async ({ viewer }: Context, sql: Sql, id: number): Promise<ParentAttributes> =>
  (await sql.rows(findParentAttributes, [id, viewer.person?.id ?? null]))[0]!;

/** Without what only the root has, and what the parent decides. @throws InvalidFields */
function withinParent(
  { viewer }: Context,
  parent: ParentAttributes,
  given: GivenGroupAttributes,
): GivenGroupAttributes {
  const { sharedRunnersSetting: runners, emailsEnabled, shareWithGroupLock } = given;
  if (runners !== undefined) refuseRunners(parent.runners, (runners ?? 'enabled') as RunnersSetting);
  const mayUnlock = !parent.locked || isAdministrator(viewer) || (parent.access_level ?? 0) >= roles.owner;
  return {
    ...given,
    preventSharingGroupsOutsideHierarchy: undefined,
    enabledGitAccessProtocol: undefined,
    emailsEnabled: parent.sends_mail ? emailsEnabled : undefined,
    shareWithGroupLock: mayUnlock ? shareWithGroupLock : undefined,
  };
}

/** The settings of runners, the strictest first. */
const strictness: readonly RunnersSetting[] = ['disabled_and_unoverridable', 'disabled_and_overridable', 'enabled'];

/** Gives a group that was transferred the setting of its new parent, if that is stricter. */
export async function tightenRunners(sql: Sql, id: number, own: RunnersSetting, parent: RunnersSetting): Promise<void> {
  if (strictness.indexOf(parent) < strictness.indexOf(own))
    await setAttributes(sql, id, { sharedRunnersSetting: parent }, own);
}

/** Refuses a setting of runners that the parent group doesn't allow. @throws InvalidFields */
function refuseRunners(parent: RunnersSetting, wanted: RunnersSetting): void {
  if (parent !== 'disabled_and_unoverridable' || wanted === 'disabled_and_unoverridable') return;
  throw new InvalidFields({
    sharedRunnersEnabled: [
      wanted === 'enabled'
        ? 'cannot be enabled because parent group has shared Runners disabled'
        : 'cannot be enabled because parent group does not allow it',
    ],
  });
}
