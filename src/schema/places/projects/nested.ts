import { parent } from '../../../database/list.ts';
import { builder } from '../../engine/builder.ts';
import { listOfEach, nestedList } from '../../engine/list.ts';
import { AccessLevelEnum } from '../members/access-level.ts';
import { Group, Namespace, Project } from '../place/types.ts';
import { projectFilterOf, visibleProjects, type ProjectListArgs } from './list.ts';
import { projectOrders } from './orders.ts';

/** The projects of groups and of personal namespaces, as fields of these. */

const NamespaceProjectSort = builder.enumType('NamespaceProjectSort', {
  values: {
    ACTIVITY_DESC: { value: 'latest_activity_desc' },
    ID_ASC: { value: 'id_asc' },
    ID_DESC: { value: 'id_desc' },
    NAME_ASC: { value: 'name_asc' },
    NAME_DESC: { value: 'name_desc' },
    PATH_ASC: { value: 'path_asc' },
    PATH_DESC: { value: 'path_desc' },
  } as const,
});

const args = builder.args((t) => ({
  ids: t.idList({ description: 'Only these projects.' }),
  includeSubgroups: t.boolean({ defaultValue: false, description: 'Whether to include those of subgroups.' }),
  search: t.string({ description: 'Words that must all occur in the name, the path or the description.' }),
}));

type Asked = Pick<ProjectListArgs, 'ids' | 'includeSubgroups' | 'search'>;

const inNamespaces = listOfEach(async (context, asked: Asked) => {
  const filter = await projectFilterOf(context, asked);
  return visibleProjects(context, {
    ...filter,
    namespace: { id: parent, descendants: asked.includeSubgroups ?? false },
  });
});

const list = {
  type: Project,
  description: 'The projects in it that you can see.',
  orders: projectOrders,
  by: 'id_desc',
  sortType: NamespaceProjectSort,
  args: () => args,
} as const;

const sharedWithGroups = listOfEach(async (context, asked: Pick<ProjectListArgs, 'search' | 'minAccessLevel'>) => {
  const filter = await projectFilterOf(context, asked);
  return visibleProjects(context, {
    ...filter,
    sharedWith: parent,
  });
});

nestedList(Group, 'sharedProjects', {
  type: Project,
  description: 'The projects that are shared with it that you can see.',
  orders: projectOrders,
  by: 'name_asc',
  args: (t) => ({
    search: t.string({ description: 'Words that must all occur in the name, the path or the description.' }),
    minAccessLevel: t.field({ type: AccessLevelEnum, description: 'Only those in which you have at least this role.' }),
  }),
  rows: (context, asked, _info, { id }) => sharedWithGroups(context, id, asked),
});
nestedList(Group, 'projects', { ...list, rows: (context, asked, _info, { id }) => inNamespaces(context, id, asked) });
nestedList(Namespace, 'projects', {
  ...list,
  rows: (context, asked, _info, { id }) => inNamespaces(context, id, asked),
});
