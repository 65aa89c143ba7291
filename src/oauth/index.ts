export {
  authorizers,
  editApplication,
  managedApplication,
  ownApplications,
  registerApplication,
  removeApplication,
  renewApplicationSecret,
  usableGrants,
  type ApplicationInput,
  type Manager,
} from './applications.ts';
export { approve, checkAuthorization, deny, isRemembered, mayBeRemembered, type Answered, type AuthorizationParameters } from './authorization/index.ts';
export { authorizedApplications, revokeAuthorizationOf } from './authorizations.ts';
export { findClientById, toClient, type Client, type ClientCredentials } from './client.ts';
export { authorizeDevice, decide, pendingDevice } from './devices.ts';
export { audit, type Decider, type Engine } from './engine.ts';
export { tooManyAttempts } from './errors.ts';
export { exchange, type TokenRequest } from './grants/index.ts';
export { introspect } from './introspect.ts';
export { issuerMetadata } from './metadata.ts';
export { grantTypes, profileOf, type GrantType, type Profile, type ProfileSettings } from './profile.ts';
export { auditRefusal, Refusals } from './refusals.ts';
export { revoke } from './revoke.ts';
