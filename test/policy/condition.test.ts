import { describe, expect, test } from 'vitest';
import { all, any, holds, toSql, type Columns, type Condition, type Facts } from '../../src/policy/condition.ts';
import { anonymous, operator, variantOf, type Viewer } from '../../src/policy/index.ts';
import { as, person } from './ladder.ts';

/** Each fact by itself: what it says of a record, and as SQL. `policies.test.ts` compares both in PostgreSQL. */

const other = person.id + 1;
const facts: Facts = { visibility: 'PRIVATE', accessLevel: 0 };
const columns: Columns = { visibility: 'v', accessLevel: 'l' };
const viewers = {
  anonymous,
  operator,
  person: as(),
  external: as({ external: true }),
  premium: as({ premium: true }),
  administrator: as({ administrator: true }),
} satisfies Record<string, Viewer>;

test.each<[what: string, condition: Condition, whom: (keyof typeof viewers)[]]>([
  ['administrators', { fact: 'administrator' }, ['operator', 'administrator']],
  ['those signed in', { fact: 'signedIn' }, ['person', 'external', 'premium', 'administrator']],
  ['those who see what is internal', { fact: 'seesInternal' }, ['person', 'premium', 'administrator']],
  ['those on the higher tier', { fact: 'premium' }, ['premium']],
  ['no one, of nothing', any(), []],
  ['everyone, of nothing', all(), ['anonymous', 'operator', 'person', 'external', 'premium', 'administrator']],
])('%s are known before any record, and constants in SQL', (_what, condition, whom) => {
  for (const [name, viewer] of Object.entries(viewers)) {
    const expected = whom.includes(name as never);
    expect([name, holds(condition, viewer, facts)]).toEqual([name, expected]);
    expect([name, toSql(condition, viewer, columns)]).toEqual([name, String(expected)]);
  }
});

describe('a role', () => {
  const from = { fact: 'accessLevel', atLeast: 20 } as const;
  const between = { ...from, below: 40 } as const;
  const levels = [0, 19, 20, 21, 39, 40, 50];
  const of = (condition: Condition) =>
    levels.filter((accessLevel) => holds(condition, as(), { ...facts, accessLevel }));

  test('is enough from its level on, or from one up to another', () => {
    expect([of(from), of(between)]).toEqual([
      [20, 21, 39, 40, 50],
      [20, 21, 39],
    ]);
  });

  test('in SQL is none where there is no level, or what a list asks', () => {
    expect([from, between].map((one) => toSql(one, as(), columns))).toEqual([
      'coalesce(l, 0) >= 20',
      '(coalesce(l, 0) >= 20 and not coalesce(l, 0) >= 40)',
    ]);
    const ofList = { ...columns, accessLevel: (level: number) => `reaches(${level})` };
    expect([from, between].map((one) => toSql(one, as(), ofList))).toEqual([
      'reaches(20)',
      '(reaches(20) and not reaches(40))',
    ]);
  });
});

