import { describe, expect, test } from 'vitest';
import { Forbidden, InsufficientScope, SignInAgain, Unauthenticated } from '../../src/errors.ts';
import {
  admit,
  anonymous,
  client,
  covers,
  fetches,
  isAdministrator,
  operator,
  pushes,
  reads,
  roles,
  scopes,
  writes,
  type Admission,
  type Credential,
  type Person,
  type Scope,
  type Viewer,
} from '../../src/policy/index.ts';

/** Admission as one table: every kind of viewer by every kind of admission. */

const person: Person = { id: 7, username: 'person', administrator: false, premium: false, external: false };
const oauth: Extract<Credential, { kind: 'oauth' }> = {
  kind: 'oauth',
  tokenId: 1,
  scopes: ['read_api'],
  application: null,
  createdAt: new Date(0),
  expiresAt: null,
};
const session: Extract<Credential, { kind: 'session' }> = {
  kind: 'session',
  sessionId: 1,
  recent: false,
  checkedAt: 'now',
};

const viewers = {
  anonymous,
  client,
  operator,
  'a personal token with api': { person, credential: { kind: 'personal', tokenId: 1, scopes: ['api'] } },
  'a personal token with read_user': { person, credential: { kind: 'personal', tokenId: 1, scopes: ['read_user'] } },
  'an access token with read_api': { person, credential: oauth },
  'an application for itself': { person: null, credential: oauth },
  'a personal token with sudo, as another': {
    person,
    actor: { ...person, id: 1 },
    credential: { kind: 'personal', tokenId: 1, scopes: ['api', 'sudo'] },
  },
  'a session': { person, credential: session },
  'a recent session': { person, credential: { ...session, recent: true } },
  'a name and password': { person, credential: { kind: 'password' } },
  'an SSH key': { person, credential: { kind: 'key', keyId: 1 } },
  'a job': { person, credential: { kind: 'job', jobId: 1, projectId: 1, pipelineId: 1 } },
  'a runner': { person: null, credential: { kind: 'runner', runnerId: 1 } },
  'a registration token': { person: null, credential: { kind: 'registration', projectId: null, groupId: null } },
} satisfies Record<string, Viewer>;
type Name = keyof typeof viewers;

const passes = 'passes';
const unauthenticated = new Unauthenticated();
const insufficient = (accepted: readonly string[]) => new InsufficientScope(accepted);
const noToken = new Forbidden('A token can’t do this; it needs a person who is signed in.');
const inAnothersName = new Forbidden('Nobody can do this in another’s name.');
const noClient = new Forbidden('Only an OAuth client can do this.');
const onlyOwn = new Forbidden('A job can only fetch from its own project.');
const onlyJob = new Forbidden('Only a job that runs can do this.');
const onlyRunner = new Forbidden('Only a runner can do this.');
const onlyGit = new Forbidden('Only git can do this.');
const noKey = new Forbidden('An SSH key can do this only with git.');
const noPassword = new Forbidden('A password can do this only with git.');

