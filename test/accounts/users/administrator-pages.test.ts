import { beforeAll, describe, expect, test } from 'vitest';
import {
  browserSession,
  focusedOn,
  followed,
  scriptsOf,
  signIn,
  type BrowserSession,
  type PageForm,
  type WebPage,
} from '../../support/pages/browser-session.ts';
import { testGateway } from '../../support/gateway.ts';
import {
  account,
  basic,
  registerApplication,
  registerInstanceApplication,
  session,
  signIn as signInDirectly,
  token,
} from '../../support/oauth/oauth.ts';
import { addEmail, addMember, newUser } from '../../support/places/people.ts';
import { newGroup } from '../../support/places/places.ts';

const gateway = await testGateway();

let browser: BrowserSession;
beforeAll(async () => {
  const { username, password } = await account(gateway, 'overseer', { administrator: true });
  browser = await signIn(gateway, username, password);
});

let made = 0;
const newName = () => `someone-${made++}`;
const pages = [
  '/admin',
  '/admin/users',
  '/admin/users/new',
  '/admin/users/1',
  '/admin/groups',
  '/admin/projects',
  '/admin/applications',
  '/admin/applications/new',
  '/admin/tokens',
  '/admin/runners',
  '/admin/audit_log',
  '/admin/settings',
];

/** Presses a button, and follows the redirect to the page with the notice. */
async function pressed(page: WebPage, button: string, fields: Record<string, string> = {}): Promise<WebPage> {
  const answer = await browser.press(page.form(button), fields);
  expect([answer.status, answer.text]).toEqual([303, '']);
  return await browser.get(answer.location!);
}

describe('the pages of administrators', () => {
  test.each(pages)('administrators see %s', async (path) => {
    const page = await browser.get(path);
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(page.html.length).toBeLessThan(60_000);
  });

  test('the first one begins with what needs a look', async () => {
    await gateway.sql(
      `insert into jobs (name, payload, max_attempts, attempts, dead_at) values ('purge', '{}', 1, 1, now())`,
    );
    const { text } = await browser.get('/admin');
    expect(text).toMatch(/Health problem jobs : one failed for good See why, and try them again/);
    expect(text).toMatch(/What works .*Node\.js v\d+.* disk .*GiB free/);
    expect(text).toMatch(/Sign-ins [1-9]\d* Wrong passwords and codes \d+/);
    expect(text).toMatch(/Without a second factor [1-9]/);
    const failed = await browser.get('/admin/jobs');
    expect(failed.text).toMatch(/purge 1 Never .*Try again/);
    expect((await pressed(failed, 'Try again')).text).toContain('They run again.');
    await gateway.sql(`delete from jobs where name = 'purge'`);
    expect((await browser.get('/admin')).text).not.toContain('failed for good');
  });

  test.each([...pages, '/admin/users/999999', '/admin/applications/999999'])(
    '%s refuses everyone else alike, whether it exists or not',
    async (path) => {
      const person = await (await signIn(gateway, 'maintainer')).get(path);
      expect([person.status, person.text]).toEqual([
        403,
        expect.stringContaining('These pages are for administrators.'),
      ]);
      const anonymous = await browserSession(gateway).get(path);
      expect([anonymous.status, anonymous.location]).toEqual([
        303,
        `/users/sign_in?return_to=${encodeURIComponent(path)}`,
      ]);
    },
  );

  test('a missing record is 404', async () => {
    for (const path of [
      '/admin/users/999999',
      '/admin/users/999999/block',
      '/admin/applications/999999',
      '/admin/users/x',
    ]) {
      expect([path, (await browser.get(path)).status]).toEqual([path, 404]);
    }
  });

  test('forms need a recently confirmed password', async () => {
    const { username, password } = await account(gateway, 'sleeper', { administrator: true });
    const sleeper = await signIn(gateway, username, password);
    const user = await newUser(gateway, newName());
    const forms: PageForm[] = [
      (await sleeper.get(`/admin/users/${user.id}/block`)).form('Block'),
      (await sleeper.get('/admin/settings')).form('Save'),
    ];
    await gateway.sql(
      `update sessions set authenticated_at = now() - interval '1 hour' where user_id = (select id from users where username = $1)`,
      [username],
    );
    for (const form of forms) {
      const answer = await sleeper.press(form);
      expect([answer.status, answer.location]).toEqual([303, expect.stringMatching(/^\/users\/confirm/)]);
      expect(scriptsOf(await sleeper.get(answer.location!))).toEqual(['password']);
    }
    const [row] = await gateway.sql<{ state: string }>('select state from users where id = $1', [Number(user.id)]);
    expect(row!.state).toBe('ACTIVE');
  });
});

