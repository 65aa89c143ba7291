/** What clients make of planning: each subject with its results, as the scripts `*-planning.*` in this folder return them. */

const labelsOfProject = [
  ['bug', true],
  ['to do', true],
  ['wide', false],
];
const time = {
  time_estimate: 12_600,
  total_time_spent: 3_600,
  human_time_estimate: '3h 30m',
  human_total_time_spent: '1h',
};
const activity = ['closed Issue', 'opened Issue'];
const noLongerThere = 404;

export const planned = {
  labels: {
    renamed: ['to do', '#008000', 3],
    all: labelsOfProject,
    subscribed: [true, true, 304],
    unsubscribed: [false, false, 304],
    promoted: false,
    gone: noLongerThere,
  },
  milestones: {
    found: [['Spring', '2999-04-30']],
    closed: ['closed', ['Summer']],
    promoted: ['Spring'],
    gone: noLongerThere,
  },
  issues: {
    made: [1, ['bug', 'to do'], 'Spring', '2999-04-01', 'maintainer'],
    tasks: { count: 2, completed_count: 1 },
    'by two labels': ['Pump leaks'],
    'by one label': ['Only a bug', 'Pump leaks'],
    'without one': ['Only a bug'],
    'without any': [],
    'by iid': ['Only a bug'],
    'by milestone': ['Pump leaks'],
    'by text': ['Pump leaks'],
    everywhere: true,
    'of the group': ['Pump leaks'],
    'of the milestone': ['Pump leaks'],
    counts: { all: 2, closed: 0, opened: 2 },
    changed: ['The pump leaks', ['bug'], ['bug']],
  },
  discussions: {
    edited: ['Where is it?', 'Which one?'],
    thread: [false, ['DiscussionNote', 'DiscussionNote']],
    resolved: [true, true],
    left: ['Where is it?', 'At the valve.'],
    'award of a note': ['tractor', 'Note', ['tractor']],
    gone: noLongerThere,
  },
  time: { estimated: '3h 30m', spent: '1h', both: time, 'nothing left': [0, 0], nonsense: 400 },
  awards: { given: ['thumbsup', 1], twice: 404, none: 404, listed: ['thumbsup'], 'taken back': [] },
  subscriptions: { unsubscribed: [false, 304], subscribed: [true, 304], participants: ['maintainer'] },
  links: { linked: [1, 2], twice: 409, listed: [['Only a bug', 'relates_to']], gone: [] },
  todos: {
    made: [['marked', 'Issue', ['bug'], 'pending']],
    twice: 304,
    'one done': ['done', 0],
    assigned: ['assigned'],
    'all done': 0,
  },
  'quick actions': {
    summary: ['Closed this issue.', 'Set time estimate to 2h.'],
    state: ['closed', '2h'],
    'with a text': 'Again.',
    reopened: 'opened',
  },
  history: {
    labels: [
      ['add', 'bug'],
      ['add', 'to do'],
      ['remove', 'to do'],
    ],
    states: ['closed', 'reopened'],
    milestones: [['add', 'Spring']],
    one: true,
    activity,
    closings: ['The pump leaks'],
  },
  moves: { moved: [true, 'Apples', 'closed'], 'left behind': true, gone: noLongerThere },
  snippets: {
    personal: ['Sum', 'sum.py', '2 + 2\n', true],
    'of a project': ['Sum', 'sum.py', '2 + 2\n', true],
    note: ['Right.', 'Snippet'],
    'several files': [['a.txt', 'docs/b.txt'], 'B'],
    gone: noLongerThere,
  },
  markdown: { bold: true, link: true },
};

const { counts: _counts, 'of the group': _ofGroup, ...issuesOfRuby } = planned.issues;

/** ruby-gitlab takes the empty answer with status 304 for a record without members. It has no threads, and no history of milestones. */
export const plannedByRuby = {
  ...planned,
  labels: {
    ...planned.labels,
    subscribed: [true, true, {}],
    unsubscribed: [false, false, {}],
    promoted: 'to do',
  },
  issues: issuesOfRuby,
  discussions: {
    edited: 'Where is it?',
    'award of a note': planned.discussions['award of a note'],
    left: ['Where is it?'],
    gone: noLongerThere,
  },
  subscriptions: { unsubscribed: false, subscribed: true, 'nothing to do': {}, participants: ['maintainer'] },
  todos: {
    made: planned.todos.made,
    'one done': planned.todos['one done'],
    assigned: planned.todos.assigned,
    'all done': 0,
  },
  history: {
    labels: planned.history.labels,
    states: planned.history.states,
    activity,
    closings: planned.history.closings,
  },
  snippets: { ...planned.snippets, 'several files': ['a.txt', 'docs/b.txt'] },
};

/** go-gitlab 0.73 can't resolve a thread of an issue, nor read the answer to a comment of commands alone. */
export const plannedByGo = {
  ...planned,
  labels: { ...planned.labels, subscribed: [true, true, true], unsubscribed: false },
  milestones: {
    found: planned.milestones.found,
    closed: planned.milestones.closed,
    group: 'Autumn',
    gone: noLongerThere,
  },
  issues: { ...planned.issues, details: 'bug' },
  discussions: {
    edited: planned.discussions.edited,
    thread: planned.discussions.thread,
    all: true,
    left: planned.discussions.left,
    'award of a note': planned.discussions['award of a note'],
    gone: noLongerThere,
  },
  subscriptions: { unsubscribed: false, subscribed: true, 'nothing to do': 304, participants: ['maintainer'] },
  todos: { ...planned.todos, 'one done': 0 },
  'quick actions': { status: 202, state: ['closed', '2h'], 'with a text': 'Again.', reopened: 'opened' },
  history: {
    labels: ['add bug', 'add to do', 'remove to do'],
    states: planned.history.states,
    milestones: planned.history.milestones,
    activity,
    closings: planned.history.closings,
  },
  snippets: { ...planned.snippets, 'several files': ['a.txt', 'docs/b.txt'] },
};
