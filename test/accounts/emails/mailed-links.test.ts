import { describe, expect, test, vi } from 'vitest';
import { setPasswordByToken } from '../../../src/auth/statements/mailed-tokens.ts';
import { browserSession, scriptsOf, signIn } from '../../support/pages/browser-session.ts';
import { testGateway } from '../../support/gateway.ts';
import { mailbox } from '../../support/mail/mailbox.ts';
import { followLink } from '../../support/mail/mailed-links.ts';
import { account, age, asPage, session, type Account } from '../../support/oauth/oauth.ts';
import { statementsOf } from '../../support/databases/statements.ts';

const mails = await mailbox();
const gateway = await testGateway(mails.settings);

const follow = (link: string) => followLink(gateway, link);
const tokenOf = (link: string) => [...new URL(link).searchParams.values()][0]!;

/** Mailed links: how many seconds each works, and the form behind it. */
const links = {
  'to a new password': {
    life: 3_600,
    button: 'Set the password',
    async mailed(username: string) {
      const person = await account(gateway, username);
      const browser = browserSession(gateway);
      await browser.press((await browser.get('/users/password/new')).form('Send the link'), { login: username });
      return { person, link: (await mails.latest(person.email, 'new password')).link };
    },
  },
  'that confirms an address': {
    life: 86_400,
    button: 'Yes',
    async mailed(username: string) {
      const person = await account(gateway, username, { emailVerified: false });
      return { person, link: (await mails.latest(person.email, 'Confirm')).link };
    },
  },
} satisfies Record<
  string,
  { life: number; button: string; mailed(username: string): Promise<{ person: Account; link: string }> }
>;

describe.each(Object.entries(links))('a link %s', (_what, { life, button, mailed }) => {
  const name = (of: string) => `${of}-within-${life}`;

  test('carries 256 random bits, with a prefix that identifies them', async () => {
    const tokens = [await mailed(name('first')), await mailed(name('second'))].map(({ link }) => tokenOf(link));
    expect(tokens).toEqual([expect.stringMatching(/^cwmt_[\w-]{43}$/), expect.stringMatching(/^cwmt_[\w-]{43}$/)]);
    expect(tokens[0]).not.toBe(tokens[1]);
  });

  test(`works for ${life} seconds and no longer, whether its page is open or not`, async () => {
    const { person, link } = await mailed(name('slow'));
    const olderBy = (seconds: number) =>
      age(gateway, 'mailed_tokens', ['expires_at'], seconds, `user_id = ${person.id}`);
    await olderBy(life - 60);
    const { browser, page } = await follow(link);
    expect(page.status).toBe(200);
    await olderBy(60);
    expect((await follow(link)).page.status).toBe(404);
    expect((await browser.press(page.form(button), { password: person.password })).status).toBe(404);
  });
});

test('a link of one kind doesn’t work as the other', async () => {
  const { link: reset } = await links['to a new password'].mailed('resetting');
  expect((await follow(`${gateway.url}/users/confirmation?confirmation_token=${tokenOf(reset)}`)).page.status).toBe(
    404,
  );
  const { person, link: confirmation } = await links['that confirms an address'].mailed('confirming');
  // Only the kind of the link differs.
  await gateway.sql('update emails set verified_at = now() where address = $1', [person.email]);
  expect(
    (await follow(`${gateway.url}/users/password/edit?reset_password_token=${tokenOf(confirmation)}`)).page.status,
  ).toBe(404);
});

test('a press confirms the address that the link was mailed to, and no other; a second press changes nothing', async () => {
  const person = await session(gateway, 'collector');
  const add = 'mutation ($input: AddOwnEmailInput!) { addOwnEmail(input: $input) { email { id } } }';
  const again = 'mutation ($input: OwnEmailInput!) { mailConfirmationAgain(input: $input) { email { id } } }';
  const { addOwnEmail: one } = await person.run<{ addOwnEmail: { email: { id: string } } }>(add, {
    input: { address: 'one@collector.example' },
  });
  await person.run(add, { input: { address: 'other@collector.example' } });
  await person.run(again, { input: { emailId: one.email.id } });
  await vi.waitFor(() => expect(mails.to('one@collector.example')).toHaveLength(2), { timeout: 20_000, interval: 20 });
  const confirmed = [];
  for (const { link } of mails.to('one@collector.example')) {
    const { browser, page } = await follow(link);
    expect((await browser.press(page.form('Yes'))).status).toBe(303);
    confirmed.push(
      await gateway.sql(
        `select address, verified_at from emails where address like '%@collector.example' and verified_at is not null`,
      ),
    );
  }
  expect(confirmed[0]).toEqual([{ address: 'one@collector.example', verified_at: expect.any(Date) }]);
  expect(confirmed[1]).toEqual(confirmed[0]);
});

test('a person gets at most twenty confirmation links a day, over all addresses', async () => {
  const person = await session(gateway, 'industrious');
  const made = await gateway.sql<{ id: number }>(
    `insert into emails (user_id, address) select id, 'address' || n || '@industrious.example' from users, generate_series(1, 21) n
      where username = $1 returning id`,
    [person.username],
  );
  const asked = [];
  for (const { id } of made) {
    const again = 'mutation ($input: OwnEmailInput!) { mailConfirmationAgain(input: $input) { email { id } } }';
    asked.push(
      await person.run(again, { input: { emailId: String(id) } }).then(
        () => 'mailed',
        (error: Error) => error.message,
      ),
    );
  }
  expect(asked).toEqual([
    ...Array.from({ length: 20 }, () => 'mailed'),
    'As many links were mailed as there are in a day. Look among your mail, and in what was taken for junk.',
  ]);
});