describe('users', () => {
  test('are searched, and listed in pages', async () => {
    const prefix = `many-${made++}`;
    for (let index = 0; index < 32; index++) {
      await gateway.sql(`insert into users (username, name) values ($1, $1)`, [`${prefix}-${index}`]);
    }
    const first = await browser.get(`/admin/users?search=${prefix}`);
    expect(first.text).toContain('32 users.');
    expect(first.html.match(new RegExp(`<code>${prefix}`, 'g'))).toHaveLength(30);
    const onward = /<a class="button" rel="next" href="([^"]+)"/.exec(first.html)![1]!.replaceAll('&amp;', '&');
    const next = await browser.get(onward);
    expect(next.html.match(new RegExp(`<code>${prefix}`, 'g'))).toHaveLength(2);
    expect((await browser.get('/admin/users?search=no-such-user')).text).toContain('No users found.');
    expect((await browser.get('/admin/users?show=administrators')).html).not.toContain('<code>guest');
    await gateway.sql('delete from users where username like $1', [`${prefix}%`]);
  });

  test('change their state by the buttons for it, and are told why where that is impossible', async () => {
    const { id, username } = await newUser(gateway, newName());
    const here = `/admin/users/${id}`;
    const buttons = async () =>
      [...(await browser.get(here)).html.matchAll(new RegExp(`href="${here}/(\\w+)">([^<]*)</a>`, 'g'))]
        .map(([, , label]) => label!)
        .filter((label) => !['Edit', 'Set a password', 'Create a password link', `Delete ${username}`].includes(label));
    expect(await buttons()).toEqual(['Block', 'Ban user', 'Deactivate']);
    for (const [action, button, after] of [
      ['ban', 'Ban', ['Unban user']],
      ['unban', 'Unban', ['Block', 'Ban user', 'Deactivate']],
      ['deactivate', 'Deactivate', ['Block', 'Activate']],
      ['activate', 'Activate', ['Block', 'Ban user', 'Deactivate']],
      ['block', 'Block', ['Unblock']],
    ] as const) {
      const page = await pressed(await browser.get(`${here}/${action}`), button);
      expect([action, page.status, await buttons()]).toEqual([action, 200, after]);
    }
    for (const [action, button, reason] of [
      ['approve', 'Approve', 'The user you are trying to approve is not pending approval.'],
      ['ban', 'Ban', 'You cannot ban blocked users.'],
    ] as const) {
      const refused = await browser.press((await browser.get(`${here}/${action}`)).form(button));
      expect([refused.status, refused.text]).toEqual([409, expect.stringContaining(reason)]);
    }
    await gateway.sql(`update users set blocked_as = 'BLOCKED_PENDING_APPROVAL' where id = $1`, [Number(id)]);
    expect((await browser.get('/admin/users?show=pending')).text).toContain(username);
    expect(await buttons()).toEqual(['Approve', 'Reject']);
    expect((await pressed(await browser.get(`${here}/reject`), 'Reject')).text).toContain('Rejected.');
    expect((await browser.get(here)).status).toBe(404);
  });

  test('are created, edited, given a password, blocked and unblocked', async () => {
    const username = newName();
    const page = await pressed(await browser.get('/admin/users/new'), 'Create user', {
      name: '<b>Newcomer</b>',
      username,
      email: `${username}@example.com`,
      verified: 'on',
      password: 'a first password',
    });
    expect(page.text).toContain('The account is created.');
    expect(page.html).not.toContain('<b>Newcomer');
    const [, id] = /\/admin\/users\/(\d+)\/edit/.exec(page.html)!;
    await expect(signInDirectly(gateway, username, 'a first password')).resolves.toBeDefined();

    const saved = await pressed(await browser.get(`/admin/users/${id}/edit`), 'Save', {
      name: 'Renamed',
      administrator: 'on',
    });
    expect(saved.text).toMatch(/Your changes are saved\..*Renamed.*Administrator/);
    expect(
      (
        await pressed(await browser.get(`/admin/users/${id}/password`), 'Set the password', {
          password: 'a second password',
        })
      ).text,
    ).toContain('The password is set.');
    await expect(signInDirectly(gateway, username, 'a second password')).resolves.toBeDefined();
    expect((await pressed(await browser.get(`/admin/users/${id}/block`), 'Block')).text).toMatch(
      /Blocked\. They are signed out everywhere\./,
    );
    await expect(signInDirectly(gateway, username, 'a second password')).rejects.toMatchObject({
      fields: { password: expect.anything() },
    });
    await pressed(await browser.get(`/admin/users/${id}/unblock`), 'Unblock');
    await expect(signInDirectly(gateway, username, 'a second password')).resolves.toBeDefined();
  });

  test('are made external, limited and noted about', async () => {
    const username = newName();
    const page = await pressed(await browser.get('/admin/users/new'), 'Create user', {
      name: 'Guest worker',
      username,
      email: `${username}@example.com`,
      external: 'on',
      note: 'From <b>next door</b>\r\nuntil May',
    });
    const [, id] = /\/admin\/users\/(\d+)\/edit/.exec(page.html)!;
    expect(page.text).toMatch(
      /External Sees only what is public, and where they have a role Note From next door until May/,
    );
    const record = async () =>
      (await gateway.rest('GET', `/api/v4/users/${id}`, { token: gateway.tokens.root })).body as object;
    const external = { external: true, can_create_group: false, projects_limit: 0, private_profile: false };
    expect(await record()).toMatchObject({ ...external, note: 'From next door\nuntil May' });
    const edit = `/admin/users/${id}/edit`;
    const form = (await browser.get(edit)).form('Save');
    expect(form.fields).toMatchObject({ external: 'on', projectsLimit: '0' });
    expect(form.fields).not.toHaveProperty('canCreateGroup');
    await pressed(await browser.get(edit), 'Save', { external: '', note: '', privateProfile: 'on' });
    expect(await record()).toMatchObject({
      external: false,
      can_create_group: true,
      projects_limit: 100_000,
      private_profile: true,
      note: null,
    });
    await pressed(await browser.get(edit), 'Save', { projectsLimit: '3', canCreateGroup: '' });
    expect(await record()).toMatchObject({ can_create_group: false, projects_limit: 3 });
    for (const [projectsLimit, says] of [
      ['-1', 'Limit of personal projects must be greater than or equal to 0.'],
      ['many', 'Limit of personal projects must be a whole number.'],
    ] as const) {
      const refused = await browser.press((await browser.get(edit)).form('Save'), { projectsLimit, name: 'Lost' });
      expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(says)]);
      expect(refused.form('Save').fields).toMatchObject({ projectsLimit, name: 'Lost' });
    }
    expect(await record()).toMatchObject({ name: 'Guest worker', projects_limit: 3 });
  });

  test('a form with errors shows each next to its field', async () => {
    const form = (await browser.get('/admin/users/new')).form('Create user');
    const answer = await browser.press(form, {
      name: ' ',
      username: 'admin',
      email: 'x@example.com',
      password: 'short',
    });
    expect(answer.status).toBe(422);
    for (const says of ['Name can&#39;t be blank.', 'Username is a reserved name.', 'Password is too short'])
      expect(answer.html.replaceAll("'", '&#39;')).toContain(says);
    expect(answer.html).not.toContain('value="short"');
    const user = await newUser(gateway, newName());
    for (const page of [
      answer,
      await browser.get('/admin/users/new'),
      await browser.get(`/admin/users/${user.id}/password`),
    ])
      expect(scriptsOf(page)).toEqual(['password']);
    expect(scriptsOf(await browser.get(`/admin/users/${user.id}/edit`))).toEqual([]);
    const taken = await browser.press(form, { name: 'X', username: 'guest', email: 'y@example.com' });
    expect([taken.status, taken.text]).toEqual([422, expect.stringContaining('Username has already been taken.')]);
  });

  test('have their addresses verified and removed', async () => {
    const user = await newUser(gateway, newName());
    await addEmail(gateway, user, `second-${user.email}`, false);
    const here = `/admin/users/${user.id}`;
    const [, verify] = /href="([^"]+\/verify)"/.exec((await browser.get(here)).html)!;
    expect((await pressed(await browser.get(verify!), 'Verify')).text).toContain('The address is verified.');
    expect(
      (
        await gateway.sql<{ count: number }>(
          'select count(*)::int from emails where user_id = $1 and verified_at is not null',
          [Number(user.id)],
        )
      )[0]!.count,
    ).toBe(2);
    const [, remove] = /href="([^"]+\/remove)"/.exec((await browser.get(here)).html)!;
    expect((await pressed(await browser.get(remove!), 'Remove')).text).not.toContain(`second-${user.email}`);
    const again = await browser.press((await browser.get(here)).form('Add the address'), {
      email: user.email,
      verified: 'on',
    });
    expect(again.form('Add the address').fields).toMatchObject({ email: user.email, verified: 'on' });
    expect([again.status, again.text]).toEqual([422, expect.stringContaining('has already been taken.')]);
    expect(
      (await pressed(await browser.get(here), 'Add the address', { email: `third-${user.email}`, verified: 'on' }))
        .text,
    ).toContain(`third-${user.email}`);
  });

  test('get a link to choose a password, which is shown once', async () => {
    const user = await newUser(gateway, newName());
    const path = `/admin/users/${user.id}/password_link`;
    const shown = await followed(browser, await browser.press((await browser.get(path)).form('Create the link')));
    expect([shown.status, shown.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const [link] = /http[^<"]+reset_password_token=[\w-]+/.exec(shown.html)!;
    const person = browserSession(gateway);
    const { location } = await person.get(new URL(link).pathname + new URL(link).search);
    expect((await person.get(location!)).text).toContain('password');
    await gateway.sql(`update users set state = 'BLOCKED' where id = $1`, [Number(user.id)]);
    const refused = await browser.press((await browser.get(path)).form('Create the link'));
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('The account is blocked.')]);
  });

  test('have two-factor authentication disabled', async () => {
    const user = await newUser(gateway, newName());
    const path = `/admin/users/${user.id}/second_factor`;
    expect((await browser.get(path)).status).toBe(404);
    await gateway.sql(`insert into second_factors (user_id, sealed_seed, confirmed_at) values ($1, '', now())`, [
      Number(user.id),
    ]);
    expect((await browser.get(`/admin/users/${user.id}`)).text).toContain('2FA');
    expect((await pressed(await browser.get(path), 'Disable it')).text).toContain(
      'Two-factor authentication is disabled.',
    );
    expect(await gateway.sql('select 1 from second_factors where user_id = $1', [Number(user.id)])).toEqual([]);
  });

  test('are deleted after a confirmation, and a group without another owner blocks that first', async () => {
    const user = await newUser(gateway, newName());
    const path = newName();
    await newGroup(gateway, { path, visibility: 'PRIVATE' });
    await addMember(gateway, user, 'OWNER', { group: path });
    const page = await browser.get(`/admin/users/${user.id}/delete`);
    const refused = await browser.press(page.form('Delete'));
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining('one of their groups has no other owner'),
    ]);
    expect(focusedOn(refused)).toEqual([expect.stringMatching(/^<p class="warning" role="alert" tabindex="-1"/)]);
    expect((await pressed(refused, 'Delete', { with_groups: 'on' })).text).toContain('Deleted.');
    expect((await browser.get(`/admin/users/${user.id}`)).status).toBe(404);
  });

  test('administrators can neither block nor delete themselves', async () => {
    const [own] = await gateway.sql<{ id: number }>(`select id from users where username = 'overseer'`);
    const page = await browser.get(`/admin/users/${own!.id}`);
    expect(page.html).not.toMatch(/\/(block|delete)"/);
    for (const what of ['block', 'delete'])
      expect((await browser.get(`/admin/users/${own!.id}/${what}`)).status).toBe(404);
  });
});

