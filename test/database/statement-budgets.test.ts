import { beforeAll, describe, expect, test } from 'vitest';
import { noteUse } from '../../src/auth/statements/tokens.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import {
  codeFor,
  codeForm,
  refreshForm,
  registerApplication,
  session,
  token,
  tokensOf,
  type Form,
} from '../support/oauth/oauth.ts';
import { newReported, type Reported } from '../pipelines/support/reports.ts';
import { sentBy } from '../support/databases/statements.ts';

/**
 * What the most frequent requests may cost the database: each further statement is a round trip. The credential is
 * looked up in the same statement as the first read.
 */

let gateway: TestGateway;
const tokens: Record<string, string> = {};
const bearing = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
beforeAll(async () => {
  gateway = await testGateway();
  tokens['a personal token'] = gateway.tokens.maintainer;
  tokens['an OAuth token'] = await gateway.accessToken('maintainer', ['api']);
  // The settings of the instance are read now and then, independent of the viewer.
  await gateway.rest('GET', '/api/v4/version', { token: gateway.tokens.maintainer });
});

const places = ['groups/demo', 'projects/demo%2Fstorefront'];

const reads: string[] = [
  '/api/v4/notification_settings',
  ...places.map((place) => `/api/v4/${place}/notification_settings`),
  '/api/v4/projects/demo%2Fstorefront/error_tracking/settings',
  '/api/v4/user',
];

const credentials = ['a personal token', 'an OAuth token'];

describe.each(credentials)('with %s', (kind) => {
  test.each(reads)('%s takes one statement', async (path) => {
    const sent = await sentBy(async () => {
      expect((await gateway.rest('GET', path, bearing(tokens[kind]!))).status).toBe(200);
    });
    expect(sent).toHaveLength(1);
  });

  test.each(['notification_settings', ...places.map((place) => `${place}/notification_settings`)])(
    'changing %s takes two',
    async (path) => {
      const sent = await sentBy(async () => {
        expect(
          (await gateway.rest('PUT', `/api/v4/${path}`, { ...bearing(tokens[kind]!), query: { level: 'mention' } }))
            .status,
        ).toBe(200);
      });
      expect(sent).toHaveLength(2);
    },
  );

  test.each([
    ['the global setting', '{ notificationSettings { level notificationEmail } }'],
    [
      'the setting of a project',
      '{ notificationSettings(project: "demo/storefront") { level events { event enabled } } }',
    ],
    ['error tracking', '{ errorTrackingSettings(project: "demo/storefront") { active apiUrl } }'],
    ['the person', '{ currentUser { username email confirmedAt twoFactorEnabled namespaceId } }'],
  ])('%s takes one over GraphQL too', async (_what, query) => {
    const sent = await sentBy(async () => {
      expect((await gateway.graphql(query, { token: tokens[kind]! })).errors).toBeUndefined();
    });
    expect(sent).toHaveLength(1);
  });
});

test('recording the use of a personal token takes one statement more, and none for the next requests', async () => {
  const token = await gateway.personalToken('maintainer', ['api']);
  const notes = async () => {
    const sent = await sentBy(() => gateway.rest('GET', '/api/v4/user', bearing(token)), new Set());
    return sent.filter(({ text }) => text === noteUse.text).length;
  };
  expect([await notes(), await notes(), await notes()]).toEqual([1, 0, 0]);
});

describe('issues', () => {
  const path = '/api/v4/projects/demo%2Fstorefront/issues';
  const sent = (method: string, at: string, status: number, form?: Record<string, string>) =>
    sentBy(async () => {
      const answer = await gateway.rest(method, at, { token: gateway.tokens.maintainer, ...(form && { form }) });
      expect(answer.status).toBe(status);
    });
  beforeAll(async () => {
    const [{ id }] = (await gateway.sql<{ id: number }>(
      `insert into milestones (project_id, iid, title) select id, 1, 'Spring' from projects where full_path = 'demo/storefront' returning id`,
    )) as [{ id: number }];
    const form = { labels: 'bug,shop', assignee_ids: '2', milestone_id: String(id) };
    for (let at = 1; at <= 20; at++)
      await gateway.rest('POST', path, { token: gateway.tokens.maintainer, form: { title: `Issue ${at}`, ...form } });
  });

  // The project is looked up with the credential.
  test('a page of 20, with labels, assignee, milestone and author, takes two statements', async () => {
    expect(await sent('GET', path, 200)).toHaveLength(2);
    expect(await sent('GET', '/api/v4/groups/demo/issues?labels=bug', 200)).toHaveLength(2);
    expect(await sent('GET', '/api/v4/issues', 200)).toHaveLength(2);
  });

  test('one takes one statement', async () => {
    expect(await sent('GET', `${path}/1`, 200)).toHaveLength(1);
  });

  test('creating one takes one, besides looking up the project and reading the issue', async () => {
    const form = { title: 'New', labels: 'bug,new', assignee_ids: '3', due_date: '2026-06-28', description: '@guest' };
    expect(await sent('POST', path, 201, form)).toHaveLength(3);
  });

  // The issue is looked up with the credential; the comment is written, with all that belongs to it, and answered by one.
  test('a comment takes two statements, also with people who are mentioned', async () => {
    expect(await sent('POST', `${path}/1/notes`, 201, { body: 'It leaks.' })).toHaveLength(2);
    expect(await sent('POST', `${path}/1/notes`, 201, { body: '@guest, it leaks.' })).toHaveLength(2);
    expect(await sent('POST', `${path}/1/discussions`, 201, { body: 'Does it?' })).toHaveLength(3);
  });

  test('a list of notes takes two, one note two, and the threads two', async () => {
    const { body } = await gateway.rest('GET', `${path}/1/notes`, { token: gateway.tokens.maintainer });
    expect(body.length).toBeGreaterThan(2);
    for (const at of ['notes', `notes/${body[0].id}`, 'discussions', 'resource_label_events'])
      expect(await sent('GET', `${path}/1/${at}`, 200)).toHaveLength(2);
  });

  test('the notes and threads of all issues of a page, and the notes of these, take one statement each', async () => {
    const query = `{ project(fullPath: "demo/storefront") { issues(first: 20) { nodes {
      notes(first: 3) { nodes { body author { username } project { name } discussion { individualNote } } } discussions(first: 3) { nodes { notes { nodes { body } } } } } } } }`;
    const statements = await sentBy(async () => {
      const answer = await gateway.graphql(query, { token: gateway.tokens.maintainer });
      expect(answer.errors).toBeUndefined();
    });
    // The credential, the project twice, its issues, their notes, the threads with a page of the notes of each, and of the notes
    // the projects and the threads.
    expect(statements).toHaveLength(9);
  });
});

