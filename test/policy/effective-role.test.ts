import { expect, test } from 'vitest';
import { effectiveRole, type GroupWithRoles, type ProjectWithRoles } from '../../src/policy/effective-role.ts';

/** The role of a person in a place, case by case. `effective-roles.test.ts` compares it with the SQL over random places. */

const today = '2026-03-10';
const ann = 1;
const bea = 2;
const member = (userId: number, accessLevel: number, expiresOn: string | null = null) => ({
  userId,
  accessLevel,
  expiresOn,
});
const share = (invited: GroupWithRoles, accessLevel: number, expiresOn: string | null = null) => ({
  invited,
  accessLevel,
  expiresOn,
});
const group = (more: Partial<GroupWithRoles> = {}): GroupWithRoles => ({
  parent: null,
  members: [],
  shares: [],
  shareWithGroupLock: false,
  ...more,
});
const project = (more: Partial<ProjectWithRoles> = {}): ProjectWithRoles => ({
  group: null,
  ownerId: null,
  members: [],
  shares: [],
  ...more,
});

const withAnn = (level: number) => group({ members: [member(ann, level)] });
/** Ann has a role above it only. */
const below = (level: number) => group({ parent: withAnn(level) });

test.each<[what: string, place: GroupWithRoles | ProjectWithRoles, role: number]>([
  ['a group of others', group({ members: [member(bea, 50)] }), 0],
  ['a group', withAnn(30), 30],
  ['a group below one', below(30), 30],
  ['a group two below one', group({ parent: below(30) }), 30],
  ['a group, with more above it', group({ parent: withAnn(40), members: [member(ann, 20)] }), 40],
  ['a group, with less above it', group({ parent: withAnn(10), members: [member(ann, 20)] }), 20],
  ['a group until tomorrow', group({ members: [member(ann, 30, '2026-03-11')] }), 30],
  ['a group until today', group({ members: [member(ann, 30, today)] }), 0],
  ['a group until yesterday', group({ members: [member(ann, 30, '2026-03-09')] }), 0],

  ['a group shared for less than one has', group({ shares: [share(withAnn(40), 20)] }), 20],
  ['a group shared for more than one has', group({ shares: [share(withAnn(20), 40)] }), 20],
  ['a group shared with several', group({ shares: [share(withAnn(20), 40), share(withAnn(30), 40)] }), 30],
  ['a group shared until today', group({ shares: [share(withAnn(20), 40, today)] }), 0],
  [
    'a group shared with one that is being removed',
    group({ shares: [share({ ...withAnn(20), removed: true }, 40)] }),
    0,
  ],
  ['a group shared with one below one’s own', group({ shares: [share(below(30), 40)] }), 0],
  ['a group below a shared one', group({ parent: group({ shares: [share(withAnn(20), 40)] }) }), 20],

  ['a project of others', project({ ownerId: bea, members: [member(bea, 40)] }), 0],
  ['one’s own project', project({ ownerId: ann }), 50],
  ['a project', project({ members: [member(ann, 30)] }), 30],
  ['a project until today', project({ members: [member(ann, 30, today)] }), 0],
  ['a project of a group', project({ group: withAnn(30) }), 30],
  ['a project of a group below one', project({ group: below(30) }), 30],
  ['a project, with more in its group', project({ group: withAnn(40), members: [member(ann, 20)] }), 40],
  ['a project, with less in its group', project({ group: withAnn(10), members: [member(ann, 20)] }), 20],
  ['a project shared with a group', project({ shares: [share(withAnn(30), 20)] }), 20],
  ['a project shared with a group below one’s own', project({ shares: [share(below(30), 40)] }), 30],
  ['a project of a group, shared with another', project({ group: group(), shares: [share(withAnn(30), 40)] }), 30],
  [
    'a project shared, in a group that locks shares',
    project({ group: group({ shareWithGroupLock: true }), shares: [share(withAnn(30), 40)] }),
    0,
  ],
  [
    'a project of a shared group that locks shares of its projects',
    project({ group: group({ shareWithGroupLock: true, shares: [share(withAnn(30), 40)] }) }),
    30,
  ],
])('%s', (_what, place, role) => {
  expect(effectiveRole(place, ann, today)).toBe(role);
});
