import { beforeAll, describe, expect, test } from 'vitest';
import { dataOf, inputErrors, refusal } from '../../support/requests/answers.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { whileHeld } from '../../support/databases/held.ts';
import { mailedShop } from '../../support/mail/mailed.ts';
import { newUser, type TestUser } from '../../support/places/people.ts';
import type { Shop } from '../../support/places/shop.ts';

/** Requests for access: people without a role ask for one, and those who manage the members decide. */

const mailed = mailedShop();
let gateway: TestGateway;
let make: Shop['make'];
let tokens: Shop['tokens'];
let api: Shop['api'];
beforeAll(() => {
  ({ gateway, make, tokens, api } = mailed.shop);
});

const kinds = ['group', 'project'] as const;
type Kind = (typeof kinds)[number];
type Visibility = 'PRIVATE' | 'INTERNAL' | 'PUBLIC';

let made = 0;
const newAsker = () => newUser(gateway, `asker-${++made}`);

interface Place {
  readonly kind: Kind;
  readonly fullPath: string;
  /** Below `/api/v4/`. */
  readonly path: string;
  readonly requests: string;
}

/** A group or a project in `shop`, which has a member of each role. */
async function aPlace(kind: Kind, visibility: Visibility = 'PUBLIC'): Promise<Place> {
  const fullPath = `shop/place-${++made}`;
  await make[kind](fullPath, visibility);
  const path = `${kind}s/${encodeURIComponent(fullPath)}`;
  return { kind, fullPath, path, requests: `${path}/access_requests` };
}

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const notFound = { message: '404 Not found' };
const forbidden = { message: '403 Forbidden' };

const ask = async ({ requests }: Place, { token }: Pick<TestUser, 'token'>) => {
  expect((await api('POST', requests, token)).status).toBe(201);
};
/** Who asks for a role. */
async function asking({ requests }: Place): Promise<string[]> {
  const { status, body } = await api('GET', requests, tokens.owner);
  expect(status).toBe(200);
  return (body as { username: string }[]).map(({ username }) => username);
}

interface Todo {
  readonly id: number;
  readonly state: string;
  readonly action_name: string;
}

/** The to-dos of a person that another one caused. */
async function todosBy({ id }: TestUser, token: string, query: Record<string, string> = {}): Promise<Todo[]> {
  const { status, body } = await api('GET', 'todos', token, { query: { author_id: id, ...query } });
  expect(status).toBe(200);
  return body as Todo[];
}