const rows: [what: string, admission: Admission, outcomes: Record<Name, Error | typeof passes>][] = [
  [
    'a query',
    { class: 'token', scopes: reads },
    {
      anonymous: unauthenticated,
      client: unauthenticated,
      operator: passes,
      'a personal token with api': passes,
      'a personal token with read_user': insufficient(['api', 'read_api']),
      'an access token with read_api': passes,
      'an application for itself': unauthenticated,
      'a personal token with sudo, as another': passes,
      'a session': passes,
      'a recent session': passes,
      'a name and password': noPassword,
      'an SSH key': noKey,
      'a job': unauthenticated,
      'a runner': unauthenticated,
      'a registration token': unauthenticated,
    },
  ],
  [
    'a change',
    { class: 'token', scopes: writes },
    {
      anonymous: unauthenticated,
      client: unauthenticated,
      operator: passes,
      'a personal token with api': passes,
      'a personal token with read_user': insufficient(['api']),
      'an access token with read_api': insufficient(['api']),
      'an application for itself': insufficient(['api']),
      'a personal token with sudo, as another': passes,
      'a session': passes,
      'a recent session': passes,
      'a name and password': noPassword,
      'an SSH key': noKey,
      'a job': unauthenticated,
      'a runner': unauthenticated,
      'a registration token': unauthenticated,
    },
  ],
  [
    'what is public',
    { class: 'token', scopes: reads, anonymous: true },
    {
      anonymous: passes,
      client: passes,
      operator: passes,
      'a personal token with api': passes,
      'a personal token with read_user': insufficient(['api', 'read_api']),
      'an access token with read_api': passes,
      'an application for itself': passes,
      'a personal token with sudo, as another': passes,
      'a session': passes,
      'a recent session': passes,
      'a name and password': noPassword,
      'an SSH key': noKey,
      'a job': unauthenticated,
      'a runner': unauthenticated,
      'a registration token': unauthenticated,
    },
  ],
  [
    'what any token reaches, an application’s own too',
    { class: 'token', scopes: 'any', application: true },
    {
      anonymous: unauthenticated,
      client: unauthenticated,
      operator: passes,
      'a personal token with api': passes,
      'a personal token with read_user': passes,
      'an access token with read_api': passes,
      'an application for itself': passes,
      'a personal token with sudo, as another': passes,
      'a session': passes,
      'a recent session': passes,
      'a name and password': noPassword,
      'an SSH key': noKey,
      'a job': unauthenticated,
      'a runner': unauthenticated,
      'a registration token': unauthenticated,
    },
  ],
  [
    'what a person signed in may',
    { class: 'session' },
    {
      anonymous: unauthenticated,
      client: noToken,
      operator: passes,
      'a personal token with api': noToken,
      'a personal token with read_user': noToken,
      'an access token with read_api': noToken,
      'an application for itself': noToken,
      'a personal token with sudo, as another': inAnothersName,
      'a session': passes,
      'a recent session': passes,
      'a name and password': noToken,
      'an SSH key': noToken,
      'a job': noToken,
      'a runner': noToken,
      'a registration token': noToken,
    },
  ],
  [
    'what grants power',
    { class: 'session', recent: true },
    {
      anonymous: unauthenticated,
      client: noToken,
      operator: passes,
      'a personal token with api': noToken,
      'a personal token with read_user': noToken,
      'an access token with read_api': noToken,
      'an application for itself': noToken,
      'a personal token with sudo, as another': inAnothersName,
      'a session': new SignInAgain(),
      'a recent session': passes,
      'a name and password': noToken,
      'an SSH key': noToken,
      'a job': noToken,
      'a runner': noToken,
      'a registration token': noToken,
    },
  ],
  [
    'what a personal token may too, over the routes of version 4',
    { class: 'session', recent: true, personalToken: ['api', 'read_api'] },
    {
      anonymous: unauthenticated,
      client: noToken,
      operator: passes,
      'a personal token with api': passes,
      'a personal token with read_user': insufficient(['api', 'read_api']),
      'an access token with read_api': noToken,
      'an application for itself': noToken,
      'a personal token with sudo, as another': inAnothersName,
      'a session': new SignInAgain(),
      'a recent session': passes,
      'a name and password': noToken,
      'an SSH key': noToken,
      'a job': noToken,
      'a runner': noToken,
      'a registration token': noToken,
    },
  ],
  [
    'signing in',
    { class: 'session', anonymous: true },
    {
      anonymous: passes,
      client: noToken,
      operator: passes,
      'a personal token with api': noToken,
      'a personal token with read_user': noToken,
      'an access token with read_api': noToken,
      'an application for itself': noToken,
      'a personal token with sudo, as another': inAnothersName,
      'a session': passes,
      'a recent session': passes,
      'a name and password': noToken,
      'an SSH key': noToken,
      'a job': noToken,
      'a runner': noToken,
      'a registration token': noToken,
    },
  ],
  [
    'an endpoint for clients',
    { class: 'client' },
    {
      anonymous: noClient,
      client: passes,
      operator: passes,
      'a personal token with api': noClient,
      'a personal token with read_user': noClient,
      'an access token with read_api': noClient,
      'an application for itself': noClient,
      'a personal token with sudo, as another': noClient,
      'a session': noClient,
      'a recent session': noClient,
      'a name and password': noClient,
      'an SSH key': noClient,
      'a job': noClient,
      'a runner': noClient,
      'a registration token': noClient,
    },
  ],
  [
    'a fetch',
    { class: 'git', scopes: fetches, anonymous: true, job: true },
    {
      anonymous: passes,
      client: onlyGit,
      operator: passes,
      'a personal token with api': passes,
      'a personal token with read_user': insufficient(['api', 'read_api', 'read_repository', 'write_repository']),
      'an access token with read_api': passes,
      'an application for itself': unauthenticated,
      'a personal token with sudo, as another': passes,
      'a session': onlyGit,
      'a recent session': onlyGit,
      'a name and password': passes,
      'an SSH key': passes,
      'a job': passes,
      'a runner': onlyOwn,
      'a registration token': onlyOwn,
    },
  ],
  [
    'a push',
    { class: 'git', scopes: pushes },
    {
      anonymous: unauthenticated,
      client: onlyGit,
      operator: passes,
      'a personal token with api': passes,
      'a personal token with read_user': insufficient(['api', 'write_repository']),
      'an access token with read_api': insufficient(['api', 'write_repository']),
      'an application for itself': insufficient(['api', 'write_repository']),
      'a personal token with sudo, as another': passes,
      'a session': onlyGit,
      'a recent session': onlyGit,
      'a name and password': passes,
      'an SSH key': passes,
      'a job': onlyOwn,
      'a runner': onlyOwn,
      'a registration token': onlyOwn,
    },
  ],
  [
    'what a job does',
    { class: 'job' },
    {
      anonymous: unauthenticated,
      client: onlyJob,
      operator: passes,
      'a personal token with api': onlyJob,
      'a personal token with read_user': onlyJob,
      'an access token with read_api': onlyJob,
      'an application for itself': onlyJob,
      'a personal token with sudo, as another': onlyJob,
      'a session': onlyJob,
      'a recent session': onlyJob,
      'a name and password': onlyJob,
      'an SSH key': onlyJob,
      'a job': passes,
      'a runner': onlyJob,
      'a registration token': onlyJob,
    },
  ],
  [
    'what a runner does',
    { class: 'runner' },
    {
      anonymous: unauthenticated,
      client: onlyRunner,
      operator: passes,
      'a personal token with api': onlyRunner,
      'a personal token with read_user': onlyRunner,
      'an access token with read_api': onlyRunner,
      'an application for itself': onlyRunner,
      'a personal token with sudo, as another': onlyRunner,
      'a session': onlyRunner,
      'a recent session': onlyRunner,
      'a name and password': onlyRunner,
      'an SSH key': onlyRunner,
      'a job': onlyRunner,
      'a runner': passes,
      'a registration token': onlyRunner,
    },
  ],
  [
    'registering a runner',
    { class: 'runner', registration: true },
    {
      anonymous: unauthenticated,
      client: onlyRunner,
      operator: passes,
      'a personal token with api': onlyRunner,
      'a personal token with read_user': onlyRunner,
      'an access token with read_api': onlyRunner,
      'an application for itself': onlyRunner,
      'a personal token with sudo, as another': onlyRunner,
      'a session': onlyRunner,
      'a recent session': onlyRunner,
      'a name and password': onlyRunner,
      'an SSH key': onlyRunner,
      'a job': onlyRunner,
      'a runner': onlyRunner,
      'a registration token': passes,
    },
  ],
  [
    'what a job may do, too',
    { class: 'token', scopes: writes, job: true },
    {
      anonymous: unauthenticated,
      client: unauthenticated,
      operator: passes,
      'a personal token with api': passes,
      'a personal token with read_user': insufficient(['api']),
      'an access token with read_api': insufficient(['api']),
      'an application for itself': insufficient(['api']),
      'a personal token with sudo, as another': passes,
      'a session': passes,
      'a recent session': passes,
      'a name and password': noPassword,
      'an SSH key': noKey,
      'a job': passes,
      'a runner': unauthenticated,
      'a registration token': unauthenticated,
    },
  ],
];

