import type { Context } from '../../context.ts';
import type { Order } from '../../database/statements/list.ts';
import { findGroup, findProject } from '../../database/statements/places.ts';
import { projectList, type ProjectFilter } from '../../database/statements/projects.ts';
import { BadRequest } from '../../errors.ts';
import { reads, roles, seePlace, toSql } from '../../policy/index.ts';
import { asksForEach } from '../asks-for.ts';
import { builder } from '../builder.ts';
import { DirectionType, offsetArg, resolvePage, total } from '../page.ts';
import { lookUp } from '../places/look-up.ts';
import { Project, VisibilityType } from '../places/types.ts';
import { userByReference } from '../users/find.ts';

/** Longest text that is searched for. */
const longestSearch = 1_000;

const orders = {
  ID: { column: 'p.id', type: 'int' },
  NAME: { column: 'p.name', type: 'text' },
  PATH: { column: 'p.path', type: 'text' },
  CREATED_AT: { column: 'p.created_at', type: 'timestamptz' },
  UPDATED_AT: { column: 'p.updated_at', type: 'timestamptz' },
  LAST_ACTIVITY_AT: { column: 'p.last_activity_at', type: 'timestamptz' },
  STAR_COUNT: { column: 'p.star_count', type: 'int' },
} as const satisfies Record<string, Pick<Order, 'column' | 'type'>>;

const OrderType = builder.enumType('ProjectOrder', { values: Object.keys(orders) as (keyof typeof orders)[] });

const FilterType = builder.inputType('ProjectFilter', {
  description: 'Which projects a list holds. Whatever is left out or null holds nobody off.',
  fields: (t) => ({
    search: t.string({ description: 'Every word of it in the name, the path or the description. Words below three letters must be all of it.' }),
    searchNamespaces: t.boolean({ description: 'Searches the full path too.' }),
    visibility: t.field({ type: VisibilityType }),
    archived: t.boolean(),
    owned: t.boolean({ description: 'Only those of which you are the owner.' }),
    membership: t.boolean({ description: 'Only those of which you are a member, or of a group above.' }),
    minAccessLevel: t.int({ description: 'Only those in which your role is at least this: 10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner.' }),
    starred: t.boolean({ description: 'Only those that you starred.' }),
    topics: t.stringList({ description: 'Only those that have all of these topics.' }),
    idAfter: t.int(),
    idBefore: t.int(),
    updatedAfter: t.field({ type: 'DateTime', description: 'Together with the order `UPDATED_AT`, as `updatedBefore`.' }),
    updatedBefore: t.field({ type: 'DateTime' }),
    lastActivityAfter: t.field({ type: 'DateTime' }),
    lastActivityBefore: t.field({ type: 'DateTime' }),
    forkOf: t.id({ description: 'Only forks of a project. Number or full path.' }),
    group: t.id({ description: 'Only those of a group. Number or full path.' }),
    includeSubgroups: t.boolean({ description: 'Those of the groups below `group` too.' }),
    owner: t.id({ description: 'Only those in a person’s own place. Number or name.' }),
    starredBy: t.id({ description: 'Only those that a person starred. Number or name.' }),
  }),
});

export const ProjectConnection = builder.connectionObject(
  { type: Project, name: 'ProjectConnection', fields: (t) => ({ total: t.int(total) }) },
  { name: 'ProjectEdge' },
);

/** The lowest role that is asked for, by any of three names. */
function leastRole({ owned, membership, minAccessLevel }: typeof FilterType.$inferInput): number | undefined {
  const asked = [owned && roles.owner, membership && roles.guest, minAccessLevel].filter((level) => typeof level === 'number');
  return asked.length > 0 ? Math.max(...asked) : undefined;
}

/** @throws NotFound for a place or a person that can't be seen, BadRequest */
async function toFilter(context: Context, given: typeof FilterType.$inferInput, orderBy: string): Promise<ProjectFilter> {
  if ((given.updatedAfter || given.updatedBefore) && orderBy !== 'UPDATED_AT') {
    throw new BadRequest('`updated_at` filter and `updated_at` sorting must be paired');
  }
  if ((given.search?.length ?? 0) > longestSearch) throw new BadRequest(`A search has at most ${longestSearch} characters.`);
  const { forkOf, group, owner, starredBy } = given;
  const idOf = async (found: Promise<{ id: number }> | null | undefined | false) => (found ? (await found).id : undefined);
  const groupId = await idOf(group != null && lookUp(context, findGroup, 'Group', group));
  return {
    search: given.search ?? undefined,
    searchNamespaces: given.searchNamespaces ?? undefined,
    visibility: given.visibility ?? undefined,
    archived: given.archived ?? undefined,
    minAccessLevel: leastRole(given),
    starred: given.starred ?? undefined,
    topics: given.topics ?? undefined,
    idAfter: given.idAfter ?? undefined,
    idBefore: given.idBefore ?? undefined,
    updatedAfter: given.updatedAfter ?? undefined,
    updatedBefore: given.updatedBefore ?? undefined,
    lastActivityAfter: given.lastActivityAfter ?? undefined,
    lastActivityBefore: given.lastActivityBefore ?? undefined,
    forkOf: await idOf(forkOf != null && lookUp(context, findProject, 'Project', forkOf)),
    group: groupId === undefined ? undefined : { id: groupId, descendants: given.includeSubgroups ?? false },
    owner: await idOf(owner != null && userByReference(context, owner)),
    starredBy: await idOf(starredBy != null && userByReference(context, starredBy)),
  };
}

builder.queryField('projects', (t) =>
  t.connection(
    {
      type: Project,
      nullable: true,
      description: 'Projects that you can see, the newest first where nothing else is said.',
      admission: { class: 'token', scopes: reads, anonymous: true },
      args: {
        ...offsetArg,
        filter: t.arg({ type: FilterType, defaultValue: {} }),
        orderBy: t.arg({ type: OrderType, defaultValue: 'CREATED_AT' }),
        direction: t.arg({ type: DirectionType, defaultValue: 'DESC' }),
      },
      resolve: async (_root, args, context, info) => {
        const { viewer } = context;
        const orderBy = args.orderBy ?? 'CREATED_AT';
        const filter = await toFilter(context, args.filter ?? {}, orderBy);
        const roles = asksForEach(info, 'permissions');
        return await resolvePage(context, args, info, {
          query: projectList(viewer.person?.id ?? null, (columns) => toSql(seePlace, viewer, columns), filter, roles),
          order: { name: orderBy, ...orders[orderBy], direction: args.direction === 'ASC' ? 'asc' : 'desc' },
        });
      },
    },
    ProjectConnection,
  ),
);
