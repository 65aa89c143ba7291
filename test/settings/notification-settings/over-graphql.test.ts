import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dataOf, inputErrors, refusal } from '../../support/requests/answers.ts';
import { testGateway, type GraphQLAnswer, type TestGateway } from '../../support/gateway.ts';
import { settingsOverGraphQL } from '../../support/places/notification-settings.ts';
import { workspace, type Workspace } from '../../support/places/workspace.ts';

/** Notification settings over GraphQL: levels, and changing one or many. */

let gateway: TestGateway;
let make: Workspace;
beforeAll(async () => {
  gateway = await testGateway();
  make = workspace(gateway);
});
/** What GitLab says of a place that isn't there or that one may not see. */
const notAvailable =
  "The resource that you are attempting to access does not exist or you don't have permission to perform this action";

/** The only reason why a change was refused: what is wrong with the input, or an error of the request. */
function whyRefused(answer: GraphQLAnswer<unknown>): string {
  if (answer.errors) return refusal(answer).message;
  const problems = inputErrors(answer);
  expect(problems).toHaveLength(1);
  return problems[0]!;
}

const { read, update, bulk, reset, set, stored, forgetAll } = settingsOverGraphQL(() => gateway);

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
    ['the global level, if that is GLOBAL, which brings nothing', { '': 'GLOBAL' }, ['GLOBAL', 'GLOBAL', null]],
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
    const { effective, inherited } = await read(token, { project: shoes });
    expect(effective).toEqual({ level, source, sourceGroup: group && { fullPath: group } });
    await reset(token, { project: shoes });
    expect((await read(token, { project: shoes })).effective).toEqual(inherited);
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
    const { effective, inherited } = await read(token, { group: 'acme/eu' });
    expect(effective).toEqual({ level, source, sourceGroup: group && { fullPath: group } });
    await reset(token, { group: 'acme/eu' });
    expect((await read(token, { group: 'acme/eu' })).effective).toEqual(inherited);
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

  test('a hidden place, or a group and a project at once, is refused, and changes nothing', async () => {
    await set(gateway.tokens.guest, { group: 'demo', level: 'WATCH' });
    const before = await stored();
    expect(refusal(await reset(gateway.tokens.guest, { group: 'demo/nowhere' }))).toMatchObject({
      code: 'NOT_FOUND',
      subject: 'Group',
      message: notAvailable,
    });
    expect(inputErrors(await reset(gateway.tokens.guest, { group: 'demo', project: 'demo/storefront' }))).toEqual([
      'Name a group or a project, not both.',
    ]);
    expect(await stored()).toEqual(before);
  });
});

