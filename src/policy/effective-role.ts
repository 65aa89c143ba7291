/**
 * The role of a person in a place, from plain data. `groupAccessLevel`, `projectAccessLevel` and the lists in
 * src/database/access/places.ts say the same in SQL; a property test compares them.
 */

/** A role that ends at the start of a day (UTC), as YYYY-MM-DD; null for none. */
interface Ending {
  readonly accessLevel: number;
  readonly expiresOn: string | null;
}

export interface Membership extends Ending {
  readonly userId: number;
}

/** A share with a group: it gives the members of that group at most `accessLevel`. */
export interface Share extends Ending {
  readonly invited: GroupWithRoles;
}

export interface GroupWithRoles {
  /** The group above it. */
  readonly parent: GroupWithRoles | null;
  readonly members: readonly Membership[];
  readonly shares: readonly Share[];
  /** Whether shares of the projects directly in it are dormant. */
  readonly shareWithGroupLock: boolean;
  /** Whether it is being removed; its shares give nothing any more. */
  readonly removed?: boolean;
}

export interface ProjectWithRoles {
  /** Null in a personal namespace. */
  readonly group: GroupWithRoles | null;
  /** The owner of the personal namespace. */
  readonly ownerId: number | null;
  readonly members: readonly Membership[];
  readonly shares: readonly Share[];
}

const lasts = ({ expiresOn }: Ending, today: string) => expiresOn === null || expiresOn > today;
const highest = (levels: Iterable<number>) => Math.max(0, ...levels);

const directRole = (members: readonly Membership[], userId: number, today: string) =>
  highest(members.filter((one) => one.userId === userId && lasts(one, today)).map((one) => one.accessLevel));

/** The roles by shares: the lower of each share and the role in the invited group. */
const byShares = (shares: readonly Share[], today: string, roleIn: (invited: GroupWithRoles) => number) =>
  highest(
    shares
      .filter((share) => lasts(share, today) && !share.invited.removed)
      .map((share) => Math.min(share.accessLevel, roleIn(share.invited))),
  );

/** The role of a person in a group: as a direct member, inherited, or as a direct member of an invited group. 0 for none. */
function roleInGroup(group: GroupWithRoles, userId: number, today: string): number {
  return Math.max(
    directRole(group.members, userId, today),
    byShares(group.shares, today, ({ members }) => directRole(members, userId, today)),
    group.parent === null ? 0 : roleInGroup(group.parent, userId, today),
  );
}

/**
 * The highest role of a person in a group or a project; 0 for none. A share of a project counts every role in the
 * invited group; a share of a group counts only its direct members.
 * @param today the day in UTC, as YYYY-MM-DD
 */
export function effectiveRole(place: GroupWithRoles | ProjectWithRoles, userId: number, today: string): number {
  if ('parent' in place) return roleInGroup(place, userId, today);
  const { group, ownerId, members, shares } = place;
  return Math.max(
    ownerId === userId ? 50 : 0,
    directRole(members, userId, today),
    group === null ? 0 : roleInGroup(group, userId, today),
    group?.shareWithGroupLock ? 0 : byShares(shares, today, (invited) => roleInGroup(invited, userId, today)),
  );
}
