/** What clients make of pipelines: each subject with its results, as the scripts `*-pipelines.*` in this folder return them. */

const noLongerThere = 404;

export const piped = {
  pipelines: {
    made: ['pending', 'api', 'main'],
    variables: [['NAME', 'x']],
    listed: [true],
    jobs: ['ship', 'compile'],
    bridges: [],
    report: [0, []],
    canceled: 'canceled',
    retried: 'pending',
    'no such branch': 400,
    gone: noLongerThere,
  },
  jobs: {
    shown: ['compile', 'build', 'pending', []],
    listed: true,
    canceled: 'canceled',
    retried: ['pending', true],
    log: '',
    early: 400,
    'no artifacts': noLongerThere,
  },
  triggers: {
    made: ['maintainer', 'glptt-'],
    run: ['pending', 'trigger', 'y'],
    changed: ['Daily'],
    'wrong token': 404,
    left: [],
  },
  variables: {
    read: ['y', 'env_var', false, false],
    listed: ['NAME'],
    gone: noLongerThere,
  },
  schedules: {
    made: ['0 3 * * *', true, 'maintainer'],
    variables: [['NAME', 'x']],
    played: '201 Created',
    changed: ['Weekly'],
    left: [],
  },
  environments: {
    made: ['review/a', 'review-a-', 'available'],
    deployed: ['success', 'main', true],
    early: 403,
    stopped: 'stopped',
    gone: noLongerThere,
  },
  runners: {
    made: [true, 'Builder', ['arm', 'linux'], 'project_type'],
    'of the project': ['Builder'],
    jobs: [],
    paused: true,
    gone: noLongerThere,
  },
  lint: {
    'of the project': [true, []],
    'of a text': [false, true],
    'of the instance': 'valid',
  },
};

/** go-gitlab gives the status instead of the message. */
export const pipedByGo = { ...piped, schedules: { ...piped.schedules, played: 201 } };
