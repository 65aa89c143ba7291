import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dataOf, inputErrors, refusal } from '../../support/requests/answers.ts';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import { workspace, type Workspace } from '../../support/places/workspace.ts';

let gateway: TestGateway;
let make: Workspace;
beforeAll(async () => {
  gateway = await testGateway();
  make = workspace(gateway);
});

/** The exact bytes of an answer, for comparison. */
async function bytes(query: string, variables: Record<string, unknown>, token?: string): Promise<string> {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query, variables }),
  });
  return `${response.status} ${await response.text()}`;
}

describe('currentUser', () => {
  const ask = (token: string | undefined, fields: string) =>
    gateway.graphql<{ currentUser: Record<string, unknown> }>(`{ currentUser { ${fields} } }`, { token });

  test('is the person whose token it is, personal or OAuth', async () => {
    const fields = 'id databaseId username name state publicEmail webUrl isAdministrator email confirmedAt createdAt';
    const expected = {
      id: expect.stringMatching(/^gid:\/\/gitlab\/User\/\d+$/),
      databaseId: expect.any(Number),
      username: 'maintainer',
      name: 'Mary Maintainer',
      state: 'active',
      publicEmail: null,
      webUrl: `${gateway.url}/maintainer`,
      isAdministrator: false,
      email: 'maintainer@example.com',
      confirmedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    };
    for (const token of [gateway.tokens.maintainer, await gateway.accessToken('maintainer', ['api'])]) {
      expect(dataOf(await ask(token, fields)).currentUser).toEqual(expected);
    }
  });

  test.each([
    // Scopes of the token; whether it shows addresses, all of them, and settings.
    [['api'], { email: true, emails: true, settings: true }],
    [['read_api'], { email: true, emails: true, settings: true }],
    [['read_user'], { email: true, emails: true, settings: false }],
    [['email'], { email: true, emails: false, settings: false }],
    [['profile'], { email: false, emails: false, settings: false }],
    [['profile', 'email'], { email: true, emails: false, settings: false }],
    [['profile', 'read_user'], { email: true, emails: true, settings: false }],
  ])('with the scopes %j shows %j', async (scopes, shown) => {
    for (const token of [
      await gateway.personalToken('maintainer', scopes),
      await gateway.accessToken('maintainer', scopes),
    ]) {
      expect(dataOf(await ask(token, 'username email confirmedAt')).currentUser).toEqual({
        username: 'maintainer',
        email: shown.email ? 'maintainer@example.com' : null,
        confirmedAt: shown.email ? expect.any(String) : null,
      });

      const emails = await ask(token, 'emails { nodes { email isPrimary confirmedAt } }');
      if (shown.emails) {
        expect(dataOf(emails).currentUser.emails).toEqual({
          nodes: [
            { email: 'maintainer@example.com', isPrimary: true, confirmedAt: expect.any(String) },
            { email: 'maintainer@work.example.com', isPrimary: false, confirmedAt: expect.any(String) },
          ],
        });
      } else {
        expect(refusal(emails)).toMatchObject({
          code: 'INSUFFICIENT_SCOPE',
          accepted: ['api', 'read_api', 'read_user'],
        });
      }

      const settings = await ask(token, 'notificationSettings { nodes { scope } }');
      if (shown.settings)
        expect(dataOf(settings).currentUser.notificationSettings).toMatchObject({
          nodes: [{ scope: 'GLOBAL' }, { scope: 'GROUP' }],
        });
      else expect(refusal(settings)).toMatchObject({ code: 'INSUFFICIENT_SCOPE', accepted: ['api', 'read_api'] });
    }
  });

  test('is null without a person, and needs a scope', async () => {
    for (const token of [undefined, await gateway.accessToken(null, ['api'])])
      expect(dataOf(await ask(token, 'id'))).toEqual({ currentUser: null });
    expect(refusal(await ask(await gateway.personalToken('root', ['sudo']), 'id'))).toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
      accepted: ['api', 'read_api', 'read_user', 'profile', 'email'],
    });
  });
});

