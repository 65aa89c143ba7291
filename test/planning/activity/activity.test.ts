import { beforeAll, describe, expect, test } from 'vitest';
import type { TestGateway } from '../../support/gateway.ts';
import { at, makeShop, type Shop } from '../../support/places/shop.ts';

/** What people did, and the lists of what doesn't exist here. */

let gateway: TestGateway;
let make: Shop['make'];
let tokens: Shop['tokens'];
let api: Shop['api'];
let aProject: Shop['aProject'];
beforeAll(async () => {
  ({ gateway, make, tokens, api, aProject } = await makeShop());
});

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

interface Listed {
  readonly id: number;
  readonly action_name: string;
  readonly target_type: string | null;
  readonly target_iid: number | null;
}
const events = async (path: string, token: string | undefined, query: Record<string, string> = {}) => {
  const { status, body } = await api('GET', path, token, { query });
  return status === 200
    ? (body as Listed[]).map((one) => `${one.action_name} ${one.target_type} ${one.target_iid}`)
    : body;
};

/** A project in which the reporter created, closed and reopened an issue, and created a milestone and a hidden issue. */
async function busyProject(visibility: 'PRIVATE' | 'PUBLIC' = 'PRIVATE') {
  const project = await aProject(visibility);
  const send = (method: string, more: string, json: object) =>
    api(method, at(project, more), tokens.reporter, { json });
  await send('POST', '/issues', { title: 'Pump' });
  await send('PUT', '/issues/1', { title: 'Pumps' });
  await send('PUT', '/issues/1', { state_event: 'close' });
  await send('PUT', '/issues/1', { state_event: 'reopen' });
  await send('POST', '/milestones', { title: 'Spring' });
  await send('POST', '/issues', { title: 'Secret', confidential: true });
  return project;
}

const seenByGuest = ['opened Milestone 1', 'opened Issue 1', 'closed Issue 1', 'opened Issue 1'];

