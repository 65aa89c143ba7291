import { setImmediate as turn } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, inject, test, vi } from 'vitest';
import { Sender } from '../../src/jobs/notifications/send.ts';
import { sweep } from '../../src/jobs/sweep.ts';
import { claimMessages } from '../../src/schema/notifications/delivery/statements/claim.ts';
import { wakeSending } from '../../src/schema/notifications/delivery/statements/settle.ts';
import type { Arrived, MailSink } from '../support/mail/mail-sink.ts';
import { doer, mailedShop, me } from '../support/mail/mailed.ts';
import { signIn } from '../support/pages/browser-session.ts';
import { allTold, anEventfulProject } from '../support/mail/told.ts';

/** Where messages go, when, and what becomes of those that can't be sent. */

const mailed = mailedShop();

describe('the address', () => {
  test('is that of the nearest group, else the global one, else the primary one, and is confirmed', async () => {
    const p = await anEventfulProject(mailed.shop, mailed.tokenOf);
    await p.choose(me, 'project', { level: 'watch' });
    const add = async (address: string, verified: boolean) =>
      (
        await mailed.sql<{ id: number }>(
          `insert into emails (user_id, address, verified_at) values ($1, $2, case when $3 then now() end) returning id`,
          [await mailed.idOf(me), address, verified],
        )
      )[0]!.id;
    const [global, group, wrong] = [
      await add('global@example.com', true),
      await add('group@example.com', true),
      await add('wrong@example.com', false),
    ];
    const setGlobal =
      'insert into global_notification_settings (user_id, notification_email_id) values ($1, $2) on conflict (user_id) do update set notification_email_id = $2';
    await mailed.sql(setGlobal, [await mailed.idOf(me), global]);
    await mailed.open(p);
    await mailed.mails();
    expect(mailed.sink.to('global@example.com')).toHaveLength(1);
    const setGroup = `insert into group_notification_settings (user_id, group_id, notification_email_id) select $1, id, $2 from namespaces where full_path = 'shop'
      on conflict (user_id, group_id) do update set notification_email_id = $2`;
    await mailed.sql(setGroup, [await mailed.idOf(me), group]);
    await mailed.open(p);
    await mailed.mails();
    expect(mailed.sink.to('group@example.com')).toHaveLength(1);
    await mailed.sql(setGroup, [await mailed.idOf(me), wrong]);
    await mailed.sql(setGlobal, [await mailed.idOf(me), wrong]);
    await mailed.open(p);
    expect(await mailed.mails()).toHaveLength(1);
    await mailed.sql(
      `delete from emails where address in ('global@example.com', 'group@example.com', 'wrong@example.com')`,
    );
  });

  test('that is unconfirmed gets nothing: the message waits for a week, and is dropped then', async () => {
    const p = await anEventfulProject(mailed.shop, mailed.tokenOf);
    await p.choose(me, 'project', { level: 'watch' });
    const address = await mailed.addressOf(me);
    await mailed.sql('update emails set verified_at = null where address = $1', [address]);
    await mailed.open(p);
    await mailed.open(p);
    expect(await mailed.fates()).toEqual(
      Array.from({ length: 2 }, () => ({ state: 'WAITING', outcome: 'UNCONFIRMED', attempts: 0, last_error: null })),
    );
    await mailed.sql(
      `update notifications set created_at = now() - interval '8 days' where id = (select min(id) from notifications)`,
    );
    await mailed.sendAgain();
    expect(await mailed.fates()).toMatchObject([
      { state: 'DROPPED', outcome: 'UNCONFIRMED' },
      { state: 'WAITING', outcome: 'UNCONFIRMED' },
    ]);
    await mailed.sql('update emails set verified_at = now() where address = $1', [address]);
    await mailed.sendAgain();
    expect(await mailed.fates()).toMatchObject([{ state: 'DROPPED' }, { state: 'SENT', outcome: null }]);
    expect(await mailed.mails()).toHaveLength(1);
  });
});

