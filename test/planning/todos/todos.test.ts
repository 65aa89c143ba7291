import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { subscribe } from '../../support/requests/event-stream.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { at, makeShop, type Shop } from '../../support/places/shop.ts';
import { sentBy } from '../../support/databases/statements.ts';

/** To-dos: when they arise, when they are done, and who sees them. */

let gateway: TestGateway;
let make: Shop['make'];
let tokens: Shop['tokens'];
let api: Shop['api'];
let aProject: Shop['aProject'];
const ids: Record<string, number> = {};
beforeAll(async () => {
  ({ gateway, make, tokens, api, aProject } = await makeShop());
  for (const { id, username } of await gateway.sql<{ id: number; username: string }>('select id, username from users'))
    ids[username] = id;
});

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

interface Listed {
  readonly id: number;
  readonly action_name: string;
  readonly author: { readonly username: string };
  readonly target: { readonly iid: number };
}

/** A person's to-dos of a project: their reasons. */
async function reasons(project: string, token: string, query: Record<string, string> = {}): Promise<string[]> {
  const list = await todos(project, token, query);
  return list.map(({ action_name: name }) => name).toSorted();
}
async function todos(project: string, token: string, query: Record<string, string> = {}): Promise<Listed[]> {
  const { body } = await api('GET', at(project), tokens.root);
  const list = await api('GET', 'todos', token, { query: { project_id: String(body.id), ...query } });
  expect(list.status).toBe(200);
  return list.body as Listed[];
}

const create = (project: string, json: object, token = tokens.reporter) =>
  api('POST', at(project, '/issues'), token, { json: { title: 'Pump', ...json } });
const update = (project: string, json: object, token = tokens.reporter) =>
  api('PUT', at(project, '/issues/1'), token, { json });

describe('a to-do', () => {
  test('is made by hand, shown whole, and made once', async () => {
    const project = await aProject();
    const { body: issue } = await create(project, { labels: 'bug', due_date: '2026-07-22' });
    const { status, body } = await api('POST', at(project, '/issues/1/todo'), tokens.guest);
    expect(status).toBe(201);
    const shown = (await api('GET', at(project, '/issues/1'), tokens.guest)).body;
    expect(body).toEqual({
      id: expect.any(Number),
      project: {
        id: issue.project_id,
        description: expect.anything(),
        name: expect.any(String),
        name_with_namespace: expect.stringContaining(' / '),
        path: project.slice('shop/'.length),
        path_with_namespace: project,
        created_at: moment,
      },
      author: expect.objectContaining({ username: 'the-guest' }),
      action_name: 'marked',
      target_type: 'Issue',
      target: shown,
      target_url: `${gateway.url}/${project}/-/issues/1`,
      body: 'Pump',
      state: 'pending',
      created_at: moment,
      updated_at: moment,
    });
    expect(body.target).toMatchObject({ labels: ['bug'], subscribed: false, due_date: '2026-07-22' });
    const again = await api('POST', at(project, '/issues/1/todo'), tokens.guest);
    expect([again.status, again.text]).toEqual([304, '']);
    expect(await todos(project, tokens.guest)).toEqual([body]);
  });

  test('ten requests at once make one', async () => {
    const project = await aProject();
    await create(project, {});
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => api('POST', at(project, '/issues/1/todo'), tokens.guest)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 9 }, () => 304)]);
  });

  test('about an issue that is hidden or missing is refused', async () => {
    const project = await aProject();
    await create(project, { confidential: true });
    for (const iid of [1, 9])
      expect(await api('POST', at(project, `/issues/${iid}/todo`), tokens.guest)).toMatchObject({
        status: 404,
        body: { message: '404 Not found' },
      });
    expect((await api('POST', at(project, '/issues/1/todo'), undefined)).status).toBe(401);
    expect((await api('GET', 'todos', undefined)).status).toBe(401);
  });
});

