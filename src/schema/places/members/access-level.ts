import { roles, type Role } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';

export type AccessLevel = Uppercase<Role>;

export const AccessLevelType = builder.enumType('AccessLevel', {
  description: 'The role of a member. Each role includes the rights of those below it.',
  values: {
    GUEST: {},
    REPORTER: {},
    DEVELOPER: {},
    MAINTAINER: { description: 'Manages the settings and the members of a project.' },
    OWNER: { description: 'Manages a group and its members.' },
  } as const satisfies Record<AccessLevel, object>,
});

/** The number of a role in GitLab's REST API. */
export const levelOf = (accessLevel: AccessLevel): number => roles[accessLevel.toLowerCase() as Role];
const names = new Map(
  Object.entries(roles).map(([role, level]) => [level as number, role.toUpperCase() as AccessLevel]),
);
export const accessLevelOf = (level: number): AccessLevel => names.get(level)!;
/** The title of a role on pages: `Maintainer`. */
export const titleOf = (level: number): string => {
  const name = accessLevelOf(level);
  return name[0] + name.slice(1).toLowerCase();
};
