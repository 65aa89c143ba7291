import type { PlaceHead } from '../../places/place/route.ts';

/** Whether the viewer writes to the repository at all; a rule may protect a branch from them. */
export const writesTo = ({ archived, userPermissions }: PlaceHead): boolean =>
  !archived && userPermissions.pushCode === true;
