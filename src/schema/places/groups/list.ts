import type { InputShapeFromFields } from '@pothos/core';
import type { Context } from '../../../context.ts';
import { groupList, type GroupFilter } from './statements/groups.ts';
import { findGroup } from '../../../database/access/places.ts';
import { BadRequest } from '../../../errors.ts';
import { isAdministrator, reads, roles, seePlace, toSql } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { idOf } from '../../engine/global-id.ts';
import { rootList, searchText } from '../../engine/list.ts';
import { AccessLevelEnum, levelOf } from '../members/access-level.ts';
import { lookUp } from '../place/look-up.ts';
import { Group, VisibilityLevelsEnum } from '../place/types.ts';
import { deprecatedGroupArguments } from './deprecated-arguments.ts';
import { groupOrders } from './orders.ts';

/** Maximum number of groups that one list names. */
const maxNamed = 1_000;

const groupArgs = builder.args((t) => ({
  ids: t.idList({ description: 'Only these groups.' }),
  search: t.string({
    description:
      'Words that must all occur in the name or the full path. A word shorter than three letters must match the whole value.',
  }),
  ownedOnly: t.boolean({ description: 'Only those that you own directly.' }),
  topLevelOnly: t.boolean({ description: 'Only top-level ones.' }),
  allAvailable: t.boolean({
    description:
      'False: only groups of which you are a direct or inherited member. Omitted: false for people who aren’t administrators, unless `parentPath`, `ownedOnly` or `minAccessLevel` is given; otherwise true.',
  }),
  parentPath: t.id({ description: 'Only direct subgroups of this group. Full path or id.' }),
  includeDescendants: t.boolean({ description: 'Whether to include all descendants of `parentPath`.' }),
  minAccessLevel: t.field({ type: AccessLevelEnum, description: 'Only those in which you have at least this role.' }),
  visibilityLevel: t.field({ type: VisibilityLevelsEnum, description: 'Only those with this visibility.' }),
  archived: t.boolean({ description: 'True: only archived ones, which don’t exist yet.' }),
  active: t.boolean({ description: 'False: only archived ones, and those that are being deleted: none.' }),
  skip: t.idList({ description: 'Not these groups.' }),
}));
export type GroupListArgs = InputShapeFromFields<typeof groupArgs>;

/** The ids of groups that a list names. @throws BadRequest */
function idsOf(given: readonly string[] | null | undefined): number[] | undefined {
  if ((given?.length ?? 0) > maxNamed) throw new BadRequest(`Name no more than ${maxNamed} groups.`);
  return given?.map((id) => idOf(id, 'Group'));
}

/** The filters that arguments stand for. @throws NotFound for the parent, BadRequest */
export async function groupFilterOf(context: Context, asked: GroupListArgs): Promise<GroupFilter> {
  const { viewer } = context;
  const { parentPath, ownedOnly, minAccessLevel } = asked;
  const search = searchText(asked.search);
  const narrowed = parentPath != null || ownedOnly === true || minAccessLevel != null;
  const allAvailable = narrowed || (asked.allAvailable ?? (viewer.person === null || isAdministrator(viewer)));
  const least = minAccessLevel == null ? undefined : levelOf(minAccessLevel);
  return {
    search,
    ids: idsOf(asked.ids),
    visibility: asked.visibilityLevel,
    owned: ownedOnly,
    topLevelOnly: asked.topLevelOnly,
    none: asked.archived === true || asked.active === false,
    minAccessLevel: least ?? (allAvailable ? undefined : roles.guest),
    skip: idsOf(asked.skip),
    parent:
      parentPath == null
        ? undefined
        : {
            id: (await lookUp(context, findGroup, 'Group', parentPath)).id,
            descendants: asked.includeDescendants ?? false,
          },
  };
}

rootList('groups', {
  type: Group,
  description: 'Groups that you can see, ordered by name by default.',
  admission: { class: 'token', scopes: reads, anonymous: true },
  orders: groupOrders,
  by: 'name_asc',
  args: () => groupArgs,
  former: deprecatedGroupArguments,
  rows: async (context, asked) => {
    const { viewer } = context;
    const filter = await groupFilterOf(context, asked);
    return groupList(viewer.person?.id ?? null, (columns) => toSql(seePlace, viewer, columns), filter);
  },
});