describe('right before it is sent, it is checked that the person', () => {
  const outcomes: readonly (readonly [what: string, change: string, back: string, outcome: string])[] = [
    [
      'is active',
      `update users set state = 'BLOCKED' where username = '${me}'`,
      `update users set state = 'ACTIVE' where username = '${me}'`,
      'BLOCKED',
    ],
    [
      'is a member',
      `update group_members set expires_at = '2000-01-01' where user_id = (select id from users where username = '${me}')`,
      `update group_members set expires_at = null`,
      'NO_ACCESS',
    ],
    [
      'reads confidential issues',
      `update issues set confidential = true; update group_members set access_level = 10 where user_id = (select id from users where username = '${me}')`,
      `update group_members set access_level = 30 where user_id = (select id from users where username = '${me}')`,
      'NO_ACCESS',
    ],
    [
      'reads internal comments',
      `update notes set internal = true; update group_members set access_level = 10 where user_id = (select id from users where username = '${me}')`,
      `update group_members set access_level = 30 where user_id = (select id from users where username = '${me}')`,
      'NO_ACCESS',
    ],
    [
      'gets mail from the group',
      `update namespaces set emails_enabled = false where full_path = 'shop'`,
      `update namespaces set emails_enabled = true`,
      'MAIL_DISABLED',
    ],
    [
      'gets mail from the project',
      `update projects set attributes = attributes || '{"emailsEnabled": false}'`,
      `update projects set attributes = attributes - 'emailsEnabled'`,
      'MAIL_DISABLED',
    ],
    [
      'muted nothing',
      `insert into global_notification_settings (user_id, muted_until) select id, now() + interval '1 hour' from users where username = '${me}' on conflict (user_id) do update set muted_until = excluded.muted_until`,
      `update global_notification_settings set muted_until = null`,
      'MUTED',
    ],
    [
      'didn’t unsubscribe',
      `insert into subscriptions (user_id, issue_id, subscribed) select u.id, i.id, false from users u, issues i where u.username = '${me}' and i.id = (select max(id) from issues)`,
      `delete from subscriptions`,
      'UNSUBSCRIBED',
    ],
    ['finds the comment still there', `delete from notes`, 'select', 'GONE'],
    ['finds the issue still there', `delete from issues where id = (select max(id) from issues)`, 'select', 'GONE'],
    [
      'finds the project still there',
      `update projects set deleting_since = now() where id = (select max(id) from projects)`,
      `update projects set deleting_since = null`,
      'GONE',
    ],
  ];
  test.each(outcomes)('%s', async (_what, change, back, outcome) => {
    const p = await anEventfulProject(mailed.shop, mailed.tokenOf);
    await p.choose(me, 'project', { level: 'watch' });
    await mailed.open(p);
    await mailed.mails();
    // It waits: the server takes nothing for now.
    mailed.sink.behaviour = { rcpt: () => 450 };
    await mailed.comment(p, 'Later');
    await mailed.mails();
    mailed.sink.arrived.length = 0;
    mailed.sink.behaviour = {};
    for (const one of change.split(';')) await mailed.sql(one);
    try {
      await mailed.sendAgain();
      expect((await mailed.fates()).at(-1)).toMatchObject({ state: 'DROPPED', outcome });
      expect(mailed.sink.to(await mailed.addressOf(me))).toEqual([]);
    } finally {
      await mailed.sql(back);
    }
  });
});

/** Changes preferences of the person. */
const prefer = async (input: object) => {
  const { data } = await mailed.shop.gateway.graphql<any>(
    'mutation ($input: UpdateNotificationPreferencesInput!) { updateNotificationPreferences(input: $input) { errors } }',
    { variables: { input }, token: mailed.tokenOf(me) },
  );
  expect(data!.updateNotificationPreferences.errors).toEqual([]);
};

describe('quiet hours', () => {
  test('hold a message until they end', async () => {
    const p = await anEventfulProject(mailed.shop, mailed.tokenOf);
    await p.choose(me, 'project', { level: 'watch' });
    const now = new Date();
    const minutes = now.getUTCHours() * 60 + now.getUTCMinutes();
    await mailed.sql(
      'insert into global_notification_settings (user_id, quiet_from, quiet_until) values ($1, $2, $3) on conflict (user_id) do update set quiet_from = $2, quiet_until = $3',
      [await mailed.idOf(me), (minutes + 1_380) % 1_440, (minutes + 60) % 1_440],
    );
    await mailed.open(p);
    expect(await mailed.fates()).toEqual([{ state: 'WAITING', outcome: 'QUIET_HOURS', attempts: 0, last_error: null }]);
    const [held] = await mailed.sql<{ minutes: number }>(
      `select extract(epoch from due_at - now())::float / 60 as minutes from notifications where outcome = 'QUIET_HOURS'`,
    );
    expect(held!.minutes).toBeGreaterThan(55);
    expect(held!.minutes).toBeLessThanOrEqual(60);
    // The queue looks again when they end.
    await vi.waitFor(async () =>
      expect(
        await mailed.sql(
          `select from jobs where name = 'send_notifications' and run_at > now() + interval '50 minutes'`,
        ),
      ).toHaveLength(1),
    );
    await mailed.sql('update global_notification_settings set quiet_from = null, quiet_until = null');
    await mailed.sendAgain();
    expect(await mailed.mails()).toHaveLength(1);
  });

  test.each<[string, (clock: (ahead: number) => string) => object, number]>([
    ['ended', () => ({ quietFrom: null, quietUntil: null }), 0],
    ['over earlier', (clock) => ({ quietFrom: clock(-120), quietUntil: clock(-60) }), 0],
    ['shorter', (clock) => ({ quietFrom: clock(-60), quietUntil: clock(30) }), 30],
    ['longer', (clock) => ({ quietFrom: clock(-60), quietUntil: clock(90) }), 90],
    ['those of another time zone', () => ({ timeZone: 'Etc/GMT-6' }), 0],
  ])('that are %s hold for what waits, too, and it is sent once', async (_what, change, wait) => {
    const p = await anEventfulProject(mailed.shop, mailed.tokenOf);
    await p.choose(me, 'project', { level: 'watch' });
    const clock = (ahead: number) => new Date(Date.now() + ahead * 60_000).toISOString().slice(11, 16);
    await prefer({ quietFrom: clock(-60), quietUntil: clock(60) });
    await mailed.open(p);
    await mailed.comment(p, 'Hello');
    const held = { state: 'WAITING', outcome: 'QUIET_HOURS', attempts: 0, last_error: null };
    expect(await mailed.fates()).toEqual([held, held]);
    await prefer(change(clock));
    const sent = { ...held, state: 'SENT', outcome: null, attempts: 1 };
    expect(await mailed.fates()).toEqual(wait === 0 ? [sent, sent] : [held, held]);
    const [row] = await mailed.sql<{ minutes: number }>(
      'select extract(epoch from max(due_at) - now())::float / 60 as minutes from notifications',
    );
    if (wait > 0) {
      expect(row!.minutes).toBeGreaterThan(wait - 5);
      expect(row!.minutes).toBeLessThanOrEqual(wait);
      await prefer({ quietFrom: null, quietUntil: null });
    }
    await prefer({ timeZone: null });
    expect(await mailed.mails()).toHaveLength(2);
  });
});

