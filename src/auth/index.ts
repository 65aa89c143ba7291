export { viewerOf } from './credentials/acting.ts';
export { authenticate, type Presented } from './credentials/authenticate.ts';
export { authenticateKey, isKnownKey } from './credentials/by-key.ts';
export { CredentialWatch } from './credentials/credential-watch.ts';
export { authenticateGit, WrongPassword, type PresentedToGit } from './credentials/git-client.ts';
export { actAs, type Sudo } from './credentials/sudo.ts';
export { chosenToken, newToken } from './credentials/tokens.ts';
export { checkPassword } from './passwords/check-password.ts';
export { countAgainst } from './passwords/count-attempts.ts';
export { boundedGuess } from './passwords/guess.ts';
export { guessable } from './passwords/guessable.ts';
export { checkCode } from './sign-in/check-code.ts';
export { openDraft, sealDraft } from './sign-in/drafts.ts';
export { keepMailedToken } from './sign-in/mailed-tokens.ts';
export { completeSignIn } from './sign-in/pending-sign-in.ts';
export {
  beginSecondFactor,
  enableSecondFactor,
  renewRecoveryCodes,
  resealSeeds,
  secondFactorOf,
  seedBeingSetUp,
  type Reseal,
  type SecondFactor,
} from './sign-in/second-factor.ts';
export {
  bySession,
  endAll,
  formToken,
  isFormToken,
  isOwnPassword,
  renewed,
  signIn,
  signOut,
  type OwnSession,
} from './sign-in/sessions.ts';
export { seedLink } from './sign-in/totp.ts';
export { proveUnconfirmed, provenUnconfirmed } from './sign-in/unconfirmed.ts';
export {
  digest,
  equalDigests,
  hashPassword,
  keyedDigest,
  randomPassword,
  randomSecret,
  verifyPassword,
} from './keys/crypto.ts';
export {
  deriveSharedKeys,
  fingerprintsOf,
  InstanceKeyError,
  keyFingerprints,
  loadInstanceKeys,
  type InstanceKeys,
} from './keys/instance-keys.ts';
export { adopt, keyFault, keysFor, knowFirstKey, type KnownKey } from './keys/known-key.ts';
export { seal, unseal } from './keys/seal.ts';
export { hostKey, hostKeyFingerprint, resealHostKeys, type ResealedHostKey } from './keys/ssh-host-key.ts';
export {
  fingerprint,
  isSignedBy,
  readFingerprint,
  readPublicKey,
  shownFingerprint,
  shownMd5,
  type PublicKey,
} from './keys/ssh-key.ts';
export { readUnsubscribeKey, unsubscribeKey } from './keys/unsubscribe-key.ts';
export { claimForm, keepForOnce, releaseForm, takeOnce } from './sent-forms.ts';
export { addressKey } from '../values/address.ts';
