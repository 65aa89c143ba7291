import { beforeAll, describe, expect, inject, test } from 'vitest';
import { randomPassword } from '../../../src/auth/keys/crypto.ts';
import { guessable } from '../../../src/auth/index.ts';
import { readConfig } from '../../../src/config/index.ts';
import { createUser } from '../../../src/cli/commands/users.ts';
import { withDatabase } from '../../../src/maintenance.ts';
import { startGateway } from '../../../src/server.ts';
import { browserSession, signIn, type WebPage } from '../../support/pages/browser-session.ts';
import { dropDatabase, makeDatabase } from '../../support/databases/database.ts';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import { secretKey } from '../../support/run/global-setup.ts';
import { mailbox } from '../../support/mail/mailbox.ts';
import { followLink } from '../../support/mail/mailed-links.ts';
import { account, type Account } from '../../support/oauth/oauth.ts';

/** Passwords that are easy to guess are refused in every place where one is chosen. */

const common = 'must not contain commonly used combinations of words and letters';
const personal =
  'must not be made of the name, the username or an e-mail address of the account, nor of the name of this instance';
const known = ['ada', 'Ada Lovelace', 'ada.lovelace@difference.example', 'Causeway', 'git.bridge.example:3000'];

describe('what is easy to guess', () => {
  test.each([
    'password',
    'Password1!',
    'P@ssw0rd!',
    '12345678',
    'qwertyuiop',
    'letmein123',
    'summer2026',
    'trustno1!',
    'monkey123456',
    'aaaaaaaaaaaa',
    'abcdefghijkl',
    'password'.repeat(12),
  ])('%s is common', async (password) => {
    expect(await guessable(password, known)).toBe('common');
  });

  test.each([
    'Ada Lovelace',
    'adalovelace1',
    'LOVELACE2026',
    'l0vel4ce!',
    'ada.lovelace@difference.example',
    'difference1',
    'causeway2026',
    'Causeway!!',
    'git.bridge.example',
  ])('%s is personal', async (password) => {
    expect(await guessable(password, known)).toBe('personal');
  });

  test.each(['correct horse battery staple', 'tr0ub4dor&3', 'a password of ada', 'VNpX3fRbQ7uk', '東京の朝は静かです'])(
    '%s is accepted',
    async (password) => {
      expect(await guessable(password, known)).toBeNull();
    },
  );

  test('a generated password is accepted without checking the lists', async () => {
    const password = randomPassword();
    expect(await guessable(password, [password])).toBeNull();
    expect(await guessable(`${password}`.toLowerCase(), [password])).toBe('personal');
  });
});

