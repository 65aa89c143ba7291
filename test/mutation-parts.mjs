// What is mutated together, and the tests that are about it: a mutant that all of
// these let pass is a gap, even where some distant test would stumble over it. The
// most telling come first.
const parts = {
  policy: {
    mutate: ['src/policy/**/*.ts'],
    tests: ['policy/admission', 'policy/place-policies'],
  },
  // Quick: no server is needed.
  rules: {
    mutate: [
      'src/auth/crypto.ts',
      'src/auth/instance-keys.ts',
      'src/auth/seal.ts',
      'src/auth/tokens.ts',
      'src/oauth/pkce.ts',
      'src/oauth/profile.ts',
      'src/oauth/redirect-uri.ts',
      'src/oauth/scopes.ts',
      'src/values/address.ts',
    ],
    tests: ['auth/primitives', 'oauth/rules', 'oauth/redirect-uri-rules'],
  },
  queue: {
    mutate: ['src/auth/password-queue.ts'],
    tests: ['auth/password-queue'],
  },
  passwords: {
    mutate: ['src/auth/attempt-limits.ts', 'src/auth/check-password.ts', 'src/auth/count-attempts.ts'],
    tests: ['oauth/password-grant', 'accounts/second-factor/second-factor'],
  },
  factors: {
    mutate: ['src/auth/check-code.ts', 'src/auth/pending-sign-in.ts', 'src/auth/second-factor.ts', 'src/auth/totp.ts'],
    tests: ['accounts/second-factor/codes', 'accounts/second-factor/second-factor', 'auth/key-rotation'],
  },
  sessions: {
    mutate: ['src/auth/sessions.ts'],
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
    mutate: ['src/auth/authenticate.ts'],
    tests: [
      'auth/credentials',
      'auth/token-owners',
      'oauth/access-tokens',
      'access/personal-access-tokens/over-rest',
      'database/statement-budgets',
    ],
  },
  watch: {
    mutate: ['src/auth/credential-watch.ts'],
    tests: ['auth/credential-watch'],
  },
  sudo: {
    mutate: ['src/auth/sudo.ts'],
    tests: ['auth/sudo'],
  },
  messages: {
    mutate: [
      'src/auth/mailed-tokens.ts',
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
      'oauth/authorization',
      'oauth/code-and-pkce',
      'oauth/redirect-uris',
      'access/applications/over-rest',
      'access/oauth/consent',
      'access/oauth/redirects',
      'oauth/audit',
      'oauth/revocation',
      'oauth/revocation-meanwhile',
    ],
  },
  client: {
    mutate: ['src/oauth/client.ts'],
    tests: ['oauth/client-authentication', 'oauth/token-endpoint', 'oauth/audit'],
  },
  codes: {
    mutate: ['src/oauth/grants/authorization-code.ts'],
    tests: [
      'oauth/code-and-pkce',
      'oauth/token-endpoint',
      'oauth/audit',
      'oauth/revocation',
      'oauth/revocation-meanwhile',
    ],
  },
  refreshing: {
    mutate: ['src/oauth/grants/refresh-token.ts'],
    tests: ['oauth/refresh', 'oauth/password-grant', 'oauth/audit'],
  },
  devices: {
    mutate: ['src/auth/guess.ts', 'src/oauth/devices.ts', 'src/oauth/grants/device-code.ts'],
    tests: [
      'oauth/device',
      'access/applications/over-rest',
      'oauth/audit',
      'oauth/revocation',
      'oauth/revocation-meanwhile',
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
      'oauth/token-endpoint',
      'oauth/password-grant',
      'oauth/code-and-pkce',
      'access/applications/over-rest',
      'oauth/audit',
      'oauth/revocation',
      'oauth/revocation-meanwhile',
      'observability/metrics',
      'graphql/subscriptions',
    ],
  },
  revocation: {
    mutate: ['src/oauth/families.ts', 'src/oauth/introspect.ts', 'src/oauth/revoke.ts'],
    tests: [
      'oauth/revoke-and-introspect',
      'oauth/password-grant',
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
      'oauth/authorization',
      'oauth/revocation',
      'oauth/revocation-meanwhile',
      'oauth/redirect-uris',
      'oauth/token-endpoint',
    ],
  },
};

const { MUTATION_PART: name } = process.env;
if (name && !Object.hasOwn(parts, name)) throw new Error(`MUTATION_PART is one of ${Object.keys(parts).join(', ')}.`);
const chosen = name ? [parts[name]] : Object.values(parts);

export const mutate = chosen.flatMap((part) => part.mutate);
export const tests = chosen.flatMap((part) => part.tests).map((file) => `test/${file}.test.ts`);
