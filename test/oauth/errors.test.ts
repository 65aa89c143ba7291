import { beforeAll, expect, test } from 'vitest';
import {
  age,
  codeRequest,
  decide,
  deviceGrant,
  inBody,
  post,
  prospect,
  token,
  type AuthorizationParameters,
  type Form,
} from '../support/oauth/oauth.ts';
import { makeWorld, type World } from '../support/oauth/world.ts';

/** The texts by which people and logs know the errors of the authorization server. Other tests show which error comes when. */

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});

const denied = ['access_denied', 'The resource owner or authorization server denied the request.'];

test.each<[what: string, more: AuthorizationParameters, approved: boolean, says: string[]]>([
  ['a refusal', {}, false, denied],
  [
    'a scope that doesn’t exist',
    { scope: 'everything' },
    true,
    ['invalid_scope', 'The requested scope is invalid, unknown, or malformed.'],
  ],
  [
    'a response type that doesn’t exist',
    { responseType: 'id_token' },
    true,
    ['unsupported_response_type', 'The authorization server does not support this response type.'],
  ],
])('the application hears of %s', async (_what, more, approved, says) => {
  const { searchParams } = await decide(world.person, codeRequest(world.confidential, more), approved);
  expect([searchParams.get('error'), searchParams.get('error_description')]).toEqual(says);
});

test.each<[what: string, more: AuthorizationParameters, says: string[]]>([
  ['an unknown application', { clientId: 'nobody' }, ['invalid_client', 'No application has this client_id.']],
  [
    'an address that isn’t registered',
    { redirectUri: 'https://thief.example/' },
    ['invalid_redirect_uri', 'The redirect URI included is not valid.'],
  ],
])('the person alone hears of %s', async (_what, more, says) => {
  const { error, errorDescription, errorLocation } = await prospect(
    world.gateway,
    world.person.secret,
    codeRequest(world.confidential, more),
  );
  expect([error, errorDescription, errorLocation]).toEqual([...says, null]);
});

test('a device hears that it is too early, too often, refused and too late', async () => {
  const { gateway, confidential: application, person } = world;
  const begin = async () =>
    (await post(gateway, '/oauth/authorize_device', { scope: 'api', ...inBody(application) })).body as Record<
      string,
      string
    >;
  const poll = async ({ device_code }: Form) => {
    const { body } = await token(gateway, {
      grant_type: deviceGrant,
      device_code: device_code!,
      ...inBody(application),
    });
    return [body.error, body.error_description];
  };
  const [device, refused] = [await begin(), await begin()];
  expect(await poll(device)).toEqual([
    'authorization_pending',
    'The authorization request is still pending as the end user has not yet completed the user interaction steps.',
  ]);
  expect(await poll(device)).toEqual([
    'slow_down',
    'The authorization request is still pending and polling should continue, but the interval must be increased by 5 seconds.',
  ]);
  await person.run('mutation ($input: DecideDeviceInput!) { decideDevice(input: $input) }', {
    input: { userCode: refused.user_code, approved: false },
  });
  expect(await poll(refused)).toEqual(denied);
  await age(gateway, 'device_codes', ['expires_at'], 301);
  expect(await poll(device)).toEqual([
    'expired_token',
    'The device code has expired, and the device authorization session has concluded.',
  ]);
});
