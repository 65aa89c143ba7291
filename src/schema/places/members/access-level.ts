import { roles, type Role } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';

export type AccessLevelName = Uppercase<Role>;

export const AccessLevelEnum = builder.enumType('AccessLevelEnum', {
  description: 'The role of a member. Each role includes the rights of those below it.',
  values: {
    GUEST: {},
    PLANNER: { description: 'Plans the work: issues and milestones. Reads code and merge requests, too.' },
    REPORTER: {},
    DEVELOPER: {},
    MAINTAINER: { description: 'Manages the settings and the members of a project.' },
    OWNER: { description: 'Manages a group and its members.' },
  } as const satisfies Record<AccessLevelName, object>,
});

/** The number of a role in the REST API. */
export const levelOf = (name: AccessLevelName): number => roles[name.toLowerCase() as Role];
const names = new Map(
  Object.entries(roles).map(([role, level]) => [level as number, role.toUpperCase() as AccessLevelName]),
);
/** The name of a role, from its number. */
export const accessLevelOf = (level: number): AccessLevelName => names.get(level)!;
/** The least role with at least a number; owner for larger numbers. */
export const accessLevelFrom = (least: number): AccessLevelName =>
  [...names].find(([level]) => level >= least)?.[1] ?? 'OWNER';
/** The title of a role on pages: `Maintainer`. */
export const titleOf = (level: number): string => {
  const name = accessLevelOf(level);
  return name[0] + name.slice(1).toLowerCase();
};

/** A role as a field of a record: its number and its name. */
export const AccessLevel = builder.objectRef<number>('AccessLevel').implement({
  description: 'The role of a member.',
  fields: (t) => ({
    integerValue: t.int({
      description: '10 guest, 15 planner, 20 reporter, 30 developer, 40 maintainer, 50 owner; 0 without a role.',
      resolve: (level) => level,
    }),
    stringValue: t.field({
      type: AccessLevelEnum,
      nullable: true,
      description: 'Null without a role.',
      resolve: (level) => (level === 0 ? null : accessLevelOf(level)),
    }),
  }),
});
