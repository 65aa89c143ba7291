import { groupList } from './statements/groups.ts';
import { findGroup } from '../../../database/access/places.ts';
import { BadRequest } from '../../../errors.ts';
import { isAdministrator, reads, roles, seePlace, toSql } from '../../../policy/index.ts';
import { rootList, searchText } from '../../engine/list.ts';
import { lookUp, reference } from '../place/look-up.ts';
import { Group, VisibilityType } from '../place/types.ts';

/** The most groups that a list can leave out. */
const maxSkipped = 1_000;

rootList('groups', {
  type: Group,
  description: 'Groups that you can see, by name where nothing else is said.',
  admission: { class: 'token', scopes: reads, anonymous: true },
  orders: {
    NAME: { column: 'n.name', type: 'text' },
    PATH: { column: 'n.path', type: 'text' },
    ID: { column: 'n.id', type: 'int' },
  },
  by: ['NAME', 'ASC'],
  filter: {
    description: 'Which groups a list holds. Whatever is left out or null holds nobody off, but for `allAvailable`.',
    fields: (t) => ({
      search: t.string({
        description: 'Every word of it in the name or the full path. Words below three letters must be all of it.',
      }),
      visibility: t.field({ type: VisibilityType }),
      owned: t.boolean({ description: 'Only those that you own yourself.' }),
      minAccessLevel: t.int({
        description:
          'Only those in which your role is at least this: 10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner.',
      }),
      allAvailable: t.boolean({
        description:
          'False: of the groups that you see only those in which you are a member, here or above. Left out, it is so where you are a person and no administrator, and ask neither for `parent`, `owned` nor `minAccessLevel`.',
      }),
      skip: t.idList({ description: 'Numbers of groups to leave out.' }),
      topLevelOnly: t.boolean({ description: 'Only those that lie in no other.' }),
      parent: t.id({ description: 'Only those directly in a group. Number or full path.' }),
      includeDescendants: t.boolean({ description: 'Those of the groups below `parent` too.' }),
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
