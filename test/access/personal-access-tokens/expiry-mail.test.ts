import { beforeEach, expect, test } from 'vitest';
import { daysAhead } from '../../../src/values/time/calendar.ts';
import { notifyOfExpiringTokens } from '../../../src/jobs/notifications/expiring-tokens.ts';
import type { Delivery } from '../../../src/mail/index.ts';
import { testGateway } from '../../support/gateway.ts';

/** People are mailed a week before their tokens expire. */

const gateway = await testGateway({ CAUSEWAY_INBOX: 'on' });
const { application } = gateway.gateway;

const kept = () =>
  gateway.sql<{ recipient: string; subject: string; text: string }>(
    `select recipient, subject, text from kept_mails where kind = 'tokens expire' order by recipient`,
  );
const tell = (outcome?: Delivery['outcome']) =>
  notifyOfExpiringTokens(
    application.database,
    outcome
      ? { ...application.mail, deliver: () => Promise.resolve({ outcome, error: 'refused here' }) }
      : application.mail,
    gateway.url,
    new AbortController().signal,
  );

/** A token that was made a month ago. @param left days until it expires */
async function token(username: string, name: string, left: number, more = '') {
  await gateway.sql(
    `insert into personal_access_tokens (user_id, name, digest, scopes, created_at, expires_at${more && ', revoked_at'})
     select id, $2, sha256(($1 || $2)::bytea), '{api}', now() - interval '30 days', $3::date ${more && ', now()'} from users where username = $1`,
    [username, name, daysAhead(left)],
  );
}

beforeEach(async () => {
  await gateway.sql('truncate kept_mails');
  await gateway.sql('delete from personal_access_tokens where expires_at < current_date + 30');
});

test('one message names all that expire within a week, and nothing is said twice', async () => {
  await token('developer', 'nightly', 2);
  await token('developer', 'deploy <b>', 7);
  await token('developer', 'later', 8);
  await token('developer', 'gone', 0);
  await token('developer', 'revoked', 3, 'revoked');
  await tell();
  const [mail, ...others] = await kept();
  expect(others).toEqual([]);
  expect(mail!.subject).toBe('2 access tokens expire soon');
  expect(mail!.text).toContain(`${daysAhead(2)}: nightly\n\n${daysAhead(7)}: deploy <b>\n`);
  expect(mail!.text).not.toMatch(/later|gone|revoked/);
  expect(mail!.text).toContain(`${gateway.url}/profile/personal_access_tokens`);
  await tell();
  expect(await kept()).toHaveLength(1);
});

test('nobody is told of a token that was made for a week, or whose person is blocked', async () => {
  await token('developer', 'short', 5);
  await gateway.sql(`update personal_access_tokens set created_at = now() where name = 'short'`);
  await token('reporter', 'of somebody blocked', 3);
  await gateway.sql(`update users set state = 'BLOCKED' where username = 'reporter'`);
  await tell();
  await gateway.sql(`update users set state = 'ACTIVE' where username = 'reporter'`);
  expect(await kept()).toEqual([]);
});

test('a message that the mail server doesn’t take now is sent with the next run; one that it refuses isn’t', async () => {
  await token('developer', 'nightly', 2);
  await tell('unreachable');
  await tell('deferred');
  await tell();
  expect(await kept()).toHaveLength(1);
  expect((await kept())[0]!.text).toMatch(/^An access token .* stops working .* of this day:[^]*Rotate or revoke it:/);
  await token('owner', 'weekly', 2);
  await tell('refused');
  await tell();
  expect(await kept()).toHaveLength(1);
});
