import { toMessage, type Message } from './message.ts';

/**
 * All messages. Messages that a stranger can trigger contain nothing chosen by the stranger except a username, which
 * has only letters, digits, `_`, `-` and `.`.
 */

/** The link to sign in. @param base address of the gateway */
const signIn = (base: string) => ({ label: 'Sign in', url: `${base}/users/sign_in` });

const notYou =
  'If this wasn’t you, someone else may be using your account: change your password, or contact your administrator.';

export const verifyAddress = (username: string, address: string, url: string): Message =>
  toMessage({
    kind: 'verify address',
    subject: 'Confirm your e-mail address',
    says: [
      `The account ${username} at Causeway uses ${address} as its address. If that is your account, confirm that the address is yours.`,
    ],
    link: { label: 'Confirm the address', url },
    after: [
      'The link works once, within a day. If you don’t know this account, ignore this message: the address stays unconfirmed.',
    ],
  });

/** To the owner of an address that was used to sign up again. */
export const addressTaken = (username: string, base: string): Message =>
  toMessage({
    kind: 'address taken',
    subject: 'You already have an account',
    says: [
      `Someone tried to sign up at Causeway with this address. It belongs to your account ${username}, so no new account was created.`,
    ],
    link: signIn(base),
    after: [
      'If it was you, sign in, or request a new password on the sign-in page. If it wasn’t, ignore this message.',
    ],
  });

export const resetPassword = (username: string, url: string): Message =>
  toMessage({
    kind: 'reset password',
    subject: 'Choose a new password',
    says: [`Someone requested a new password for your account ${username} at Causeway.`],
    link: { label: 'Choose a new password', url },
    after: [
      'The link works once, within an hour. If you didn’t request it, ignore this message: your password stays the same.',
    ],
  });

export const passwordChanged = (username: string, base: string): Message =>
  toMessage({
    kind: 'password changed',
    subject: 'Your password was changed',
    says: [`The password of your account ${username} at Causeway was changed, and all other sessions were signed out.`],
    link: signIn(base),
    after: [notYou],
  });

/** To the former primary address. */
export const primaryChanged = (username: string, base: string): Message =>
  toMessage({
    kind: 'primary address changed',
    subject: 'Your primary e-mail address was changed',
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
    says: [`Another e-mail address was added to your account ${username} at Causeway.`],
    link: signIn(base),
    after: [notYou],
  });

/** To a person who signed up and waited for it. */
export const accountApproved = (username: string, base: string): Message =>
  toMessage({
    kind: 'account approved',
    subject: 'Your account was approved',
    says: [`An administrator approved your account ${username} at Causeway. You can sign in now.`],
    link: signIn(base),
    after: [],
  });

export const secondFactorOn = (username: string, base: string): Message =>
  toMessage({
    kind: 'second factor on',
    subject: 'Two-factor authentication was turned on',
    says: [
      `Signing in to your account ${username} at Causeway now requires a code in addition to the password. Keep your recovery codes in a place that you can reach without your phone.`,
    ],
    link: signIn(base),
    after: [notYou],
  });

export const secondFactorOff = (username: string, base: string): Message =>
  toMessage({
    kind: 'second factor off',
    subject: 'Two-factor authentication was turned off',
    says: [`Signing in to your account ${username} at Causeway now requires only the password.`],
    link: signIn(base),
    after: [notYou],
  });

export const passkeyAdded = (username: string, name: string, base: string): Message =>
  toMessage({
    kind: 'passkey added',
    subject: 'A passkey was added',
    says: [
      `The passkey “${name}” was added to your account ${username} at Causeway. It signs in without the password.`,
    ],
    link: signIn(base),
    after: [notYou],
  });

export const passkeyRemoved = (username: string, name: string, base: string): Message =>
  toMessage({
    kind: 'passkey removed',
    subject: 'A passkey was removed',
    says: [`The passkey “${name}” of your account ${username} at Causeway works no more.`],
    link: signIn(base),
    after: [notYou],
  });

/** @param left how many recovery codes are left */
export const recoveryCodeUsed = (username: string, left: number, base: string): Message =>
  toMessage({
    kind: 'recovery code used',
    subject: 'A recovery code was used',
    says: [
      `A recovery code was used to sign in to your account ${username} at Causeway. ${left} ${left === 1 ? 'is' : 'are'} left.`,
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
      `Within a day, ${count} wrong codes were typed for your account ${username} at Causeway. The person who typed them knew your password.`,
    ],
    link: { label: 'Change your password', url: `${base}/profile/password` },
    after: ['If it was you, ignore this message. If it wasn’t, change your password now.'],
  });

/** To a person whose tokens expire soon. @param tokens by the day (UTC) on which they no longer work */
export const tokensExpire = (
  username: string,
  tokens: readonly { readonly name: string; readonly expiresAt: string }[],
  base: string,
): Message => {
  const isOne = tokens.length === 1;
  return toMessage({
    kind: 'tokens expire',
    subject: isOne ? 'An access token expires soon' : `${tokens.length} access tokens expire soon`,
    says: [
      isOne
        ? `An access token of your account ${username} at Causeway stops working at 00:00 UTC of this day:`
        : `Access tokens of your account ${username} at Causeway stop working at 00:00 UTC of these days:`,
      ...tokens.map(({ name, expiresAt }) => `${expiresAt}: ${name}`),
    ],
    link: { label: `Rotate or revoke ${isOne ? 'it' : 'them'}`, url: `${base}/profile/personal_access_tokens` },
    after: [`Programs that use ${isOne ? 'it' : 'one of them'} need a new one before that day.`],
  });
};
