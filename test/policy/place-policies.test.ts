import { describe, expect, test } from 'vitest';
import { all, any } from '../../src/policy/condition.ts';
import {
  anonymous,
  askRecipients,
  downloadCode,
  editProject,
  forkProject,
  holds,
  makeProject,
  makesProjectsInGroup,
  makeSubgroup,
  manageErrorTracking,
  manageGroup,
  manageGroupMembers,
  manageProjectMembers,
  member,
  operator,
  ownProject,
  pushCode,
  reportOn,
  seePlace,
  takeProject,
  toSql,
  unseenByPerson,
  type Condition,
  type Facts,
  type Viewer,
} from '../../src/policy/index.ts';

/** What the policies of places say, as truth tables and as the SQL that lists are made with. */

const person = { id: 7, username: 'person', administrator: false, premium: false, external: false };
const credential = { kind: 'session', sessionId: 1, recent: false, checkedAt: 'now' } as const;
const viewers: Record<string, Viewer> = {
  anonymous,
  external: { person: { ...person, external: true }, credential },
  person: { person, credential },
  administrator: { person: { ...person, administrator: true }, credential },
  operator,
};
const visibilities = ['PRIVATE', 'INTERNAL', 'PUBLIC'] as const;
const levels = [0, 5, 10, 14, 15, 19, 20, 29, 30, 39, 40, 49, 50];

/** The least level for which a policy holds, by visibility; `-` where none is enough. */
function table(condition: Condition) {
  const least = (viewer: Viewer, visibility: Facts['visibility']) => {
    const held = levels.map((accessLevel) => holds(condition, viewer, { visibility, accessLevel }));
    const first = held.indexOf(true);
    // A higher role never may do less.
    if (first >= 0) expect(held.slice(first)).not.toContain(false);
    return first < 0 ? '-' : levels[first];
  };
  return Object.fromEntries(
    Object.entries(viewers).map(([name, viewer]) => [
      name,
      visibilities.map((visibility) => least(viewer, visibility)).join(' '),
    ]),
  );
}

test('a place is seen by its members, an internal one by signed-in people, a public one by all', () => {
  expect(table(seePlace)).toEqual({
    anonymous: '10 10 0',
    external: '10 10 0',
    person: '10 0 0',
    administrator: '0 0 0',
    operator: '0 0 0',
  });
});

test('a project that others see is forked by signed-in people, any other from reporter on', () => {
  expect(table(forkProject)).toEqual({
    anonymous: '20 20 20',
    external: '20 20 0',
    person: '20 0 0',
    administrator: '0 0 0',
    operator: '0 0 0',
  });
});

test('the code of a project is read by all who see an internal or public one, of a private one from planner on', () => {
  expect(table(downloadCode)).toEqual({
    anonymous: '15 15 0',
    external: '15 15 0',
    person: '15 0 0',
    administrator: '0 0 0',
    operator: '0 0 0',
  });
});

test('projects are made by no one or by administrators alone, if a group says so', () => {
  expect(new Set(Object.values(table(makeProject.noone)))).toEqual(new Set(['- - -']));
  const none = '- - -';
  const all = '0 0 0';
  expect(table(makeProject.administrator)).toEqual({
    anonymous: none,
    external: none,
    person: none,
    administrator: all,
    operator: all,
  });
});

test.each([
  ['what members have is for all with a role', member, 10],
  ['the statistics of a project are for reporters', reportOn, 20],
  ['the repository of a project is written by developers', pushCode, 30],
  ['a project is taken into a group by maintainers', takeProject, 40],
  ['who is notified is asked by maintainers', askRecipients, 40],
  ['projects are made by developers', makeProject.developer, 30],
  ['projects are made by maintainers, if a group says so', makeProject.maintainer, 40],
  ['projects are made by owners, if a group says so', makeProject.owner, 50],
  ['what a project says of itself is changed by maintainers', editProject, 40],
  ['a project is archived and removed by owners', ownProject, 50],
  ['R8: error tracking is managed by maintainers', manageErrorTracking, 40],
  ['a group inside of a group is made by maintainers', makeSubgroup.maintainer, 40],
  ['a group inside of a group is made by owners, if it says so', makeSubgroup.owner, 50],
  ['a group is changed and removed by owners', manageGroup, 50],
  ['the members of a group are managed by owners', manageGroupMembers, 50],
  ['the members of a project are managed by maintainers', manageProjectMembers, 40],
])('%s, however visible it is', (_what, policy, least) => {
  const atLeast = `${least} ${least} ${least}`;
  expect(table(policy)).toEqual({
    anonymous: atLeast,
    external: atLeast,
    person: atLeast,
    administrator: '0 0 0',
    operator: '0 0 0',
  });
});

test('an empty `any` never holds, and an empty `all` always does', () => {
  const facts: Facts = { visibility: 'PUBLIC', accessLevel: 50 };
  expect([holds(any(), operator, facts), holds(all(), anonymous, facts)]).toEqual([false, true]);
  const columns = { visibility: 'v', accessLevel: 'l' };
  expect([toSql(any(), operator, columns), toSql(all(), anonymous, columns)]).toEqual(['false', 'true']);
});

describe('as SQL, with facts about the viewer as constants', () => {
  const columns = { visibility: 'p.visibility', accessLevel: 'r.level' };
  const seen = (administrator: boolean, signedIn: boolean) =>
    `(${administrator} or p.visibility = 'PUBLIC' or (${signedIn} and p.visibility = 'INTERNAL') or coalesce(r.level, 0) >= 10)`;

  test.each([
    ['anonymous', seen(false, false)],
    ['external', seen(false, false)],
    ['person', seen(false, true)],
    ['administrator', seen(true, true)],
    ['operator', seen(true, false)],
  ])('for %s', (name, expected) => {
    expect(toSql(seePlace, viewers[name]!, columns)).toBe(expected);
  });

  test('a list may have a condition of its own for a role', () => {
    const ofList = { visibility: 'v', accessLevel: (atLeast: number) => `at_least(${atLeast})` };
    expect(toSql(manageErrorTracking, viewers['person']!, ofList)).toBe('(false or at_least(40))');
  });

  test('for a person who isn’t the viewer: what they don’t see, as long as they are no administrator', () => {
    expect(unseenByPerson(columns)).toBe(`not ${seen(false, true)}`);
  });

  test('for a person in the groups of a list: who makes projects there, by what each of them says', () => {
    expect(makesProjectsInGroup('g.level', (atLeast) => `reaches(${atLeast})`)).toBe(
      `(g.level = 'noone' and false or g.level = 'administrator' and false or g.level = 'owner' and (false or reaches(50)) or g.level = 'maintainer' and (false or reaches(40)) or g.level = 'developer' and (false or reaches(30)))`,
    );
  });
});
