import { statement } from '../../database/index.ts';
import { shownState, type PersonState } from '../../database/access/people.ts';

export interface ActingRow {
  id: number;
  username: string;
  administrator: boolean;
  tier: 'FREE' | 'PREMIUM';
  external: boolean;
  state: PersonState;
}

/** Someone in whose name work is done in the background. $1 person. */
export const findActing = statement<ActingRow>(
  'find_acting',
  `select u.id, u.username, u.administrator, u.tier, u.external, ${shownState} as state
     from users u where u.id = $1::int and u.deleting_since is null`,
);
