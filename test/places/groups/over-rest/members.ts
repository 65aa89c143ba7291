import { beforeAll, describe, expect, test } from 'vitest';
import { addEmail, newUser } from '../../../support/places/people.ts';
import { call, dan, firm, gateway, make, olga, pathsOf } from './firm.ts';

/** Namespaces and members over REST. */
export function testsOfMembers(): void {
  describe('namespaces', () => {
    test('are the personal namespace and the groups of the caller', async () => {
      const list = async (values: Record<string, string>, token?: string) =>
        pathsOf((await call('GET', '/namespaces', values, token)).body);
      expect(await list({}, dan.token)).toEqual(['dan', 'firm', 'firm/team', 'firm/team/squad']);
      expect(await list({ owned_only: 'true' }, dan.token)).toEqual(['dan', 'firm/team']);
      expect(await list({ top_level_only: 'true' }, dan.token)).toEqual(['dan', 'firm']);
      expect(await list({ search: 'squad' }, dan.token)).toEqual(['firm/team/squad']);
      expect(await list({}, gateway.tokens.root)).toEqual(expect.arrayContaining(['olga', 'demo/platform', 'firm']));
      expect((await gateway.rest('GET', '/api/v4/namespaces')).status).toBe(401);
    });

    test('are shown by id and by path to callers who may see them', async () => {
      const { status, body } = await call('GET', '/namespaces/firm%2Fteam', {}, dan.token);
      expect([status, body]).toEqual([
        200,
        {
          id: expect.any(Number),
          name: 'Team',
          path: 'team',
          kind: 'group',
          full_path: 'firm/team',
          parent_id: firm,
          avatar_url: null,
          web_url: `${gateway.url}/groups/firm/team`,
        },
      ]);
      expect((await call('GET', `/namespaces/${body.id}`, {}, dan.token)).body).toEqual(body);
      expect((await call('GET', '/namespaces/dan', {}, dan.token)).body).toMatchObject({
        kind: 'user',
        full_path: 'dan',
        web_url: `${gateway.url}/dan`,
      });
      for (const path of ['olga', 'demo%2Fplatform', 'nothing', 'firm%2Fsite', '0']) {
        expect(await call('GET', `/namespaces/${path}`, {}, dan.token)).toMatchObject({
          status: 404,
          body: { message: '404 Namespace Not Found' },
        });
      }
    });

    test.each([
      ['demo', {}, { exists: true, suggests: ['demo1'] }],
      ['OLGA', {}, { exists: true, suggests: ['OLGA1'] }],
      ['free', {}, { exists: false, suggests: [] }],
      ['x'.repeat(300), {}, { exists: false, suggests: [] }],
    ])('report whether the path %s is taken', async (path, values, expected) => {
      expect((await call('GET', `/namespaces/${path}/exists`, values)).body).toEqual(expected);
    });

    test('report it for paths in a group only to callers who could create one there', async () => {
      const exists = async (token: string) =>
        (await call('GET', '/namespaces/team/exists', { parent_id: String(firm) }, token)).body.exists;
      expect(await exists(olga.token)).toBe(true);
      expect(await exists(gateway.tokens.guest)).toBe(false);
    });
  });

  describe.each(['groups', 'projects'] as const)('members of %s', (kind) => {
    const place = kind === 'groups' ? 'crew' : 'crew%2Fboat';
    const path = `/${kind}/${place}/members`;
    let captain: string;
    const people: Record<string, string> = {};
    const add = (values: Record<string, unknown>, token = captain) => call('POST', path, values, token);

    beforeAll(async () => {
      if (kind === 'groups') {
        await make.group('crew');
        await make.project('crew/boat');
        captain = await make.user('captain');
        await make.member('captain', 'OWNER', { group: 'crew' });
      } else captain = await gateway.personalToken('captain', ['api']);
      for (const name of ['one', 'two', 'three']) people[name] = (await newUser(gateway, `${name}-${kind}`)).id;
    });

    test('are added one by one, and adding again answers 409', async () => {
      const { status, body } = await add({ user_id: people.one, access_level: 30, expires_at: '2999-01-02' });
      expect([status, body]).toEqual([
        201,
        {
          id: Number(people.one),
          username: `one-${kind}`,
          public_email: '',
          name: `one-${kind}`,
          state: 'active',
          locked: false,
          avatar_url: null,
          web_url: `${gateway.url}/one-${kind}`,
          access_level: 30,
          created_at: expect.stringMatching(/Z$/),
          created_by: expect.objectContaining({ username: 'captain', web_url: `${gateway.url}/captain` }),
          expires_at: '2999-01-02',
        },
      ]);
      expect(await add({ user_id: people.one, access_level: 30 })).toMatchObject({
        status: 409,
        body: { message: 'Member already exists' },
      });
      // This check comes before the others.
      expect(await add({ username: `one-${kind}`, access_level: 7 })).toMatchObject({ status: 409 });
    });

    test('are added several at once', async () => {
      const { status, body } = await add({ username: `two-${kind},three-${kind}`, access_level: 20 });
      expect([status, body]).toEqual([201, { status: 'success' }]);
      expect((await call('GET', path, { query: 'three' }, captain)).body).toMatchObject([
        { id: Number(people.three), access_level: 20, expires_at: null },
      ]);
      await call('DELETE', `${path}/${people.three}`, {}, captain);
    });

    test('are found by complete addresses, which only those who see them may use', async () => {
      const name = `addressed-${kind}`;
      const person = await newUser(gateway, name);
      expect((await add({ user_id: person.id, access_level: 20 })).status).toBe(201);
      // Another name than that of the account, so that the address alone finds it.
      const address = `post@${name}.example`;
      await addEmail(gateway, person, address, true);
      const found = async (query: string, token: string, list = path) =>
        ((await call('GET', list, { query }, token)).body as unknown as { username: string }[]).map(
          (one) => one.username,
        );
      const { root } = gateway.tokens;
      for (const list of [path, `${path}/all`]) {
        expect(await found(address, captain, list)).toEqual([]);
        expect(await found(address.toUpperCase(), root, list)).toEqual([name]);
        expect(await found(address, person.token, list)).toEqual([name]);
        // Part of an address finds no one: it would reveal one letter by letter.
        expect(await found(address.slice(0, -1), root, list)).toEqual([]);
      }
      await gateway.sql('update users set public_email = $2 where id = $1', [Number(person.id), address]);
      expect(await found(address, captain)).toEqual([name]);
      await call('DELETE', `${path}/${person.id}`, {}, captain);
    });

    const refusals: [values: Record<string, unknown>, status: number, body: object][] = [
      [
        {},
        400,
        { error: 'access_level is missing, user_id, username are missing, at least one parameter must be provided' },
      ],
      [{ user_id: 1, username: 'root', access_level: 10 }, 400, { error: 'user_id, username are mutually exclusive' }],
      [{ username: 'root', access_level: 'high' }, 400, { error: 'access_level is invalid' }],
      [{ username: 'root', access_level: 10, expires_at: 'soon' }, 400, { error: 'expires_at is invalid' }],
      [{ username: 'root', access_level: 25 }, 400, { message: { access_level: ['is not included in the list'] } }],
      [
        { username: 'root', access_level: 10, expires_at: '2020-01-01' },
        400,
        { message: { expires_at: ['cannot be a date in the past'] } },
      ],
      [{ user_id: 999_999, access_level: 10 }, 404, { message: '404 User Not Found' }],
      [{ user_id: 'root', access_level: 10 }, 404, { message: '404 User Not Found' }],
      [{ username: '1', access_level: 10 }, 404, { message: '404 User Not Found' }],
      [{ username: 'root,nobody', access_level: 10 }, 404, { message: '404 User Not Found' }],
    ];
    test.each(refusals)('are not added by %o', async (values, status, body) => {
      const answer = await add(values);
      expect([answer.status, answer.body]).toEqual([status, body]);
    });

    test('are updated, and missing ones have their own message', async () => {
      const member = `${path}/${people.one}`;
      expect(await call('PUT', member, { access_level: 20 }, captain)).toMatchObject({
        status: 200,
        body: { access_level: 20, expires_at: '2999-01-02' },
      });
      expect(await call('PUT', member, { access_level: 20, expires_at: '' }, captain)).toMatchObject({
        status: 200,
        body: { expires_at: null },
      });
      expect(
        await call('PUT', member, { access_level: 20, expires_at: '2999-03-04T10:00:00Z' }, captain),
      ).toMatchObject({
        body: { expires_at: '2999-03-04' },
      });
      expect(await call('PUT', member, {}, captain)).toMatchObject({
        status: 400,
        body: { error: 'access_level is missing' },
      });
      expect(await call('PUT', member, { access_level: 99 }, captain)).toMatchObject({
        status: 400,
        body: { message: { access_level: ['is not included in the list'] } },
      });
      for (const method of ['GET', 'PUT', 'DELETE']) {
        for (const id of ['999999', 'x', '1']) {
          const answer = await call(method, `${path}/${id}`, method === 'PUT' ? { access_level: 20 } : {}, captain);
          expect([answer.status, answer.body]).toEqual([404, { message: '404 Not found' }]);
        }
      }
    });

    test('are shown alone and in a list, with inherited ones on request', async () => {
      expect((await call('GET', `${path}/${people.one}`, {}, captain)).body).toMatchObject({ access_level: 20 });
      const all = (await call('GET', `${path}/all`, {}, captain)).body.map(
        ({ username }: { username: string }) => username,
      );
      expect(all.filter((name: string) => !name.endsWith('-groups') || kind === 'groups')).toEqual([
        'captain',
        `one-${kind}`,
        `two-${kind}`,
      ]);
      const [{ id: owner, ...own }] = (await call('GET', `${path}/all`, { query: 'capt' }, captain)).body as [
        { id: number; created_by?: object },
      ];
      // Nobody added them: the member is left out.
      expect(own).not.toHaveProperty('created_by');
      expect((await call('GET', `${path}/all/${owner}`, {}, captain)).body).toMatchObject({ access_level: 50 });
      const skipped = await call(
        'GET',
        `${path}/all`,
        { 'user_ids[]': String(owner), skip_users: String(people.one) },
        captain,
      );
      expect(skipped.body).toMatchObject([{ username: 'captain' }]);
      expect(skipped.headers.get('x-total')).toBe('1');
    });

    test('are still assigned to what they were assigned to when they are removed, unless the request says otherwise', async () => {
      const person = await newUser(gateway, `assigned-${kind}`);
      const issues = '/projects/crew%2Fboat/issues';
      const { iid } = (await call('POST', issues, { title: 'Leak' }, gateway.tokens.root)).body as { iid: number };
      const assigned = async () =>
        (await call('GET', `${issues}/${iid}`, {}, gateway.tokens.root)).body.assignee?.username as string | undefined;
      for (const [values, expected] of [
        [{}, person.username],
        [{ unassign_issuables: false }, person.username],
        [{ unassign_issuables: true }, undefined],
      ] as const) {
        await add({ user_id: person.id, access_level: 30 });
        await call('PUT', `${issues}/${iid}`, { assignee_ids: person.id }, gateway.tokens.root);
        expect((await call('DELETE', `${path}/${person.id}`, values, captain)).status).toBe(204);
        expect(await assigned()).toBe(expected);
      }
    });

    test('are removed with 204, by owners and by themselves, and not by others', async () => {
      const two = await gateway.personalToken(`two-${kind}`, ['api']);
      expect(await call('DELETE', `${path}/${people.one}`, {}, two)).toMatchObject({
        status: 403,
        body: { message: '403 Forbidden' },
      });
      const left = await call('DELETE', `${path}/${people.two}`, {}, two);
      expect([left.status, left.text]).toEqual([204, '']);
      expect(await call('GET', path, {}, two)).toMatchObject({ status: 404 });
      expect((await call('DELETE', `${path}/${people.one}`, { skip_subresources: true }, captain)).status).toBe(204);
    });
  });

  test('the last owner of a group can’t be removed, and the error says why', async () => {
    const answer = await call('DELETE', `/groups/${firm}/members/${olga.id}`);
    expect([answer.status, answer.body]).toEqual([
      403,
      { message: '403 Forbidden - A group can’t do without an owner.' },
    ]);
  });

  test('the membership of the last owner can’t expire, unless another owner’s doesn’t', async () => {
    const path = `/groups/${firm}/members/${olga.id}`;
    const until = (expires_at: string) => call('PUT', path, { access_level: 50, expires_at });
    expect(await until('2999-01-01')).toMatchObject({
      status: 403,
      body: { message: '403 Forbidden - A group can’t do without an owner.' },
    });
    const second = await newUser(gateway, 'second-owner');
    await call('POST', `/groups/${firm}/members`, { user_id: second.id, access_level: 50, expires_at: '2998-01-01' });
    expect((await until('2999-01-01')).status).toBe(403);
    expect((await call('DELETE', path)).status).toBe(403);
    await call('PUT', `/groups/${firm}/members/${second.id}`, { access_level: 50, expires_at: '' });
    expect(await until('2999-01-01')).toMatchObject({ status: 200, body: { expires_at: '2999-01-01' } });
    expect(await until('')).toMatchObject({ status: 200, body: { expires_at: null } });
  });
}