describe('arises', () => {
  test('for the assignee, and for those whom the title or the description mentions', async () => {
    const project = await aProject();
    const { body } = await create(project, {
      title: 'Ask @the-owner',
      description: '@the-guest please look.\n\nSee @the-maintainer, and again @the-guest, @the-stranger, @the-reporter',
      assignee_ids: [ids['the-developer']],
    });
    const found = await todos(project, tokens.developer);
    expect(found).toMatchObject([
      {
        action_name: 'assigned',
        author: { username: 'the-reporter' },
        target: { iid: body.iid },
        body: 'Ask @the-owner',
      },
    ]);
    expect(await reasons(project, tokens.guest)).toEqual(['directly_addressed']);
    expect(await reasons(project, tokens.maintainer)).toEqual(['mentioned']);
    expect(await reasons(project, tokens.owner)).toEqual(['mentioned']);
    // Neither for those who don't see the project, nor for the person who writes.
    expect(await gateway.sql('select 1 from todos where user_id = any($1)', [[ids['the-stranger']]])).toEqual([]);
    expect(await reasons(project, tokens.reporter)).toEqual([]);
  });

  test('for the members of a group, and for all of a project', async () => {
    await make.group('shop/crew');
    const [inside, outside] = [await make.user('the-mate'), await make.user('the-passenger')];
    await make.member('the-mate', 'GUEST', { group: 'shop/crew' });
    await make.member('the-mate', 'GUEST', { group: 'shop' });
    await make.member('the-passenger', 'GUEST', { group: 'shop/crew' });
    const project = await aProject();
    await create(project, { description: 'See @shop/crew' });
    expect(await reasons(project, inside)).toEqual(['mentioned']);
    // Who doesn't see the project isn't told.
    expect((await api('GET', 'todos', outside)).body).toEqual([]);
    const comment = (iid: number, body: string, token = tokens.reporter) =>
      api('POST', at(project, `/issues/${iid}/notes`), token, { json: { body } });
    await comment(1, '@shop/crew and @the-mate: look');
    expect(await reasons(project, inside)).toEqual(['directly_addressed', 'mentioned']);
    await create(project, { confidential: true });
    await comment(2, '@shop/crew');
    expect(await todos(project, inside)).toHaveLength(2);
    // A group that the author doesn't see stays text.
    const open = await aProject('PUBLIC');
    await create(open, {});
    await api('POST', at(open, '/issues/1/notes'), tokens.stranger, { json: { body: '@shop/crew' } });
    expect(await todos(open, inside)).toEqual([]);
    await create(project, {});
    await comment(3, 'Attention @all');
    expect(await todos(project, inside)).toHaveLength(3);
    expect(await reasons(project, tokens.reporter)).toEqual([]);
    const people = (await api('GET', at(project, '/issues/3/participants'), tokens.guest)).body as {
      username: string;
    }[];
    expect(people.map(({ username }) => username)).toEqual(
      expect.arrayContaining(['the-owner', 'the-developer', 'the-guest', 'the-mate']),
    );
  });

  test('not for the members of a group that disabled mentions', async () => {
    await make.group('shop/quiet');
    const inside = await make.user('the-quiet');
    await make.member('the-quiet', 'GUEST', { group: 'shop/quiet' });
    await make.member('the-quiet', 'GUEST', { group: 'shop' });
    const disable = async (mentions_disabled: boolean) =>
      expect(
        (await api('PUT', 'groups/shop%2Fquiet', tokens.root, { json: { mentions_disabled } })).body,
      ).toMatchObject({ mentions_disabled });
    const project = await aProject();
    const comment = (body: string) => api('POST', at(project, '/issues/1/notes'), tokens.reporter, { json: { body } });
    await disable(true);
    await create(project, { description: 'See @shop/quiet' });
    await comment('@shop/quiet');
    expect(await reasons(project, inside)).toEqual([]);
    const people = (await api('GET', at(project, '/issues/1/participants'), tokens.guest)).body;
    expect(people).not.toContainEqual(expect.objectContaining({ username: 'the-quiet' }));
    // Their own names still reach them, and so does the group's when it allows mentions again.
    await comment('See @the-quiet');
    expect(await reasons(project, inside)).toEqual(['mentioned']);
    await disable(false);
    await comment('@shop/quiet');
    expect(await reasons(project, inside)).toEqual(['directly_addressed', 'mentioned']);
  });

  test('for all of a project by shares too, while these are in force', async () => {
    const project = await aProject();
    const invited = async (group: string, place: string, expires_at: string | null) => {
      await make.group(group);
      const token = await make.user(`of-${group}`);
      await make.member(`of-${group}`, 'GUEST', { group });
      const [found] = await gateway.sql<{ id: number }>('select id from namespaces where full_path = $1', [group]);
      const json = { group_id: found!.id, group_access: 10, expires_at };
      expect((await api('POST', `${place}/share`, tokens.root, { json })).status).toBe(201);
      return token;
    };
    const people = [
      await invited('friends', at(project), null),
      await invited('allies', 'groups/shop', '2999-01-01'),
      await invited('strangers', at(project), '2999-01-01'),
    ];
    await gateway.sql(
      `update project_shares set expires_at = '2020-01-01' where invited_group_id = (select id from namespaces where full_path = 'strangers')`,
    );
    await create(project, { description: 'Attention @all' });
    expect(await Promise.all(people.map((token) => reasons(project, token)))).toEqual([
      ['mentioned'],
      ['mentioned'],
      [],
    ]);
    const participants = (await api('GET', at(project, '/issues/1/participants'), tokens.guest)).body as object[];
    expect(participants).toEqual(
      expect.arrayContaining(['of-friends', 'of-allies'].map((username) => expect.objectContaining({ username }))),
    );
  });

  test('for oneself by assigning, also while editing', async () => {
    const project = await aProject();
    await create(project, { assignee_ids: [ids['the-reporter']] });
    expect(await reasons(project, tokens.reporter)).toEqual(['assigned']);
    await update(project, { assignee_ids: [0] });
    expect(await reasons(project, tokens.reporter)).toEqual([]);
    await update(project, { assignee_ids: [ids['the-reporter']] });
    expect(await reasons(project, tokens.reporter)).toEqual(['assigned']);
    expect(await reasons(project, tokens.reporter, { state: 'done' })).toEqual(['assigned']);
  });

  test('once for each kind, and only for new mentions and assignments', async () => {
    const project = await aProject();
    await create(project, { description: 'With @the-guest', assignee_ids: [ids['the-guest']] });
    await update(project, { description: 'With @the-guest and @the-developer' });
    await update(project, { title: 'Leaks' }, tokens.owner);
    expect(await reasons(project, tokens.guest)).toEqual(['assigned', 'mentioned']);
    expect(await reasons(project, tokens.developer)).toEqual(['mentioned']);
    await api('POST', at(project, '/issues/1/todo'), tokens.guest);
    expect(await reasons(project, tokens.guest)).toEqual(['assigned', 'marked', 'mentioned']);
  });

  test('only for those who read a confidential issue', async () => {
    const project = await aProject();
    await create(project, { confidential: true, description: '@the-guest @the-developer' });
    expect(await reasons(project, tokens.developer)).toEqual(['mentioned']);
    expect(await reasons(project, tokens.guest)).toEqual([]);
    await update(project, { confidential: false });
    expect(await reasons(project, tokens.guest)).toEqual([]);
  });

  test('without a statement of its own', async () => {
    const project = await aProject();
    const json = { description: '@the-guest', assignee_ids: [ids['the-developer']] };
    await create(project, json);
    const sent = await sentBy(async () => void (await create(project, json)));
    expect(sent.length).toBeLessThanOrEqual(3);
    expect(await reasons(project, tokens.developer)).toEqual(['assigned', 'assigned']);
  });
});

