import { beforeAll, describe, expect, test } from 'vitest';
import { findRules } from '../../../src/schema/repository/protected-branches/statements.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { sentBy } from '../../support/databases/statements.ts';
import { at, makeShop, type Shop } from '../../support/places/shop.ts';

/** Lists of merge requests: filters, orders, pages and counts. */

let gateway: TestGateway;
let tokens: Shop['tokens'];
let api: Shop['api'];
let aProject: Shop['aProject'];
beforeAll(async () => {
  ({ gateway, tokens, api, aProject } = await makeShop());
});

const open = (project: string, json: object, token = tokens.reporter) =>
  api('POST', at(project, '/merge_requests'), token, {
    json: { target_branch: 'main', ...json },
  });
const letters = (body: { title: string }[]) => body.map(({ title }) => title.replace('Draft: ', '')[0]).join('');

describe('a list of merge requests', () => {
  let project: string;
  let id: number;
  let people: Record<'reporter' | 'developer' | 'maintainer', number>;
  beforeAll(async () => {
    project = await aProject();
    const idOf = async (token: string) => (await api('GET', 'user', token)).body.id as number;
    people = {
      reporter: await idOf(tokens.reporter),
      developer: await idOf(tokens.developer),
      maintainer: await idOf(tokens.maintainer),
    };
    ({ id } = (await api('GET', at(project), tokens.owner)).body);
    const [milestone] = await gateway.sql<{ id: number }>(
      `insert into milestones (project_id, iid, title, start_date, due_date) values ($1, 1, 'Spring', current_date - 3, current_date + 3) returning id`,
      [id],
    );
    await open(project, { title: 'Apple pie', labels: 'bug,shop', source_branch: 'a' });
    await open(project, { title: 'Draft: Banana', labels: 'bug', milestone_id: milestone!.id, source_branch: 'b' });
    await open(project, {
      title: 'Cherry',
      labels: 'shop',
      assignee_ids: [people.developer],
      reviewer_ids: [people.maintainer],
      description: 'pie',
      source_branch: 'c',
    });
    await open(project, { title: 'Date', source_branch: 'd', target_branch: 'stable' }, tokens.developer);
    await gateway.sql(
      `update merge_requests set state = 'MERGED', merged_at = now(), merge_user_id = $2 where project_id = $1 and iid = 4`,
      [id, people.maintainer],
    );
    await gateway.sql(
      `insert into awards (merge_request_id, user_id, name) select i.id, $2, 'tada' from merge_requests i where i.project_id = $1 and i.iid = 1`,
      [id, people.reporter],
    );
    await gateway.sql(
      `insert into approvals (merge_request_id, user_id) select i.id, $2 from merge_requests i where i.project_id = $1 and i.iid = 3`,
      [id, people.developer],
    );
    await gateway.sql(
      `insert into label_priorities (project_id, label_id, priority) select $1, id, 1 from labels where project_id = $1 and title = 'shop'`,
      [id],
    );
  });
  const listed = async (query: Record<string, string>, path = at(project, '/merge_requests')) => {
    const { status, body } = await api('GET', path, tokens.reporter, { query });
    return status === 200 ? letters(body) : body;
  };

  test.each<[Record<string, string>, string]>([
    [{}, 'DCBA'],
    [{ state: 'merged' }, 'D'],
    [{ state: 'closed' }, ''],
    [{ state: 'locked' }, ''],
    [{ state: 'opened', sort: 'asc' }, 'ABC'],
    [{ state: 'all' }, 'DCBA'],
    [{ labels: 'bug,shop' }, 'A'],
    [{ labels: ' bug ' }, 'BA'],
    [{ labels: 'None' }, 'D'],
    [{ labels: 'any' }, 'CBA'],
    [{ 'not[labels]': 'bug,none such' }, 'DC'],
    [{ milestone: 'Spring' }, 'B'],
    [{ milestone: 'none' }, 'DCA'],
    [{ 'not[milestone]': 'Summer' }, 'B'],
    [{ 'iids[]': '2' }, 'B'],
    [{ search: 'pie' }, 'CA'],
    [{ search: 'pie', in: 'title' }, 'A'],
    [{ author_username: 'the-developer' }, 'D'],
    [{ 'not[author_username]': 'the-developer' }, 'CBA'],
    [{ assignee_id: 'None' }, 'DBA'],
    [{ assignee_id: 'Any' }, 'C'],
    [{ assignee_username: 'the-developer' }, 'C'],
    [{ 'not[assignee_username]': 'the-developer' }, 'DBA'],
    [{ reviewer_id: 'none' }, 'DBA'],
    [{ reviewer_id: 'Any' }, 'C'],
    [{ reviewer_username: 'the-maintainer' }, 'C'],
    [{ 'not[reviewer_username]': 'the-maintainer' }, 'DBA'],
    [{ merge_user_username: 'The-Maintainer' }, 'D'],
    [{ merge_user_username: 'the-owner' }, ''],
    [{ my_reaction_emoji: 'tada' }, 'A'],
    [{ my_reaction_emoji: 'None' }, 'DCB'],
    [{ 'not[my_reaction_emoji]': 'tada' }, 'DCB'],
    [{ source_branch: 'b' }, 'B'],
    [{ target_branch: 'stable' }, 'D'],
    [{ source_project_id: '2000000000' }, ''],
    [{ approved: 'yes' }, 'C'],
    [{ approved: 'no' }, 'DBA'],
    [{ wip: 'yes' }, 'B'],
    [{ wip: 'no' }, 'DCA'],
    [{ environment: 'production' }, ''],
    [{ deployed_after: '2020-01-01' }, ''],
    [{ created_before: '2020-01-01' }, ''],
    [{ updated_after: '2020-01-01' }, 'DCBA'],
    [{ scope: 'created-by-me' }, 'CBA'],
    [{ scope: 'reviews_for_me' }, ''],
    [{ order_by: 'title', sort: 'asc' }, 'ACDB'],
    [{ order_by: 'merged_at' }, 'DCBA'],
    [{ order_by: 'merged_at', sort: 'asc' }, 'DCBA'],
    [{ order_by: 'milestone_due' }, 'BDCA'],
    [{ order_by: 'label_priority', sort: 'asc' }, 'CADB'],
  ])('with %o', async (query, expected) => {
    expect(await listed(query)).toBe(expected);
  });

  test('is by ids of people, too, and refuses both', async () => {
    expect(await listed({ reviewer_id: String(people.maintainer) })).toBe('C');
    expect(await listed({ merge_user_id: String(people.maintainer) })).toBe('D');
    expect(await listed({ source_project_id: String(id) })).toBe('DCBA');
    for (const role of ['author', 'assignee', 'reviewer', 'merge_user'])
      expect(await listed({ [`${role}_id`]: '1', [`${role}_username`]: 'x' })).toEqual({
        error: `${role}_id, ${role}_username are mutually exclusive`,
      });
    expect(await listed({ assignee_id: 'me' })).toEqual({ error: 'assignee_id is invalid' });
    expect(await listed({ wip: 'maybe' })).toEqual({ error: 'wip does not have a valid value' });
  });

  test('is of a group with references from there, and of everything by default one’s own', async () => {
    const group = await api('GET', 'groups/shop/merge_requests', tokens.reporter, { query: { search: 'Cherry' } });
    const [name] = project.split('/').slice(1);
    expect(group.body[0].references).toEqual({ short: '!3', relative: `${name}!3`, full: `${project}!3` });
    expect(await listed({ order_by: 'title' }, 'merge_requests')).toBe('BCA');
    expect(await listed({ scope: 'all', target_branch: 'stable' }, 'merge_requests')).toBe('D');
    const mine = await api('GET', 'merge_requests', tokens.maintainer, { query: { scope: 'reviews-for-me' } });
    expect(letters(mine.body)).toBe('C');
    expect((await api('GET', 'merge_requests', undefined)).status).toBe(401);
    expect((await api('GET', 'merge_requests', undefined, { query: { scope: 'all' } })).body).toEqual([]);
  });

  test('has those of archived projects, in a group on demand', async () => {
    const archived = await aProject();
    await open(archived, { title: 'Zucchini', source_branch: 'z' });
    await api('POST', at(archived, '/archive'), tokens.owner);
    const search = { search: 'Zucchini' };
    expect(await listed(search, 'merge_requests')).toBe('Z');
    expect(await listed({ ...search, non_archived: 'true' }, 'merge_requests')).toBe('');
    expect(await listed(search, 'groups/shop/merge_requests')).toBe('');
    expect(await listed({ ...search, non_archived: 'false' }, 'groups/shop/merge_requests')).toBe('Z');
  });

  test('shows less of each, labels whole, and texts as HTML', async () => {
    const shown = async (query: Record<string, string>) =>
      (await api('GET', at(project, '/merge_requests'), tokens.reporter, { query: { iids: '3', ...query } })).body[0];
    expect(Object.keys(await shown({ view: 'simple' }))).toEqual([
      'id',
      'iid',
      'project_id',
      'title',
      'description',
      'state',
      'created_at',
      'updated_at',
      'web_url',
    ]);
    expect((await shown({ with_labels_details: 'true' })).labels).toEqual([
      expect.objectContaining({ name: 'shop', color: expect.any(String) }),
    ]);
    expect(await shown({ render_html: 'true' })).toMatchObject({
      title_html: 'Cherry',
      description_html: expect.stringContaining('pie</p>'),
    });
    const usual = await shown({});
    for (const key of ['subscribed', 'changes_count', 'diff_refs', 'user', 'title_html'])
      expect(usual).not.toHaveProperty(key);
  });

  test('is for those who read code', async () => {
    const guest = await api('GET', at(project, '/merge_requests'), tokens.guest);
    expect([guest.status, guest.body]).toEqual([403, { message: '403 Forbidden' }]);
    expect((await api('GET', at(project, '/merge_requests'), tokens.stranger)).status).toBe(404);
    expect((await api('GET', 'groups/shop/merge_requests', tokens.guest)).body).toEqual([]);
    const all = await api('GET', 'merge_requests', tokens.guest, { query: { scope: 'all' } });
    expect(all.body).toEqual([]);
  });

  test('says of each whether the viewer merges it, and reads the rules of a project once for a page', async () => {
    const query = `query ($path: ID!) { project(fullPath: $path) { mergeRequests { nodes { userPermissions { canMerge } } } } }`;
    const sent = await sentBy(async () => {
      const { data } = await gateway.graphql(query, { variables: { path: project }, token: tokens.maintainer });
      const nodes = Array.from({ length: 4 }, () => ({ userPermissions: { canMerge: true } }));
      expect(data).toEqual({ project: { mergeRequests: { nodes } } });
    });
    expect(sent.filter(({ text }) => text === findRules.text)).toHaveLength(1);
  });

  test('is a connection of places and of oneself, and is counted by state', async () => {
    const { data } = await gateway.graphql(
      `query ($path: ID!) {
        project(fullPath: $path) { mergeRequests(labels: ["bug"]) { count nodes { title } } }
        group(fullPath: "shop") { mergeRequests(sort: TITLE_ASC) { nodes { title } } }
        currentUser {
          authoredMergeRequests(state: merged) { count }
          mine: authoredMergeRequests(state: merged, scope: CREATED_BY_ME) { count }
          assignedMergeRequests { nodes { title } }
          reviewRequestedMergeRequests { count }
        }
        user(username: "the-developer") { authoredMergeRequests(state: merged, sort: updated_desc) { count } }
        other: user(username: "the-reporter") { authoredMergeRequests(scope: CREATED_BY_ME) { count nodes { title } } }
        mergeRequestStateCounts(project: $path) { all opened closed locked merged }
      }`,
      { variables: { path: project }, token: tokens.developer },
    );
    expect(data).toEqual({
      project: { mergeRequests: { count: 2, nodes: [{ title: 'Draft: Banana' }, { title: 'Apple pie' }] } },
      group: {
        mergeRequests: { nodes: ['Apple pie', 'Cherry', 'Date', 'Draft: Banana'].map((title) => ({ title })) },
      },
      currentUser: {
        authoredMergeRequests: { count: 1 },
        mine: { count: 1 },
        assignedMergeRequests: { nodes: [{ title: 'Cherry' }] },
        reviewRequestedMergeRequests: { count: 0 },
      },
      user: { authoredMergeRequests: { count: 1 } },
      other: { authoredMergeRequests: { count: 0, nodes: [] } },
      mergeRequestStateCounts: { all: 4, opened: 3, closed: 0, locked: 0, merged: 1 },
    });
  });
});