describe('a digest', () => {
  /** A project that the person watches, who wants messages about one thing as one. */
  const watched = async () => {
    const p = await anEventfulProject(mailed.shop, mailed.tokenOf);
    await p.choose(me, 'project', { level: 'watch' });
    return p;
  };
  const collect = async () =>
    mailed.sql(
      'insert into global_notification_settings (user_id, digest_minutes) values ($1, 15) on conflict (user_id) do update set digest_minutes = 15',
      [await mailed.idOf(me)],
    );
  /** Waits until a message of each step is written: these come from jobs, in any order. */
  const oneByOne = async (...steps: readonly (() => Promise<unknown>)[]) => {
    for (const step of steps) {
      await step();
      await mailed.fates();
    }
  };
  const held = { state: 'WAITING', outcome: 'DIGEST', attempts: 0, last_error: null };
  const sent = { state: 'SENT', outcome: null };

  test('is one message about an item, in its thread, with all that happened within the time', async () => {
    const p = await watched();
    await collect();
    let issue: any;
    await oneByOne(
      async () => (issue = await mailed.open(p, { description: 'It **drips**' })),
      () => mailed.comment(p, 'One'),
      () => mailed.open(p, { title: 'Other' }),
      () => p.send('PUT', '/issues/1', doer, { state_event: 'close' }),
    );
    expect(await mailed.fates()).toEqual([held, held, held, held]);
    // All about an item wait from the first one on.
    const times = await mailed.sql<{ times: number; minutes: number }>(
      `select count(distinct due_at)::int as times, extract(epoch from max(due_at) - now())::float / 60 as minutes from notifications group by subject_id`,
    );
    expect(times.map((one) => one.times)).toEqual([1, 1]);
    for (const { minutes } of times) {
      expect(minutes).toBeGreaterThan(13);
      expect(minutes).toBeLessThanOrEqual(15);
    }
    await mailed.sendAgain();
    const mails = await mailed.mails();
    expect(await mailed.fates()).toMatchObject([sent, sent, sent, sent]);
    expect(mails).toHaveLength(2);
    const about = (title: string) => mails.find(({ subject }) => subject?.includes(title));
    const [mail, other] = [about('Leak'), about('Other')];
    const item = `<issue_${issue.id}@${mailed.host}>`;
    expect([mail!.messageId, mail!.inReplyTo]).toEqual([item, undefined]);
    expect(mail!.subject).toBe(`${p.project.split('/').at(-1)} | Leak (#1)`);
    expect(mail!.from!.name).toBe('the-owner (@the-owner)');
    expect(mail!.header('X-GitLab-NotificationReason')).toBe('');
    expect(mail!.header('X-GitLab-Issue-State')).toBe('closed');
    expect(mail!.header('List-Unsubscribe')).toMatch(/unsubscribe>$/);
    const said = [
      '3 things happened.',
      '* the-owner (@the-owner) opened an issue.',
      'It **drips**',
      '* the-owner (@the-owner) commented on an issue.',
      'One',
      '* the-owner (@the-owner) closed the issue.',
    ];
    expect(mail!.text!.split('\n').filter((line) => said.includes(line))).toEqual(said);
    expect(mail!.html).toContain('<strong>drips</strong>');
    expect(mail!.html).toMatch(/<a href="[^"]*#note_\d+">the-owner \(@the-owner\) commented on an issue\.<\/a>/);
    // A message that is alone is like any other one.
    expect(other!.text).toMatch(/^the-owner \(@the-owner\) opened an issue\.\n/);
    // What follows is a reply, from the instance where several people did it.
    mailed.sink.arrived.length = 0;
    await oneByOne(
      () => p.send('PUT', '/issues/1', doer, { state_event: 'reopen' }),
      () => p.send('POST', '/issues/1/notes', 'the-maintainer', { body: 'Two' }),
    );
    await mailed.sendAgain();
    const [reply, ...more] = await mailed.mails();
    expect(more).toEqual([]);
    expect(reply!.subject).toBe(`Re: ${mail!.subject}`);
    expect(reply!.messageId).toMatch(/^<[0-9a-f]{40}@/);
    expect([reply!.inReplyTo, reply!.references]).toEqual([item, item]);
    expect(reply!.from!.name).toBe('Causeway');
  });

  test('waits no longer than a time that is chosen meanwhile', async () => {
    const p = await watched();
    await collect();
    await oneByOne(
      () => mailed.open(p),
      () => mailed.comment(p, 'One'),
    );
    await prefer({ digestMinutes: 5 });
    expect(await mailed.fates()).toEqual([held, held]);
    const [row] = await mailed.sql<{ minutes: number }>(
      'select extract(epoch from max(due_at) - now())::float / 60 as minutes from notifications',
    );
    expect(row!.minutes).toBeLessThanOrEqual(5);
    await prefer({ digestMinutes: 0 });
    expect(await mailed.fates()).toMatchObject([sent, sent]);
    expect(await mailed.mails()).toHaveLength(1);
  });

  test('holds no mentions and assignments', async () => {
    const p = await watched();
    await collect();
    await oneByOne(
      async () => mailed.open(p, { assignee_ids: [await mailed.idOf(me)] }),
      () => mailed.comment(p, `@${me}`),
      () => mailed.comment(p, 'Hm'),
      () => p.send('PUT', '/issues/1', doer, { assignee_ids: [] }),
    );
    expect(await mailed.fates()).toMatchObject([sent, sent, held, sent]);
  });

  test('is tried again as it was, with the same Message-ID: what happens meanwhile is another one', async () => {
    const p = await watched();
    await mailed.open(p);
    await mailed.mails();
    mailed.sink.arrived.length = 0;
    await collect();
    await oneByOne(
      () => mailed.comment(p, 'One'),
      () => p.send('PUT', '/issues/1', doer, { state_event: 'close' }),
    );
    mailed.sink.behaviour = { rcpt: () => 451 };
    await mailed.sendAgain();
    const tried = { state: 'WAITING', outcome: 'DEFERRED', attempts: 1 };
    await vi.waitFor(async () => expect(await mailed.fates()).toMatchObject([sent, tried, tried]));
    const [charged] = await mailed.sql<{ count: number }>(
      'select temporary_failures as count from emails where address = $1',
      [await mailed.addressOf(me)],
    );
    expect(charged!.count).toBe(1);
    mailed.sink.behaviour = {};
    const two = await mailed.comment(p, 'Two');
    expect((await mailed.fates()).at(-1)).toEqual(held);
    await mailed.sendAgain();
    const said = ({ messageId, subject, from, text, html }: Arrived) =>
      JSON.stringify([messageId, subject, from!.name, text, html]);
    const once = await mailed.mails();
    const ids = once.map(({ messageId }) => messageId);
    expect(ids).toHaveLength(2);
    expect(ids).toContain(`<note_${two.id}@${mailed.host}>`);
    await mailed.comment(p, 'Three');
    expect((await mailed.fates()).at(-1)).toEqual(held);
    // As a process leaves them that dies between the server's answer and the commit.
    await mailed.sql(
      `update notifications set state = 'WAITING', sent_at = null, due_at = now() where cause <> 'NEW_ISSUE' and attempts > 0`,
    );
    await mailed.shop.gateway.gateway.application.database.rows(wakeSending, []);
    const all = await mailed.mails();
    expect(all.map(said).toSorted()).toEqual([...once, ...once].map(said).toSorted());
    expect((await mailed.fates()).at(-1)).toEqual(held);
  });

  test('is claimed as a whole, also by two runs at once and while an earlier one stores what became of it', async () => {
    const p = await watched();
    await mailed.open(p);
    await mailed.mails();
    await collect();
    await oneByOne(...['One', 'Two', 'Three', 'Four'].map((body) => () => mailed.comment(p, body)));
    const { database } = mailed.shop.gateway.gateway.application;
    const claim = async () =>
      (await database.rows(claimMessages, [2])).map(({ id, digest_id: digest }) => [id, digest]);
    // The run that looked when they were written.
    const looking = `select from jobs where name = 'send_notifications' and (lease is not null or run_at <= now())`;
    await vi.waitFor(async () => expect(await mailed.sql(looking)).toEqual([]), 10_000);
    const due = () =>
      mailed.sql<{ id: string }>(`update notifications set due_at = now() where state = 'WAITING' returning id`);
    const ids = (await due()).map(({ id }) => id).toSorted((one, other) => Number(one) - Number(other));
    const whole = ids.map((id) => [id, ids[0]]);
    const holder = new pg.Client({ connectionString: mailed.shop.gateway.databaseUrl });
    await holder.connect();
    try {
      // The first claim of it, and one after a lease ended.
      for (let attempt = 0; attempt < 2; attempt++) {
        for (const held of [0, 2]) {
          await holder.query('begin');
          await holder.query('select from notifications where id = $1 for update', [ids[held]]);
          expect(await claim()).toEqual([]);
          await holder.query('rollback');
        }
        expect(await claim()).toEqual(whole);
        await due();
      }
    } finally {
      await holder.end();
    }
    expect(
      (await Promise.all([claim(), claim(), claim()])).toSorted((one, other) => other.length - one.length),
    ).toEqual([whole, [], []]);
  });

  test('is sent as a whole once any of it is due', async () => {
    const p = await watched();
    await mailed.open(p);
    await mailed.mails();
    mailed.sink.arrived.length = 0;
    await collect();
    await oneByOne(
      () => mailed.comment(p, 'One'),
      () => mailed.comment(p, 'Two'),
    );
    await mailed.sql(
      `update notifications set due_at = now() where id = (select max(id) from notifications where state = 'WAITING')`,
    );
    await mailed.shop.gateway.gateway.application.database.rows(wakeSending, []);
    const [mail, ...others] = await mailed.mails();
    expect(others).toEqual([]);
    expect(mail!.text).toMatch(/^2 things happened\./);
    expect(await mailed.fates()).toMatchObject([sent, sent, sent]);
  });

  test('leaves out what the person may not have any more', async () => {
    const p = await watched();
    await mailed.open(p);
    await mailed.mails();
    await collect();
    let first: any;
    await oneByOne(
      async () => (first = await mailed.comment(p, 'Withdrawn')),
      () => mailed.comment(p, 'One'),
      () => mailed.comment(p, 'Two'),
    );
    await p.send('DELETE', `/issues/1/notes/${first.id}`, doer);
    await mailed.sendAgain();
    expect(await mailed.fates()).toMatchObject([sent, { state: 'DROPPED', outcome: 'GONE' }, sent, sent]);
    const mail = (await mailed.mails()).at(-1);
    expect(mail!.text).toMatch(/^2 things happened\./);
    expect(mail!.raw).not.toContain('Withdrawn');
  });

  test('shows twenty things, and says how many more there are', async () => {
    const p = await watched();
    await collect();
    await mailed.open(p);
    for (let count = 1; count <= 21; count++) await mailed.comment(p, `Number ${count}.`);
    await mailed.fates();
    await mailed.sendAgain();
    const [mail, ...others] = await mailed.mails();
    expect(others).toEqual([]);
    expect(mail!.text).toMatch(/^22 things happened\./);
    expect(mail!.text!.match(/^\* /gm)).toHaveLength(20);
    expect(mail!.text).toContain('2 more things happened, which the page shows.');
  });
});

