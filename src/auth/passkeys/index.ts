export { creationOptions, requestOptions } from './options.ts';
export {
  completeByPasskey,
  confirmPurpose,
  createPurpose,
  secondStepPurpose,
  signInByPasskey,
  signInPurpose,
} from './sign-in.ts';
export { verifyMade, verifyUsed, type MadePasskey, type RefusedPasskey } from './verify.ts';
