import { checkPassword } from '../../auth/index.ts';
import { scopes as offered } from '../../policy/index.ts';
import { authenticateIfNamed } from '../client.ts';
import { invalidGrant, tooManyAttempts, unauthorizedClient } from '../errors.ts';
import { isPasswordGrantReserved, lendsAdministratorPower } from '../guard.ts';
import { grantedScopes, issueTokens, refreshes, requireGrant } from '../issue.ts';
import { auditRefusal } from '../refusals.ts';
import type { Grant } from './grant.ts';

/** RFC 6749 §4.3. R7: refuses people with a second factor, with the answer of a wrong password. */
export const password: Grant = async (engine, request) => {
  const client = await authenticateIfNamed(engine, request.client);
  if (client) requireGrant(engine, client, 'password');
  // A public application can't authenticate, so it may do no more than a request without a client.
  if (client && !client.confidential && !engine.profile.passwordWithoutClient) throw unauthorizedClient();
  if (isPasswordGrantReserved(engine, client))
    throw unauthorizedClient('The password grant is kept for applications of the instance.');
  const allowed = client?.scopes ?? offered.filter((scope) => scope !== 'sudo');
  const scopes = grantedScopes(request.scope, allowed, ['api']);

  const checked = await checkPassword(engine.sql, {
    login: request.username ?? '',
    password: request.password ?? '',
    address: engine.origin.address,
    browser: null,
    application: client?.confidential ? { id: client.id, ofInstance: client.ownerId === null } : null,
    secondStep: false,
  });
  if ('retryAfter' in checked) {
    await auditRefusal(engine, { kind: 'password_throttled', applicationId: client?.id ?? null });
    throw tooManyAttempts(checked.retryAfter);
  }
  if (checked.account === null) {
    await auditRefusal(engine, { kind: 'password_refused', applicationId: client?.id ?? null, userId: checked.about });
    throw invalidGrant();
  }
  if (lendsAdministratorPower(engine, checked.account.administrator, client, scopes)) throw invalidGrant();
  const issued = await issueTokens(engine, {
    kind: 'PASSWORD',
    client,
    userId: checked.account.id,
    scopes,
    withRefresh: client ? refreshes(engine, client) : true,
    // The time of the earlier check, so that every later revocation covers the tokens.
    allowedAt: client?.checkedAt ?? checked.account.checked_at,
  });
  if (!issued) throw invalidGrant();
  return issued;
};
