import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { enqueue } from '../../src/jobs/enqueue.ts';
import { messages, type Message } from '../../src/mail/index.ts';
import { causes, type CauseName } from '../../src/notify/causes.ts';
import { hasBrowser, launchBrowser, screenshot } from '../support/pages/browser.ts';
import { makeShop, type Shop } from '../support/places/shop.ts';
import { anEventfulProject, type Told } from '../support/mail/told.ts';
import { axeFindings } from '../support/pages/walk.ts';

/** Every message there is, as a browser shows it: one of each cause, made by what causes it, and all security mail. */

const me = 'the-developer';
const doer = 'the-owner';
const unbroken = 'Hydraulikpumpendichtungsringwechselintervall'.repeat(3);
const title = `Seal the pump before ${unbroken} ends`;
const text = `The pump of **deck 4** leaks, @${me}: see [the handbook](https://handbook.example/pumps/seals?edition=4&page=17) and
https://handbook.example/${'a-very-long-path/'.repeat(8)}end

> It leaked ${unbroken}

- [x] Close the valve
- [ ] Order \`${'seal-'.repeat(30)}\`

| Part | Count | Where |
|------|------:|-------|
| Seal | 4 | ${'shelf '.repeat(20)} |
| Bolt | 16 | \`${'drawer/'.repeat(12)}\` |

\`\`\`sh
pump --stop --deck 4 --reason "${'it leaks and '.repeat(12)}"
\`\`\`

![the leak](https://pictures.example/leak.png)`;

let shop: Shop;
const extra: Record<string, string> = {};
const tokenOf = (who: string): string => extra[who] ?? shop.tokens[who.replace('the-', '') as keyof Shop['tokens']];
const idOf = async (who: string) =>
  (await shop.gateway.sql<{ id: number }>('select id from users where username = $1', [who]))[0]!.id;

/** Messages of a cause that were written. */
const written = (cause: CauseName) =>
  shop.gateway.sql<Message>('select kind, subject, text, html from kept_mails where kind = $1', [
    `notification ${cause}`,
  ]);
const arrives = (...names: readonly CauseName[]) =>
  vi.waitFor(async () => {
    for (const cause of names) expect(await written(cause), cause).not.toHaveLength(0);
  }, 30_000);

const commit = (p: Told, branch: string, file: string, more: object = {}) =>
  p.send('POST', '/repository/commits', doer, {
    branch,
    commit_message: title,
    actions: [{ action: 'create', file_path: file, content: `${branch}\n` }],
    ...more,
  });

/** An issue is opened and everything happens to it. */
async function issues(p: Told): Promise<void> {
  const elsewhere = await shop.aProject();
  const [{ id: other }] = (await shop.gateway.sql('select id from projects where full_path = $1', [elsewhere])) as [
    { id: number },
  ];
  await p.choose(me, 'project', { level: 'watch' });
  for (const name of ['bug', unbroken.slice(0, 100)]) await p.send('POST', '/labels', doer, { name, color: '#ff0000' });
  await p.send('POST', '/labels/bug/subscribe', me);
  const { id: milestone } = await p.send('POST', '/milestones', doer, { title: 'Before the next voyage' });
  const mine = [await idOf(me)];
  const change = (json: object) => p.send('PUT', '/issues/1', doer, json);
  await p.send('POST', '/issues', doer, {
    title,
    description: text,
    assignee_ids: mine,
    labels: unbroken.slice(0, 100),
    due_date: '2030-01-31',
  });
  await change({ milestone_id: milestone });
  await change({ add_labels: 'bug' });
  await enqueue(shop.gateway.gateway.application.database, 'tell_of_due_issues', { zone: 'UTC', due: '2030-01-31' });
  await arrives('ISSUE_DUE');
  await change({ assignee_ids: [await idOf('the-maintainer')] });
  await p.send('POST', '/issues', doer, { title: 'Another one' });
  await p.send('PUT', '/issues/2', doer, { description: text });
  await p.send('POST', '/issues/1/notes', doer, { body: text });
  await change({ state_event: 'close' });
  await change({ state_event: 'reopen' });
  await p.send('POST', '/issues/1/clone', doer, { to_project_id: other });
  await arrives('CLOSE_ISSUE', 'REOPEN_ISSUE', 'ISSUE_CLONED', 'NEW_NOTE', 'MENTIONED', 'RELABELLED');
  await p.send('POST', '/issues/1/move', doer, { to_project_id: other });
  await arrives('ISSUE_MOVED');
}