describe('is done', () => {
  test.each([
    ['a new title', { title: 'Other' }, 'done'],
    ['labels', { labels: 'new' }, 'done'],
    ['closing', { state_event: 'close' }, 'done'],
    ['a due date', { due_date: '2026-07-22' }, 'pending'],
    ['locking', { discussion_locked: true }, 'pending'],
  ])('by %s of the person: %s', async (_what, json, state) => {
    const project = await aProject();
    await create(project, { assignee_ids: [ids['the-developer']], description: '@the-owner' });
    expect((await update(project, json, tokens.developer)).status).toBe(200);
    expect(await reasons(project, tokens.developer, { state })).toEqual(['assigned']);
    expect(await reasons(project, tokens.owner)).toHaveLength(1);
  });

  test('by an award, and stays done when the issue is reopened', async () => {
    const project = await aProject();
    await create(project, { assignee_ids: [ids['the-developer']] });
    await api('POST', at(project, '/issues/1/award_emoji'), tokens.developer, { form: { name: 'eyes' } });
    expect(await reasons(project, tokens.developer)).toEqual([]);
    await update(project, { state_event: 'close' });
    await update(project, { state_event: 'reopen' });
    expect(await reasons(project, tokens.developer)).toEqual([]);
  });

  test('by hand: one, again, and never that of somebody else', async () => {
    const project = await aProject();
    await create(project, { assignee_ids: [ids['the-developer']] });
    const [{ id }] = (await todos(project, tokens.developer)) as [Listed];
    const mark = (token: string) => api('POST', `todos/${id}/mark_as_done`, token);
    expect(await mark(tokens.guest)).toMatchObject({ status: 404, body: { message: '404 Not found' } });
    expect(await mark(tokens.developer)).toMatchObject({ status: 201, body: { id, state: 'done' } });
    expect(await mark(tokens.developer)).toMatchObject({ status: 201, body: { id, state: 'done' } });
    expect((await api('POST', 'todos/x/mark_as_done', tokens.developer)).status).toBe(404);
  });
});

