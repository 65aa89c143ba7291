import type { NoticeName } from '../../site/layout/notices.ts';

/** What administrators do to the state of an account: the buttons and their questions, in the words that they know. */

export type UserState = 'active' | 'blocked' | 'deactivated' | 'banned' | 'blocked_pending_approval';

interface Named {
  readonly name: string;
  readonly username: string;
}

export interface Action {
  /** The label of the button. */
  readonly label: string;
  /** The states in which its button is shown. */
  readonly offeredTo: readonly UserState[];
  /** Whether it takes something from the person. */
  readonly danger?: true;
  /** Whether administrators can't do it to themselves. */
  readonly others?: true;
  readonly title: (person: Named) => string;
  /** The consequences, in words. */
  readonly says: string;
  readonly notice: NoticeName;
}

const comesBack =
  'They can sign in again, and their access tokens work again. Sessions and authorizations stay revoked.';

const actions = {
  approve: {
    label: 'Approve',
    offeredTo: ['blocked_pending_approval'],
    title: ({ name }) => `Approve ${name}?`,
    says: 'They can sign in, and get a message about it.',
    notice: 'user_approved',
  },
  reject: {
    label: 'Reject',
    offeredTo: ['blocked_pending_approval'],
    danger: true,
    title: ({ name }) => `Reject ${name}?`,
    says: 'The account is removed. They can sign up again.',
    notice: 'user_rejected',
  },
  block: {
    label: 'Block',
    offeredTo: ['active', 'deactivated'],
    danger: true,
    others: true,
    title: ({ name }) => `Block ${name}?`,
    says: 'They are signed out everywhere, applications lose access to their account, and their access tokens are refused until they are unblocked.',
    notice: 'user_blocked',
  },
  unblock: {
    label: 'Unblock',
    offeredTo: ['blocked'],
    title: ({ name }) => `Unblock ${name}?`,
    says: comesBack,
    notice: 'user_unblocked',
  },
  ban: {
    label: 'Ban user',
    offeredTo: ['active'],
    danger: true,
    others: true,
    title: ({ name }) => `Ban ${name}?`,
    says: 'As a block, with another word for the state: they are signed out everywhere, and their access tokens are refused until they are unbanned.',
    notice: 'user_banned',
  },
  unban: {
    label: 'Unban user',
    offeredTo: ['banned'],
    title: ({ name }) => `Unban ${name}?`,
    says: comesBack,
    notice: 'user_unbanned',
  },
  deactivate: {
    label: 'Deactivate',
    offeredTo: ['active'],
    danger: true,
    title: ({ name }) => `Deactivate ${name}?`,
    says: 'For people who did nothing in the last 90 days. They are signed out everywhere, and their access tokens are refused until they sign in again: that activates the account.',
    notice: 'user_deactivated',
  },
  activate: {
    label: 'Activate',
    offeredTo: ['deactivated'],
    title: ({ name }) => `Activate ${name}?`,
    says: comesBack,
    notice: 'user_activated',
  },
} as const satisfies Readonly<Record<string, Action>>;

export type ActionName = keyof typeof actions;

/** All actions, in the order of their buttons. */
export const allActions = Object.entries(actions) as readonly (readonly [ActionName, Action])[];
