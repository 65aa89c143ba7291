import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { newMergeRequest } from '../reviews/support/merge-requests.ts';
import { makeShop, at, missing, type Shop } from '../support/places/shop.ts';
import { allTold, anEventfulProject, type Told } from '../support/mail/told.ts';

/** Who would be told, and why or why not, asked before anything happens. */

let shop: Shop;
let p: Told;
/** A project whose merge requests people are told of. */
let reviewed: Told;
let iid = 0;
const tokenOf = (who: string) => shop.tokens[who.replace('the-', '') as keyof Shop['tokens']];
const idOf = async (who: string) => (await shop.api('GET', 'user', tokenOf(who))).body.id as number;

beforeAll(async () => {
  shop = await makeShop({ CAUSEWAY_INBOX: 'on' });
  p = await anEventfulProject(shop, tokenOf);
  reviewed = await anEventfulProject(shop, tokenOf);
  await p.send('POST', '/issues', 'the-owner', {
    title: 'Leak',
    description: 'for @the-guest',
    assignee_ids: [await idOf('the-reporter')],
  });
  await p.choose('the-developer', { group: 'shop' }, { level: 'custom', new_note: true });
  await p.choose('the-maintainer', 'project', { level: 'mention' });
});

const ask = async (
  who: string | undefined,
  path: 'recipients' | 'decision',
  query: Record<string, string>,
  project = p.project,
) => shop.api('GET', at(project, `/notification_${path}?${new URLSearchParams(query)}`), who && tokenOf(who));

const names = (body: { user: { username: string }; reason: string | null }[]) =>
  Object.fromEntries(body.map(({ user, reason }) => [user.username, reason]));

const fields =
  'nodes { user { username } reason notificationEmail decision { notified level source sourceGroup { fullPath } switch { event enabled isSet } via steps { step passed } } }';