describe('after a thousand messages about a place within a day', () => {
  const earlier = async (who: string, place: object, count: number, hours: number) =>
    mailed.sql(
      `insert into notifications (user_id, cause, occurrence, project_id, group_id, subject_kind, subject_id, via, state, sent_at)
       select $1, 'NEW_NOTE', 'earlier ' || gen_random_uuid(), ($2::jsonb->>'projectId')::int, ($2::jsonb->>'groupId')::int, 'Issue', 1,
         'SETTING', 'SENT', now() - make_interval(hours => $4) from generate_series(1, $3::int) n`,
      [await mailed.idOf(who), JSON.stringify(place), count, hours],
    );
  const fates = async (who: string) => {
    await mailed.fates(who);
    return await mailed.sql<{ cause: string; state: string; outcome: string | null }>(
      `select n.cause, n.state, n.outcome from notifications n join users u on u.id = n.user_id
        where u.username = $1 and occurrence not like 'earlier %' order by n.id`,
      [who],
    );
  };
  const excess = { cause: 'NEW_NOTE', state: 'DROPPED', outcome: 'DAILY_LIMIT' };
  const notice = { cause: 'DAILY_LIMIT', state: 'SENT', outcome: null };

  test('further ones of a project are dropped, and one message says so, until it is fewer again', async () => {
    const p = await anEventfulProject(mailed.shop, mailed.tokenOf);
    for (const who of [me, 'the-reporter']) await p.choose(who, 'project', { level: 'watch' });
    const { id: projectId } = await p.send('GET', '', doer);
    await earlier(me, { projectId }, 999, 23);
    await earlier(me, { projectId }, 100, 25);
    await earlier(me, { projectId: 0 }, 1_000, 1);
    const opened = { cause: 'NEW_ISSUE', state: 'SENT', outcome: null };
    await mailed.open(p);
    expect(await fates(me)).toEqual([opened]);
    for (const body of ['One', 'Two']) {
      await mailed.comment(p, body);
      await fates(me);
    }
    expect(await fates(me)).toEqual([opened, excess, notice, excess]);
    expect(await fates('the-reporter')).toHaveLength(3);
    const mail = (await mailed.mails()).at(-1)!;
    expect(await mailed.mails()).toHaveLength(2);
    const [, path] = p.project.split('/');
    expect(mail.subject).toBe(`${path} | Too many messages within a day`);
    expect(mail.text).toMatch(new RegExp(`^Within a day, you got 1,000 messages about ${path}\\.`));
    expect(mail.text).toContain(`${mailed.shop.gateway.url}/profile/notifications/sent`);
    for (const name of ['List-Unsubscribe', 'X-GitLab-NotificationReason', 'X-GitLab-Reply-Key', 'In-Reply-To'])
      expect(mail.header(name), name).toBeUndefined();
    await mailed.sql(
      `update notifications set sent_at = now() - interval '25 hours' where occurrence like 'earlier %'`,
    );
    await mailed.comment(p, 'Three');
    expect((await fates(me)).at(-1)).toEqual({ ...excess, state: 'SENT', outcome: null });
  });

  test('further ones about epics of a group are dropped', async () => {
    const { make, api } = mailed.shop;
    const tokens: Record<string, string> = {};
    for (const who of ['the-patron', 'the-sponsor']) {
      tokens[who] = await make.user(who, { tier: 'PREMIUM' });
      await make.member(who, 'DEVELOPER', { group: 'shop' });
    }
    const p = await anEventfulProject(mailed.shop, (who) => tokens[who]!);
    await p.choose('the-patron', { group: 'shop' }, { level: 'watch' });
    const [group] = await mailed.sql<{ id: number }>(`select id from namespaces where full_path = 'shop'`);
    await earlier('the-patron', { groupId: group!.id }, 1_000, 1);
    await api('POST', 'groups/shop/epics', tokens['the-sponsor'], { json: { title: 'Harbour' } });
    expect(await fates('the-patron')).toEqual([{ ...excess, cause: 'NEW_EPIC' }, notice]);
    const [mail] = await mailed.mails('the-patron');
    expect(mail!.subject).toBe('shop | Too many messages within a day');
    expect(mail!.header('X-GitLab-Group-Path')).toBe('shop');
    const { data } = await mailed.shop.gateway.graphql<any>(
      '{ currentUser { notifications(first: 1) { nodes { cause title url } } } }',
      { token: tokens['the-patron']! },
    );
    const url = `${mailed.shop.gateway.url}/groups/shop`;
    expect(data!.currentUser.notifications.nodes).toEqual([{ cause: 'DAILY_LIMIT', title: 'shop', url }]);
  });

  test('quiet hours still hold what is not too much yet', async () => {
    const p = await anEventfulProject(mailed.shop, mailed.tokenOf);
    await p.choose(me, 'project', { level: 'watch' });
    const { id: projectId } = await p.send('GET', '', doer);
    await earlier(me, { projectId }, 1_000, 1);
    const now = new Date();
    const minutes = now.getUTCHours() * 60 + now.getUTCMinutes();
    await mailed.sql(
      'insert into global_notification_settings (user_id, quiet_from, quiet_until) values ($1, $2, $3)',
      [await mailed.idOf(me), (minutes + 1_380) % 1_440, (minutes + 60) % 1_440],
    );
    await mailed.open(p);
    expect(await fates(me)).toEqual([{ cause: 'NEW_ISSUE', state: 'WAITING', outcome: 'QUIET_HOURS' }]);
  });
});

