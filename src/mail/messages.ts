import { toMessage, type Message } from './message.ts';

/**
 * Every message there is. What a stranger can make us send says nothing that the
 * stranger chose but a username, which has letters, digits, `_`, `-` and `.` only.
 */

/** Where a person looks after their account. @param base address of the gateway */
const signIn = (base: string) => ({ label: 'Sign in', url: `${base}/users/sign_in` });

const notYou =
  'If this wasn’t you, somebody else may be using your account: change your password, or tell your administrator.';

export const verifyAddress = (username: string, address: string, url: string): Message =>
  toMessage({
    kind: 'verify address',
    subject: 'Confirm your e-mail address',
    says: [
      `The account ${username} at Causeway names ${address} as its address. If that is your account, confirm that the address is yours.`,
    ],
    link: { label: 'Confirm the address', url },
    after: [
      'The link works once, within a day. If you know nothing of this account, do nothing: the address then stays unconfirmed.',
    ],
  });

/** To the owner of an address that somebody tried to sign up with. */
export const addressTaken = (username: string, base: string): Message =>
  toMessage({
    kind: 'address taken',
    subject: 'You have an account already',
    says: [
      `Somebody tried to sign up at Causeway with this address. It belongs to your account ${username}, so no other account was made.`,
    ],
    link: signIn(base),
    after: [
      'If it was you: sign in, or ask for a new password on the page where you sign in. If it wasn’t, there is nothing to do.',
    ],
  });

export const resetPassword = (username: string, url: string): Message =>
  toMessage({
    kind: 'reset password',
    subject: 'Choose a new password',
    says: [`Somebody asked for a new password for your account ${username} at Causeway.`],
    link: { label: 'Choose a new password', url },
    after: ['The link works once, within an hour. If you didn’t ask, do nothing: your password stays as it is.'],
  });

export const passwordChanged = (username: string, base: string): Message =>
  toMessage({
    kind: 'password changed',
    subject: 'Your password was changed',
    says: [`The password of your account ${username} at Causeway was changed, and every other session was ended.`],
    link: signIn(base),
    after: [notYou],
  });

/** To the address that was the primary one. */
export const primaryChanged = (username: string, base: string): Message =>
  toMessage({
    kind: 'primary address changed',
    subject: 'Your account has another primary address',
    says: [
      `Your account ${username} at Causeway now uses another primary e-mail address. Messages go there from now on.`,
    ],
    link: signIn(base),
    after: [notYou],
  });

export const addressAdded = (username: string, base: string): Message =>
  toMessage({
    kind: 'address added',
    subject: 'An e-mail address was added to your account',
    says: [`A further e-mail address was added to your account ${username} at Causeway.`],
    link: signIn(base),
    after: [notYou],
  });

export const secondFactorOn = (username: string, base: string): Message =>
  toMessage({
    kind: 'second factor on',
    subject: 'Your second factor is turned on',
    says: [
      `Signing in to your account ${username} at Causeway now needs a code besides the password. Keep your recovery codes where you find them without your phone.`,
    ],
    link: signIn(base),
    after: [notYou],
  });

export const secondFactorOff = (username: string, base: string): Message =>
  toMessage({
    kind: 'second factor off',
    subject: 'Your second factor is turned off',
    says: [`Signing in to your account ${username} at Causeway needs only the password now.`],
    link: signIn(base),
    after: [notYou],
  });

/** @param left how many recovery codes are left */
export const recoveryCodeUsed = (username: string, left: number, base: string): Message =>
  toMessage({
    kind: 'recovery code used',
    subject: 'A recovery code was used',
    says: [
      `A recovery code stood in for the second factor of your account ${username} at Causeway. ${left} ${left === 1 ? 'is' : 'are'} left.`,
    ],
    link: signIn(base),
    after: [notYou],
  });

/** @param count wrong codes within a day */
export const wrongCodes = (username: string, count: number, base: string): Message =>
  toMessage({
    kind: 'wrong codes',
    subject: 'Wrong codes for your account',
    says: [
      `Within a day, ${count} wrong codes were typed for your account ${username} at Causeway. Whoever typed them knew your password.`,
    ],
    link: { label: 'Change your password', url: `${base}/profile/password` },
    after: ['If it was you, there is nothing to do. If it wasn’t, change your password now.'],
  });
