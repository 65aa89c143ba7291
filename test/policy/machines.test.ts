import { expect, test } from 'vitest';
import { Forbidden, Unauthenticated } from '../../src/errors.ts';
import {
  actorOf,
  admit,
  anonymous,
  client,
  codeReads,
  fetches,
  makesCredential,
  operator,
  pushes,
  reachesProject,
  reads,
  trigger,
  writes,
  type Admission,
  type Credential,
  type Viewer,
} from '../../src/policy/index.ts';
import { anyPerson } from '../../src/policy/viewer.ts';
import { as, person } from './ladder.ts';

/** What deploy keys, triggers, jobs, runners and the tokens of pages reach, and whose their changes are. */

const of = (credential: Credential): Viewer => ({ person: null, credential });
const personal = (more: { ofPage?: true; scopes?: ['read_api'] } = {}): Viewer => ({
  person,
  credential: { kind: 'personal', tokenId: 1, scopes: ['api'], ...more },
});
const viewers = {
  anonymous,
  'deploy key': of({ kind: 'deploy_key', keyId: 1, reads: [1], writes: [], creatorId: 9 }),
  trigger,
  job: { person, credential: { kind: 'job', jobId: 1, projectId: 5, pipelineId: 1 } },
  runner: of({ kind: 'runner', runnerId: 1 }),
  registration: of({ kind: 'registration', projectId: null, groupId: null }),
} satisfies Record<string, Viewer>;

function outcome(viewer: Viewer, admission: Admission): string {
  try {
    admit(viewer, admission);
    return 'passes';
  } catch (error) {
    return error instanceof Unauthenticated ? 'who?' : (error as Error).message;
  }
}

const toGit = 'An SSH key can do this only with git.';
const noToken = 'A token can’t do this; it needs a person who is signed in.';
const ofJobs = 'A job can only fetch from its own project.';
const onlyJob = 'Only a job that runs can do this.';
const onlyTrigger = 'Only a trigger or a job that runs can do this.';
const onlyRunner = 'Only a runner can do this.';
const onlyOperator = 'Only the operator can do this.';

test.each<[what: string, admission: Admission, outcomes: string[]]>([
  ['a query', { class: 'token', scopes: reads }, ['who?', toGit, 'who?', 'who?', 'who?', 'who?']],
  [
    'what is public',
    { class: 'token', scopes: reads, anonymous: true },
    ['passes', toGit, 'who?', 'who?', 'who?', 'who?'],
  ],
  [
    'what jobs do, too',
    { class: 'token', scopes: writes, job: true },
    ['who?', toGit, 'who?', 'passes', 'who?', 'who?'],
  ],
  ['what needs a session', { class: 'session' }, ['who?', noToken, noToken, noToken, noToken, noToken]],
  ['a fetch', { class: 'git', scopes: fetches, job: true }, ['who?', 'passes', ofJobs, 'passes', ofJobs, ofJobs]],
  ['a push', { class: 'git', scopes: pushes }, ['who?', 'passes', ofJobs, ofJobs, ofJobs, ofJobs]],
  ['the door of jobs', { class: 'job' }, ['who?', onlyJob, onlyJob, 'passes', onlyJob, onlyJob]],
  ['the door of triggers', { class: 'trigger' }, ['who?', onlyTrigger, 'passes', 'passes', onlyTrigger, onlyTrigger]],
  ['the door of runners', { class: 'runner' }, ['who?', onlyRunner, onlyRunner, onlyRunner, 'passes', onlyRunner]],
  [
    'registering a runner',
    { class: 'runner', registration: true },
    ['who?', onlyRunner, onlyRunner, onlyRunner, onlyRunner, 'passes'],
  ],
  [
    'a command',
    { class: 'operator' },
    [onlyOperator, onlyOperator, onlyOperator, onlyOperator, onlyOperator, onlyOperator],
  ],
])(
  '%s is for anonymous, a deploy key, a trigger, a job, a runner, a registration token',
  (_what, admission, outcomes) => {
    expect(Object.values(viewers).map((viewer) => outcome(viewer, admission))).toEqual(outcomes);
    expect(outcome(operator, admission)).toBe('passes');
  },
);

test('people and their tokens have none of the doors of machines', () => {
  for (const viewer of [as(), personal(), client]) {
    expect(outcome(viewer, { class: 'job' })).toBe(onlyJob);
    expect(outcome(viewer, { class: 'trigger' })).toBe(onlyTrigger);
    expect(outcome(viewer, { class: 'runner' })).toBe(onlyRunner);
    expect(outcome(viewer, { class: 'operator' })).toBe(onlyOperator);
  }
});

test('the token of a page makes no credential, and has no power over them', () => {
  const ofPage = personal({ ofPage: true });
  const refusal = new Forbidden('The token of a page can’t make another credential.');
  expect(() => admit(ofPage, makesCredential)).toThrow(refusal);
  expect([outcome(personal(), makesCredential), outcome(as(), makesCredential)]).toEqual(['passes', 'passes']);
  expect(outcome(ofPage, { class: 'token', scopes: writes })).toBe('passes');
  const personalToken = { class: 'session', personalToken: writes } as const;
  expect([outcome(personal(), personalToken), outcome(ofPage, personalToken)]).toEqual(['passes', noToken]);
  expect(outcome(ofPage, { class: 'session', personalToken: reads })).toBe('passes');
});

test('SQL about people in general is made for one without any right', () => {
  const nothing = { administrator: false, premium: false, external: false };
  expect(anyPerson).toEqual({ person: { id: 0, username: '', ...nothing }, credential: null });
});

test('the scopes of reads and writes, of code and of git', () => {
  expect({ reads, writes, codeReads, fetches, pushes, makesCredential }).toEqual({
    reads: ['api', 'read_api'],
    writes: ['api'],
    codeReads: ['api', 'read_api', 'read_repository'],
    fetches: ['api', 'read_api', 'read_repository', 'write_repository'],
    pushes: ['api', 'write_repository'],
    makesCredential: { class: 'token', scopes: ['api'], makesCredential: true },
  });
});

test('a change is its person’s, with a deploy key that of who added it, and else no one’s', () => {
  const gone = of({ kind: 'deploy_key', keyId: 1, reads: [], writes: [], creatorId: null });
  expect([as(), viewers.job, viewers['deploy key'], gone, anonymous, operator].map(actorOf)).toEqual([
    7,
    7,
    9,
    null,
    null,
    null,
  ]);
});

test('the token of a job reaches its own project, any other credential all', () => {
  expect([5, 6].map((project) => reachesProject(viewers.job, project))).toEqual([true, false]);
  for (const viewer of [anonymous, as(), operator, viewers['deploy key']]) expect(reachesProject(viewer, 6)).toBe(true);
});
