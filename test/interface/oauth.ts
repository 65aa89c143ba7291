import { expect } from 'vitest';
import type { Answer, Call, Fields, Row, Step } from './row.ts';

const callback = 'https://client.example/callback';
const page = 'GET /oauth/authorize';
/** 43 characters, and the URL-safe base64 of their SHA-256. */
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

const asked = (more: Fields = {}): Fields => ({
  client_id: '{client_id}',
  redirect_uri: callback,
  response_type: 'code',
  state: 'YOUR_UNIQUE_STATE_HASH',
  scope: 'read_user profile',
  ...more,
});
/** Approves on the consent page. */
const approves = (more: Fields = {}): Call => ({ call: page, query: asked(more), presses: 'Authorize' });
const without = (name: string): Fields => Object.fromEntries(Object.entries(asked()).filter(([one]) => one !== name));

const hasCode: Step = { ...approves(), keeps: { code: 'query.code' } };
const hasCodeWith = (codeChallenge: string): Step => ({
  ...approves({ code_challenge: codeChallenge, code_challenge_method: 'S256' }),
  keeps: { code: 'query.code' },
});
const redeems = (more: Fields = {}, lacking?: string): Call => ({
  call: 'POST /oauth/token',
  form: Object.fromEntries(
    Object.entries({
      client_id: '{client_id}',
      client_secret: '{client_secret}',
      code: '{code}',
      grant_type: 'authorization_code',
      redirect_uri: callback,
      ...more,
    }).filter(([name]) => name !== lacking),
  ),
});
const hasToken: Step = { ...redeems(), keeps: { access_token: 'access_token' } };

const tokenMembers = ['access_token', 'token_type', 'expires_in', 'refresh_token', 'scope', 'created_at'];
const tokenResponse: Answer = {
  status: 200,
  members: tokenMembers,
  has: {
    access_token: expect.any(String),
    token_type: 'bearer',
    expires_in: 7200,
    refresh_token: expect.any(String),
    created_at: expect.any(Number),
  },
};
const refusal = (status: number, error: string): Answer => ({
  status,
  has: { error, error_description: expect.any(String) },
});
const infoMembers = [
  'resource_owner_id',
  'scope',
  'expires_in',
  'application',
  'created_at',
  'scopes',
  'expires_in_seconds',
];

/** Verifiers of R4 that are accepted and refused; each challenge is that of the verifier, so that only its form is wrong. */
const verifiers: readonly [what: string, verifier: string, challenge: string, response: Answer][] = [
  ['of 43 characters is right', verifier, challenge, tokenResponse],
  ['of 42 characters is refused', 'a'.repeat(42), '{challenge_of_42}', refusal(400, 'invalid_grant')],
  ['of 128 characters is right', 'a'.repeat(128), '{challenge_of_128}', tokenResponse],
  ['of 129 characters is refused', 'a'.repeat(129), '{challenge_of_129}', refusal(400, 'invalid_grant')],
  ['with every character that is allowed is right', `${'a'.repeat(36)}AZ09-._~`, '{challenge_of_all}', tokenResponse],
  ['with another character is refused', `${'a'.repeat(42)}+`, '{challenge_of_other}', refusal(400, 'invalid_grant')],
];

const password = { grant_type: 'password', username: 'maintainer', password: '{password}' };
const basic = { basic: '{client_id}:{client_secret}' };