describe('disappears', () => {
  test('with its issue, and from those who don’t read it any more', async () => {
    const project = await aProject();
    await create(project, { description: '@the-guest @the-developer', assignee_ids: [ids['the-owner']] });
    await update(project, { confidential: true });
    expect(await reasons(project, tokens.guest)).toEqual([]);
    await update(project, { confidential: false });
    expect(await reasons(project, tokens.guest)).toEqual([]);
    expect(await reasons(project, tokens.developer)).toEqual(['mentioned']);
    await api('DELETE', at(project, '/issues/1'), tokens.owner);
    expect(await reasons(project, tokens.developer)).toEqual([]);
  });

  test('from a person who left', async () => {
    const token = await make.user('the-visitor');
    const project = await aProject();
    await make.member('the-visitor', 'GUEST', { project });
    await create(project, { description: '@the-visitor' });
    const [{ id }] = (await todos(project, token)) as [Listed];
    const [{ id: person }] = (await gateway.sql<{ id: number }>(
      `select id from users where username = 'the-visitor'`,
    )) as [{ id: number }];
    await api('DELETE', at(project, `/members/${person}`), tokens.owner);
    expect((await api('GET', 'todos', token)).body).toEqual([]);
    expect((await api('POST', `todos/${id}/mark_as_done`, token)).status).toBe(404);
  });
});