test('applications of all users are listed with their owners, and deleted', async () => {
  const owner = await session(gateway, newName());
  const { id } = await registerApplication(owner, { name: 'Calendar of the owner' });
  const list = await browser.get('/admin/applications?search=calendar');
  expect(list.text).toMatch(new RegExp(`Calendar of the owner ${owner.username}`));
  expect((await browser.get(`/admin/applications/${id}`)).text).toContain(owner.username);
  expect((await pressed(await browser.get(`/admin/applications/${id}/delete`), 'Delete')).text).toContain(
    'The application is deleted',
  );
  expect((await browser.get(`/admin/applications/${id}`)).status).toBe(404);
});

test('the audit log is filtered by person, kind and time', async () => {
  const { id, username } = await account(gateway, newName());
  await gateway.operator('mutation ($id: ID!) { blockUser(input: { userId: $id }) { changed } }', { id });
  const all = await browser.get(`/admin/audit_log?user=${username}`);
  expect(all.text).toMatch(/User blocked The operator .*User created The operator/);
  expect((await browser.get(`/admin/audit_log?user=${username}&kind=user_created`)).text).not.toContain(
    'User blocked The',
  );
  const today = new Date().toISOString().slice(0, 10);
  expect((await browser.get(`/admin/audit_log?user=${username}&since=${today}&until=${today}`)).text).toContain(
    'User blocked The',
  );
  expect((await browser.get(`/admin/audit_log?user=${username}&until=2020-01-01`)).text).toContain('No events match.');
  expect((await browser.get('/admin/audit_log?user=nobody-here')).text).toContain('No user has this username.');
  expect((await browser.get('/admin/audit_log?since=yesterday&kind=%00')).status).toBeLessThan(500);
});