describe('user', () => {
  const query = `query ($username: String!) {
    user(username: $username) { username name state webUrl publicEmail email confirmedAt isAdministrator emails { nodes { email } } }
  }`;
  const ask = (username: string, token?: string) =>
    gateway.graphql<{ user: Record<string, unknown> | null }>(query, { token, variables: { username } });

  test('shows others what is public, and nothing private', async () => {
    for (const scopes of [['api'], ['read_api'], ['read_user']]) {
      const token = await gateway.personalToken('guest', scopes);
      expect(dataOf(await ask('Maintainer', token)).user).toEqual({
        username: 'maintainer',
        name: 'Mary Maintainer',
        state: 'active',
        webUrl: `${gateway.url}/maintainer`,
        publicEmail: null,
        email: null,
        confirmedAt: null,
        isAdministrator: null,
        emails: { nodes: [] },
      });
    }
  });

  test('shows a person and an administrator everything', async () => {
    const all = {
      email: 'guest@example.com',
      isAdministrator: false,
      emails: { nodes: [{ email: 'guest@example.com' }] },
    };
    for (const token of [gateway.tokens.guest, gateway.tokens.root])
      expect(dataOf(await ask('guest', token)).user).toMatchObject(all);
  });

  test.each([['no-such-user'], ['demo'], ['demo/storefront'], ['1'], [''], ['guest/'], ['%']])(
    'is null for %j',
    async (username) => {
      expect(dataOf(await ask(username, gateway.tokens.guest))).toEqual({ user: null });
    },
  );

  test('refuses half of a surrogate pair', async () => {
    const { data, errors } = await ask('guest\ud800', gateway.tokens.guest);
    expect([data, errors!.map(({ extensions }) => extensions?.code)]).toEqual([null, ['BAD_REQUEST']]);
  });

  test('says that a person is blocked', async () => {
    await make.user('blocked');
    await gateway.sql(`update users set state = 'BLOCKED' where username = 'blocked'`);
    expect(dataOf(await ask('blocked', gateway.tokens.guest)).user).toMatchObject({ state: 'blocked' });
  });

  test.each([['profile'], ['email'], ['sudo']])('isn’t readable with the scope %s alone', async (scope) => {
    const token = await gateway.personalToken('root', [scope]);
    expect(refusal(await ask('root', token))).toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
      accepted: ['api', 'read_api', 'read_user'],
    });
  });

  test('is null for a request without a person, which could enumerate all people', async () => {
    for (const token of [undefined, await gateway.accessToken(null, ['api'])])
      expect(dataOf(await ask('root', token))).toEqual({ user: null });
  });
});

describe.each(['project', 'group'] as const)('%s', (kind) => {
  const subject = kind === 'project' ? 'Project' : 'Group';
  const query = `query ($id: ID!) { ${kind}(fullPath: $id) { id name path fullPath description visibility webUrl createdAt } }`;
  const ask = (id: string, token?: string) =>
    gateway.graphql<Record<string, Record<string, unknown> | null>>(query, { token, variables: { id } });
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    const parent = `house-${kind}`;
    await make.group(parent, 'PRIVATE');
    for (const visibility of ['PRIVATE', 'INTERNAL', 'PUBLIC'] as const) {
      ids[visibility] = await make[kind](`${parent}/${visibility}`, visibility);
    }
    await make.user(`member-${kind}`);
    await make.member(`member-${kind}`, 'GUEST', { group: parent });
  });

  test('is found by number and by path in any case', async () => {
    const path = kind === 'project' ? 'demo/storefront' : 'demo';
    const byPath = dataOf(await ask(path, gateway.tokens.guest))[kind]!;
    expect(byPath).toMatchObject({
      name: kind === 'project' ? 'Storefront' : 'Demo',
      path: path.split('/').at(-1),
      fullPath: path,
      description: kind === 'project' ? 'The shop.' : 'A place to try things.',
      visibility: 'public',
    });
    for (const id of [byPath.id as string, path.toUpperCase()])
      expect(dataOf(await ask(id, gateway.tokens.guest))[kind]).toEqual(byPath);
    const page = await fetch(byPath.webUrl as string);
    expect(page.status).toBe(200);
  });

  test.each([
    ['an anonymous request', () => undefined, ['PUBLIC']],
    ['a person who is no member', () => gateway.tokens.guest, ['INTERNAL', 'PUBLIC']],
    ['a member', () => gateway.personalToken(`member-${kind}`, ['read_api']), ['PRIVATE', 'INTERNAL', 'PUBLIC']],
    ['an administrator', () => gateway.tokens.root, ['PRIVATE', 'INTERNAL', 'PUBLIC']],
    ['an application without a person', () => gateway.accessToken(null, ['read_api']), ['PUBLIC']],
  ])('is seen by %s where visibility and membership allow it', async (_who, credential, visible) => {
    const token = await credential();
    for (const visibility of ['PRIVATE', 'INTERNAL', 'PUBLIC']) {
      const found = dataOf(await ask(ids[visibility]!, token))[kind];
      expect(found?.visibility ?? null).toBe(visible.includes(visibility) ? visibility.toLowerCase() : null);
    }
  });

  test('that is hidden answers byte for byte like one that doesn’t exist', async () => {
    for (const token of [undefined, gateway.tokens.guest]) {
      const missing = await bytes(query, { id: `house-${kind}/nothing` }, token);
      expect(missing).toBe(`200 {"data":{"${kind}":null}}`);
      for (const id of [
        ids.PRIVATE!,
        `house-${kind}/PRIVATE`,
        '999999999',
        '99999999999999999999',
        '0',
        '-1',
        '',
        '/',
        'guest',
        '%00',
      ]) {
        expect(await bytes(query, { id }, token)).toBe(missing);
      }
    }
  });

  test('that an operation needs is NOT_FOUND, hidden or missing alike', async () => {
    const settings = `query ($id: ID!) { notificationSettings(${kind}: $id) { level } }`;
    const ofMissing = await gateway.graphql(settings, {
      token: gateway.tokens.guest,
      variables: { id: 'nothing/here' },
    });
    expect(refusal(ofMissing)).toMatchObject({ code: 'NOT_FOUND', subject, message: `${subject} not found.` });
    expect(await bytes(settings, { id: ids.PRIVATE }, gateway.tokens.guest)).toBe(
      await bytes(settings, { id: 'nothing/here' }, gateway.tokens.guest),
    );
  });

  test.each([['read_user'], ['profile'], ['email'], ['sudo']])(
    'isn’t readable with the scope %s alone, even a public one',
    async (scope) => {
      const token = await gateway.personalToken('root', [scope]);
      expect(refusal(await ask(ids.PUBLIC!, token))).toMatchObject({
        code: 'INSUFFICIENT_SCOPE',
        accepted: ['api', 'read_api'],
      });
    },
  );
});

