import { shellWord } from '../../../values/text/shell.ts';

/**
 * Code samples that get a token by authorization code and PKCE (RFC 7636), filled with the values of the developer's
 * application. They leave out the client secret: the gateway stores only its hash.
 */

interface Client {
  readonly clientId: string;
  readonly confidential: boolean;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
}

/** The scope that a sample asks for: the smallest that can read the user. */
const scopeOf = ({ scopes }: Client): string =>
  ['read_user', 'read_api', 'profile', 'api'].find((scope) => scopes.includes(scope)) ?? scopes[0]!;

/** Whether openid-client sends a redirect URI exactly as registered. It derives the URI from the callback address. */
function isSentUnchanged(redirectUri: string): boolean {
  const { href, search } = new URL(redirectUri);
  return href === redirectUri && search === '';
}

/**
 * The sample for Node.js, with openid-client 6; null if that package can't send any of the redirect URIs.
 * @param baseUrl the address of the gateway
 */
function nodeSnippet(baseUrl: string, client: Client): string | null {
  const redirectUri = client.redirectUris.find(isSentUnchanged);
  if (redirectUri === undefined) return null;
  const text = JSON.stringify;
  const options = baseUrl.startsWith('https:')
    ? "{ algorithm: 'oauth2' }"
    : "{ algorithm: 'oauth2', execute: [oauth.allowInsecureRequests] }";
  return `import * as oauth from 'openid-client';

const config = await oauth.discovery(
  new URL(${text(baseUrl)}),
  ${text(client.clientId)},
  ${client.confidential ? 'process.env.CLIENT_SECRET' : 'undefined'},
  ${client.confidential ? 'undefined' : 'oauth.None()'},
  ${options},
);

// Redirect the person to this URL. Keep the verifier and the state in their session.
const codeVerifier = oauth.randomPKCECodeVerifier();
const state = oauth.randomState();
const address = oauth.buildAuthorizationUrl(config, {
  redirect_uri: ${text(redirectUri)},
  scope: ${text(scopeOf(client))},
  state,
  code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
  code_challenge_method: 'S256',
});

// callbackUrl: the complete URL of the request with which they come back.
const tokens = await oauth.authorizationCodeGrant(config, callbackUrl, {
  pkceCodeVerifier: codeVerifier,
  expectedState: state,
});

const answer = await oauth.fetchProtectedResource(config, tokens.access_token, new URL(${text(`${baseUrl}/api/v4/user`)}), 'GET');
console.log(await answer.json());
`;
}

/** The sample for a shell with curl and openssl, step by step. @param baseUrl the address of the gateway */
function curlSnippet(baseUrl: string, client: Client): string {
  const query = new URLSearchParams({
    client_id: client.clientId,
    redirect_uri: client.redirectUris[0]!,
    response_type: 'code',
    scope: scopeOf(client),
    code_challenge_method: 'S256',
  });
  return `# 1. Open the URL that this prints, and authorize.
VERIFIER=$(openssl rand -hex 32)
CHALLENGE=$(printf %s "$VERIFIER" | openssl dgst -sha256 -binary | openssl base64 | tr '+/' '-_' | tr -d '=')
echo ${shellWord(`${baseUrl}/oauth/authorize?${query.toString()}&code_challenge=`)}"$CHALLENGE"

# 2. You are sent back to a URL with ?code=…: put the code here, within a minute.
CODE=

# 3. Exchange the code for a token.
curl -s ${shellWord(`${baseUrl}/oauth/token`)} \\
  -d grant_type=authorization_code \\
  -d code="$CODE" \\
  -d code_verifier="$VERIFIER" \\
  --data-urlencode redirect_uri=${shellWord(client.redirectUris[0]!)} \\
  -d client_id=${shellWord(client.clientId)}${client.confidential ? ' \\\n  -d client_secret="$CLIENT_SECRET"' : ''}

# 4. Use the access_token of the answer.
curl -s -H "Authorization: Bearer $ACCESS_TOKEN" ${shellWord(`${baseUrl}/api/v4/user`)}
`;
}

/** The code samples of an application; nothing if it can't use the authorization code grant. */
export function Snippets({
  baseUrl,
  application,
}: {
  readonly baseUrl: string;
  readonly application: Client & { readonly grants: readonly string[] };
}) {
  if (!application.grants.includes('authorization_code') || application.redirectUris.length === 0) return null;
  const snippets = [
    ['Node.js, with openid-client', nodeSnippet(baseUrl, application)],
    ['Shell, with curl', curlSnippet(baseUrl, application)],
  ] as const;
  return (
    <section>
      <h2>Get a token</h2>
      <p>
        Code samples for the authorization code grant with PKCE, with the values of this application.
        {application.confidential && ' Set the environment variable CLIENT_SECRET to its secret.'} Other OAuth libraries
        find the endpoints at <code>{baseUrl}/.well-known/oauth-authorization-server</code>.
      </p>
      {snippets.map(
        ([name, snippet]) =>
          snippet && (
            <details class="snippet">
              <summary>{name}</summary>
              <pre class="command">
                <code>{snippet}</code>
              </pre>
            </details>
          ),
      )}
    </section>
  );
}
