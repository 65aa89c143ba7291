import { testGateway } from '../../support/gateway.ts';
import { newUser, type TestUser } from '../../support/places/people.ts';

/** A gateway, and how its tests make accounts and ask about them over REST. */
export async function makeAccounts() {
  const gateway = await testGateway();
  const { root } = gateway.tokens;
  let made = 0;
  const newName = () => `person-${made++}`;
  return {
    gateway,
    root,
    newName,
    someone: () => newUser(gateway, newName()),
    asRoot: (method: string, path: string, json?: object) =>
      gateway.rest(method, `/api/v4${path}`, { token: root, ...(json && { json }) }),
    ask: (user: TestUser, method: string, path: string, json?: object) =>
      gateway.rest(method, `/api/v4${path}`, { token: user.token, ...(json && { json }) }),
    statusOf: async (token: string) => (await gateway.rest('GET', '/api/v4/user', { token })).status,
  };
}

export const namesOf = (body: { username: string }[]) => body.map(({ username }) => username);
