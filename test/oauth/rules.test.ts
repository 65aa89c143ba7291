import { describe, expect, test } from 'vitest';
import { normalUserCode } from '../../src/oauth/devices.ts';
import { grantedScopes } from '../../src/oauth/issue.ts';
import { challengeOf, isChallenge, isVerifier } from '../../src/oauth/pkce.ts';
import { deviceCode, grantTypes, profileOf, type ProfileSettings } from '../../src/oauth/profile.ts';
import { parseScopes, within } from '../../src/oauth/scopes.ts';

/** The rules of OAuth that need no server to be tested. */

const invalidScope = expect.objectContaining({
  error: 'invalid_scope',
  message: 'The requested scope is invalid, unknown, or malformed.',
});

describe('PKCE (RFC 7636)', () => {
  const unreserved = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~';

  test('the challenge of appendix B', () => {
    expect(challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
      'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    );
  });

  test.each<[verifier: string, strictly: boolean, leniently: boolean]>([
    ['a'.repeat(43), true, true],
    ['a'.repeat(128), true, true],
    [unreserved, true, true],
    ['a'.repeat(42), false, false],
    ['a'.repeat(129), false, false],
    [`${'a'.repeat(43)}+/=`, false, true],
    ['!'.repeat(43), false, true],
    ['a'.repeat(43) + ' ', false, false],
    [' ' + 'a'.repeat(43), false, false],
    ['a'.repeat(43) + '\n', false, false],
    ['+' + 'a'.repeat(43), false, true],
    ['\x7f' + 'a'.repeat(43), false, false],
    ['é'.repeat(43), false, false],
    ['', false, false],
  ])('%j as a verifier', (verifier, strictly, leniently) => {
    expect([isVerifier(verifier, false), isVerifier(verifier, true)]).toEqual([strictly, leniently]);
  });

  test.each<[challenge: string, can: boolean]>([
    ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', true],
    ['_'.repeat(43), true],
    ['a'.repeat(42), false],
    ['a'.repeat(44), false],
    ['a'.repeat(42) + '=', false],
    ['=' + 'a'.repeat(43), false],
    ['a'.repeat(43) + '\n', false],
    ['', false],
  ])('%j as a challenge', (challenge, can) => {
    expect(isChallenge(challenge)).toBe(can);
  });
});

describe('scopes (RFC 6749 §3.3)', () => {
  test.each<[given: string | null | undefined, parsed: string[] | null]>([
    [null, null],
    [undefined, null],
    ['', null],
    ['api', ['api']],
    ['read_user api', ['read_user', 'api']],
    [' api  read_user ', ['api', 'read_user']],
    ['api api', ['api']],
  ])('%j are %j', (given, parsed) => {
    expect(parseScopes(given)).toEqual(parsed);
  });

  test.each([' ', '  ', 'unknown', 'api unknown', 'API', 'api,read_user', 'api\tread_user', 'constructor'])(
    '%j is invalid_scope',
    (given) => {
      expect(() => parseScopes(given)).toThrow(invalidScope);
    },
  );

  test('one more than allowed isn’t within', () => {
    expect([within(['api'], ['read_user', 'api']), within([], []), within(['api', 'sudo'], ['api'])]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('granted is what is asked for, or else what there is of the default, and never nothing', () => {
    expect(grantedScopes('read_user api', ['api', 'read_user'], ['api'])).toEqual(['read_user', 'api']);
    expect(grantedScopes('', ['read_user', 'api'], ['api'])).toEqual(['api']);
    expect(grantedScopes('', ['read_user', 'sudo'], ['api', 'read_user'])).toEqual(['read_user']);
    for (const [asked, allowed] of [
      ['api', ['read_user']],
      ['api sudo', ['api']],
      [null, ['read_user']],
      ['', []],
    ] as const) {
      expect(() => grantedScopes(asked, allowed, ['api'])).toThrow(invalidScope);
    }
  });
});

test('the grant of a device has the name that RFC 8628 §3.4 gives it', () => {
  expect(deviceCode).toBe('urn:ietf:params:oauth:grant-type:device_code');
});

describe('what the profiles allow', () => {
  const settings: ProfileSettings = {
    profile: 'compatible',
    passwordWithoutClient: false,
    lenientVerifier: false,
    production: false,
    accessTokenLifetime: 1,
    refreshTokenLifetime: 2,
    codeLifetime: 3,
    refreshReuseWindow: 4,
  };
  const lives = { accessTokenLifetime: 1, refreshTokenLifetime: 2, codeLifetime: 3, refreshReuseWindow: 4 };
  const compatible = {
    name: 'compatible',
    grants: grantTypes,
    pkceFromEveryone: false,
    tokenInQuery: true,
    passwordWithoutClient: false,
    plainHttp: true,
    lenientVerifier: false,
    ...lives,
    dottedSchemes: false,
    outOfBand: true,
    namesIssuer: false,
    endsInFragment: false,
    impliedGrants: grantTypes,
  };
  const strict = {
    ...compatible,
    name: 'strict',
    pkceFromEveryone: true,
    tokenInQuery: false,
    plainHttp: false,
    dottedSchemes: true,
    outOfBand: false,
    namesIssuer: true,
    endsInFragment: true,
    impliedGrants: ['authorization_code', 'refresh_token'],
    grants: [
      'authorization_code',
      'refresh_token',
      'client_credentials',
      'urn:ietf:params:oauth:grant-type:device_code',
    ],
  };

  test.each<[what: string, given: Partial<ProfileSettings>, expected: object]>([
    ['compatible', {}, compatible],
    ['compatible in production', { production: true }, { ...compatible, plainHttp: false }],
    [
      'compatible with both switches',
      { passwordWithoutClient: true, lenientVerifier: true },
      { ...compatible, passwordWithoutClient: true, lenientVerifier: true },
    ],
    ['strict', { profile: 'strict' }, strict],
    [
      'strict with both switches',
      { profile: 'strict', passwordWithoutClient: true, lenientVerifier: true, production: true },
      { ...strict, lenientVerifier: true },
    ],
  ])('%s', (_what, given, expected) => {
    expect(profileOf({ ...settings, ...given })).toEqual(expected);
  });
});

test('a user code is what was meant, however it was typed (RFC 8628 §6.1)', () => {
  expect(['BCDF-GHJK', 'bcdf ghjk', ' b.c-d_f/ghjk ', 'BCDFGHJK'].map(normalUserCode)).toEqual(
    Array.from({ length: 4 }, () => 'BCDFGHJK'),
  );
  expect(normalUserCode('B1'.repeat(100))).toHaveLength(32);
});