describe('error tracking settings', () => {
  const fields = 'active apiUrl projectName trackerExternalUrl';
  const read = (project: string, token?: string) =>
    gateway.graphql(`query ($project: ID!) { errorTrackingSettings(project: $project) { ${fields} } }`, {
      token,
      variables: { project },
    });
  const update = (input: object, token?: string) =>
    gateway.graphql<{ updateErrorTrackingSettings: { errorTrackingSettings: object } }>(
      `mutation ($input: UpdateErrorTrackingSettingsInput!) { updateErrorTrackingSettings(input: $input) { errorTrackingSettings { ${fields} } errors } }`,
      { token, variables: { input } },
    );
  const configure = (input: object, token?: string) =>
    gateway.graphql<{ configureErrorTracking: { errorTrackingSettings: object } }>(
      `mutation ($input: ConfigureErrorTrackingInput!) { configureErrorTracking(input: $input) { errorTrackingSettings { ${fields} } errors } }`,
      { token, variables: { input } },
    );
  const apiUrl = 'https://tracker.example.com/api/0/projects/demo/storefront';
  const stored = () =>
    gateway.sql('select project_id, active, api_url, project_name from error_tracking_settings order by 1');

  beforeEach(async () => {
    await gateway.sql(`delete from error_tracking_settings`);
    await gateway.sql(
      `insert into error_tracking_settings (project_id, active, api_url, project_name)
       select id, false, $1, 'Window' from projects where full_path = 'demo/storefront'`,
      [apiUrl],
    );
  });

  const ways = [
    ['reading', (project: string, token?: string) => read(project, token)],
    ['switching', (project: string, token?: string) => update({ project, active: true }, token)],
    ['configuring', (project: string, token?: string) => configure({ project, active: true, apiUrl }, token)],
  ] as const;

  test.each(ways)('%s is for maintainers and administrators, and changes nothing for others', async (way, act) => {
    await make.user(`stranger-${way}`);
    const stranger = await gateway.personalToken(`stranger-${way}`, ['api']);
    const before = await stored();
    for (const token of [gateway.tokens.developer, gateway.tokens.guest, stranger]) {
      expect(refusal(await act('demo/storefront', token))).toMatchObject({ code: 'FORBIDDEN' });
    }
    expect(refusal(await act('demo/storefront'))).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(refusal(await act('demo/platform/api', stranger))).toMatchObject({ code: 'NOT_FOUND', subject: 'Project' });
    expect(refusal(await act('demo/nothing', stranger))).toMatchObject({ code: 'NOT_FOUND', subject: 'Project' });
    expect(await stored()).toEqual(before);
    for (const token of [gateway.tokens.maintainer, gateway.tokens.root]) dataOf(await act('demo/storefront', token));
  });

  test('reading shows them', async () => {
    expect(dataOf(await read('demo/storefront', gateway.tokens.maintainer))).toEqual({
      errorTrackingSettings: {
        active: false,
        apiUrl,
        projectName: 'Window',
        trackerExternalUrl: 'https://tracker.example.com/demo/storefront',
      },
    });
  });

  test('that were never configured are NOT_FOUND, to read and to switch', async () => {
    for (const answer of [
      await read('demo/platform/api', gateway.tokens.maintainer),
      await update({ project: 'demo/platform/api', active: true }, gateway.tokens.maintainer),
    ]) {
      expect(refusal(answer)).toMatchObject({ code: 'NOT_FOUND', subject: 'Error Tracking Setting' });
    }
  });

  test('are switched on and off, and keep the rest', async () => {
    for (const active of [true, false]) {
      const { updateErrorTrackingSettings } = dataOf(
        await update({ project: 'demo/storefront', active }, gateway.tokens.maintainer),
      );
      expect(updateErrorTrackingSettings.errorTrackingSettings).toMatchObject({
        active,
        apiUrl,
        projectName: 'Window',
      });
    }
  });

  test.each([
    ['is kept, with the name, where both are left out', {}, { apiUrl, projectName: 'Window' }],
    [
      'is changed',
      { apiUrl: 'http://other.example:8080/api/0/projects/a/b' },
      {
        apiUrl: 'http://other.example:8080/api/0/projects/a/b',
        projectName: 'Window',
        trackerExternalUrl: 'http://other.example:8080/a/b',
      },
    ],
    [
      'gives the name, where that is null',
      { projectName: null, apiUrl: 'https://t.example/api/0/projects/acme/my-big_shop/' },
      { projectName: 'My Big Shop' },
    ],
    ['gives the name, where that is empty', { projectName: '' }, { apiUrl, projectName: 'Storefront' }],
    [
      'may be 255 characters long',
      { apiUrl: `https://t.example/${'a'.repeat(237)}` },
      { apiUrl: `https://t.example/${'a'.repeat(237)}` },
    ],
  ])('the address %s', async (_what, change, expected) => {
    const { configureErrorTracking } = dataOf(
      await configure({ project: 'demo/storefront', active: true, ...change }, gateway.tokens.maintainer),
    );
    expect(configureErrorTracking.errorTrackingSettings).toMatchObject({ active: true, ...expected });
    expect(dataOf(await read('demo/storefront', gateway.tokens.maintainer))).toMatchObject({
      errorTrackingSettings: { active: true, ...expected },
    });
  });

  test.each([
    ['nothing at first', 'demo/platform/api', {}, ["can't be blank"]],
    ['null', 'demo/storefront', { apiUrl: null }, ["can't be blank"]],
    ['an empty text', 'demo/storefront', { apiUrl: '' }, ["can't be blank"]],
    ['no URL', 'demo/storefront', { apiUrl: 'foo' }, ['must be a valid URL']],
    ['a space in it', 'demo/storefront', { apiUrl: 'https://t.example/a b' }, ['must be a valid URL']],
    [
      'letters that look like others',
      'demo/storefront',
      { apiUrl: 'https://trаcker.example/' },
      ['must be a valid URL'],
    ],
    ['another protocol', 'demo/storefront', { apiUrl: 'ftp://t.example/' }, ['must be an http or https URL']],
    ['a script', 'demo/storefront', { apiUrl: 'javascript:alert(1)' }, ['must be an http or https URL']],
    ['credentials', 'demo/storefront', { apiUrl: 'https://a:b@t.example/' }, ['must not contain a user or a password']],
    [
      '256 characters',
      'demo/storefront',
      { apiUrl: `https://t.example/${'a'.repeat(238)}` },
      ['is too long (maximum is 255 characters)'],
    ],
  ])('an address of %s is refused by its field', async (_what, project, change, messages) => {
    const before = await stored();
    const answer = await configure(
      { project, active: true, projectName: 'x'.repeat(256), ...change },
      gateway.tokens.maintainer,
    );
    expect(inputErrors(answer)).toEqual([
      ...messages.map((message) => `Api url ${message}`),
      'Project name is too long (maximum is 255 characters)',
    ]);
    expect(await stored()).toEqual(before);
  });

  test('an integrated tracker is refused, and false is accepted', async () => {
    for (const act of [update, configure]) {
      expect(
        inputErrors(
          await act({ project: 'demo/storefront', active: true, integrated: true }, gateway.tokens.maintainer),
        ),
      ).toEqual(['integrated error tracking is not offered']);
      dataOf<unknown>(
        await act({ project: 'demo/storefront', active: true, integrated: false }, gateway.tokens.maintainer),
      );
    }
  });
});