test('the audit log names an application beside the person, as long as the application exists', async () => {
  const owner = await session(gateway, newName());
  const { id } = await registerApplication(owner, { name: 'A remembered calendar' });
  const path = `/admin/audit_log?user=${owner.username}`;
  expect((await browser.get(path)).html).toMatch(
    new RegExp(`${owner.username}</a><br/?><a href="/admin/applications/${id}"><bdi>A remembered calendar</bdi></a>`),
  );
  await pressed(await browser.get(`/admin/applications/${id}/delete`), 'Delete');
  const { html } = await browser.get(path);
  expect(html).toMatch(new RegExp(`${owner.username}</a><br/?>Former application ${id}<`));
  expect(html).not.toContain(`/admin/applications/${id}`);
});

test('an application of the instance is registered, by the kind that it is of', async () => {
  const page = await browser.get('/admin/applications/new?kind=machine');
  expect(page.form('Register').fields).toMatchObject({ confidential: 'yes', 'grant.client_credentials': 'on' });
  const shown = await pressed(page, 'Register', { name: 'Nightly reports', 'scope.read_api': 'on' });
  const secret = /<code class="secret">(cwsecret[^<]*|[^<]{20,})<\/code>/.exec(shown.html)![1]!;
  expect(shown.html).toContain(`CLIENT_SECRET%3D${secret}%0A`);
  expect((await browser.get('/admin/applications')).text).toMatch(/Nightly reports The instance/);
  const { location, status } = await browser.press((await browser.get('/admin/applications/new')).form('Register'), {
    name: 'Nameless',
    redirect_uris: 'https://a.example/cb\nnowhere',
    'scope.read_api': 'on',
  });
  expect([status, location]).toEqual([422, null]);
});

