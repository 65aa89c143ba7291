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
/** The person approves. */
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
const verifiers: readonly [what: string, verifier: string, challenge: string, gets: Answer][] = [
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
    name: 'response_type=code leads to the redirect URI with code and state',
    asks: approves(),
    gets: { status: 303, leadsTo: callback, query: { code: expect.any(String), state: 'YOUR_UNIQUE_STATE_HASH' } },
  },
  {
    name: 'response_type=code with PKCE leads there too',
    asks: approves({ code_challenge: challenge, code_challenge_method: 'S256' }),
    gets: { status: 303, leadsTo: callback, query: { code: expect.any(String), state: 'YOUR_UNIQUE_STATE_HASH' } },
  },
  {
    name: 'response_type=token leads there with access_token, state, token_type and expires_in in the fragment',
    asks: approves({ response_type: 'token' }),
    gets: {
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
    name: 'the person is asked to approve the scopes',
    asks: { call: page, query: asked(), presses: '' },
    gets: { status: 200, page: ['read_user', 'profile', 'Authorize'] },
  },
  {
    name: 'client_id is required',
    asks: { call: page, query: without('client_id') },
    gets: { status: 400, headers: { location: null, 'content-type': /html/ } },
  },
  {
    name: 'redirect_uri is required',
    asks: { call: page, query: without('redirect_uri') },
    gets: { status: 400, headers: { location: null } },
  },
  {
    name: 'response_type is required',
    asks: { call: page, query: without('response_type'), presses: '' },
    gets: {
      status: 303,
      leadsTo: callback,
      query: { error: 'invalid_request', error_description: expect.any(String), state: 'YOUR_UNIQUE_STATE_HASH' },
    },
  },
  {
    name: 'response_type is code or token',
    asks: { call: page, query: asked({ response_type: 'id_token' }), presses: '' },
    gets: {
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
    asks: { call: page, query: without('scope'), presses: '' },
    gets: {
      status: 303,
      leadsTo: callback,
      query: { error: 'invalid_scope', error_description: expect.any(String), state: 'YOUR_UNIQUE_STATE_HASH' },
    },
  },
  {
    name: 'state may be left out',
    asks: { call: page, query: without('state'), presses: 'Authorize' },
    gets: { status: 303, leadsTo: callback, query: { code: expect.any(String) } },
  },
  {
    name: 'code_challenge_method is S256',
    asks: { call: page, query: asked({ code_challenge: challenge, code_challenge_method: 'plain' }), presses: '' },
    gets: {
      status: 303,
      query: { error: 'invalid_request', error_description: expect.any(String), state: 'YOUR_UNIQUE_STATE_HASH' },
    },
  },
  {
    name: 'a person who isn’t signed in signs in first',
    asks: { call: page, query: asked() },
    gets: { status: 303, headers: { location: /\/users\/sign_in/ } },
  },
  {
    name: 'R1: response_type=code needs a registered application',
    asks: { call: page, query: asked({ client_id: 'unknown' }), presses: '' },
    gets: { status: 400, headers: { location: null } },
  },
  {
    name: 'R1: response_type=token needs a registered application',
    asks: { call: page, query: asked({ client_id: 'unknown', response_type: 'token' }), presses: '' },
    gets: { status: 400, headers: { location: null } },
  },
  {
    name: 'a redirect URI that isn’t registered is refused',
    asks: { call: page, query: asked({ redirect_uri: 'https://elsewhere.example/' }), presses: '' },
    gets: { status: 400, headers: { location: null } },
  },
  {
    name: 'R3: state is echoed as it is, whatever is in it',
    asks: approves({ state: 'a b&c=d#é' }),
    gets: { status: 303, query: { code: expect.any(String), state: 'a b&c=d#é' } },
  },
  {
    name: 'an application reaches only the scopes of its registration',
    asks: { call: page, query: asked({ client_id: '{narrow_id}', scope: 'api' }), presses: '' },
    gets: {
      status: 303,
      query: { error: 'invalid_scope', error_description: expect.any(String), state: 'YOUR_UNIQUE_STATE_HASH' },
    },
  },
];

const registration: readonly Row[] = [
  {
    name: 'an application is registered at /profile/applications, with its scopes; the Application ID and the secret are shown',
    asks: {
      call: 'GET /profile/applications/new',
      presses: 'Register',
      fills: { name: 'Row {row}', redirect_uris: callback, 'scope.read_user': 'on' },
    },
    gets: { status: expect.toBeOneOf([200, 201]) as number, page: ['Client ID', 'client secret', 'cwcs_'] },
  },
  {
    name: 'the page /profile/applications lists them',
    asks: { call: 'GET /profile/applications', presses: '' },
    gets: { status: 200, page: ['Applications'] },
  },
  {
    name: 'R5: a redirect URI over http is permitted in development',
    asks: {
      call: 'POST /applications',
      as: 'root',
      form: { name: 'Row {row}', redirect_uri: 'http://app.example/callback', scopes: 'read_user' },
    },
    gets: { status: 201 },
  },
  {
    name: 'R5: a redirect URI over http is refused in production',
    asks: {
      call: 'POST /applications',
      as: 'root',
      inProduction: true,
      form: { name: 'Row {row}', redirect_uri: 'http://app.example/callback', scopes: 'read_user' },
    },
    gets: { status: 400, has: { message: { redirect_uri: [expect.any(String)] } } },
  },
  {
    name: 'R5: a redirect URI over https is permitted in production',
    asks: {
      call: 'POST /applications',
      as: 'root',
      inProduction: true,
      form: { name: 'Row {row}', redirect_uri: 'https://app.example/callback', scopes: 'read_user' },
    },
    gets: { status: 201 },
  },
];

const tokens: readonly Row[] = [
  { name: 'a code brings the token response', given: [hasCode], asks: redeems(), gets: tokenResponse },
  {
    name: 'a code with PKCE brings the same',
    given: [hasCodeWith(challenge)],
    asks: redeems({ code_verifier: verifier }),
    gets: tokenResponse,
  },
  {
    name: 'scopes are separated by spaces',
    given: [hasCode],
    asks: redeems(),
    gets: { status: 200, has: { scope: 'read_user profile' } },
  },
  ...['client_id', 'client_secret'].map((name): Row => ({
    name: `${name} is required with a code`,
    given: [hasCode],
    asks: redeems({}, name),
    gets: refusal(401, 'invalid_client'),
  })),
  ...['grant_type', 'code', 'redirect_uri'].map((name): Row => ({
    name: `${name} is required with a code`,
    given: [hasCode],
    asks: redeems({}, name),
    gets: refusal(400, 'invalid_request'),
  })),
  {
    name: 'a wrong client_secret is refused',
    given: [hasCode],
    asks: redeems({ client_secret: 'wrong' }),
    gets: { ...refusal(401, 'invalid_client'), headers: { 'www-authenticate': /./ } },
  },
  {
    name: 'another grant_type is refused',
    given: [hasCode],
    asks: redeems({ grant_type: 'magic' }),
    gets: refusal(400, 'unsupported_grant_type'),
  },
  {
    name: 'a code that was never issued is refused',
    asks: redeems({ code: 'unknown' }),
    gets: refusal(400, 'invalid_grant'),
  },
  { name: 'a code is redeemed once', given: [hasCode, hasToken], asks: redeems(), gets: refusal(400, 'invalid_grant') },
  {
    name: 'R2: redirect_uri equals that of the authorization request',
    given: [hasCode],
    asks: redeems({ redirect_uri: 'https://client.example/other' }),
    gets: refusal(400, 'invalid_grant'),
  },
  ...verifiers.map(([what, one, ofIt, gets]): Row => ({
    name: `R4: a code_verifier ${what}`,
    given: [hasCodeWith(ofIt)],
    asks: redeems({ code_verifier: one }),
    gets,
  })),
  {
    name: 'R4: a wrong code_verifier is refused',
    given: [hasCodeWith(challenge)],
    asks: redeems({ code_verifier: 'b'.repeat(43) }),
    gets: refusal(400, 'invalid_grant'),
  },
  {
    name: 'R4: a missing code_verifier is refused',
    given: [hasCodeWith(challenge)],
    asks: redeems(),
    gets: refusal(400, 'invalid_request'),
  },
  {
    name: 'R4: with PKCE a public client needs no secret',
    given: [
      {
        ...approves({ client_id: '{public_id}', code_challenge: challenge, code_challenge_method: 'S256' }),
        keeps: { code: 'query.code' },
      },
    ],
    asks: redeems({ client_id: '{public_id}', code_verifier: verifier }, 'client_secret'),
    gets: tokenResponse,
  },
  {
    name: 'the password grant takes HTTP Basic, and brings access_token, token_type and expires_in',
    asks: { call: 'POST /oauth/token', headers: basic, form: password },
    gets: { ...tokenResponse, has: { access_token: expect.any(String), token_type: 'bearer', expires_in: 7200 } },
  },
  {
    name: 'the default scope of the password grant is api',
    asks: { call: 'POST /oauth/token', headers: basic, form: password },
    gets: { status: 200, has: { scope: 'api' } },
  },
  {
    name: 'a wrong password is refused',
    asks: { call: 'POST /oauth/token', headers: basic, form: { ...password, password: 'wrong' } },
    gets: refusal(400, 'invalid_grant'),
  },
  {
    name: 'username is required with a password',
    asks: { call: 'POST /oauth/token', headers: basic, form: { grant_type: 'password', password: '{password}' } },
    gets: refusal(400, 'invalid_grant'),
  },
  {
    name: 'password is required with a username',
    asks: { call: 'POST /oauth/token', headers: basic, form: { grant_type: 'password', username: 'maintainer' } },
    gets: refusal(400, 'invalid_grant'),
  },
  {
    name: 'R7: the password grant is off for people with a second factor',
    asks: {
      call: 'POST /oauth/token',
      headers: basic,
      form: { grant_type: 'password', username: '{protected_name}', password: '{protected_password}' },
    },
    gets: refusal(400, 'invalid_grant'),
  },
];

const information: readonly Row[] = [
  {
    name: 'token information takes the token as the parameter access_token',
    given: [hasCode, hasToken],
    asks: { call: 'GET /oauth/token/info', query: { access_token: '{access_token}' } },
    gets: {
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
    name: 'token information takes the token as a bearer',
    given: [hasCode, hasToken],
    asks: { call: 'GET /oauth/token/info', headers: { authorization: 'Bearer {access_token}' } },
    gets: { status: 200, members: infoMembers },
  },
  {
    name: 'expires_in is null for a token that never expires',
    asks: { call: 'GET /oauth/token/info', query: { access_token: '{eternal_token}' } },
    gets: { status: 200, has: { expires_in: null, expires_in_seconds: null } },
  },
  {
    name: 'R6: application.uid names the client of a token of the implicit flow',
    given: [{ ...approves({ response_type: 'token' }), keeps: { access_token: 'fragment.access_token' } }],
    asks: { call: 'GET /oauth/token/info', query: { access_token: '{access_token}' } },
    gets: { status: 200, has: { application: { uid: '{client_id}' } } },
  },
  {
    name: 'token information needs a token',
    asks: { call: 'GET /oauth/token/info' },
    gets: { status: 401, has: { error: 'invalid_token' }, headers: { 'www-authenticate': /^Bearer / } },
  },
];

const use: readonly Row[] = [
  {
    name: 'GET /user takes the token as a bearer',
    given: [hasCode, hasToken],
    asks: { call: 'GET /user', headers: { authorization: 'Bearer {access_token}' } },
    gets: { status: 200, has: { id: '{maintainer}', username: 'maintainer' } },
  },
  {
    name: 'GET /user takes the token as the parameter access_token',
    given: [hasCode, hasToken],
    asks: { call: 'GET /user', query: { access_token: '{access_token}' } },
    gets: { status: 200, has: { id: '{maintainer}' } },
  },
  {
    name: 'GET /user takes a personal access token',
    asks: { call: 'GET /user', headers: { 'private-token': '{personal_token}' } },
    gets: { status: 200, has: { username: 'maintainer' } },
  },
  {
    name: 'GET /user needs a credential',
    asks: { call: 'GET /user', as: 'nobody' },
    gets: { status: 401, body: { message: '401 Unauthorized' } },
  },
  {
    name: 'a token that isn’t one is refused',
    asks: { call: 'GET /user', headers: { authorization: 'Bearer unknown' } },
    gets: { status: 401, body: { message: '401 Unauthorized' }, headers: { 'www-authenticate': /^Bearer / } },
  },
  {
    name: 'the scope api reads',
    asks: { call: 'GET /projects', headers: { authorization: 'Bearer {api_token}' } },
    gets: { status: 200 },
  },
  {
    name: 'the scope api writes',
    asks: {
      call: 'PUT /notification_settings',
      headers: { authorization: 'Bearer {api_token}' },
      query: { level: 'participating' },
    },
    gets: { status: 200 },
  },
  {
    name: 'the scope read_user reads the user',
    asks: { call: 'GET /user', headers: { authorization: 'Bearer {read_user_token}' } },
    gets: { status: 200 },
  },
  {
    name: 'the scope read_user reads nothing else',
    asks: { call: 'GET /notification_settings', headers: { authorization: 'Bearer {read_user_token}' } },
    gets: { status: 403, has: { error: 'insufficient_scope' }, headers: { 'www-authenticate': /insufficient_scope/ } },
  },
  {
    name: 'the scope profile reads who the user is',
    asks: { call: 'GET /user', headers: { authorization: 'Bearer {profile_token}' } },
    gets: { status: 200, has: { username: 'maintainer' } },
  },
];

export const oauthRows: readonly Row[] = [...registration, ...authorization, ...tokens, ...information, ...use];