const authorization: readonly Row[] = [
  {
    name: 'response_type=code redirects to the redirect URI with code and state',
    request: approves(),
    response: { status: 303, leadsTo: callback, query: { code: expect.any(String), state: 'YOUR_UNIQUE_STATE_HASH' } },
  },
  {
    name: 'response_type=code with PKCE does the same',
    request: approves({ code_challenge: challenge, code_challenge_method: 'S256' }),
    response: { status: 303, leadsTo: callback, query: { code: expect.any(String), state: 'YOUR_UNIQUE_STATE_HASH' } },
  },
  {
    name: 'response_type=token redirects with access_token, state, token_type and expires_in in the fragment',
    request: approves({ response_type: 'token' }),
    response: {
      status: 303,
      leadsTo: callback,
      fragment: {
        access_token: expect.any(String),
        state: 'YOUR_UNIQUE_STATE_HASH',
        token_type: 'bearer',
        expires_in: '7200',
      },
    },
  },
  {
    name: 'the user is asked to approve the scopes',
    request: { call: page, query: asked(), presses: '' },
    response: { status: 200, page: ['read_user', 'profile', 'Authorize'] },
  },
  {
    name: 'client_id is required',
    request: { call: page, query: without('client_id') },
    response: { status: 400, headers: { location: null, 'content-type': /html/ } },
  },
  {
    name: 'redirect_uri is required',
    request: { call: page, query: without('redirect_uri') },
    response: { status: 400, headers: { location: null } },
  },
  {
    name: 'response_type is required',
    request: { call: page, query: without('response_type'), presses: '' },
    response: {
      status: 303,
      leadsTo: callback,
      query: { error: 'invalid_request', error_description: expect.any(String), state: 'YOUR_UNIQUE_STATE_HASH' },
    },
  },
  {
    name: 'response_type is code or token',
    request: { call: page, query: asked({ response_type: 'id_token' }), presses: '' },
    response: {
      status: 303,
      leadsTo: callback,
      query: {
        error: 'unsupported_response_type',
        error_description: expect.any(String),
        state: 'YOUR_UNIQUE_STATE_HASH',
      },
    },
  },
  {
    name: 'scope is required',
    request: { call: page, query: without('scope'), presses: '' },
    response: {
      status: 303,
      leadsTo: callback,
      query: { error: 'invalid_scope', error_description: expect.any(String), state: 'YOUR_UNIQUE_STATE_HASH' },
    },
  },
  {
    name: 'state may be left out',
    request: { call: page, query: without('state'), presses: 'Authorize' },
    response: { status: 303, leadsTo: callback, query: { code: expect.any(String) } },
  },
  {
    name: 'code_challenge_method is S256',
    request: { call: page, query: asked({ code_challenge: challenge, code_challenge_method: 'plain' }), presses: '' },
    response: {
      status: 303,
      query: { error: 'invalid_request', error_description: expect.any(String), state: 'YOUR_UNIQUE_STATE_HASH' },
    },
  },
  {
    name: 'a user who isn’t signed in is sent to sign in first',
    request: { call: page, query: asked() },
    response: { status: 303, headers: { location: /\/users\/sign_in/ } },
  },
  {
    name: 'R1: response_type=code needs a registered application',
    request: { call: page, query: asked({ client_id: 'unknown' }), presses: '' },
    response: { status: 400, headers: { location: null } },
  },
  {
    name: 'R1: response_type=token needs a registered application',
    request: { call: page, query: asked({ client_id: 'unknown', response_type: 'token' }), presses: '' },
    response: { status: 400, headers: { location: null } },
  },
  {
    name: 'a redirect URI that isn’t registered is refused',
    request: { call: page, query: asked({ redirect_uri: 'https://elsewhere.example/' }), presses: '' },
    response: { status: 400, headers: { location: null } },
  },
  {
    name: 'R3: state is echoed unchanged, with any characters',
    request: approves({ state: 'a b&c=d#é' }),
    response: { status: 303, query: { code: expect.any(String), state: 'a b&c=d#é' } },
  },
  {
    name: 'an application gets only the scopes of its registration',
    request: { call: page, query: asked({ client_id: '{narrow_id}', scope: 'api' }), presses: '' },
    response: {
      status: 303,
      query: { error: 'invalid_scope', error_description: expect.any(String), state: 'YOUR_UNIQUE_STATE_HASH' },
    },
  },
];

const registration: readonly Row[] = [
  {
    name: 'an application is registered at /profile/applications, with its scopes; the Application ID and the secret are shown',
    request: {
      call: 'GET /profile/applications/new',
      presses: 'Register',
      fills: { name: 'Row {row}', redirect_uris: callback, 'scope.read_user': 'on' },
    },
    response: { status: expect.toBeOneOf([200, 201]) as number, page: ['Client ID', 'client secret', 'cwcs_'] },
  },
  {
    name: 'the page /profile/applications lists them',
    request: { call: 'GET /profile/applications', presses: '' },
    response: { status: 200, page: ['Applications'] },
  },
  {
    name: 'R5: a redirect URI over http is permitted in development',
    request: {
      call: 'POST /applications',
      as: 'root',
      form: { name: 'Row {row}', redirect_uri: 'http://app.example/callback', scopes: 'read_user' },
    },
    response: { status: 201 },
  },
  {
    name: 'R5: a redirect URI over http is refused in production',
    request: {
      call: 'POST /applications',
      as: 'root',
      inProduction: true,
      form: { name: 'Row {row}', redirect_uri: 'http://app.example/callback', scopes: 'read_user' },
    },
    response: { status: 400, has: { message: { redirect_uri: [expect.any(String)] } } },
  },
  {
    name: 'R5: a redirect URI over https is permitted in production',
    request: {
      call: 'POST /applications',
      as: 'root',
      inProduction: true,
      form: { name: 'Row {row}', redirect_uri: 'https://app.example/callback', scopes: 'read_user' },
    },
    response: { status: 201 },
  },
];

