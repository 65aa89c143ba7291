import { builder } from '../../engine/builder.ts';
import { accessLevelFrom } from '../members/access-level.ts';
import { VisibilityLevelsEnum } from '../place/types.ts';

/** The deprecated arguments of the list of projects. */

const filter = builder.inputType('ProjectFilter', {
  fields: (t) => ({
    search: t.string(),
    searchNamespaces: t.boolean(),
    visibility: t.field({ type: VisibilityLevelsEnum }),
    archived: t.boolean(),
    owned: t.boolean(),
    membership: t.boolean(),
    minAccessLevel: t.int({ description: '10 guest, 15 planner, 20 reporter, 30 developer, 40 maintainer, 50 owner.' }),
    starred: t.boolean(),
    topics: t.stringList(),
    idAfter: t.int(),
    idBefore: t.int(),
    updatedAfter: t.field({ type: 'Time' }),
    updatedBefore: t.field({ type: 'Time' }),
    lastActivityAfter: t.field({ type: 'Time' }),
    lastActivityBefore: t.field({ type: 'Time' }),
    forkOf: t.id(),
    group: t.id(),
    includeSubgroups: t.boolean(),
    owner: t.id(),
    starredBy: t.id(),
  }),
});

export const deprecatedProjectArguments = {
  filter,
  read: ({ visibility, archived, owner, minAccessLevel, ...others }: typeof filter.$inferInput) => ({
    ...others,
    visibilityLevel: visibility,
    archived: archived == null ? undefined : archived ? ('ONLY' as const) : ('EXCLUDE' as const),
    ownedBy: owner,
    minAccessLevel: minAccessLevel == null ? undefined : accessLevelFrom(minAccessLevel),
  }),
  orders: {
    ID: 'id',
    NAME: 'name',
    PATH: 'path',
    CREATED_AT: 'created',
    UPDATED_AT: 'updated',
    LAST_ACTIVITY_AT: 'latest_activity',
    STAR_COUNT: 'stars',
  },
} as const;
