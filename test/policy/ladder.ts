import { expect } from 'vitest';
import { holds, operator, roles, type Condition, type Facts, type Viewer } from '../../src/policy/index.ts';

/** Viewers from the one who may least to the one who may most, to say a rule as the first who may. */

export const person = { id: 7, username: 'person', administrator: false, premium: false, external: false };
const session = { kind: 'session', sessionId: 1, recent: false, checkedAt: 'now' } as const;

/** A viewer with a person. */
export const as = (more: Partial<typeof person> = {}): Viewer => ({
  person: { ...person, ...more },
  credential: session,
});

interface Rung {
  readonly viewer: Viewer;
  readonly accessLevel: number;
}
const visitor = (viewer: Viewer): Rung => ({ viewer, accessLevel: 0 });

const rungs = {
  anonymous: visitor({ person: null, credential: null }),
  external: visitor(as({ external: true })),
  stranger: visitor(as()),
  ...(Object.fromEntries(
    Object.entries(roles).map(([role, accessLevel]) => [role, { viewer: as(), accessLevel }]),
  ) as Record<keyof typeof roles, Rung>),
  administrator: visitor(as({ administrator: true })),
};
export type Who = keyof typeof rungs;
const ladder = Object.keys(rungs) as Who[];

const visibilities = ['PRIVATE', 'INTERNAL', 'PUBLIC'] as const;
const featureLevels = ['disabled', 'private', 'enabled', 'public'] as const;

/** A private project that has all features, and whose jobs are public. */
const usual = {
  visibility: 'PRIVATE',
  levels: {
    issues: 'enabled',
    mergeRequests: 'enabled',
    snippets: 'enabled',
    repository: 'enabled',
    builds: 'enabled',
    environments: 'enabled',
  },
  publicJobs: true,
} as const satisfies Partial<Facts>;

export type More = Partial<Facts>;

/** All who may, from the one who may least on. */
export const everyone = (rule: Condition, more: More = {}, changed: Partial<typeof person> = {}): Who[] =>
  ladder.filter((who) => {
    const { viewer, accessLevel } = rungs[who];
    const changedViewer = viewer.person ? { ...viewer, person: { ...viewer.person, ...changed } } : viewer;
    return holds(rule, changedViewer, { ...usual, accessLevel, ...more });
  });

/** The first who may, and with them all above; `-` if no one may. */
export function first(rule: Condition, more: More = {}): Who | '-' {
  const may = everyone(rule, more);
  // The rule would be more than its first: no one above may do less.
  expect(may).toEqual(may.length > 0 ? ladder.slice(ladder.indexOf(may[0]!)) : []);
  return may[0] ?? '-';
}

/** The first who may in a private, an internal and a public project. */
export const byVisibility = (rule: Condition, more: More = {}): string =>
  visibilities.map((visibility) => first(rule, { ...more, visibility })).join(' ');

/** The same by the level of a feature. */
export const byLevel = (rule: Condition, feature: keyof typeof usual.levels, more: More = {}): Record<string, string> =>
  Object.fromEntries(
    featureLevels.map((level) => [
      level,
      byVisibility(rule, { ...more, levels: { ...usual.levels, ...more.levels, [feature]: level } }),
    ]),
  );

/** Whether the operator may, who has no account. */
export const operatorMay = (rule: Condition, more: More = {}): boolean =>
  holds(rule, operator, { ...usual, accessLevel: 0, ...more });
