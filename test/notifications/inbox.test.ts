import { beforeAll, describe, expect, test, vi } from 'vitest';
import { mailWay, messages, type Message } from '../../src/mail/index.ts';
import { sweep } from '../../src/jobs/sweep.ts';
import { makeShop, type Shop } from '../support/places/shop.ts';
import { allTold, anEventfulProject } from '../support/mail/told.ts';

/** Messages of a gateway without a mail server. */

let shop: Shop;

interface Kept {
  readonly id: number;
  readonly kind: string;
  readonly recipient: string;
  readonly subject: string;
  readonly headers: Record<string, string>;
  readonly text: string;
  readonly html: string;
}

const kept = () =>
  shop.gateway.sql<Kept>('select id::int, kind, recipient, subject, headers, text, html from kept_mails order by id');

/** Something happens that the-developer is told of. */
async function something(subject = shop): Promise<string> {
  const p = await anEventfulProject(subject, (who) => subject.tokens[who.replace('the-', '') as keyof Shop['tokens']]);
  await p.send('POST', '/issues', 'the-owner', { title: 'Leak', description: '@the-developer' });
  await allTold(subject.gateway);
  return p.project;
}

describe('on one’s own machine', () => {
  beforeAll(async () => {
    shop = await makeShop({ CAUSEWAY_INBOX: 'on' });
  });

  test('keeps what it would send, with its headers', async () => {
    const project = await something();
    await vi.waitFor(async () => expect(await kept()).toHaveLength(1), 10_000);
    const [mail] = await kept();
    expect(mail).toMatchObject({ kind: 'notification NEW_ISSUE', subject: `${project.split('/').at(-1)} | Leak (#1)` });
    expect(mail!.headers).toMatchObject({
      'X-GitLab-NotificationReason': 'mentioned',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Reply-To': 'Causeway <causeway@localhost>',
      From: expect.stringContaining('the-owner (@the-owner) <') as string,
    });
    expect(mail!.html).toContain('<!doctype html>');
    await vi.waitFor(async () =>
      expect(await shop.gateway.sql('select state from notifications')).toEqual([{ state: 'SENT' }]),
    );
  });

  test('keeps security mail without its links', async () => {
    const { mail } = shop.gateway.gateway.application;
    expect(mail.configured).toBe(false);
    const base = 'http://127.0.0.1:3000';
    const secret = 'cwsecret123';
    const url = `${base}/users/x?token=${secret}`;
    const all: Message[] = [
      messages.verifyAddress('ada', 'ada@example.com', url),
      messages.resetPassword('ada', url),
      messages.addressTaken('ada', base),
      messages.wrongCodes('ada', 3, base),
    ];
    for (const message of all) mail.send('ada@example.com', message);
    await vi.waitFor(async () =>
      expect((await kept()).filter(({ kind }) => !kind.startsWith('notification'))).toHaveLength(4),
    );
    for (const { subject, text, html, headers } of (await kept()).filter(
      ({ kind }) => !kind.startsWith('notification'),
    )) {
      const stored = [subject, text, html, JSON.stringify(headers)].join('\n');
      expect(stored).not.toMatch(/https?:|href|cwsecret/);
      expect(text).toContain('(The inbox leaves out the link.)');
      expect(html).toContain('(The inbox leaves out the link.)');
    }
  });

  test('keeps the last 200, for a day', async () => {
    await shop.gateway.sql(
      `insert into kept_mails (kind, recipient, subject, text, html) select 'x', 'x', n::text, '', '' from generate_series(1, 250) n`,
    );
    await something();
    await vi.waitFor(async () => expect(await kept()).toHaveLength(200), 10_000);
    expect((await kept())[0]!.subject).toBe('52');
    await shop.gateway.sql(`update kept_mails set at = now() - interval '25 hours' where subject <> '250'`);
    await sweep({ database: shop.gateway.gateway.application.database, auditDays: 365 });
    expect((await kept()).map(({ subject }) => subject)).toEqual(['250']);
  });
});

test('with the inbox off, nobody is told of anything', async () => {
  const silent = await makeShop();
  await something(silent);
  expect(await silent.gateway.sql(`select from events where kind = 'issue.created'`)).not.toHaveLength(0);
  expect(await silent.gateway.sql('select from notifications')).toEqual([]);
  expect(await silent.gateway.sql('select from kept_mails')).toEqual([]);
});

test.each([
  [{ url: undefined, from: undefined }, true, 'http://127.0.0.1:3000', 'inbox'],
  [{ url: undefined, from: undefined }, true, 'http://localhost:3000', 'inbox'],
  [{ url: undefined, from: undefined }, true, 'http://[::1]:3000', 'inbox'],
  [{ url: undefined, from: undefined }, true, 'https://causeway.example', 'none'],
  [{ url: undefined, from: undefined }, true, 'http://127.0.0.1.example', 'none'],
  [{ url: undefined, from: undefined }, true, 'http://192.168.1.5:3000', 'none'],
  [{ url: undefined, from: undefined }, false, 'http://127.0.0.1:3000', 'none'],
  [{ url: 'smtp://mail.example', from: 'a@example.com' }, true, 'http://127.0.0.1:3000', 'smtp'],
])('with the mail server %j and the inbox %j, %s sends by: %s', (smtp, inbox, address, way) => {
  expect(mailWay({ smtp, inbox }, address)).toBe(way);
});
