import { beforeAll, describe, expect, test } from 'vitest';
import type { TestGateway } from '../../support/gateway.ts';
import { at, makeShop, type Shop } from '../../support/places/shop.ts';
import { statementsOf } from '../../support/databases/statements.ts';

/** Lists of issues: filters, orders, pages and counts. */

let gateway: TestGateway;
let tokens: Shop['tokens'];
let api: Shop['api'];
let aProject: Shop['aProject'];
beforeAll(async () => {
  ({ gateway, tokens, api, aProject } = await makeShop());
});

const create = (project: string, json: object, token = tokens.reporter) =>
  api('POST', at(project, '/issues'), token, { json });
const titles = ({ body }: { body: { title: string }[] }) => body.map(({ title }) => title);

describe('a list', () => {
  let project: string;
  let people: Record<'reporter' | 'developer', number>;
  beforeAll(async () => {
    project = await aProject();
    people = {
      reporter: (await api('GET', 'user', tokens.reporter)).body.id,
      developer: (await api('GET', 'user', tokens.developer)).body.id,
    };
    const [, id] = [0, (await api('GET', at(project), tokens.owner)).body.id];
    const [milestone] = await gateway.sql<{ id: number }>(
      `insert into milestones (project_id, iid, title, start_date, due_date) values ($1, 1, 'Spring', current_date - 3, current_date + 3) returning id`,
      [id],
    );
    await create(project, { title: 'Apple pie', labels: 'bug,shop', due_date: '2020-01-01' });
    await create(project, { title: 'Banana', labels: 'bug', milestone_id: milestone!.id });
    await create(project, { title: 'Cherry', labels: 'shop', assignee_ids: [people.developer], description: 'pie' });
    await create(project, { title: 'Date', confidential: true, issue_type: 'incident' }, tokens.developer);
    await api('PUT', at(project, '/issues/4'), tokens.reporter, { json: { state_event: 'close' } });
    await gateway.sql(
      `insert into awards (issue_id, user_id, name) select i.id, $2, 'tada' from issues i where i.project_id = $1 and i.iid = 1`,
      [id, people.reporter],
    );
    await gateway.sql(
      `insert into label_priorities (project_id, label_id, priority) select $1, id, 1 from labels where project_id = $1 and title = 'shop'`,
      [id],
    );
  });
  const listed = async (query: Record<string, string>, path = at(project, '/issues')) => {
    const { status, body } = await api('GET', path, tokens.reporter, { query });
    return status === 200
      ? titles({ body })
          .map((title) => title[0])
          .join('')
      : body;
  };

  test.each<[Record<string, string>, string]>([
    [{}, 'DCBA'],
    [{ state: 'closed' }, 'D'],
    [{ state: 'opened', sort: 'asc' }, 'ABC'],
    [{ labels: 'bug,shop' }, 'A'],
    [{ labels: 'bug' }, 'BA'],
    [{ labels: 'bug,none such' }, ''],
    [{ labels: 'None' }, 'D'],
    [{ labels: 'any' }, 'CBA'],
    [{ 'not[labels]': 'bug,none such' }, 'DC'],
    [{ milestone: 'Spring' }, 'B'],
    [{ milestone: 'None' }, 'DCA'],
    [{ milestone_id: 'Started' }, 'B'],
    [{ milestone_id: 'Upcoming' }, 'B'],
    [{ 'not[milestone]': 'Spring' }, ''],
    [{ 'not[milestone]': 'Summer' }, 'B'],
    [{ 'not[milestone]': 'None' }, 'B'],
    [{ 'not[milestone]': 'Any' }, 'DCA'],
    [{ 'not[milestone_id]': 'none' }, 'B'],
    [{ 'not[milestone_id]': 'Any' }, 'DCA'],
    [{ 'not[milestone_id]': 'Started' }, 'DCA'],
    [{ 'not[milestone_id]': 'Upcoming' }, 'DCA'],
    [{ milestone_id: 'Any', 'not[milestone]': 'Spring' }, ''],
    [{ 'iids[]': '2' }, 'B'],
    [{ iids: '1,2' }, 'BA'],
    [{ 'not[iids]': '1,2' }, 'DC'],
    [{ search: 'pie' }, 'CA'],
    [{ search: 'pie', in: 'title' }, 'A'],
    [{ search: 'a pie 🚨', in: 'title' }, 'A'],
    [{ search: 'pie', in: 'nonsense' }, 'CA'],
    [{ author_username: 'the-developer' }, 'D'],
    [{ 'not[author_username]': 'the-developer' }, 'CBA'],
    [{ assignee_id: 'None' }, 'DBA'],
    [{ assignee_id: 'Any' }, 'C'],
    [{ assignee_username: 'the-developer' }, 'C'],
    [{ 'not[assignee_username]': 'the-developer' }, 'DBA'],
    [{ scope: 'created-by-me' }, 'CBA'],
    [{ scope: 'assigned_to_me' }, ''],
    [{ my_reaction_emoji: 'tada' }, 'A'],
    [{ my_reaction_emoji: 'None' }, 'DCB'],
    [{ 'not[my_reaction_emoji]': 'tada' }, 'DCB'],
    [{ confidential: 'true' }, 'D'],
    [{ due_date: 'overdue' }, 'A'],
    [{ due_date: '0' }, 'DCB'],
    [{ due_date: '' }, 'DCBA'],
    [{ due_date: 'week' }, ''],
    [{ issue_type: 'incident' }, 'D'],
    [{ created_after: '2020-01-01', updated_before: '2999-01-01' }, 'DCBA'],
    [{ created_before: '2020-01-01' }, ''],
    [{ order_by: 'title', sort: 'asc' }, 'ABCD'],
    [{ order_by: 'due_date', sort: 'asc' }, 'ADCB'],
    [{ order_by: 'due_date' }, 'ADCB'],
    [{ order_by: 'milestone_due' }, 'BDCA'],
    [{ order_by: 'label_priority' }, 'CADB'],
    [{ order_by: 'priority' }, 'BCAD'],
    [{ order_by: 'popularity' }, 'DCBA'],
    [{ order_by: 'relative_position' }, 'DCBA'],
  ])('by %o', async (query, expected) => {
    expect(await listed(query)).toBe(expected);
  });

  test.each([
    [{ author_id: '1', author_username: 'x' }, 'author_id, author_username are mutually exclusive'],
    [{ milestone: 'x', milestone_id: 'Any' }, 'milestone_id, milestone are mutually exclusive'],
    [{ assignee_username: 'a,b' }, 'assignee_username allows one value, but found 2: a, b'],
    [{ scope: 'mine' }, 'scope does not have a valid value'],
    [{ due_date: 'someday' }, 'due_date does not have a valid value'],
    [{ order_by: 'weight' }, 'order_by does not have a valid value'],
    [{ created_after: 'x' }, 'created_after is invalid'],
  ])('refuses %o', async (query, error) => {
    expect(await listed(query)).toEqual({ error });
  });

  test('continues after a page, in an order with equal values', async () => {
    interface Page {
      readonly nodes: { readonly title: string }[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
    }
    const pageAfter = async (after: string | null): Promise<Page> => {
      const { data } = await gateway.graphql<{ project: { issues: Page } }>(
        `query ($path: ID!, $after: String) { project(fullPath: $path) { issues(sort: DUE_DATE_ASC, first: 1, after: $after) {
          nodes { title } pageInfo { hasNextPage endCursor } } } }`,
        { variables: { path: project, after }, token: tokens.reporter },
      );
      return data!.project.issues;
    };
    const pages = [await pageAfter(null)];
    while (pages.at(-1)!.pageInfo.hasNextPage) pages.push(await pageAfter(pages.at(-1)!.pageInfo.endCursor));
    expect(pages.map(({ nodes }) => nodes[0]!.title[0]).join('')).toBe('ADCB');
  });

  test('shows labels with details, and the reference as seen from the list', async () => {
    const [issue] = (
      await api('GET', 'groups/shop/issues', tokens.reporter, {
        query: { search: 'banana', with_labels_details: 'true' },
      })
    ).body;
    expect(issue.labels).toEqual([
      {
        id: expect.any(Number),
        name: 'bug',
        color: '#6699cc',
        description: null,
        description_html: '',
        text_color: expect.any(String),
        archived: false,
      },
    ]);
    expect(issue.references.relative).toBe(`${project.split('/')[1]}#2`);
    expect(issue.milestone).toMatchObject({ title: 'Spring', iid: 1 });
  });

  test('of everything has your own; anonymous requests need a scope', async () => {
    expect(await listed({ search: 'cherry' }, 'issues')).toBe('C');
    expect(await listed({ search: 'date', scope: 'all' }, 'issues')).toBe('D');
    expect(await listed({ search: 'date' }, 'issues')).toBe('');
    expect((await api('GET', 'issues', undefined)).status).toBe(401);
    expect((await api('GET', 'issues?scope=all', undefined)).status).toBe(200);
  });

  test('is counted by state', async () => {
    const counts = async (path: string) => (await api('GET', path, tokens.reporter)).body.statistics.counts;
    expect(await counts(at(project, '/issues_statistics?state=closed'))).toEqual({ all: 4, closed: 1, opened: 3 });
    expect(await counts(at(project, '/issues_statistics?labels=bug'))).toEqual({ all: 2, closed: 0, opened: 2 });
    expect(await counts('issues_statistics?search=cherry')).toEqual({ all: 1, closed: 0, opened: 1 });
    expect(await counts('groups/shop/issues_statistics?search=cherry')).toEqual({ all: 1, closed: 0, opened: 1 });
  });

  test('is counted by state in each project of a page, as the viewer sees it', async () => {
    const other = await aProject();
    await create(other, { title: 'Elderberry', labels: 'bug' });
    const said = async (token: string, filter = '') => {
      const one = (path: string) => `project(fullPath: "${path}") { issueStatusCounts${filter} { all closed opened } }`;
      const { data, errors } = await gateway.graphql<Record<string, { issueStatusCounts: Record<string, number> }>>(
        `{ one: ${one(project)} other: ${one(other)} }`,
        { token },
      );
      expect(errors).toBeUndefined();
      return Object.values(data!).map(({ issueStatusCounts: { all, closed, opened } }) => [all, closed, opened]);
    };
    expect(await said(tokens.reporter)).toEqual([
      [4, 1, 3],
      [1, 0, 1],
    ]);
    expect(await said(tokens.reporter, '(labelName: ["bug"], state: closed)')).toEqual([
      [2, 0, 2],
      [1, 0, 1],
    ]);
    expect(await said(tokens.reporter, '(search: "elderberry")')).toEqual([
      [0, 0, 0],
      [1, 0, 1],
    ]);
    // The closed one is confidential.
    expect((await said(tokens.guest))[0]).toEqual([3, 0, 3]);
  });

  test('leaves out archived projects, unless asked', async () => {
    const other = await aProject();
    await create(other, { title: 'Zebra' });
    await api('POST', at(other, '/archive'), tokens.owner);
    expect(await listed({ search: 'zebra' }, 'groups/shop/issues')).toBe('');
    expect(await listed({ search: 'zebra', non_archived: 'false' }, 'groups/shop/issues')).toBe('Z');
  });
});

describe('issues that are for members, or for nobody', () => {
  let project: string;
  beforeAll(async () => {
    project = await aProject('PUBLIC');
    await create(project, { title: 'Open' });
    await create(project, { title: 'Secret', confidential: true });
    await create(project, { title: 'Closed' });
    await api('PUT', at(project, '/issues/3'), tokens.reporter, { json: { state_event: 'close' } });
  });
  const level = (name: string) =>
    api('PUT', at(project), tokens.owner, { json: { issues_access_level: name } }).then(({ status }) =>
      expect(status).toBe(200),
    );
  const said = async (token: string | undefined) => {
    const made = await api('POST', at(project, '/issues'), token, { json: { title: 'x' } });
    if (made.status === 201) await api('DELETE', at(project, `/issues/${made.body.iid}`), tokens.owner);
    const list = await api('GET', at(project, '/issues'), token);
    const everywhere = await api('GET', 'issues', token, { query: { scope: 'all', search: 'Open' } });
    const inGroup = await api('GET', 'groups/shop/issues', token, { query: { search: 'Open' } });
    const one = await api('GET', at(project, '/issues/1'), token);
    const { body } = await api('GET', at(project), token);
    const { data } = await gateway.graphql<{ project: object }>(
      `{ project(fullPath: "${project}") { issuesEnabled openIssuesCount issues { count } } }`,
      { token },
    );
    const of = ({ body: found, status }: typeof list) => (status === 200 ? (found as object[]).length : status);
    const any = (answer: typeof list) => (answer.status === 200 ? Math.sign(of(answer)) : answer.status);
    return {
      lists: [of(list), any(everywhere), any(inGroup)].join(' '),
      one: one.status,
      made: made.status,
      link: '_links' in body ? 'issues' in body._links : undefined,
      count: body.open_issues_count as number | undefined,
      graphql: data!.project,
    };
  };
  const fields = (issuesEnabled: boolean, openIssuesCount: number | null, count: number) => ({
    issuesEnabled,
    openIssuesCount,
    issues: { count },
  });

  test('are everyone’s who sees the project, by default', async () => {
    expect(await said(tokens.guest)).toEqual({
      lists: '2 1 1',
      one: 200,
      made: 201,
      link: true,
      count: 1,
      graphql: fields(true, 1, 2),
    });
    expect(await said(tokens.reporter)).toMatchObject({ lists: '3 1 1', count: 2, graphql: fields(true, 2, 3) });
    expect(await said(tokens.stranger)).toMatchObject({ lists: '2 1 404', one: 200, count: 1 });
  });

  test('are the members’ where the level says so', async () => {
    await level('private');
    expect(await said(tokens.stranger)).toEqual({
      lists: '0 0 404',
      one: 404,
      made: 403,
      link: false,
      count: undefined,
      graphql: fields(false, null, 0),
    });
    expect(await said(undefined)).toMatchObject({ lists: '0 0 404', one: 404, made: 401 });
    expect(await said(tokens.guest)).toMatchObject({ lists: '2 1 1', one: 200, made: 201, count: 1 });
  });

  test('are nobody’s where they are switched off', async () => {
    await level('disabled');
    for (const token of [tokens.owner, tokens.root])
      expect(await said(token)).toMatchObject({ lists: '0 0 0', one: 404, made: 403, graphql: fields(false, null, 0) });
    const other = await aProject();
    await create(other, { title: 'Elsewhere' });
    const { body } = await api('GET', at(project), tokens.owner);
    const moved = await api('POST', at(other, '/issues/1/move'), tokens.owner, { json: { to_project_id: body.id } });
    expect(moved.status).toBe(400);
    await level('enabled');
    expect(await said(tokens.guest)).toMatchObject({ lists: '2 1 1', one: 200 });
  });
});

describe('times that were spent', () => {
  type Listed = { totalSpentTime: string; count: number; nodes: { timeSpent: number; spentAt: string }[] };
  const fields = '{ totalSpentTime count nodes { timeSpent spentAt project { fullPath } issue { iid } } }';
  const ask = async (query: string, token = tokens.reporter) => await gateway.graphql(query, { token });
  let project: string;
  let ids: { id: string; group: string };
  beforeAll(async () => {
    project = await aProject();
    const { body } = await api('GET', at(project), tokens.owner);
    ids = { id: `gid://gitlab/Project/${body.id}`, group: project.slice(0, project.lastIndexOf('/')) };
    const log = async (issue: number, timeSpent: string, spentAt: string, token: string) => {
      const issuableId = `gid://gitlab/Issue/${issue}`;
      const input = { issuableId, timeSpent, spentAt, summary: '' };
      const made = await gateway.graphql<{ timelogCreate: { errors: string[] } }>(
        'mutation ($input: TimelogCreateInput!) { timelogCreate(input: $input) { errors } }',
        { token, variables: { input } },
      );
      expect(made.data!.timelogCreate.errors).toEqual([]);
    };
    const open = (await create(project, { title: 'Open' })).body.id;
    const hidden = (await create(project, { title: 'Hidden', confidential: true })).body.id;
    await log(open, '3h', '2026-01-03T23:59:00Z', tokens.reporter);
    await log(open, '1h', '2026-01-02T10:00:00Z', tokens.developer);
    await log(hidden, '2h', '2026-01-04T00:00:00Z', tokens.reporter);
  });
  const ofProject = async (args: string, token?: string) => {
    const { data } = await ask(`{ project(fullPath: "${project}") { timelogs${args} ${fields} } }`, token);
    return (data as { project: { timelogs: Listed } }).project.timelogs;
  };
  const hours = ({ nodes }: Listed) => nodes.map(({ timeSpent }) => timeSpent / 3_600).join(' ');

  test('are listed with their sum in a project, as far as one reads what they were spent on', async () => {
    const all = await ofProject('');
    expect([hours(all), all.totalSpentTime, all.count]).toEqual(['1 3 2', '21600', 3]);
    expect(all.nodes[0]).toMatchObject({ project: { fullPath: project }, issue: { iid: '1' } });
    const seen = await ofProject('', tokens.guest);
    expect([hours(seen), seen.totalSpentTime]).toEqual(['1 3', '14400']);
  });

  test.each<[string, string]>([
    ['(sort: SPENT_AT_DESC)', '2 3 1'],
    ['(sort: TIME_SPENT_DESC)', '3 2 1'],
    ['(sort: CREATED_ASC)', '3 1 2'],
    ['(first: 1, sort: TIME_SPENT_ASC)', '1'],
    ['(username: "The-Developer")', '1'],
    ['(username: "no-such")', ''],
    ['(startDate: "2026-01-03")', '3 2'],
    ['(startDate: "2026-01-03", endDate: "2026-01-03T08:00:00Z")', '3'],
    ['(startTime: "2026-01-02T10:00:00Z", endTime: "2026-01-03T23:00:00Z")', '1'],
  ])('are filtered and sorted by %s', async (args, expected) => {
    expect(hours(await ofProject(args))).toBe(expected);
  });

  test('are listed in a group, and at the root by a filter', async () => {
    const other = await aProject();
    const inGroup = async (token: string) =>
      (
        (await ask(`{ group(fullPath: "${ids.group}") { timelogs(startDate: "2026-01-01") ${fields} } }`, token))
          .data as { group: { timelogs: Listed } }
      ).group.timelogs;
    expect(hours(await inGroup(tokens.reporter))).toBe('1 3 2');
    expect(hours(await inGroup(tokens.guest))).toBe('1 3');
    const root = async (args: string, token?: string) => {
      const { data, errors } = await ask(`{ timelogs${args} ${fields} }`, token);
      const { timelogs } = data as { timelogs: Listed | null };
      return timelogs ? `${hours(timelogs)}, ${timelogs.totalSpentTime}` : errors![0]!.message;
    };
    expect(await root(`(projectId: "${ids.id}")`)).toBe('1 3 2, 21600');
    expect(await root('(username: "the-reporter", startDate: "2026-01-01", endDate: "2026-01-31")')).toBe('3 2, 18000');
    expect(await root('(username: "the-reporter")', tokens.stranger)).toBe(', 0');
    expect(await root(`(projectId: "${ids.id}")`, tokens.stranger)).toMatch(/not found/i);
    for (const args of ['', '(username: "")']) expect(await root(args)).toBe('Provide at least one argument');
    expect(await root('(startDate: "2026-01-01", startTime: "2026-01-01")')).toBe(
      'Provide either a start date or time, but not both',
    );
    expect(await root('(endDate: "2026-01-01", endTime: "2026-01-01")')).toBe(
      'Provide either an end date or time, but not both',
    );
    expect(await root('(startDate: "2026-01-02", endDate: "2026-01-01")')).toBe(
      'Start argument must be before End argument',
    );
    // The lists and sums of many projects are read by one statement each.
    const sent = await statementsOf(() =>
      ask(`{ projects(ids: ["${ids.id}", "${other}"]) { nodes { timelogs { totalSpentTime nodes { timeSpent } } } } }`),
    );
    expect(sent.filter((text) => text.includes('from timelogs'))).toHaveLength(2);
  });
});
