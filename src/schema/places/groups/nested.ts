import { parent } from '../../../database/list.ts';
import { listOfEach, nestedList } from '../../engine/list.ts';
import { builder } from '../../engine/builder.ts';
import { AccessLevelEnum } from '../members/access-level.ts';
import { Group, Project } from '../place/types.ts';
import { groupFilterOf, visibleGroups, type GroupListArgs } from './list.ts';
import { groupOrders } from './orders.ts';
import type { GroupFilter } from './statements/groups.ts';

/** The groups below a group, those that it is shared with, and those that are shared with it, as fields. */

interface Asked extends Pick<GroupListArgs, 'ids' | 'search'> {
  readonly owned?: boolean | null;
  readonly includeParentDescendants?: boolean | null;
}

const below = listOfEach(async (context, { owned, includeParentDescendants, ...asked }: Asked) => {
  const filter = await groupFilterOf(context, { ...asked, ownedOnly: owned, allAvailable: true });
  return visibleGroups(context, {
    ...filter,
    parent: { id: parent, descendants: includeParentDescendants ?? true },
  });
});

nestedList(Group, 'descendantGroups', {
  type: Group,
  description: 'The groups below it that you can see.',
  orders: groupOrders,
  by: 'name_asc',
  args: (t) => ({
    ids: t.idList({ description: 'Only these groups.' }),
    search: t.string({ description: 'Words that must all occur in the name or the full path.' }),
    owned: t.boolean({ description: 'Only those that you own directly.' }),
    includeParentDescendants: t.boolean({
      defaultValue: true,
      description: 'False: only direct subgroups.',
    }),
  }),
  rows: (context, asked, _info, { id }) => below(context, id, asked),
});

/** The arguments of lists of groups around sharing. */
const sharingArgs = builder.args((t) => ({
  search: t.string({ description: 'Words that must all occur in the name or the full path.' }),
  minAccessLevel: t.field({ type: AccessLevelEnum, description: 'Only those in which you have at least this role.' }),
}));
type SharingArgs = Pick<GroupListArgs, 'search' | 'minAccessLevel'>;

const around = (narrow: Pick<GroupFilter, 'sharedWith' | 'invitedTo'>) =>
  listOfEach(async (context, asked: SharingArgs) => {
    const filter = await groupFilterOf(context, { ...asked, allAvailable: true });
    return visibleGroups(context, {
      ...filter,
      ...narrow,
    });
  });
const invitedTo = (scope: 'group' | 'project') =>
  around({ invitedTo: { scope, id: parent, direct: true, inherited: true } });
const lists = {
  sharedWith: around({ sharedWith: parent }),
  invitedToGroup: invitedTo('group'),
  invitedToProject: invitedTo('project'),
};

const sharing = { type: Group, orders: groupOrders, by: 'name_asc', args: () => sharingArgs } as const;
nestedList(Group, 'sharedGroups', {
  ...sharing,
  description: 'The groups that are shared with it that you can see.',
  rows: (context, asked, _info, { id }) => lists.sharedWith(context, id, asked),
});
const invited = 'The groups that are invited to it, or to groups above it, that you can see.';
nestedList(Group, 'invitedGroups', {
  ...sharing,
  description: invited,
  rows: (context, asked, _info, { id }) => lists.invitedToGroup(context, id, asked),
});
nestedList(Project, 'invitedGroups', {
  ...sharing,
  description: invited,
  rows: (context, asked, _info, { id }) => lists.invitedToProject(context, id, asked),
});
