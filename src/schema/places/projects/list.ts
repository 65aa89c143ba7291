import { findGroup, findProject } from '../../../database/access/places.ts';
import { projectList } from './statements.ts';
import { BadRequest } from '../../../errors.ts';
import { reads, roles, seePlace, toSql } from '../../../policy/index.ts';
import { isSelectedOfEach } from '../../engine/selection.ts';
import { rootList, searchText } from '../../engine/list.ts';
import { lookUp } from '../place/look-up.ts';
import { Project, VisibilityType } from '../place/types.ts';
import { userByReference } from '../../accounts/users/find.ts';

rootList('projects', {
  type: Project,
  description: 'Projects that you can see, the newest first by default.',
  admission: { class: 'token', scopes: reads, anonymous: true },
  orders: {
    ID: { column: 'p.id', type: 'int' },
    NAME: { column: 'p.name', type: 'text' },
    PATH: { column: 'p.path', type: 'text' },
    CREATED_AT: { column: 'p.created_at', type: 'timestamptz' },
    UPDATED_AT: { column: 'p.updated_at', type: 'timestamptz' },
    LAST_ACTIVITY_AT: { column: 'p.last_activity_at', type: 'timestamptz' },
    STAR_COUNT: { column: 'p.star_count', type: 'int' },
  },
  by: ['CREATED_AT', 'DESC'],
  filter: {
    description: 'Filters of a list of projects. Omitted or null filters match everything.',
    fields: (t) => ({
      search: t.string({
        description:
          'Words that must all occur in the name, the path or the description. A word shorter than three letters must match the whole value.',
      }),
      searchNamespaces: t.boolean({ description: 'Whether to search in the full path too.' }),
      visibility: t.field({ type: VisibilityType }),
      archived: t.boolean(),
      owned: t.boolean({ description: 'Only those that you own.' }),
      membership: t.boolean({ description: 'Only those of which you are a direct or inherited member.' }),
      minAccessLevel: t.int({
        description:
          'Only those in which you have at least this role: 10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner.',
      }),
      starred: t.boolean({ description: 'Only those that you starred.' }),
      topics: t.stringList({ description: 'Only those that have all of these topics.' }),
      idAfter: t.int(),
      idBefore: t.int(),
      updatedAfter: t.field({
        type: 'DateTime',
        description: 'Needs the order `UPDATED_AT`, like `updatedBefore`.',
      }),
      updatedBefore: t.field({ type: 'DateTime' }),
      lastActivityAfter: t.field({ type: 'DateTime' }),
      lastActivityBefore: t.field({ type: 'DateTime' }),
      forkOf: t.id({ description: 'Only forks of this project. Id or full path.' }),
      group: t.id({ description: 'Only those in this group. Id or full path.' }),
      includeSubgroups: t.boolean({ description: 'Whether to include the subgroups of `group`.' }),
      owner: t.id({ description: 'Only those in the personal namespace of this person. Id or username.' }),
      starredBy: t.id({ description: 'Only those that this person starred. Id or username.' }),
    }),
  },
  rows: async (context, { filter, orderBy }, info) => {
    const { viewer } = context;
    const { forkOf, group, owner, starredBy } = filter;
    if ((filter.updatedAfter || filter.updatedBefore) && orderBy !== 'UPDATED_AT') {
      throw new BadRequest('`updated_at` filter and `updated_at` sorting must be paired');
    }
    const search = searchText(filter.search);
    const groupId = group == null ? undefined : (await lookUp(context, findGroup, 'Group', group)).id;
    const found = {
      ...filter,
      search,
      minAccessLevel: leastRole(filter),
      forkOf: forkOf == null ? undefined : (await lookUp(context, findProject, 'Project', forkOf)).id,
      group: groupId === undefined ? undefined : { id: groupId, descendants: filter.includeSubgroups ?? false },
      owner: owner == null ? undefined : (await userByReference(context, owner)).id,
      starredBy: starredBy == null ? undefined : (await userByReference(context, starredBy)).id,
    };
    return projectList(
      viewer.person?.id ?? null,
      (columns) => toSql(seePlace, viewer, columns),
      found,
      isSelectedOfEach(info, 'permissions'),
    );
  },
});

/** The minimum role, from any of three filters. */
function leastRole({
  owned,
  membership,
  minAccessLevel,
}: {
  readonly owned?: boolean | null | undefined;
  readonly membership?: boolean | null | undefined;
  readonly minAccessLevel?: number | null | undefined;
}): number | undefined {
  const asked = [owned && roles.owner, membership && roles.guest, minAccessLevel].filter(
    (level) => typeof level === 'number',
  );
  return asked.length > 0 ? Math.max(...asked) : undefined;
}