test('an issue, a milestone, a label and a person show their merge requests, to those who read them', async () => {
  const project = await aProject();
  const { id } = (await api('GET', at(project), tokens.owner)).body;
  const { body: issue } = await api('POST', at(project, '/issues'), tokens.reporter, { json: { title: 'Leak' } });
  const { body: milestone } = await api('POST', at(project, '/milestones'), tokens.reporter, { json: { title: 'v1' } });
  const more = { milestone_id: milestone.id, labels: 'bug' };
  const { body: closing } = await open(project, { title: 'Closes', source_branch: 'a', ...more });
  const { body: mentioning } = await open(project, { title: 'Mentions', source_branch: 'b' });
  await gateway.sql(
    'insert into merge_request_issues (merge_request_id, issue_id, closes) values ($1, $3, true), ($2, $3, false)',
    [closing.id, mentioning.id, issue.id],
  );
  const of = async (path: string, token = tokens.reporter) =>
    letters((await api('GET', at(project, path), token)).body);
  expect(await of('/issues/1/closed_by')).toBe('C');
  expect(await of('/issues/1/related_merge_requests')).toBe('CM');
  expect(await of(`/milestones/${milestone.id}/merge_requests`)).toBe('C');
  const [listed] = (await api('GET', at(project, '/issues/1/closed_by'), tokens.reporter)).body;
  const [usual] = (await api('GET', at(project, '/merge_requests'), tokens.reporter, { query: { iids: '1' } })).body;
  expect(listed).toEqual(usual);
  const countOf = async (token: string) =>
    (await api('GET', at(project, '/issues/1'), token)).body.merge_requests_count as number;
  expect(await countOf(tokens.reporter)).toBe(1);
  // Guests see the issue, but no code.
  expect([await countOf(tokens.guest), await of('/issues/1/closed_by', tokens.guest)]).toEqual([0, '']);
  const labels = await api('GET', at(project, '/labels'), tokens.reporter, { query: { with_counts: 'true' } });
  expect(labels.body[0]).toMatchObject({ name: 'bug', open_merge_requests_count: 1 });
  const asks = 'query ($path: ID!) { project(fullPath: $path) { openMergeRequestsCount } }';
  const openFor = async (token: string) => (await gateway.graphql(asks, { variables: { path: project }, token })).data;
  expect(await openFor(tokens.reporter)).toEqual({ project: { openMergeRequestsCount: 2 } });
  expect(await openFor(tokens.guest)).toEqual({ project: { openMergeRequestsCount: null } });
  const { body: counts } = await api('GET', `users/${closing.author.id}/associations_count`, tokens.reporter);
  const [{ total }] = (await gateway.sql<{ total: number }>(
    'select count(*)::int as total from merge_requests where author_id = $1',
    [closing.author.id],
  )) as [{ total: number }];
  expect(counts.merge_requests_count).toBe(total);
  expect(id).toBe(closing.project_id);
});