test('any application is changed, and its secret renewed, as one’s own are', async () => {
  const owner = await session(gateway, newName());
  const shared = await registerInstanceApplication(gateway);
  const theirs = await registerApplication(owner, { name: 'Theirs', grants: ['client_credentials'], redirectUris: [] });
  const works = async (clientId: string, secret: string) =>
    (await token(gateway, { grant_type: 'client_credentials', scope: 'read_user' }, basic({ clientId, secret })))
      .status;
  for (const application of [shared, theirs]) {
    const path = `/admin/applications/${application.id}`;
    const page = await browser.get(path);
    expect(page.html).toContain(`href="${path}/edit"`);
    expect(page.text).toContain('Shown only once, when it was created.');
    const form = (await browser.get(`${path}/edit`)).form('Save changes');
    const wrong = await browser.press(form, { name: ' ' });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringMatching(/Name can.t be blank\./)]);
    const changed = await pressed(await browser.get(`${path}/edit`), 'Save changes', {
      name: `Renamed ${application.id}`,
      redirect_uris: 'https://renamed.example/cb',
      'grant.client_credentials': 'on',
    });
    expect(changed.text).toMatch(
      new RegExp(`Renamed ${application.id} Client ID .* Owner .*https://renamed\\.example/cb`),
    );
    expect(await works(application.clientId, application.secret)).toBe(200);
    const renewed = await pressed(await browser.get(`${path}/renew`), 'Renew the secret');
    const secret = /<code class="secret">(cwcs_[^<]*)</.exec(renewed.html)![1]!;
    expect([await works(application.clientId, application.secret), await works(application.clientId, secret)]).toEqual([
      401, 200,
    ]);
  }
  const person = await signIn(gateway, 'maintainer');
  for (const what of ['edit', 'renew'])
    expect((await person.get(`/admin/applications/${shared.id}/${what}`)).status).toBe(403);
  // Its owner reads who it was.
  const { data } = await gateway.graphql<any>(
    '{ currentUser { auditEvents(first: 2) { nodes { kind actorUsername } } } }',
    {
      token: await gateway.personalToken(owner.username, ['read_api']),
    },
  );
  expect(data.currentUser.auditEvents.nodes).toContainEqual({
    kind: 'application_secret_renewed',
    actorUsername: 'overseer',
  });
});

