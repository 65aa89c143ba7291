import type { Context } from '../../../context.ts';
import { BadRequest, Conflict, Forbidden, NotFound, SharingRefused } from '../../../errors.ts';
import { holds, isAdministrator, roles } from '../../../policy/index.ts';
import { facts, lookUp } from '../place/look-up.ts';
import { managing } from '../place/managing.ts';
import { findInvitedGroup, findSharedPlace, type InvitedRow, type Scope, type SharedPlaceRow } from './statements.ts';

/** The place that is to be shared. @throws NotFound if the viewer doesn't see it */
export const visiblePlace = (context: Context, scope: Scope, given: string): Promise<SharedPlaceRow> =>
  lookUp(context, findSharedPlace[scope], managing[scope].subject, given);

/** Those who manage the members of a place share it. @throws Forbidden */
export function requireManaging({ viewer }: Context, scope: Scope, place: SharedPlaceRow): void {
  if (!holds(managing[scope].manage, viewer, facts(place)))
    throw scope === 'group' ? new SharingRefused() : new Forbidden();
}

/** The place that the viewer shares. @throws NotFound, Forbidden */
export async function sharedPlace(context: Context, scope: Scope, given: string): Promise<SharedPlaceRow> {
  const place = await visiblePlace(context, scope, given);
  requireManaging(context, scope, place);
  return place;
}

/** Whether the viewer is an owner of the place. */
export const owns = ({ viewer }: Context, { access_level: level }: SharedPlaceRow) =>
  isAdministrator(viewer) || (level ?? 0) >= roles.owner;

/** The group with which a place is to be shared. @throws NotFound if the viewer doesn't see it */
export const invitedGroup = (context: Context, given: string): Promise<InvitedRow> =>
  lookUp(context, findInvitedGroup, 'Group', given);

/** Whether a place may be shared with a group: the top-level group may allow only groups of its own tree. */
const isInReach = ({ closed, ancestry }: SharedPlaceRow, invited: InvitedRow) =>
  !closed || invited.ancestry[0] === ancestry[0];

const alreadyShared = 'Shared group The group has already been shared with this group';

/** Requires that a group may be shared with another one. @throws Forbidden, Conflict */
export function requireGroup(place: SharedPlaceRow, invited: InvitedRow): void {
  if (!isInReach(place, invited)) throw new SharingRefused('The top-level group allows only groups of its own tree.');
  if (invited.id === place.id) throw new Conflict(alreadyShared);
}

/**
 * Requires that a project may be shared with a group, of which the viewer has to be a member.
 * @throws BadRequest while shares are locked, Forbidden, NotFound, Conflict
 */
export async function groupToInviteToProject(
  context: Context,
  given: string,
  place: SharedPlaceRow,
  level: number,
): Promise<InvitedRow> {
  if (place.locked) throw new BadRequest('The project sharing with group is disabled');
  if (level === roles.owner && !owns(context, place)) throw new Forbidden();
  const invited = await invitedGroup(context, given);
  const isMember = isAdministrator(context.viewer) || (invited.access_level ?? 0) >= roles.guest;
  if (!isMember || !isInReach(place, invited)) throw new NotFound('Group');
  if (place.ancestry.includes(invited.id))
    throw new Conflict('Project cannot be shared with the group it is in or one of its ancestors.');
  return invited;
}

/** What is wrong with sharing a place twice. */
export const sharedTwice = (scope: Scope) =>
  new Conflict(scope === 'group' ? alreadyShared : 'Project already shared with this group');
