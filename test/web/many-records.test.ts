import { beforeAll, expect, inject, test } from 'vitest';
import { seed, type SeedPlan } from '../../src/database/seeding/index.ts';
import { signIn, type BrowserSession, type WebPage } from '../support/pages/browser-session.ts';
import { testGateway } from '../support/gateway.ts';
import { planOf } from '../support/databases/plans.ts';
import { runs } from '../support/run/runs.ts';
import { sentBy, type Sent } from '../support/databases/statements.ts';

/**
 * Pages do the same work in an instance with 2,000 people and 1,000 groups as in one with ten: they send as many
 * statements, read no more of the tables than a page needs, and stay small. Mary is a member of every group and project,
 * all people are members of one group and one project, and those are shared with 300 groups.
 */

const gateway = await testGateway();
const people: Record<'mary' | 'root', BrowserSession> = {} as never;
beforeAll(async () => {
  people.mary = await signIn(gateway, 'maintainer');
  people.root = await signIn(gateway, 'root', inject('passwords').root);
});

/** What the places of a page are called; each plan has its own. */
interface Places {
  readonly group: string;
  readonly project: string;
}

const ofProject = [
  '',
  '/-/members',
  '/-/members?search=user',
  '/-/sharing',
  '/-/activity',
  '/-/edit',
  '/-/issues',
  '/-/issues?search=harbor',
  '/-/issues/new',
  '/-/issues/1',
  '/-/issues/1/edit',
  '/-/issues/2',
  '/-/merge_requests',
  '/-/merge_requests/1',
  '/-/labels',
  '/-/milestones',
  '/-/snippets',
  '/-/pipelines',
  '/-/deploy_keys',
  '/-/environments',
  '/-/pipeline_schedules',
  '/-/variables',
  '/-/triggers',
  '/-/runners',
];
const ofGroup = [
  '',
  '/-/members',
  '/-/members?search=user',
  '/-/sharing',
  '/-/transfer',
  '/-/activity',
  '/-/issues',
  '/-/merge_requests',
  '/-/labels',
  '/-/milestones',
  '/-/runners',
  '/-/variables',
];
const anywhere = [
  '/',
  '/profile/notifications',
  '/profile/notifications?search=group',
  '/profile/notifications/sent',
  '/dashboard/activity',
  '/users/maintainer/activity',
  '/dashboard/issues',
  '/dashboard/merge_requests/assigned',
  '/dashboard/todos',
  '/dashboard/snippets',
  '/search?search=user',
  '/search?search=group&scope=groups',
  '/search?search=harbor&scope=issues',
  '/explore/projects',
  '/explore/projects?scope=mine&search=project&sort=stars_desc',
  '/explore/groups',
  '/explore/groups?scope=mine',
  '/-/groups/new',
  '/-/groups/new?search=group',
  '/-/projects/new',
  '/profile/personal_access_tokens',
];

/** Every page that lists, counts or offers people or places, by the person who opens it. */
const pagesOf = ({ group, project }: Places) => ({
  mary: [...anywhere, '/maintainer', `/groups/${group}/-/activity`, ...ofProject.map((page) => `/${project}${page}`)],
  root: [
    ...anywhere,
    '/admin',
    '/admin/users',
    '/admin/users?search=user',
    '/admin/users?show=no_two_factor',
    '/admin/groups',
    '/admin/groups?search=group',
    '/admin/projects',
    '/admin/tokens',
    '/admin/applications',
    '/admin/runners',
    '/admin/audit_log',
    '/admin/notifications',
    '/admin/jobs',
    ...ofGroup.map((page) => `/groups/${group}${page}`),
    `/${project}/-/transfer`,
    `/${project}/-/members`,
  ],
});

interface Cost {
  readonly page: string;
  readonly status: number;
  readonly statements: number;
  readonly bytes: number;
  /** Pages of tables and indexes that its reading statements need; 0 if they aren’t measured. */
  readonly buffers: number;
}

const reads = ({ text }: Sent) => /^\s*(select|with)\b/i.test(text) && !/\b(insert|update|delete)\b/i.test(text);

/**
 * Nothing is read for each pair of a person and a group, and what a person sees is found without a look at each place. Only
 * in the long run: PostgreSQL explains each statement.
 */
const maxBuffers = 10_000;

/** @param places what its addresses name, which the names of pages don't */
async function costsOf(places: Places): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (const [who, paths] of Object.entries(pagesOf(places)) as ['mary' | 'root', string[]][])
    for (const path of paths) {
      const browser = people[who];
      await browser.get(path);
      let page!: WebPage;
      const sent = await sentBy(async () => {
        page = await browser.get(path);
      });
      let buffers = 0;
      for (const one of runs > 1 ? sent.filter(reads) : []) buffers += (await planOf(gateway.databaseUrl, one)).buffers;
      costs.push({
        page: `${who} ${path.replace(places.project, 'PROJECT').replace(places.group, 'GROUP')}`,
        status: page.status,
        statements: sent.length,
        bytes: page.html.length,
        buffers,
      });
    }
  return costs;
}