describe('a mail server that', () => {
  const once = async (behaviour: MailSink['behaviour']) => {
    const p = await anEventfulProject(mailed.shop, mailed.tokenOf);
    await p.choose(me, 'project', { level: 'watch' });
    mailed.sink.behaviour = behaviour;
    await mailed.open(p);
    return await mailed.fates();
  };
  const failures = async () =>
    (
      await mailed.sql<object>(
        'select permanent_failures as permanent, temporary_failures as temporary from emails where address = $1',
        [await mailed.addressOf(me)],
      )
    )[0];

  test('refuses the recipient is asked no more, and the address is charged', async () => {
    expect(await once({ rcpt: () => 550 })).toEqual([
      { state: 'FAILED', outcome: 'REFUSED', attempts: 1, last_error: 'EENVELOPE RCPT TO 550' },
    ]);
    expect(await failures()).toEqual({ permanent: 1, temporary: 0 });
  });

  test('refuses the message after DATA is asked no more', async () => {
    expect(await once({ data: () => 554 })).toMatchObject([
      { state: 'FAILED', outcome: 'REFUSED', last_error: 'EMESSAGE DATA 554' },
    ]);
  });

  test('takes it later gets it later, after pauses that grow, with the same Message-ID, until it has failed', async () => {
    expect(await once({ rcpt: () => 451 })).toMatchObject([{ state: 'WAITING', outcome: 'DEFERRED', attempts: 1 }]);
    expect(await failures()).toEqual({ permanent: 0, temporary: 1 });
    for (const [attempt, minutes] of [1, 5, 30, 120, 480].entries()) {
      const [row] = await mailed.sql<{ minutes: number }>(
        'select extract(epoch from due_at - now())::float / 60 as minutes from notifications',
      );
      expect(row!.minutes).toBeGreaterThan(minutes * 0.7);
      expect(row!.minutes).toBeLessThan(minutes * 1.26);
      await mailed.sendAgain();
      expect(await mailed.fates()).toMatchObject([
        { attempts: attempt + 2, state: attempt === 4 ? 'FAILED' : 'WAITING' },
      ]);
    }
  });

  test('can’t be reached costs one attempt and no charge, and the rest waits', async () => {
    const p = await anEventfulProject(mailed.shop, mailed.tokenOf);
    const watchers = ['the-developer', 'the-reporter', 'the-guest', 'the-maintainer', me].slice(0, 4);
    for (const who of watchers) await p.choose(who, 'project', { level: 'watch' });
    await mailed.sink.down();
    for (let issue = 0; issue < 5; issue++) await mailed.open(p);
    await allTold(mailed.shop.gateway);
    await vi.waitFor(
      async () =>
        expect(await mailed.sql(`select from notifications where last_error is not null`)).not.toHaveLength(0),
      10_000,
    );
    const [{ tried } = { tried: 0 }] = await mailed.sql<{ tried: number }>(
      'select sum(attempts)::int as tried from notifications',
    );
    expect(tried).toBeGreaterThan(0);
    // Five are under way at once; each of the few looks that its rests allow tries one more.
    expect(tried).toBeLessThan(13);
    expect(await failures()).toEqual({ permanent: 0, temporary: 0 });
    await mailed.sink.up();
    await vi.waitFor(
      async () => {
        await mailed.sendAgain();
        expect(await mailed.sql(`select from notifications where state <> 'SENT'`)).toHaveLength(0);
      },
      { timeout: 30_000, interval: 500 },
    );
    expect(mailed.sink.arrived).toHaveLength(20);
    expect(new Set(mailed.sink.arrived.map(({ recipient, messageId }) => `${recipient} ${messageId}`)).size).toBe(20);
  });

  test('dies in the middle of a message gets it again, with the same Message-ID', async () => {
    let deaths = 3;
    const p = await anEventfulProject(mailed.shop, mailed.tokenOf);
    await p.choose(me, 'project', { level: 'watch' });
    mailed.sink.behaviour = { data: () => (deaths-- > 0 ? 'dies' : undefined) };
    const issue = await mailed.open(p);
    await vi.waitFor(
      async () => {
        await mailed.sendAgain();
        expect(await mailed.sql(`select from notifications where state = 'SENT'`)).toHaveLength(1);
      },
      { timeout: 20_000, interval: 300 },
    );
    expect((await mailed.mails()).map(({ messageId }) => messageId)).toEqual([`<issue_${issue.id}@${mailed.host}>`]);
  });

  test('refused an address too often in a day gets no more for it, but for subscriptions', async () => {
    const p = await anEventfulProject(mailed.shop, mailed.tokenOf);
    await p.choose(me, 'project', { level: 'watch' });
    const charge = (permanent: number, temporary: number, hours: number) => async () =>
      mailed.sql(
        `update emails set permanent_failures = $1, temporary_failures = $2, failing_since = now() - make_interval(hours => $3)`,
        [permanent, temporary, hours],
      );
    const last = async () => (await mailed.fates()).at(-1);
    await charge(5, 0, 23)();
    await mailed.open(p);
    expect(await last()).toMatchObject({ state: 'DROPPED', outcome: 'BOUNCING' });
    await charge(4, 299, 23)();
    await mailed.open(p);
    expect(await last()).toMatchObject({ state: 'SENT' });
    await charge(0, 300, 1)();
    await mailed.open(p);
    expect(await last()).toMatchObject({ state: 'DROPPED', outcome: 'BOUNCING' });
    await charge(9, 999, 25)();
    await mailed.open(p);
    expect(await last()).toMatchObject({ state: 'SENT' });
    await charge(9, 999, 1)();
    await p.send('POST', '/issues/1/subscribe', me);
    await mailed.comment(p, 'Hello');
    expect(await last()).toMatchObject({ state: 'SENT' });
    // A mention says more than a subscription, but only the subscription counts.
    await mailed.comment(p, `Hello @${me}`);
    expect(await last()).toMatchObject({ state: 'SENT' });
    expect((await mailed.mails()).at(-1)!.header('X-GitLab-NotificationReason')).toBe('subscribed');
  });
});

