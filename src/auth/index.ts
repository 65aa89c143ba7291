export { checkPassword, type PasswordCheck } from './check-password.ts';
export { authenticate, type Presented } from './authenticate.ts';
export { boundedGuess, type Guesser } from './guess.ts';
export { digest, equalDigests, hashPassword, keyedDigest, randomPassword, randomSecret, verifyPassword } from './crypto.ts';
export { deriveSharedKeys, loadInstanceKeys, type InstanceKeys } from './instance-keys.ts';
export { seal, unseal } from './seal.ts';
export { bySession, confirmSession, endAll, formToken, isFormToken, signIn, signOut } from './sessions.ts';
export { actAs, type Sudo } from './sudo.ts';
export { chosenToken, newToken, type NewToken } from './tokens.ts';