describe.each(kinds)('a request for a %s', (kind) => {
  test('has the fields of its person, and makes them a developer when it is approved', async () => {
    const place = await aPlace(kind);
    const asker = await newAsker();
    const request = {
      id: Number(asker.id),
      username: asker.username,
      public_email: '',
      name: asker.username,
      state: 'active',
      locked: false,
      avatar_url: null,
      web_url: `${gateway.url}/${asker.username}`,
      created_at: moment,
      requested_at: moment,
    };
    const { status, body } = await api('POST', place.requests, asker.token);
    expect([status, body]).toEqual([201, request]);
    expect(await api('POST', place.requests, asker.token)).toMatchObject({
      status: 400,
      body: { message: { user_id: ['already exists in source'] } },
    });
    const list = await api('GET', place.requests, tokens.owner);
    expect([list.status, list.headers.get('x-total'), list.body]).toEqual([200, '1', [body]]);
    const approved = await api('PUT', `${place.requests}/${asker.id}/approve`, tokens.owner);
    expect(approved).toMatchObject({
      status: 201,
      body: { id: Number(asker.id), access_level: 30, expires_at: null, created_by: { username: 'the-owner' } },
    });
    expect(await asking(place)).toEqual([]);
    expect((await api('GET', `${place.path}/members/${asker.id}`, tokens.owner)).body).toEqual(approved.body);
    expect(await api('PUT', `${place.requests}/${asker.id}/approve`, tokens.owner)).toMatchObject({
      status: 404,
      body: notFound,
    });
    expect(await api('POST', place.requests, asker.token)).toMatchObject({ status: 403, body: forbidden });
  });

  test('is for people without a role who see the place, where it may be asked', async () => {
    const [open, hidden, shut] = [await aPlace(kind), await aPlace(kind, 'PRIVATE'), await aPlace(kind)];
    const changed = await api('PUT', shut.path, tokens.owner, { json: { request_access_enabled: false } });
    expect(changed).toMatchObject({ status: 200, body: { request_access_enabled: false } });
    const subject = kind === 'group' ? 'Group' : 'Project';
    for (const [place, token, status, body] of [
      [open, undefined, 401, { message: '401 Unauthorized' }],
      [hidden, tokens.stranger, 404, { message: `404 ${subject} Not Found` }],
      [shut, tokens.stranger, 403, forbidden],
      [open, tokens.guest, 403, forbidden],
      [open, tokens.root, 403, forbidden],
      [open, await gateway.personalToken('the-stranger', ['read_api']), 403, { error: 'insufficient_scope' }],
    ] as const)
      expect(await api('POST', place.requests, token)).toMatchObject({ status, body });
    expect([await asking(open), await asking(shut)]).toEqual([[], []]);
    // What was asked before stays until it is decided.
    await ask(open, { token: tokens.stranger });
    await api('PUT', open.path, tokens.owner, { json: { request_access_enabled: false } });
    expect(await asking(open)).toEqual(['the-stranger']);
  });

  test('is read and decided by those who manage the members, up to their own role', async () => {
    const place = await aPlace(kind);
    const asker = await newAsker();
    await ask(place, asker);
    const one = `${place.requests}/${asker.id}`;
    const decides = kind === 'group' ? [tokens.owner] : [tokens.owner, tokens.maintainer];
    const others = [
      asker.token,
      tokens.stranger,
      tokens.developer,
      ...(kind === 'group' ? [tokens.maintainer] : []),
      await gateway.personalToken('the-guest', ['api']),
    ];
    for (const token of others) {
      expect(await api('GET', place.requests, token)).toMatchObject({ status: 403, body: forbidden });
      expect(await api('PUT', `${one}/approve`, token)).toMatchObject({ status: 403, body: forbidden });
      if (token !== asker.token)
        expect(await api('DELETE', one, token)).toMatchObject({ status: 403, body: forbidden });
    }
    for (const token of decides) expect((await api('GET', place.requests, token)).body).toHaveLength(1);
    const approve = (token: string, level: number) =>
      api('PUT', `${one}/approve`, token, { json: { access_level: level } });
    expect(await approve(tokens.owner, 7)).toMatchObject({
      status: 400,
      body: { message: { access_level: ['is not included in the list'] } },
    });
    if (kind === 'project') expect(await approve(tokens.maintainer, 50)).toMatchObject({ status: 403 });
    expect(await asking(place)).toEqual([asker.username]);
    expect(await approve(decides.at(-1)!, 20)).toMatchObject({ status: 201, body: { access_level: 20 } });
  });

  test('is withdrawn by its person, and denied by others', async () => {
    const place = await aPlace(kind);
    const [asker, other] = [await newAsker(), await newAsker()];
    for (const one of [asker, other]) await ask(place, one);
    expect(await asking(place)).toEqual([asker.username, other.username]);
    expect(await api('DELETE', `${place.requests}/${other.id}`, asker.token)).toMatchObject({ status: 403 });
    expect(await api('DELETE', `${place.requests}/${asker.id}`, asker.token)).toMatchObject({ status: 204, text: '' });
    expect(await api('DELETE', `${place.requests}/${asker.id}`, asker.token)).toMatchObject({
      status: 404,
      body: notFound,
    });
    expect(await asking(place)).toEqual([other.username]);
    expect((await api('DELETE', `${place.requests}/${other.id}`, tokens.owner)).status).toBe(204);
    expect(await asking(place)).toEqual([]);
    // Who was denied is no member, and may ask again.
    await ask(place, other);
  });

  test('makes a to-do for those who decide, which is done once they did', async () => {
    const place = await aPlace(kind);
    const asker = await newAsker();
    await ask(place, asker);
    const { body: shown } = await api('GET', place.path, tokens.owner);
    const [todo, ...more] = await todosBy(asker, tokens.owner);
    const target = { id: shown.id, name: shown.name, web_url: shown.web_url };
    const kindOfTarget = kind === 'group' ? 'Namespace' : 'Project';
    expect(todo).toMatchObject({
      [kind]: { id: shown.id },
      author: { username: asker.username },
      action_name: 'member_access_requested',
      target_type: kindOfTarget,
      target,
      target_url: `${shown.web_url}/-/members#access-requests`,
      body: place.fullPath,
      state: 'pending',
    });
    expect([more, Object.hasOwn(todo!, kind === 'group' ? 'project' : 'group')]).toEqual([[], false]);
    for (const [query, count] of [
      [{ type: kindOfTarget, action: 'member_access_requested' }, 1],
      [{ type: kind === 'group' ? 'Project' : 'Namespace' }, 0],
      [{ type: 'Issue' }, 0],
      [{ [`${kind}_id`]: String(shown.id) }, 1],
      [{ action: 'marked' }, 0],
    ] as const)
      expect([query, (await todosBy(asker, tokens.owner, query)).length]).toEqual([query, count]);
    expect(await todosBy(asker, tokens.maintainer)).toHaveLength(kind === 'group' ? 0 : 1);
    expect(await todosBy(asker, tokens.developer)).toEqual([]);
    expect((await api('DELETE', `${place.requests}/${asker.id}`, tokens.owner)).status).toBe(204);
    expect(await todosBy(asker, tokens.owner)).toEqual([]);
    expect(await todosBy(asker, tokens.owner, { state: 'done' })).toMatchObject([{ id: todo!.id, state: 'done' }]);
  });

  test('makes to-dos for the nearest of those who decide, and for none who doesn’t any more', async () => {
    const place = await aPlace(kind);
    const [asker, near] = [await newAsker(), await newAsker()];
    const json = { user_id: near.id, access_level: kind === 'group' ? 50 : 40 };
    expect((await api('POST', `${place.path}/members`, tokens.owner, { json })).status).toBe(201);
    await ask(place, asker);
    expect(await todosBy(asker, near.token)).toHaveLength(1);
    expect(await todosBy(asker, tokens.owner)).toEqual([]);
    const path = `${place.path}/members/${near.id}`;
    expect((await api('PUT', path, tokens.owner, { json: { access_level: 30 } })).status).toBe(200);
    expect(await todosBy(asker, near.token)).toEqual([]);
  });

  test('is mailed to those who decide, and the answer to its person', async () => {
    const place = await aPlace(kind);
    const name = place.fullPath.split('/').at(-1)!;
    const [granted, added, denied, withdrawn] = [
      await newAsker(),
      await newAsker(),
      await newAsker(),
      await newAsker(),
    ];
    for (const one of [granted, added, denied, withdrawn]) await ask(place, one);
    const mails = await mailed.mails('the-owner');
    expect(mails.map(({ from }) => from!.name).toSorted()).toEqual(
      [granted, added, denied, withdrawn].map(({ username }) => `${username} (@${username})`).toSorted(),
    );
    const page = `${gateway.url}/${kind === 'group' ? 'groups/' : ''}${place.fullPath}`;
    for (const mail of mails) {
      expect(mail.subject).toBe(`Request to join the ${name} ${kind}`);
      expect(mail.messageId).toMatch(/^<[0-9a-f]{40}@/);
      expect(mail.text).toContain(` asks for access to the ${kind} ${name}.\n`);
      expect(mail.text).toContain(`Grant or deny it: ${page}/-/members#access-requests\n`);
      expect(mail.text).toContain('because you decide about the request');
      expect(mail.header(`X-GitLab-${kind === 'group' ? 'Group' : 'Project'}-Path`)).toBe(place.fullPath);
      for (const absent of ['List-Unsubscribe', 'X-GitLab-NotificationReason', 'X-GitLab-Reply-Key'])
        expect(mail.header(absent), absent).toBeUndefined();
    }
    expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(4);
    expect(await mailed.mails('the-maintainer')).toHaveLength(kind === 'group' ? 0 : 4);
    expect(await mailed.mails('the-developer')).toEqual([]);
    const one = ({ id }: TestUser) => `${place.requests}/${id}`;
    const json = { user_id: added.id, access_level: 10 };
    expect((await api('PUT', `${one(granted)}/approve`, tokens.owner)).status).toBe(201);
    expect((await api('POST', `${place.path}/members`, tokens.owner, { json })).status).toBe(201);
    expect((await api('DELETE', one(denied), tokens.owner)).status).toBe(204);
    expect((await api('DELETE', one(withdrawn), withdrawn.token)).status).toBe(204);
    for (const [asker, answer] of [
      [granted, 'granted'],
      [added, 'granted'],
      [denied, 'denied'],
    ] as const) {
      const [mail, ...more] = await mailed.mails(asker.username);
      expect(more).toEqual([]);
      expect(mail!.subject).toBe(`Access to the ${name} ${kind} was ${answer}`);
      expect(mail!.from!.name).toBe('Causeway');
      expect(mail!.text).toContain(`Your request for access to the ${kind} ${name} was ${answer}.\n`);
      expect(mail!.text).toContain(`View the ${kind}: ${page}\n`);
      expect(mail!.text).toContain('because you asked for access');
    }
    expect(await mailed.mails(withdrawn.username)).toEqual([]);
    // The list of what was sent has them, and those who were never asked get nothing.
    const { data } = await gateway.graphql<any>('{ currentUser { notifications { nodes { cause via title url } } } }', {
      token: denied.token,
    });
    expect(data.currentUser.notifications.nodes).toEqual([
      { cause: 'ACCESS_DENIED', via: 'PARTICIPANT', title: name, url: page },
    ]);
    const member = await newAsker();
    const plain = { user_id: member.id, access_level: 10 };
    expect((await api('POST', `${place.path}/members`, tokens.owner, { json: plain })).status).toBe(201);
    expect(await mailed.fates(member.username)).toEqual([]);
  });

  test('is mailed to no one once it is over, nor to those who decide no more, nor where there is no mail', async () => {
    const later = { rcpt: () => 450 };
    const dropped = (outcome: string) => ({ state: 'DROPPED', outcome });
    /** What becomes of the last message to a person that waits while something happens. */
    const fate = async (who: string, happens: () => Promise<unknown>) => {
      await mailed.fates(who);
      mailed.sink.behaviour = {};
      await happens();
      await mailed.sendAgain();
      return (await mailed.fates(who)).at(-1);
    };
    const asked = async (place: Place) => {
      const asker = await newAsker();
      mailed.sink.behaviour = later;
      await ask(place, asker);
      return asker;
    };
    const place = await aPlace(kind);
    const one = ({ id }: TestUser) => `${place.requests}/${id}`;
    const asker = await asked(place);
    expect(await fate('the-owner', () => api('DELETE', one(asker), asker.token))).toMatchObject(dropped('GONE'));
    const blocked = await asked(place);
    expect(await fate('the-owner', () => api('POST', `users/${blocked.id}/block`, tokens.root))).toMatchObject(
      dropped('GONE'),
    );
    // A place that its person sees no more: the message would say that it is still there.
    const denied = await asked(place);
    const hides = () => api('PUT', place.path, tokens.owner, { json: { visibility: 'private' } });
    await mailed.fates('the-owner');
    expect((await api('DELETE', one(denied), tokens.owner)).status).toBe(204);
    expect(await fate(denied.username, hides)).toMatchObject(dropped('NO_ACCESS'));
    // One whose membership ended again, in a place that everyone sees.
    const open = await aPlace(kind);
    const granted = await asked(open);
    await mailed.fates('the-owner');
    expect((await api('PUT', `${open.requests}/${granted.id}/approve`, tokens.owner)).status).toBe(201);
    const removes = () => api('DELETE', `${open.path}/members/${granted.id}`, tokens.owner);
    expect(await fate(granted.username, removes)).toMatchObject(dropped('NO_ACCESS'));
    // One who decides no more.
    const other = await aPlace(kind);
    const near = await newAsker();
    const level = kind === 'group' ? 50 : 40;
    const members = `${other.path}/members`;
    await api('POST', members, tokens.owner, { json: { user_id: near.id, access_level: level } });
    await asked(other);
    const lowers = () => api('PUT', `${members}/${near.id}`, tokens.owner, { json: { access_level: 30 } });
    expect(await fate(near.username, lowers)).toMatchObject(dropped('NO_ACCESS'));
    const silent = await asked(await aPlace(kind));
    const mutes = () =>
      gateway.sql(
        kind === 'group'
          ? 'update namespaces set emails_enabled = false where id = (select group_id from access_requests where user_id = $1)'
          : `update projects set attributes = attributes || '{"emailsEnabled": false}' where id = (select project_id from access_requests where user_id = $1)`,
        [silent.id],
      );
    expect(await fate('the-owner', mutes)).toMatchObject(dropped('MAIL_DISABLED'));
  });

  test('of a person without a confirmed address makes a to-do, and no message', async () => {
    const place = await aPlace(kind);
    const asker = await newAsker();
    await gateway.sql('update emails set verified_at = null where user_id = $1', [asker.id]);
    await ask(place, asker);
    expect(await mailed.fates('the-owner')).toEqual([]);
    expect(await todosBy(asker, tokens.owner)).toHaveLength(1);
  });

  test('is made a few times a day for one place, and some dozens of times for all', async () => {
    const [place, other] = [await aPlace(kind), await aPlace(kind)];
    const asker = await newAsker();
    const one = `${place.requests}/${asker.id}`;
    for (let count = 1; count <= 5; count++) {
      await ask(place, asker);
      // One that is there already isn’t counted.
      for (const _time of [1, 2]) expect((await api('POST', place.requests, asker.token)).status).toBe(400);
      expect((await api('DELETE', one, asker.token)).status).toBe(204);
    }
    const enough = 'You asked for access too many times within a day. Ask again later.';
    const refused = await api('POST', place.requests, asker.token);
    expect([refused.status, refused.text]).toEqual([429, enough]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(80_000);
    expect(await asking(place)).toEqual([]);
    await ask(other, asker);
    expect((await api('DELETE', `${other.requests}/${asker.id}`, asker.token)).status).toBe(204);
    const counter = `access requests of user ${asker.id}`;
    expect(await gateway.sql('select count from attempt_counters where key = $1', [counter])).toEqual([{ count: 6 }]);
    await gateway.sql('update attempt_counters set count = 50 where key = $1', [counter]);
    const answer = await gateway.graphql(
      `mutation { requestAccess(input: { ${kind}: "${other.fullPath}" }) { errors } }`,
      { token: asker.token },
    );
    expect(refusal(answer)).toMatchObject({ code: 'RATE_LIMITED', message: enough });
  });

  test('is an audit event about its person, and so are its ends', async () => {
    const place = await aPlace(kind);
    const asker = await newAsker();
    const one = `${place.requests}/${asker.id}`;
    await ask(place, asker);
    await api('DELETE', one, asker.token);
    await ask(place, asker);
    await api('DELETE', one, tokens.owner);
    await ask(place, asker);
    await api('PUT', `${one}/approve`, tokens.owner, { json: { access_level: 20 } });
    const { data } = await gateway.graphql<any>(
      '{ currentUser { auditEvents(first: 6) { nodes { kind actorDatabaseId detail } } } }',
      { token: asker.token },
    );
    const detail = `${kind} ${place.fullPath}`;
    const [self, decider] = [Number(asker.id), await mailed.idOf('the-owner')];
    const asked = { kind: 'access_request_created', actorDatabaseId: self, detail };
    expect(data.currentUser.auditEvents.nodes).toEqual([
      { kind: 'member_added', actorDatabaseId: decider, detail: `${detail} as reporter` },
      asked,
      { kind: 'access_request_denied', actorDatabaseId: decider, detail },
      asked,
      { kind: 'access_request_withdrawn', actorDatabaseId: self, detail },
      asked,
    ]);
  });

  test('of two at once, one is made', async () => {
    const place = await aPlace(kind);
    const asker = await newAsker();
    const answers = await Promise.all([1, 2].map(() => api('POST', place.requests, asker.token)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400]);
    expect(await asking(place)).toEqual([asker.username]);
    // What the tests before caused may arrive now, too.
    const about = (await mailed.mails('the-owner')).filter(({ from }) => from!.name.includes(asker.username));
    expect(about).toHaveLength(1);
  });

  test('ends when its person becomes a member otherwise, or is removed', async () => {
    const place = await aPlace(kind);
    const [added, removed] = [await newAsker(), await newAsker()];
    for (const one of [added, removed]) await ask(place, one);
    const json = { user_id: added.id, access_level: 10 };
    expect((await api('POST', `${place.path}/members`, tokens.owner, { json })).status).toBe(201);
    expect(await asking(place)).toEqual([removed.username]);
    expect([await todosBy(added, tokens.owner), await todosBy(removed, tokens.owner)]).toMatchObject([[], [{}]]);
    expect((await api('DELETE', `users/${removed.id}`, tokens.root)).status).toBe(204);
    expect(await asking(place)).toEqual([]);
  });

  test('goes with the place', async () => {
    const place = await aPlace(kind);
    const asker = await newAsker();
    await ask(place, asker);
    const { id } = (await api('GET', place.path, tokens.owner)).body as { id: number };
    expect((await api('DELETE', place.path, tokens.owner)).status).toBe(202);
    expect((await api('GET', place.requests, tokens.owner)).status).toBe(404);
    expect(await todosBy(asker, tokens.owner)).toEqual([]);
    await gateway.sql(`delete from ${kind === 'group' ? 'namespaces' : 'projects'} where id = $1`, [id]);
    expect(await gateway.sql('select id from access_requests where user_id = $1', [asker.id])).toEqual([]);
    expect(await gateway.sql('select id from todos where author_id = $1', [asker.id])).toEqual([]);
  });
});

test('a request whose role would be lower than an inherited one is refused, and stays', async () => {
  const place = await aPlace('project');
  const asker = await newAsker();
  await ask(place, asker);
  await gateway.sql(
    `insert into group_members (user_id, group_id, access_level) select $1, id, 40 from namespaces where full_path = 'shop'`,
    [asker.id],
  );
  expect(await api('PUT', `${place.requests}/${asker.id}/approve`, tokens.owner)).toMatchObject({
    status: 400,
    body: {
      message: {
        access_level: ['should be greater than or equal to Maintainer inherited membership from group shop'],
      },
    },
  });
  expect(await asking(place)).toEqual([asker.username]);
});

test('an archived project takes no requests, and those that are there are still decided', async () => {
  const place = await aPlace('project');
  const [asker, late] = [await newAsker(), await newAsker()];
  await ask(place, asker);
  expect((await api('POST', `${place.path}/archive`, tokens.owner)).status).toBe(201);
  expect(await api('POST', place.requests, late.token)).toMatchObject({ status: 403, body: forbidden });
  const { data } = await gateway.graphql<any>(
    `{ project(fullPath: "${place.fullPath}") { userPermissions { requestAccess } } }`,
    { token: late.token },
  );
  expect(data.project.userPermissions).toEqual({ requestAccess: false });
  expect((await api('PUT', `${place.requests}/${asker.id}/approve`, tokens.owner)).status).toBe(201);
});

test('a request of a person who has a role by a share by now is granted as any other', async () => {
  const place = await aPlace('project');
  const asker = await newAsker();
  await ask(place, asker);
  const group = `guests-${made}`;
  await make.group(group);
  const own = { user_id: asker.id, access_level: 40 };
  expect((await api('POST', `groups/${group}/members`, tokens.root, { json: own })).status).toBe(201);
  const share = { group_id: await mailed.shop.namespaceId(group), group_access: 20 };
  expect((await api('POST', `${place.path}/share`, tokens.root, { json: share })).status).toBe(201);
  expect(await api('POST', place.requests, asker.token)).toMatchObject({ status: 403, body: forbidden });
  expect(await asking(place)).toEqual([asker.username]);
  expect(await api('PUT', `${place.requests}/${asker.id}/approve`, tokens.owner)).toMatchObject({
    status: 201,
    body: { access_level: 30 },
  });
  expect(await asking(place)).toEqual([]);
});

test('to-dos about several requests are restored each by itself', async () => {
  const place = await aPlace('group');
  const askers = [await newAsker(), await newAsker()];
  for (const asker of askers) await ask(place, asker);
  const found = (await Promise.all(askers.map((asker) => todosBy(asker, tokens.owner)))).flat();
  for (const { id } of found) expect((await api('POST', `todos/${id}/mark_as_done`, tokens.owner)).status).toBe(201);
  const ids = found.map(({ id }) => `gid://gitlab/Todo/${id}`);
  const { todoRestoreMany } = dataOf(
    await gateway.graphql<{ todoRestoreMany: { updatedCount: number } }>(
      'mutation ($ids: [TodoID!]!) { todoRestoreMany(input: { ids: $ids }) { updatedCount errors } }',
      { token: tokens.owner, variables: { ids } },
    ),
  );
  expect([ids.length, todoRestoreMany.updatedCount]).toEqual([2, 2]);
});

describe.each(kinds)('over GraphQL, for a %s', (kind) => {
  interface Own {
    readonly place: {
      readonly userPermissions: { readonly requestAccess: boolean };
      readonly currentUserAccessRequest: { readonly id: string } | null;
    };
  }
  const own = async ({ fullPath }: Place, token?: string) => {
    const { place } = dataOf(
      await gateway.graphql<Own>(
        `query ($path: ID!) { place: ${kind}(fullPath: $path) { userPermissions { requestAccess } currentUserAccessRequest { id requestedAt user { username } } } }`,
        { token, variables: { path: fullPath } },
      ),
    );
    return { may: place.userPermissions.requestAccess, has: place.currentUserAccessRequest };
  };
  const send = (mutation: string, type: string, payload: string, input: object, token: string) =>
    gateway.graphql<Record<string, Record<string, unknown>>>(
      `mutation ($input: ${type}Input!) { ${mutation}(input: $input) { ${payload} errors } }`,
      { token, variables: { input } },
    );

  test('it says who may ask, and who has asked', async () => {
    const place = await aPlace(kind);
    const asker = await newAsker();
    expect(await own(place)).toEqual({ may: false, has: null });
    for (const token of [tokens.guest, tokens.owner, tokens.root])
      expect(await own(place, token)).toEqual({ may: false, has: null });
    expect(await own(place, asker.token)).toEqual({ may: true, has: null });
    const payload = 'accessRequest { id requestedAt user { username } }';
    const request = () => send('requestAccess', 'RequestAccess', payload, { [kind]: place.fullPath }, asker.token);
    const { accessRequest } = dataOf(await request()).requestAccess!;
    expect(accessRequest).toEqual({
      id: expect.stringMatching(/^gid:\/\/gitlab\/AccessRequest\/\d+$/),
      requestedAt: moment,
      user: { username: asker.username },
    });
    expect(await own(place, asker.token)).toEqual({ may: true, has: accessRequest });
    expect(await own(place, tokens.owner)).toEqual({ may: false, has: null });
    expect(inputErrors(await request())).toEqual(['User id already exists in source']);
  });

  test('the same rules hold', async () => {
    const place = await aPlace(kind);
    const asker = await newAsker();
    const refused = refusal(await send('requestAccess', 'RequestAccess', '', { [kind]: place.fullPath }, tokens.guest));
    expect(refused).toMatchObject({ code: 'FORBIDDEN' });
    await ask(place, asker);
    const list = `query ($path: ID!) { accessRequests(${kind}: $path) { count nodes { databaseId user { username } } } }`;
    const variables = { path: place.fullPath };
    expect(refusal(await gateway.graphql(list, { token: asker.token, variables }))).toMatchObject({
      code: 'FORBIDDEN',
    });
    expect(dataOf(await gateway.graphql(list, { token: tokens.owner, variables }))).toEqual({
      accessRequests: { count: 1, nodes: [{ databaseId: expect.any(Number), user: { username: asker.username } }] },
    });
    const input = { [kind]: place.fullPath, userId: `gid://gitlab/User/${asker.id}` };
    const denied = await send('denyAccessRequest', 'DenyAccessRequest', 'accessRequest { id }', input, tokens.owner);
    expect(dataOf(denied).denyAccessRequest!.errors).toEqual([]);
    const again = await send('denyAccessRequest', 'DenyAccessRequest', 'accessRequest { id }', input, tokens.owner);
    expect(refusal(again)).toMatchObject({ code: 'NOT_FOUND', subject: 'AccessRequest' });
    await ask(place, asker);
    const payload = 'member { accessLevel { stringValue } user { username } }';
    const approved = await send('approveAccessRequest', 'ApproveAccessRequest', payload, input, tokens.owner);
    expect(dataOf(approved).approveAccessRequest).toEqual({
      member: { accessLevel: { stringValue: 'DEVELOPER' }, user: { username: asker.username } },
      errors: [],
    });
  });
});

test('of several decisions at once, one counts', async () => {
  const place = await aPlace('project');
  const asker = await newAsker();
  await ask(place, asker);
  const one = `${place.requests}/${asker.id}`;
  const answers = await Promise.all([
    ...[tokens.owner, tokens.maintainer, tokens.root].map((token) => api('PUT', `${one}/approve`, token)),
    api('DELETE', one, tokens.owner),
  ]);
  expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
  for (const { status } of answers) expect([201, 204, 404, 409]).toContain(status);
  expect(await asking(place)).toEqual([]);
});

test.each(kinds)('approving a request for a %s and adding its person don’t block each other', async (kind) => {
  const place = await aPlace(kind);
  const asker = await newAsker();
  await ask(place, asker);
  const json = { user_id: asker.id, access_level: 20 };
  const answers = await whileHeld(
    gateway,
    ['select from access_requests where user_id = $1 for update', asker.id],
    [
      () => api('PUT', `${place.requests}/${asker.id}/approve`, tokens.owner),
      () => api('POST', `${place.path}/members`, tokens.owner, { json }),
    ],
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  expect(await asking(place)).toEqual([]);
});

test.each(kinds)('a request for a %s is over, or refused, when its person is added at the same time', async (kind) => {
  const place = await aPlace(kind);
  const asker = await newAsker();
  const json = { user_id: asker.id, access_level: 20 };
  const [asked, added] = await whileHeld(
    gateway,
    ['select from users where id = $1 for update', asker.id],
    [
      () => api('POST', place.requests, asker.token),
      () => api('POST', `${place.path}/members`, tokens.owner, { json }),
    ],
  );
  expect(added!.status).toBe(201);
  expect([201, 403]).toContain(asked!.status);
  expect(await asking(place)).toEqual([]);
});