describe('in every place where a password is chosen', () => {
  const words = ['password123', 'grace.hopper1'] as const;
  let gateway: TestGateway;
  let mails: Awaited<ReturnType<typeof mailbox>>;
  let person: Account;
  let hashes: () => Promise<unknown>;
  beforeAll(async () => {
    mails = await mailbox();
    gateway = await testGateway({ CAUSEWAY_SIGN_UP: 'on', ...mails.settings });
    person = await account(gateway, 'grace.hopper');
    hashes = async () => await gateway.sql('select username, password_hash from users order by username');
  });

  const said = ({ status, text }: WebPage) => [
    status,
    text.includes(common) ? 'common' : text.includes(personal) ? 'personal' : text,
  ];
  const refused = [
    [422, 'common'],
    [422, 'personal'],
  ];

  test.each<[string, (password: string) => Promise<WebPage>]>([
    [
      'signing up',
      async (password) => {
        const browser = browserSession(gateway);
        const page = await browser.get('/users/sign_up');
        return await browser.press(page.form('Register'), {
          username: 'grace.hopper.2',
          name: 'Grace',
          email: 'grace.hopper@new.example',
          password,
        });
      },
    ],
    [
      'changing one’s own',
      async (password) => {
        const browser = await signIn(gateway, person.username, person.password);
        return await browser.press((await browser.get('/profile/password')).form('Change'), {
          current: person.password,
          password,
        });
      },
    ],
    [
      'the link of a forgotten one',
      async (password) => {
        const {
          createPasswordResetLink: { url },
        } = await gateway.operator<{ createPasswordResetLink: { url: string } }>(
          'mutation ($input: CreatePasswordResetLinkInput!) { createPasswordResetLink(input: $input) { url } }',
          { input: { userId: person.id } },
        );
        const { browser, page } = await followLink(gateway, url);
        return await browser.press(page.form('Set the password'), { password });
      },
    ],
    [
      'an administrator who makes an account',
      async (password) => {
        const root = await signIn(gateway, 'root', inject('passwords').root);
        return await root.press((await root.get('/admin/users/new')).form('Create user'), {
          username: 'grace.hopper.3',
          name: 'G',
          email: 'g@new.example',
          password,
        });
      },
    ],
    [
      'an administrator who sets one',
      async (password) => {
        const root = await signIn(gateway, 'root', inject('passwords').root);
        return await root.press((await root.get(`/admin/users/${person.id}/password`)).form('Set the password'), {
          password,
        });
      },
    ],
  ])('%s', async (_where, choose) => {
    const before = await hashes();
    const answers: unknown[] = [];
    for (const password of words) answers.push(said(await choose(password)));
    expect(answers).toEqual(refused);
    expect(await hashes()).toEqual(before);
  });

  test('POST and PUT /users', async () => {
    const before = await hashes();
    const token = gateway.tokens.root;
    const make = { username: 'grace.hopper.4', name: 'Grace', email: 'grace4@new.example', skip_confirmation: true };
    for (const [password, text] of [
      ['password123', common],
      ['grace.hopper1', personal],
      ['short', 'is too short (minimum is 8 characters)'],
    ] as const) {
      const wanted = [400, { message: { password: [text] } }];
      const made = await gateway.rest('POST', '/api/v4/users', { token, json: { ...make, password } });
      expect([made.status, made.body]).toEqual(wanted);
      const changed = await gateway.rest('PUT', `/api/v4/users/${person.id}`, {
        token,
        json: { name: 'Another', password },
      });
      expect([changed.status, changed.body]).toEqual(wanted);
    }
    // A name that the account gets in the same request counts as well.
    expect(
      (
        await gateway.rest('PUT', `/api/v4/users/${person.id}`, {
          token,
          json: { name: 'Murray Zephyrine', password: 'zephyrine1' },
        })
      ).body,
    ).toEqual({ message: { password: [personal] } });
    expect(await hashes()).toEqual(before);
    expect(
      (await gateway.rest('POST', '/api/v4/users', { token, json: { ...make, password: 'a lantern on the quay' } }))
        .status,
    ).toBe(201);
  });

  test('the command line', async () => {
    const settings = readConfig({ DATABASE_URL: gateway.databaseUrl, CAUSEWAY_SECRET_KEY: secretKey });
    const create = (password: string) =>
      withDatabase(settings, (application, schema) =>
        createUser(application, schema, 'grace.hopper.5', { email: 'g5@new.example' }, password),
      );
    for (const [password, text] of [
      ['password123', common],
      ['grace.hopper1', personal],
    ] as const)
      await expect(create(password)).rejects.toThrow(text);
    expect((await create('a lantern on the quay')).words).toContain('Created the account grace.hopper.5');
  });

  test.each(['CAUSEWAY_ROOT_PASSWORD', 'CAUSEWAY_DEMO_PASSWORD'])(
    'a first start refuses a %s that is easy to guess, and names the setting',
    async (name) => {
      const made = await makeDatabase('empty');
      const settings = {
        DATABASE_URL: made.url,
        CAUSEWAY_SECRET_KEY: secretKey,
        CAUSEWAY_DEMO: 'on',
        CAUSEWAY_LOG_LEVEL: 'error',
        CAUSEWAY_ACCESS_LOG: 'off',
        PORT: '0',
      };
      await expect(startGateway(readConfig({ ...settings, [name]: 'password123' }))).rejects.toMatchObject({
        message: `${name} ${common}.`,
        remedy: expect.stringContaining('unset it'),
      });
      const started = await startGateway(readConfig(settings));
      expect(started.firstStart?.rootPassword).toMatch(/^\w{20}$/);
      await started.stop();
      await dropDatabase(made.name);
    },
  );
});