describe('a page of a list', () => {
  // The credential, then the page, counted in the same statement. Full projects have the counts of their open issues.
  test.each([
    ['projects', '/api/v4/projects?simple=true', 2],
    ['projects, with the viewer’s roles', '/api/v4/projects?membership=true&per_page=3', 3],
    ['projects by keyset pagination, without a total', '/api/v4/projects?pagination=keyset&order_by=id&simple=true', 2],
    ['groups', '/api/v4/groups', 2],
    ['namespaces', '/api/v4/namespaces', 2],
  ])('of %s takes few statements', async (_what, path, statements) => {
    const sent = await sentBy(async () => {
      const { status, body } = await gateway.rest('GET', path, { token: gateway.tokens.maintainer });
      expect({ status, some: body.length > 0 }).toEqual({ status: 200, some: true });
    });
    expect(sent).toHaveLength(statements);
  });

  test('counts rows only when the client asks, in each of the ways to ask', async () => {
    const counting = async (connection: string) => {
      const sent = await sentBy(async () => {
        const query = `query ($yes: Boolean = true) { groups(first: 1) ${connection} } fragment Total on GroupConnection { count }`;
        expect(
          (
            await gateway.graphql(connection.includes('Total') ? query : query.replace(/ fragment.*/, ''), {
              token: gateway.tokens.maintainer,
            })
          ).errors,
        ).toBeUndefined();
      });
      expect(sent).toHaveLength(2);
      return /count\(\*\)/.test(sent[1]!.text);
    };
    expect(await counting('{ nodes { name } pageInfo { hasNextPage @include(if: $yes) } }')).toBe(false);
    expect(await counting('{ nodes { name } count @skip(if: $yes) }')).toBe(false);
    expect(await counting('{ nodes { name } count @include(if: $yes) }')).toBe(true);
    expect(await counting('{ nodes { name } ... @include(if: $yes) { ...Total } }')).toBe(true);
  });

  test('of projects with both of their settings takes three statements more, however many there are', async () => {
    const query = `query ($first: Int!) { projects(first: $first) { nodes {
      errorTrackingSettings { active } notificationSettings { level effective { level source } }
    } } }`;
    for (const first of [1, 100]) {
      const sent = await sentBy(async () => {
        const { data, errors } = await gateway.graphql<{ projects: { nodes: object[] } }>(query, {
          token: gateway.tokens.maintainer,
          variables: { first },
        });
        expect([errors, data!.projects.nodes.length > 1]).toEqual([undefined, first > 1]);
      });
      expect(sent).toHaveLength(5);
    }
  });

  test('of settings with their effective levels takes two statements', async () => {
    const query =
      '{ currentUser { notificationSettings(first: 50) { nodes { scope level effective { level source } } } } }';
    const sent = await sentBy(async () =>
      expect((await gateway.graphql(query, { token: gateway.tokens.maintainer })).errors).toBeUndefined(),
    );
    expect(sent).toHaveLength(2);
  });
});