test('everybody’s access tokens are listed and revoked', async () => {
  const owner = await account(gateway, newName());
  const secret = await gateway.personalToken(owner.username, ['read_api']);
  const api = () => gateway.rest('GET', '/api/v4/user', { token: secret });
  expect((await api()).status).toBe(200);
  const list = `/admin/tokens?user=${owner.username}`;
  const page = await browser.get(list);
  expect(page.text).toContain(`${owner.username} read_api`);
  expect(page.html).not.toContain(secret);
  // Created, and last used at an hour.
  expect(page.text).toMatch(/Created Last used/);
  expect(page.text).toMatch(/read_api \d+ \w+ \d{4} \d+ \w+ \d{4} at \d\d:\d\d UTC/);
  const revoke = /href="(\/admin\/tokens\/\d+\/revoke\?[^"]*)"/.exec(page.html)![1]!;
  const question = await browser.get(revoke);
  expect(question.text).toContain(`of ${owner.username}?`);
  // The list is filtered as before, to revoke the next one.
  expect(question.html).toContain(`href="${list}"`);
  const after = await pressed(question, 'Revoke the token');
  expect(after.text).toContain('The token is revoked');
  expect(after.text).toContain('No such tokens.');
  expect((await api()).status).toBe(401);
  expect((await browser.get(list)).text).toContain('No such tokens.');
  const inactive = (await browser.get(`${list}&show=inactive`)).text;
  expect(inactive).toContain('Revoked');
  expect(inactive).toMatch(/Created Last used/);
  expect((await browser.get('/admin/tokens?user=nobody-at-all')).text).toContain('No user has this username.');
  for (const show of ['soon', 'unused', 'nonsense'])
    expect((await browser.get(`/admin/tokens?show=${show}`)).status).toBe(200);
});

test('the audit log is saved as a file, which no spreadsheet takes for formulas', async () => {
  const owner = await session(gateway, newName());
  await registerApplication(owner, { name: '=HYPERLINK("http://evil.example")' });
  const { status, headers, html } = await browser.get(`/admin/audit_log/export?user=${owner.username}`);
  expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  const [head, ...lines] = html.split('\r\n');
  expect(head).toMatch(/^at,kind,actorId,actorUsername,/);
  expect(lines.join('\n')).toContain(`,"'=HYPERLINK(""http://evil.example"")",`);
  expect(lines.filter((line) => line !== '').every((line) => line.includes(`"${owner.username}"`))).toBe(true);
  expect((await browser.get('/admin/audit_log/export?user=nobody-at-all')).html).toBe(`${head}\r\n`);
});

test('the start page doesn’t send administrators to an owner for a group', async () => {
  expect((await browser.get('/')).text).toContain(
    'You aren’t a member of a group or project yet. Create a project or a group',
  );
  const { username, password } = await account(gateway, newName());
  expect((await (await signIn(gateway, username, password)).get('/')).text).toContain(
    'An owner can add you. Create a project or a group',
  );
});

test('the settings are saved, or come back with errors', async () => {
  const page = await browser.get('/admin/settings');
  const form = page.form('Save');
  expect(form.fields).toMatchObject({
    'grants.authorization_code': 'on',
    'new_grants.refresh_token': 'on',
    greeting: '',
  });
  const saved = await pressed(page, 'Save', {
    greeting: 'Welcome to <b>us</b>.',
    project_visibility: 'internal',
    keep_password_grant: 'on',
    limit_to_hours: 'on',
  });
  expect(saved.text).toContain('The settings are saved');
  expect((await browserSession(gateway).get('/users/sign_in')).text).toContain('Welcome to <b>us</b>.');
  const [stored] = await gateway.sql<{ settings: Record<string, unknown> }>('select settings from instance');
  expect(stored!.settings).toMatchObject({
    greeting: 'Welcome to <b>us</b>.',
    projectVisibility: 'INTERNAL',
    keepPasswordGrant: true,
    timeTrackingLimitToHours: true,
  });
  const none = Object.fromEntries(Object.entries(form.fields).filter(([name]) => !name.startsWith('grants.')));
  const refused = await browser.post(form.action, none);
  expect([refused.status, refused.text]).toEqual([422, expect.stringMatching(/Grants can't be blank\./)]);
});