/** A merge request is opened, reviewed and merged, and another one conflicts. */
async function mergeRequests(p: Told): Promise<void> {
  await commit(p, 'main', 'a.txt');
  await commit(p, 'topic', 'b.txt', { start_branch: 'main' });
  await commit(p, 'conflict', 'c.txt', { start_branch: 'main' });
  const { diff_refs: refs } = await p.send('POST', '/merge_requests', doer, {
    source_branch: 'topic',
    target_branch: 'main',
    title,
    description: text,
    assignee_id: await idOf(me),
  });
  await p.send('POST', '/merge_requests', me, { source_branch: 'conflict', target_branch: 'main', title: 'Conflict' });
  const { id: sha } = await commit(p, 'topic', 'd.txt');
  await p.send('POST', `/repository/commits/${sha}/comments`, doer, { note: text, path: 'd.txt', line: 1 });
  await arrives('PUSH_TO_MERGE_REQUEST');
  const change = (json: object) => p.send('PUT', '/merge_requests/1', doer, json);
  await change({ reviewer_ids: [await idOf(me)] });
  await change({ assignee_id: await idOf('the-maintainer') });
  await p.send('POST', '/merge_requests/1/approve', 'the-maintainer');
  await p.send('POST', '/merge_requests/1/unapprove', 'the-maintainer');
  await change({ title: `Draft: ${title}` });
  await change({ title });
  const position = { ...refs, position_type: 'text', old_path: 'b.txt', new_path: 'b.txt', new_line: 1 };
  const { id: thread } = await p.send('POST', '/merge_requests/1/discussions', doer, { body: text, position });
  await p.send('PUT', `/merge_requests/1/discussions/${thread}`, doer, { resolved: true });
  await change({ state_event: 'close' });
  await change({ state_event: 'reopen' });
  await p.send('PUT', '/merge_requests/1/merge', doer);
  await arrives('MERGE_MERGE_REQUEST');
  await commit(p, 'main', 'c.txt');
  await arrives('UNMERGEABLE');
}

/** Three pipelines of a person end. */
async function pipelines(p: Told): Promise<void> {
  await p.choose(me, 'project', { level: 'custom', success_pipeline: true });
  const { id: sha } = await commit(p, `feature/${'deck-4-'.repeat(20)}end`, 'p.txt', { start_branch: 'main' });
  const report = (state: string, name: string) =>
    p.send('POST', `/statuses/${sha}`, me, { state, name, ref: `feature/${'deck-4-'.repeat(20)}end` });
  for (const name of ['lint', unbroken]) await report('failed', name);
  for (const name of ['lint', unbroken]) await report('success', name);
  await report('canceled', 'unit');
  await report('success', 'unit');
  await arrives('FAILED_PIPELINE', 'FIXED_PIPELINE', 'SUCCESS_PIPELINE');
}

/** An epic is opened, for people of a tier that has epics. */
async function epics(p: Told): Promise<void> {
  for (const who of ['the-patron', 'the-sponsor']) {
    extra[who] = await shop.make.user(who, { tier: 'PREMIUM' });
    await shop.make.member(who, 'DEVELOPER', { group: 'shop' });
  }
  await p.choose('the-patron', { group: 'shop' }, { level: 'watch' });
  const json = { title, description: text };
  expect((await shop.api('POST', 'groups/shop/epics', tokenOf('the-sponsor'), { json })).status).toBe(201);
}

