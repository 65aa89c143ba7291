import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { commandOf, environmentOf, isInstalled, type PackagedClient } from '../support/run/packaged.ts';
import { png } from '../support/places/pictures.ts';
import { writtenAttributes } from './attributes.ts';
import { coded } from './coded.ts';
import { piped, pipedByGo } from './piped.ts';
import { planned, plannedByGo, plannedByRuby } from './planned.ts';
import { reviewed } from './reviewed.ts';
import { stored, storedByGo } from './stored.ts';

/** Unmodified API clients from Debian packages, driven by the scripts in this folder. */

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await testGateway();
});

/** @param expected the script's result for each subject */
function drive(client: PackagedClient, expected: Record<string, unknown>): void {
  describe.skipIf(!isInstalled(client))(client.script, () => {
    let result: Record<string, unknown>;
    beforeAll(async () => {
      const { stdout } = await promisify(execFile)(...commandOf(client), {
        env: {
          ...environmentOf(client),
          GATEWAY: gateway.url,
          TOKEN: gateway.tokens.maintainer,
          ADMINISTRATOR_TOKEN: gateway.tokens.root,
          PICTURE: png().toString('base64'),
          ATTRIBUTES: JSON.stringify(writtenAttributes),
        },
      });
      result = JSON.parse(stdout) as Record<string, unknown>;
    });

    test.each(Object.keys(expected))('does what it can with %s', (subject) => {
      expect(result[subject]).toEqual(expected[subject]);
    });
    test('returns no result that isn’t checked', () => {
      expect(Object.keys(result).toSorted()).toEqual(Object.keys(expected).toSorted());
    });
  });
}

const emails = ['maintainer@work.example.com'];
/** Unless `CAUSEWAY_REPORTED_VERSION` says otherwise. All clients of this folder work with it. */
const reportedByDefault = '13.12.0';
const conflict = 'Member already exists';
const pathTaken = 'Failed to save group {:path=>["has already been taken"]}';

const python = { name: 'python3-gitlab', language: 'python', module: 'gitlab' } as const;
const ruby = { name: 'ruby-gitlab', language: 'ruby', module: 'gitlab' } as const;
const go = {
  name: 'golang-github-xanzy-go-gitlab-dev',
  language: 'go',
  module: 'github.com/xanzy/go-gitlab',
} as const;

drive({ ...python, script: 'python-planning.py' }, planned);
drive({ ...python, script: 'python-code.py' }, coded);
drive({ ...python, script: 'python-pipelines.py' }, piped);
drive({ ...ruby, script: 'ruby-planning.rb' }, plannedByRuby);
drive({ ...ruby, script: 'ruby-code.rb' }, stored);
drive({ ...go, script: 'go-code.go' }, storedByGo);
drive({ ...ruby, script: 'ruby-pipelines.rb' }, piped);
drive({ ...go, script: 'go-planning.go' }, plannedByGo);
drive({ ...ruby, script: 'ruby-reviews.rb' }, reviewed);
drive({ ...go, script: 'go-reviews.go' }, reviewed);
drive({ ...go, script: 'go-pipelines.go' }, pipedByGo);

drive(
  { ...python, script: 'python-gitlab.py' },
  {
    who: {
      user: 'maintainer',
      version: reportedByDefault,
      emails,
      stranger: ['GitlabAuthenticationError', 401, '401 Unauthorized'],
    },
    groups: {
      listed: ['py-firm/team/squad', 'py-firm/team', 'py-firm'],
      subgroups: ['py-firm/team'],
      descendants: ['py-firm/team', 'py-firm/team/squad'],
      taken: ['GitlabCreateError', 400, pathTaken],
      edited: 'The Firm / Crew',
      projects: ['py-firm/team/Shop'],
      gone: ['GitlabGetError', 404, '404 Group Not Found'],
    },
    projects: {
      total: [5, 3],
      paged: true,
      keyset: true,
      get: true,
      starred: [1, true],
      unstarred: 0,
      edited: ['Changed', 'internal', ['snakes']],
      archived: true,
      unarchived: false,
      fork: ['maintainer/py-fork', true],
      tied: true,
      'of a person': true,
      'for a person': 'guest/py-for-a-guest',
      deleted: 202,
      gone: Array(2).fill(['GitlabGetError', 404, '404 Project Not Found']),
    },
    members: {
      group: {
        added: ['developer', '2999-01-01'],
        twice: ['GitlabCreateError', 409, conflict],
        edited: 20,
        all: ['maintainer', 'developer'],
        'one of all': 20,
      },
      project: {
        added: ['guest', '2999-01-01'],
        twice: ['GitlabCreateError', 409, conflict],
        edited: 20,
        all: ['maintainer', 'developer', 'guest'],
        'one of all': 20,
      },
      gone: Array(2).fill(['GitlabGetError', 404, '404 Not found']),
    },
    namespaces: { listed: true, one: 'user', exists: true },
    users: {
      searched: ['py-person'],
      taken: ['GitlabCreateError', 409, 'Email has already been taken'],
      'not allowed': ['GitlabCreateError', 403, '403 Forbidden'],
      paged: true,
      edited: 'Py the Second',
      emails: ['py.second@example.com'],
      sudo: 'py-person',
      'no sudo': ['GitlabHttpError', 404, "404 User with ID or username 'nobody-at-all' Not Found"],
      blocked: [true, 'blocked'],
      unblocked: [true, 'active'],
      gone: ['GitlabGetError', 404, '404 User Not Found'],
    },
    tokens: {
      made: ['guest', ['read_user'], '2027-01-01'],
      listed: true,
      revoked: ['GitlabAuthenticationError', 401, 'invalid_token'],
    },
    applications: { secret: true, listed: true, gone: true },
    templates: { dockerfiles: true, gitignores: true, gitlabciymls: true, licenses: true },
    notifications: {
      everywhere: ['participating', 'custom', true],
      group: ['global', 'custom', true],
      project: ['global', 'custom', true],
    },
    attributes: { user: [], group: [], project: [] },
  },
);

