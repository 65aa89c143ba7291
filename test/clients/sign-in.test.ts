import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { signIn, type BrowserSession } from '../support/pages/browser-session.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { commandOf, isInstalled, type PackagedClient } from '../support/run/packaged.ts';
import { authorize, registerStockApplication } from '../support/oauth/stock-application.ts';

/**
 * Sign-in libraries from Debian packages, set up by the scripts in this folder, against an application registered with
 * `POST /applications`. The test acts as the user, on the pages.
 */

const callback = 'http://127.0.0.1:4011/callback';
let gateway: TestGateway;
let person: BrowserSession;
beforeAll(async () => {
  gateway = await testGateway();
  person = await signIn(gateway, 'guest');
});

/** Runs a script, opens the links that it prints as the user, and returns its result. */
async function drive(client: PackagedClient): Promise<unknown> {
  const { clientId, clientSecret } = await registerStockApplication(gateway, callback);
  const script = spawn(...commandOf(client), {
    env: {
      GATEWAY: gateway.url,
      CLIENT_ID: clientId,
      CLIENT_SECRET: clientSecret,
      CALLBACK: callback,
      PASSWORD: inject('passwords').demo,
      LANG: 'C.UTF-8',
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = once(script, 'close');
  let wrong = '';
  script.stderr.on('data', (text: Buffer) => (wrong += text.toString()));
  let last: unknown;
  for await (const line of createInterface(script.stdout)) {
    last = JSON.parse(line);
    const { open } = last as { open?: string };
    if (open !== undefined) script.stdin.write(`${(await authorize(person, open)).href}\n`);
  }
  const [status] = await ended;
  expect([status, status === 0 ? '' : wrong]).toEqual([0, '']);
  return last;
}

const authlib: PackagedClient = {
  name: 'python3-authlib',
  language: 'python',
  module: 'authlib, flask, requests',
  script: 'python-authlib.py',
};
describe.skipIf(!isInstalled(authlib))(authlib.name, () => {
  test('signs a user in with each of its grants', async () => {
    expect(await drive(authlib)).toEqual({
      website: 'guest',
      code: ['guest', 'guest'],
      'code with PKCE': ['guest', 'guest'],
      'in the body': ['guest', 'guest'],
      fragment: 'guest',
      password: 'guest',
      itself: 'read_user',
    });
  });
});

const socialAuth: PackagedClient = {
  name: 'python3-social-auth-core',
  language: 'python',
  module: 'social_core',
  script: 'python-social-auth.py',
};
describe.skipIf(!isInstalled(socialAuth))(socialAuth.name, () => {
  test('signs a user in with its backend for GitLab, and refreshes the token', async () => {
    expect(await drive(socialAuth)).toEqual({
      details: {
        username: 'guest',
        email: 'guest@example.com',
        fullname: 'Guy Guest',
        first_name: 'Guy',
        last_name: 'Guest',
      },
      uid: true,
      renewed: 'guest',
    });
  });
});

const omniauth: PackagedClient = {
  name: 'ruby-omniauth-gitlab',
  language: 'ruby',
  module: 'omniauth-gitlab',
  script: 'ruby-omniauth.rb',
};
describe.skipIf(!isInstalled(omniauth))(omniauth.name, () => {
  test('signs a user in with its strategy for GitLab', async () => {
    const { body: guest } = await gateway.rest('GET', '/api/v4/user', { token: gateway.tokens.guest });
    expect(await drive(omniauth)).toEqual({
      provider: 'gitlab',
      uid: String(guest.id),
      info: { name: 'Guy Guest', username: 'guest', email: 'guest@example.com', image: null },
      raw: ['id', 'username', 'state', 'web_url'],
    });
  });
});