/** Two people ask for access to the project: one gets it, the other doesn't. */
async function access(p: Told): Promise<void> {
  await shop.gateway.sql(`update projects set visibility = 'PUBLIC' where full_path = $1`, [p.project]);
  for (const [who, answer] of [
    ['the-caller', 'approve'],
    ['the-passer', 'deny'],
  ] as const) {
    extra[who] = await shop.make.user(who);
    await shop.gateway.sql('update users set name = $2 where username = $1', [who, unbroken.slice(0, 100)]);
    await p.send('POST', '/access_requests', who);
    await arrives('ACCESS_REQUESTED');
    const one = `/access_requests/${await idOf(who)}`;
    await (answer === 'approve' ? p.send('PUT', `${one}/approve`, doer) : p.send('DELETE', one, doer));
  }
  await arrives('ACCESS_GRANTED', 'ACCESS_DENIED');
}

/** Several things happen to an issue, for a person who wants one message about them. Then there are too many messages. */
async function digest(): Promise<Message> {
  const p = await anEventfulProject(shop, tokenOf);
  const who = 'the-reporter';
  await p.choose(who, 'project', { level: 'watch' });
  await shop.gateway.sql(
    'insert into global_notification_settings (user_id, digest_minutes) values ($1, 15) on conflict (user_id) do update set digest_minutes = 15',
    [await idOf(who)],
  );
  await p.send('POST', '/issues', doer, { title, description: text });
  await p.send('POST', '/issues/1/notes', doer, { body: text });
  await p.send('PUT', '/issues/1', doer, { state_event: 'close' });
  await p.told(who);
  await shop.gateway.sql(`update notifications set due_at = now() where outcome = 'DIGEST'`);
  await enqueue(shop.gateway.gateway.application.database, 'send_notifications', {}, { key: 'send' });
  const all = await vi.waitFor(async () => {
    const [found] = await shop.gateway.sql<Message>(
      `select kind, subject, text, html from kept_mails where kind = 'notification DIGEST'`,
    );
    expect(found).toBeDefined();
    return found!;
  }, 30_000);
  await shop.gateway.sql(
    `insert into notifications (user_id, cause, occurrence, project_id, subject_kind, subject_id, via, state, sent_at)
     select $1, 'NEW_NOTE', 'earlier ' || n, p.id, 'Issue', 1, 'SETTING', 'SENT', now() from projects p, generate_series(1, 1000) n where p.full_path = $2`,
    [await idOf(who), p.project],
  );
  await p.send('PUT', '', doer, { name: unbroken });
  await p.send('POST', '/issues/1/notes', doer, { body: `@${who}` });
  await arrives('DAILY_LIMIT');
  return all;
}

/** One message of each cause: the longest, which has most to show. Comments on commits and a digest besides. */
async function notifications(): Promise<Message[]> {
  const p = await anEventfulProject(shop, tokenOf);
  await issues(p);
  await mergeRequests(p);
  await pipelines(p);
  await epics(p);
  await arrives('NEW_EPIC');
  await access(p);
  const collected = await digest();
  await p.send('PUT', '', doer, { path: 'elsewhere', name: `The ${unbroken}` });
  const all = Object.keys(causes) as CauseName[];
  await arrives(...all);
  const each = await Promise.all(all.map(written));
  const ofCommit = await vi.waitFor(async () => {
    const found = (await written('NEW_NOTE')).find(({ text: said }) => said.includes('commented on a commit'));
    expect(found).toBeDefined();
    return found!;
  }, 30_000);
  return [
    ...each.map((some) => some.toSorted((one, other) => other.html.length - one.html.length)[0]!),
    ofCommit,
    collected,
  ];
}

const base = 'https://code.acme.example';
const token = `${base}/users/password/edit?reset_password_token=${'abcdef0123456789'.repeat(4)}`;
const username = unbroken.slice(0, 100);
/** By the names that they have in the code: a new one is missing here, which is no program. */
const security: Readonly<Record<keyof typeof messages, Message>> = {
  verifyAddress: messages.verifyAddress(username, `${username}@mail.example`, token),
  addressTaken: messages.addressTaken(username, base),
  resetPassword: messages.resetPassword(username, token),
  passwordChanged: messages.passwordChanged(username, base),
  primaryChanged: messages.primaryChanged(username, base),
  addressAdded: messages.addressAdded(username, base),
  accountApproved: messages.accountApproved(username, base),
  secondFactorOn: messages.secondFactorOn(username, base),
  secondFactorOff: messages.secondFactorOff(username, base),
  passkeyAdded: messages.passkeyAdded(username, unbroken, base),
  passkeyRemoved: messages.passkeyRemoved(username, unbroken, base),
  recoveryCodeUsed: messages.recoveryCodeUsed(username, 1, base),
  wrongCodes: messages.wrongCodes(username, 20, base),
  tokensExpire: messages.tokensExpire(username, [{ name: unbroken, expiresAt: '2030-01-31' }], base),
};

