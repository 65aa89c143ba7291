import { Secret } from 'otpauth';
import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import { keyedDigest } from '../../../src/auth/index.ts';
import { authenticator, turnOn, typePassword, withSecondFactor } from '../../support/oauth/authenticator.ts';
import { browserSession, signIn, type BrowserSession } from '../../support/pages/browser-session.ts';
import { testGateway } from '../../support/gateway.ts';
import { whileHeld, type Held } from '../../support/databases/held.ts';
import { account, asPage } from '../../support/oauth/oauth.ts';

/** Codes of the second factor. What people do with them is in second-factor.test.ts. */

const gateway = await testGateway();
const setUp = '/profile/second_factor/new';

let people = 0;
const protectedPerson = () => withSecondFactor(gateway, `coded-${people++}`);

/** A person who has begun to set it up. */
async function beginner() {
  const person = await account(gateway, `coded-${people++}`);
  const browser = await signIn(gateway, person.username, person.password);
  await begin(browser);
  const page = await browser.get(setUp);
  const seed = /<code class="secret">([A-Z2-7 ]+)</.exec(page.html)![1]!.replaceAll(' ', '');
  return { ...person, browser, form: page.form('Enable'), app: authenticator(seed) };
}
const begin = async (browser: BrowserSession) =>
  browser.press((await browser.get('/profile/second_factor')).form('Enable two-factor'));

const seedOf = ({ id }: { id: string }): Held => ['select from second_factors where user_id = $1 for update', id];
/** As if it were another one. */
const replace =
  ({ id }: { id: string }) =>
  (holder: pg.Client) =>
    holder.query(`update second_factors set sealed_seed = decode(repeat('00', 60), 'hex') where user_id = $1`, [id]);

describe('a code', () => {
  test('of the authenticator uses up no recovery code, and no mail says so', async () => {
    const person = await protectedPerson();
    const { browser, page } = await typePassword(gateway, person);
    expect((await browser.press(page.form('Verify code'), { code: person.app.code() })).status).toBe(303);
    expect((await browser.get('/profile/second_factor')).text).toContain('10 left');
    expect(
      await gateway.sql(`select from audit_events where user_id = $1 and kind = 'recovery_code_used'`, [person.id]),
    ).toEqual([]);
  });

  test('that enabled it is used up (row 20)', async () => {
    const { browser, form, app, ...person } = await beginner();
    const code = app.code();
    expect((await browser.press(form, { code })).location).toMatch(/^\/profile\/second_factor\/codes\//);
    const again = await typePassword(gateway, person);
    expect((await again.browser.press(again.page.form('Verify code'), { code })).status).toBe(422);
  });

  test('works only for its own seed, also if the seed is replaced meanwhile', async () => {
    const person = await protectedPerson();
    const { browser, page } = await typePassword(gateway, person);
    const press = () => browser.press(page.form('Verify code'), { code: person.app.code() });
    const [answer] = await whileHeld(gateway, seedOf(person), [press], replace(person));
    expect([answer!.status, browser.cookies.has('causeway_session')]).toEqual([422, false]);
  });

  test.each(['234567abcd', 'abcd234567'])(
    'for recovery may have as many digits in a row as one of the authenticator: %s',
    async (code) => {
      const person = await protectedPerson();
      const [key] = gateway.gateway.application.keys.derive('recovery code');
      const digest = keyedDigest(key!, `${person.id} ${code}`);
      await gateway.sql('insert into recovery_codes (user_id, digest) values ($1, $2)', [person.id, digest]);
      const { browser, page } = await typePassword(gateway, person);
      expect((await browser.press(page.form('Verify code'), { code })).location).toBe('/');
    },
  );
});

describe('a seed', () => {
  test('has 160 random bits (RFC 4226 §4, R6)', async () => {
    const { app } = await beginner();
    expect(Secret.fromBase32(app.seed).bytes).toHaveLength(20);
  });

  test.each([
    ['that no key opens', `sealed_seed = decode(repeat('00', 60), 'hex')`],
    ['that was made more than an hour ago', `created_at = created_at - interval '61 minutes'`],
  ])('%s redirects to the page that makes a new one', async (_which, change) => {
    const { browser, form, app, id } = await beginner();
    await gateway.sql(`update second_factors set ${change} where user_id = $1`, [id]);
    expect((await browser.get(setUp)).location).toBe('/profile/second_factor');
    const answer = await browser.press(form, { code: app.code() });
    expect([answer.status, answer.location]).toEqual([303, '/profile/second_factor']);
    expect((await turnOn(gateway, browser)).recoveryCodes).toHaveLength(10);
  });

  test('is confirmed once (row 20): of two tabs, one shows recovery codes, and these work', async () => {
    const { browser, form, app, ...person } = await beginner();
    const code = app.code();
    const forms = [form, (await browser.get(setUp)).form('Enable')];
    const answers = await whileHeld(
      gateway,
      seedOf(person),
      forms.map((one) => () => browserSession(gateway, browser.cookies).press(one, { code })),
    );
    const shown = answers.filter(({ location }) => location?.startsWith('/profile/second_factor/codes/'));
    expect(shown).toHaveLength(1);
    const recovery = /<code>([a-z0-9]{5}-[a-z0-9]{5})</.exec((await browser.get(shown[0]!.location!)).html)![1]!;
    const atCode = await typePassword(gateway, person);
    expect((await atCode.browser.press(atCode.page.form('Verify code'), { code: recovery })).location).toBe('/');
  });

  test('that was replaced meanwhile isn’t confirmed by a code of the old one', async () => {
    const { browser, form, app, ...person } = await beginner();
    const press = () => browser.press(form, { code: app.code() });
    const [answer] = await whileHeld(gateway, seedOf(person), [press], replace(person));
    expect(answer!.location).toBe('/profile/second_factor');
    expect((await browser.get('/profile/second_factor')).form('Enable two-factor')).toBeDefined();
  });

  test('that isn’t confirmed can’t be disabled, and no mail says so', async () => {
    const { browser, form, app, id } = await beginner();
    await asPage(gateway, browser.cookies.get('causeway_session')!, 'mutation { disableSecondFactor { user { id } } }');
    expect(
      await gateway.sql(`select from audit_events where user_id = $1 and kind = 'second_factor_disabled'`, [id]),
    ).toEqual([]);
    expect((await browser.press(form, { code: app.code() })).location).toMatch(/^\/profile\/second_factor\/codes\//);
  });
});
