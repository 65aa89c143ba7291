import { expect } from 'vitest';
import { testGateway } from '../../support/gateway.ts';
import { registerApplication, session } from '../../support/oauth/oauth.ts';

/** A gateway with a profile, a person, and an application of either kind: what each stock client is tried on. */
export async function partiesIn(profile: 'compatible' | 'strict') {
  const strict = profile === 'strict';
  const gateway = await testGateway({ CAUSEWAY_PROFILE: profile });
  const person = await session(gateway, 'person');
  return {
    strict,
    gateway,
    person,
    /** What authorization responses say of the issuer (RFC 9207). */
    issuers: strict ? [gateway.url] : [],
    confidential: await registerApplication(person),
    open: await registerApplication(person, { confidential: false }),
    /** Whose an access token is, at the API. */
    usernameOf: async (accessToken: string): Promise<string> => {
      const headers = { authorization: `Bearer ${accessToken}` };
      const { body } = await gateway.rest('GET', '/api/v4/user', { headers });
      return (body as { username: string }).username;
    },
  };
}

/** What a promise was rejected with, which must be of a class. */
export async function rejection<E extends Error>(
  promise: Promise<unknown>,
  kind: new (...parameters: never[]) => E,
): Promise<E> {
  const thrown = await promise.then(
    (value) => expect.fail(`resolved to ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(kind);
  return thrown as E;
}
