/** What clients make of a merge request, from its branch to the closed issue: the results of the scripts `*-reviews.*`. */
export const reviewed = {
  opening: {
    made: [1, true, ['code'], 'maintainer'],
    twice: 409,
    found: ['A topic'],
    changed: ['A topic', false],
    commits: ['Topic'],
    changes: ['t.txt'],
    participants: ['maintainer'],
    closes: ['To do'],
  },
  reviewing: {
    thread: ['DiffNote', 1],
    resolved: true,
    versions: 1,
  },
  merging: {
    'wrong head': 409,
    waits: [true, 'opened'],
    merged: ['merged', 'maintainer'],
    twice: 405,
    issue: 'closed',
    branch: 404,
  },
};