const tokens: readonly Row[] = [
  { name: 'a code is exchanged for the token response', given: [hasCode], request: redeems(), response: tokenResponse },
  {
    name: 'a code with PKCE is too',
    given: [hasCodeWith(challenge)],
    request: redeems({ code_verifier: verifier }),
    response: tokenResponse,
  },
  {
    name: 'scopes are separated by spaces',
    given: [hasCode],
    request: redeems(),
    response: { status: 200, has: { scope: 'read_user profile' } },
  },
  ...['client_id', 'client_secret'].map((name): Row => ({
    name: `${name} is required with a code`,
    given: [hasCode],
    request: redeems({}, name),
    response: refusal(401, 'invalid_client'),
  })),
  ...['grant_type', 'code', 'redirect_uri'].map((name): Row => ({
    name: `${name} is required with a code`,
    given: [hasCode],
    request: redeems({}, name),
    response: refusal(400, 'invalid_request'),
  })),
  {
    name: 'a wrong client_secret is refused',
    given: [hasCode],
    request: redeems({ client_secret: 'wrong' }),
    response: { ...refusal(401, 'invalid_client'), headers: { 'www-authenticate': /./ } },
  },
  {
    name: 'an unknown grant_type is refused',
    given: [hasCode],
    request: redeems({ grant_type: 'magic' }),
    response: refusal(400, 'unsupported_grant_type'),
  },
  {
    name: 'a code that was never issued is refused',
    request: redeems({ code: 'unknown' }),
    response: refusal(400, 'invalid_grant'),
  },
  {
    name: 'a code works only once',
    given: [hasCode, hasToken],
    request: redeems(),
    response: refusal(400, 'invalid_grant'),
  },
  {
    name: 'R2: redirect_uri equals that of the authorization request',
    given: [hasCode],
    request: redeems({ redirect_uri: 'https://client.example/other' }),
    response: refusal(400, 'invalid_grant'),
  },
  ...verifiers.map(([what, one, ofIt, response]): Row => ({
    name: `R4: a code_verifier ${what}`,
    given: [hasCodeWith(ofIt)],
    request: redeems({ code_verifier: one }),
    response,
  })),
  {
    name: 'R4: a wrong code_verifier is refused',
    given: [hasCodeWith(challenge)],
    request: redeems({ code_verifier: 'b'.repeat(43) }),
    response: refusal(400, 'invalid_grant'),
  },
  {
    name: 'R4: a missing code_verifier is refused',
    given: [hasCodeWith(challenge)],
    request: redeems(),
    response: refusal(400, 'invalid_request'),
  },
  {
    name: 'R4: a public client with PKCE needs no secret',
    given: [
      {
        ...approves({ client_id: '{public_id}', code_challenge: challenge, code_challenge_method: 'S256' }),
        keeps: { code: 'query.code' },
      },
    ],
    request: redeems({ client_id: '{public_id}', code_verifier: verifier }, 'client_secret'),
    response: tokenResponse,
  },
  {
    name: 'the password grant accepts HTTP Basic, and returns access_token, token_type and expires_in',
    request: { call: 'POST /oauth/token', headers: basic, form: password },
    response: { ...tokenResponse, has: { access_token: expect.any(String), token_type: 'bearer', expires_in: 7200 } },
  },
  {
    name: 'the default scope of the password grant is api',
    request: { call: 'POST /oauth/token', headers: basic, form: password },
    response: { status: 200, has: { scope: 'api' } },
  },
  {
    name: 'a wrong password is refused',
    request: { call: 'POST /oauth/token', headers: basic, form: { ...password, password: 'wrong' } },
    response: refusal(400, 'invalid_grant'),
  },
  {
    name: 'username is required with a password',
    request: { call: 'POST /oauth/token', headers: basic, form: { grant_type: 'password', password: '{password}' } },
    response: refusal(400, 'invalid_grant'),
  },
  {
    name: 'password is required with a username',
    request: { call: 'POST /oauth/token', headers: basic, form: { grant_type: 'password', username: 'maintainer' } },
    response: refusal(400, 'invalid_grant'),
  },
  {
    name: 'R7: the password grant is off for users with two-factor authentication',
    request: {
      call: 'POST /oauth/token',
      headers: basic,
      form: { grant_type: 'password', username: '{protected_name}', password: '{protected_password}' },
    },
    response: refusal(400, 'invalid_grant'),
  },
];

