import { describe, expect, test } from 'vitest';
import {
  isProtectedRef,
  matchesPattern,
  mayDeleteTag,
  mayMergeInto,
  mayPushTo,
  mayRunOn,
  protectionOf,
  reaches,
  refusalOfChange,
  type BranchRule,
  type CheckedChange,
  type RefPlace,
  type TagRule,
  type Viewer,
} from '../../src/policy/index.ts';

/** Who changes which branch or tag: the tables of roles and of checks, row by row. */

const person = (administrator = false): Viewer => ({
  person: { id: 7, username: 'ann', administrator, premium: false, external: false },
  credential: null,
});

const rule = (name: string, push = 40, merge = 40, allowForcePush = false): BranchRule => ({
  name,
  pushAccessLevel: push,
  mergeAccessLevel: merge,
  allowForcePush,
});

const tagRule = (name: string, level = 40): TagRule => ({ name, createAccessLevel: level });

type Who = 'guest' | 'reporter' | 'developer' | 'maintainer' | 'owner' | 'administrator';
const levels = { guest: 10, reporter: 20, developer: 30, maintainer: 40, owner: 50, administrator: 0 } as const;
const everyone = Object.keys(levels) as Who[];

const place = (who: Who, more: Partial<RefPlace> = {}): RefPlace => ({
  viewer: person(who === 'administrator'),
  facts: { visibility: 'PRIVATE', accessLevel: levels[who] },
  archived: false,
  fullPath: 'shop/web',
  membersUrl: 'https://code.example.com/shop/web/-/members',
  defaultBranch: 'main',
  rules: [],
  tagRules: [],
  via: 'push',
  firstBranchLevels: [40],
  ...more,
});

const change = (ref: string, more: Partial<CheckedChange> = {}): CheckedChange => ({
  ref: ref.startsWith('refs/') ? ref : `refs/heads/${ref}`,
  isNew: false,
  isDeleted: false,
  hasValidName: true,
  rewrites: false,
  isOnProtected: false,
  ...more,
});

const made = { isNew: true };
const deleted = { isDeleted: true };
const forced = { rewrites: true };

/** Those who may make a change. */
const allowed = (of: CheckedChange, more: Partial<RefPlace> = {}) =>
  everyone.filter((who) => refusalOfChange(place(who, more), of) === undefined);

const writers = ['developer', 'maintainer', 'owner', 'administrator'];
const maintainers = ['maintainer', 'owner', 'administrator'];