/** @returns the group and the project that all people are members of. Its issue 2 and its merge request have threads with replies. */
async function fill(prefix: string, plan: SeedPlan, [threads, replies]: readonly [number, number]): Promise<Places> {
  await seed(gateway.gateway.application.database, plan, prefix, () => undefined);
  const one = async (select: string) => (await gateway.sql<{ id: number; full_path: string }>(select))[0]!;
  const group = await one(`select id, full_path from namespaces where path = '${prefix}-group-1'`);
  const project = await one(
    `select p.id, p.full_path from projects p join issues i on i.project_id = p.id where p.full_path like '${prefix}-%'
      group by p.id order by count(*) desc, p.id limit 1`,
  );
  const maintainer = `(select id from users where username = 'maintainer')`;
  const everyone = `select id from users where username like '${prefix}-user-%'`;
  for (const [table, place, places, all] of [
    [
      'group_members',
      'group_id',
      `select id from namespaces where kind = 'GROUP' and full_path like '${prefix}-%'`,
      group,
    ],
    ['project_members', 'project_id', `select id from projects where full_path like '${prefix}-%'`, project],
  ] as const) {
    await gateway.sql(
      `insert into ${table} (user_id, ${place}, access_level) select ${maintainer}, id, 40 from (${places}) all_places on conflict do nothing`,
    );
    await gateway.sql(
      `insert into ${table} (user_id, ${place}, access_level) select id, ${all.id}, 20 from (${everyone}) all_people on conflict do nothing`,
    );
  }
  for (const [table, place, shared] of [
    ['group_shares', 'group_id', group],
    ['project_shares', 'project_id', project],
  ] as const)
    await gateway.sql(
      `insert into ${table} (${place}, invited_group_id, access_level)
       select ${shared.id}, id, 10 from namespaces where kind = 'GROUP' and full_path like '${prefix}-group-%' and id <> ${group.id} order by id limit 300`,
    );
  const request = await one(
    `insert into merge_requests (project_id, iid, source_branch, target_branch, title, author_id, created_at, updated_at)
     values (${project.id}, 1, 'topic', 'main', 'Let the harbour sleep', ${maintainer}, now(), now()) returning id, '' as full_path`,
  );
  const issue = await one(`select id, '' as full_path from issues where project_id = ${project.id} and iid = 2`);
  for (const [column, { id }] of [
    ['issue_id', issue],
    ['merge_request_id', request],
  ] as const)
    await gateway.sql(
      `insert into notes (${column}, project_id, discussion_id, author_id, body, type, created_at, updated_at)
       select ${id}, ${project.id}, substring(sha256(('thread ${prefix} ${column} ' || t)::bytea) from 1 for 20), ${maintainer}, 'It is still so, **every** morning.', 'DISCUSSION',
              now() + t * interval '1 hour' + r * interval '1 second', now()
         from generate_series(1, ${threads}) t, generate_series(1, ${replies}) r order by t, r`,
    );
  await gateway.sql(
    `with made as (
       insert into snippets (project_id, author_id, title, visibility, created_at, updated_at)
       select case when n % 2 = 0 then ${project.id} end, ${maintainer}, 'Tides ' || n, 'PRIVATE', now(), now()
         from generate_series(1, ${50 * threads}) n returning id)
     insert into snippet_files (snippet_id, path, position, content) select id, 'tides.py', 1, 'print(1)' from made`,
  );
  await gateway.sql('analyze');
  return { group: group.full_path, project: project.full_path };
}

const few: SeedPlan = {
  users: 10,
  groups: 10,
  projects: 10,
  memberships: 20,
  settings: 20,
  tokens: 10,
  grants: 10,
  labels: 40,
  milestones: 40,
  issues: 40,
  notes: 1_000,
};
const many: SeedPlan = {
  users: 2_000,
  groups: 1_000,
  projects: 1_000,
  memberships: 4_000,
  settings: 4_000,
  tokens: 2_000,
  grants: 200,
  labels: 3_000,
  milestones: 3_000,
  issues: 5_000,
  notes: 5_000,
};

test('pages of an instance with many people, groups and issues cost what those of a small one cost', async () => {
  const before = await costsOf(await fill('few', few, [20, 5]));
  const after = await costsOf(await fill('seed', many, [60, 30]));
  const dear = after.flatMap((cost, index) => {
    const { page, status, statements } = before[index]!;
    expect(cost.page).toBe(page);
    const isFine =
      cost.status === 200 &&
      status === 200 &&
      // One more for the names of groups, if members come from groups above.
      cost.statements <= statements + 1 &&
      cost.bytes < 100_000 &&
      cost.buffers < maxBuffers;
    return isFine ? [] : [{ ...cost, before: before[index] }];
  });
  expect(dear).toEqual([]);
}, 300_000);
