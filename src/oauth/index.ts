export {
  authorizers,
  editApplication,
  managedApplication,
  ownApplications,
  registerApplication,
  removeApplication,
  renewApplicationSecret,
  usableGrants,
  type Manager,
} from './applications.ts';
export {
  approve,
  checkAuthorization,
  deny,
  isRemembered,
  mayBeRemembered,
  type Answered,
} from './authorization/index.ts';
export { authorizedApplications, revokeAuthorizationOf } from './authorizations.ts';
export { findClientById, type Client, type ClientCredentials } from './client.ts';
export { authorizeDevice, decide, pendingDevice } from './devices.ts';
export { audit, type Decider, type Engine } from './engine.ts';
export { RefusedRedirectUri, tooManyAttempts } from './errors.ts';
export { exchange } from './grants/index.ts';
export { introspect } from './introspect.ts';
export { issuerMetadata } from './metadata.ts';
export { grantTypes, profileOf, type GrantType, type Profile } from './profile.ts';
export { auditRefusal, Refusals } from './refusals.ts';
export { revoke } from './revoke.ts';
