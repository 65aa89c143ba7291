import type pg from 'pg';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import {
  browserSession,
  followed,
  signIn,
  type BrowserSession,
  type WebPage,
} from '../../support/pages/browser-session.ts';
import { testGateway } from '../../support/gateway.ts';
import { whileHeld } from '../../support/databases/held.ts';
import { statementsOf } from '../../support/databases/statements.ts';
import {
  account,
  applicationInput,
  basic,
  callback,
  deviceGrant,
  registerApplication,
  session,
  sessionOf,
  token,
  tokensFor,
  type ApplicationInput,
} from '../../support/oauth/oauth.ts';

const gateway = await testGateway();

let browser: BrowserSession;
beforeAll(async () => {
  browser = await signIn(gateway, 'maintainer');
});

const list = '/profile/applications';

/** Form fields of an ordinary application. */
const filledIn = { name: 'Calendar', redirect_uris: callback, 'scope.read_user': 'on' };

async function register(fields: Record<string, string> = {}, by = browser): Promise<WebPage> {
  return await followed(by, await by.press((await by.get(`${list}/new`)).form('Register'), { ...filledIn, ...fields }));
}

/** The value of a fact on a page. */
function fact({ html }: WebPage, name: string): string {
  return (
    new RegExp(`<dt>${name}</dt><dd>(.*?)</dd>`)
      .exec(html)?.[1]
      ?.replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim() ?? ''
  );
}

/** The secret on a page, which is shown only once. */
const secretOn = ({ html }: WebPage) => /<code class="secret">(cwcs_[^<]*)</.exec(html)?.[1] ?? '';

const addressOf = ({ html }: WebPage) => /href="(\/profile\/applications\/\d+)(?:\/edit)?"/.exec(html)![1]!;

const numbered = (count: number) =>
  Array.from({ length: count }, (_nothing, index) => `https://client.example/${index}`);

const grants = (fields: Readonly<Record<string, string>>) =>
  Object.keys(fields).filter((name) => name.startsWith('grant.'));