const notFound = 'Gitlab::Error::NotFound';
drive(
  { ...ruby, script: 'ruby-gitlab.rb' },
  {
    who: {
      user: 'maintainer',
      version: reportedByDefault,
      emails,
      stranger: ['Gitlab::Error::Unauthorized', 401, '401 Unauthorized'],
    },
    groups: {
      listed: ['rb-firm/team/squad', 'rb-firm/team', 'rb-firm'],
      found: ['rb-firm/team/squad', 'rb-firm/team', 'rb-firm'],
      subgroups: ['rb-firm/team'],
      taken: ['Gitlab::Error::BadRequest', 400, pathTaken],
      edited: 'The Firm / Crew',
      projects: ['rb-firm/team/Shop'],
      one: 1,
      gone: [notFound, 404, '404 Group Not Found'],
    },
    projects: {
      paged: true,
      keyset: true,
      found: ['Gem 3'],
      one: true,
      starred: [1, true],
      'star taken back': ['Gitlab::Error::MethodNotAllowed', 405, '405 Not Allowed'],
      unstarred: 0,
      edited: 'internal',
      archived: true,
      unarchived: false,
      forks: ['maintainer/gem-fork'],
      'of a person': true,
      'for a person': 'guest/rb-for-a-guest',
      tied: true,
      deleted: '202 Accepted',
      gone: [notFound, 404, '404 Project Not Found'],
    },
    members: {
      'in a group': 'developer',
      'twice in a group': ['Gitlab::Error::Conflict', 409, conflict],
      'edited in a group': 20,
      'of a group': ['maintainer', 'developer'],
      'one of a group': 20,
      'in a project': '2999-01-01',
      'twice in a project': ['Gitlab::Error::Conflict', 409, conflict],
      'edited in a project': 20,
      'of a project': ['guest'],
      'all of a project': ['maintainer', 'developer', 'guest'],
      'one of a project': 20,
      gone: Array(2).fill([notFound, 404, '404 Not found']),
    },
    namespaces: { listed: true },
    users: {
      found: ['rb-person'],
      one: 'Rb',
      taken: ['Gitlab::Error::Conflict', 409, 'Email has already been taken'],
      'not allowed': ['Gitlab::Error::Forbidden', 403, '403 Forbidden'],
      edited: 'Rb the Second',
      sudo: 'rb-person',
      emails: ['rb.second@example.com'],
      blocked: [true, 'blocked'],
      unblocked: [true, 'active'],
      gone: [notFound, 404, '404 User Not Found'],
    },
    attributes: { user: [], group: [], project: [] },
    templates: { dockerfiles: true, gitignores: true, 'gitlab ci ymls': true, licenses: true },
  },
);

drive(
  { ...go, script: 'go-gitlab.go' },
  {
    members: {
      group: ['developer', 30, '2999-01-01'],
      twice: [409, `{message: ${conflict}}`],
      project: 30,
      edited: 20,
      all: [3, 2],
      inherited: 30,
    },
    places: {
      edited: ['Changed', 'noone', true],
      made: ['ff', 'private', ['gophers']],
      changed: ['Changed', 'always', 1800],
      shared: ['go-guests', 30, '2999-01-01'],
      full: ['go-guests', true, true, ''],
      simple: true,
      listed: true,
      groups: true,
      'one group': 'go-guests',
      people: 'maintainer',
      above: 2,
      found: 1,
      avatars: [true, true, true],
      moved: 'go-guests/go-shop',
      'moved group': 'go-guests/go-team',
      taken: [400, `{message: ${pathTaken}}`],
      gone: [404, '{message: 404 Project Not Found}'],
    },
    users: {
      own: 'maintainer',
      other: 'guest',
      limit: 3,
      changed: ['Kept', true, true, 'Gopher'],
      identity: 'saml',
      'by identity': true,
      everybody: true,
      memberships: true,
      banned: 'banned',
      taken: [409, '{message: Email has already been taken}'],
      gone: [404, '{message: 404 User Not Found}'],
    },
  },
);