describe('a record', () => {
  const author = { fact: 'author' } as const;
  const assignee = { fact: 'assignee' } as const;
  const ordinary = { fact: 'ordinary' } as const;
  const isPublic = { fact: 'snippetVisibility', is: 'PUBLIC' } as const;
  const by = (authorId: number, assigneeId: number | null = null) => ({ authorId, assigneeId });

  test.each<[what: string, condition: Condition, more: Partial<Facts>, expected: boolean]>([
    ['an issue of the viewer', author, { issue: { ...by(7), confidential: false } }, true],
    ['an issue of others', author, { issue: { ...by(other, 7), confidential: false } }, false],
    ['a merge request of the viewer', author, { mergeRequest: by(7) }, true],
    ['a merge request of others', author, { mergeRequest: by(other, 7) }, false],
    ['a snippet of the viewer', author, { snippet: { authorId: 7, visibility: 'PRIVATE' } }, true],
    ['a snippet of others', author, { snippet: { authorId: other, visibility: 'PRIVATE' } }, false],
    ['nothing', author, {}, false],
    ['an issue for the viewer', assignee, { issue: { ...by(other, 7), confidential: false } }, true],
    ['an issue for others', assignee, { issue: { ...by(7, other), confidential: false } }, false],
    ['an issue for no one', assignee, { issue: { ...by(7), confidential: false } }, false],
    ['a merge request for the viewer', assignee, { mergeRequest: by(other, 7) }, true],
    ['a merge request for others', assignee, { mergeRequest: by(7, other) }, false],
    ['a snippet', assignee, { snippet: { authorId: 7, visibility: 'PRIVATE' } }, false],
    ['nothing', assignee, {}, false],
    ['an issue for all', ordinary, { issue: { ...by(other), confidential: false } }, true],
    ['a confidential issue', ordinary, { issue: { ...by(other), confidential: true } }, false],
    ['no issue', ordinary, { mergeRequest: by(other) }, false],
    ['a public snippet', isPublic, { snippet: { authorId: other, visibility: 'PUBLIC' } }, true],
    ['an internal snippet', isPublic, { snippet: { authorId: other, visibility: 'INTERNAL' } }, false],
    ['no snippet', isPublic, { visibility: 'PUBLIC' }, false],
    ['a public place', { fact: 'visibility', is: 'PUBLIC' }, { visibility: 'PUBLIC' }, true],
    ['an internal place', { fact: 'visibility', is: 'PUBLIC' }, { visibility: 'INTERNAL' }, false],
    ['public jobs', { fact: 'publicJobs' }, { publicJobs: true }, true],
    ['hidden jobs', { fact: 'publicJobs' }, { publicJobs: false }, false],
  ])('%s', (_what, condition, more, expected) => {
    expect(holds(condition, as(), { ...facts, ...more })).toBe(expected);
    // Who isn't signed in has written nothing, and nothing is theirs.
    const isOfPerson = condition === author || condition === assignee;
    for (const viewer of [anonymous, operator])
      expect(holds(condition, viewer, { ...facts, ...more })).toBe(expected && !isOfPerson);
  });

  const issue = { authorId: 'i.author', assigneeId: 'i.assignee', confidential: 'i.secret', viewerId: '$1' };
  const mergeRequest = { authorId: 'm.author', assigneeId: 'm.assignee', viewerId: '$2' };
  const snippet = { authorId: 's.author', visibility: 's.visibility', viewerId: '$3' };

  test.each<[what: string, condition: Condition, more: Partial<Columns>, sql: string]>([
    ['an issue', author, { issue, mergeRequest }, 'coalesce(i.author = $1, false)'],
    ['a merge request', author, { mergeRequest, snippet }, 'coalesce(m.author = $2, false)'],
    ['a snippet', author, { snippet }, 'coalesce(s.author = $3, false)'],
    ['nothing', author, {}, 'false'],
    ['an issue', assignee, { issue, mergeRequest }, 'coalesce(i.assignee = $1, false)'],
    ['a merge request', assignee, { mergeRequest }, 'coalesce(m.assignee = $2, false)'],
    ['a snippet', assignee, { snippet }, 'false'],
    ['an issue', ordinary, { issue }, 'not i.secret'],
    ['no issue', ordinary, { mergeRequest }, 'false'],
    ['a snippet', isPublic, { snippet }, `s.visibility = 'PUBLIC'`],
    ['no snippet', isPublic, { issue }, 'false'],
    ['jobs', { fact: 'publicJobs' }, { publicJobs: 'p.jobs' }, 'p.jobs'],
    ['a place', { fact: 'visibility', is: 'INTERNAL' }, {}, `v = 'INTERNAL'`],
  ])('in SQL, %s', (_what, condition, more, sql) => {
    expect(toSql(condition, as(), { ...columns, ...more })).toBe(sql);
    const isOfPerson = condition === author || condition === assignee;
    for (const viewer of [anonymous, operator])
      expect(toSql(condition, viewer, { ...columns, ...more })).toBe(isOfPerson ? 'false' : sql);
  });
});

describe('the level of a feature', () => {
  const condition: Condition = {
    feature: 'wiki',
    at: { disabled: any(), private: { fact: 'signedIn' }, enabled: all(), public: { fact: 'administrator' } },
  };

  test('chooses the condition', () => {
    const at = (wiki: 'disabled' | 'private' | 'enabled' | 'public') =>
      Object.keys(viewers).filter((name) =>
        holds(condition, viewers[name as keyof typeof viewers], { ...facts, levels: { wiki } }),
      );
    expect([at('disabled'), at('private'), at('enabled').length, at('public')]).toEqual([
      [],
      ['person', 'external', 'premium', 'administrator'],
      6,
      ['operator', 'administrator'],
    ]);
  });

  test('in SQL, is that of the column', () => {
    expect(toSql(condition, anonymous, { ...columns, level: (feature) => `level_of(${feature})` })).toBe(
      `case level_of(wiki) when 'disabled' then false when 'private' then false else true end`,
    );
  });

  test('and whether jobs are public, must have been read', () => {
    const unread = "The level of the feature wiki wasn't read.";
    for (const more of [{}, { levels: {} }, { levels: { issues: 'enabled' } }] as const)
      expect(() => holds(condition, operator, { ...facts, ...more })).toThrow(new TypeError(unread));
    expect(() => toSql(condition, operator, columns)).toThrow(
      new TypeError('There is no column for the level of the feature wiki.'),
    );
    const jobs: Condition = { fact: 'publicJobs' };
    expect(() => holds(jobs, operator, facts)).toThrow(new TypeError('Whether the jobs are public wasn’t read.'));
    expect(() => toSql(jobs, operator, columns)).toThrow(
      new TypeError('There is no column for whether the jobs are public.'),
    );
  });
});

test('several conditions are joined, each in its own text', () => {
  const parts: Condition[] = [{ fact: 'signedIn' }, { fact: 'visibility', is: 'PUBLIC' }];
  expect([toSql(any(...parts), as(), columns), toSql(all(...parts), anonymous, columns)]).toEqual([
    `(true or v = 'PUBLIC')`,
    `(false and v = 'PUBLIC')`,
  ]);
});

test('a text has a name for each kind of viewer, and external administrators have that of administrators', () => {
  const names = Object.entries(viewers).map(([name, viewer]) => [name, variantOf(viewer)]);
  expect(Object.fromEntries(names)).toEqual({
    anonymous: 'anonymous',
    operator: 'administrator',
    person: 'person',
    external: 'external',
    premium: 'person',
    administrator: 'administrator',
  });
  expect(variantOf(as({ administrator: true, external: true }))).toBe('administrator');
  expect(variantOf({ person: null, credential: null })).toBe('anonymous');
});