describe('a dashboard', () => {
  beforeAll(async () => {
    await gateway.sql('update group_members set created_by_id = 1');
    await gateway.sql(
      `insert into project_members (user_id, project_id, access_level)
       select u.id, p.id, 10 from users u, projects p where p.full_path = 'demo/storefront'`,
    );
  });

  const member = 'user { username } accessLevel { stringValue } createdBy { username }';
  const shown = `{ nodes { fullPath groupMembers(first: 5) { nodes { ${member} } count } } }`;
  const dashboards: [what: string, query: (first: number) => string, statements: number][] = [
    // The credential, the groups, their members, the counts, who added them.
    ['groups with their members and roles', (first) => `{ groups(first: ${first}, sort: "id_asc") ${shown} }`, 5],
    [
      'projects with their members and roles',
      (first) =>
        `{ projects(first: ${first}, sort: "id_asc") { nodes { fullPath projectMembers(first: 5) { nodes { ${member} } } } } }`,
      4,
    ],
    // The credential and the people; the memberships of each kind; their groups and projects.
    [
      'people with their groups and projects',
      (first) =>
        `{ users(first: ${first}) { nodes { username groupMemberships { nodes { accessLevel { stringValue } group { fullPath } } } projectMemberships { nodes { project { fullPath } } } } } }`,
      6,
    ],
  ];
  test.each(dashboards)('of %s takes the same statements for many as for few', async (_what, query, statements) => {
    const costOf = async (first: number) => {
      let rows = 0;
      const sent = await sentBy(async () => {
        const answer = await gateway.graphql<Record<string, { nodes: object[] }>>(query(first), {
          token: gateway.tokens.root,
        });
        expect(answer.errors).toBeUndefined();
        rows = Object.values(answer.data!)[0]!.nodes.length;
      });
      return { rows, statements: sent.length };
    };
    expect((await costOf(1)).rows).toBe(1);
    const many = await costOf(20);
    expect(many.rows).toBeGreaterThan(1);
    expect(many.statements).toBe(statements);
    expect((await costOf(2)).statements).toBeLessThanOrEqual(statements);
  });
});

test('token info takes one statement', async () => {
  const sent = await sentBy(async () => {
    expect((await gateway.rest('GET', '/oauth/token/info', bearing(tokens['an OAuth token']!))).status).toBe(200);
  });
  expect(sent).toHaveLength(1);
});

test('redeeming a code and refreshing a token take one statement each, including the client’s authentication', async () => {
  const person = await session(gateway, 'redeemer');
  const application = await registerApplication(person);
  const redeem = codeForm(application, await codeFor(person, application));
  const exchange = async (form: Form) => {
    let answer!: Awaited<ReturnType<typeof token>>;
    const sent = await sentBy(async () => {
      answer = await token(gateway, form);
    });
    expect([answer.status, sent.length]).toEqual([200, 1]);
    return tokensOf(answer);
  };
  const { refresh_token } = await exchange(redeem);
  await exchange(refreshForm(application, refresh_token));
});

test('a missing place costs as many statements as an existing one', async () => {
  const ask = (path: string) => sentBy(() => gateway.rest('GET', path, { token: gateway.tokens.guest }));
  const hidden = await ask('/api/v4/projects/demo%2Fplatform%2Fapi/error_tracking/settings');
  const missing = await ask('/api/v4/projects/demo%2Fnothing/error_tracking/settings');
  expect(hidden.map(({ text }) => text)).toEqual(missing.map(({ text }) => text));
});

describe('pipelines', () => {
  let project: Reported;
  let id: number;
  const sent = (method: string, at: string, status: number, form?: Record<string, string>) =>
    sentBy(async () => {
      const answer = await gateway.rest(method, `${project.path}${at}`, {
        token: gateway.tokens.maintainer,
        ...(form && { form }),
      });
      expect(answer.status).toBe(status);
    });
  beforeAll(async () => {
    project = await newReported(gateway);
    for (let at = 1; at <= 20; at++)
      id = (await project.report({ state: 'success', name: `check-${at}` })).body.pipeline_id;
    await project.report({ sha: project.sha, ref: 'main', state: 'success' });
  });

  // The project is looked up with the credential.
  test('a page of them takes two statements, one four, with its person and its jobs', async () => {
    expect(await sent('GET', '/pipelines', 200)).toHaveLength(2);
    expect(await sent('GET', `/pipelines/${id}`, 200)).toHaveLength(4);
  });

  test('the statuses of a commit take three: the project, they, and all their people', async () => {
    expect(await sent('GET', `/repository/commits/${project.topic}/statuses`, 200)).toHaveLength(3);
  });

  test('the last pipelines of a page of commits take one', async () => {
    const query = `{ repository(project: "${project.fullPath}") { commits(ref: "topic") { nodes { latestPipeline { iid status } } } } }`;
    const statements = await sentBy(async () => {
      const { data } = await gateway.graphql(query, { token: gateway.tokens.maintainer });
      expect(data).toEqual({
        repository: {
          commits: {
            nodes: [
              { latestPipeline: { iid: '1', status: 'SUCCESS' } },
              { latestPipeline: { iid: '2', status: 'SUCCESS' } },
            ],
          },
        },
      });
    });
    expect(statements).toHaveLength(2);
  });

  // The project and the rules of its branches; a transaction with the lock, the status and what follows from it; the answer.
  test('a report takes as many for the twentieth status as for the first', async () => {
    const count = async (name: string) =>
      (await sent('POST', `/statuses/${project.topic}`, 201, { state: 'running', name, ref: 'topic' })).length;
    expect([await count('one'), await count('another')]).toEqual([11, 11]);
  });
});
