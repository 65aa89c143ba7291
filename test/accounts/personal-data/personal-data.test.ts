import { readFileSync } from 'node:fs';
import pg from 'pg';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { fieldOf, modelsOf } from '../../../scripts/prisma-model.mjs';
import {
  stored,
  storedActivity,
  storedEvents,
  withheld,
} from '../../../src/schema/accounts/personal-data/stored/index.ts';
import { signIn as signInOverPage, type BrowserSession } from '../../support/pages/browser-session.ts';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import { addMember, newUser } from '../../support/places/people.ts';
import { newGroup } from '../../support/places/places.ts';
import {
  account,
  age,
  codeFor,
  registerApplication,
  session,
  signIn as openSession,
  statusOf,
  tokensFor,
  type Session,
} from '../../support/oauth/oauth.ts';

type Select = { readonly [name: string]: true | { readonly select: Select } };

const declared = modelsOf(readFileSync('prisma/schema.prisma', 'utf8'));
const models = Object.fromEntries(
  [...declared].map(([name, lines]) => [name, lines.flatMap((line) => fieldOf(line) ?? [])]),
);
const isRelation = ({ type }: { type: string }) => declared.has(type);

describe('the table of what is stored about a person', () => {
  /** Columns and tables that the export neither contains nor explains. */
  function forgotten(model: string, select: Select, parent?: string): string[] {
    if (withheld[model]) return [];
    const fields = models[model]!;
    // References back to the person hold no data.
    const back = fields.filter(({ type }) => type === parent).flatMap(({ from }) => from);
    return fields.flatMap((field) => {
      const name = `${model}.${field.name}`;
      if (withheld[name] || back.includes(field.name)) return [];
      const chosen = select[field.name];
      if (!isRelation(field)) return chosen === true ? [] : [name];
      // A table belongs to this one if it refers to this one's rows.
      const belongs = field.from.length === 0 && (model === 'User' || model === 'Grant');
      if (!belongs) return [];
      return chosen && chosen !== true ? forgotten(field.type, chosen.select, model) : [name];
    });
  }

  test('has every column of every table that refers to a person, or the reason why not', () => {
    expect(forgotten('User', stored)).toEqual([]);
  });

  test.each([
    ['AuditEvent', storedEvents],
    ['Event', storedActivity],
  ])('has every column of %s, which refers to people by number', (model, columns) => {
    const missing = models[model]!.map(({ name }) => name).filter(
      (name) => !(name in columns) && !withheld[`${model}.${name}`],
    );
    expect(missing).toEqual([]);
  });

  test('knows of every table that names people in any other way', () => {
    const naming = Object.entries(models).flatMap(([model, fields]) =>
      fields
        .filter((field) => !isRelation(field) && /(user|owner|actor|creator|author)Id$/i.test(field.name))
        .map(({ name }) => ({ model, name })),
    );
    const related = ({ model, name }: { model: string; name: string }) =>
      models[model]!.some(({ type, from }) => type === 'User' && from.includes(name));
    expect([...new Set(naming.filter((one) => !related(one)).map(({ model }) => model))]).toEqual([
      'AuditEvent',
      'Event',
      // Who did what a message tells. The message goes with its recipient.
      'Notification',
    ]);
  });

  test('gives reasons only for existing columns', () => {
    const known = new Set(
      Object.entries(models).flatMap(([model, fields]) => [model, ...fields.map(({ name }) => `${model}.${name}`)]),
    );
    expect(Object.keys(withheld).filter((name) => !known.has(name))).toEqual([]);
  });
});

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await testGateway();
});

const dataPath = '/profile/data';
const download = async (browser: BrowserSession) =>
  browser.press((await browser.get(dataPath)).form('Download my data'));
const exportOf = (person: Session, userId?: string) =>
  person.run<{ exportPersonalData: { document: string } }>(
    'mutation ($input: ExportPersonalDataInput!) { exportPersonalData(input: $input) { document user { username } } }',
    { input: { userId } },
  );

