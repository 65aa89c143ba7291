export { creationOptions, requestOptions } from './options.ts';
export {
  completeByPasskey,
  confirmPurpose,
  createPurpose,
  secondStepPurpose,
  signInByPasskey,
  signInPurpose,
} from './sign-in.ts';
export { verifyMade, verifyUsed, type RefusedPasskey } from './verify.ts';