describe('by role', () => {
  test.each([
    ['update a branch', change('x')],
    ['make a branch', change('x', made)],
    ['delete a branch', change('x', deleted)],
    ['force push a branch', change('x', forced)],
    ['make a tag', change('refs/tags/x', made)],
    ['delete a tag', change('refs/tags/x', deleted)],
  ])('developers and above %s that nothing protects', (_act, of) => {
    expect(allowed(of)).toEqual(writers);
    expect(allowed(of, { archived: true })).toEqual([]);
  });

  test.each([
    [0, []],
    [30, writers],
    [40, maintainers],
    [60, ['administrator']],
  ])('a rule of level %i decides who pushes', (level, who) => {
    const rules = [rule('x', level)];
    expect(allowed(change('x'), { rules })).toEqual(who);
    expect(everyone.filter((one) => mayPushTo(place(one, { rules }), 'x'))).toEqual(who);
  });

  test('of several rules, the most permissive counts', () => {
    expect(allowed(change('x-1'), { rules: [rule('x-1', 0), rule('x-*', 30)] })).toEqual(writers);
    const rules = [rule('x-*', 40, 40, false), rule('*', 40, 40, true)];
    expect(allowed(change('x-1', forced), { rules })).toEqual(maintainers);
  });

  test('protected branches are deleted by maintainers, and not by a push', () => {
    const rules = [rule('x', 30, 30)];
    expect(allowed(change('x', deleted), { rules, via: 'web' })).toEqual(maintainers);
    expect(allowed(change('x', deleted), { rules, via: 'push' })).toEqual([]);
  });

  test('protected branches are force pushed only where the rule says so, by those who push', () => {
    expect(allowed(change('x', forced), { rules: [rule('x', 30)] })).toEqual([]);
    expect(allowed(change('x', forced), { rules: [rule('x', 40, 40, true)] })).toEqual(maintainers);
  });

  test('the first branch is made by those whom the setting names', () => {
    expect(allowed(change('x', made), { defaultBranch: null })).toEqual(maintainers);
    expect(allowed(change('x', made), { defaultBranch: null, firstBranchLevels: [30] })).toEqual(writers);
  });

  test('tags are made, changed and deleted by those who push', () => {
    for (const what of [made, {}, deleted]) expect(allowed(change('refs/tags/x', what))).toEqual(writers);
  });

  test.each([
    [0, []],
    [30, writers],
    [40, maintainers],
    [60, ['administrator']],
  ])('a rule of level %i decides who makes a tag, and runs something on it', (level, who) => {
    const tagRules = [tagRule('v*', level)];
    expect(allowed(change('refs/tags/v1', made), { tagRules })).toEqual(who);
    expect(allowed(change('v1', made), { tagRules })).toEqual(writers);
    const runs = (tag: boolean) => everyone.filter((one) => mayRunOn(place(one, { tagRules }), { ref: 'v1', tag }));
    expect([runs(true), runs(false)]).toEqual([who, writers]);
  });

  test('tags that nothing protects are deleted by developers', () => {
    expect(everyone.filter((one) => mayDeleteTag(place(one, { tagRules: [tagRule('v*')] }), 'x'))).toEqual(writers);
  });

  test('protected tags are deleted by maintainers who may make them, and not by a push; none is moved', () => {
    const deletion = change('refs/tags/x', deleted);
    for (const [level, who] of [
      [0, []],
      [30, maintainers],
      [60, ['administrator']],
    ] as const) {
      const tagRules = [tagRule('x', level)];
      expect(allowed(deletion, { tagRules, via: 'web' })).toEqual(who);
      expect(everyone.filter((one) => mayDeleteTag(place(one, { tagRules }), 'x'))).toEqual(who);
      expect(allowed(deletion, { tagRules, via: 'push' })).toEqual([]);
      expect(allowed(change('refs/tags/x'), { tagRules })).toEqual([]);
    }
    expect(allowed(change('refs/tags/x', made), { tagRules: [tagRule('x', 0), tagRule('*', 30)] })).toEqual(writers);
  });
});

describe('merging', () => {
  test.each([
    [[40, 30], writers],
    [[30, 40], writers],
    [[40, 40], maintainers],
    [[60, 0], ['administrator']],
    [[0, 0], []],
  ] as const)('into a branch whose levels of pushing and merging are %j', ([push, merge], who) => {
    const rules = [rule('x', push, merge)];
    const merges = (more: Partial<RefPlace>) => everyone.filter((one) => mayMergeInto(place(one, more), 'x'));
    expect(merges({ rules })).toEqual(who);
    expect(allowed(change('x'), { rules, via: 'merge' })).toEqual(who);
    expect(merges({ rules, archived: true })).toEqual([]);
    // Nothing protects another one.
    expect(merges({ rules: [rule('y', push, merge)] })).toEqual(writers);
  });

  test('asks neither for force pushes nor for the way of a push', () => {
    const rules = [rule('x', 40, 30)];
    for (const what of [made, forced]) expect(allowed(change('x', what), { rules, via: 'merge' })).toEqual(writers);
    expect(allowed(change('x', deleted), { rules: [rule('x', 0, 30)], via: 'merge' })).toEqual(writers);
  });
});

test('a deploy key writes where nothing protects, and reaches no level', () => {
  const key: Viewer = {
    person: null,
    credential: { kind: 'deploy_key', keyId: 1, reads: [1], writes: [1], creatorId: 7 },
  };
  const at = (rules: BranchRule[], tagRules: TagRule[] = []) => place('developer', { viewer: key, rules, tagRules });
  expect(mayPushTo(at([]), 'x')).toBe(true);
  expect([mayPushTo(at([rule('x', 30, 30)]), 'x'), mayMergeInto(at([rule('x', 30, 30)]), 'x')]).toEqual([false, false]);
  expect(refusalOfChange(at([], [tagRule('v', 30)]), change('refs/tags/v', made))).toBeDefined();
  expect([
    reaches([30], key, { visibility: 'PUBLIC', accessLevel: 50 }),
    reaches([], person(true), at([]).facts),
  ]).toEqual([false, false]);
});