describe('changing one setting', () => {
  beforeEach(forgetAll);

  test.each([
    [
      'an address that isn’t theirs',
      { notificationEmail: 'maintainer@unknown.example.com' },
      ['Notification email must be an email you have verified'],
    ],
    [
      'another user’s address',
      { notificationEmail: 'developer@example.com' },
      ['Notification email must be an email you have verified'],
    ],
    [
      'an invalid address',
      { notificationEmail: 'foo' },
      ['Notification email is invalid', 'Notification email must be an email you have verified'],
    ],
    [
      'an address for a project',
      { project: 'demo/storefront', notificationEmail: 'maintainer@example.com' },
      ['Notification email belongs to the global setting or to that of a group'],
    ],
    ['no level at all', { level: null }, ["Level can't be blank"]],
  ])('%s is refused with the field’s name, and nothing is saved', async (_what, change, problems) => {
    const answer = await update(gateway.tokens.maintainer, {
      level: 'WATCH',
      events: [{ event: 'NEW_NOTE', enabled: true }],
      ...change,
    });
    expect(inputErrors(answer)).toEqual(problems);
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

  test('gives a group’s setting to everything in it, and the global one to everything', async () => {
    const levels = async () =>
      ((await stored()) as { scope: string; level: string }[]).map(({ scope, level }) => `${scope} ${level}`);
    const setAll = async () => {
      await forgetAll();
      await set(token, { group: 'bulk', level: 'MENTION' });
      for (const place of [{ group: paths[1] }, { project: 'bulk/shop' }, { project: 'bulk/other' }])
        await set(token, { ...place, level: 'DISABLED' });
    };
    await setAll();
    const changed = await bulk(token, [
      { group: 'bulk', level: 'WATCH', applyBelow: true },
      { project: 'bulk/other', level: 'CUSTOM' },
    ]);
    expect(changed.errors).toBeUndefined();
    expect(await levels()).toEqual(['group WATCH', 'project CUSTOM']);
    await setAll();
    await bulk(token, [], [{ group: 'bulk', applyBelow: true }]);
    expect(await levels()).toEqual([]);
    await setAll();
    await bulk(token, [{ level: 'WATCH', applyBelow: true }]);
    expect(await levels()).toEqual(['global WATCH']);
    await setAll();
    await bulk(token, [{ group: paths[1], applyBelow: true }]);
    expect(await levels()).toEqual(['group MENTION', 'group DISABLED', 'project DISABLED', 'project DISABLED']);
    await bulk(gateway.tokens.root, [{ group: 'bulk', applyBelow: true }]);
    expect(await levels()).toHaveLength(4);
  });

  test.each([
    [
      'a project is applied below',
      [
        { group: 'bulk', level: 'WATCH' },
        { project: 'bulk/shop', applyBelow: true },
      ],
      undefined,
      'Apply below is for groups and the global setting',
    ],
    [
      'a place is changed and reset',
      [{ group: 'bulk', level: 'WATCH' }],
      [{ group: 'bulk' }],
      'A place can be named only once.',
    ],
    ['a place to reset is hidden', [{ group: 'bulk', level: 'WATCH' }], [{ project: 'demo/hidden' }], notAvailable],
    [
      'there are too many in total',
      [{ group: 'bulk', level: 'WATCH' }],
      Array.from({ length: 100 }, (_, index) => ({ group: `bulk/g${String(index).padStart(3, '0')}` })),
      'At most 100 settings can be changed at once.',
    ],
  ])('changes nothing if %s', async (_what, settings, resets, says) => {
    await set(token, { group: 'bulk', level: 'MENTION' });
    const before = await stored();
    expect(whyRefused(await bulk(token, settings, resets))).toEqual(says);
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
    expect(dataOf(await bulk(token, []))).toEqual({
      bulkUpdateNotificationSettings: { notificationSettings: [], errors: [] },
    });
  });

  const good: readonly object[] = [
    { level: 'WATCH' },
    { group: 'bulk', level: 'MENTION' },
    { project: 'bulk/shop', level: 'CUSTOM' },
  ];
  test.each([
    ['a hidden project', { project: 'demo/hidden', level: 'WATCH' }, notAvailable],
    ['an unknown group', { group: 'nowhere', level: 'WATCH' }, notAvailable],
    [
      'an address for a project',
      { project: 'bulk/other', notificationEmail: 'bertha@example.com' },
      'Notification email belongs to the global setting or to that of a group',
    ],
    ['an empty level', { group: 'bulk/g000', level: null }, "Level can't be blank"],
    [
      'both a group and a project',
      { group: 'bulk/g000', project: 'bulk/other', level: 'WATCH' },
      'Name a group or a project, not both.',
    ],
  ])('one entry with %s, at any position, refuses the whole change', async (_what, bad, expected) => {
    for (const at of [0, 2, 3]) {
      expect(whyRefused(await bulk(token, good.toSpliced(at, 0, bad)))).toBe(expected);
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
      expect(inputErrors(await bulk(token, settings))).toEqual(['A place can be named only once.']);
    }
    expect(await stored()).toEqual([]);
  });

  test('accepts 100 settings, and refuses 101', async () => {
    const changes = paths.map((group) => ({ group, level: 'MENTION' }));
    expect(inputErrors(await bulk(token, changes.slice(0, 101)))).toEqual([
      'At most 100 settings can be changed at once.',
    ]);
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
