import { parent } from '../../../database/list.ts';
import { reads } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { listOfEach, nestedList, rootList, searchText } from '../../engine/list.ts';
import { prefetchPlace } from '../../places/place/look-up.ts';
import { Group } from '../../places/place/types.ts';
import { epicIn, groupOfEpics } from './read.ts';
import { epicList, epicOrders, findGroupOfEpics, type EpicFilter } from './statements.ts';
import { Epic } from './types.ts';
import { largestInteger } from '../../../values/integers.ts';

/** The epics of groups. */

const filters = builder.args((t) => ({
  iids: t.intList({ description: 'Only those with these numbers in the group.' }),
  search: t.string({ description: 'Words that must all occur in the title or the description.' }),
}));

const filterOf = ({ iids, search }: { iids?: readonly number[] | null; search?: string | null }): EpicFilter => ({
  iids: iids?.filter((iid) => iid <= largestInteger),
  search: searchText(search),
});

const list = { type: Epic, orders: epicOrders, by: 'created_desc' } as const;

rootList('epics', {
  ...list,
  description: 'The epics of a group, the latest first. For people on the higher tier, from Planner up.',
  admission: { class: 'token', scopes: reads },
  prefetch: ({ group }) => prefetchPlace(findGroupOfEpics, 'Group', group),
  args: (t) => ({ group: t.id({ required: true, description: 'Full path, global id or number.' }), ...filters }),
  rows: async (context, { group, ...asked }) =>
    epicList(context.viewer, await groupOfEpics(context, group), filterOf(asked)),
});

builder.queryField('epic', (t) =>
  t.field({
    type: Epic,
    nullable: true,
    description: 'An epic of a group by its number; null if it is missing.',
    admission: { class: 'token', scopes: reads },
    prefetch: ({ group }) => prefetchPlace(findGroupOfEpics, 'Group', group),
    args: {
      group: t.arg.id({ required: true, description: 'Full path, global id or number.' }),
      iid: t.arg.id({ required: true }),
    },
    resolve: (_root, { group, iid }, context) => epicIn(context, group, iid),
  }),
);

const epicsOfEach = listOfEach((context, filter: EpicFilter) => epicList(context.viewer, parent, filter));

nestedList(Group, 'epics', {
  ...list,
  description: 'Its epics, the latest first; none for those who don’t read them.',
  args: () => filters,
  rows: (context, asked, _info, { id }) => epicsOfEach(context, id, filterOf(asked)),
});