test('an account without a password is confirmed by the press alone', async () => {
  const input = { username: 'invited', name: 'Invited', email: 'invited@example.com', emailVerified: false };
  await gateway.operator('mutation ($input: CreateUserInput!) { createUser(input: $input) { user { id } } }', {
    input,
  });
  const { browser, page } = await follow((await mails.latest(input.email, 'Confirm')).link);
  expect(page.text).not.toContain('Password of the account');
  expect((await browser.press(page.form('Yes'))).status).toBe(303);
});

/** Audit events about a person, or about no person, in order. */
const written = async (user: Pick<Account, 'id'> | null) => {
  const rows = await gateway.sql<{ kind: string; actor: number | null; count: number }>(
    'select kind, actor_id as actor, count from audit_events where user_id is not distinct from $1 order by id',
    [user?.id ?? null],
  );
  return rows.map(({ kind, actor, count }) => [
    kind,
    actor === null ? null : actor === Number(user?.id) ? 'the person' : 'another person',
    count,
  ]);
};

test('a username in any case requests a new password, and each step is audited', async () => {
  const person = await account(gateway, 'asking');
  const browser = browserSession(gateway);
  const ask = async (login: string) =>
    await browser.press((await browser.get('/users/password/new')).form('Send the link'), { login });
  await ask('  ASKING ');
  const { browser: other, page } = await follow((await mails.latest(person.email, 'new password')).link);
  await other.press(page.form('Set the password'), { password: 'a new password' });
  expect(await written(person)).toEqual([
    ['user_created', null, 1],
    ['password_reset_requested', null, 1],
    ['password_reset_by_link', 'the person', 1],
  ]);
  const before = await written(null);
  await ask('no-such-user');
  expect((await written(null)).slice(before.length)).toEqual([['password_reset_requested', null, 1]]);
});

test('the password of a first confirmation has the same limit of guesses as any other, and failures are audited', async () => {
  const { person, link } = await links['that confirms an address'].mailed('guessed-at');
  const { browser, page } = await follow(link);
  expect(scriptsOf(page)).toEqual(['password']);
  const statuses: number[] = [];
  for (let time = 0; time < 11; time++)
    statuses.push((await browser.press(page.form('Yes'), { password: `guess ${time}` })).status);
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 422), 429]);
  expect((await browser.press(page.form('Yes'), { password: person.password })).status).toBe(429);
  // Counted for the account and for the network address, as everywhere.
  const counters = await gateway.sql<{ key: string }>('select key from attempt_counters');
  expect(counters.map(({ key }) => key)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^account user/), expect.stringMatching(/^address/)]),
  );
  await gateway.sql('delete from attempt_counters');
  expect((await browser.press(page.form('Yes'), { password: person.password })).status).toBe(303);
  // Refusals are audited once a minute.
  expect([...new Set((await written(person)).map(([kind]) => kind))]).toEqual([
    'user_created',
    'sign_in_refused',
    'sign_in_throttled',
    'email_verified',
  ]);
});

test('the audit names the signed-in person who confirms an address', async () => {
  const person = await account(gateway, 'present');
  const browser = await signIn(gateway, person.username, person.password);
  await browser.press((await browser.get('/profile/emails')).form('Add'), { address: 'more@present.example' });
  const link = new URL((await mails.latest('more@present.example', 'Confirm')).link);
  const { location } = await browser.get(link.pathname + link.search);
  await browser.press((await browser.get(location!)).form('Yes'));
  expect((await written(person)).at(-1)).toEqual(['email_verified', 'the person', 1]);
});

test('a request without a valid link causes no password hashing', async () => {
  const { person, link } = await links['to a new password'].mailed('spent');
  const { browser, page } = await follow(link);
  const press = () => browser.press(page.form('Set the password'), { password: 'a new password' });
  const isSet = async () => (await statementsOf(press)).includes(setPasswordByToken.text);
  // This statement takes the hash, so it runs only after password hashing.
  expect([await isSet(), await isSet()]).toEqual([true, false]);
  expect((await signIn(gateway, person.username, 'a new password')).cookies.has('causeway_session')).toBe(true);
});

test('without a mail server, requesting a link is refused', async () => {
  const silent = await testGateway({}, gateway);
  const ask = asPage(
    silent,
    null,
    'mutation ($input: RequestPasswordResetInput!) { requestPasswordReset(input: $input) }',
    { input: { login: 'asking' } },
  );
  await expect(ask).rejects.toThrow('No mail is sent from here. Ask your administrator for a new password.');
});

test('an administrator’s link is audited, and refused for an account without a confirmed address', async () => {
  const administrator = await session(gateway, 'link-maker', { administrator: true });
  const make = (person: Account) =>
    administrator.run(
      'mutation ($input: CreatePasswordResetLinkInput!) { createPasswordResetLink(input: $input) { url } }',
      { input: { userId: person.id } },
    );
  const [person, unconfirmed] = [
    await account(gateway, 'helped'),
    await account(gateway, 'not-helped', { emailVerified: false }),
  ];
  await make(person);
  expect(await written(person)).toEqual([
    ['user_created', null, 1],
    ['password_reset_link_created', 'another person', 1],
  ]);
  await expect(make(unconfirmed)).rejects.toThrow('The account has no confirmed address.');
  expect(await written(unconfirmed)).toEqual([['user_created', null, 1]]);
});
