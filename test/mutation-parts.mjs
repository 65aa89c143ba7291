// What is mutated together, and the tests that are about it: a mutant that all of
// these let pass is a gap, even where some distant test would stumble over it. The
// most telling come first.
const parts = {
  policy: {
    mutate: ['src/policy/**/*.ts'],
    tests: ['admission', 'place-policies'],
  },
  auth: {
    mutate: ['src/auth/**/*.ts'],
    tests: ['credentials', 'sign-in', 'password-*', 'oauth-audit', 'oauth-device', 'oauth-refresh', 'oauth-secrets', 'oauth-password-grant', 'oauth-token-endpoint'],
  },
  authorization: {
    mutate: ['src/oauth/authorization/**/*.ts', 'src/oauth/{pkce,redirect-uri,scopes}.ts'],
    tests: ['consent', 'oauth-audit', 'oauth-authorization', 'oauth-code-and-pkce', 'oauth-redirect-uris'],
  },
  grants: {
    mutate: ['src/oauth/grants/**/*.ts', 'src/oauth/{client,devices,families,introspect,issue,revoke}.ts'],
    tests: ['device-pages', 'oauth-!(clients|model|pages|races|redirect)*'],
  },
  applications: {
    mutate: ['src/oauth/{applications,authorizations,engine,errors,metadata,profile,refusals}.ts'],
    tests: ['application-pages', 'consent', 'oauth-!(clients|model|pages|races)*'],
  },
};

const { MUTATION_PART: name } = process.env;
if (name && !Object.hasOwn(parts, name)) throw new Error(`MUTATION_PART is one of ${Object.keys(parts).join(', ')}.`);
const chosen = name ? [parts[name]] : Object.values(parts);

export const mutate = chosen.flatMap((part) => part.mutate);
export const tests = chosen.flatMap((part) => part.tests).map((file) => `test/${file}.test.ts`);
