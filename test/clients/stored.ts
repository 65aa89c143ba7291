/** What clients make of a repository: each subject with its results, as `ruby-code.rb` and `go-code.go` return them. */

const noLongerThere = 404;
const refused = 400;

const files = {
  made: ['c/d e.txt', 'main'],
  changed: ['c/d e.txt', 'Ann'],
  read: ['d e.txt', 'c/d e.txt', 2, 'base64', 'C\n', 'main', false],
  commits: [true, true],
  raw: 'C\n',
  blame: [
    ['Begin', ['one']],
    ['Go on', ['2']],
  ],
  twice: refused,
  stale: refused,
  gone: noLongerThere,
};

const protectedBranches = {
  made: ['topic/*', true],
  levels: [[40], [30]],
  words: 'Maintainers',
  listed: ['main', 'topic/*'],
  twice: 409,
  branch: [true, true],
  gone: [noLongerThere, false],
};

export const stored = {
  commits: {
    made: ['Go on', 'Go on\n\nWith more.', true, 'Mary Maintainer', { additions: 1, deletions: 1, total: 2 }],
    one: [true, true],
    listed: ['Go on', 'Begin'],
    'of a path': ['Go on'],
    'with statistics': [2, 4],
    diff: [
      ['a.txt', 'a.txt', '100644', '100644', false, false, false],
      ['docs/b.md', 'docs/c.md', '100644', '100644', false, true, false],
      ['run.sh', 'run.sh', '100644', '100755', false, false, false],
    ],
    refs: [['branch', 'main']],
    picked: ['Go on', true],
    reverted: ['Revert "Go on"', true],
    'nothing to revert': refused,
    commented: ['Why?', 'a.txt', 2, 'maintainer'],
    comments: ['Why?'],
    statuses: [],
    requests: [],
    'not signed': noLongerThere,
    'nothing changed': refused,
    gone: noLongerThere,
  },
  files,
  contents: {
    tree: [
      ['docs', 'tree', '040000'],
      ['a.txt', 'blob', '100644'],
      ['docs/c.md', 'blob', '100644'],
      ['run.sh', 'blob', '100755'],
    ],
    'of a folder': [['c.md', 'docs/c.md']],
    'no such folder': noLongerThere,
    blob: [6, 'base64', 'one\n2\n', true],
    'raw blob': 'one\n2\n',
    'no such blob': noLongerThere,
    'tar.gz': '1f8b',
    zip: 'PK',
    'no such archive': noLongerThere,
  },
  branches: {
    made: ['topic/a+b', true, true],
    started: true,
    at: true,
    default: ['main'],
    shown: [false, false, false, true, false, false],
    listed: ['behind', 'main', 'started', 'topic/a+b'],
    found: ['topic/a+b'],
    twice: refused,
    'of nothing': refused,
    'the default': refused,
    'not merged': ['main', 'started', 'topic/a+b'],
    gone: [noLongerThere, noLongerThere],
  },
  'protected branches': protectedBranches,
  tags: {
    made: ['v2', 'The second', true, false, false, null],
    light: ['v1/a', '', true, true],
    rule: ['v*', [[40, 'Maintainers']]],
    rules: [['v*'], 'v*'],
    listed: ['v1/a', 'v2'],
    found: ['v2'],
    refs: ['v1/a', 'v2'],
    twice: refused,
    'of nothing': refused,
    gone: [noLongerThere, noLongerThere],
    left: [['v2'], []],
  },
  comparing: {
    compared: ['Topic', ['Topic'], ['t.txt']],
    flags: [false, false],
    same: [null, [], [], true],
    'merge base': true,
    'no merge base': refused,
    contributors: [
      ['Mary Maintainer', 4],
      ['Ann', 1],
    ],
    'to nothing': noLongerThere,
  },
  forks: {
    made: [true],
    listed: [true],
    branches: ['main', 'topic/a+b'],
    tags: ['v2'],
    apart: ['In the fork', noLongerThere],
  },
};

/** go-gitlab also asks for a file without its content, and protects a branch by its own address. */
export const storedByGo = {
  ...stored,
  files: { ...files, described: true },
  'protected branches': { ...protectedBranches, 'by the branch': [true, true, false] },
};
