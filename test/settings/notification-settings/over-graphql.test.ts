import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dataOf, refusal } from '../../support/answers.ts';
import { testGateway, type GraphQLAnswer, type TestGateway } from '../../support/gateway.ts';
import { statementsOf } from '../../support/statements.ts';
import { workspace, type Workspace } from '../../support/workspace.ts';

interface Setting {
  readonly scope: 'GLOBAL' | 'GROUP' | 'PROJECT';
  readonly level: string;
  readonly isLevelSet: boolean;
  readonly notificationEmail: string | null;
  readonly group: { readonly fullPath: string } | null;
  readonly project: { readonly fullPath: string } | null;
  readonly effective: {
    readonly level: string;
    readonly source: string;
    readonly sourceGroup: { readonly fullPath: string } | null;
  };
  readonly events: readonly { readonly event: string; readonly enabled: boolean; readonly isSet: boolean }[];
}

type Place = { readonly group?: string; readonly project?: string };

const allOfIt = `
  scope level isLevelSet notificationEmail
  group { fullPath } project { fullPath }
  effective { level source sourceGroup { fullPath } }
  events { event enabled isSet }
`;

let gateway: TestGateway;
let make: Workspace;
beforeAll(async () => {
  gateway = await testGateway();
  make = workspace(gateway);
});

async function read(token: string, place: Place = {}): Promise<Setting> {
  const answer = await gateway.graphql<{ notificationSettings: Setting }>(
    `query ($group: ID, $project: ID) { notificationSettings(group: $group, project: $project) { ${allOfIt} } }`,
    { token, variables: place },
  );
  return dataOf(answer).notificationSettings;
}

const update = (token: string, input: object) =>
  gateway.graphql<{ updateNotificationSettings: { notificationSettings: Setting } }>(
    `mutation ($input: UpdateNotificationSettingsInput!) { updateNotificationSettings(input: $input) { notificationSettings { ${allOfIt} } } }`,
    { token, variables: { input } },
  );

const bulk = (token: string, settings: readonly object[], resets?: readonly object[]) =>
  gateway.graphql<{ bulkUpdateNotificationSettings: { notificationSettings: Setting[] } }>(
    `mutation ($input: BulkUpdateNotificationSettingsInput!) {
      bulkUpdateNotificationSettings(input: $input) { notificationSettings { ${allOfIt} } }
    }`,
    { token, variables: { input: { settings, reset: resets } } },
  );

const reset = (token: string, input: object) =>
  gateway.graphql<{ resetNotificationSettings: { notificationSettings: Setting } }>(
    `mutation ($input: ResetNotificationSettingsInput!) { resetNotificationSettings(input: $input) { notificationSettings { ${allOfIt} } } }`,
    { token, variables: { input } },
  );

async function set(token: string, input: object): Promise<Setting> {
  return dataOf(await update(token, input)).updateNotificationSettings.notificationSettings;
}

/** All stored settings of all users. */
async function stored(): Promise<unknown> {
  return await gateway.sql(
    `select 'global' as scope, user_id, null::int as id, level::text, events, notification_email_id from global_notification_settings
     union all select 'group', user_id, group_id, level::text, events, null from group_notification_settings
     union all select 'project', user_id, project_id, level::text, events, null from project_notification_settings
     order by 1, 2, 3`,
  );
}

async function forgetAll(): Promise<void> {
  await gateway.sql(
    `with a as (delete from global_notification_settings), b as (delete from group_notification_settings)
     delete from project_notification_settings`,
  );
}