describe('the list', () => {
  test('has filters', async () => {
    const token = await make.user('the-busy');
    await make.member('the-busy', 'REPORTER', { group: 'shop' });
    const [one, other] = [await aProject('PRIVATE', 'shop/inner'), await aProject()];
    await create(one, { description: '@the-busy' });
    await create(other, { description: 'See @the-busy' }, tokens.owner);
    const list = async (query: Record<string, string>) => {
      const { status, body } = await api('GET', 'todos', token, { query });
      return status === 200 ? (body as Listed[]).map(({ action_name: name }) => name) : [status, body];
    };
    expect(await list({})).toEqual(['mentioned', 'directly_addressed']);
    expect(await list({ action: 'mentioned' })).toEqual(['mentioned']);
    expect(await list({ action: 'build_failed' })).toEqual([]);
    expect(await list({ author_id: String(ids['the-owner']) })).toEqual(['mentioned']);
    const inner = (await api('GET', 'groups/shop%2Finner', tokens.root)).body.id as number;
    expect(await list({ group_id: String(inner) })).toEqual(['directly_addressed']);
    expect(await list({ type: 'MergeRequest' })).toEqual([]);
    expect(await list({ type: 'Issue', per_page: '1' })).toEqual(['mentioned']);
    expect(await list({ action: 'x' })).toEqual([400, { error: 'action does not have a valid value' }]);
    expect(await list({ author_id: 'x' })).toEqual([400, { error: 'author_id is invalid' }]);
    expect(await list({ state: 'x' })).toEqual([400, { error: 'state does not have a valid value' }]);
  });

  test('is marked as done at once, by several requests, without losing one', async () => {
    const token = await make.user('the-swamped');
    await make.member('the-swamped', 'REPORTER', { group: 'shop' });
    const project = await aProject();
    for (let count = 0; count < 20; count++) await create(project, { description: '@the-swamped' });
    const all = () =>
      gateway.graphql<{ todosMarkAllDone: { updatedCount: number; todos: unknown[] } }>(
        'mutation { todosMarkAllDone(input: {}) { updatedCount todos { state } errors } }',
        { token },
      );
    const answers = await Promise.all([
      ...Array.from({ length: 8 }, all),
      ...(await todos(project, token)).map(async ({ id }) => {
        await api('POST', `todos/${id}/mark_as_done`, token);
      }),
    ]);
    const marked = answers.reduce((sum, answer) => sum + (answer?.data?.todosMarkAllDone.updatedCount ?? 0), 0);
    expect(marked).toBeLessThanOrEqual(20);
    expect(await todos(project, token)).toEqual([]);
    expect(await todos(project, token, { state: 'done', per_page: '100' })).toHaveLength(20);
    for (let count = 0; count < 10; count++) await create(project, { description: '@the-swamped' });
    const counts = await Promise.all(Array.from({ length: 5 }, all));
    expect(counts.reduce((sum, { data }) => sum + data!.todosMarkAllDone.updatedCount, 0)).toBe(10);
    expect(await api('POST', 'todos/mark_as_done', token)).toMatchObject({ status: 204, text: '' });
  });
});

describe('over GraphQL', () => {
  test('to-dos are listed, made, marked and restored', async () => {
    const token = await make.user('the-tester');
    await make.member('the-tester', 'REPORTER', { group: 'shop' });
    const project = await aProject();
    const { body: issue } = await create(project, {});
    const send = async (query: string) => {
      const { data, errors } = await gateway.graphql(query, { token });
      expect(errors).toBeUndefined();
      return data!;
    };
    const fields =
      'id action state body targetType targetUrl target { webUrl name ... on Issue { iid } } author { username }';
    const created = await send(
      `mutation { todoCreate(input: { targetId: "gid://gitlab/Issue/${issue.id}" }) { todo { ${fields} } errors } }`,
    );
    const todo = {
      id: expect.stringMatching(/^gid:\/\/gitlab\/Todo\/\d+$/) as string,
      action: 'marked',
      state: 'pending',
      body: 'Pump',
      targetType: 'ISSUE',
      targetUrl: issue.web_url as string,
      target: { webUrl: issue.web_url as string, name: 'Pump', iid: '1' },
      author: { username: 'the-tester' },
    };
    expect(created).toEqual({ todoCreate: { todo, errors: [] } });
    const [row] = await gateway.sql<{ id: number }>(
      'select id from todos where user_id = (select id from users where username = $1)',
      ['the-tester'],
    );
    const id = `gid://gitlab/Todo/${row!.id}`;
    expect(await send(`{ todo(id: "${id}") { ${fields} } currentUser { todos { nodes { id } } } }`)).toEqual({
      todo: { ...todo, id },
      currentUser: { todos: { nodes: [{ id }] } },
    });
    expect(await send(`mutation { todoMarkDone(input: { id: "${id}" }) { todo { state } } }`)).toEqual({
      todoMarkDone: { todo: { state: 'done' } },
    });
    const own = `project(fullPath: "${project}") { issue(iid: "1") { currentUserTodos(state: done) { nodes { state } } } }`;
    expect(await send(`{ ${own} }`)).toEqual({
      project: { issue: { currentUserTodos: { nodes: [{ state: 'done' }] } } },
    });
    expect(
      await send(`mutation { todoRestoreMany(input: { ids: ["${id}"] }) { todos { state } updatedIds } }`),
    ).toEqual({
      todoRestoreMany: { todos: [{ state: 'pending' }], updatedIds: [id] },
    });
    const all = `mutation { todosMarkAllDone(input: { targetId: "gid://gitlab/Issue/${issue.id}" }) { todos { id } } }`;
    expect(await send(all)).toEqual({ todosMarkAllDone: { todos: [{ id }] } });
    expect(await send(`mutation { todoRestore(input: { id: "${id}" }) { todo { state } } }`)).toEqual({
      todoRestore: { todo: { state: 'pending' } },
    });
    // Not a second one of the same kind.
    await send(`mutation { todoMarkDone(input: { id: "${id}" }) { todo { state } } }`);
    await api('POST', at(project, '/issues/1/todo'), token);
    expect(await send(`mutation { todoRestore(input: { id: "${id}" }) { todo { state } } }`)).toEqual({
      todoRestore: { todo: { state: 'done' } },
    });
    const { errors } = await gateway.graphql(`mutation { todoMarkDone(input: { id: "${id}" }) { todo { id } } }`, {
      token: tokens.guest,
    });
    expect(errors![0]!.message).toContain('does not exist or you don');
  });
});

