import { beforeAll, describe, expect, test } from 'vitest';
import { dataOf, refusal } from '../../support/requests/answers.ts';
import { complaints, inShort, useFirm, type Listed } from '../../support/places/firm.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { addMember } from '../../support/places/people.ts';

/** Changes of members of groups and projects over GraphQL. */

const firm = useFirm();
const { people, ids, id, list, seen, change } = firm;
let gateway: TestGateway;
beforeAll(() => {
  ({ gateway } = firm);
});

describe('the owner of a personal namespace', () => {
  test('is a member of the projects in it, and stays one', async () => {
    await gateway.sql(
      `with made as (insert into projects (namespace_id, path, name, full_path) select id, 'own', 'own', 'zoe/own' from namespaces where owner_id = $1 returning id)
       insert into routes (path, project_id) select 'zoe/own', id from made`,
      [id('zoe')],
    );
    expect(await list('project: "zoe/own"', 'zoe')).toEqual(['zoe OWNER zoe/own']);
    // Its id is like any other, and stays.
    const { members } = await seen<{ members: { nodes: Listed[] } }>(
      '{ members(project: "zoe/own") { nodes { id user { username } } } }',
      'zoe',
    );
    expect(members.nodes).toEqual([
      { id: expect.stringMatching(/^gid:\/\/gitlab\/ProjectMember\/\d+$/), user: { username: 'zoe' } },
    ]);
    const { currentUser } = await seen<{ currentUser: { projectMemberships: { nodes: Listed[] } } }>(
      `{ currentUser { projectMemberships { nodes { id accessLevel { stringValue } project { fullPath } } count } } }`,
      'zoe',
    );
    expect(currentUser.projectMemberships).toEqual({
      nodes: [{ id: members.nodes[0]!.id, accessLevel: { stringValue: 'OWNER' }, project: { fullPath: 'zoe/own' } }],
      count: 1,
    });
    expect(
      complaints(await change('addMembers', { project: 'zoe/own', userIds: [id('zoe')], accessLevel: 'GUEST' }, 'zoe')),
    ).toEqual(['Member already exists']);
    for (const mutation of ['updateMember', 'removeMember'] as const) {
      const input = {
        project: 'zoe/own',
        userId: id('zoe'),
        ...(mutation === 'updateMember' && { accessLevel: 'GUEST' }),
      };
      expect(refusal(await change(mutation, input, 'zoe'))).toMatchObject({ code: 'FORBIDDEN' });
    }
  });
});

describe('adding members', () => {
  test('accepts several at once, by id or by username, each once', async () => {
    const input = {
      project: 'firm/site',
      usernames: ['ZOE', 'gina', 'zoe'],
      accessLevel: 'REPORTER',
      expiresAt: '2999-01-01',
    };
    const { members } = dataOf(await change('addMembers', input)).addMembers;
    expect(members).toMatchObject([
      {
        user: { username: 'gina' },
        accessLevel: { integerValue: 20, stringValue: 'REPORTER' },
        expiresAt: '2999-01-01T00:00:00.000Z',
        project: { fullPath: 'firm/site' },
      },
      { user: { username: 'zoe' } },
    ]);
  });

  const refusals: [what: string, input: () => Record<string, unknown>, errors: string[]][] = [
    ['an existing member', () => ({ userIds: [id('zoe'), id('olga')] }), ['Member already exists']],
    [
      'people in two ways',
      () => ({ userIds: [id('zoe')], usernames: ['zoe'] }),
      ['Name people by their numbers or by their usernames.'],
    ],
    [
      'more people than at once',
      () => ({ userIds: Array.from({ length: 101 }, (_, index) => String(index)) }),
      ['Name no more than 100 people.'],
    ],
    ['no role', () => ({ accessLevel: null }), ['Access level is not included in the list']],
    ['a day that is over', () => ({ expiresAt: '2020-01-01' }), ['Expires at cannot be a date in the past']],
    [
      'both',
      () => ({ accessLevel: null, expiresAt: '2020-01-01' }),
      ['Access level is not included in the list', 'Expires at cannot be a date in the past'],
    ],
    ['two places', () => ({ project: 'firm/site' }), ['Name a group or a project.']],
  ];
  const missing: [what: string, input: () => Record<string, unknown>][] = [
    ['an unknown user', () => ({ userIds: [id('zoe'), '999999'] })],
    ['an empty list', () => ({ userIds: [] })],
    ['a name of a group', () => ({ usernames: ['firm'] })],
  ];
  const add = (input: Record<string, unknown>) =>
    change('addMembers', {
      group: 'firm',
      accessLevel: 'GUEST',
      ...('userIds' in input || 'usernames' in input ? {} : { userIds: [id('zoe')] }),
      ...input,
    });
  test.each(refusals)('refuses %s, and adds no one', async (_what, input, errors) => {
    expect(complaints(await add(input()))).toEqual(errors);
    expect(await list('group: "firm"')).toEqual(['olga OWNER firm', 'dan DEVELOPER firm']);
  });
  test.each(missing)('finds nobody for %s, and adds no one', async (_what, input) => {
    expect(refusal(await add(input()))).toMatchObject({ code: 'NOT_FOUND', subject: 'User' });
    expect(await list('group: "firm"')).toEqual(['olga OWNER firm', 'dan DEVELOPER firm']);
  });

  test('refuses a role below the inherited one', async () => {
    const answer = await change('addMembers', { group: 'firm/team', userIds: [id('dan')], accessLevel: 'REPORTER' });
    expect(complaints(answer)).toEqual([
      'Access level should be greater than or equal to Developer inherited membership from group firm',
    ]);
    dataOf(await change('addMembers', { group: 'firm/team', userIds: [id('dan')], accessLevel: 'DEVELOPER' }));
  });

  test('in a project is for maintainers, who can’t grant a role above their own', async () => {
    const add = (accessLevel: string, who: string) =>
      change('addMembers', { project: 'firm/team/shop', userIds: [id('zoe')], accessLevel }, who);
    expect(refusal(await add('OWNER', 'mia'))).toMatchObject({ code: 'FORBIDDEN' });
    expect(refusal(await add('GUEST', 'dan'))).toMatchObject({ code: 'FORBIDDEN' });
    dataOf(await add('MAINTAINER', 'mia'));
  });

  test('of the same person by two concurrent requests succeeds once', async () => {
    const input = { group: 'firm', userIds: [id('zoe')], accessLevel: 'GUEST' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => change('addMembers', input)));
    expect(answers.map((answer) => dataOf(answer).addMembers.errors).toSorted((a, b) => a.length - b.length)).toEqual([
      [],
      ...Array.from({ length: 7 }, () => ['Member already exists']),
    ]);
  });
});