describe('the effective level', () => {
  let token: string;
  beforeAll(async () => {
    token = await make.user('erika');
    for (const path of ['acme', 'acme/eu', 'acme/eu/web', 'acme/eu/web/shops']) await make.group(path);
    await make.project('acme/eu/web/shops/shoes');
    await make.member('erika', 'GUEST', { group: 'acme' });
  });
  beforeEach(forgetAll);

  const shoes = 'acme/eu/web/shops/shoes';

  test.each([
    ['the default, if nothing is set', {}, ['PARTICIPATING', 'DEFAULT', null]],
    ['the global level', { '': 'WATCH' }, ['WATCH', 'GLOBAL', null]],
    ['the default, if the global level is GLOBAL', { '': 'GLOBAL' }, ['PARTICIPATING', 'DEFAULT', null]],
    ['that of the top-level group, four levels up', { acme: 'MENTION', '': 'WATCH' }, ['MENTION', 'GROUP', 'acme']],
    [
      'that of the nearer of two groups',
      { acme: 'MENTION', 'acme/eu/web': 'DISABLED' },
      ['DISABLED', 'GROUP', 'acme/eu/web'],
    ],
    [
      'that of the next group, if the nearest is GLOBAL',
      { 'acme/eu/web/shops': 'GLOBAL', 'acme/eu/web': 'GLOBAL', 'acme/eu': 'WATCH', acme: 'MENTION' },
      ['WATCH', 'GROUP', 'acme/eu'],
    ],
    [
      'the global one, if all groups are GLOBAL',
      { acme: 'GLOBAL', 'acme/eu/web/shops': 'GLOBAL', '': 'CUSTOM' },
      ['CUSTOM', 'GLOBAL', null],
    ],
    [
      'the project’s own',
      { [shoes]: 'CUSTOM', 'acme/eu/web/shops': 'WATCH', '': 'MENTION' },
      ['CUSTOM', 'PROJECT', null],
    ],
    ['a group’s, if the project is GLOBAL', { [shoes]: 'GLOBAL', acme: 'DISABLED' }, ['DISABLED', 'GROUP', 'acme']],
  ] as const)('in a project is %s', async (_what, levels, [level, source, group]) => {
    for (const [path, chosen] of Object.entries(levels)) {
      await set(token, { level: chosen, ...(path === shoes ? { project: path } : path && { group: path }) });
    }
    const { effective } = await read(token, { project: shoes });
    expect(effective).toEqual({ level, source, sourceGroup: group && { fullPath: group } });
  });

  test.each([
    ['its own', { 'acme/eu': 'WATCH', acme: 'MENTION' }, ['WATCH', 'GROUP', 'acme/eu']],
    [
      'that of its parent, if its own is GLOBAL',
      { 'acme/eu': 'GLOBAL', acme: 'MENTION' },
      ['MENTION', 'GROUP', 'acme'],
    ],
    ['never that of a subgroup', { 'acme/eu/web': 'WATCH' }, ['PARTICIPATING', 'DEFAULT', null]],
  ] as const)('in a group is %s', async (_what, levels, [level, source, group]) => {
    for (const [path, chosen] of Object.entries(levels)) await set(token, { group: path, level: chosen });
    const { effective } = await read(token, { group: 'acme/eu' });
    expect(effective).toEqual({ level, source, sourceGroup: group && { fullPath: group } });
  });

  test('of one user doesn’t affect others', async () => {
    await set(token, { group: 'acme', level: 'DISABLED' });
    const { effective } = await read(gateway.tokens.root, { project: shoes });
    expect(effective).toEqual({ level: 'PARTICIPATING', source: 'DEFAULT', sourceGroup: null });
  });

  test('still comes from a group that is no longer visible, but doesn’t show it', async () => {
    await make.group('cellar');
    await make.project('cellar/open', 'PUBLIC');
    await make.member('erika', 'GUEST', { group: 'cellar' });
    await set(token, { group: 'cellar', level: 'MENTION' });
    expect((await read(token, { project: 'cellar/open' })).effective.sourceGroup).toEqual({ fullPath: 'cellar' });

    await gateway.sql(
      `delete from group_members where group_id = (select namespace_id from routes where path = 'cellar')`,
    );
    expect((await read(token, { project: 'cellar/open' })).effective).toEqual({
      level: 'MENTION',
      source: 'GROUP',
      sourceGroup: null,
    });
  });
});

describe('an unset value', () => {
  beforeEach(forgetAll);

  test.each([
    ['everywhere', {}, 'PARTICIPATING'],
    ['in a group', { group: 'demo' }, 'GLOBAL'],
    ['in a project', { project: 'demo/storefront' }, 'GLOBAL'],
  ] as const)('differs from a chosen one: the level %s', async (_where, place, level) => {
    expect(await read(gateway.tokens.developer, place)).toMatchObject({ level, isLevelSet: false });
    expect(await set(gateway.tokens.developer, { ...place, level })).toMatchObject({ level, isLevelSet: true });
    expect(await read(gateway.tokens.developer, place)).toMatchObject({ level, isLevelSet: true });
  });

  test('differs from off: every switch', async () => {
    const { events } = await read(gateway.tokens.maintainer, { project: 'demo/storefront' });
    expect(events).toHaveLength(17);
    const on = ['FAILED_PIPELINE', 'FIXED_PIPELINE', 'MOVED_PROJECT'];
    for (const { event, ...shown } of events)
      expect([event, shown]).toEqual([event, { enabled: on.includes(event), isSet: false }]);
  });

  test.each([
    ['NEW_NOTE', true, { enabled: true, isSet: true }],
    ['NEW_NOTE', false, { enabled: false, isSet: true }],
    ['NEW_NOTE', null, { enabled: false, isSet: false }],
    ['MOVED_PROJECT', true, { enabled: true, isSet: true }],
    ['MOVED_PROJECT', false, { enabled: false, isSet: true }],
    ['MOVED_PROJECT', null, { enabled: true, isSet: false }],
    ['FAILED_PIPELINE', false, { enabled: false, isSet: true }],
    ['FAILED_PIPELINE', null, { enabled: true, isSet: false }],
  ] as const)('%s set to %s reads %j, with any value before', async (event, enabled, expected) => {
    for (const before of [true, false, null]) {
      await set(gateway.tokens.developer, { group: 'demo', events: [{ event, enabled: before }] });
      const { events } = await set(gateway.tokens.developer, { group: 'demo', events: [{ event, enabled }] });
      expect(events.find((one) => one.event === event)).toEqual({ event, ...expected });
    }
  });

  test('epics exist only on the higher tier, and are ignored for others', async () => {
    const change = {
      project: 'demo/storefront',
      level: 'CUSTOM',
      events: [
        { event: 'NEW_EPIC', enabled: true },
        { event: 'NEW_ISSUE', enabled: true },
      ],
    };
    const ofMaintainer = await set(gateway.tokens.maintainer, change);
    expect(ofMaintainer.events.at(-1)).toEqual({ event: 'NEW_EPIC', enabled: true, isSet: true });
    const ofDeveloper = await set(gateway.tokens.developer, change);
    expect(ofDeveloper.events.map(({ event }) => event)).not.toContain('NEW_EPIC');
    expect(ofDeveloper.events.find(({ event }) => event === 'NEW_ISSUE')).toMatchObject({ enabled: true });
  });
});

