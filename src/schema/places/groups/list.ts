import { groupList } from './statements/groups.ts';
import { findGroup } from '../../../database/access/places.ts';
import { BadRequest } from '../../../errors.ts';
import { isAdministrator, reads, roles, seePlace, toSql } from '../../../policy/index.ts';
import { rootList, searchText } from '../../engine/list.ts';
import { lookUp, reference } from '../place/look-up.ts';
import { Group, VisibilityType } from '../place/types.ts';

/** Maximum number of groups in `skip`. */
const maxSkipped = 1_000;

rootList('groups', {
  type: Group,
  description: 'Groups that you can see, ordered by name by default.',
  admission: { class: 'token', scopes: reads, anonymous: true },
  orders: {
    NAME: { column: 'n.name', type: 'text' },
    PATH: { column: 'n.path', type: 'text' },
    ID: { column: 'n.id', type: 'int' },
  },
  by: ['NAME', 'ASC'],
  filter: {
    description: 'Filters of a list of groups. Omitted or null filters match everything, except `allAvailable`.',
    fields: (t) => ({
      search: t.string({
        description:
          'Words that must all occur in the name or the full path. A word shorter than three letters must match the whole value.',
      }),
      visibility: t.field({ type: VisibilityType }),
      owned: t.boolean({ description: 'Only those that you own directly.' }),
      minAccessLevel: t.int({
        description:
          'Only those in which you have at least this role: 10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner.',
      }),
      allAvailable: t.boolean({
        description:
          'False: only groups of which you are a direct or inherited member. Omitted: false for people who aren’t administrators, unless `parent`, `owned` or `minAccessLevel` is given; otherwise true.',
      }),
      skip: t.idList({ description: 'Ids of groups to leave out.' }),
      topLevelOnly: t.boolean({ description: 'Only top-level ones.' }),
      parent: t.id({ description: 'Only direct subgroups of this group. Id or full path.' }),
      includeDescendants: t.boolean({ description: 'Whether to include all descendants of `parent`.' }),
    }),
  },
  rows: async (context, { filter }) => {
    const { viewer } = context;
    const { parent, skip, owned, minAccessLevel } = filter;
    const search = searchText(filter.search);
    if ((skip?.length ?? 0) > maxSkipped) throw new BadRequest(`Leave out no more than ${maxSkipped} groups.`);
    const narrowed = parent != null || owned === true || minAccessLevel != null;
    const allAvailable = narrowed || (filter.allAvailable ?? (viewer.person === null || isAdministrator(viewer)));
    return groupList(viewer.person?.id ?? null, (columns) => toSql(seePlace, viewer, columns), {
      ...filter,
      search,
      minAccessLevel: minAccessLevel ?? (allAvailable ? undefined : roles.guest),
      skip: skip?.map(reference).flatMap(({ by, value }) => (by === 'id' ? [Number(value)] : [])),
      parent:
        parent == null
          ? undefined
          : {
              id: (await lookUp(context, findGroup, 'Group', parent)).id,
              descendants: filter.includeDescendants ?? false,
            },
    });
  },
});