describe('updating a member', () => {
  test('sets the given fields and keeps the others', async () => {
    const base = { group: 'firm', userId: id('dan') };
    const changed = async (input: object) =>
      dataOf(await change('updateMember', { ...base, ...input })).updateMember.member;
    expect(await changed({ expiresAt: '2999-12-31' })).toMatchObject({
      accessLevel: { stringValue: 'DEVELOPER' },
      expiresAt: '2999-12-31T00:00:00.000Z',
    });
    expect(await changed({ accessLevel: 'REPORTER' })).toMatchObject({
      accessLevel: { stringValue: 'REPORTER' },
      expiresAt: '2999-12-31T00:00:00.000Z',
    });
    expect(await changed({ expiresAt: null })).toMatchObject({
      accessLevel: { stringValue: 'REPORTER' },
      expiresAt: null,
    });
  });

  test('refuses what adding refuses, and people who are only inherited members', async () => {
    const input = { group: 'firm', userId: id('dan'), accessLevel: 'GUEST' };
    expect(complaints(await change('updateMember', { ...input, accessLevel: null }))).toEqual([
      'Access level is not included in the list',
    ]);
    expect(complaints(await change('updateMember', { ...input, expiresAt: '2020-01-01' }))).toEqual([
      'Expires at cannot be a date in the past',
    ]);
    for (const userId of [id('zoe'), '0', 'dan'])
      expect(refusal(await change('updateMember', { ...input, userId }))).toMatchObject({
        code: 'NOT_FOUND',
        subject: 'Member',
      });
    expect(refusal(await change('updateMember', { ...input, group: 'firm/team' }))).toMatchObject({
      code: 'NOT_FOUND',
      subject: 'Member',
    });
    expect(refusal(await change('updateMember', { ...input, accessLevel: 'OWNER' }, 'mia'))).toMatchObject({
      code: 'NOT_FOUND',
      subject: 'Group',
    });
  });

  test('of a project’s owner is not for its maintainers', async () => {
    await addMember(gateway, people.zoe!, 'OWNER', { project: 'firm/team/shop' });
    const input = { project: 'firm/team/shop', userId: id('zoe') };
    expect(refusal(await change('updateMember', { ...input, accessLevel: 'GUEST' }, 'mia'))).toMatchObject({
      code: 'FORBIDDEN',
    });
    expect(refusal(await change('removeMember', input, 'mia'))).toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('the last owner of a group', () => {
  test('can neither leave nor get a lower role', async () => {
    const self = { group: 'firm', userId: id('olga') };
    expect(refusal(await change('removeMember', self))).toMatchObject({ code: 'FORBIDDEN' });
    expect(refusal(await change('updateMember', { ...self, accessLevel: 'MAINTAINER' }))).toMatchObject({
      code: 'FORBIDDEN',
    });
    expect(await list('group: "firm"')).toEqual(['olga OWNER firm', 'dan DEVELOPER firm']);
    // An expired owner doesn't count.
    await gateway.sql(
      `insert into group_members (user_id, group_id, access_level, expires_at) values ($1, $2, 50, '2020-01-01')`,
      [id('zoe'), ids.firm],
    );
    expect(refusal(await change('removeMember', self))).toMatchObject({ code: 'FORBIDDEN' });
  });

  test('stays when two owners leave at the same time', async () => {
    await addMember(gateway, people.zoe!, 'OWNER', { group: 'firm' });
    const answers = await Promise.all(
      ['olga', 'zoe'].map((name) => change('removeMember', { group: 'firm', userId: id(name) }, name)),
    );
    expect(answers.filter(({ errors }) => !errors)).toHaveLength(1);
    const [{ count }] = (await gateway.sql<{ count: number }>(
      'select count(*)::int from group_members where group_id = $1 and access_level = 50',
      [ids.firm],
    )) as [{ count: number }];
    expect(count).toBe(1);
  });

  test('of a subgroup may leave, since owners of the parent own it too', async () => {
    await addMember(gateway, people.zoe!, 'OWNER', { group: 'firm/team' });
    dataOf(await change('removeMember', { group: 'firm/team', userId: id('zoe') }, 'zoe'));
  });
});

describe('leaving', () => {
  test('is for the members themselves; only owners remove others', async () => {
    expect(refusal(await change('removeMember', { group: 'firm', userId: id('olga') }, 'dan'))).toMatchObject({
      code: 'FORBIDDEN',
    });
    expect(
      inShort(dataOf(await change('removeMember', { group: 'firm', userId: id('dan') }, 'dan')).removeMember.member),
    ).toBe('dan DEVELOPER firm');
    expect(refusal(await change('removeMember', { group: 'firm', userId: id('dan') }))).toMatchObject({
      code: 'NOT_FOUND',
      subject: 'Member',
    });
  });

  test('a group ends the memberships in everything in it too, unless they are to be kept', async () => {
    const rejoin = async () => {
      for (const place of [{ group: 'firm' }, { group: 'firm/team' }, { project: 'firm/team/shop' }])
        await addMember(gateway, people.zoe!, 'GUEST', place);
    };
    await rejoin();
    dataOf(await change('removeMember', { group: 'firm', userId: id('zoe'), keepBelow: true }));
    expect(await list('group: "firm/team", search: "zoe"')).toHaveLength(1);
    await gateway.sql('delete from group_members where user_id = $1', [id('zoe')]);
    await gateway.sql('delete from project_members where user_id = $1', [id('zoe')]);
    await rejoin();
    dataOf(await change('removeMember', { group: 'firm', userId: id('zoe') }));
    expect(await list('project: "firm/team/shop", inherited: true, search: "zoe"')).toEqual([]);
  });

  test('deletes the notification settings for what the person no longer sees, and no others', async () => {
    await addMember(gateway, people.zoe!, 'GUEST', { group: 'firm' });
    const set = (place: object) =>
      gateway.graphql(
        'mutation ($input: UpdateNotificationSettingsInput!) { updateNotificationSettings(input: $input) { notificationSettings { level } } }',
        {
          variables: { input: { ...place, level: 'WATCH' } },
          token: people.zoe!.token,
        },
      );
    const own = async () => {
      const rows = await gateway.sql<{ path: string }>(
        `select n.full_path as path from group_notification_settings s join namespaces n on n.id = s.group_id where s.user_id = $1
         union all select p.full_path from project_notification_settings s join projects p on p.id = s.project_id where s.user_id = $1 order by 1`,
        [id('zoe')],
      );
      return rows.map(({ path }) => path);
    };
    // Joining sets nothing.
    expect(await own()).toEqual([]);
    for (const place of [
      { group: 'firm' },
      { group: 'firm/team' },
      { project: 'firm/team/shop' },
      { project: 'firm/site' },
      { group: 'demo' },
    ])
      dataOf(await set(place));
    await addMember(gateway, people.zoe!, 'GUEST', { group: 'firm/team' });
    dataOf(await change('removeMember', { group: 'firm', userId: id('zoe'), keepBelow: true }));
    expect(await own()).toEqual(['demo', 'firm/site', 'firm/team', 'firm/team/shop']);
    dataOf(await change('removeMember', { group: 'firm/team', userId: id('zoe') }));
    expect(await own()).toEqual(['demo', 'firm/site']);
  });
});

test('every change of a membership is an audit event about the member', async () => {
  dataOf(
    await change('addMembers', { group: 'firm', userIds: [id('zoe')], accessLevel: 'GUEST', expiresAt: '2999-01-01' }),
  );
  dataOf(await change('updateMember', { group: 'firm', userId: id('zoe'), accessLevel: 'DEVELOPER' }));
  dataOf(await change('removeMember', { group: 'firm', userId: id('zoe') }));
  const answer = await gateway.graphql<{ currentUser: { auditEvents: { nodes: object[] } } }>(
    '{ currentUser { auditEvents(first: 3) { nodes { kind actorDatabaseId detail } } } }',
    { token: people.zoe!.token },
  );
  const actorDatabaseId = Number(id('olga'));
  expect(dataOf(answer).currentUser.auditEvents.nodes).toEqual([
    { kind: 'member_removed', actorDatabaseId, detail: 'group firm' },
    { kind: 'member_updated', actorDatabaseId, detail: 'group firm as developer until 2999-01-01' },
    { kind: 'member_added', actorDatabaseId, detail: 'group firm as guest until 2999-01-01' },
  ]);
});