/** A reader of mail shows a message as a part of its own page, which has the landmarks, and the subject as the heading. */
const ofPages = Object.fromEntries(
  ['landmark-one-main', 'page-has-heading-one', 'region'].map((rule) => [rule, 'a message is no page of its own']),
);
const views = [
  { colorScheme: 'light', width: 375 },
  { colorScheme: 'light', width: 1024 },
  { colorScheme: 'dark', width: 1024 },
  { colorScheme: 'dark', width: 375 },
] as const;

/** All messages on one page, each in a frame of its own, as high as it is. */
function gallery(all: readonly Message[], width: number): string {
  const quoted = (html: string) => html.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const frames = all.map(
    ({ kind, html }) =>
      `<figure style="margin:0;break-inside:avoid"><figcaption>${kind}</figcaption><iframe title="${kind}" width="${width}" srcdoc="${quoted(html)}"></iframe></figure>`,
  );
  const columns = width < 1024 ? 5 : 2;
  return `<!doctype html><html lang="en"><head><meta name="color-scheme" content="light dark"></head><body style="columns:${columns};width:${columns * (width + 24)}px">${frames.join('')}</body></html>`;
}

describe.skipIf(!hasBrowser)('In a browser, a message', () => {
  let browser: Browser;
  let all: readonly Message[];

  beforeAll(async () => {
    [browser, shop] = await Promise.all([launchBrowser(), makeShop({ CAUSEWAY_INBOX: 'on' })]);
    all = [...(await notifications()), ...Object.values(security)];
  });
  afterAll(() => browser?.close());

  test.each(views)('fits and is readable in $colorScheme, $width pixels wide', async ({ colorScheme, width }) => {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } });
    const page = await context.newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const wrongs: Record<string, readonly string[]> = {};
    for (const { kind, html } of all) {
      await page.setContent(html);
      const beyond = await page.evaluate(() => {
        // axe takes no background for white, and the browser for that of the scheme.
        document.documentElement.style.background = 'Canvas';
        return document.documentElement.scrollWidth - innerWidth;
      });
      const isFirst = colorScheme === 'light' && width === 375;
      const findings = await axeFindings(page, isFirst, isFirst ? ofPages : {});
      if (beyond > 0) findings.push(`${beyond} pixels beyond the right side`);
      if (findings.length > 0) wrongs[kind] = findings;
    }
    expect(wrongs).toEqual({});
    // A message loads nothing by itself: that would say who reads it, and when.
    expect(asked).toEqual([]);
    if (process.env.SCREENSHOTS === 'on') {
      await page.setContent(gallery(all, width));
      await page.evaluate(() => {
        for (const frame of document.querySelectorAll('iframe'))
          frame.height = String(frame.contentDocument!.documentElement.scrollHeight);
      });
      await screenshot(page, `messages-${colorScheme}-${width}`);
    }
    await context.close();
  });

  test('has links with names, and the same ones as its text', async () => {
    const page = await browser.newPage();
    for (const { kind, text: plain, html } of all) {
      await page.setContent(html);
      const links = await page.evaluate(() =>
        [...document.querySelectorAll('a')].map((link) => ({ to: link.href, name: link.textContent.trim() })),
      );
      expect(links, kind).not.toEqual([]);
      for (const { name, to } of links) expect(name, `${kind}: ${to}`).not.toBe('');
      const inText = plain.match(/https?:\/\/[^\s<>)]+/g) ?? [];
      expect(new Set(links.map(({ to }) => to)), kind).toEqual(new Set(inText.map((one) => new URL(one).href)));
    }
    await page.close();
  });
});