describe('recipients', () => {
  test('are those whom a comment by the viewer would tell', async () => {
    const { status, body } = await ask('the-maintainer', 'recipients', { event: 'new_note', issue_iid: '1' });
    expect(status).toBe(200);
    expect(names(body)).toEqual({
      'the-owner': null,
      'the-developer': null,
      'the-reporter': null,
      'the-guest': null,
    });
  });

  test('are those who are told once it happens', async () => {
    const asked = names(
      (await ask('the-maintainer', 'recipients', { event: 'new_note', issue_iid: '1', mentions: 'the-developer' }))
        .body,
    );
    await p.told('the-owner');
    await p.send('POST', '/issues/1/notes', 'the-maintainer', { body: 'Look, @the-developer' });
    await p.told('the-owner');
    const told = await shop.gateway.sql<{ username: string; reason: string | null }>(
      `select u.username, lower(n.reason) as reason from notifications n join users u on u.id = n.user_id
        where n.occurrence = (select occurrence from notifications where cause = 'NEW_NOTE' order by id desc limit 1)`,
    );
    expect(Object.fromEntries(told.map(({ username, reason }) => [username, reason]))).toEqual(asked);
    expect(asked['the-developer']).toBe('mentioned');
    // Asked about the comment itself, the answer is the same.
    const [{ id }] = (await shop.gateway.sql<{ id: number }>('select max(id) as id from notes where not system')) as [
      { id: number },
    ];
    const again = await ask('the-owner', 'recipients', { event: 'new_note', note_id: String(id) });
    expect(names(again.body)).toEqual(asked);
  });

  test('have pages, with a total', async () => {
    const query = { event: 'new_note', issue_iid: '1', per_page: '2' };
    const first = await ask('the-maintainer', 'recipients', query);
    expect(first.headers.get('x-total')).toBe('4');
    const second = await ask('the-maintainer', 'recipients', { ...query, page: '2' });
    expect([...first.body, ...second.body]).toHaveLength(4);
    expect(Object.keys(names([...first.body, ...second.body]))).toHaveLength(4);
    const before = await shop.gateway.graphql<any>(
      `{ notificationRecipients(event: NEW_NOTE, project: "${p.project}", iid: "1", last: 2) { count nodes { user { username } } pageInfo { hasPreviousPage } } }`,
      { token: tokenOf('the-maintainer') },
    );
    expect(before.data!.notificationRecipients.count).toBe(4);
    expect(before.data!.notificationRecipients.nodes.map((one: any) => one.user.username)).toEqual(
      second.body.map((one: any) => one.user.username),
    );
  });

  test('come with address and setting only for administrators, and of oneself', async () => {
    const source = `{ notificationRecipients(event: NEW_NOTE, project: "${p.project}", iid: "1", actor: %) { ${fields} } }`;
    const of = async (who: string, actor: string) =>
      (await shop.gateway.graphql<any>(source.replace('%', JSON.stringify(actor)), { token: tokenOf(who) })).data!
        .notificationRecipients.nodes as any[];
    const shown = await of('the-owner', 'the-owner');
    expect(shown.find(({ user }) => user.username === 'the-developer')).toMatchObject({
      decision: null,
      notificationEmail: null,
    });
    const all = await of('root', 'the-owner');
    expect(all.find(({ user }) => user.username === 'the-developer')).toMatchObject({
      notificationEmail: 'the-developer@example.com',
      decision: {
        notified: true,
        level: 'CUSTOM',
        source: 'GROUP',
        sourceGroup: { fullPath: 'shop' },
        switch: { event: 'NEW_NOTE', enabled: true, isSet: true },
        via: 'PARTICIPANT',
      },
    });
    const rest = await ask('root', 'recipients', { event: 'new_note', issue_iid: '1', actor: 'the-owner' });
    expect(rest.body.find(({ user }: any) => user.username === 'the-developer')).toMatchObject({
      notification_email: 'the-developer@example.com',
      level: 'custom',
      source: 'group',
      source_group: { full_path: 'shop' },
    });
    const own = await ask('the-owner', 'recipients', { event: 'issue_due', issue_iid: '1' });
    expect(own.body.find(({ user }: any) => user.username === 'the-owner')).toMatchObject({ level: 'participating' });
    expect(own.body.find(({ user }: any) => user.username === 'the-reporter')).not.toHaveProperty('level');
  });

  test.each([
    // A comment mentioned the developer, who takes part since.
    ['new_issue', { 'the-reporter': 'assigned', 'the-guest': 'mentioned', 'the-developer': null }],
    ['close_issue', { 'the-owner': null, 'the-reporter': null, 'the-guest': null, 'the-developer': null }],
    ['reopen_issue', { 'the-owner': null, 'the-reporter': null, 'the-guest': null, 'the-developer': null }],
    ['issue_due', { 'the-owner': null, 'the-reporter': null, 'the-guest': null, 'the-developer': null }],
    ['moved_project', { 'the-owner': null }],
  ])('of %s', async (event, expected) => {
    const { body } = await ask('the-maintainer', 'recipients', { event, issue_iid: '1' });
    expect(names(body)).toEqual(expected);
  });

  test('of another assignee', async () => {
    const { body } = await ask('the-owner', 'recipients', {
      event: 'reassign_issue',
      issue_iid: '1',
      assignee: 'the-maintainer',
    });
    expect(names(body)).toMatchObject({ 'the-maintainer': 'assigned', 'the-reporter': null });
  });

  test.each([
    // Guests of a private project don't read its code, so not its merge requests.
    ['new_merge_request', { 'the-reporter': 'assigned' }],
    ['close_merge_request', { 'the-owner': null, 'the-reporter': null }],
    ['reopen_merge_request', { 'the-owner': null, 'the-reporter': null }],
    ['merge_merge_request', { 'the-owner': null, 'the-reporter': null }],
    ['push_to_merge_request', { 'the-owner': null, 'the-reporter': null }],
    ['reassign_merge_request', { 'the-owner': null, 'the-reporter': 'assigned' }],
    ['new_note', { 'the-owner': null, 'the-reporter': null, 'the-developer': null }],
  ])('of %s on a merge request', async (event, expected) => {
    const { id } = await newMergeRequest(shop.gateway, reviewed.project, {
      iid: ++iid,
      author: 'the-owner',
      description: 'for @the-guest',
    });
    await shop.gateway.sql('update merge_requests set assignee_id = $2 where id = $1', [
      id,
      await idOf('the-reporter'),
    ]);
    const { status, body } = await ask(
      'the-maintainer',
      'recipients',
      { event, merge_request_iid: String(iid) },
      reviewed.project,
    );
    expect([status, names(body)]).toEqual([200, expected]);
    const { data } = await shop.gateway.graphql<any>(
      `{ notificationRecipients(event: ${event.toUpperCase()}, subject: "gid://gitlab/MergeRequest/${id}") { nodes { user { username } reason } } }`,
      { token: tokenOf('the-maintainer') },
    );
    const asked = data!.notificationRecipients.nodes.map((one: any) => [
      one.user.username,
      one.reason?.toLowerCase() ?? null,
    ]);
    expect(Object.fromEntries(asked)).toEqual(expected);
  });

  test.each([
    [{ merge_request_iid: '99' }, 404, '404 MergeRequest Not Found'],
    [{ issue_iid: '1' }, 400, 'merge_request_iid is missing'],
    [
      { merge_request_iid: '1', assignee: 'the-owner' },
      400,
      '400 Bad request - `assignee` is for `reassign_issue` and `reassign_merge_request` only.',
    ],
  ])('of a merge request are refused with %j', async (query, status, text) => {
    const answer = await ask('the-maintainer', 'recipients', { event: 'close_merge_request', ...query });
    expect([answer.status, answer.body.message ?? answer.body.error]).toEqual([status, text]);
  });

  test('of the end of a pipeline are its own person', async () => {
    const of = (query: object, project?: string) =>
      ask('the-maintainer', 'recipients', { event: 'failed_pipeline', ...query }, project);
    await reviewed.send('POST', '/repository/commits', 'the-owner', {
      branch: 'main',
      commit_message: 'Begin',
      actions: [{ action: 'create', file_path: 'a.txt', content: 'a' }],
    });
    // Developers report nothing of the protected branch.
    await reviewed.send('POST', '/statuses/main', 'the-developer', { state: 'running', ref: 'topic', name: 'check' });
    const [{ id }] = await reviewed.send('GET', '/pipelines', 'the-owner');
    const { status, body } = await of({ pipeline_id: String(id) }, reviewed.project);
    expect([status, names(body)]).toEqual([200, { 'the-developer': null }]);
    expect((await of({ pipeline_id: String(id) })).body).toEqual({ message: '404 Pipeline Not Found' });
  });

  test('of a new epic are asked by its global id', async () => {
    const tokens: Record<string, string> = {};
    for (const who of ['the-patron', 'the-sponsor']) {
      tokens[who] = await shop.make.user(who, { tier: 'PREMIUM' });
      await shop.make.member(who, 'DEVELOPER', { group: 'shop' });
    }
    const { status, body: epic } = await shop.api('POST', 'groups/shop/epics', tokens['the-sponsor'], {
      json: { title: 'Harbour' },
    });
    expect(status).toBe(201);
    // Who is notified of it is found before the settings change.
    await allTold(shop.gateway);
    await shop.api('PUT', 'groups/shop/notification_settings', tokens['the-patron'], {
      json: { level: 'custom', new_epic: true },
    });
    const of = async (token: string | undefined, field: string, args = '', id = epic.id as number) =>
      await shop.gateway.graphql<any>(
        `{ ${field === 'recipients' ? `notificationRecipients(event: NEW_EPIC, subject: "gid://gitlab/Epic/${id}"${args}) { nodes { user { username } reason } }` : `notificationDecision(event: NEW_EPIC, subject: "gid://gitlab/Epic/${id}"${args}) { notified level source steps { step passed } }`} }`,
        { token },
      );
    const root = tokenOf('root');
    const told = async (args?: string) =>
      (await of(root, 'recipients', args)).data!.notificationRecipients.nodes.map((one: any) => [
        one.user.username,
        one.reason,
      ]);
    expect(await told()).toEqual([['the-patron', null]]);
    expect(await told(', mentions: ["the-patron", "the-owner"]')).toEqual([['the-patron', 'MENTIONED']]);
    const own = (await of(tokens['the-patron'], 'decision')).data!.notificationDecision;
    expect(own).toMatchObject({ notified: true, level: 'CUSTOM', source: 'GROUP' });
    const author = (await of(root, 'decision', ', user: "the-sponsor"')).data!.notificationDecision;
    expect(author.steps.at(-1)).toEqual({ step: 'OWN_ACTIVITY', passed: false });
    const basic = (await of(root, 'decision', ', user: "the-owner", mentions: ["the-owner"]')).data!
      .notificationDecision;
    expect(basic.steps.at(-1)).toEqual({ step: 'ACCESS', passed: false });
    // The same answer for an epic that one doesn't read and one that isn't there.
    for (const [token, id] of [
      [tokenOf('the-owner'), epic.id],
      [tokens['the-patron'], 2_000_000_000],
    ] as const) {
      const { errors } = await of(token, 'decision', '', id);
      expect(errors?.[0]!.extensions).toMatchObject({ code: 'NOT_FOUND', subject: 'Epic' });
    }
    expect((await of(tokens['the-patron'], 'recipients')).errors?.[0]!.extensions!.code).toBe('FORBIDDEN');
    // The message about it names it, as long as the person reads it.
    await shop.api('POST', 'groups/shop/epics', tokens['the-sponsor'], { json: { title: 'Dock' } });
    await p.told('the-patron');
    const listed = async () =>
      (
        await shop.gateway.graphql<any>('{ currentUser { notifications { nodes { cause title url } } } }', {
          token: tokens['the-patron']!,
        })
      ).data!.currentUser.notifications.nodes;
    const url = `${shop.gateway.url}/groups/shop/-/epics/${(epic.iid as number) + 1}`;
    expect(await listed()).toEqual([{ cause: 'NEW_EPIC', title: 'Dock', url }]);
    await shop.gateway.sql(`update users set tier = 'FREE' where username = 'the-patron'`);
    expect(await listed()).toEqual([{ cause: 'NEW_EPIC', title: null, url: null }]);
    await shop.gateway.sql(`update users set tier = 'PREMIUM' where username = 'the-patron'`);
    const rest = await ask('the-maintainer', 'recipients', { event: 'new_epic' });
    expect([rest.status, rest.body.message]).toEqual([
      400,
      '400 Bad request - `new_epic` happens in groups: ask with `subject` and without `project`.',
    ]);
  });

  test.each([
    [undefined, {}, 401, '401 Unauthorized'],
    ['the-stranger', {}, 404, '404 Project Not Found'],
    ['the-developer', {}, 403, '403 Forbidden'],
    ['the-maintainer', { issue_iid: '99' }, 404, '404 Issue Not Found'],
    [
      'the-maintainer',
      { issue_iid: '' },
      400,
      'issue_iid, merge_request_iid, note_id, snippet_id are missing, at least one parameter must be provided',
    ],
    ['the-maintainer', { event: 'close_issue', issue_iid: '' }, 400, 'issue_iid is missing'],
    ['the-maintainer', { note_id: '0', issue_iid: '' }, 404, '404 Note Not Found'],
    ['the-maintainer', { event: 'failed_pipeline' }, 400, 'pipeline_id is missing'],
    [
      'the-maintainer',
      { event: 'close_issue', mentions: 'a' },
      400,
      '400 Bad request - Only a comment, a new issue, a new merge request and a new epic mention people.',
    ],
    [
      'the-maintainer',
      { actor: 'the-owner' },
      403,
      '403 Forbidden  - Only administrators ask what others would cause.',
    ],
  ])('are refused to %s with %j', async (who, query, status, text) => {
    const answer = await ask(who, 'recipients', { event: 'new_note', issue_iid: '1', ...query });
    expect([answer.status, (answer.body.message ?? answer.body.error).replace(/ {2}/, ' ')]).toEqual([
      status,
      text.replace(/ {2}/, ' '),
    ]);
  });

  test('need an event that exists', async () => {
    for (const [query, text] of [
      [{}, 'event is missing, event does not have a valid value'],
      [{ event: 'x' }, 'event does not have a valid value'],
    ] as const)
      expect((await ask('the-maintainer', 'recipients', query)).body).toEqual({ error: text });
  });

  test('of what is in another project aren’t there', async () => {
    const other = await shop.aProject();
    expect((await ask('the-owner', 'recipients', { event: 'new_note', note_id: '1' }, other)).status).toBe(404);
    const closed = await ask('the-owner', 'recipients', { event: 'moved_project' }, 'closed/none');
    expect([closed.status, closed.body]).toEqual([404, missing]);
  });
});

