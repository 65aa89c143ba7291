/**
 * What a developer pastes to get a token for a person by code and PKCE (RFC 7636),
 * filled with the values of their own application. Its secret is in none of them:
 * nobody has it any more but they.
 */

interface Client {
  readonly clientId: string;
  readonly confidential: boolean;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
}

/** What a first try asks for: as little as shows that it works. */
const scopeOf = ({ scopes }: Client): string =>
  ['read_user', 'read_api', 'profile', 'api'].find((scope) => scopes.includes(scope)) ?? scopes[0]!;

/** A text between single quotes of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Whether openid-client sends a redirect URI as it was registered: it makes it out of the address that people come back to. */
function comesBackAlike(redirectUri: string): boolean {
  const { href, search } = new URL(redirectUri);
  return href === redirectUri && search === '';
}

/** For node, with openid-client 6; null where that can't do it. @param baseUrl of the gateway */
function nodeSnippet(baseUrl: string, client: Client): string | null {
  const redirectUri = client.redirectUris.find(comesBackAlike);
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

// Send the person to this address. Keep the verifier and the state in their session.
const codeVerifier = oauth.randomPKCECodeVerifier();
const state = oauth.randomState();
const address = oauth.buildAuthorizationUrl(config, {
  redirect_uri: ${text(redirectUri)},
  scope: ${text(scopeOf(client))},
  state,
  code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
  code_challenge_method: 'S256',
});

// They come back: this is the URL of that request, the whole of it.
const tokens = await oauth.authorizationCodeGrant(config, cameBackTo, {
  pkceCodeVerifier: codeVerifier,
  expectedState: state,
});

const answer = await oauth.fetchProtectedResource(config, tokens.access_token, new URL(${text(`${baseUrl}/api/v4/user`)}), 'GET');
console.log(await answer.json());
`;
}

/** For a shell with curl and openssl, step by step. @param baseUrl of the gateway */
function curlSnippet(baseUrl: string, client: Client): string {
  const query = new URLSearchParams({
    client_id: client.clientId,
    redirect_uri: client.redirectUris[0]!,
    response_type: 'code',
    scope: scopeOf(client),
    code_challenge_method: 'S256',
  });
  return `# 1. Open the address that this prints, and approve.
VERIFIER=$(openssl rand -hex 32)
CHALLENGE=$(printf %s "$VERIFIER" | openssl dgst -sha256 -binary | openssl base64 | tr '+/' '-_' | tr -d '=')
echo ${quoted(`${baseUrl}/oauth/authorize?${query.toString()}&code_challenge=`)}"$CHALLENGE"

# 2. You come back to an address with ?code=…: put the code here, within a minute.
CODE=

# 3. Exchange it.
curl -s ${quoted(`${baseUrl}/oauth/token`)} \\
  -d grant_type=authorization_code \\
  -d code="$CODE" \\
  -d code_verifier="$VERIFIER" \\
  --data-urlencode redirect_uri=${quoted(client.redirectUris[0]!)} \\
  -d client_id=${quoted(client.clientId)}${client.confidential ? ' \\\n  -d client_secret="$CLIENT_SECRET"' : ''}

# 4. The answer has an access_token. Use it.
curl -s -H "Authorization: Bearer $ACCESS_TOKEN" ${quoted(`${baseUrl}/api/v4/user`)}
`;
}

/** The snippets of an application, where it may use the code flow. */
export function Snippets({
  baseUrl,
  application,
}: {
  readonly baseUrl: string;
  readonly application: Client & { readonly grants: readonly string[] };
}) {
  if (!application.grants.includes('authorization_code') || application.redirectUris.length === 0) return null;
  const snippets = [
    ['In node, with openid-client', nodeSnippet(baseUrl, application)],
    ['In a shell, with curl', curlSnippet(baseUrl, application)],
  ] as const;
  return (
    <section>
      <h2>Get a token</h2>
      <p>
        By authorization code and PKCE, with the values of this application.
        {application.confidential && ' Put its secret into the environment as CLIENT_SECRET.'} Any OAuth library finds
        the rest at <code>{baseUrl}/.well-known/oauth-authorization-server</code>.
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