test('what administrators send again is sent also to an address that refused too many', async () => {
  const p = await anEventfulProject(mailed.shop, mailed.tokenOf);
  await p.choose(me, 'project', { level: 'watch' });
  mailed.sink.behaviour = { rcpt: () => 550 };
  for (let count = 1; count <= 5; count++) {
    await mailed.open(p);
    await mailed.fates();
  }
  mailed.sink.behaviour = {};
  await mailed.open(p);
  expect((await mailed.fates()).map(({ state }) => state)).toEqual([...Array(5).fill('FAILED'), 'DROPPED']);
  const root = await signIn(mailed.shop.gateway, 'root', inject('passwords').root);
  await root.press((await root.get('/admin/notifications')).form('Send all again'));
  expect((await root.get('/admin/notifications')).text).toContain(
    'What their addresses refused before no longer counts',
  );
  expect((await mailed.fates()).map(({ state }) => state)).toEqual([...Array(5).fill('SENT'), 'DROPPED']);
  expect(await mailed.mails()).toHaveLength(5);
});

test('a message that was sent but not stored as sent goes out again with the same Message-ID', async () => {
  const p = await anEventfulProject(mailed.shop, mailed.tokenOf);
  await p.choose(me, 'project', { level: 'watch' });
  await mailed.open(p);
  await p.send('PUT', '/issues/1', doer, { state_event: 'close' });
  const ids = (await mailed.mails()).map(({ messageId }) => messageId);
  expect(new Set(ids).size).toBe(2);
  // As a process leaves it that dies between the server's answer and the commit: claimed, with a lease that ends.
  await mailed.sql(`update notifications set state = 'WAITING', sent_at = null`);
  await mailed.sendAgain();
  // Several are sent at once, so they may arrive in another order.
  const all = (await mailed.mails()).map(({ messageId }) => messageId);
  expect(all.toSorted()).toEqual([...ids, ...ids].toSorted());
});