describe('registering an application', () => {
  test('shows its id, and its secret only once', async () => {
    const made = await register({ 'grant.client_credentials': 'on' });
    expect(made.status).toBe(200);
    expect(made.text).toContain('Copy the client secret now.');
    const client = { clientId: fact(made, 'Client ID'), secret: secretOn(made) };
    expect(client.secret).toMatch(/^cwcs_[\w-]{43}$/);
    expect(made.headers.get('cache-control')).toBe('no-store');
    expect((await token(gateway, { grant_type: 'client_credentials', scope: 'read_user' }, basic(client))).status).toBe(
      200,
    );
    // Row 34: and on no page afterwards.
    const address = addressOf(made);
    for (const path of [list, address, `${address}/edit`, `${address}/renew`, `${address}/delete`]) {
      const page = await browser.get(path);
      expect([page.status, page.html.includes(client.secret)]).toEqual([200, false]);
    }
    expect(fact(await browser.get(address), 'Client ID')).toBe(client.clientId);
  });

  test('a public one has no secret', async () => {
    const made = await register({ confidential: 'no' });
    expect(made.html).not.toContain('cwcs_');
    expect(fact(made, 'Type')).toBe('Public');
    expect((await browser.get(`${addressOf(made)}/renew`)).status).toBe(404);
    const owner = sessionOf(gateway, 'maintainer', browser.cookies.get('causeway_session')!);
    const renewal = owner.run('mutation ($id: ID!) { renewApplicationSecret(id: $id) { secret } }', {
      id: addressOf(made).split('/').at(-1),
    });
    await expect(renewal).rejects.toThrow('Application not found.');
  });

  test('the form has the usual defaults', async () => {
    const { fields } = (await browser.get(`${list}/new`)).form('Register');
    expect(fields).toMatchObject({ confidential: 'yes', redirect_uris: '', name: '' });
    expect(grants(fields)).toEqual(['grant.authorization_code', 'grant.refresh_token']);
  });

  test('every scope and grant of the server is offered, with an explanation', async () => {
    const { html } = await browser.get(`${list}/new`);
    const metadata = (await (await fetch(`${gateway.url}/.well-known/oauth-authorization-server`)).json()) as Record<
      string,
      string[]
    >;
    for (const [kind, names] of [
      ['scope', metadata.scopes_supported!],
      ['grant', metadata.grant_types_supported!],
    ] as const) {
      for (const name of names) {
        expect(html, name).toMatch(
          new RegExp(`name="${kind}\\.${name}" value="on"[^>]*/><span><b>.*?</b><span>[A-Z][^<]{20,}\\.</span>`),
        );
      }
    }
  });

  test('the profile strict offers only its own grants, and keeps those of existing applications', async () => {
    const address = addressOf(await register({ 'grant.implicit': 'on' }));
    const strict = browserSession(await testGateway({ CAUSEWAY_PROFILE: 'strict' }, gateway), browser.cookies);
    const { html } = await strict.get(`${list}/new`);
    expect(html).toContain('name="grant.authorization_code"');
    expect(html).not.toMatch(/name="grant\.(implicit|password)"/);
    expect(grants((await strict.get(`${address}/edit`)).form('Save changes').fields)).toContain('grant.implicit');
  });

  test('several redirect URIs are entered one per line', async () => {
    const made = await register({ redirect_uris: 'https://a.example/cb\r\n\r\n  com.example.app:/cb \r\n' });
    expect(fact(made, 'Redirect URIs')).toBe('https://a.example/cb com.example.app:/cb');
  });

  test.each([
    ['no name', { name: ' ' }, 'name', 'Name can&#39;t be blank.'],
    ['a name with invisible letters', { name: 'Harm\u202eless' }, 'name', 'Name can&#39;t contain control characters.'],
    ['no redirect URI', { redirect_uris: '' }, 'redirect_uris', 'Redirect URI can&#39;t be blank.'],
    ['a relative redirect URI', { redirect_uris: '/cb' }, 'redirect_uris', 'Redirect URI must be an absolute URI.'],
    [
      'row 5: a redirect URI with JavaScript',
      { redirect_uris: 'JavaScript:alert(1)' },
      'redirect_uris',
      'Redirect URI is forbidden by the server.',
    ],
    [
      'row 5: the same after a valid one',
      { redirect_uris: `${callback}\nvbscript:x` },
      'redirect_uris',
      'Redirect URI is forbidden by the server: vbscript:x.',
    ],
    [
      'row 5: a data URI',
      { redirect_uris: ' data:text/html,x' },
      'redirect_uris',
      'Redirect URI is forbidden by the server.',
    ],
    ['a fragment', { redirect_uris: `${callback}#x` }, 'redirect_uris', 'Redirect URI cannot contain a fragment.'],
    ['no scope', { 'scope.read_user': 'off' }, 'scopes', 'Scopes can&#39;t be blank.'],
    ['an unknown scope', { 'scope.everything': 'on' }, 'scopes', 'Scopes doesn&#39;t match configured on the server.'],
    ['an unknown grant', { 'grant.magic': 'on' }, 'grants', 'Grants doesn&#39;t match configured on the server.'],
    [
      'client credentials for a public one',
      { confidential: 'no', 'grant.client_credentials': 'on' },
      'grants',
      'Grants need a confidential application',
    ],
  ])('%s: the error is next to the field, and the input is kept', async (_name, fields, field, says) => {
    const before = await gateway.sql('select id from applications');
    const page = await register({ 'scope.email': 'off', ...fields });
    expect(page.status).toBe(422);
    const errors = new RegExp(`<ul class="mistakes" id="${field}-error">(.*?)</ul>`)
      .exec(page.html)?.[1]
      ?.replaceAll("'", '&#39;');
    expect(errors).toContain(says);
    expect(page.form('Register').fields).toMatchObject({
      name: filledIn.name,
      redirect_uris: callback,
      ...onlyTexts(fields),
    });
    expect(await gateway.sql('select id from applications')).toEqual(before);
  });

  test('of several redirect URIs, the line of each wrong one is named, with the reason', async () => {
    const typed = `${callback}\r\n\r\nhttps://a.example/#x\r\n  /cb https://*.a.example/\r\nhttps://a.example/#x`;
    const page = await register({ redirect_uris: typed });
    expect([page.status, page.form('Register').fields.redirect_uris]).toEqual([422, typed]);
    expect(/<ul class="mistakes" id="redirect_uris-error">(.*?)<\/ul>/.exec(page.html)![1]!.split(/<[^>]*>/)).toEqual([
      '',
      'Line 3: Redirect URI cannot contain a fragment: https://a.example/#x.',
      '',
      'Line 4: Redirect URI must be an absolute URI: /cb.',
      '',
      'Line 4: Redirect URI cannot have a wildcard in its host: https://*.a.example/.',
      '',
      'Line 5: Redirect URI cannot contain a fragment: https://a.example/#x.',
      '',
    ]);
  });

  test.each<[what: string, input: Partial<ApplicationInput>, problems: object | null]>([
    ['a name of 255 characters', { name: 'x'.repeat(255) }, null],
    ['a name of 256', { name: 'x'.repeat(256) }, { name: ['is too long (maximum is 255 characters)'] }],
    ['a name with a control character', { name: 'A\u0007b' }, { name: ["can't contain control characters"] }],
    ['a name with an invisible one', { name: 'A\u200bb' }, { name: ["can't contain invisible characters"] }],
    ['50 redirect URIs', { redirectUris: numbered(50) }, null],
    ['51 redirect URIs', { redirectUris: numbered(51) }, { redirectUris: ['are too many (maximum is 50)'] }],
    [
      'no redirect URI for grants without a redirect',
      { redirectUris: [], grants: ['client_credentials', 'password', deviceGrant] },
      null,
    ],
    [
      'no redirect URI for the implicit grant',
      { redirectUris: [], grants: ['implicit', 'password'] },
      { redirectUris: ["can't be blank"] },
    ],
    ['no grant', { grants: [] }, { grants: ["can't be blank"] }],
    [
      'an unknown grant with a known one',
      { grants: ['password', 'magic'] },
      { grants: ["doesn't match configured on the server."] },
    ],
    [
      'several errors at once',
      { name: ' ', scopes: ['api', 'all'], grants: ['magic', 'client_credentials'], confidential: false },
      {
        name: ["can't be blank"],
        scopes: ["doesn't match configured on the server."],
        grants: ["doesn't match configured on the server.", 'need a confidential application for client_credentials'],
      },
    ],
  ])('%s: validated on registration and on change', async (_what, more, problems) => {
    const owner = sessionOf(gateway, 'maintainer', browser.cookies.get('causeway_session')!);
    const { id } = await registerApplication(owner);
    const input = applicationInput(more);
    const change =
      'mutation ($id: ID!, $input: ApplicationInput!) { updateApplication(id: $id, input: $input) { secret } }';
    const outcomeOf = (work: Promise<unknown>) =>
      work.then(
        () => null,
        ({ fields }: { fields?: object }) => fields,
      );
    expect([
      await outcomeOf(registerApplication(owner, more)),
      await outcomeOf(owner.run(change, { id, input })),
    ]).toEqual([problems, problems]);
  });

  test('trims the name, and removes duplicate redirect URIs, scopes and grants', async () => {
    const owner = sessionOf(gateway, 'maintainer', browser.cookies.get('causeway_session')!);
    const twice = {
      redirectUris: [callback, 'com.example:/', callback],
      scopes: ['api', 'email', 'api'],
      grants: ['password', 'implicit', 'password'],
    };
    const once = {
      redirectUris: [callback, 'com.example:/'],
      scopes: ['api', 'email'],
      grants: ['password', 'implicit'],
    };
    const made = '{ application { id name redirectUris scopes grants } }';
    const { registered } = await owner.run<{ registered: { application: { id: string } } }>(
      `mutation ($input: ApplicationInput!) { registered: registerApplication(input: $input) ${made} }`,
      { input: applicationInput({ name: ' Calendar ', ...twice }) },
    );
    const { id } = registered.application;
    expect(registered.application).toEqual({ id, name: 'Calendar', ...once });
    const input = applicationInput({ name: ' Diary  ', ...twice });
    expect(
      await owner.run(
        `mutation ($id: ID!, $input: ApplicationInput!) { changed: updateApplication(id: $id, input: $input) ${made} }`,
        { id, input },
      ),
    ).toEqual({
      changed: { application: { id, name: 'Diary', ...once } },
    });
  });

  test('markup in input is escaped', async () => {
    const page = await register({
      name: '"><script>alert(1)</script>',
      redirect_uris: '</textarea><script>alert(1)</script>',
    });
    expect(page.status).toBe(422);
    expect(page.html).not.toContain('<script>');
  });

  test('requires the CSRF token of its form', async () => {
    const { fields } = (await browser.get(`${list}/new`)).form('Register');
    const { form_token: other } = (await browser.get(list)).form('Sign out').fields;
    expect((await browser.post(`${list}/new`, { ...fields, ...filledIn, form_token: other! })).status).toBe(403);
    expect(
      (await browser.post(`${list}/new`, { ...fields, ...filledIn }, { 'sec-fetch-site': 'cross-site' })).status,
    ).toBe(403);
  });
});

