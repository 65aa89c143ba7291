import { beforeAll, describe, expect, inject, test } from 'vitest';
import { sweep } from '../../src/jobs/sweep.ts';
import { authenticator } from '../support/oauth/authenticator.ts';
import {
  browserSession,
  signIn,
  type BrowserSession,
  type PageForm,
  type WebPage,
} from '../support/pages/browser-session.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { account, registerApplication, session } from '../support/oauth/oauth.ts';

/** Pages that show a new secret once. */

let gateway: TestGateway;
/** Another process on the same database. */
let other: TestGateway;
let browser: BrowserSession;
let root: BrowserSession;
let personId: string;
beforeAll(async () => {
  gateway = await testGateway();
  other = await testGateway({}, gateway);
  const person = await account(gateway, 'keeper');
  personId = person.id;
  browser = await signIn(gateway, person.username, person.password);
  root = await signIn(gateway, 'root', inject('passwords').root);
});

/** A form that makes a secret. */
interface Maker {
  readonly who: () => BrowserSession;
  readonly form: () => Promise<PageForm>;
  readonly fields?: Readonly<Record<string, string>>;
  readonly secret: RegExp;
  /** What changes when it acts. */
  readonly acted: string;
  /** Where the link of its page leads. */
  readonly onward: string;
}

const me = () => browser;
const newToken = async () => (await browser.get('/profile/personal_access_tokens/new')).form('Create token');
const tokens = `select id, digest, revoked_at from personal_access_tokens order by id`;
const applications = `select id, secret_digest from applications order by id`;
const codes = `select id, digest from recovery_codes order by id`;
const ofToken = /cwpat_[\w-]{43}/;
const ofClient = /cwcs_[\w-]{43}/;
const ofRecovery = /<code>[a-z0-9]{5}-[a-z0-9]{5}</;

const makers: Record<string, Maker> = {
  'a personal access token': {
    who: me,
    form: newToken,
    fields: { name: 'One', 'scope.api': 'on' },
    secret: ofToken,
    acted: tokens,
    onward: '/profile/personal_access_tokens',
  },
  'a rotated personal access token': {
    who: me,
    async form() {
      await browser.press(await newToken(), { name: 'Turning', 'scope.api': 'on' });
      const [row] = await gateway.sql<{ id: number }>(
        `select max(id) as id from personal_access_tokens where name = 'Turning'`,
      );
      return (await browser.get(`/profile/personal_access_tokens/${row!.id}/rotate`)).form('Rotate');
    },
    secret: ofToken,
    acted: tokens,
    onward: '/profile/personal_access_tokens',
  },
  'a new application': {
    who: me,
    form: async () => (await browser.get('/profile/applications/new')).form('Register'),
    fields: { name: 'App', redirect_uris: 'https://app.example/', 'scope.api': 'on' },
    secret: ofClient,
    acted: applications,
    onward: '/profile/applications',
  },
  'a renewed client secret': {
    who: me,
    async form() {
      await browser.press((await browser.get('/profile/applications/new')).form('Register'), {
        name: 'Old',
        redirect_uris: 'https://app.example/',
        'scope.api': 'on',
      });
      const [row] = await gateway.sql<{ id: number }>(`select max(id) as id from applications where name = 'Old'`);
      return (await browser.get(`/profile/applications/${row!.id}/renew`)).form('Renew');
    },
    secret: ofClient,
    acted: applications,
    onward: '/profile/applications',
  },
  'the recovery codes of a second factor that is turned on': {
    who: me,
    async form() {
      await gateway.sql('delete from second_factors where user_id = $1', [personId]);
      await browser.press((await browser.get('/profile/second_factor')).form('Enable two-factor'));
      const page = await browser.get('/profile/second_factor/new');
      const app = authenticator(/<code class="secret">([A-Z2-7 ]+)</.exec(page.html)![1]!.replaceAll(' ', ''));
      const form = page.form('Enable');
      return { ...form, fields: { ...form.fields, code: app.code() } };
    },
    secret: ofRecovery,
    acted: codes,
    onward: '/profile/second_factor',
  },
  'new recovery codes': {
    who: me,
    form: async () => (await browser.get('/profile/second_factor')).form('Regenerate'),
    secret: ofRecovery,
    acted: codes,
    onward: '/profile/second_factor',
  },
  'a password link': {
    who: () => root,
    form: async () => (await root.get(`/admin/users/${personId}/password_link`)).form('Create the link'),
    secret: /reset_password_token=cwmt_[\w-]{43}/,
    acted: 'select id, digest from mailed_tokens order by id',
    onward: '/admin/users',
  },
};

