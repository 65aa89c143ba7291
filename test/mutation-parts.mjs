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
    mutate: ['src/auth/{address,crypto,instance-keys,password-queue,seal,tokens}.ts', 'src/oauth/{pkce,profile,redirect-uri,scopes}.ts'],
    tests: ['auth-primitives', 'oauth-rules', 'oauth-redirect-uri-rules', 'password-queue'],
  },
  auth: {
    mutate: ['src/auth/{authenticate,bounds,check-code,check-password,failed-checks,guess,mailed-tokens,pending-sign-in,second-factor,sessions,sudo,totp}.ts'],
    tests: ['credentials', 'oauth-password-grant', 'oauth-device', 'second-factor', 'sign-in', 'sudo', 'oauth-audit'],
  },
  authorization: {
    mutate: ['src/oauth/authorization/**/*.ts', 'src/oauth/guard.ts'],
    tests: ['oauth-authorization', 'oauth-code-and-pkce', 'oauth-redirect-uris', 'applications-over-rest', 'consent', 'oauth-audit', 'oauth-revocation'],
  },
  client: {
    mutate: ['src/oauth/client.ts'],
    tests: ['client-authentication', 'oauth-token-endpoint', 'oauth-audit'],
  },
  grants: {
    mutate: ['src/oauth/grants/**/*.ts', 'src/oauth/{devices,families,introspect,issue,revoke}.ts'],
    tests: ['oauth-refresh', 'oauth-code-and-pkce', 'oauth-device', 'oauth-revoke-and-introspect', 'oauth-token-endpoint', 'oauth-password-grant', 'oauth-audit'],
  },
  applications: {
    mutate: ['src/oauth/{applications,authorizations,engine,errors,metadata,refusals}.ts'],
    tests: ['application-pages', 'oauth-audit', 'oauth-authorization', 'oauth-revocation', 'oauth-redirect-uris', 'oauth-token-endpoint'],
  },
};

const { MUTATION_PART: name } = process.env;
if (name && !Object.hasOwn(parts, name)) throw new Error(`MUTATION_PART is one of ${Object.keys(parts).join(', ')}.`);
const chosen = name ? [parts[name]] : Object.values(parts);

export const mutate = chosen.flatMap((part) => part.mutate);
export const tests = chosen.flatMap((part) => part.tests).map((file) => `test/${file}.test.ts`);
