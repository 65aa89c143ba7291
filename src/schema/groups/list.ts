import type { Context } from '../../context.ts';
import { groupList, type GroupFilter } from '../../database/statements/groups.ts';
import type { Order } from '../../database/statements/list.ts';
import { findGroup } from '../../database/statements/places.ts';
import { BadRequest } from '../../errors.ts';
import { isAdministrator, reads, roles, seePlace, toSql } from '../../policy/index.ts';
import { builder } from '../builder.ts';
import { DirectionType, offsetArg, resolvePage, total } from '../page.ts';
import { lookUp, reference } from '../places/look-up.ts';
import { Group, VisibilityType } from '../places/types.ts';

/** Longest text that is searched for. */
const longestSearch = 1_000;

/** The most groups that a list can leave out. */
const mostSkipped = 1_000;

const orders = {
  NAME: { column: 'n.name', type: 'text' },
  PATH: { column: 'n.path', type: 'text' },
  ID: { column: 'n.id', type: 'int' },
} as const satisfies Record<string, Pick<Order, 'column' | 'type'>>;

const OrderType = builder.enumType('GroupOrder', { values: Object.keys(orders) as (keyof typeof orders)[] });

const FilterType = builder.inputType('GroupFilter', {
  description: 'Which groups a list holds. Whatever is left out or null holds nobody off, but for `allAvailable`.',
  fields: (t) => ({
    search: t.string({ description: 'Every word of it in the name or the full path. Words below three letters must be all of it.' }),
    visibility: t.field({ type: VisibilityType }),
    owned: t.boolean({ description: 'Only those that you own yourself.' }),
    minAccessLevel: t.int({ description: 'Only those in which your role is at least this: 10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner.' }),
    allAvailable: t.boolean({
      description:
        'False: of the groups that you see only those in which you are a member, here or above. Left out, it is so where you are a person and no administrator, and ask neither for `parent`, `owned` nor `minAccessLevel`.',
    }),
    skip: t.idList({ description: 'Numbers of groups to leave out.' }),
    topLevelOnly: t.boolean({ description: 'Only those that lie in no other.' }),
    parent: t.id({ description: 'Only those directly in a group. Number or full path.' }),
    includeDescendants: t.boolean({ description: 'Those of the groups below `parent` too.' }),
  }),
});

export const GroupConnection = builder.connectionObject({ type: Group, name: 'GroupConnection', fields: (t) => ({ total: t.int(total) }) }, { name: 'GroupEdge' });

/** @throws NotFound for a parent that can't be seen, BadRequest */
async function toFilter(context: Context, given: typeof FilterType.$inferInput): Promise<GroupFilter> {
  const { viewer } = context;
  const { parent, skip, owned, minAccessLevel } = given;
  if ((given.search?.length ?? 0) > longestSearch) throw new BadRequest(`A search has at most ${longestSearch} characters.`);
  if ((skip?.length ?? 0) > mostSkipped) throw new BadRequest(`Leave out no more than ${mostSkipped} groups.`);
  const narrowed = parent != null || owned === true || minAccessLevel != null;
  const allAvailable = narrowed || (given.allAvailable ?? (viewer.person === null || isAdministrator(viewer)));
  return {
    search: given.search ?? undefined,
    visibility: given.visibility ?? undefined,
    owned: owned ?? undefined,
    minAccessLevel: minAccessLevel ?? (allAvailable ? undefined : roles.guest),
    skip: skip?.map(reference).flatMap(({ by, value }) => (by === 'id' ? [Number(value)] : [])),
    topLevelOnly: given.topLevelOnly ?? undefined,
    parent:
      parent == null
        ? undefined
        : { id: (await lookUp(context, findGroup, 'Group', parent)).id, descendants: given.includeDescendants ?? false },
  };
}

builder.queryField('groups', (t) =>
  t.connection(
    {
      type: Group,
      nullable: true,
      description: 'Groups that you can see, by name where nothing else is said.',
      admission: { class: 'token', scopes: reads, anonymous: true },
      args: {
        ...offsetArg,
        filter: t.arg({ type: FilterType, defaultValue: {} }),
        orderBy: t.arg({ type: OrderType, defaultValue: 'NAME' }),
        direction: t.arg({ type: DirectionType, defaultValue: 'ASC' }),
      },
      resolve: async (_root, args, context, info) => {
        const { viewer } = context;
        const orderBy = args.orderBy ?? 'NAME';
        const filter = await toFilter(context, args.filter ?? {});
        return await resolvePage(context, args, info, {
          query: groupList(viewer.person?.id ?? null, (columns) => toSql(seePlace, viewer, columns), filter),
          order: { name: orderBy, ...orders[orderBy], direction: args.direction === 'DESC' ? 'desc' : 'asc' },
        });
      },
    },
    GroupConnection,
  ),
);
