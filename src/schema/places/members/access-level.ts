import { roles, type Role } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';

export type AccessLevel = Uppercase<Role>;

export const AccessLevelType = builder.enumType('AccessLevel', {
  description: 'What a member may do, each role also everything below it.',
  values: {
    GUEST: {},
    REPORTER: {},
    DEVELOPER: {},
    MAINTAINER: { description: 'Manages the settings and the members of a project.' },
    OWNER: { description: 'Manages a group, and who is in it.' },
  } as const satisfies Record<AccessLevel, object>,
});

/** By the number that version 4 uses for it. */
export const levelOf = (accessLevel: AccessLevel): number => roles[accessLevel.toLowerCase() as Role];
const names = new Map(
  Object.entries(roles).map(([role, level]) => [level as number, role.toUpperCase() as AccessLevel]),
);
export const accessLevelOf = (level: number): AccessLevel => names.get(level)!;
/** As people read it: `Maintainer`. */
export const titleOf = (level: number): string => {
  const name = accessLevelOf(level);
  return name[0] + name.slice(1).toLowerCase();
};