describe('a decision', () => {
  test('says of oneself why, step by step', async () => {
    const { body } = await ask('the-maintainer', 'decision', {
      event: 'close_issue',
      issue_iid: '1',
      actor: 'the-maintainer',
    });
    expect(body).toMatchObject({
      user: { username: 'the-maintainer' },
      event: 'close_issue',
      notified: false,
      level: 'mention',
      source: 'project',
      notification_email: 'the-maintainer@example.com',
    });
    expect(body.steps.at(-1)).toEqual({
      step: 'own_activity',
      passed: false,
      explanation: 'It is the person’s own activity, about which they want no e-mail.',
    });
    const due = (await ask('the-maintainer', 'decision', { event: 'issue_due', issue_iid: '1' })).body;
    expect(due.steps.map(({ step, passed }: any) => [step, passed])).toEqual([
      ['candidate', true],
      ['account', true],
      ['access', true],
      ['mail_enabled', true],
      ['own_activity', true],
      ['muted', true],
      ['subscription', true],
      ['level', false],
    ]);
  });

  test('is about what others do, unless one names oneself', async () => {
    const query = { event: 'close_issue', issue_iid: '1' };
    const of = async (actor: string | null, who = 'the-maintainer') => {
      const { status, body } = await ask(who, 'decision', { ...query, ...(actor !== null && { actor }) });
      expect(status).toBe(200);
      const last = body.steps.at(-1);
      const args = `event: CLOSE_ISSUE, project: "${p.project}", iid: "1"${actor === null ? '' : `, actor: "${actor}"`}`;
      const { data } = await shop.gateway.graphql<any>(
        `{ notificationDecision(${args}) { notified steps { step passed } } }`,
        { token: tokenOf(who) },
      );
      const { notified, steps } = data!.notificationDecision;
      expect([notified, steps.at(-1)]).toEqual([body.notified, { step: last.step.toUpperCase(), passed: last.passed }]);
      return [body.notified, last.step];
    };
    for (const actor of [null, 'the-owner', 'THE-stranger', String(await idOf('the-guest'))])
      expect([actor, await of(actor)]).toEqual([actor, [false, 'level']]);
    expect(await of('the-maintainer')).toEqual([false, 'own_activity']);
    expect((await of(null, 'the-guest'))[0]).toBe(true);
    // What is there already was done by its author, no matter who is named.
    const opened = { event: 'new_issue', issue_iid: '1', actor: 'the-guest' };
    expect((await ask('the-owner', 'decision', opened)).body.steps.at(-1)).toMatchObject({ step: 'own_activity' });
    const none = await ask('the-guest', 'decision', { ...query, actor: 'nobody-here' });
    expect([none.status, none.body]).toEqual([404, { message: '404 User Not Found' }]);
  });

  test('tells nothing about who does it', async () => {
    const group = await shop.api('POST', 'groups', tokenOf('root'), { json: { name: 'hidden', path: 'hidden' } });
    expect(group.status).toBe(201);
    await shop.make.member('the-guest', 'DEVELOPER', { group: 'hidden' });
    // Administrators see every group; the mention is as if the person who asks wrote it.
    const of = async (actor: string, mentions: string, who = 'the-guest') =>
      (await ask(who, 'decision', { event: 'new_note', issue_iid: '1', actor, mentions })).body;
    for (const mentions of ['hidden', 'all'])
      expect(await of('root', mentions)).toEqual(await of('the-stranger', mentions));
    expect(await of('root', 'hidden')).toMatchObject({ notified: true, reason: 'mentioned' });
  });

  test('is for administrators of anybody', async () => {
    const { body } = await ask('root', 'decision', {
      event: 'new_note',
      issue_iid: '1',
      user: 'the-stranger',
      mentions: '@the-stranger',
    });
    expect(body.steps.at(-1)).toMatchObject({ step: 'access', passed: false });
    const other = await ask('the-owner', 'decision', { event: 'new_note', issue_iid: '1', user: 'the-guest' });
    expect(other.status).toBe(403);
    const own = await ask('the-guest', 'decision', { event: 'issue_due', issue_iid: '1', user: 'THE-guest' });
    expect(own.body).toMatchObject({ notified: true, via: 'participant', level: 'participating', source: 'default' });
    const none = await ask('root', 'decision', { event: 'new_note', issue_iid: '1', user: 'nobody-here' });
    expect([none.status, none.body]).toEqual([404, { message: '404 User Not Found' }]);
  });

  test('names the group only to those who see it', async () => {
    const source = (user: string) =>
      `{ notificationDecision(event: NEW_NOTE, project: "${p.project}", iid: "1", user: "${user}") { source sourceGroup { fullPath } } }`;
    const root = await shop.gateway.graphql<any>(source('the-developer'), { token: tokenOf('root') });
    expect(root.data!.notificationDecision).toEqual({ source: 'GROUP', sourceGroup: { fullPath: 'shop' } });
  });

  test('knows that what a person without a confirmed address opens is mailed to no one', async () => {
    const author = await idOf('the-reporter');
    const confirmed = (when: string) =>
      shop.gateway.sql(`update emails set verified_at = ${when} where user_id = $1`, [author]);
    const open = async () =>
      String((await p.send('POST', '/issues', 'the-reporter', { title: 'Leak', description: '@the-guest' })).iid);
    /** What both doors say of it, and what really was written. */
    const said = async (iid: string) => {
      const query = { event: 'new_issue', issue_iid: iid };
      const { body: recipients } = await ask('the-owner', 'recipients', query);
      const { body: decision } = await ask('root', 'decision', { ...query, user: 'the-guest' });
      const args = `event: NEW_ISSUE, project: "${p.project}", iid: "${iid}"`;
      const { data } = await shop.gateway.graphql<any>(
        `{ notificationRecipients(${args}) { count nodes { user { username } reason } } notificationDecision(${args}, user: "the-guest") { notified steps { step passed } } }`,
        { token: tokenOf('root') },
      );
      const { count, nodes } = data!.notificationRecipients;
      const lower = nodes.map((one: any) => [one.user.username, one.reason?.toLowerCase() ?? null]);
      expect([count, Object.fromEntries(lower)]).toEqual([nodes.length, names(recipients)]);
      const step = ({ step, passed }: any) => [step.toLowerCase(), passed];
      const { notified, steps } = data!.notificationDecision;
      expect([notified, steps.map(step)]).toEqual([decision.notified, decision.steps.map(step)]);
      const told = (await p.told('the-guest')).map(({ cause, reason }) => `${cause} ${reason}`);
      return { recipients: names(recipients), notified, last: step(steps.at(-1)), told };
    };
    await p.told('the-guest');
    await confirmed('null');
    try {
      const iid = await open();
      const none = { recipients: {}, notified: false, last: ['author_confirmed', false], told: [] };
      expect(await said(iid)).toEqual(none);
      // A comment is mailed all the same.
      const comment = { event: 'new_note', issue_iid: iid, actor: 'the-reporter', user: 'the-guest' };
      expect((await ask('root', 'decision', comment)).body).toMatchObject({ notified: true });
    } finally {
      await confirmed('now()');
    }
    expect(await said(await open())).toEqual({
      recipients: { 'the-guest': 'mentioned' },
      notified: true,
      last: ['bouncing', true],
      told: ['NEW_ISSUE MENTIONED'],
    });
  });

  test('and the recipients leave out those to whose addresses nothing is sent', async () => {
    const q = await anEventfulProject(shop, tokenOf);
    await q.send('POST', '/issues', 'the-owner', {
      title: 'Leak',
      description: 'for @the-guest and @the-maintainer',
      assignee_ids: [await idOf('the-reporter')],
    });
    await q.choose('the-developer', 'project', { level: 'watch' });
    await q.send('POST', '/issues/1/subscribe', 'the-developer');
    await q.told('the-owner');
    const address = async (who: string, set: string) =>
      await shop.gateway.sql(`update emails set ${set} where user_id = $1`, [await idOf(who)]);
    const bouncing = 'failing_since = now(), permanent_failures = 5';
    onTestFinished(async () => {
      await shop.gateway.sql(
        'update emails set verified_at = coalesce(verified_at, now()), failing_since = null, permanent_failures = 0',
      );
    });
    await address('the-guest', 'verified_at = null');
    await address('the-reporter', bouncing);
    // A subscription counts even so.
    await address('the-developer', bouncing);
    await address('the-owner', "failing_since = now() - interval '25 hours', permanent_failures = 5");
    const query = { event: 'new_note', issue_iid: '1' };
    const asked = await ask('the-maintainer', 'recipients', query, q.project);
    expect([names(asked.body), asked.headers.get('x-total')]).toEqual([
      { 'the-owner': null, 'the-developer': 'subscribed' },
      '2',
    ]);
    const ends = await Promise.all(
      ['the-guest', 'the-reporter', 'the-developer', 'the-owner'].map(async (user) => {
        const { body } = await ask('root', 'decision', { ...query, user }, q.project);
        return [user, body.notified, ...body.steps.slice(-2).map(({ step, passed }: any) => `${step} ${passed}`)];
      }),
    );
    expect(ends).toEqual([
      ['the-guest', false, 'level true', 'address_confirmed false'],
      ['the-reporter', false, 'address_confirmed true', 'bouncing false'],
      ['the-developer', true, 'address_confirmed true', 'bouncing true'],
      ['the-owner', true, 'address_confirmed true', 'bouncing true'],
    ]);
    // What is sent is the same.
    const { id } = await q.send('POST', '/issues/1/notes', 'the-maintainer', { body: 'Look' });
    await allTold(shop.gateway);
    await vi.waitFor(async () => {
      const fates = await shop.gateway.sql<{ username: string; fate: string }>(
        `select u.username, coalesce(n.outcome, n.state::text) as fate from notifications n join users u on u.id = n.user_id where n.note_id = $1`,
        [id],
      );
      expect(Object.fromEntries(fates.map(({ username, fate }) => [username, fate]))).toEqual({
        'the-guest': 'UNCONFIRMED',
        'the-reporter': 'BOUNCING',
        'the-developer': 'SENT',
        'the-owner': 'SENT',
      });
    }, 50_000);
  });
});
