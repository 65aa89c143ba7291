import { beforeAll, describe, expect, inject, test } from 'vitest';
import { newProject } from '../repository/support/project.ts';
import { newKey } from '../ssh/support/gateway.ts';
import { browserSession, signIn, type BrowserSession } from '../support/pages/browser-session.ts';
import { testGateway } from '../support/gateway.ts';

/** Exploring the API as oneself: the tokens of GraphiQL and of the API reference. */

const gateway = await testGateway();
const { rest, sql } = gateway;
const explore = '/-/explore';

let mary: BrowserSession;
beforeAll(async () => {
  mary = await signIn(gateway, 'maintainer');
});

const cookieOf = ({ cookies }: BrowserSession) => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

/** Presses the button, as the script of the page does. */
async function press(
  browser: BrowserSession,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
) {
  const cookie = cookieOf(browser);
  const shown = await fetch(gateway.url + explore, { headers: { cookie } });
  const { formToken = '' } = (await shown.json()) as { formToken?: string };
  const answer = await fetch(gateway.url + explore, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie, 'sec-fetch-site': 'same-origin', ...headers },
    body: new URLSearchParams({ form_token: formToken, ...fields }),
  });
  const isJson = /json/.test(answer.headers.get('content-type') ?? '');
  return {
    status: answer.status,
    body: (isJson ? await answer.json() : {}) as { token: string; scopes: string[]; endsAt: string; confirm?: true },
  };
}

const statusOf = async (token: string, method = 'GET', path = '/api/v4/user') =>
  (await rest(method, path, { token })).status;

describe('the token of a page', () => {
  test('reads as the person, changes nothing, and lasts an hour', async () => {
    const { status, body } = await press(mary);
    expect([status, body.scopes]).toEqual([201, ['read_api']]);
    const lasts = (new Date(body.endsAt).getTime() - Date.now()) / 60_000;
    expect(lasts).toBeGreaterThan(58);
    expect(lasts).toBeLessThan(61);
    expect((await rest('GET', '/api/v4/user', { token: body.token })).body).toMatchObject({ username: 'maintainer' });
    expect(await statusOf(body.token, 'PUT', '/api/v4/notification_settings?level=watch')).toBe(403);
    const { data } = await gateway.graphql<{ currentUser: { username: string } }>('{ currentUser { username } }', {
      token: body.token,
    });
    expect(data!.currentUser.username).toBe('maintainer');
    await sql(
      `update personal_access_tokens set created_at = now() - interval '61 minutes' where session_id is not null`,
    );
    expect(await statusOf(body.token)).toBe(401);
  });

  test('isn’t among the personal access tokens, makes none, and acts for nobody else', async () => {
    const root = await signIn(gateway, 'root', inject('passwords').root);
    const { body } = await press(root, { writes: 'on' });
    expect(body.scopes).toEqual(['api']);
    const { token } = body;
    expect(await statusOf(token, 'PUT', '/api/v4/notification_settings?level=watch')).toBe(200);
    const listed = await rest('GET', '/api/v4/personal_access_tokens?per_page=100', { token: gateway.tokens.root });
    expect(JSON.stringify(listed.body)).not.toContain('exploring');
    expect((await root.get('/profile/personal_access_tokens')).text).not.toContain('exploring');
    expect(await statusOf(token, 'POST', '/api/v4/users/2/personal_access_tokens?name=x&scopes[]=api')).toBe(403);
    expect(await statusOf(token, 'POST', '/api/v4/personal_access_tokens/self/rotate')).toBe(403);
    expect((await rest('GET', '/api/v4/user?sudo=maintainer', { token })).status).toBe(403);
  });

  test('makes no credential that outlasts it: no trigger, no runner, no deploy key', async () => {
    const { body } = await press(await signIn(gateway, 'maintainer'), { writes: 'on' });
    const project = await newProject(gateway);
    const token = gateway.tokens.maintainer;
    const runner = (
      await rest('POST', '/api/v4/user/runners', {
        token,
        json: { runner_type: 'project_type', project_id: project.id },
      })
    ).body as { id: number };
    const refused: [string, object][] = [
      [`${project.path}/triggers`, { description: 'x' }],
      [`${project.path}/deploy_keys`, { title: 'x', key: newKey().public, can_push: true }],
      [`${project.path}/deploy_keys/1/enable`, {}],
      ['/api/v4/user/runners', { runner_type: 'project_type', project_id: project.id }],
      [`/api/v4/runners/${runner.id}/reset_authentication_token`, {}],
      [`${project.path}/runners/reset_registration_token`, {}],
      ['/api/v4/user/keys', { title: 'x', key: newKey().public }],
      ['/api/v4/user/emails', { email: 'mine@example.com' }],
    ];
    const credentials = () =>
      sql(`select (select count(*) from ci_triggers) triggers, (select count(*) from ssh_keys) keys,
                  (select string_agg(encode(token_digest, 'hex'), ' ' order by id) from runners) runners`);
    const before = await credentials();
    for (const [path, json] of refused)
      expect([path, (await rest('POST', path, { token: body.token, json })).status]).toEqual([path, 403]);
    expect(await credentials()).toEqual(before);
    // The same, with a token of the person’s own.
    expect((await rest('POST', refused[0]![0], { token, json: refused[0]![1] })).status).toBe(201);
    const { errors } = await gateway.graphql(
      `mutation { pipelineTriggerCreate(input: { projectPath: "${project.fullPath}", description: "x" }) { errors } }`,
      { token: body.token },
    );
    expect(errors![0]).toMatchObject({
      message: 'The token of a page can’t make another credential.',
      extensions: { code: 'FORBIDDEN' },
    });
  });

  test('changes things only for those who confirmed recently who they are', async () => {
    const browser = await signIn(gateway, 'developer');
    await sql(`update sessions set authenticated_at = now() - interval '1 day' where user_id = 3`);
    expect(await press(browser, { writes: 'on' })).toMatchObject({ status: 403, body: { confirm: true } });
    expect((await press(browser)).status).toBe(201);
  });

  test('ends with the session, on request, and with everything else of the person', async () => {
    const signedOut = await signIn(gateway, 'developer');
    const { token } = (await press(signedOut)).body;
    expect(await statusOf(token)).toBe(200);
    const page = await signedOut.get('/profile/sessions');
    expect(page.text).toMatch(/Explores the API, until .* at most/);
    await signedOut.press(page.form('Sign out'));
    expect(await statusOf(token)).toBe(401);

    const asked = await signIn(gateway, 'developer');
    const other = (await press(asked)).body.token;
    const ended = await asked.press((await asked.get('/profile/sessions')).form('End exploring'));
    expect(ended.status).toBe(303);
    expect(await statusOf(other)).toBe(401);

    const last = (await press(asked)).body.token;
    await sql(`update users set valid_from = clock_timestamp() where id = 3`);
    expect(await statusOf(last)).toBe(401);
  });

  test('is for a signed-in person who presses a button of this gateway', async () => {
    const anonymous = browserSession(gateway);
    expect(await (await fetch(gateway.url + explore)).json()).toEqual({ person: null });
    expect((await press(anonymous)).status).toBe(303);
    expect((await press(mary, { form_token: 'x' })).body.token).toBeUndefined();
    expect(
      (await press(mary, {}, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' })).body.token,
    ).toBeUndefined();
    const { errors } = await gateway.graphql('mutation { explore(input: {}) { token } }', {
      token: gateway.tokens.maintainer,
    });
    expect(errors![0]!.message).toContain("doesn't exist on type");
  });
});
