// What is mutated together, and the tests that are about it: a mutant that all of
// these let pass is a gap, even where some distant test would stumble over it. The
// most telling come first.
const parts = {
  policy: {
    mutate: ['src/policy/**/*.ts'],
    tests: ['admission', 'place-policies'],
  },
  // What needs no server to be told: quick.
  rules: {
    mutate: ['src/auth/{address,crypto,instance-keys,seal,tokens}.ts', 'src/oauth/{pkce,profile,redirect-uri,scopes}.ts'],
    tests: ['auth-primitives', 'oauth-rules', 'oauth-redirect-uri-rules'],
  },
  queue: {
    mutate: ['src/auth/password-queue.ts'],
    tests: ['password-queue'],
  },
  passwords: {
    mutate: ['src/auth/{bounds,check-password,failed-checks}.ts'],
    tests: ['oauth-password-grant', 'second-factor'],
  },
  factors: {
    mutate: ['src/auth/{check-code,pending-sign-in,second-factor,totp}.ts'],
    tests: ['second-factor-codes', 'second-factor', 'key-rotation'],
  },
  sessions: {
    mutate: ['src/auth/sessions.ts'],
    tests: ['auth-primitives', 'sign-in', 'sign-in-meanwhile', 'second-factor', 'session-pages', 'settings-pages'],
  },
  credentials: {
    mutate: ['src/auth/authenticate.ts'],
    tests: ['credentials', 'token-owners', 'oauth-access-tokens', 'personal-access-tokens-over-rest', 'statement-budgets'],
  },
  watch: {
    mutate: ['src/auth/credential-watch.ts'],
    tests: ['credential-watch'],
  },
  sudo: {
    mutate: ['src/auth/sudo.ts'],
    tests: ['sudo'],
  },
  messages: {
    mutate: ['src/auth/mailed-tokens.ts', 'src/schema/accounts/emails/{confirm,links}.ts', 'src/schema/accounts/passwords/{forgotten,link}.ts'],
    tests: ['mailed-links', 'account-pages', 'administrator-pages'],
  },
  authorization: {
    mutate: ['src/oauth/authorization/**/*.ts', 'src/oauth/guard.ts'],
    tests: ['oauth-authorization', 'oauth-code-and-pkce', 'oauth-redirect-uris', 'applications-over-rest', 'consent', 'oauth-audit', 'oauth-revocation', 'oauth-revocation-meanwhile'],
  },
  client: {
    mutate: ['src/oauth/client.ts'],
    tests: ['client-authentication', 'oauth-token-endpoint', 'oauth-audit'],
  },
  codes: {
    mutate: ['src/oauth/grants/authorization-code.ts'],
    tests: ['oauth-code-and-pkce', 'oauth-token-endpoint', 'oauth-audit', 'oauth-revocation', 'oauth-revocation-meanwhile'],
  },
  refreshing: {
    mutate: ['src/oauth/grants/refresh-token.ts'],
    tests: ['oauth-refresh', 'oauth-password-grant', 'oauth-audit'],
  },
  devices: {
    mutate: ['src/auth/guess.ts', 'src/oauth/devices.ts', 'src/oauth/grants/device-code.ts'],
    tests: ['oauth-device', 'applications-over-rest', 'oauth-audit', 'oauth-revocation', 'oauth-revocation-meanwhile'],
  },
  grants: {
    mutate: ['src/oauth/grants/{client-credentials,grant,index,password}.ts', 'src/oauth/issue.ts'],
    tests: [
      'oauth-rules', 'oauth-token-endpoint', 'oauth-password-grant', 'oauth-code-and-pkce', 'applications-over-rest', 'oauth-audit',
      'oauth-revocation', 'oauth-revocation-meanwhile', 'metrics', 'subscriptions',
    ],
  },
  revocation: {
    mutate: ['src/oauth/{families,introspect,revoke}.ts'],
    tests: ['oauth-revoke-and-introspect', 'oauth-password-grant', 'oauth-audit', 'metrics', 'subscriptions'],
  },
  applications: {
    mutate: ['src/oauth/{applications,authorizations,engine,errors,metadata,refusals}.ts'],
    tests: [
      'oauth-errors', 'refusals', 'oauth-metadata', 'authorized-applications', 'application-pages', 'oauth-audit', 'subscriptions', 'oauth-authorization',
      'oauth-revocation', 'oauth-revocation-meanwhile', 'oauth-redirect-uris', 'oauth-token-endpoint',
    ],
  },
};

const { MUTATION_PART: name } = process.env;
if (name && !Object.hasOwn(parts, name)) throw new Error(`MUTATION_PART is one of ${Object.keys(parts).join(', ')}.`);
const chosen = name ? [parts[name]] : Object.values(parts);

export const mutate = chosen.flatMap((part) => part.mutate);
export const tests = chosen.flatMap((part) => part.tests).map((file) => `test/${file}.test.ts`);
