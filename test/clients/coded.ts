/** What clients make of code: each subject with its results, as the scripts `*-code.*` in this folder return them. */

const noLongerThere = 404;

export const coded = {
  commits: {
    made: ['Begin', true, { additions: 1, deletions: 1, total: 2 }],
    listed: ['Go on', 'Begin'],
    'of a path': ['Begin'],
    diff: [['a.txt', false]],
    refs: ['main'],
    gone: noLongerThere,
  },
  files: {
    read: ['d e.txt', 2, 'C\n'],
    raw: 'C\n',
    gone: noLongerThere,
    tree: [
      ['docs', 'tree'],
      ['a.txt', 'blob'],
      ['docs/b.md', 'blob'],
    ],
    archive: true,
    blame: [1, 1],
  },
  branches: {
    listed: ['main', 'topic'],
    at: true,
    tag: ['v1', 'First', ['v1']],
    compared: [['Topic'], ['t.txt']],
    rule: 40,
    protected: [true, 30, 0],
    gone: noLongerThere,
  },
  'merge requests': {
    made: [1, true, ['code'], 'maintainer'],
    twice: 409,
    changed: ['A topic', false],
    'by branch': ['A topic'],
    'by label': ['A topic'],
    everywhere: true,
    commits: ['Topic'],
    changes: ['t.txt'],
    versions: [40],
    'of the commit': [1],
    participants: ['maintainer'],
  },
  reviews: {
    note: ['Why?', 'MergeRequest'],
    thread: ['DiffNote', 1],
    resolved: [true, true],
    awards: 1,
  },
  statuses: {
    running: ['running', 'external'],
    done: ['success', 'build', 12.5],
    pipeline: ['success', '12.50', true],
    'of the request': ['success'],
    head: 'success',
    listed: ['build'],
  },
  merging: {
    'wrong head': 409,
    merged: ['merged', 'maintainer', 40],
    twice: 405,
    'in the target': 't\n',
    issues: [],
  },
};
