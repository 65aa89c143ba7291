// What is mutated together, and the tests that are about it: a mutant that all of
// these let pass is a gap, even where some distant test would stumble over it. The
// most telling come first.
const parts = {
  policy: {
    mutate: ['src/policy/**/*.ts'],
    tests: [
      'policy/condition',
      'policy/place-policies',
      'policy/planning-policies',
      'policy/repository-policies',
      'policy/admission',
      'policy/machines',
      'policy/refs',
      'policy/effective-role',
    ],
  },
  // Quick: no server is needed.
  rules: {
    mutate: [
      'src/auth/keys/crypto.ts',
      'src/auth/keys/instance-keys.ts',
      'src/auth/keys/seal.ts',
      'src/auth/credentials/tokens.ts',
      'src/oauth/pkce.ts',
      'src/oauth/profile.ts',
      'src/oauth/redirect-uri.ts',
      'src/oauth/scopes.ts',
      'src/values/address.ts',
    ],
    tests: ['auth/primitives', 'oauth/rules', 'oauth/authorization/redirect-uri-rules'],
  },
  queue: {
    mutate: ['src/auth/passwords/password-queue.ts'],
    tests: ['auth/password-queue'],
  },
  passwords: {
    mutate: [
      'src/auth/passwords/attempt-limits.ts',
      'src/auth/passwords/check-password.ts',
      'src/auth/passwords/count-attempts.ts',
    ],
    tests: ['oauth/tokens/password-grant', 'accounts/second-factor/second-factor'],
  },
  factors: {
    mutate: [
      'src/auth/sign-in/check-code.ts',
      'src/auth/sign-in/pending-sign-in.ts',
      'src/auth/sign-in/second-factor.ts',
      'src/auth/sign-in/totp.ts',
    ],
    tests: ['accounts/second-factor/codes', 'accounts/second-factor/second-factor', 'auth/key-rotation'],
  },
  sessions: {
    mutate: ['src/auth/sign-in/sessions.ts'],
    tests: [
      'auth/primitives',
      'accounts/sign-in/sign-in',
      'accounts/sign-in/meanwhile',
      'accounts/second-factor/second-factor',
      'accounts/sessions/session-pages',
      'settings/notification-settings/settings-pages',
    ],
  },
  credentials: {
    mutate: ['src/auth/credentials/authenticate.ts'],
    tests: [
      'auth/credentials',
      'auth/token-owners',
      'oauth/tokens/access-tokens',
      'access/personal-access-tokens/over-rest',
      'database/statement-budgets',
    ],
  },
  watch: {
    mutate: ['src/auth/credentials/credential-watch.ts'],
    tests: ['auth/credential-watch'],
  },
  sudo: {
    mutate: ['src/auth/credentials/sudo.ts'],
    tests: ['auth/sudo'],
  },
  messages: {
    mutate: [
      'src/auth/sign-in/mailed-tokens.ts',
      'src/schema/accounts/emails/confirm.ts',
      'src/schema/accounts/emails/links.ts',
      'src/schema/accounts/passwords/forgotten.ts',
      'src/schema/accounts/passwords/link.ts',
    ],
    tests: ['accounts/emails/mailed-links', 'accounts/passwords/account-pages', 'accounts/users/administrator-pages'],
  },
  authorization: {
    mutate: ['src/oauth/authorization/**/*.ts', 'src/oauth/guard.ts'],
    tests: [
      'oauth/authorization/authorization',
      'oauth/authorization/code-and-pkce',
      'oauth/authorization/redirect-uris',
      'access/applications/over-rest',
      'access/oauth/consent',
      'access/oauth/redirects',
      'oauth/audit',
      'oauth/tokens/revocation',
      'oauth/tokens/revocation-meanwhile',
    ],
  },
  client: {
    mutate: ['src/oauth/client.ts'],
    tests: ['oauth/clients/client-authentication', 'oauth/tokens/token-endpoint', 'oauth/audit'],
  },
  codes: {
    mutate: ['src/oauth/grants/authorization-code.ts'],
    tests: [
      'oauth/authorization/code-and-pkce',
      'oauth/tokens/token-endpoint',
      'oauth/audit',
      'oauth/tokens/revocation',
      'oauth/tokens/revocation-meanwhile',
    ],
  },
  refreshing: {
    mutate: ['src/oauth/grants/refresh-token.ts'],
    tests: ['oauth/tokens/refresh', 'oauth/tokens/password-grant', 'oauth/audit'],
  },
  devices: {
    mutate: ['src/auth/passwords/guess.ts', 'src/oauth/devices.ts', 'src/oauth/grants/device-code.ts'],
    tests: [
      'oauth/authorization/device',
      'access/applications/over-rest',
      'oauth/audit',
      'oauth/tokens/revocation',
      'oauth/tokens/revocation-meanwhile',
    ],
  },
  grants: {
    mutate: [
      'src/oauth/grants/client-credentials.ts',
      'src/oauth/grants/grant.ts',
      'src/oauth/grants/index.ts',
      'src/oauth/grants/password.ts',
      'src/oauth/issue.ts',
    ],
    tests: [
      'oauth/rules',
      'oauth/tokens/token-endpoint',
      'oauth/tokens/password-grant',
      'oauth/authorization/code-and-pkce',
      'access/applications/over-rest',
      'oauth/audit',
      'oauth/tokens/revocation',
      'oauth/tokens/revocation-meanwhile',
      'observability/metrics',
      'graphql/subscriptions',
    ],
  },
  revocation: {
    mutate: ['src/oauth/families.ts', 'src/oauth/introspect.ts', 'src/oauth/revoke.ts'],
    tests: [
      'oauth/tokens/revoke-and-introspect',
      'oauth/tokens/password-grant',
      'oauth/audit',
      'observability/metrics',
      'graphql/subscriptions',
    ],
  },
  applications: {
    mutate: [
      'src/oauth/applications.ts',
      'src/oauth/authorizations.ts',
      'src/oauth/engine.ts',
      'src/oauth/errors.ts',
      'src/oauth/metadata.ts',
      'src/oauth/refusals.ts',
    ],
    tests: [
      'oauth/errors',
      'oauth/refusals',
      'oauth/metadata',
      'access/authorized-applications/authorized-applications',
      'access/applications/application-pages',
      'oauth/audit',
      'graphql/subscriptions',
      'oauth/authorization/authorization',
      'oauth/tokens/revocation',
      'oauth/tokens/revocation-meanwhile',
      'oauth/authorization/redirect-uris',
      'oauth/tokens/token-endpoint',
    ],
  },
};

const { MUTATION_PART: name } = process.env;
if (name && !Object.hasOwn(parts, name)) throw new Error(`MUTATION_PART is one of ${Object.keys(parts).join(', ')}.`);
const chosen = name ? [parts[name]] : Object.values(parts);

export const mutate = chosen.flatMap((part) => part.mutate);
export const tests = chosen.flatMap((part) => part.tests).map((file) => `test/${file}.test.ts`);