describe('sorted by the priority of labels', () => {
  test('the first priority comes first, and those without one last, in both directions', async () => {
    const token = await make.user('the-sorter');
    await make.member('the-sorter', 'REPORTER', { group: 'shop' });
    const project = await aProject();
    const priorities = { later: 5, soon: 1 };
    for (const [name, priority] of Object.entries(priorities))
      await api('POST', at(project, '/labels'), tokens.reporter, { json: { name, color: '#ff0000', priority } });
    for (const [index, labels] of ['later', '', 'soon'].entries()) {
      await create(project, { labels });
      await api('POST', at(project, `/issues/${index + 1}/todo`), token);
    }
    const sorted = async (sort: string) => {
      const { data, errors } = await gateway.graphql<{
        currentUser: { todos: { nodes: { target: { iid: string } }[] } };
      }>(`{ currentUser { todos(sort: ${sort}) { nodes { target { ... on Issue { iid } } } } } }`, { token });
      expect(errors).toBeUndefined();
      return data!.currentUser.todos.nodes.map(({ target }) => target.iid);
    };
    expect(await sorted('LABEL_PRIORITY_ASC')).toEqual(['3', '1', '2']);
    expect(await sorted('LABEL_PRIORITY_DESC')).toEqual(['1', '3', '2']);
  });
});

describe('from a comment', () => {
  test('leads to it, has its text, and goes with it', async () => {
    const project = await aProject();
    await create(project, {});
    const text = '@the-guest, see #1 :tada:';
    const { body: note } = await api('POST', at(project, '/issues/1/notes'), tokens.reporter, { json: { body: text } });
    const url = `${gateway.url}/${project}/-/issues/1#note_${note.id}`;
    expect(await todos(project, tokens.guest)).toMatchObject([
      { action_name: 'directly_addressed', target_url: url, body: text, target: { iid: 1 } },
    ]);
    const { data, errors } = await gateway.graphql(
      `{ project(fullPath: "${project}") { issue(iid: "1") { currentUserTodos { nodes { targetUrl note { id body bodyHtml url } } } } } }`,
      { token: tokens.guest },
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      project: {
        issue: {
          currentUserTodos: {
            nodes: [
              {
                targetUrl: url,
                note: {
                  id: `gid://gitlab/Note/${note.id}`,
                  body: text,
                  bodyHtml: expect.stringContaining(`href="${gateway.url}/${project}/-/issues/1"`),
                  url,
                },
              },
            ],
          },
        },
      },
    });
    await api('DELETE', at(project, `/issues/1/notes/${note.id}`), tokens.reporter);
    expect(await todos(project, tokens.guest)).toEqual([]);
  });
});