describe('resetting', () => {
  beforeEach(forgetAll);

  test.each([
    ['the global setting', {}, 'PARTICIPATING', ['PARTICIPATING', 'DEFAULT']],
    ['a group', { group: 'demo' }, 'GLOBAL', ['MENTION', 'GLOBAL']],
    ['a project', { project: 'demo/storefront' }, 'GLOBAL', ['MENTION', 'GLOBAL']],
  ] as const)('%s makes it inherit again, with everything unset', async (_what, place, level, [applies, source]) => {
    const token = gateway.tokens.maintainer;
    const isGlobal = !('group' in place) && !('project' in place);
    await set(token, { level: 'MENTION', notificationEmail: 'maintainer@work.example.com' });
    await set(token, {
      ...place,
      level: 'CUSTOM',
      events: [
        { event: 'NEW_NOTE', enabled: false },
        { event: 'MOVED_PROJECT', enabled: false },
      ],
    });

    const { notificationSettings } = dataOf(await reset(token, place)).resetNotificationSettings;
    expect(notificationSettings).toMatchObject({
      level,
      isLevelSet: false,
      effective: { level: applies, source, sourceGroup: null },
      notificationEmail: isGlobal ? 'maintainer@example.com' : null,
    });
    expect(notificationSettings.events.filter(({ isSet }) => isSet)).toEqual([]);
    expect(await read(token, place)).toEqual(notificationSettings);
    expect(await stored()).toHaveLength(isGlobal ? 0 : 1);
  });

  test('works for an unset setting', async () => {
    expect(dataOf(await reset(gateway.tokens.guest, { project: 'demo/storefront' }))).toMatchObject({
      resetNotificationSettings: { notificationSettings: { level: 'GLOBAL', isLevelSet: false } },
    });
  });

  test.each([
    ['a hidden place', { group: 'demo/nowhere' }, { code: 'NOT_FOUND', subject: 'Group' }],
    ['a group and a project at once', { group: 'demo', project: 'demo/storefront' }, { code: 'BAD_REQUEST' }],
  ])('%s is refused, and changes nothing', async (_what, input, expected) => {
    await set(gateway.tokens.guest, { group: 'demo', level: 'WATCH' });
    const before = await stored();
    expect(refusal(await reset(gateway.tokens.guest, input))).toMatchObject(expected);
    expect(await stored()).toEqual(before);
  });
});

