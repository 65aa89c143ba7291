export { viewerOf } from './acting.ts';
export { countAgainst } from './count-attempts.ts';
export { checkPassword } from './check-password.ts';
export { checkCode } from './check-code.ts';
export { authenticate, type Presented } from './authenticate.ts';
export { authenticateKey, isKnownKey } from './by-key.ts';
export { authenticateGit, WrongPassword, type PresentedToGit } from './git-client.ts';
export { CredentialWatch } from './credential-watch.ts';
export { boundedGuess } from './guess.ts';
export {
  digest,
  equalDigests,
  hashPassword,
  keyedDigest,
  randomPassword,
  randomSecret,
  verifyPassword,
} from './crypto.ts';
export { openDraft, sealDraft } from './drafts.ts';
export { guessable } from './guessable.ts';
export {
  deriveSharedKeys,
  fingerprintsOf,
  InstanceKeyError,
  keyFingerprints,
  loadInstanceKeys,
  type InstanceKeys,
} from './instance-keys.ts';
export { adopt, keyFault, keysFor, knowFirstKey, type KnownKey } from './known-key.ts';
export { keepMailedToken } from './mailed-tokens.ts';
export { completeSignIn } from './pending-sign-in.ts';
export { claimForm, keepForOnce, releaseForm, takeOnce } from './sent-forms.ts';
export { seal, unseal } from './seal.ts';
export {
  beginSecondFactor,
  enableSecondFactor,
  renewRecoveryCodes,
  resealSeeds,
  secondFactorOf,
  seedBeingSetUp,
  type Reseal,
  type SecondFactor,
} from './second-factor.ts';
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
} from './sessions.ts';
export { readUnsubscribeKey, unsubscribeKey } from './unsubscribe-key.ts';
export { proveUnconfirmed, provenUnconfirmed } from './unconfirmed.ts';
export { actAs, type Sudo } from './sudo.ts';
export { addressKey } from '../values/address.ts';
export { hostKey, hostKeyFingerprint, resealHostKeys, type ResealedHostKey } from './ssh-host-key.ts';
export {
  fingerprint,
  isSignedBy,
  readFingerprint,
  readPublicKey,
  shownFingerprint,
  shownMd5,
  type PublicKey,
} from './ssh-key.ts';
export { seedLink } from './totp.ts';
export { chosenToken, newToken } from './tokens.ts';
