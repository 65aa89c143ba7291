import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as openidClient from 'openid-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { signIn, type BrowserSession } from '../support/pages/browser-session.ts';
import { follow } from '../support/oauth/authorization-request.ts';
import { testGateway } from '../support/gateway.ts';
import { registerApplication, sessionOf, type RegisteredApplication, type Session } from '../support/oauth/oauth.ts';

const gateway = await testGateway();
const run = promisify(execFile);

let browser: BrowserSession;
let person: Session;
const applications: Record<string, RegisteredApplication> = {};
beforeAll(async () => {
  browser = await signIn(gateway, 'maintainer');
  person = sessionOf(gateway, 'maintainer', browser.cookies.get('causeway_session')!);
  // A redirect URI with characters that need escaping in a shell or a script.
  const redirectUris = ["https://client.example/it's-at-$HOME"];
  applications.confidential = await registerApplication(person, { redirectUris });
  applications.public = await registerApplication(person, { redirectUris, confidential: false });
});

/** The code samples on the page of an application, by their titles. */
async function snippets({ id }: RegisteredApplication): Promise<Record<string, string>> {
  const { html } = await browser.get(`/profile/applications/${id}`);
  const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&' };
  return Object.fromEntries(
    [...html.matchAll(/<summary>(.*?)<\/summary><pre class="command"><code>(.*?)<\/code>/gs)].map(([, name, text]) => [
      name!,
      text!.replace(/&(lt|gt|quot|amp);/g, (_entity, entity: string) => entities[entity]!),
    ]),
  );
}

const hasShell = await run('sh', ['-c', 'command -v curl && command -v openssl']).then(
  () => true,
  () => false,
);

describe.each(['confidential', 'public'])('the code samples of a %s application', (kind) => {
  test('have the values of the application, and no secret', async () => {
    const application = applications[kind]!;
    const offered = await snippets(application);
    expect(Object.keys(offered)).toEqual(['Node.js, with openid-client', 'Shell, with curl']);
    for (const snippet of Object.values(offered)) {
      expect(snippet).toContain(application.clientId);
      expect(snippet).toContain(gateway.url);
      expect(snippet).not.toContain('cwcs_');
    }
  });

  test('get a token in Node.js', async () => {
    const application = applications[kind]!;
    const snippet = (await snippets(application))['Node.js, with openid-client']!;
    const body = snippet
      .replace("import * as oauth from 'openid-client';", '')
      .replace('process.env.CLIENT_SECRET', JSON.stringify(application.secret))
      .replace('(config, callbackUrl', '(config, await approve(address)')
      .replace('console.log(await answer.json());', 'return await answer.json();');
    const AsyncFunction = (async () => undefined).constructor as new (
      ...parameters: string[]
    ) => (...values: unknown[]) => Promise<unknown>;
    const me = await new AsyncFunction('oauth', 'approve', body)(openidClient, (address: URL) =>
      follow(person, address),
    );
    expect(me).toMatchObject({ username: 'maintainer' });
  });

  test.skipIf(!hasShell)('gets a token in a shell', async () => {
    const application = applications[kind]!;
    const [first = '', rest = ''] = (await snippets(application))['Shell, with curl']!.split('CODE=\n');
    // The first half ends where a person has to authorize; the second half needs its verifier.
    const shell = (script: string, more: Record<string, string> = {}) =>
      run('sh', ['-c', script], { env: { ...process.env, ...more } });
    const [verifier, address] = (await shell(`${first}\necho "$VERIFIER"`)).stdout.trim().split('\n').reverse() as [
      string,
      string,
    ];
    const code = (await follow(person, address)).searchParams.get('code')!;
    const [exchange = '', use = ''] = rest.split('# 4.');
    const { stdout } = await shell(`VERIFIER=${verifier}\nCODE=${code}\n${exchange}`, {
      CLIENT_SECRET: application.secret,
    });
    const { access_token: accessToken } = JSON.parse(stdout) as { access_token: string };
    expect(JSON.parse((await shell(`# 4.${use}`, { ACCESS_TOKEN: accessToken })).stdout)).toMatchObject({
      username: 'maintainer',
    });
  });
});

test('a redirect URI that openid-client can’t send has no sample for it', async () => {
  const application = await registerApplication(person, { redirectUris: ['https://client.example/?a=b&c=d'] });
  expect(Object.keys(await snippets(application))).toEqual(['Shell, with curl']);
});

test('an application without the authorization code grant has no samples', async () => {
  const application = await registerApplication(person, { grants: ['client_credentials'], redirectUris: [] });
  expect(await snippets(application)).toEqual({});
});