describe('changing one setting', () => {
  beforeEach(forgetAll);

  test.each([
    [
      'an address that isn’t verified',
      { notificationEmail: 'maintainer@unverified.example.com' },
      'notificationEmail',
      ['must be an email you have verified'],
    ],
    [
      'another user’s address',
      { notificationEmail: 'developer@example.com' },
      'notificationEmail',
      ['must be an email you have verified'],
    ],
    [
      'an invalid address',
      { notificationEmail: 'foo' },
      'notificationEmail',
      ['is invalid', 'must be an email you have verified'],
    ],
    [
      'an address for a group',
      { group: 'demo', notificationEmail: 'maintainer@example.com' },
      'notificationEmail',
      ['belongs to the global setting'],
    ],
    ['no level at all', { level: null }, 'level', ["can't be blank"]],
  ])('%s is refused with the field’s name, and nothing is saved', async (_what, change, field, messages) => {
    const answer = await update(gateway.tokens.maintainer, {
      level: 'WATCH',
      events: [{ event: 'NEW_NOTE', enabled: true }],
      ...change,
    });
    expect(refusal(answer)).toMatchObject({ code: 'INVALID_INPUT', field, fields: { [field]: messages } });
    expect(await stored()).toEqual([]);
  });

  test('a verified address is accepted in any case, and an empty one restores the primary', async () => {
    const token = gateway.tokens.maintainer;
    expect(await set(token, { notificationEmail: 'Maintainer@WORK.example.com' })).toMatchObject({
      notificationEmail: 'maintainer@work.example.com',
    });
    expect(await set(token, { level: 'WATCH' })).toMatchObject({ notificationEmail: 'maintainer@work.example.com' });
    expect(await set(token, { notificationEmail: '' })).toMatchObject({ notificationEmail: 'maintainer@example.com' });
  });

  test.each([
    ['the global setting', {}],
    ['a group', { group: 'demo' }],
    ['a project', { project: 'demo/storefront' }],
  ])('concurrent changes to switches of %s are all saved', async (_what, place) => {
    const token = gateway.tokens.maintainer;
    const names = (await read(token, place)).events.map(({ event }) => event);
    await Promise.all(
      [
        ...names.map((event, index) => update(token, { ...place, events: [{ event, enabled: index % 2 === 0 }] })),
        update(token, { ...place, level: 'CUSTOM' }),
      ].map(async (answer) => dataOf(await answer)),
    );
    const { level, events } = await read(token, place);
    expect(level).toBe('CUSTOM');
    expect(events).toEqual(names.map((event, index) => ({ event, enabled: index % 2 === 0, isSet: true })));
  });
});

