import { accessLevelOf } from '../members/access-level.ts';
import { batched } from '../../engine/batched.ts';
import { builder } from '../../engine/builder.ts';
import { globalId } from '../../engine/global-id.ts';
import { AccessLevel } from '../members/access-level.ts';
import { visibleGroupById } from '../place/read.ts';
import { seenBy } from '../place/seen-by.ts';
import { Group, Project } from '../place/types.ts';
import { listShares, type ListedShareRow, type Scope, type ShareRow } from './statements.ts';

/** Shares of groups and projects with groups, as fields of both. */

export type Share = ShareRow & Pick<ListedShareRow, 'group_name' | 'group_full_path'>;

/** `ops as developer until 2027-01-31`, for the audit log. */
export const inWords = (path: string, { access_level: level, expires_at: until }: ShareRow): string =>
  `${path} as ${accessLevelOf(level).toLowerCase()}${until === null ? '' : ` until ${until}`}`;

export const GroupShare = builder.objectRef<Share>('GroupShare').implement({
  description: 'A group or a project is shared with a group: members of that group have a role in it.',
  fields: (t) => ({
    databaseId: t.exposeInt('id', { nullable: true, description: 'The number of a share of a project.' }),
    groupId: t.id({
      description: 'The global id of the invited group.',
      direct: true,
      resolve: ({ invited_group_id: id }) => globalId('Group', id),
    }),
    groupDatabaseId: t.exposeInt('invited_group_id', { description: 'The number in `groupId`.' }),
    groupName: t.exposeString('group_name', { description: 'The name of the invited group.' }),
    groupFullPath: t.exposeID('group_full_path', { description: 'The full path of the invited group.' }),
    group: t.field({
      type: Group,
      nullable: true,
      description: 'The invited group; null if you can’t see it.',
      resolve: ({ invited_group_id: id }, _args, context) => visibleGroupById(context, id),
    }),
    accessLevel: t.field({
      type: AccessLevel,
      description: 'The highest role that it gives.',
      resolve: ({ access_level: level }) => level,
    }),
    expiresAt: t.field({
      type: 'Time',
      nullable: true,
      description: 'When it ends, at the start of a day in UTC; null if it doesn’t end.',
      resolve: ({ expires_at: day }) => (day === null ? null : new Date(`${day}T00:00:00Z`)),
    }),
  }),
});

/** The shares of a page of places, read with one statement; places without any need none. */
const sharesOf = (scope: Scope) =>
  batched<Share[]>(async (context, ids) => {
    const rows = await context.database.rows(listShares(scope, seenBy(context)), [
      ids,
      context.viewer.person?.id ?? null,
    ]);
    const shares = new Map(ids.map((id): [number, Share[]] => [id, []]));
    for (const row of rows) shares.get(row.place_id)!.push(row);
    return shares;
  });
const shares = { group: sharesOf('group'), project: sharesOf('project') };

const list = {
  type: [GroupShare] as [typeof GroupShare],
  description:
    'Its shares with groups, the oldest first: those with groups that you can see; all of them if you manage its members.',
};
builder.objectField(Group, 'sharedWithGroups', (t) =>
  t.field({
    ...list,
    resolve: async ({ id, isShared }, _args, context) => (isShared ? ((await shares.group(context, id)) ?? []) : []),
  }),
);
builder.objectField(Project, 'sharedWithGroups', (t) =>
  t.field({
    ...list,
    resolve: async ({ id, isShared }, _args, context) => (isShared ? ((await shares.project(context, id)) ?? []) : []),
  }),
);