describe('tokenInfo', () => {
  const ask = (token?: string) =>
    gateway.graphql<{ tokenInfo: { expiresIn: number | null; createdAt: string } }>(
      '{ tokenInfo { resourceOwnerId scope expiresIn application { uid } createdAt } }',
      { token },
    );

  test.each([['api'], ['read_api'], ['read_user'], ['profile'], ['email'], ['sudo']])(
    'describes any access token, even one with only %s',
    async (scope) => {
      const { tokenInfo } = dataOf(await ask(await gateway.accessToken('guest', [scope], { expiresIn: 1000 })));
      const [guest] = await gateway.sql<{ id: number }>(`select id from users where username = 'guest'`);
      expect(tokenInfo).toEqual({
        resourceOwnerId: guest!.id,
        scope: [scope],
        expiresIn: expect.any(Number),
        application: { uid: 'test-application' },
        createdAt: expect.any(String),
      });
      expect(new Date(tokenInfo.createdAt).toISOString()).toBe(tokenInfo.createdAt);
      expect(tokenInfo.expiresIn).toBeGreaterThan(900);
      expect(tokenInfo.expiresIn).toBeLessThanOrEqual(1000);
    },
  );

  test('has nulls for a token that never expires, and for one without a person or an application', async () => {
    const token = await gateway.accessToken(null, ['read_api'], { expiresIn: null, application: null });
    expect(dataOf(await ask(token)).tokenInfo).toMatchObject({
      resourceOwnerId: null,
      scope: ['read_api'],
      expiresIn: null,
      application: null,
    });
  });

  test('still has the former names', async () => {
    const token = await gateway.accessToken('guest', ['read_api'], { expiresIn: 1000 });
    const { tokenInfo } = dataOf(
      await gateway.graphql<{ tokenInfo: Record<string, unknown> }>(
        '{ tokenInfo { scope scopes expiresIn expiresInSeconds applicationUid } }',
        { token },
      ),
    );
    expect(tokenInfo).toEqual({
      scope: ['read_api'],
      scopes: ['read_api'],
      expiresIn: expect.any(Number),
      expiresInSeconds: tokenInfo.expiresIn,
      applicationUid: 'test-application',
    });
  });

  test('is for OAuth tokens: personal tokens and anonymous requests are refused', async () => {
    expect(refusal(await ask(gateway.tokens.root))).toMatchObject({ code: 'INVALID_TOKEN' });
    expect(refusal(await ask())).toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});

describe('metadata', () => {
  const ask = (token?: string) =>
    gateway.graphql('{ metadata { version revision enterprise kas { enabled version externalUrl } } }', { token });

  test('shows the version of the interface and of the gateway', async () => {
    for (const scope of ['api', 'read_api', 'read_user']) {
      expect(dataOf(await ask(await gateway.personalToken('guest', [scope])))).toEqual({
        metadata: {
          version: '13.12.0',
          revision: expect.stringMatching(/^\d+\.\d+\.\d+/),
          enterprise: false,
          kas: { enabled: false, version: null, externalUrl: null },
        },
      });
    }
  });

  test('is null without a person, and needs a scope for it', async () => {
    for (const token of [undefined, await gateway.accessToken(null, ['api'])])
      expect(dataOf(await ask(token))).toEqual({ metadata: null });
    expect(refusal(await ask(await gateway.personalToken('guest', ['profile'])))).toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
      accepted: ['api', 'read_api', 'read_user'],
    });
  });
});

describe('echo', () => {
  test('returns a text with the name of the person, or nil', async () => {
    const ask = async (token?: string) => dataOf(await gateway.graphql('{ echo(text: "Hello world") }', { token }));
    expect(await ask(gateway.tokens.guest)).toEqual({ echo: '"guest" says: Hello world' });
    expect(await ask()).toEqual({ echo: 'nil says: Hello world' });
  });
});
