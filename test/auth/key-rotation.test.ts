import ssh from 'ssh2';
import { expect, test } from 'vitest';
import { deriveKey } from '../../src/auth/keys/crypto.ts';
import { hostKey, seal } from '../../src/auth/index.ts';
import { reseal } from '../../src/cli/commands/keys.ts';
import { readConfig } from '../../src/config/index.ts';
import { adoptInstanceKey, withDatabase } from '../../src/maintenance.ts';
import { startGateway } from '../../src/server.ts';
import { aWhileLater, turnOn, type Authenticator } from '../support/oauth/authenticator.ts';
import { signIn } from '../support/pages/browser-session.ts';
import { testGateway } from '../support/gateway.ts';
import { secretKey } from '../support/run/global-setup.ts';
import { whileHeld, type Held } from '../support/databases/held.ts';
import { account } from '../support/oauth/oauth.ts';

/** The instance key is rotated as docs/operations.md describes: new before old, reseal, new alone. */

const newKey = 'n'.repeat(40);
const chosen = 'chosen-by-an-operator';
const before = await testGateway();

const settings = (keys: string) => ({
  DATABASE_URL: before.databaseUrl,
  CAUSEWAY_SECRET_KEY: keys,
  CAUSEWAY_LOG_LEVEL: 'error',
  PORT: '0',
});
const resealWith = (keys: string) => withDatabase(readConfig(settings(keys)), reseal);

/** What works on a gateway with these keys: the authenticator, a recovery code, a token that an operator chose, and one that was made. */
async function working(keys: string, { username, password, app, recoveryCode }: Protected) {
  const gateway = await startGateway(readConfig(settings(keys)));
  const at = { url: gateway.baseUrl };
  const secondStep = async (code: string) => {
    const browser = await signIn(at, username, password);
    await browser.press((await browser.get('/users/sign_in/second_factor')).form('Verify code'), { code });
    return browser.cookies.has('causeway_session');
  };
  const asks = async (token: string) =>
    (await fetch(`${at.url}/api/v4/user`, { headers: { 'private-token': token } })).status === 200;
  try {
    await aWhileLater(before);
    return {
      authenticator: await secondStep(app.code()),
      recoveryCode: await secondStep(recoveryCode),
      chosen: await asks(chosen),
      made: await asks(before.tokens.maintainer),
    };
  } finally {
    await gateway.stop();
  }
}

interface Protected {
  readonly username: string;
  readonly password: string;
  readonly app: Authenticator;
  readonly recoveryCode: string;
}

test('while both keys are named everything works; once second factors are resealed they no longer need the old one', async () => {
  const person = await account(before, 'keyed');
  const { app, recoveryCodes } = await turnOn(before, await signIn(before, person.username, person.password));
  await before.operator(
    'mutation ($input: CreatePersonalAccessTokenInput!) { createPersonalAccessToken(input: $input) { token } }',
    {
      input: { userId: person.id, name: 'chosen', scopes: ['read_user'], chosen },
    },
  );
  const who = { username: person.username, password: person.password, app };

  const both = await working(`${newKey},${secretKey}`, { ...who, recoveryCode: recoveryCodes[0]! });
  expect(both).toEqual({ authenticator: true, recoveryCode: true, chosen: true, made: true });

  // Before anything is opened: the new key alone isn't the one that the database was used with.
  await expect(resealWith(newKey)).rejects.toThrow(/not the one that this database was used with/);
  expect((await resealWith(`${newKey},${secretKey}`)).result).toMatchObject({
    resealed: 1,
    current: 0,
    unreadable: 0,
    sshHostKey: 'NONE',
  });
  expect((await resealWith(`${newKey},${secretKey}`)).result).toMatchObject({ resealed: 0, current: 1, unreadable: 0 });
  expect(
    await before.sql(`select detail, actor_id from audit_events where kind = 'secrets_resealed' order by id`),
  ).toMatchObject([
    { detail: '1 second factors, 0 secrets of pipelines, 0 SSH host keys', actor_id: null },
    { detail: '0 second factors, 0 secrets of pipelines, 0 SSH host keys' },
  ]);

  // From here on the old one alone is wrong, and both are right.
  await expect(resealWith(secretKey)).rejects.toThrow(/not the one that this database was used with/);
  // What can't be resealed ends with its key, as the command says.
  const alone = await working(newKey, { ...who, recoveryCode: recoveryCodes[1]! });
  expect(alone).toEqual({ authenticator: true, recoveryCode: false, chosen: false, made: true });
});