test('a branch and a tag are protected by rules of their kind, those of the archive stay as they are', () => {
  const rules = { rules: [rule('stable-*')], tagRules: [tagRule('v*')] };
  const protects = (ref: string, tag: boolean) => isProtectedRef(rules, { ref, tag });
  expect([protects('stable-1', false), protects('stable-1', true)]).toEqual([true, false]);
  expect([protects('v1', false), protects('v1', true)]).toEqual([false, true]);
  const archived = place('owner', { archived: true });
  expect([mayPushTo(archived, 'x'), mayDeleteTag(archived, 'x'), mayRunOn(archived, { ref: 'x', tag: true })]).toEqual([
    false,
    false,
    false,
  ]);
});

describe('the text of a refusal', () => {
  const hex = 'a'.repeat(40);
  const force = 'You are not allowed to force push code to a protected branch on this project.';
  const shaTag = 'You cannot create a tag with a SHA-1 or SHA-256 tag name.';
  const hexBranch = 'You cannot create a branch with a 40-character hexadecimal branch name.';
  const rows: [of: CheckedChange, who: Who, more: Partial<RefPlace>, text: string | undefined][] = [
    [change('x'), 'reporter', {}, 'You are not allowed to push code to this project.'],
    [change('x'), 'owner', { archived: true }, 'You are not allowed to push code to this project.'],
    [change('main', deleted), 'owner', {}, 'The default branch of a project cannot be deleted.'],
    [
      change('main', deleted),
      'developer',
      { rules: [rule('main')] },
      'The default branch of a project cannot be deleted.',
    ],
    [change(hex, made), 'owner', {}, hexBranch],
    [change(`${hex}/x`, made), 'owner', {}, hexBranch],
    [change(`${hex}-/x`, made), 'owner', {}, hexBranch],
    [change(`${hex}-x`, made), 'owner', {}, undefined],
    [change(hex, deleted), 'owner', {}, undefined],
    [change('x', forced), 'owner', { rules: [rule('x')] }, force],
    [change('x', forced), 'developer', { rules: [rule('x')] }, force],
    [
      change('x', made),
      'developer',
      { rules: [rule('x')] },
      'You are not allowed to create protected branches on this project.',
    ],
    [
      change('x', { ...made, isOnProtected: true }),
      'developer',
      { rules: [rule('x', 40, 30)] },
      'You can only create protected branches using the web interface and API.',
    ],
    [
      change('x', made),
      'developer',
      { rules: [rule('x', 40, 30)], via: 'web' },
      'You can only use an existing protected branch ref as the basis of a new protected branch.',
    ],
    [change('x', { ...made, isOnProtected: true }), 'developer', { rules: [rule('x', 40, 30)], via: 'web' }, undefined],
    [
      change('x', deleted),
      'developer',
      { rules: [rule('x', 30)] },
      'You are not allowed to delete protected branches from this project. Only a project maintainer or owner can delete a protected branch.',
    ],
    [
      change('x', deleted),
      'maintainer',
      { rules: [rule('x')] },
      'You can only delete protected branches using the web interface.',
    ],
    [
      change('x'),
      'developer',
      { rules: [rule('x')] },
      'You are not allowed to push code to protected branches on this project.',
    ],
    [
      change('-x', { isNew: true, hasValidName: false }),
      'owner',
      {},
      'You cannot create a branch with an invalid name.',
    ],
    [change('-x', { isDeleted: true, hasValidName: false }), 'owner', {}, undefined],
    [
      change('refs/tags/-x', { isNew: true, hasValidName: false }),
      'owner',
      {},
      'You cannot create a tag with a prohibited pattern.',
    ],
    [change('refs/tags/x'), 'reporter', {}, 'You are not allowed to push code to this project.'],
    [change('refs/tags/main', made), 'owner', {}, 'You cannot use default branch name to create a tag'],
    [change(`refs/tags/${hex}`, made), 'owner', {}, shaTag],
    [change(`refs/tags/${'A'.repeat(64)}`, made), 'owner', {}, shaTag],
    [
      change('refs/tags/x', made),
      'developer',
      { tagRules: [tagRule('x')] },
      'You are not allowed to create this tag as it is protected.',
    ],
    [change('refs/tags/x'), 'owner', { tagRules: [tagRule('x')] }, 'Protected tags cannot be updated.'],
    [
      change('refs/tags/x', deleted),
      'developer',
      { tagRules: [tagRule('x', 30)] },
      'You are not allowed to delete protected tags from this project. Only a project maintainer or owner can delete a protected tag.',
    ],
    [
      change('refs/tags/x', deleted),
      'owner',
      { tagRules: [tagRule('x')] },
      'You can only delete protected tags using the web interface.',
    ],
    [
      change('refs/tags/main', made),
      'owner',
      { tagRules: [tagRule('*', 0)] },
      'You cannot use default branch name to create a tag',
    ],
    [
      change('x'),
      'developer',
      { rules: [rule('x')], via: 'merge' },
      'You are not allowed to merge code into protected branches on this project.',
    ],
    [change(`x${hex}`, made), 'owner', {}, undefined],
    [change(hex.slice(1), made), 'owner', {}, undefined],
    [change(`${hex}a`, made), 'owner', {}, undefined],
    [change(`refs/tags/x${hex}`, made), 'owner', {}, undefined],
    [change(`refs/tags/${hex}x`, made), 'owner', {}, undefined],
    [change(`refs/tags/${hex}`), 'owner', {}, undefined],
    [change('refs/tags/main'), 'owner', {}, undefined],
    [change('main'), 'owner', {}, undefined],
    [change('refs/merge-requests/1/head', made), 'owner', {}, 'deny updating a hidden ref'],
    [change('refs/heads', made), 'owner', {}, 'deny updating a hidden ref'],
  ];

  test.each(rows.map(([of, who, more, text], row) => [row, of.ref, who, text ?? 'nothing', of, more] as const))(
    'row %i: %s by a %s: %s',
    (_row, _ref, who, text, of, more) => {
      expect(refusalOfChange(place(who, more), of) ?? 'nothing').toBe(text);
    },
  );

  test('tells the first branch of an empty project from others', () => {
    expect(refusalOfChange(place('developer', { defaultBranch: null }), change('x', made))).toBe(
      'A default branch (e.g. main) does not yet exist for shop/web\nAsk a project Owner or Maintainer to create a default branch:\n\n  https://code.example.com/shop/web/-/members',
    );
  });
});

