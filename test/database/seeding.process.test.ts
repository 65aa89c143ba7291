import { afterAll, describe, expect, inject, test } from 'vitest';
import { dropDatabase, makeDatabase, query } from '../support/databases/database.ts';
import { secretKey } from '../support/run/global-setup.ts';
import { killProcesses, startProcess } from '../support/run/process.ts';

/** `causeway seed` on an empty database, as an operator runs it. */
const { name, url } = await makeDatabase('empty');
afterAll(async () => {
  await killProcesses();
  await dropDatabase(name);
});

async function seed(...options: string[]) {
  const settings = { DATABASE_URL: url, CAUSEWAY_SECRET_KEY: secretKey, CAUSEWAY_LOG_LEVEL: 'error' };
  const { ended, output } = startProcess(settings, [process.execPath, 'dist/cli.js', 'seed', ...options]);
  return { code: await ended(), ...output };
}

async function count(from: string): Promise<number> {
  const [row] = await query<{ count: number }>(url, `select count(*)::int as count from ${from}`);
  return row!.count;
}

describe('seeding', () => {
  test('makes the requested rows, and reports them', async () => {
    const plan = [
      '--users',
      '50',
      '--groups',
      '40',
      '--projects',
      '70',
      '--memberships',
      '200',
      '--settings',
      '100',
      '--tokens',
      '30',
      '--grants',
      '20',
      '--labels',
      '800',
      '--milestones',
      '160',
      '--issues',
      '1500',
      '--notes',
      '4000',
    ];
    expect(await seed(...plan)).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(
        /^50 users\n40 groups\n70 projects\n200 memberships\n100 notification settings\n30 personal access tokens\n20 OAuth grants\n800 labels\n160 milestones\n1500 issues\n4000 comments\n\d+ indexes and references\n$/,
      ) as string,
    });
    expect(await count('users')).toBe(50);
    expect(await count(`namespaces where kind = 'GROUP'`)).toBe(40);
    expect(await count('projects')).toBe(70);
    expect(await count('routes')).toBe(50 + 40 + 70);
    expect(await count(`(select user_id from group_members union all select user_id from project_members) m`)).toBe(
      200,
    );
    expect(await count('global_notification_settings')).toBe(10);
    expect(
      await count(
        `(select user_id from group_notification_settings union all select user_id from project_notification_settings) s`,
      ),
    ).toBe(90);
    expect(await count('personal_access_tokens')).toBe(30);
    expect(
      await count(
        'grants g join access_tokens a on a.grant_id = g.id join refresh_tokens r on r.access_token_id = a.id',
      ),
    ).toBe(20);
  });

  test('makes issues with everything that belongs to them', async () => {
    expect(await count('labels where project_id is not null')).toBe(730);
    expect(await count('labels where group_id is not null')).toBe(70);
    expect(await count('milestones')).toBe(160);
    expect(await count('issues')).toBe(1500);
    expect(await count('notes')).toBe(4000);
    const [crowded] = await query<{ issues: number }>(
      url,
      'select count(*)::int as issues from issues group by project_id order by 1 desc limit 1',
    );
    expect(crowded).toEqual({ issues: 150 });
    const wrong = {
      numbers: `(select c.project_id from project_counters c left join issues i on i.project_id = c.project_id where c.kind = 'ISSUE'
        group by c.project_id, c.last having c.last <> count(i.id) or c.last <> max(i.iid)) one`,
      numbersOfMilestones: `(select c.project_id from project_counters c left join milestones m on m.project_id = c.project_id where c.kind = 'MILESTONE'
        group by c.project_id, c.last having c.last <> count(m.id) or c.last <> max(m.iid)) one`,
      uncounted:
        'projects p where exists (select from issues i where i.project_id = p.id) and not exists (select from project_counters c where c.project_id = p.id)',
      comments: 'issues i where i.notes_count <> (select count(*) from notes t where t.issue_id = i.id)',
      projects: 'notes t join issues i on i.id = t.issue_id where t.project_id <> i.project_id',
      labels: 'issues i, unnest(i.label_ids) one(id) join labels l on l.id = one.id where l.project_id <> i.project_id',
      sortedLabels: 'issues i where i.label_ids <> array(select distinct one from unnest(i.label_ids) one order by 1)',
      milestones: 'issues i join milestones m on m.id = i.milestone_id where m.project_id <> i.project_id',
      upvotes: 'issues i where i.upvotes <> (select count(*) from awards a where a.issue_id = i.id)',
      participants: `(select issue_id, author_id from notes union select id, author_id from issues union select id, assignee_id from issues
        where assignee_id is not null except select issue_id, user_id from participants) one`,
      closed: `issues where (state = 'CLOSED') <> (closed_at is not null)`,
      future: 'notes where created_at > now()',
    };
    const found = await Promise.all(Object.entries(wrong).map(async ([name, from]) => [name, await count(from)]));
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(Object.keys(wrong).map((name) => [name, 0])));
    for (const some of ['label_priorities', 'todos', 'resource_events', `events where kind = 'note.created'`])
      expect(await count(some)).toBeGreaterThan(0);
    expect(await count(`issues where label_ids <> '{}'`)).toBeGreaterThan(900);
  });

  test('nests groups twenty deep, each under its own path', async () => {
    expect(await count('namespaces where cardinality(ancestry) = 20')).toBe(2);
    expect(
      await count(`namespaces n join namespaces p on p.id = n.parent_id
      where n.ancestry = p.ancestry || n.id and n.full_path = p.full_path || '/' || n.path`),
    ).toBe(38);
    expect(await count('projects p join routes r on r.project_id = p.id and r.path = lower(p.full_path)')).toBe(70);
  });

  test('makes nothing more visible than its group', async () => {
    expect(await count('namespaces n join namespaces p on p.id = n.parent_id where n.visibility > p.visibility')).toBe(
      0,
    );
    expect(await count('projects p join namespaces n on n.id = p.namespace_id where p.visibility > n.visibility')).toBe(
      0,
    );
    for (const table of ['namespaces', 'projects'])
      expect(await count(`${table} where visibility = 'PUBLIC' and full_path like '%/%'`)).toBeGreaterThan(0);
  });

  test('leaves every index and foreign key as the migrations made them', async () => {
    const definitions = `select indexdef as made from pg_indexes where schemaname = 'public'
      union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
      order by 1`;
    expect(await query(url, definitions)).toEqual(await query(inject('databaseUrl'), definitions));
  });

  test('sets events by their stored names', async () => {
    const keys = `select distinct jsonb_object_keys(events) as key from group_notification_settings order by key`;
    expect(await query(url, keys)).toEqual([{ key: 'FAILED_PIPELINE' }, { key: 'NEW_NOTE' }]);
  });

  test('makes no credential that works', async () => {
    expect(await count('users where password_hash is not null or administrator')).toBe(0);
  });

  test('works again with another prefix, and refuses a used one', async () => {
    const few = [
      '--users',
      '1',
      '--groups',
      '0',
      '--projects',
      '0',
      '--memberships',
      '0',
      '--settings',
      '0',
      '--tokens',
      '0',
      '--grants',
      '0',
      '--labels',
      '0',
      '--milestones',
      '0',
      '--issues',
      '0',
      '--notes',
      '0',
    ];
    expect(await seed(...few)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'Names that begin with seed- exist: the database was seeded with this prefix before.\nChoose other names with --prefix.\n',
    });
    expect(await seed(...few, '--prefix', 'more')).toMatchObject({ code: 0 });
    expect(await count('users')).toBe(51);
  });

  test.each([
    [['--users', 'many'], 'A whole number from 0 to 100000000.'],
    [['--groups', '-1'], 'A whole number from 0 to 100000000.'],
    [['--prefix', 'Se/ed'], 'Lower-case letters, digits and hyphens, at most 20.'],
  ])('with %j says what is wrong, and writes nothing', async (options, says) => {
    const { code, stderr } = await seed(...options);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(says) });
    expect(await count('users')).toBe(51);
  });
});
