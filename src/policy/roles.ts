/** Roles in a group or project, by the numbers that version 4 uses for them. */
export const roles = { guest: 10, planner: 15, reporter: 20, developer: 30, maintainer: 40, owner: 50 } as const;
export type Role = keyof typeof roles;