describe('a user’s applications', () => {
  test('are listed, without those of others', async () => {
    const { username, password } = await account(gateway, 'developer-two');
    const other = await signIn(gateway, username, password);
    expect((await other.get(list)).text).toContain('You haven’t registered any applications.');
    const address = addressOf(await register({ name: 'Mine alone' }));
    expect((await browser.get(list)).html).toContain(`<a href="${address}"><bdi>Mine alone</bdi></a>`);
    for (const rest of ['', '/edit', '/renew', '/delete'])
      expect((await other.get(address + rest)).status, rest).toBe(404);
    const { form_token: token_ } = (await other.get(list)).form('Sign out').fields;
    for (const rest of ['/edit', '/renew', '/delete'])
      expect((await other.post(address + rest, { form_token: token_! })).status).toBe(403);
  });

  test('are shown page by page, the newest first, with as many statements as one', async () => {
    const { id, username, password } = await account(gateway, 'collector');
    const collector = await signIn(gateway, username, password);
    const add = (first: number, last: number) =>
      gateway.sql(
        `insert into applications (owner_id, name, uid, redirect_uris, scopes)
         select $1, 'Number ' || n, 'collected-' || n, '{}', '{api}' from generate_series($2::int, $3::int) n`,
        [id, first, last],
      );
    const statements = async () => (await statementsOf(() => collector.get(list))).length;
    await add(1, 1);
    const few = await statements();
    await add(2, 70);
    expect(await statements()).toBe(few);
    const named = ({ html }: WebPage) => [...html.matchAll(/<bdi>Number (\d+)</g)].map(([, number]) => Number(number));
    const pages = [
      await collector.get(list),
      await collector.get(`${list}?page=2`),
      await collector.get(`${list}?page=3`),
    ];
    expect(pages.flatMap(named)).toEqual(Array.from({ length: 70 }, (_, index) => 70 - index));
    expect(pages.map(({ html }) => [html.includes('rel="prev"'), html.includes('rel="next"')])).toEqual([
      [false, true],
      [true, true],
      [true, false],
    ]);
    for (const wrong of ['limit: 101', 'limit: -1', 'offset: 50001', 'offset: -1'])
      await expect(
        sessionOf(gateway, username, collector.cookies.get('causeway_session')!).run(
          `{ applications(${wrong}) { id } }`,
        ),
      ).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('are shown, changed, renewed and deleted by their owner only; to others they don’t exist', async () => {
    const [owner, stranger] = [await session(gateway, 'owner'), await session(gateway, 'stranger')];
    const { id, secret, clientId } = await registerApplication(owner);
    const changed = applicationInput({ name: 'Taken over', redirectUris: ['https://thief.example/'] });
    const acts: [source: string, variables?: object][] = [
      ['query ($id: ID!) { application(id: $id) { clientId } }'],
      [
        'mutation ($id: ID!, $input: ApplicationInput!) { updateApplication(id: $id, input: $input) { secret } }',
        { input: changed },
      ],
      ['mutation ($id: ID!) { renewApplicationSecret(id: $id) { secret } }'],
      ['mutation ($id: ID!) { deleteApplication(id: $id) }'],
    ];
    for (const [source, variables] of acts) {
      for (const one of [id, '999999'])
        await expect(stranger.run(source, { id: one, ...variables }), source).rejects.toThrow('Application not found.');
    }
    // Nor do others see errors of a change that they may not make.
    await expect(stranger.run(acts[1]![0], { id, input: { ...changed, name: '' } })).rejects.toThrow(
      'Application not found.',
    );
    expect(await owner.run('query ($id: ID!) { application(id: $id) { clientId name redirectUris } }', { id })).toEqual(
      {
        application: { clientId, name: 'An application', redirectUris: [callback] },
      },
    );
    expect(
      (await token(gateway, { grant_type: 'client_credentials', scope: 'api' }, basic({ clientId, secret }))).status,
    ).toBe(200);
    await owner.run(acts[3]![0], { id });
    for (const [source, variables] of acts)
      await expect(owner.run(source, { id, ...variables }), source).rejects.toThrow('Application not found.');
  });

  test.each(['0', '999999', 'x', '1e3', '-1', '99999999999999999999'])('%s is none', async (id) => {
    expect((await browser.get(`${list}/${id}`)).status).toBe(404);
  });

  test('%00 can’t be read', async () => {
    expect((await browser.get(`${list}/%00`)).status).toBe(400);
  });

  test('require signing in', async () => {
    for (const path of [list, `${list}/new`, `${list}/1/edit`, '/profile/authorized_applications']) {
      expect((await browserSession(gateway).get(path)).location, path).toBe(
        `/users/sign_in?return_to=${encodeURIComponent(path)}`,
      );
    }
  });

  test.each(['', '/new', '/7', '/7/edit'])(
    'are also at GitLab’s address: /-/user_settings/applications%s',
    async (rest) => {
      for (const elsewhere of ['/-/user_settings/applications', '/oauth/applications']) {
        expect((await browser.get(elsewhere + rest)).location).toBe(list + rest);
      }
    },
  );

  test('show their number of users, to their owner only', async () => {
    const owner = sessionOf(gateway, 'maintainer', browser.cookies.get('causeway_session')!);
    const one = await registerApplication(owner, { name: 'Counted' });
    const page = async () => fact(await browser.get(`${list}/${one.id}`), 'In use');
    expect(await page()).toBe('No one authorizes it.');
    await tokensFor(owner, one);
    await tokensFor(owner, one);
    expect(await page()).toBe('1 person authorizes it.');
    const other = await session(gateway, 'counted-two');
    await tokensFor(other, one);
    expect(await page()).toBe('2 people authorize it.');
    const asked = await other.run<{ authorizedApplications: { application: { authorizers: number | null } }[] }>(
      '{ authorizedApplications { application { authorizers } } }',
    );
    expect(asked.authorizedApplications).toEqual([{ application: { authorizers: null } }]);
    await other.run('mutation ($id: ID!) { revokeAuthorization(applicationId: $id) }', { id: one.id });
    expect(await page()).toBe('1 person authorizes it.');
  });

  test('can be changed', async () => {
    const made = await register({ name: 'Before', 'scope.api': 'on' });
    const address = addressOf(made);
    const form = (await browser.get(`${address}/edit`)).form('Save changes');
    expect(form.fields).toMatchObject({
      name: 'Before',
      'scope.api': 'on',
      'scope.read_user': 'on',
      redirect_uris: callback,
      confidential: 'yes',
    });
    const { 'scope.api': _unticked, ...kept } = form.fields;
    const answer = await browser.post(form.action, { ...kept, name: 'After', 'scope.email': 'on' });
    expect([answer.status, answer.location]).toEqual([303, address]);
    const page = await browser.get(address);
    expect(page.text).toContain('Your changes are saved.');
    expect([fact(page, 'Scopes'), fact(page, 'Client ID')]).toEqual(['read_user email', fact(made, 'Client ID')]);
    expect(page.text).toContain('After');
  });

  test('errors of a change are shown next to their fields', async () => {
    const form = (await browser.get(`${addressOf(await register())}/edit`)).form('Save changes');
    const page = await browser.press(form, { name: '' });
    expect([page.status, page.form('Save changes').action]).toEqual([422, form.action]);
    expect(page.html).toContain('id="name-error"');
  });

  test('one that becomes confidential gets a working secret, shown only once', async () => {
    const address = addressOf(await register({ confidential: 'no' }));
    const page = await followed(
      browser,
      await browser.press((await browser.get(`${address}/edit`)).form('Save changes'), { confidential: 'yes' }),
    );
    expect(page.status).toBe(200);
    expect(secretOn(page)).toMatch(/^cwcs_/);
    const client = { clientId: fact(page, 'Client ID'), secret: secretOn(page) };
    const refused = await token(gateway, { grant_type: 'refresh_token', refresh_token: 'unknown' }, basic(client));
    expect(refused.body).toMatchObject({ error: 'invalid_grant' });
  });

  test('one that is deleted during a change is not found', async () => {
    const owner = sessionOf(gateway, 'maintainer', browser.cookies.get('causeway_session')!);
    const { id } = await registerApplication(owner);
    const change =
      'mutation ($id: ID!, $input: ApplicationInput!) { updateApplication(id: $id, input: $input) { secret } }';
    const changing = () =>
      owner.run(change, { id, input: applicationInput({ name: 'Late' }) }).then(
        () => null,
        (error: Error) => error.message,
      );
    const deleted = (holder: pg.Client) => holder.query('delete from applications where id = $1', [id]);
    expect(
      await whileHeld(gateway, ['select from applications where id = $1 for update', id], [changing], deleted),
    ).toEqual(['Application not found.']);
  });

  test('a renewed secret is shown once, works, and replaces the old one', async () => {
    const made = await register({ 'grant.client_credentials': 'on' });
    const address = addressOf(made);
    const asking = await browser.get(`${address}/renew`);
    expect(asking.text).toContain('The old secret and all tokens issued with it stop working at once');
    const renewed = await followed(browser, await browser.press(asking.form('Renew the secret')));
    const clientId = fact(made, 'Client ID');
    const [old, fresh] = [secretOn(made), secretOn(renewed)];
    expect(fresh).not.toBe(old);
    const form = { grant_type: 'client_credentials', scope: 'read_user' };
    expect((await token(gateway, form, basic({ clientId, secret: old }))).status).toBe(401);
    expect((await token(gateway, form, basic({ clientId, secret: fresh }))).status).toBe(200);
  });

  test('are deleted only after a confirmation', async () => {
    const address = addressOf(await register({ name: 'Short-lived' }));
    const asking = await browser.get(`${address}/delete`);
    expect(asking.text).toContain('Delete Short-lived?');
    expect((await browser.get(address)).status).toBe(200);
    const answer = await browser.press(asking.form('Delete the application'));
    expect([answer.status, answer.location]).toEqual([303, list]);
    const page = await browser.get(list);
    expect(page.text).toContain('The application is deleted');
    expect(page.text).not.toContain('Short-lived');
    expect((await browser.get(address)).status).toBe(404);
  });

  test('sensitive actions require the password again some time after signing in', async () => {
    const stale = await signIn(gateway, 'guest');
    const address = addressOf(await register({}, stale));
    const form = (await stale.get(`${address}/delete`)).form('Delete');
    await gateway.sql(
      `update sessions set authenticated_at = now() - interval '16 minutes' where user_id = (select id from users where username = 'guest')`,
    );
    for (const path of [`${list}/new`, `${address}/edit`, `${address}/renew`, `${address}/delete`]) {
      expect((await stale.get(path)).location, path).toBe(
        `/users/confirm_password?return_to=${encodeURIComponent(path)}`,
      );
    }
    expect((await stale.press(form)).location).toBe(
      `/users/confirm_password?return_to=${encodeURIComponent(form.action)}`,
    );
    expect((await stale.get(address)).status).toBe(200);
  });

  test('that time is measured by the database’s clock, not the gateway’s', async () => {
    const fresh = await signIn(gateway, 'guest');
    for (const hours of [-3, 3]) {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * 3_600_000 });
      try {
        expect((await fresh.get(`${list}/new`)).status).toBe(200);
      } finally {
        vi.useRealTimers();
      }
    }
    await gateway.sql(
      `update sessions set authenticated_at = now() - interval '16 minutes' where user_id = (select id from users where username = 'guest')`,
    );
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3 * 3_600_000 });
    try {
      expect((await fresh.get(`${list}/new`)).location).toMatch(/^\/users\/confirm_password/);
    } finally {
      vi.useRealTimers();
    }
  });
});

/** The values of a form's fields, except checkboxes. */
function onlyTexts(fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !name.includes('.')));
}