describe('a pattern', () => {
  test.each([
    ['main', 'main', true],
    ['main', 'mainly', false],
    ['*', '', true],
    ['*', 'a/b', true],
    ['release-*', 'release-', true],
    ['release-*', 'release', false],
    ['*-stable', '1-stable', true],
    ['a*a', 'a', false],
    ['a*a', 'aa', true],
    ['a*b*c', 'a1b2c', true],
    ['a*b*c', 'a1c2b', false],
    ['a*bc*c', 'abc', false],
    ['*x*', 'axb', true],
    ['a.c*', 'abc', false],
    ['**', 'any', true],
    ['ab*ba', 'aba', false],
    ['a*', 'ba', false],
    ['a*b*c', 'abc', true],
    ['a*bb*b', 'abb', false],
    ['*a*b*', 'ba', false],
    ['*ab*ab*', 'ab', false],
    ['*ab*ab*', 'abab', true],
  ])('%s against %s: %s', (pattern, name, matches) => {
    expect(matchesPattern(pattern, name)).toBe(matches);
    expect(protectionOf([rule(pattern)], name) !== undefined).toBe(matches);
  });

  test('of many parts is matched without trying all ways', () => {
    expect(matchesPattern(`${'*a'.repeat(120)}b`, 'a'.repeat(100_000))).toBe(false);
  });
});