function outcome(viewer: Viewer, admission: Admission): unknown {
  try {
    admit(viewer, admission);
    return passes;
  } catch (error) {
    return error;
  }
}

describe.each(rows)('%s', (_what, admission, outcomes) => {
  test.each(Object.entries(outcomes) as [Name, Error | string][])('before %s', (name, expected) => {
    const found = outcome(viewers[name], admission);
    expect(found).toEqual(expected);
    if (expected instanceof Error)
      expect([found!.constructor, (found as Error).message]).toEqual([expected.constructor, expected.message]);
    if (expected instanceof InsufficientScope) expect(found).toMatchObject({ accepted: expected.accepted });
  });
});

test('an administrator is a person who is one, or the operator; no token makes one', () => {
  const administrators = [
    ...Object.values(viewers),
    { person: { ...person, administrator: true }, credential: session },
    { person: { ...person, administrator: true }, credential: null },
  ].filter((viewer) => isAdministrator(viewer));
  expect(administrators.map(({ person: someone, credential }) => someone?.username ?? credential?.kind)).toEqual([
    'operator',
    'person',
    'person',
  ]);
});

test('roles and scopes are those of the interface', () => {
  expect(roles).toEqual({ guest: 10, planner: 15, reporter: 20, developer: 30, maintainer: 40, owner: 50 });
  expect(scopes).toEqual([
    'api',
    'read_api',
    'read_user',
    'read_repository',
    'write_repository',
    'profile',
    'email',
    'sudo',
  ]);
});

test.each<[have: Scope[], held: Scope[]]>([
  [[], []],
  [['api'], ['api', 'read_api', 'read_user', 'read_repository', 'write_repository', 'profile', 'email']],
  [['read_api'], ['read_api', 'read_user', 'profile', 'email']],
  [['read_user'], ['read_user', 'profile', 'email']],
  [['read_repository'], ['read_repository']],
  [['write_repository'], ['write_repository']],
  [['profile'], ['profile']],
  [['email'], ['email']],
  [['sudo'], ['sudo']],
  [
    ['email', 'sudo'],
    ['email', 'sudo'],
  ],
])('the scopes %j cover %j and no others', (have, held) => {
  expect(scopes.filter((scope) => covers(have, [scope]))).toEqual(held);
  expect([covers(have, held), covers(have, scopes)]).toEqual([true, false]);
});