describe('changing many settings at once', () => {
  let token: string;
  let paths: string[];
  let project: string;
  beforeAll(async () => {
    token = await make.user('bertha');
    await make.group('bulk');
    await make.member('bertha', 'GUEST', { group: 'bulk' });
    paths = Array.from({ length: 110 }, (_, index) => `bulk/g${String(index).padStart(3, '0')}`);
    for (const path of paths) await make.group(path);
    project = await make.project('bulk/shop');
    await make.project('bulk/other');
    await make.project('demo/hidden');
  });
  beforeEach(forgetAll);

  test('changes some and resets others', async () => {
    await set(token, { level: 'WATCH' });
    await set(token, { group: paths[1], level: 'CUSTOM', events: [{ event: 'NEW_NOTE', enabled: true }] });
    await set(token, { group: paths[2], level: 'MENTION' });
    await set(token, { project: 'bulk/shop', level: 'DISABLED' });
    const answer = dataOf(
      await bulk(token, [{ group: paths[2], level: 'DISABLED' }], [{ project: 'bulk/shop' }, { group: paths[1] }, {}]),
    );
    expect(
      answer.bulkUpdateNotificationSettings.notificationSettings.map(({ level, isLevelSet }) => [level, isLevelSet]),
    ).toEqual([
      ['DISABLED', true],
      ['GLOBAL', false],
      ['GLOBAL', false],
      ['PARTICIPATING', false],
    ]);
    expect(await stored()).toMatchObject([{ level: 'DISABLED' }]);
  });

  test.each([
    ['a place is changed and reset', [{ group: 'bulk', level: 'WATCH' }], [{ group: 'bulk' }], 'BAD_REQUEST'],
    ['a place to reset is hidden', [{ group: 'bulk', level: 'WATCH' }], [{ project: 'demo/hidden' }], 'NOT_FOUND'],
    [
      'there are too many in total',
      [{ group: 'bulk', level: 'WATCH' }],
      Array.from({ length: 100 }, (_, index) => ({ group: `bulk/g${String(index).padStart(3, '0')}` })),
      'BAD_REQUEST',
    ],
  ])('changes nothing if %s', async (_what, settings, resets, code) => {
    await set(token, { group: 'bulk', level: 'MENTION' });
    const before = await stored();
    expect(refusal(await bulk(token, settings, resets))).toMatchObject({ code });
    expect(await stored()).toEqual(before);
  });

  test('changes every one, and answers in the order of the input', async () => {
    const { bulkUpdateNotificationSettings } = dataOf(
      await bulk(token, [
        { project: 'bulk/shop', level: 'CUSTOM', events: [{ event: 'NEW_NOTE', enabled: true }] },
        { group: paths[7], level: 'MENTION' },
        { level: 'WATCH', notificationEmail: 'bertha@example.com' },
        { group: paths[2], level: 'DISABLED' },
        { project: 'bulk/other', events: [{ event: 'FAILED_PIPELINE', enabled: false }] },
        { group: paths[5] },
      ]),
    );
    const seen = bulkUpdateNotificationSettings.notificationSettings.map(
      ({ scope, group, project: of, level, effective }) => [
        scope,
        group?.fullPath ?? of?.fullPath ?? null,
        level,
        effective.level,
      ],
    );
    expect(seen).toEqual([
      ['PROJECT', 'bulk/shop', 'CUSTOM', 'CUSTOM'],
      ['GROUP', paths[7], 'MENTION', 'MENTION'],
      ['GLOBAL', null, 'WATCH', 'WATCH'],
      ['GROUP', paths[2], 'DISABLED', 'DISABLED'],
      ['PROJECT', 'bulk/other', 'GLOBAL', 'WATCH'],
      ['GROUP', paths[5], 'GLOBAL', 'WATCH'],
    ]);
    expect(await stored()).toHaveLength(5);
  });

  test('with an empty list changes nothing', async () => {
    expect(dataOf(await bulk(token, []))).toEqual({ bulkUpdateNotificationSettings: { notificationSettings: [] } });
  });

  const good: readonly object[] = [
    { level: 'WATCH' },
    { group: 'bulk', level: 'MENTION' },
    { project: 'bulk/shop', level: 'CUSTOM' },
  ];
  test.each([
    ['a hidden project', { project: 'demo/hidden', level: 'WATCH' }, { code: 'NOT_FOUND', subject: 'Project' }],
    ['an unknown group', { group: 'nowhere', level: 'WATCH' }, { code: 'NOT_FOUND', subject: 'Group' }],
    [
      'an address for a group',
      { group: 'bulk/g000', notificationEmail: 'bertha@example.com' },
      { code: 'INVALID_INPUT', field: 'notificationEmail' },
    ],
    ['an empty level', { group: 'bulk/g000', level: null }, { code: 'INVALID_INPUT', field: 'level' }],
    [
      'both a group and a project',
      { group: 'bulk/g000', project: 'bulk/other', level: 'WATCH' },
      { code: 'BAD_REQUEST' },
    ],
  ])('one entry with %s, at any position, refuses the whole change', async (_what, bad, expected) => {
    for (const at of [0, 2, 3]) {
      expect(refusal(await bulk(token, good.toSpliced(at, 0, bad)))).toMatchObject(expected);
      expect(await stored()).toEqual([]);
    }
  });

  test('is one transaction: an error while writing rolls everything back', async () => {
    await gateway.sql(
      `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`,
    );
    await gateway.sql(
      `create trigger refuse before insert on project_notification_settings for each row when (new.project_id = ${project}) execute function refuse()`,
    );
    try {
      expect(refusal(await bulk(token, good))).toMatchObject({ code: 'INTERNAL_SERVER_ERROR' });
      expect(await stored()).toEqual([]);
    } finally {
      await gateway.sql('drop function refuse cascade');
    }
  });

  test('refuses a place that is named twice, even by different names', async () => {
    const twice = [
      [{ level: 'WATCH' }, { level: 'MENTION' }],
      [
        { group: 'bulk', level: 'WATCH' },
        { group: 'BULK', level: 'WATCH' },
      ],
      [
        { project: 'bulk/shop', level: 'WATCH' },
        { project, level: 'MENTION' },
      ],
    ];
    for (const settings of twice) {
      expect(refusal(await bulk(token, settings))).toMatchObject({
        code: 'BAD_REQUEST',
        message: 'A place can be named only once.',
      });
    }
    expect(await stored()).toEqual([]);
  });

  test('accepts 100 settings, and refuses 101', async () => {
    const changes = paths.map((group) => ({ group, level: 'MENTION' }));
    expect(refusal(await bulk(token, changes.slice(0, 101)))).toMatchObject({
      code: 'BAD_REQUEST',
      message: 'At most 100 settings can be changed at once.',
    });
    expect(await stored()).toEqual([]);
    const { bulkUpdateNotificationSettings } = dataOf(await bulk(token, changes.slice(0, 100)));
    expect(
      bulkUpdateNotificationSettings.notificationSettings.map(({ group, level }) => [group!.fullPath, level]),
    ).toEqual(paths.slice(0, 100).map((path) => [path, 'MENTION']));
  });

  test('doesn’t deadlock when two clients send the same places in opposite orders', async () => {
    const changes = paths.slice(0, 100).map((group) => ({ group, events: [{ event: 'NEW_NOTE', enabled: true }] }));
    dataOf(await bulk(token, changes));
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => bulk(token, index % 2 ? changes : changes.toReversed())),
    );
    answers.forEach(dataOf);
  });
});