const information: readonly Row[] = [
  {
    name: 'token information accepts the token as the parameter access_token',
    given: [hasCode, hasToken],
    request: { call: 'GET /oauth/token/info', query: { access_token: '{access_token}' } },
    response: {
      status: 200,
      members: infoMembers,
      body: {
        resource_owner_id: '{maintainer}',
        scope: ['read_user', 'profile'],
        expires_in: expect.any(Number),
        application: { uid: '{client_id}' },
        created_at: expect.any(Number),
        scopes: ['read_user', 'profile'],
        expires_in_seconds: expect.any(Number),
      },
    },
  },
  {
    name: 'token information accepts the token as a bearer',
    given: [hasCode, hasToken],
    request: { call: 'GET /oauth/token/info', headers: { authorization: 'Bearer {access_token}' } },
    response: { status: 200, members: infoMembers },
  },
  {
    name: 'expires_in is null for a token that never expires',
    request: { call: 'GET /oauth/token/info', query: { access_token: '{eternal_token}' } },
    response: { status: 200, has: { expires_in: null, expires_in_seconds: null } },
  },
  {
    name: 'R6: application.uid names the client of a token of the implicit flow',
    given: [{ ...approves({ response_type: 'token' }), keeps: { access_token: 'fragment.access_token' } }],
    request: { call: 'GET /oauth/token/info', query: { access_token: '{access_token}' } },
    response: { status: 200, has: { application: { uid: '{client_id}' } } },
  },
  {
    name: 'token information needs a token',
    request: { call: 'GET /oauth/token/info' },
    response: { status: 401, has: { error: 'invalid_token' }, headers: { 'www-authenticate': /^Bearer / } },
  },
];

const use: readonly Row[] = [
  {
    name: 'GET /user accepts the token as a bearer',
    given: [hasCode, hasToken],
    request: { call: 'GET /user', headers: { authorization: 'Bearer {access_token}' } },
    response: { status: 200, has: { id: '{maintainer}', username: 'maintainer' } },
  },
  {
    name: 'GET /user accepts the token as the parameter access_token',
    given: [hasCode, hasToken],
    request: { call: 'GET /user', query: { access_token: '{access_token}' } },
    response: { status: 200, has: { id: '{maintainer}' } },
  },
  {
    name: 'GET /user accepts a personal access token',
    request: { call: 'GET /user', headers: { 'private-token': '{personal_token}' } },
    response: { status: 200, has: { username: 'maintainer' } },
  },
  {
    name: 'GET /user needs a credential',
    request: { call: 'GET /user', as: 'anonymous' },
    response: { status: 401, body: { message: '401 Unauthorized' } },
  },
  {
    name: 'an invalid token is refused',
    request: { call: 'GET /user', headers: { authorization: 'Bearer unknown' } },
    response: { status: 401, body: { message: '401 Unauthorized' }, headers: { 'www-authenticate': /^Bearer / } },
  },
  {
    name: 'the scope api reads',
    request: { call: 'GET /projects', headers: { authorization: 'Bearer {api_token}' } },
    response: { status: 200 },
  },
  {
    name: 'the scope api writes',
    request: {
      call: 'PUT /notification_settings',
      headers: { authorization: 'Bearer {api_token}' },
      query: { level: 'participating' },
    },
    response: { status: 200 },
  },
  {
    name: 'the scope read_user reads the user',
    request: { call: 'GET /user', headers: { authorization: 'Bearer {read_user_token}' } },
    response: { status: 200 },
  },
  {
    name: 'the scope read_user can’t read anything else',
    request: { call: 'GET /notification_settings', headers: { authorization: 'Bearer {read_user_token}' } },
    response: {
      status: 403,
      has: { error: 'insufficient_scope' },
      headers: { 'www-authenticate': /insufficient_scope/ },
    },
  },
  {
    name: 'the scope profile reads the user',
    request: { call: 'GET /user', headers: { authorization: 'Bearer {profile_token}' } },
    response: { status: 200, has: { username: 'maintainer' } },
  },
];

export const oauthRows: readonly Row[] = [...registration, ...authorization, ...tokens, ...information, ...use];
