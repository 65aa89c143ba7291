import type { PersonState } from '../../../database/access/people.ts';
import type { AuditKind } from '../../../values/kinds/audit-kinds.ts';
import { Conflict, Forbidden, ForbiddenPlainly, type DomainError } from '../../../errors.ts';

/** What changes the state of a person, and from which states: one table. Messages have the words that clients know. */

/** The next state, `unchanged`, or why not. */
type Next = PersonState | 'unchanged' | 'removed' | ((state: PersonState) => DomainError);

export interface Transition {
  readonly description: string;
  readonly audit: AuditKind;
  readonly from: Readonly<Record<PersonState, Next>>;
  /** Why administrators can't do it to themselves. */
  readonly self?: string;
  /** Why it can't be done to an account of the instance itself, where the state alone doesn't refuse it. */
  readonly internal?: string;
  /** The refusal for people who aren't administrators, where it isn't the plain refusal. */
  readonly others?: string;
}

const refused = (reason: string) => () => new Forbidden(reason);
const plainly = (reason: string) => () => new ForbiddenPlainly(reason);
const conflict = (reason: string) => () => new Conflict(reason);
const cannot = (verb: string) => (state: PersonState) =>
  new ForbiddenPlainly(`You cannot ${verb} ${state.toLowerCase()} users.`);

const notDeactivated = plainly('Error occurred. A blocked user cannot be deactivated');
const notActivated = refused('A blocked user must be unblocked to be activated');
const notPending = conflict('The user you are trying to approve is not pending approval');
const noRequest = conflict('User does not have a pending request');

export const transitions = {
  block: {
    description:
      'Blocks a person: ends their sessions and revokes their OAuth tokens and codes, and no new ones are issued.',
    audit: 'user_blocked',
    self: 'The API initiating user cannot be blocked by the API',
    internal: 'An internal user cannot be blocked',
    from: {
      ACTIVE: 'BLOCKED',
      BLOCKED: 'unchanged',
      DEACTIVATED: 'BLOCKED',
      BLOCKED_PENDING_APPROVAL: 'unchanged',
      BANNED: 'unchanged',
    },
  },
  unblock: {
    description: 'Unblocks a person; what the block ended stays ended.',
    audit: 'user_unblocked',
    internal: 'An internal user cannot be unblocked',
    from: {
      ACTIVE: 'unchanged',
      BLOCKED: 'ACTIVE',
      DEACTIVATED: refused('Deactivated users cannot be unblocked by the API'),
      BLOCKED_PENDING_APPROVAL: 'ACTIVE',
      BANNED: 'ACTIVE',
    },
  },
  deactivate: {
    description:
      'Deactivates a person who did nothing in the last 90 days: as a block, until they sign in, which activates the account.',
    audit: 'user_deactivated',
    internal: 'Internal users cannot be deactivated',
    from: {
      ACTIVE: 'DEACTIVATED',
      BLOCKED: notDeactivated,
      DEACTIVATED: 'unchanged',
      BLOCKED_PENDING_APPROVAL: notDeactivated,
      BANNED: notDeactivated,
    },
  },
  activate: {
    description: 'Activates a deactivated person.',
    audit: 'user_activated',
    internal: 'Internal users cannot be activated',
    from: {
      ACTIVE: 'unchanged',
      BLOCKED: notActivated,
      DEACTIVATED: 'ACTIVE',
      BLOCKED_PENDING_APPROVAL: notActivated,
      BANNED: notActivated,
    },
  },
  ban: {
    description: 'Bans a person: as a block, with another word for the state.',
    audit: 'user_banned',
    self: 'The API initiating user cannot be banned by the API',
    internal: 'An internal user cannot be banned',
    from: {
      ACTIVE: 'BANNED',
      BLOCKED: cannot('ban'),
      DEACTIVATED: cannot('ban'),
      BLOCKED_PENDING_APPROVAL: cannot('ban'),
      BANNED: cannot('ban'),
    },
  },
  unban: {
    description: 'Ends the ban of a person; what it ended stays ended.',
    audit: 'user_unbanned',
    from: {
      ACTIVE: cannot('unban'),
      BLOCKED: cannot('unban'),
      DEACTIVATED: cannot('unban'),
      BLOCKED_PENDING_APPROVAL: cannot('unban'),
      BANNED: 'ACTIVE',
    },
  },
  approve: {
    description: 'Approves a person who signed up and waits for it.',
    audit: 'user_approved',
    others: 'You are not allowed to approve a user',
    from: {
      ACTIVE: notPending,
      BLOCKED: notPending,
      DEACTIVATED: notPending,
      BLOCKED_PENDING_APPROVAL: 'ACTIVE',
      BANNED: notPending,
    },
  },
  reject: {
    description: 'Rejects a person who signed up and waits for approval: removes the account.',
    audit: 'user_rejected',
    others: 'You are not allowed to reject a user',
    from: {
      ACTIVE: noRequest,
      BLOCKED: noRequest,
      DEACTIVATED: noRequest,
      BLOCKED_PENDING_APPROVAL: 'removed',
      BANNED: noRequest,
    },
  },
} as const satisfies Readonly<Record<string, Transition>>;

export type TransitionName = keyof typeof transitions;
