import { builder } from '../../engine/builder.ts';
import { accessLevelFrom } from '../members/access-level.ts';
import { VisibilityLevelsEnum } from '../place/types.ts';

/** The deprecated arguments of the list of groups. */

const filter = builder.inputType('GroupFilter', {
  fields: (t) => ({
    search: t.string(),
    visibility: t.field({ type: VisibilityLevelsEnum }),
    owned: t.boolean(),
    minAccessLevel: t.int({ description: '10 guest, 15 planner, 20 reporter, 30 developer, 40 maintainer, 50 owner.' }),
    allAvailable: t.boolean(),
    skip: t.idList(),
    topLevelOnly: t.boolean(),
    parent: t.id(),
    includeDescendants: t.boolean(),
  }),
});

export const deprecatedGroupArguments = {
  filter,
  read: ({ visibility, owned, minAccessLevel, parent, ...others }: typeof filter.$inferInput) => ({
    ...others,
    visibilityLevel: visibility,
    ownedOnly: owned,
    parentPath: parent,
    minAccessLevel: minAccessLevel == null ? undefined : accessLevelFrom(minAccessLevel),
  }),
  orders: { NAME: 'name', PATH: 'path', ID: 'id' },
} as const;