describe('activity', () => {
  test('of a project is shown to those who read what it is about', async () => {
    const project = await busyProject();
    const { body } = await api('GET', at(project, '/events'), tokens.guest, { query: { target_type: 'issue' } });
    expect(body[1]).toEqual({
      id: expect.any(Number),
      project_id: expect.any(Number),
      action_name: 'closed',
      target_id: expect.any(Number),
      target_iid: 1,
      target_type: 'Issue',
      author_id: expect.any(Number),
      target_title: 'Pumps',
      created_at: moment,
      author: expect.objectContaining({ username: 'the-reporter' }),
      imported: false,
      imported_from: 'none',
      author_username: 'the-reporter',
    });
    const guest = (await events(at(project, '/events'), tokens.guest)) as string[];
    expect(guest).toEqual(seenByGuest);
    expect(await events(at(project, '/events'), tokens.developer)).toEqual(['opened Issue 2', ...guest]);
    expect(await events(at(project, '/events'), tokens.stranger)).toEqual({ message: '404 Project Not Found' });
    await api('DELETE', at(project, '/issues/1'), tokens.owner);
    expect(await events(at(project, '/events'), tokens.guest)).toEqual(['opened Milestone 1']);
  });

  test('has filters, an order and pages', async () => {
    const path = at(await busyProject(), '/events');
    expect(await events(path, tokens.guest, { action: 'closed' })).toEqual(['closed Issue 1']);
    expect(await events(path, tokens.guest, { target_type: 'milestone' })).toEqual(['opened Milestone 1']);
    expect(await events(path, tokens.guest, { target_type: 'issue', sort: 'asc', per_page: '1' })).toEqual([
      'opened Issue 1',
    ]);
    expect(await events(path, tokens.guest, { action: 'pushed' })).toEqual([]);
    const today = new Date().toISOString().slice(0, 10);
    expect(await events(path, tokens.guest, { before: today })).toEqual([]);
    expect(await events(path, tokens.guest, { after: today })).toEqual([]);
    expect(await events(path, tokens.guest, { before: '2999-01-01', after: '2001-01-01' })).toHaveLength(4);
    expect(await events(path, tokens.guest, { action: 'x' })).toEqual({ error: 'action does not have a valid value' });
    expect(await events(path, tokens.guest, { before: 'x' })).toEqual({ error: 'before is invalid' });
  });

  test('of a person: their own, that of others, and none of a private profile', async () => {
    const token = await make.user('the-worker');
    await make.member('the-worker', 'REPORTER', { group: 'shop' });
    const [open, closed] = [await aProject('PUBLIC'), await aProject()];
    for (const project of [open, closed]) await api('POST', at(project, '/issues'), token, { json: { title: 'Pump' } });
    expect(await events('events', token)).toEqual(['opened Issue 1', 'opened Issue 1']);
    expect(await events('users/the-worker/events', tokens.stranger)).toEqual(['opened Issue 1']);
    expect(await events('users/the-worker/events', undefined)).toEqual(['opened Issue 1']);
    expect(await events('users/nobody/events', token)).toEqual({ message: '404 User Not Found' });
    expect(
      ((await api('GET', 'events', tokens.guest, { query: { scope: 'all' } })).body as object[]).length,
    ).toBeGreaterThan(0);
    await api('POST', 'projects', token, { json: { name: 'works' } });
    expect(await events('events', token, { target_type: 'project' })).toEqual(['created null null']);
    await gateway.sql(`update users set private_profile = true where username = 'the-worker'`);
    expect(await events('users/the-worker/events', tokens.stranger)).toEqual([]);
    expect(await events('users/the-worker/events', token)).toHaveLength(3);
    expect((await api('GET', 'events', undefined)).status).toBe(401);
  });

  test('says who joined a project and who left, as what they did', async () => {
    const token = await make.user('the-visitor');
    const project = await aProject('PUBLIC');
    await make.member('the-visitor', 'GUEST', { project });
    const [{ id }] = (await gateway.sql<{ id: number }>(`select id from users where username = 'the-visitor'`)) as [
      { id: number },
    ];
    await api('DELETE', at(project, `/members/${id}`), tokens.owner);
    expect(await events('events', token)).toEqual(['left null null', 'joined null null']);
    expect(await events('events', token, { action: 'joined' })).toEqual(['joined null null']);
  });

  test('has comments, for those who read them', async () => {
    const project = await busyProject('PUBLIC');
    const comment = async (place: string, token: string, json: object) =>
      (await api('POST', at(project, place), token, { json: { body: 'It drips.', ...json } })).body;
    const note = await comment('/issues/1/notes', tokens.stranger, {});
    const internal = await comment('/issues/1/notes', tokens.reporter, { internal: true });
    const hidden = await comment('/issues/2/notes', tokens.reporter, {});
    const { body: snippet } = await api('POST', at(project, '/snippets'), tokens.reporter, {
      json: { title: 'Pipes', visibility: 'private', file_name: 'a.txt', content: 'x' },
    });
    const thread = (await comment(`/snippets/${snippet.id}/discussions`, tokens.reporter, {})).notes[0];
    const path = at(project, '/events');
    const { body } = await api('GET', path, tokens.guest, { query: { action: 'commented' } });
    expect(body).toMatchObject([
      {
        action_name: 'commented on',
        target_type: 'DiscussionNote',
        target_id: thread.id,
        target_title: 'Pipes',
        note: thread,
      },
      {
        action_name: 'commented on',
        target_id: note.id,
        target_iid: note.id,
        target_type: 'Note',
        target_title: 'Pumps',
        author_username: 'the-stranger',
        note,
      },
    ]);
    const noted = async (token: string | undefined, query: Record<string, string> = { target_type: 'note' }) => {
      const list = (await api('GET', path, token, { query })).body as { target_id: number; action_name: string }[];
      return list.filter((one) => one.action_name === 'commented on').map((one) => one.target_id);
    };
    expect(await noted(tokens.developer)).toEqual([thread.id, hidden.id, internal.id, note.id]);
    expect(await noted(tokens.developer, {})).toEqual([thread.id, hidden.id, internal.id, note.id]);
    expect(await noted(tokens.guest)).toEqual([thread.id, note.id]);
    expect(await noted(tokens.stranger)).toEqual([note.id]);
    expect(await noted(undefined)).toEqual([note.id]);
    expect(await noted(tokens.guest, { target_type: 'issue' })).toEqual([]);
    const { body: own } = await api('GET', 'events', tokens.stranger, { query: { action: 'commented' } });
    expect(own.map((one: { target_id: number }) => one.target_id)).toContain(note.id);
    const { data, errors } = await gateway.graphql(
      `{ projectEvents(project: "${project}", targetType: NOTE) { nodes { action targetId note { body } } } }`,
      { token: tokens.stranger },
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      projectEvents: {
        nodes: [{ action: 'COMMENTED', targetId: `gid://gitlab/Note/${note.id}`, note: { body: 'It drips.' } }],
      },
    });
    await api('PUT', at(project), tokens.owner, { json: { snippets_access_level: 'disabled' } });
    expect(await noted(tokens.guest)).toEqual([note.id]);
    await api('DELETE', at(project, `/issues/1/notes/${note.id}`), tokens.stranger);
    expect(await noted(tokens.stranger)).toEqual([]);
  });

  test('over GraphQL has GitLab’s names', async () => {
    const project = await busyProject();
    const { data, errors } = await gateway.graphql(
      `{ projectEvents(project: "${project}", action: CLOSED) { nodes { id action author { username } createdAt updatedAt targetId } } }`,
      { token: tokens.guest },
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      projectEvents: {
        nodes: [
          {
            id: expect.stringMatching(/^gid:\/\/gitlab\/Event\/\d+$/),
            action: 'CLOSED',
            author: { username: 'the-reporter' },
            createdAt: moment,
            updatedAt: moment,
            targetId: expect.stringMatching(/^gid:\/\/gitlab\/Issue\/\d+$/),
          },
        ],
      },
    });
  });

  test('of a group is that of all its projects in one order, page by page from both ends', async () => {
    await make.group('shop/busy');
    await make.group('shop/busy/inner');
    const projects = [];
    for (const group of ['shop/busy', 'shop/busy/inner', 'shop/busy']) projects.push(await aProject('PRIVATE', group));
    // Much in one, little in another, nothing in the third.
    for (const [place, title] of [0, 1, 0, 0, 0, 1, 0].entries())
      await api('POST', at(projects[title]!, '/issues'), tokens.reporter, { json: { title: `Pump ${place}` } });
    interface Page {
      nodes: { targetTitle: string }[];
      pageInfo: { startCursor: string; endCursor: string; hasNextPage: boolean; hasPreviousPage: boolean };
    }
    const list = async (part: string, token = tokens.reporter, group = 'shop/busy') => {
      const { data, errors } = await gateway.graphql<{ groupEvents: Page }>(
        `{ groupEvents(group: "${group}", action: CREATED, targetType: ISSUE, ${part}) {
          nodes { targetTitle } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } }`,
        { token },
      );
      if (errors) throw new Error(errors[0]!.message);
      const { nodes, pageInfo } = data!.groupEvents;
      return { titles: nodes.map(({ targetTitle }) => targetTitle.replace('Pump ', '')).join(''), ...pageInfo };
    };
    expect(await list('first: 10')).toMatchObject({ titles: '6543210', hasNextPage: false });
    expect((await list('first: 10, sort: CREATED_ASC')).titles).toBe('0123456');
    const first = await list('first: 3');
    expect(first).toMatchObject({ titles: '654', hasNextPage: true });
    const second = await list(`first: 3, after: "${first.endCursor}"`);
    expect(second).toMatchObject({ titles: '321', hasNextPage: true, hasPreviousPage: true });
    expect((await list(`first: 3, after: "${second.endCursor}"`)).titles).toBe('0');
    expect((await list(`last: 3, before: "${second.startCursor}"`)).titles).toBe('654');
    expect((await list('last: 2')).titles).toBe('10');
    expect((await list('first: 10', tokens.reporter, 'shop/busy/inner')).titles).toBe('51');
    await expect(list('first: 10', tokens.stranger)).rejects.toThrow('Group not found.');
  });
});

describe('what doesn’t exist here', () => {
  test.each(['issues/1/related_merge_requests', 'issues/1/closed_by', 'milestones/{milestone}/merge_requests'])(
    '%s is an empty list with its headers',
    async (path) => {
      const project = await busyProject();
      const [milestone] = (await api('GET', at(project, '/milestones'), tokens.guest)).body as { id: number }[];
      const answer = await api(
        'GET',
        at(project, `/${path.replace('{milestone}', String(milestone!.id))}`),
        tokens.guest,
      );
      expect([answer.status, answer.body, answer.headers.get('x-total')]).toEqual([200, [], '0']);
      const hidden = await api('GET', at(project, `/${path.replace(/1|\{milestone\}/, '99999')}`), tokens.guest);
      expect(hidden.status).toBe(404);
    },
  );

  test('nobody knows from where an issue was created, not even administrators', async () => {
    const path = at(await busyProject(), '/issues/1/user_agent_detail');
    expect((await api('GET', path, tokens.owner)).status).toBe(403);
    expect(await api('GET', path, tokens.root)).toMatchObject({
      status: 404,
      body: { message: '404 UserAgentDetail Not Found' },
    });
  });
});