describe.each(Object.entries(makers))('%s', (_what, { who, form, fields, secret, acted, onward }) => {
  test('is shown once, by the page that the form redirects to', async () => {
    const sent = await form();
    const answer = await who().press(sent, fields);
    expect([answer.status, secret.test(answer.html)]).toEqual([303, false]);
    expect(JSON.stringify(await gateway.sql('select encode(sealed, $1) from sent_forms', ['escape']))).not.toMatch(
      /cwpat|cwcs|cwmt/,
    );
    const state = await gateway.sql(acted);

    // Any process shows it, and only the first time.
    const elsewhere = browserSession(other, who().cookies);
    const shown = await elsewhere.get(answer.location!);
    expect([shown.status, secret.test(shown.html)]).toEqual([200, true]);
    expect(shown.headers.get('cache-control')).toBe('no-store');
    const again = await who().get(answer.location!);
    expect([again.status, secret.test(again.html)]).toEqual([410, false]);
    expect(again.text).toContain('isn’t shown again');
    expect(again.html).toContain(`<a class="button primary" href="${onward}">`);

    const repeated = await who().press(sent, fields);
    expect([
      repeated.status,
      secret.test(repeated.html),
      repeated.text.includes('This form was already submitted'),
    ]).toEqual([409, false, true]);
    expect(repeated.html).toContain(`href="${answer.location}"`);
    expect(await gateway.sql(acted)).toEqual(state);
  });
});

const make = async (form?: PageForm): Promise<WebPage> =>
  await browser.press(form ?? (await newToken()), { name: 'Once', 'scope.api': 'on' });
const made = async () => (await gateway.sql(tokens)).length;

test('a form that is pressed twice at once acts once, and links to its result', async () => {
  const form = await newToken();
  const before = await made();
  const answers = await Promise.all([make(form), make(form), make(form)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 409, 409]);
  expect(await made()).toBe(before + 1);
  const way = /href="(\/profile\/personal_access_tokens\/made\/[\w-]+)"/.exec(
    answers.find(({ status }) => status === 409)!.html,
  )![1]!;
  expect((await browser.get(way)).html).toMatch(ofToken);
});

test('a refused form can be corrected and sent again from the same page', async () => {
  const form = await newToken();
  expect((await browser.press(form, { name: '', 'scope.api': 'on' })).status).toBe(422);
  expect((await make(form)).status).toBe(303);
});

test('a form without its id, or with another one, is refused', async () => {
  const form = await newToken();
  const before = await made();
  const { form_id: id, ...fields } = form.fields;
  expect(id).toMatch(/^[\w-]{22}$/);
  for (const changed of [
    fields,
    { ...fields, form_id: '' },
    { ...fields, form_id: `${id}x` },
    { ...fields, form_id: (await newToken()).fields.form_id! },
  ]) {
    expect((await browser.post(form.action, { ...changed, name: 'Forged', 'scope.api': 'on' })).status).toBe(403);
  }
  expect(await made()).toBe(before);
});

test('only the session that sent the form sees it, and HEAD doesn’t use it up', async () => {
  const { location } = await make();
  const [, password] = [personId, 'password of keeper'];
  await gateway.sql('delete from second_factors where user_id = $1', [personId]);
  const strangers = [await signIn(gateway, 'keeper', password), await signIn(gateway, 'guest'), root];
  for (const stranger of strangers) expect((await stranger.get(location!)).status).toBe(410);
  expect((await browserSession(gateway).get(location!)).location).toMatch(/^\/users\/sign_in/);
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  expect((await fetch(gateway.url + location!, { method: 'HEAD', headers: { cookie } })).status).toBe(410);
  expect((await browser.get(location!)).html).toMatch(ofToken);
});

test('it is erased after ten minutes', async () => {
  const { location } = await make();
  const sealed = async () =>
    (await gateway.sql<{ count: string }>('select count(*) from sent_forms where sealed is not null'))[0]!.count;
  expect(await sealed()).not.toBe('0');
  await gateway.sql(`update sent_forms set sealed_until = sealed_until - interval '601 seconds'`);
  expect((await browser.get(location!)).status).toBe(410);
  await sweep({ database: gateway.gateway.application.database, auditDays: 365 });
  expect(await sealed()).toBe('0');
});

test('an application that becomes confidential shows its secret once', async () => {
  const owner = await session(gateway, 'owner');
  const { id } = await registerApplication(owner, { confidential: false });
  const here = await signIn(gateway, 'owner', 'password of owner');
  const answer = await here.press((await here.get(`/profile/applications/${id}/edit`)).form('Save changes'), {
    confidential: 'yes',
  });
  expect([answer.status, answer.location]).toEqual([
    303,
    expect.stringMatching(/^\/profile\/applications\/made\/[\w-]{22}$/),
  ]);
  expect((await here.get(answer.location!)).html).toMatch(ofClient);
  expect((await here.get(answer.location!)).status).toBe(410);
});