describe('live', () => {
  async function listen(query: string, token: string) {
    const reader = await subscribe(gateway, `subscription { told: ${query} }`, { token });
    onTestFinished(() => reader.leave());
    const data = async () => (await reader.next())!.data as { data: { told: unknown } | null };
    return { told: async () => (await data()).data!.told };
  }

  test('an issue is watched as a whole, and in its parts, by those who read it', async () => {
    const project = await aProject();
    const { body } = await create(project, {});
    const gid = `gid://gitlab/Issue/${body.id}`;
    const whole = await listen(`issueUpdated(id: "${gid}") { title confidential }`, tokens.guest);
    const title = await listen(
      `issuableTitleUpdated(issuableId: "${gid}") { ... on Issue { title } }`,
      tokens.developer,
    );
    const labels = await listen(
      `issuableLabelsUpdated(issuableId: "${gid}") { ... on Issue { labels { nodes { title } } } }`,
      tokens.developer,
    );
    await update(project, { labels: 'bug' });
    expect(await labels.told()).toEqual({ labels: { nodes: [{ title: 'bug' }] } });
    expect(await whole.told()).toEqual({ title: 'Pump', confidential: false });
    await update(project, { title: 'Leaks' });
    expect(await title.told()).toEqual({ title: 'Leaks' });
    expect(await whole.told()).toEqual({ title: 'Leaks', confidential: false });
    // Who no longer reads it, gets nothing of it.
    await update(project, { confidential: true });
    expect(await whole.told()).toBeNull();
  });

  test('commands in a comment reach those who watch the issue, and whom they assign', async () => {
    const project = await aProject();
    const { body } = await create(project, {});
    const assignee = await listen(
      `issuableAssigneesUpdated(issuableId: "gid://gitlab/Issue/${body.id}") { ... on Issue { assignees { nodes { username } } } }`,
      tokens.guest,
    );
    const todos = 'currentUserTodosUpdated { todos(first: 1) { nodes { action } } }';
    const [own, others] = [await listen(todos, tokens.owner), await listen(todos, tokens.developer)];
    await api('POST', at(project, '/issues/1/notes'), tokens.owner, {
      json: { body: '/assign @the-developer\n/todo' },
    });
    expect(await assignee.told()).toEqual({ assignees: { nodes: [{ username: 'the-developer' }] } });
    expect(await others.told()).toEqual({ todos: { nodes: [{ action: 'assigned' }] } });
    expect(await own.told()).toEqual({ todos: { nodes: [{ action: 'marked' }] } });
  });

  test('what one doesn’t read can’t be watched', async () => {
    const project = await aProject();
    const { body } = await create(project, { confidential: true });
    const query = `subscription { issueUpdated(id: "gid://gitlab/Issue/${body.id}") { title } }`;
    const reader = await subscribe(gateway, query, { token: tokens.guest });
    onTestFinished(() => reader.leave());
    expect(await reader.next()).toMatchObject({ data: { errors: [{ extensions: { code: 'NOT_FOUND' } }] } });
  });

  test('to-dos reach their person, and nobody else', async () => {
    const project = await aProject();
    const fields = 'currentUserTodosUpdated { username todos(first: 1) { nodes { action } } }';
    const own = await listen(fields, tokens.developer);
    const others = await listen(fields, tokens.maintainer);
    const { body } = await create(project, { description: 'See @the-developer' });
    expect(await own.told()).toEqual({ username: 'the-developer', todos: { nodes: [{ action: 'mentioned' }] } });
    const about = `issuableTodoUpdated(issuableId: "gid://gitlab/Issue/${body.id}") { ... on Issue { currentUserTodos(state: pending) { count } } }`;
    const issue = await listen(about, tokens.developer);
    await api('POST', 'todos/mark_as_done', tokens.developer);
    expect(await issue.told()).toEqual({ currentUserTodos: { count: 0 } });
    await create(project, { description: '@the-maintainer' });
    expect(await others.told()).toEqual({
      username: 'the-maintainer',
      todos: { nodes: [{ action: 'directly_addressed' }] },
    });
  });
});
