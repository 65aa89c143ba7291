import { expect } from 'vitest';
import {
  decide,
  deviceGrant,
  inBody,
  post,
  type AuthorizationParameters,
  type Form,
  type RegisteredApplication,
  type Session,
} from './oauth.ts';

/** The parameters of an authorization request, by their names on the wire. */
const fields = {
  client_id: 'clientId',
  redirect_uri: 'redirectUri',
  response_type: 'responseType',
  response_mode: 'responseMode',
  scope: 'scope',
  state: 'state',
  code_challenge: 'codeChallenge',
  code_challenge_method: 'codeChallengeMethod',
  prompt: 'prompt',
} as const satisfies Record<string, keyof AuthorizationParameters>;

/**
 * A person opens the link that a client built, and decides.
 * @returns the redirect with the answer
 */
export async function follow(person: Session, link: URL | string, approved = true): Promise<URL> {
  const { origin, pathname, searchParams } = new URL(link);
  expect(origin + pathname).toBe(`${person.gateway.url}/oauth/authorize`);
  const names = [...searchParams.keys()];
  expect(names, 'RFC 6749 §3.1: each parameter once').toEqual([...new Set(names)]);
  const parameters = Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      searchParams.has(name) ? [[field, searchParams.get(name)]] : [],
    ),
  );
  return await decide(person, parameters, approved);
}

/** A person types the code that a device shows, and decides. */
export async function decideDevice(person: Session, userCode: string, approved = true): Promise<void> {
  await person.run('mutation ($input: DecideDeviceInput!) { decideDevice(input: $input) }', {
    input: { userCode, approved },
  });
}

/** A person approves a device of an application. @returns the form with which the device gets its tokens */
export async function approveDevice(person: Session, application: RegisteredApplication): Promise<Form> {
  const { body } = await post(person.gateway, '/oauth/authorize_device', { scope: 'api', ...inBody(application) });
  await decideDevice(person, body.user_code as string);
  return { grant_type: deviceGrant, device_code: body.device_code as string, ...inBody(application) };
}