describe('a person’s data', () => {
  /** A person who has used every feature, with secrets that the export must not contain. */
  async function busyPerson(username: string): Promise<{ password: string; secrets: string[] }> {
    const { password } = await account(gateway, username);
    const person = await session(gateway, `${username}-friend`);
    const own = await openSession(gateway, username, password);
    const application = await registerApplication(own);
    const personal = await gateway.personalToken(username, ['api']);
    const tokens = await tokensFor(own, application);
    const code = await codeFor(own, await registerApplication(person));
    await gateway.rest('PUT', '/api/v4/notification_settings', {
      token: personal,
      form: { level: 'custom', new_note: 'true' },
    });
    await gateway.rest('PUT', '/api/v4/projects/demo%2Fstorefront/notification_settings', {
      token: personal,
      form: { level: 'mention' },
    });
    return {
      password,
      secrets: [own.secret, application.secret, personal, tokens.access_token, tokens.refresh_token, code],
    };
  }

  test('is a file with all of it, and no secret or digest in it (row 34)', async () => {
    const { password, secrets } = await busyPerson('busy');
    const browser = await signInOverPage(gateway, 'busy', password);
    const answer = await download(browser);
    expect([
      answer.status,
      answer.headers.get('content-type'),
      answer.headers.get('content-disposition'),
      answer.headers.get('cache-control'),
    ]).toEqual([200, 'application/json; charset=utf-8', 'attachment; filename="causeway-busy.json"', 'no-store']);
    const { user, auditEvents, leftOut } = JSON.parse(answer.html) as {
      user: Record<string, never>;
      auditEvents: { kind: string }[];
      leftOut: object;
    };
    expect(user).toMatchObject({
      username: 'busy',
      emails: [{ address: 'busy@example.com' }],
      namespace: { fullPath: 'busy' },
      globalNotificationSetting: { level: 'CUSTOM', events: { NEW_NOTE: true } },
      projectNotificationSettings: [{ level: 'MENTION' }],
      personalAccessTokens: [{ name: 'test', scopes: ['api'] }],
      applications: [{ name: 'An application' }],
      grants: [{ kind: 'AUTHORIZATION_CODE', accessTokens: [{ scopes: ['api'] }], refreshTokens: [{}] }],
      codes: [{}, {}],
    });
    expect(user.sessions).toHaveLength(2);
    expect(auditEvents.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['signed_in', 'token_issued']));
    expect(leftOut).toEqual(withheld);

    const bytes = await gateway.sql<{ value: Buffer }>(
      `select digest as value from sessions union all select digest from personal_access_tokens union all select digest from access_tokens
       union all select digest from refresh_tokens union all select digest from authorization_codes union all select secret_digest from applications`,
    );
    const [{ hash }] = (await gateway.sql<{ hash: string }>(
      `select password_hash as hash from users where username = 'busy'`,
    )) as [{ hash: string }];
    const forbidden = [
      ...secrets,
      password,
      hash,
      ...bytes
        .filter(({ value }) => value)
        .flatMap(({ value }) => ['hex', 'base64', 'base64url'].map((form) => value.toString(form as 'hex'))),
    ];
    expect(forbidden.filter((secret) => answer.html.includes(secret))).toEqual([]);
    // How JSON shows bytes.
    expect(answer.html).not.toMatch(/"type": "Buffer"|"0": \d+,\s+"1": \d+/);
  });

  test('is audited when it is exported', async () => {
    const person = await session(gateway, 'traced');
    await exportOf(person);
    const { exportPersonalData } = await exportOf(person);
    const { auditEvents } = JSON.parse(exportPersonalData.document) as { auditEvents: { kind: string }[] };
    expect(auditEvents.at(-1)).toMatchObject({ kind: 'personal_data_exported', detail: null });
  });

  test('doesn’t contain addresses of others who acted on the person', async () => {
    const person = await session(gateway, 'placed');
    const [{ id } = { id: 0 }] = await gateway.sql<{ id: number }>(`select id from users where username = 'placed'`);
    await addMember(gateway, { id: String(id) }, 'GUEST', { project: 'demo/storefront' });
    await gateway.sql(
      `update audit_events set actor_id = 2, address = '203.0.113.7' where user_id = $1 and kind = 'member_added'`,
      [id],
    );
    const { exportPersonalData } = await exportOf(person);
    const { auditEvents } = JSON.parse(exportPersonalData.document) as {
      auditEvents: { kind: string; address: string | null }[];
    };
    expect(auditEvents.filter(({ kind }) => kind === 'member_added')).toEqual([
      expect.objectContaining({ actorId: 2, address: null }),
    ]);
    expect(exportPersonalData.document).not.toContain('203.0.113.7');
  });

  test('can be exported by an administrator too, and not by others', async () => {
    const [administrator, stranger] = [
      await session(gateway, 'clerk', { administrator: true }),
      await session(gateway, 'nosy'),
    ];
    const { id } = await newUser(gateway, 'subject');
    const { exportPersonalData } = await exportOf(administrator, id);
    expect(JSON.parse(exportPersonalData.document)).toMatchObject({ user: { username: 'subject' } });
    expect(
      await gateway.sql(`select actor_id from audit_events where kind = 'personal_data_exported' and user_id = $1`, [
        id,
      ]),
    ).toHaveLength(1);
    await expect(exportOf(stranger, id)).rejects.toThrow('You are not allowed to do this.');
    await expect(exportOf(stranger, '99999')).rejects.toThrow('You are not allowed to do this.');
    await expect(exportOf(administrator, '99999')).rejects.toThrow('User not found.');
  });

  test('doesn’t name places that the person no longer sees', async () => {
    const person = await session(gateway, 'outsider');
    const { id } = await newUser(gateway, 'insider');
    await addMember(gateway, { id } as never, 'GUEST', { project: 'demo/platform/api' });
    await gateway.sql(
      `insert into stars (user_id, project_id) select u.id, p.id from users u, projects p where u.username = 'outsider' and p.full_path = 'demo/platform/api'`,
    );
    const { exportPersonalData } = await exportOf(person);
    expect(JSON.parse(exportPersonalData.document)).toMatchObject({
      user: { stars: [{ projectId: expect.any(Number) }] },
    });
    expect(exportPersonalData.document).not.toContain('platform');
  });

  test('needs a recently confirmed password and a CSRF token', async () => {
    const { password } = await account(gateway, 'late');
    const browser = await signInOverPage(gateway, 'late', password);
    const { form_token: proof } = (await browser.get(dataPath)).form('Download my data').fields;
    expect((await browser.post(dataPath, {})).status).toBe(403);
    expect((await browser.post(dataPath, { form_token: proof! }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    await age(
      gateway,
      'sessions',
      ['authenticated_at'],
      16 * 60,
      `user_id = (select id from users where username = 'late')`,
    );
    for (const answer of [await browser.get(dataPath), await browser.post(dataPath, { form_token: proof! })]) {
      expect([answer.status, answer.location]).toEqual([303, '/users/confirm_password?return_to=%2Fprofile%2Fdata']);
    }
  });
});

describe('deleting the own account', () => {
  const form = async (browser: BrowserSession) => (await browser.get(`${dataPath}/delete`)).form('Delete my account');
  const state = async (username: string) =>
    (
      await gateway.sql<{ gone: boolean }>('select deleting_since is not null as gone from users where username = $1', [
        username,
      ])
    )[0]?.gone;

  test('ends sessions and tokens at once, and says so', async () => {
    const { password } = await account(gateway, 'goer');
    const browser = await signInOverPage(gateway, 'goer', password);
    const own = await openSession(gateway, 'goer', password);
    const tokens = await tokensFor(own, await registerApplication(await session(gateway, 'keeper')));
    const personal = await gateway.personalToken('goer', ['api']);

    const answer = await browser.press(await form(browser), { username: 'goer' });
    expect([answer.status, answer.location, browser.cookies.has('causeway_session')]).toEqual([303, '/', false]);
    expect((await browser.get('/')).text).toContain('Your account is deleted');

    // Marked, or already removed.
    expect(await state('goer')).not.toBe(false);
    expect(await statusOf(gateway, tokens.access_token)).toBe(401);
    expect((await gateway.rest('GET', '/api/v4/user', { token: personal })).status).toBe(401);
    expect(await own.run('{ currentUser { id } }')).toEqual({ currentUser: null });
    await expect(signInOverPage(gateway, 'goer', password)).rejects.toThrow('Name or password is wrong');
    expect(
      await gateway.sql(`select 1 from audit_events where kind = 'user_deleted' and actor_id = user_id`),
    ).toHaveLength(1);
  });

  test('needs the username typed, and shows the form again for any other', async () => {
    const { password } = await account(gateway, 'hesitant');
    const browser = await signInOverPage(gateway, 'hesitant', password);
    for (const username of ['', 'Hesitant', 'maintainer']) {
      const answer = await browser.press(await form(browser), { username });
      expect([answer.status, answer.text.includes('This is not yours.')]).toEqual([422, true]);
    }
    expect(await state('hesitant')).toBe(false);
  });

  test('needs a recently confirmed password', async () => {
    const { password } = await account(gateway, 'stale');
    const browser = await signInOverPage(gateway, 'stale', password);
    const shown = await form(browser);
    await age(
      gateway,
      'sessions',
      ['authenticated_at'],
      16 * 60,
      `user_id = (select id from users where username = 'stale')`,
    );
    expect((await browser.press(shown, { username: 'stale' })).location).toBe(
      '/users/confirm_password?return_to=%2Fprofile%2Fdata%2Fdelete',
    );
    expect(await state('stale')).toBe(false);
  });

  test('is refused if a group would have no owner, unless a group above it has one', async () => {
    const group = await newGroup(gateway, { path: 'orphanage', visibility: 'PRIVATE' });
    const child = await newGroup(gateway, { path: 'annex', parent: 'orphanage', visibility: 'PRIVATE' });
    const { id, password } = await account(gateway, 'sole');
    const second = await newUser(gateway, 'second');
    const own = (place: string) => addMember(gateway, { id } as never, 'OWNER', { group: place });
    await own(group);
    await own(child);
    const browser = await signInOverPage(gateway, 'sole', password);
    const refused = await browser.press(await form(browser), { username: 'sole' });
    expect([refused.status, refused.text.includes('sole-owner of a group')]).toEqual([409, true]);
    expect(await state('sole')).toBe(false);
    await addMember(gateway, second, 'OWNER', { group });
    expect((await browser.press(await form(browser), { username: 'sole' })).status).toBe(303);
  });

  test('is refused to the last administrator, also if the last two delete their accounts at once', async () => {
    const root = await gateway.sql<{ id: number }>(
      `select id from users where administrator and username <> 'root' and state = 'ACTIVE' and deleting_since is null`,
    );
    await gateway.sql('update users set administrator = false where id = any($1)', [root.map(({ id }) => id)]);
    await gateway.sql(`update users set state = 'BLOCKED' where username = 'root'`);
    const [one, other] = [
      await session(gateway, 'castor', { administrator: true }),
      await session(gateway, 'pollux', { administrator: true }),
    ];
    const remove = (person: Session) =>
      person.run('mutation ($u: String!) { deleteAccount(input: { username: $u }) { username } }', {
        u: person.username,
      });
    // Another transaction locks the first one's row, so that both run at the same time.
    const holder = new pg.Client({ connectionString: gateway.databaseUrl });
    await holder.connect();
    await holder.query('begin');
    await holder.query(`select from users where username = 'castor' for update`);
    let gone = 0;
    const removals = Promise.allSettled([one, other].map((person) => remove(person).finally(() => (gone += 1))));
    await vi.waitFor(async () => {
      // On another connection: inside a transaction, pg_stat_activity doesn't change.
      const [row] = await gateway.sql<{ waiting: number }>(
        `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(row!.waiting + gone).toBeGreaterThanOrEqual(2);
    }, 20_000);
    await holder.query('rollback');
    await holder.end();
    const outcomes = await removals;
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const { reason } = outcomes.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    expect((reason as Error).message).toBe('You are the only administrator. Make someone else an administrator first.');
    await gateway.sql(`update users set state = 'ACTIVE' where username = 'root'`);
  });

  test('isn’t available to any token', async () => {
    for (const field of [
      'deleteAccount(input: { username: "root" }) { username }',
      'exportPersonalData(input: {}) { document }',
    ]) {
      const { errors } = await gateway.graphql(`mutation { ${field} }`, { token: gateway.tokens.root });
      expect(errors![0]!.message).toMatch(/^Field '\w+' doesn't exist on type/);
    }
  });
});
