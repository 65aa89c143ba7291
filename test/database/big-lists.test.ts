import { beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../../src/rest/routes.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { secretKey } from '../support/run/global-setup.ts';
import { planOf } from '../support/databases/plans.ts';
import { startProcess } from '../support/run/process.ts';
import { runs } from '../support/run/runs.ts';
import { sentBy } from '../support/databases/statements.ts';
import { changes, iidOfChange, isOfGit, threadOfChange } from './big-changes-lists.ts';
import { asked, excused } from './big-lists-asked.ts';
import { isOfPlanning, planningOrders } from './big-planning-lists.ts';

/**
 * How PostgreSQL executes the lists of an instance of 100,000 projects, by its own account. It counts table pages,
 * never time. Seeding takes a while, so this belongs to the long run.
 */

/** Table pages that a statement may read: three for each of 10,000 counted rows, and some more. */
const maxBuffers = 40_000;

describe.skipIf(runs < 2)(
  'with 100,000 projects, 20,000 groups, 1,000,000 memberships and 200,000 issues (in the long run only)',
  () => {
    let gateway: TestGateway;
    let big: Set<string>;
    const tokens: Record<string, string | undefined> = {};
    const ids = {
      group: 0,
      crowd: 0,
      project: 0,
      tracked: 0,
      trackedGroup: 0,
      milestone: 0,
      groupMilestone: 0,
      snippet: 0,
      note: 0,
      noteOfIssue: 0,
      noteOfChange: 0,
      pipeline: 0,
      schedule: 0,
      deployment: 0,
      runner: 0,
    };
    let discussion = '';

    beforeAll(async () => {
      gateway = await testGateway();
      const plan = {
        users: 10_000,
        groups: 20_000,
        projects: 100_000,
        memberships: 1_000_000,
        settings: 0,
        tokens: 10_000,
        labels: 100_000,
        milestones: 100_000,
        issues: 200_000,
        notes: 400_000,
      };
      const { ended, output } = startProcess(
        { DATABASE_URL: gateway.databaseUrl, CAUSEWAY_SECRET_KEY: secretKey, CAUSEWAY_LOG_LEVEL: 'error' },
        [
          process.execPath,
          'dist/cli.js',
          'seed',
          ...Object.entries(plan).flatMap(([name, count]) => [`--${name}`, String(count)]),
        ],
      );
      expect({ code: await ended(), ...output }).toMatchObject({ code: 0 });
      tokens.anonymous = undefined;
      tokens.person = await gateway.personalToken('seed-user-77', ['api']);
      tokens.administrator = gateway.tokens.root;

      const id = async (select: string) => (await gateway.sql<{ id: number }>(select))[0]!.id;
      const publicRoots = `select id from namespaces where kind = 'GROUP' and visibility = 'PUBLIC' and parent_id is null and path like 'seed-%' order by id`;
      ids.group = await id(publicRoots);
      ids.crowd = await id(`${publicRoots} offset 1`);
      ids.project = await id(
        `select p.id from projects p join namespaces n on n.id = p.namespace_id where p.visibility = 'PUBLIC' and cardinality(n.ancestry) = 20 order by id`,
      );
      // A group with everyone as a member, a project with many stars and forks, and a person who gave many stars.
      await gateway.sql(
        'insert into group_members (user_id, group_id, access_level) select id, $1, 30 from users on conflict do nothing',
        [ids.crowd],
      );
      await gateway.sql(
        `insert into stars (user_id, project_id)
       select id, $1 from users where id % 20 = 0
       union select u.id, p.id from users u, projects p where u.username = 'seed-user-77' and p.id % 100 = 0
       union select u.id, 1 + (u.id * 7 + i) % 1000 from users u, generate_series(1, 5) i`,
        [ids.project],
      );
      await gateway.sql('update projects set forked_from_id = $1 where id % 100 = 1 and id <> $1', [ids.project]);
      await gateway.sql(
        `insert into applications (name, uid, redirect_uris, scopes) select 'App ' || i, 'app-' || i, '{}', '{api}' from generate_series(1, 10000) i`,
      );
      // A tenth of all issues is in one project.
      ids.tracked = await id(
        `select project_id as id from project_counters where kind = 'ISSUE' order by last desc limit 1`,
      );
      ids.trackedGroup = await id(`select namespace_id as id from projects where id = ${ids.tracked}`);
      ids.milestone = await id(
        `select milestone_id as id from issues where project_id = ${ids.tracked} and milestone_id is not null limit 1`,
      );
      ids.groupMilestone = await id(
        `insert into milestones (group_id, iid, title) values (${ids.trackedGroup}, 1, 'Of the group') returning id`,
      );
      await gateway.sql('update issues set milestone_id = $1 where project_id = $2 and iid % 10 = 1', [
        ids.groupMilestone,
        ids.tracked,
      ]);
      ids.snippet = await id(
        `insert into snippets (project_id, author_id, title, visibility) select ${ids.tracked}, min(id), 'Snippet', 'PUBLIC' from users returning id`,
      );
      ids.note = await id(
        `insert into notes (snippet_id, project_id, discussion_id, author_id, body, type)
         select ${ids.snippet}, ${ids.tracked}, decode(repeat('ab', 20), 'hex'), min(id), 'A comment', 'DISCUSSION' from users returning id`,
      );
      const [first] = await gateway.sql<{ id: number; discussion: string }>(
        `select t.id, encode(t.discussion_id, 'hex') as discussion from notes t join issues i on i.id = t.issue_id where i.project_id = $1 and i.iid = 1 limit 1`,
        [ids.tracked],
      );
      ids.noteOfIssue = first!.id;
      discussion = first!.discussion;
      const of = { pipelines: [ids.project], issues: [ids.tracked], all: [] };
      for (const { text, of: kind } of changes) await gateway.sql(text, of[kind]);
      ids.pipeline = await id(`select max(id) as id from pipelines where project_id = ${ids.project}`);
      ids.schedule = await id('select max(id) as id from pipeline_schedules');
      ids.deployment = await id('select max(id) as id from deployments');
      ids.runner = await id('select max(id) as id from runners');
      ids.noteOfChange = await id('select max(id) as id from notes where merge_request_id is not null');
      await gateway.sql('vacuum analyze');
      const named = await gateway.sql<{ relname: string }>(
        `select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples > 5000`,
      );
      big = new Set(named.map(({ relname }) => relname));
    }, 600_000);

    /** The plan of each reading statement that the work sends. */
    async function plansFor(work: () => Promise<unknown>) {
      const reading = (await sentBy(work)).filter(({ text }) => /^\s*select/i.test(text));
      return await Promise.all(reading.map(async (sent) => ({ ...(await planOf(gateway.databaseUrl, sent)), sent })));
    }
    /** The cost of finding the page, without that of the rows shown, which depends on how deep their groups are. */
    async function buffersToFind(work: () => Promise<unknown>): Promise<number> {
      const [found, ...others] = (await plansFor(work)).filter(({ sent }) =>
        / as (position|place_id)\b/.test(sent.text),
      );
      expect(others).toEqual([]);
      return found!.toFind;
    }

    test('the tables are big', () => {
      expect([...big]).toEqual(
        expect.arrayContaining([
          'users',
          'namespaces',
          'projects',
          'routes',
          'group_members',
          'project_members',
          'stars',
          'personal_access_tokens',
          'applications',
          'issues',
          'notes',
          'labels',
          'milestones',
          'events',
          'participants',
          'todos',
          'awards',
          'pipelines',
          'ci_jobs',
          'deployments',
          'merge_requests',
        ]),
      );
    });

    const place = (path: string): { readonly project: number; readonly group: number } =>
      isOfPlanning(path)
        ? { project: ids.tracked, group: ids.trackedGroup }
        : { project: ids.project, group: path.includes('/members') ? ids.crowd : ids.group };
    const onSnippet = (path: string) => path.includes('/snippets/');
    const onChange = (path: string) => path.includes('/merge_requests/');
    const address = (path: string) =>
      path
        .replace('/projects/:id', `/projects/${place(path).project}`)
        .replace('/groups/:id', `/groups/${place(path).group}`)
        .replace(':issue_iid', '1')
        .replace(':milestone_id', String(path.includes('/groups/') ? ids.groupMilestone : ids.milestone))
        .replace(':snippet_id', String(ids.snippet))
        .replace(':merge_request_iid', String(iidOfChange))
        .replace(':pipeline_id', String(ids.pipeline))
        .replace(':pipeline_schedule_id', String(ids.schedule))
        .replace(':deployment_id', String(ids.deployment))
        .replace('/runners/:id', `/runners/${ids.runner}`)
        .replace(':note_id', String(onSnippet(path) ? ids.note : onChange(path) ? ids.noteOfChange : ids.noteOfIssue))
        .replace(':discussion_id', onSnippet(path) ? 'ab'.repeat(20) : onChange(path) ? threadOfChange : discussion)
        .replace('/users/:user_id', '/users/seed-user-77')
        .replace('/users/:id', '/users/12');
    // Templates are files.
    const lists = routes
      .filter(({ connection, path }) => connection && !path.startsWith('/api/v4/templates/') && !isOfGit(path))
      .map(({ path }) => path);

    test.each(lists)('%s doesn’t scan a big table', { timeout: 600_000 }, async (path) => {
      const [, ...queries] = asked.find(([pattern]) => pattern.test(path))!;
      if (path.endsWith('/:id/projects')) queries.push({ include_subgroups: 'true' });
      const found: object[] = [];
      for (const query of queries.filter((one) => !excused.some(({ is }) => is(path, one)))) {
        for (const [viewer, token] of Object.entries(tokens)) {
          let status = 0;
          const plans = await plansFor(
            async () => ({ status } = await gateway.rest('GET', address(path), { token, query })),
          );
          if (viewer === 'administrator') expect({ query, status }).toMatchObject({ query, status: 200 });
          for (const { reads, buffers, sent } of plans) {
            const tables = reads.filter((table) => big.has(table));
            if (tables.length > 0 || buffers > maxBuffers)
              found.push({ query, viewer, tables, buffers, text: sent.text });
          }
        }
      }
      expect(found).toEqual([]);
    });

    test.each([
      [
        'the members of groups',
        'groups(topLevelOnly: true, first: 20) { nodes { groupMembers(first: 5) { nodes { id } } } }',
      ],
      [
        'the developers of projects',
        'projects(first: 10) { nodes { projectMembers(first: 5, accessLevels: [DEVELOPER]) { nodes { id } } } }',
      ],
      [
        'the members below a group',
        'group(fullPath: $group) { groupMembers(first: 5, relations: [DESCENDANTS]) { nodes { id } } }',
      ],
      [
        'the memberships of people',
        'users(first: 20) { nodes { groupMemberships(first: 5) { nodes { id } count } projectMemberships(first: 5) { nodes { id } count } } }',
      ],
    ])('%s are found without scanning a table of members', async (_what, query) => {
      for (const token of [tokens.person, tokens.administrator]) {
        const plans = await plansFor(async () => {
          const { errors } = await gateway.graphql(`{ ${query.replace('$group', `"${ids.group}"`)} }`, { token });
          expect(errors).toBeUndefined();
        });
        const tables = plans.flatMap(({ reads }) => reads.filter((table) => table.endsWith('_members')));
        expect(tables).toEqual([]);
        for (const { buffers } of plans) expect(buffers).toBeLessThanOrEqual(maxBuffers);
      }
    });

    /** About equal: neighbours in the order may share a table page or not. */
    function expectAlike(buffers: readonly number[]): void {
      expect(Math.max(...buffers), `buffers of the pages: ${buffers.join(', ')}`).toBeLessThanOrEqual(
        2 * Math.min(...buffers) + 500,
      );
    }

    test.each(
      ['anonymous', 'person', 'administrator'].flatMap((viewer) => ['asc', 'desc'].map((sort) => ({ viewer, sort }))),
    )('the last page of projects by key costs as much as the first, $sort, for $viewer', async ({ viewer, sort }) => {
      const buffers: number[] = [];
      for (const key of [0, 20_000, 40_000, 60_000, 80_000, 99_000].map((one) =>
        sort === 'asc' ? one : 100_000 - one,
      )) {
        const query = {
          pagination: 'keyset',
          order_by: 'id',
          per_page: '100',
          sort,
          [sort === 'asc' ? 'id_after' : 'id_before']: String(key),
        };
        buffers.push(
          await buffersToFind(() => gateway.rest('GET', '/api/v4/projects', { token: tokens[viewer], query })),
        );
      }
      expectAlike(buffers);
    });

    const connections: [list: string, args: string, rows: number][] = [
      ...['ID', 'NAME', 'PATH', 'CREATED_AT', 'UPDATED_AT', 'LAST_ACTIVITY_AT', 'STAR_COUNT'].map(
        (order): [string, string, number] => ['projects', `orderBy: ${order}`, 50_000],
      ),
      ...['ID', 'NAME', 'PATH'].map((order): [string, string, number] => [
        'groups',
        `orderBy: ${order}, filter: { allAvailable: true }`,
        20_000,
      ]),
      ['members', 'group: $crowd', 10_000],
      ...planningOrders.map((order): [string, string, number] => [
        'issues',
        `project: $tracked, sort: ${order}`,
        20_000,
      ]),
      ...['CREATED_DESC', 'UPDATED_ASC'].map((order): [string, string, number] => ['issues', `sort: ${order}`, 50_000]),
    ];
    test.each(connections)('a page of %s costs the same after each cursor (%s)', async (list, given, rows) => {
      const args = given.replace('$crowd', String(ids.crowd)).replace('$tracked', String(ids.tracked));
      const token = tokens.administrator;
      const buffers: number[] = [];
      for (const offset of [0, 0.2, 0.4, 0.6, 0.8, 0.97].map((part) => part * rows)) {
        const before = await gateway.graphql<Record<string, { pageInfo: { endCursor: string } }>>(
          `{ ${list}(${args}, first: 1, offset: ${offset}) { pageInfo { endCursor } } }`,
          { token },
        );
        const after = before.data![list]!.pageInfo.endCursor;
        const page = `{ ${list}(${args}, first: 100, after: "${after}") { pageInfo { hasNextPage } edges { cursor } } }`;
        buffers.push(
          await buffersToFind(async () => expect((await gateway.graphql(page, { token })).data).not.toBeNull()),
        );
      }
      expectAlike(buffers);
    });
  },
);
