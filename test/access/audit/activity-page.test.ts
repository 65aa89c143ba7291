import { describe, expect, test } from 'vitest';
import { auditKinds, formerNames, isAuditKind, storedKinds } from '../../../src/values/kinds/audit-kinds.ts';
import { sentenceOf } from '../../../src/web/access/audit/sentences.ts';
import { browserSession, signIn } from '../../support/pages/browser-session.ts';
import { testGateway } from '../../support/gateway.ts';
import { account, registerApplication, sessionOf, tokensFor } from '../../support/oauth/oauth.ts';

const gateway = await testGateway();
const path = '/profile/activity';

describe('the activity page', () => {
  test.each(Object.keys(auditKinds))('has a sentence for %s', (kind) => {
    for (const actorId of [1, 2, null]) {
      expect(sentenceOf({ kind, actorId, userId: 1, applicationName: null, detail: null })).toMatch(/^[A-Z{].*\.$/);
    }
  });

  test('addresses of other users’ events are shown to administrators only', async () => {
    const { username, password } = await account(gateway, 'actd');
    const [{ id } = { id: 0 }] = await gateway.sql<{ id: number }>('select id from users where username = $1', [
      username,
    ]);
    const token = await gateway.personalToken(username, ['read_api']);
    const added = await gateway.rest('POST', '/api/v4/projects/demo%2Fstorefront/members', {
      token: gateway.tokens.maintainer,
      json: { user_id: id, access_level: 30 },
    });
    expect(added.status).toBe(201);
    const own = await gateway.graphql(
      '{ currentUser { auditEvents(first: 1) { nodes { kind actorUsername address } } } }',
      { token },
    );
    expect(own.data).toEqual({
      currentUser: { auditEvents: { nodes: [{ kind: 'member_added', actorUsername: 'maintainer', address: null }] } },
    });
    const all = await gateway.graphql(
      'query ($userId: ID) { auditEvents(userId: $userId, first: 1) { nodes { kind address } } }',
      {
        token: gateway.tokens.root,
        variables: { userId: String(id) },
      },
    );
    expect(all.data).toEqual({ auditEvents: { nodes: [{ kind: 'member_added', address: '127.0.0.1' }] } });
    const browser = await signIn(gateway, username, password);
    expect((await browser.get(path)).text).toMatch(/demo\/storefront.* Hidden/);
  });

  test('shows each event with names of applications and tokens, time and address', async () => {
    const { username, password } = await account(gateway, 'acta');
    const browser = await signIn(gateway, username, password);
    const person = sessionOf(gateway, username, browser.cookies.get('causeway_session')!);
    const application = await registerApplication(person, { name: 'Weather <b>' });
    await tokensFor(person, application, 'read_user');
    await gateway.personalToken(username, ['api']);
    const { html, text } = await browser.get(path);
    expect(html).toContain('You authorized <bdi>Weather &lt;b></bdi>.');
    expect(html).toContain('<bdi>Weather &lt;b></bdi> got a token to act for you.');
    expect(html).toContain('An administrator created the access token <bdi>test</bdi> for you.');
    expect(text).toMatch(/You signed in\. \d+ \w+ 20\d\d at \d\d:\d\d UTC 127\.0\.0\.1/);
    await person.run('mutation ($id: ID!) { deleteApplication(id: $id) }', { id: application.id });
    const after = await browser.get(path);
    expect(after.html).toContain('You deleted the application <bdi>Weather &lt;b></bdi>.');
    expect(after.html).toContain('You authorized <bdi>one that was deleted</bdi>.');
  });

  test('shows only the user’s own events', async () => {
    const { username, password } = await account(gateway, 'actb');
    const browser = await signIn(gateway, username, password);
    const { html, text } = await browser.get(path);
    expect(html.match(/<th scope="row">/g)).toHaveLength(2);
    expect(text).toMatch(/You signed in\..*An administrator created your account\./);
    expect((await browserSession(gateway).get(path)).location).toMatch('/users/sign_in?');
  });

  test('is paginated, the latest first, in both directions', async () => {
    const { id, username, password } = await account(gateway, 'actc');
    const browser = await signIn(gateway, username, password);
    await gateway.sql(
      `insert into audit_events (kind, actor_id, user_id, scopes, address, request_id, detail)
       select 'personal_token_created', $1, $1, '{}', '', '', 'number ' || n from generate_series(1, 70) n`,
      [id],
    );
    const numbers = (html: string) => [...html.matchAll(/<bdi>number (\d+)</g)].map(([, number]) => Number(number));
    const down = (from: number, count: number) => Array.from({ length: count }, (_, index) => from - index);
    const link = (html: string, rel: string) =>
      new RegExp(`rel="${rel}" href="([^"]*)"`).exec(html)?.[1]?.replaceAll('&amp;', '&');
    const first = (await browser.get(path)).html;
    expect(numbers(first)).toEqual(down(70, 30));
    expect(link(first, 'prev')).toBeUndefined();
    const second = (await browser.get(link(first, 'next')!)).html;
    expect(numbers(second)).toEqual(down(40, 30));
    const third = (await browser.get(link(second, 'next')!)).html;
    expect(numbers(third)).toEqual(down(10, 10));
    expect(link(third, 'next')).toBeUndefined();
    expect(numbers((await browser.get(link(third, 'prev')!)).html)).toEqual(down(40, 30));
  });

  test('is on the overview without what happens by itself, however much of that there is', async () => {
    const { id, username, password } = await account(gateway, 'quiet-actor');
    const browser = await signIn(gateway, username, password);
    const happens = (kind: string, times: number) =>
      gateway.sql(
        `insert into audit_events (kind, actor_id, user_id, scopes, address, request_id, detail)
         select $2, $1, $1, '{}', '', '', 'Laptop' from generate_series(1, $3::int)`,
        [id, kind, times],
      );
    await happens('ssh_key_added', 1);
    for (const kind of ['signed_in', 'password_confirmed', 'token_refreshed']) await happens(kind, 40);
    const { text } = await browser.get('/');
    expect(text).toMatch(/You added the SSH key Laptop ?\./);
    expect(text).not.toMatch(/You signed in|You confirmed|refreshed its token/);
    await happens('user_changed', 1);
    const token = await gateway.personalToken(username, ['read_api']);
    const kinds = async (filter: string) =>
      (
        await gateway.graphql<any>(`{ currentUser { auditEvents${filter} { nodes { kind } } } }`, { token })
      ).data?.currentUser?.auditEvents.nodes.map(({ kind }: { kind: string }) => kind);
    // A present name finds what is stored under a former one.
    expect(await kinds('(kinds: ["user_updated", "ssh_key_added"])')).toEqual(['user_updated', 'ssh_key_added']);
    expect(
      await kinds('(exceptKinds: ["signed_in", "password_confirmed", "token_refreshed", "user_updated"], first: 2)'),
    ).toEqual(['personal_token_created', 'ssh_key_added']);
    expect(await kinds('(kinds: [])')).toEqual([]);
    const many = `[${Array.from({ length: 101 }, () => '"a"').join(' ')}]`;
    expect(await kinds(`(exceptKinds: ${many})`)).toBeUndefined();
  });

  test('an invalid cursor is a 400, not a 500', async () => {
    const browser = await signIn(gateway, 'guest');
    const encoded = [
      'GPC:N:x',
      'GPC:N:1e99',
      'GPC:I:99999999999999999999999',
      'GPC:S:x',
      'GPC:J:[1]',
      'GPC:J:{"not":1}',
    ].map((text) => Buffer.from(text).toString('base64'));
    for (const cursor of ['x', '\0', ...encoded]) {
      const query = new URLSearchParams({ after: cursor }).toString();
      expect((await browser.get(`${path}?${query}`)).status, cursor).toBeOneOf([200, 400]);
    }
  });
});

describe('an event stored under a former name of its kind', () => {
  const insert = (id: string, kind: string, detail: string) =>
    gateway.sql(
      `insert into audit_events (kind, actor_id, user_id, scopes, address, request_id, detail) values ($1, $2, $2, '{}', '', '', $3)`,
      [kind, id, detail],
    );

  test('is shown and exported under the name of today, and found beside new ones under either name', async () => {
    const { id, username, password } = await account(gateway, 'acte');
    await insert(id, 'project_made', 'acte/old');
    await insert(id, 'project_created', 'acte/new');
    await insert(id, 'kind_of_a_later_release', 'acte/later');

    const token = await gateway.personalToken(username, ['read_api']);
    const own = await gateway.graphql<{ currentUser: { auditEvents: { nodes: object[] } } }>(
      '{ currentUser { auditEvents(first: 9) { nodes { kind detail } } } }',
      { token },
    );
    expect(own.data!.currentUser.auditEvents.nodes).toEqual(
      expect.arrayContaining([
        { kind: 'kind_of_a_later_release', detail: 'acte/later' },
        { kind: 'project_created', detail: 'acte/new' },
        { kind: 'project_created', detail: 'acte/old' },
      ]),
    );

    for (const name of ['project_made', 'project_created']) {
      const all = await gateway.graphql<{ auditEvents: { nodes: object[] }; auditEventKinds: string[] }>(
        `query ($userId: ID) { auditEventKinds auditEvents(userId: $userId, kinds: ["${name}"]) { nodes { kind detail } } }`,
        { token: gateway.tokens.root, variables: { userId: String(id) } },
      );
      expect(all.data!.auditEvents.nodes, name).toEqual([
        { kind: 'project_created', detail: 'acte/new' },
        { kind: 'project_created', detail: 'acte/old' },
      ]);
      const kinds = all.data!.auditEventKinds;
      expect(kinds.filter((kind) => kind.startsWith('project_'))).toEqual(['project_created']);
      expect(kinds).toEqual(kinds.toSorted());
    }

    const browser = await signIn(gateway, username, password);
    const { text } = await browser.get(path);
    expect(text).toMatch(/You created the project acte\/new \..*You created the project acte\/old \./);
    const person = sessionOf(gateway, username, browser.cookies.get('causeway_session')!);
    const { exportPersonalData } = await person.run<{ exportPersonalData: { document: string } }>(
      'mutation { exportPersonalData(input: {}) { document } }',
    );
    const { auditEvents } = JSON.parse(exportPersonalData.document) as { auditEvents: object[] };
    expect(auditEvents).toContainEqual(expect.objectContaining({ kind: 'project_created', detail: 'acte/old' }));
    expect(exportPersonalData.document).not.toContain('project_made');

    const keeper = await account(gateway, 'actf', { administrator: true });
    const administrator = await signIn(gateway, keeper.username, keeper.password);
    const log = await administrator.get(`/admin/audit_log?user=${username}&kind=project_made`);
    expect(log.text).toMatch(/Project created acte\/new .*Project created acte\/old /);
    expect(log.html).toMatch(/<option value="project_created" selected/);
  });

  test.each(Object.entries(formerNames))('%s is read as %s, a kind of today', (former, current) => {
    expect(isAuditKind(former)).toBe(false);
    expect(isAuditKind(current)).toBe(true);
    expect(storedKinds([current])).toEqual(expect.arrayContaining([current, former]));
  });
});