describe('the list of a user’s settings', () => {
  interface Page {
    readonly edges: { readonly cursor: string; readonly node: Setting }[];
    readonly pageInfo: {
      readonly hasNextPage: boolean;
      readonly hasPreviousPage: boolean;
      readonly startCursor: string;
      readonly endCursor: string;
    };
  }
  type Paging = {
    first?: number;
    after?: string | null;
    last?: number;
    before?: string | null;
    search?: string;
    inherited?: boolean;
  };

  const ask = (token: string, paging: Paging = {}) =>
    gateway.graphql<{ currentUser: { notificationSettings: Page } }>(
      `query ($first: Int, $after: String, $last: Int, $before: String, $search: String, $inherited: Boolean) {
        currentUser {
          notificationSettings(first: $first, after: $after, last: $last, before: $before, search: $search, inherited: $inherited) {
            edges { cursor node { scope level group { fullPath } project { fullPath } } }
            pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
          }
        }
      }`,
      { token, variables: paging },
    );
  const page = async (token: string, paging: Paging = {}) =>
    dataOf(await ask(token, paging)).currentUser.notificationSettings;
  const pathOf = ({ scope, group, project }: Setting) =>
    scope === 'GLOBAL' ? '' : (group?.fullPath ?? project!.fullPath);
  const paths = (one: Page) => one.edges.map(({ node }) => pathOf(node));

  /** In tree order: capitals first, and each group directly followed by its contents. */
  const all = ['', 'Zoo', 'lane', 'lane/a', 'lane/a/house', 'lane/b', 'lane-side', 'late'];
  let token: string;
  beforeAll(async () => {
    await forgetAll();
    token = await make.user('lia');
    for (const path of ['lane', 'lane/a', 'lane/b', 'Zoo', 'lane-side', 'late', 'lost', 'left', 'past', 'lent'])
      await make.group(path);
    for (const path of ['lane/a/house', 'lost/thing', 'lent/tool']) await make.project(path);
    for (const group of ['lane', 'Zoo', 'lane-side', 'late', 'left', 'past'])
      await make.member('lia', 'GUEST', { group });
    await make.member('lia', 'GUEST', { project: 'lent/tool' });
    for (const group of ['lane/a', 'lane/b', 'left']) await set(token, { group, level: 'WATCH' });
    await set(token, { project: 'lane/a/house', level: 'MENTION' });
    await set(token, { project: 'lent/tool', level: 'MENTION' });
    // Places that lia has settings for, but can no longer see.
    await gateway.sql(
      `delete from group_members where group_id = (select namespace_id from routes where path = 'left')`,
    );
    await gateway.sql(
      `update group_members set expires_at = current_date where group_id = (select namespace_id from routes where path = 'past')`,
    );
    await gateway.sql(`update project_members set expires_at = current_date - 1`);
  });

  test('is in tree order, the global setting first', async () => {
    const { edges, pageInfo } = await page(token);
    expect(edges.map(({ node }) => [node.scope, pathOf(node)])).toEqual(
      all.map((path) => [path === '' ? 'GLOBAL' : path.endsWith('house') ? 'PROJECT' : 'GROUP', path]),
    );
    expect(pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
  });

  test('never includes a hidden place, even if it has a setting', async () => {
    for (const group of ['left', 'past', 'lost', 'lent']) {
      expect(
        dataOf(
          await gateway.graphql('query ($id: ID!) { group(id: $id) { id } }', { token, variables: { id: group } }),
        ),
      ).toEqual({ group: null });
    }
    const listed = paths(await page(token, { first: 100 }));
    expect(listed.filter((path) => /^(left|past|lost|lent)/.test(path))).toEqual([]);
  });

  test.each([
    ['lane/A', ['lane/a', 'lane/a/house']],
    [' zoo ', ['Zoo']],
    ['%', []],
    ['lost', []],
    ['', all],
  ])('can be searched for “%s” in names and paths', async (search, found) => {
    expect(paths(await page(token, { search }))).toEqual(found);
  });

  test('includes everything visible below the user’s groups if requested', async () => {
    await make.group('lane/deep');
    await make.group('lane/deep/er');
    await make.project('lane/deep/er/end');
    await make.project('lane-side/shed');
    const below = ['lane-side/shed', 'lane/deep/er', 'lane/deep/er/end'];
    expect(paths(await page(token))).not.toEqual(expect.arrayContaining(below));
    const listed = paths(await page(token, { inherited: true }));
    const lane = ['lane', 'lane/a', 'lane/a/house', 'lane/b', 'lane/deep', 'lane/deep/er', 'lane/deep/er/end'];
    expect(listed).toEqual(['', 'Zoo', ...lane, 'lane-side', 'lane-side/shed', 'late']);
    await gateway.sql(`delete from projects where full_path in ('lane/deep/er/end', 'lane-side/shed')`);
    await gateway.sql(`delete from namespaces where full_path = 'lane/deep/er'`);
    await gateway.sql(`delete from namespaces where full_path = 'lane/deep'`);
  });

  test('refuses a search that is too long', async () => {
    expect(refusal(await ask(token, { search: 'x'.repeat(256) }))).toMatchObject({ code: 'BAD_REQUEST' });
  });

  test.each([1, 2, 3, 5, 7, 8, 100])('can be read forwards and backwards in pages of %i', async (size) => {
    const forwards: string[] = [];
    for (let after: string | null = null, more = true; more;) {
      const { edges, pageInfo } = await page(token, { first: size, after });
      expect(edges.length).toBeLessThanOrEqual(size);
      expect(pageInfo).toMatchObject({
        startCursor: edges[0]!.cursor,
        endCursor: edges.at(-1)!.cursor,
        hasPreviousPage: after !== null,
      });
      forwards.push(...edges.map(({ node }) => pathOf(node)));
      ({ endCursor: after, hasNextPage: more } = pageInfo);
    }
    expect(forwards).toEqual(all);

    const backwards: string[] = [];
    for (let before: string | null = null, more = true; more;) {
      const { edges, pageInfo } = await page(token, { last: size, before });
      expect(edges.length).toBeLessThanOrEqual(size);
      expect(pageInfo).toMatchObject({
        startCursor: edges[0]!.cursor,
        endCursor: edges.at(-1)!.cursor,
        hasNextPage: before !== null,
      });
      backwards.unshift(...edges.map(({ node }) => pathOf(node)));
      ({ startCursor: before, hasPreviousPage: more } = pageInfo);
    }
    expect(backwards).toEqual(all);
  });

  test('can be read between two cursors, from either end', async () => {
    const { edges } = await page(token);
    const between = { after: edges[1]!.cursor, before: edges[6]!.cursor };
    expect(paths(await page(token, between))).toEqual(all.slice(2, 6));
    expect(paths(await page(token, { ...between, first: 2 }))).toEqual(all.slice(2, 4));
    expect(paths(await page(token, { ...between, last: 2 }))).toEqual(all.slice(4, 6));
    expect(paths(await page(token, { after: edges[6]!.cursor, before: edges[1]!.cursor }))).toEqual([]);
    expect(paths(await page(token, { first: 0 }))).toEqual([]);
  });

  test('continues at the same position after an insertion or a removal', async () => {
    const first = await page(token, { first: 7 });
    await make.group('alms');
    await make.group('lane-side/x', 'PUBLIC');
    await set(token, { group: 'lane-side/x', level: 'WATCH' });
    await make.member('lia', 'GUEST', { group: 'alms' });
    // The entry that the cursor points at.
    await gateway.sql(
      `delete from group_members where group_id = (select namespace_id from routes where path = 'lane-side')`,
    );
    try {
      expect(paths(first)).toEqual(all.slice(0, 7));
      expect(paths(await page(token, { first: 10, after: first.pageInfo.endCursor }))).toEqual(['lane-side/x', 'late']);
    } finally {
      for (const group of ['alms', 'lane-side/x'])
        await gateway.sql('delete from namespaces where full_path = $1', [group]);
      await make.member('lia', 'GUEST', { group: 'lane-side' });
    }
  });

  test.each([
    ['an invalid cursor', { after: 'x' }],
    ['an empty cursor', { before: '' }],
    ['a cursor with a NUL in it', { after: Buffer.from('/a\0').toString('base64url') }],
    ['a negative number', { first: -1 }],
    ['a negative number from the end', { last: -1 }],
    ['first and last together', { first: 1, last: 1 }],
  ])('refuses %s', async (_what, paging) => {
    expect(refusal(await ask(token, paging))).toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('is only for the user and administrators', async () => {
    const query = `{ user(username: "lia") { notificationSettings { nodes { scope group { fullPath } project { fullPath } } } } }`;
    expect(refusal(await gateway.graphql(query, { token: gateway.tokens.maintainer }))).toMatchObject({
      code: 'FORBIDDEN',
    });
    const { user } = dataOf(
      await gateway.graphql<{ user: { notificationSettings: { nodes: Setting[] } } }>(query, {
        token: gateway.tokens.root,
      }),
    );
    expect(user.notificationSettings.nodes.map(pathOf)).toEqual(
      expect.arrayContaining([...all, 'left', 'past', 'lent/tool']),
    );
  });

  test('has 20 entries per page by default, and at most 100', async () => {
    const many = await make.user('mila');
    await gateway.sql(
      `with made as (
         insert into namespaces (kind, path, name, full_path, visibility)
         select 'GROUP', 'many' || i, 'many', 'many' || i, 'PUBLIC' from generate_series(100, 249) i returning id
       ) insert into group_members (user_id, group_id, access_level)
         select (select owner_id from namespaces where full_path = 'mila'), id, 10 from made`,
    );
    for (const [paging, expected] of [
      [{ first: 1000 }, 100],
      [{ last: 1000 }, 100],
      [{ first: 101 }, 100],
      [{}, 20],
    ] as const) {
      const { edges, pageInfo } = await page(many, paging);
      expect(edges).toHaveLength(expected);
      expect(pageInfo.hasNextPage || pageInfo.hasPreviousPage).toBe(true);
    }
  });
});

describe('the number of SQL statements', () => {
  const count = async (work: () => Promise<GraphQLAnswer<unknown>>) => {
    const statements = await statementsOf(async () => void dataOf(await work()));
    return statements.length;
  };
  const tokens: Record<number, string> = {};
  const places: Record<number, string[]> = {};

  beforeAll(async () => {
    for (const size of [1, 100]) {
      tokens[size] = await make.user(`size${size}`);
      await make.group(`of${size}`, 'PUBLIC');
      places[size] = [];
      for (let index = 0; index < size; index++) {
        const group = `of${size}/g${index}`;
        await make.group(group);
        await make.member(`size${size}`, 'GUEST', { group });
        // Each in its own group, so that levels have as many sources.
        await make.project(`${group}/p`);
        places[size].push(group);
      }
      for (let at = 0; at < size; at += 100) {
        const part = places[size].slice(at, at + 100);
        dataOf(
          await bulk(
            tokens[size],
            part.map((group) => ({ group, level: 'WATCH' })),
          ),
        );
        dataOf(
          await bulk(
            tokens[size],
            part.map((group) => ({ project: `${group}/p`, level: 'GLOBAL' })),
          ),
        );
      }
    }
  });

  const list = `{
    currentUser { notificationSettings(first: 100) { nodes {
      scope level group { fullPath } project { fullPath } effective { level source sourceGroup { fullPath } } events { event isSet }
    } } }
  }`;

  test('of a page with effective levels, groups and projects is the same for 1 place and for 100', async () => {
    const counts = [
      await count(() => gateway.graphql(list, { token: tokens[1]! })),
      await count(() => gateway.graphql(list, { token: tokens[100]! })),
    ];
    // Token with user; page with effective levels; its groups with the sources of levels; its projects.
    expect(counts).toEqual([4, 4]);
  });

  test.each([
    // The token with the prefetch, and then:
    ['reading the global setting', 'query { notificationSettings { level notificationEmail events { event } } }', 1],
    ['reading a group’s', 'query { notificationSettings(group: "of1/g0") { level } }', 1],
    ['reading a project’s', 'query { notificationSettings(project: "of1/g0/p") { level } }', 1],
    [
      'reading one with its effective level and source',
      'query { notificationSettings(project: "of1/g0/p") { effective { level source sourceGroup { fullPath } } } }',
      3,
    ],
    [
      'reading three at once',
      'query { notificationSettings { level } a: notificationSettings(group: "of1") { level } b: notificationSettings(group: "of1/g0") { level } }',
      3,
    ],
    [
      'reading three effective levels at once',
      'query { notificationSettings { ...E } a: notificationSettings(group: "of1") { ...E } b: notificationSettings(group: "of1/g0") { ...E } } fragment E on NotificationSettings { effective { level } }',
      6,
    ],
    [
      'changing one',
      'mutation { updateNotificationSettings(input: { group: "of1/g0", level: WATCH }) { notificationSettings { level } } }',
      2,
    ],
    [
      'changing the address',
      'mutation { updateNotificationSettings(input: { notificationEmail: "size1@example.com" }) { notificationSettings { level } } }',
      3,
    ],
    [
      'changing nothing',
      'mutation { updateNotificationSettings(input: { group: "of1/g0" }) { notificationSettings { level } } }',
      1,
    ],
    [
      'resetting one',
      'mutation { resetNotificationSettings(input: { group: "of1" }) { notificationSettings { level } } }',
      3,
    ],
  ])('of %s is bounded', async (_what, query, expected) => {
    expect(await count(() => gateway.graphql(query, { token: tokens[1]! }))).toBe(expected);
  });

  test.each([
    ['groups', (size: number) => places[size]!.map((group) => ({ group, level: 'WATCH' })), 5],
    ['projects', (size: number) => places[size]!.map((group) => ({ project: `${group}/p`, level: 'GLOBAL' })), 5],
    [
      'places of every kind',
      (size: number) => [
        { level: 'WATCH' },
        ...places[size]!.slice(0, 49).flatMap((group) => [
          { group, level: 'WATCH' },
          { project: `${group}/p`, level: 'GLOBAL' },
        ]),
      ],
      9,
    ],
  ])('of a bulk change of %s is the same for one and for a hundred', async (_what, changes, expected) => {
    const one =
      'mutation ($input: BulkUpdateNotificationSettingsInput!) { bulkUpdateNotificationSettings(input: $input) { notificationSettings { level } } }';
    for (const size of [1, 100]) {
      expect(
        await count(() =>
          gateway.graphql(one, { token: tokens[size]!, variables: { input: { settings: changes(size) } } }),
        ),
      ).toBe(expected);
    }
  });
});