test('a message that no job knows of is found, and those of two weeks ago are removed', async () => {
  const { database } = mailed.shop.gateway.gateway.application;
  const p = await anEventfulProject(mailed.shop, mailed.tokenOf);
  await p.choose(me, 'project', { level: 'watch' });
  mailed.sink.behaviour = { rcpt: () => 451 };
  await mailed.open(p);
  await mailed.mails();
  mailed.sink.behaviour = {};
  await vi.waitFor(async () => {
    await mailed.sql(`delete from jobs where name = 'send_notifications' and lease is null`);
    expect(await mailed.sql(`select from jobs where name = 'send_notifications'`)).toHaveLength(0);
  });
  await database.rows(wakeSending, []);
  expect(await mailed.sql(`select from jobs where name = 'send_notifications'`)).toHaveLength(0);
  await mailed.sql('update notifications set due_at = now()');
  await database.rows(wakeSending, []);
  expect(await mailed.mails()).toHaveLength(1);
  await mailed.sql(`update notifications set created_at = now() - interval '13 days'`);
  await sweep({ database, auditDays: 365 });
  expect(await mailed.sql('select from notifications')).toHaveLength(1);
  await mailed.sql(`update notifications set created_at = now() - interval '15 days'`);
  await sweep({ database, auditDays: 365 });
  expect(await mailed.sql('select from notifications')).toHaveLength(0);
});

test('a claim that fails while messages are handed over ends no process: the rest is sent, and claimed again', async () => {
  const message = {
    occurrence: 'one',
    subject_kind: 'Project',
    outcome: null,
    content: {},
    quiet_from: null,
    address: 'a@b',
  };
  const claims: (() => unknown[])[] = [
    () => Array.from({ length: 100 }, (_, id) => ({ ...message, id })),
    () => {
      throw new Error('the database is gone');
    },
    () => [],
  ];
  const database = {
    rows: async (statement: unknown) => (statement === claimMessages ? claims.shift()!() : []),
  };
  let delivered = 0;
  const sender = new Sender({
    mail: {
      // Slower than the claim, so that no lane waits for it.
      deliver: async () => {
        for (let count = 0; count < 3; count++) await turn();
        delivered += 1;
        return { outcome: 'sent' };
      },
    },
    baseUrl: () => 'http://127.0.0.1',
    loadWriter: async () => () => ({}),
  } as never);
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  await sender.run(database as never, new AbortController().signal);
  await turn();
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
  expect([delivered, claims]).toEqual([100, []]);
});