/** A seed under the old key. */
const sealed = (userId: number) =>
  seal(deriveKey(secretKey, 'second factor seed'), `second factor of user ${userId}`, 'GEZDGNBVGY3TQOJQ');

test('however many second factors there are, each is resealed once', async () => {
  await before.sql('delete from second_factors');
  const people = await before.sql<{ id: number }>(
    `insert into users (username, name) select 'many-' || n, 'Many' from generate_series(1, 501) n returning id`,
  );
  await before.sql(
    'insert into second_factors (user_id, sealed_seed, confirmed_at) select id, sealed, now() from unnest($1::int[], $2::bytea[]) s (id, sealed)',
    [people.map(({ id }) => id), people.map(({ id }) => sealed(id))],
  );
  expect((await resealWith(`${newKey},${secretKey}`)).result).toMatchObject({
    resealed: 501,
    current: 0,
    unreadable: 0,
  });
  expect((await resealWith(newKey)).result).toMatchObject({ resealed: 0, current: 501, unreadable: 0 });
});

test('a second factor that is set up again while it is resealed stays as it was set up', async () => {
  await before.sql('delete from second_factors');
  const { id } = await account(before, 'both-at-once');
  await before.sql('insert into second_factors (user_id, sealed_seed) values ($1, $2)', [id, sealed(Number(id))]);
  const theirs: Held = ['select from second_factors where user_id = $1 for update', id];
  const [{ result }] = (await whileHeld(before, theirs, [() => resealWith(`${newKey},${secretKey}`)], (holder) =>
    holder.query(`update second_factors set sealed_seed = 'set up again' where user_id = $1`, [id]),
  )) as [Awaited<ReturnType<typeof resealWith>>];
  expect(result).toMatchObject({ resealed: 0, current: 0, unreadable: 0 });
  const [row] = await before.sql<{ sealed_seed: Buffer }>('select sealed_seed from second_factors where user_id = $1', [
    id,
  ]);
  expect(row!.sealed_seed.toString()).toBe('set up again');
});

test('the SSH host key is sealed again with them, and forgotten with a key that was lost', async () => {
  const shown = (keys: string) =>
    withDatabase(readConfig(settings(keys)), ({ database, keys: loaded }) => hostKey(database, loaded));
  const first = await shown(newKey);
  const newest = 'o'.repeat(40);
  expect(await shown(`${newest},${newKey}`)).toBe(first);
  const reported = await resealWith(`${newest},${newKey}`);
  expect(reported.result).toMatchObject({ sshHostKey: 'RESEALED' });
  expect(reported.words).toContain('The SSH host key was re-encrypted under the first key.');
  expect(await before.sql('select detail from audit_events order by id desc limit 1')).toMatchObject([
    { detail: expect.stringContaining(', 1 SSH host keys') },
  ]);
  expect((await resealWith(newest)).result).toMatchObject({ sshHostKey: 'CURRENT' });
  expect(await shown(newest)).toBe(first);
  const lost = 'l'.repeat(40);
  await adoptInstanceKey(readConfig(settings(lost)));
  const second = await shown(lost);
  expect(second).not.toBe(first);
  expect(await shown(lost)).toBe(second);
  // Sealed under a key that isn't there, it is never replaced by itself.
  await before.sql(`update ssh_host_keys set private_key = '\\x00'`);
  await expect(shown(lost)).rejects.toThrow('The SSH host key can’t be opened');
  const unreadable = await resealWith(lost);
  expect(unreadable.result).toMatchObject({ sshHostKey: 'UNREADABLE' });
  expect(unreadable.words).toContain('clients have to accept another host key');
});

test('an SSH host key that no process can show is replaced by one that can', async () => {
  const key = 'p'.repeat(40);
  await adoptInstanceKey(readConfig(settings(key)));
  const shown = () => withDatabase(readConfig(settings(key)), ({ database, keys }) => hostKey(database, keys));
  await shown();
  // One of 256 that the library makes.
  let damaged: string;
  do damaged = ssh.utils.generateKeyPairSync('ed25519').private;
  while (!(ssh.utils.parseKey(damaged) instanceof Error));
  await withDatabase(readConfig(settings(key)), ({ keys }) =>
    before.sql('update ssh_host_keys set private_key = $1', [
      seal(keys.derive('ssh host keys')[0]!, 'ssh host key ssh-ed25519', damaged),
    ]),
  );
  const second = await shown();
  expect(ssh.utils.parseKey(second)).not.toBeInstanceOf(Error);
  expect(await shown()).toBe(second);
});
