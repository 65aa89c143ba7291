import { beforeAll, describe, expect, test } from 'vitest';
import { deriveSharedKeys, seal, unseal } from '../../../src/auth/index.ts';
import { sweep } from '../../../src/jobs/sweep.ts';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import { secretKey } from '../../support/run/global-setup.ts';
import {
  account,
  age,
  digestOf,
  inBody,
  refresh,
  refreshForm,
  refusalOf,
  registerApplication,
  session,
  statusOf,
  token,
  tokensFor,
  tokensOf,
  type Form,
  type RegisteredApplication,
  type Session,
  type Tokens,
} from '../../support/oauth/oauth.ts';

const invalidGrant = [400, 'invalid_grant'];
const invalidScope = [400, 'invalid_scope'];
const invalidClient = [401, 'invalid_client'];

const hex = (secret: string) => `'\\x${digestOf(secret).toString('hex')}'`;

describe.each(['compatible', 'strict'] as const)(
  'the refresh token grant (RFC 6749 §6) in the profile %s',
  (profile) => {
    let gateway: TestGateway;
    let person: Session;
    let confidential: RegisteredApplication;
    let open: RegisteredApplication;
    beforeAll(async () => {
      gateway = await testGateway({ CAUSEWAY_PROFILE: profile });
      person = await session(gateway, 'person');
      confidential = await registerApplication(person);
      open = await registerApplication(person, { confidential: false });
    });

    /** Lets so many seconds pass for what became of a refresh token: its rotation and the end of the access token beside it. */
    async function pass(seconds: number, { refresh_token, access_token }: Tokens): Promise<void> {
      await age(gateway, 'refresh_tokens', ['rotated_at', 'sealed_until'], seconds, `digest = ${hex(refresh_token)}`);
      await age(gateway, 'access_tokens', ['revoked_at'], seconds, `digest = ${hex(access_token)}`);
    }

    test('brings a new pair of the same scopes (RFC 9700 §4.14.2: “the authorization server issues a new refresh token with every access token refresh response”)', async () => {
      for (const application of [confidential, open]) {
        const first = await tokensFor(person, application, 'read_user api');
        const { status, body } = await refresh(gateway, application, first.refresh_token);
        expect([status, Object.keys(body)]).toEqual([
          200,
          ['access_token', 'token_type', 'expires_in', 'refresh_token', 'scope', 'created_at'],
        ]);
        expect(body.scope).toBe('read_user api');
        expect(body.access_token).not.toBe(first.access_token);
        expect(body.refresh_token).not.toBe(first.refresh_token);
        expect(await statusOf(gateway, body.access_token)).toBe(200);
      }
    });

    test('works after the access token has expired', async () => {
      const first = await tokensFor(person, confidential);
      await age(gateway, 'access_tokens', ['expires_at'], 7201, `digest = ${hex(first.access_token)}`);
      expect(await statusOf(gateway, first.access_token)).toBe(401);
      expect((await refresh(gateway, confidential, first.refresh_token)).status).toBe(200);
    });

    test('“MUST … bind the refresh token to the client” (§10.4): another one gets nothing and spends nothing', async () => {
      const first = await tokensFor(person, confidential);
      const other = await registerApplication(person);
      expect(refusalOf(await refresh(gateway, other, first.refresh_token))).toEqual(invalidGrant);
      expect(refusalOf(await refresh(gateway, open, first.refresh_token))).toEqual(invalidGrant);
      const ofPublic = await tokensFor(person, open);
      expect(refusalOf(await refresh(gateway, confidential, ofPublic.refresh_token))).toEqual(invalidGrant);
      expect((await refresh(gateway, confidential, first.refresh_token)).status).toBe(200);
      expect((await refresh(gateway, open, ofPublic.refresh_token)).status).toBe(200);
    });

    test('another client’s attempt after the window isn’t reuse: it kills nothing', async () => {
      const first = await tokensFor(person, confidential);
      const next = tokensOf(await refresh(gateway, confidential, first.refresh_token));
      await pass(3600, first);
      const other = await registerApplication(person);
      expect(refusalOf(await refresh(gateway, other, first.refresh_token))).toEqual(invalidGrant);
      expect(
        refusalOf(await token(gateway, refreshForm(confidential, first.refresh_token, { client_secret: 'wrong' }))),
      ).toEqual(invalidClient);
      expect(await statusOf(gateway, next.access_token)).toBe(200);
    });

    test('“the authorization server MUST authenticate the client” (§6, row 11): an empty secret is not a public client', async () => {
      const { refresh_token } = await tokensFor(person, confidential);
      const form = { grant_type: 'refresh_token', refresh_token, client_id: confidential.clientId };
      for (const more of [{}, { client_secret: '' }, { client_secret: ' ' }, { client_secret: 'wrong' }] as Form[]) {
        expect(refusalOf(await token(gateway, { ...form, ...more }))).toEqual(invalidClient);
      }
      expect(refusalOf(await token(gateway, { grant_type: 'refresh_token', refresh_token }))).toEqual(invalidClient);
      expect((await refresh(gateway, confidential, refresh_token)).status).toBe(200);
    });

    test('an access token, a code or a personal token refreshes nothing', async () => {
      const { access_token } = await tokensFor(person, confidential);
      for (const other of [access_token, access_token.replace('cwat_', 'cwrt_'), gateway.tokens.developer]) {
        expect(refusalOf(await refresh(gateway, confidential, other))).toEqual(invalidGrant);
      }
    });

    describe('within the reuse window', () => {
      test('the same client gets the very same answer again, byte for byte', async () => {
        for (const application of [confidential, open]) {
          const first = await tokensFor(person, application);
          const answer = await refresh(gateway, application, first.refresh_token);
          for (const seconds of [0, 5, 10]) {
            await pass(seconds, first);
            const again = await refresh(gateway, application, first.refresh_token);
            expect([again.status, again.text]).toEqual([200, answer.text]);
          }
          expect(await statusOf(gateway, answer.body.access_token)).toBe(200);
        }
      });

      test('the replaced access token still works, and not after it', async () => {
        const first = await tokensFor(person, confidential);
        await refresh(gateway, confidential, first.refresh_token);
        expect(await statusOf(gateway, first.access_token)).toBe(200);
        await pass(20, first);
        expect(await statusOf(gateway, first.access_token)).toBe(200);
        await pass(11, first);
        const { status, body } = await gateway.rest('GET', '/api/v4/user', {
          headers: { authorization: `Bearer ${first.access_token}` },
        });
        expect([status, body.error_description]).toEqual([
          401,
          'Token was revoked. You have to re-authorize from the user.',
        ]);
      });

      test('it runs from the first rotation and does not slide', async () => {
        const first = await tokensFor(person, confidential);
        const next = tokensOf(await refresh(gateway, confidential, first.refresh_token));
        for (let time = 0; time < 2; time++) {
          await pass(10, first);
          expect(tokensOf(await refresh(gateway, confidential, first.refresh_token))).toEqual(next);
        }
        await pass(11, first);
        expect(refusalOf(await refresh(gateway, confidential, first.refresh_token))).toEqual(invalidGrant);
      });

      test('a successor that was itself rotated is still what the old token answers', async () => {
        const first = await tokensFor(person, confidential);
        const second = tokensOf(await refresh(gateway, confidential, first.refresh_token));
        const third = tokensOf(await refresh(gateway, confidential, second.refresh_token));
        expect(tokensOf(await refresh(gateway, confidential, first.refresh_token))).toEqual(second);
        expect(tokensOf(await refresh(gateway, confidential, second.refresh_token))).toEqual(third);
        for (const { access_token } of [first, second, third]) expect(await statusOf(gateway, access_token)).toBe(200);
      });

      test('no other client gets the pair, nor the client without its secret', async () => {
        const first = await tokensFor(person, confidential);
        await refresh(gateway, confidential, first.refresh_token);
        const other = await registerApplication(person);
        expect(refusalOf(await refresh(gateway, other, first.refresh_token))).toEqual(invalidGrant);
        expect(
          refusalOf(await token(gateway, refreshForm(confidential, first.refresh_token, { client_secret: '' }))),
        ).toEqual(invalidClient);
      });

      test('the pair has the scopes of the first rotation, whatever the second asks for', async () => {
        const first = await tokensFor(person, confidential, 'api read_user profile');
        const next = await refresh(gateway, confidential, first.refresh_token, { scope: 'read_user profile' });
        expect(next.body.scope).toBe('read_user profile');
        expect((await refresh(gateway, confidential, first.refresh_token, { scope: 'profile' })).text).toBe(next.text);
        expect(refusalOf(await refresh(gateway, confidential, first.refresh_token, { scope: 'api' }))).toEqual(
          invalidScope,
        );
        expect((await refresh(gateway, confidential, first.refresh_token)).text).toBe(next.text);
      });
    });

    describe('after it', () => {
      test('reuse is refused and kills the family (RFC 9700 §4.14.2), with a row in the audit, and no other family (row 14)', async () => {
        const other = await tokensFor(person, confidential);
        const first = await tokensFor(person, confidential);
        const second = tokensOf(await refresh(gateway, confidential, first.refresh_token));
        const third = tokensOf(await refresh(gateway, confidential, second.refresh_token));
        await pass(31, first);
        expect(refusalOf(await refresh(gateway, confidential, first.refresh_token))).toEqual(invalidGrant);
        for (const { access_token, refresh_token } of [first, second, third]) {
          expect(await statusOf(gateway, access_token)).toBe(401);
          expect(refusalOf(await refresh(gateway, confidential, refresh_token))).toEqual(invalidGrant);
        }
        expect(await statusOf(gateway, other.access_token)).toBe(200);
        expect((await refresh(gateway, confidential, other.refresh_token)).status).toBe(200);
        const events = await gateway.sql(
          `select kind, application_id, user_id from audit_events where kind = 'refresh_token_reused' order by id desc limit 1`,
        );
        const [owner] = await gateway.sql<{ id: number }>(`select id from users where username = 'person'`);
        expect(events).toEqual([
          { kind: 'refresh_token_reused', application_id: Number(confidential.id), user_id: owner!.id },
        ]);
      });

      test('reuse is refused as reuse, whatever scope it asks for', async () => {
        const first = await tokensFor(person, confidential, 'read_user');
        const second = tokensOf(await refresh(gateway, confidential, first.refresh_token));
        await pass(31, first);
        expect(refusalOf(await refresh(gateway, confidential, first.refresh_token, { scope: 'api' }))).toEqual(
          invalidGrant,
        );
        expect(await statusOf(gateway, second.access_token)).toBe(401);
      });

      test('a token that is dead for another reason is invalid_grant, whatever scope it asks for, and no reuse', async () => {
        const first = await tokensFor(person, confidential, 'read_user');
        await refresh(gateway, confidential, first.refresh_token);
        await pass(31, first);
        await age(gateway, 'refresh_tokens', ['expires_at'], 91 * 86_400, `digest = ${hex(first.refresh_token)}`);
        for (const form of [{}, { scope: 'api' }] as Form[]) {
          expect(refusalOf(await refresh(gateway, confidential, first.refresh_token, form))).toEqual(invalidGrant);
        }
        const [family] = await gateway.sql(
          `select ended_at from grants where id = (select grant_id from refresh_tokens where digest = ${hex(first.refresh_token)})`,
        );
        expect(family).toEqual({ ended_at: null });
      });

      test('reuse is recorded once, since the family is dead already', async () => {
        const first = await tokensFor(person, confidential);
        await refresh(gateway, confidential, first.refresh_token);
        await pass(31, first);
        const count = async () =>
          (
            await gateway.sql<{ count: number }>(
              `select count(*)::int as count from audit_events where kind = 'refresh_token_reused'`,
            )
          )[0]!.count;
        const before = await count();
        for (let time = 0; time < 3; time++) await refresh(gateway, confidential, first.refresh_token);
        expect(await count()).toBe(before + 1);
      });
    });

    describe('scope', () => {
      test('“MUST NOT include any scope not originally granted” (§6): wider is invalid_scope and spends nothing (row 15)', async () => {
        const first = await tokensFor(person, confidential, 'read_user profile');
        for (const scope of ['api', 'read_user api', 'openid', 'read_user\tprofile', 'sudo profile']) {
          expect(refusalOf(await refresh(gateway, confidential, first.refresh_token, { scope }))).toEqual(invalidScope);
        }
        const [row] = await gateway.sql<{ unspent: boolean }>(
          `select rotated_at is null as unspent from refresh_tokens where digest = ${hex(first.refresh_token)}`,
        );
        expect(row).toEqual({ unspent: true });
        expect((await refresh(gateway, confidential, first.refresh_token)).body.scope).toBe('read_user profile');
      });

      test('narrower is granted, in the order asked for', async () => {
        const first = await tokensFor(person, confidential, 'api read_user profile');
        const { body } = await refresh(gateway, confidential, first.refresh_token, { scope: 'profile read_user' });
        expect(body.scope).toBe('profile read_user');
        expect(
          (
            await gateway.rest('PUT', '/api/v4/notification_settings', {
              headers: { authorization: `Bearer ${body.access_token}` },
            })
          ).status,
        ).toBe(403);
      });

      test('a departure: narrowing is for good, where §6 would let the next refresh have the original scope again', async () => {
        const first = await tokensFor(person, confidential, 'api read_user');
        const second = tokensOf(await refresh(gateway, confidential, first.refresh_token, { scope: 'read_user' }));
        expect(
          refusalOf(await refresh(gateway, confidential, second.refresh_token, { scope: 'api read_user' })),
        ).toEqual(invalidScope);
        expect((await refresh(gateway, confidential, second.refresh_token)).body.scope).toBe('read_user');
      });
    });

    test('the life of a consent is absolute: ninety days, however often it is refreshed', async () => {
      const first = await tokensFor(person, confidential);
      const days = 24 * 3600;
      await age(
        gateway,
        'refresh_tokens',
        ['expires_at', 'created_at'],
        89 * days,
        `digest = ${hex(first.refresh_token)}`,
      );
      const second = tokensOf(await refresh(gateway, confidential, first.refresh_token));
      const [life] = await gateway.sql<{ hours: number }>(
        `select extract(epoch from expires_at - now())::float8 / 3600 as hours from refresh_tokens where digest = ${hex(second.refresh_token)}`,
      );
      expect(life!.hours).toBeGreaterThan(23);
      expect(life!.hours).toBeLessThanOrEqual(24);
      await age(gateway, 'refresh_tokens', ['expires_at'], days, `digest = ${hex(second.refresh_token)}`);
      expect(refusalOf(await refresh(gateway, confidential, second.refresh_token))).toEqual(invalidGrant);
      // Nor does the window bring anything back.
      await age(gateway, 'refresh_tokens', ['expires_at'], days, `digest = ${hex(first.refresh_token)}`);
      expect(refusalOf(await refresh(gateway, confidential, first.refresh_token))).toEqual(invalidGrant);
    });

    describe('the sealed successor', () => {
      const sealedOf = async (refreshToken: string) => {
        const [row] = await gateway.sql<{ sealed: Buffer | null }>(
          `select sealed from refresh_tokens where digest = ${hex(refreshToken)}`,
        );
        return row!.sealed;
      };

      test('is erased by the sweep when the window is over, and not before', async () => {
        const { database } = gateway.gateway.application;
        const [old, young] = [await tokensFor(person, confidential), await tokensFor(person, confidential)];
        const next = tokensOf(await refresh(gateway, confidential, old.refresh_token));
        const answer = await refresh(gateway, confidential, young.refresh_token);
        await pass(31, old);
        expect(await sealedOf(old.refresh_token)).not.toBeNull();
        await sweep({ database, auditDays: 365 });
        expect(await sealedOf(old.refresh_token)).toBeNull();
        expect(await sealedOf(young.refresh_token)).not.toBeNull();
        expect((await refresh(gateway, confidential, young.refresh_token)).text).toBe(answer.text);
        // The rotated token stays recognisable: reuse must be seen.
        expect(await statusOf(gateway, next.access_token)).toBe(200);
        expect(refusalOf(await refresh(gateway, confidential, old.refresh_token))).toEqual(invalidGrant);
        expect(await statusOf(gateway, next.access_token)).toBe(401);
      });

      test('is erased at once when the family ends', async () => {
        const first = await tokensFor(person, confidential);
        const second = tokensOf(await refresh(gateway, confidential, first.refresh_token));
        await gateway.rest('POST', '/oauth/revoke', { form: { token: second.access_token, ...inBody(confidential) } });
        expect(await sealedOf(first.refresh_token)).toBeNull();
      });

      test('opens neither in another row nor for another token', async () => {
        const [one, other] = [await tokensFor(person, confidential), await tokensFor(person, confidential)];
        await refresh(gateway, confidential, one.refresh_token);
        const kept = await refresh(gateway, confidential, other.refresh_token);
        const [own, foreign] = [await sealedOf(one.refresh_token), await sealedOf(other.refresh_token)];
        await gateway.sql(`update refresh_tokens set sealed = $1 where digest = ${hex(one.refresh_token)}`, [foreign]);
        expect(refusalOf(await refresh(gateway, confidential, one.refresh_token))).toEqual(invalidGrant);
        await gateway.sql(`update refresh_tokens set sealed = $1 where digest = ${hex(one.refresh_token)}`, [own]);
        expect((await refresh(gateway, confidential, one.refresh_token)).status).toBe(200);
        expect((await refresh(gateway, confidential, other.refresh_token)).text).toBe(kept.text);
      });

      test('opens no more when a bit of it was changed, and that is no reuse', async () => {
        const first = await tokensFor(person, confidential);
        const second = tokensOf(await refresh(gateway, confidential, first.refresh_token));
        const sealed = (await sealedOf(first.refresh_token))!;
        for (const position of [0, 12, sealed.length - 1]) {
          const changed = Buffer.from(sealed);
          changed[position]! ^= 1;
          await gateway.sql(`update refresh_tokens set sealed = $1 where digest = ${hex(first.refresh_token)}`, [
            changed,
          ]);
          expect(refusalOf(await refresh(gateway, confidential, first.refresh_token))).toEqual(invalidGrant);
        }
        expect(await statusOf(gateway, second.access_token)).toBe(200);
      });

      test('is bound to its token by its key, and to its row besides', async () => {
        const first = await tokensFor(person, confidential);
        const { body } = await refresh(gateway, confidential, first.refresh_token);
        const sealed = (await sealedOf(first.refresh_token))!;
        const keys = deriveSharedKeys(gateway.gateway.application.keys, 'refresh token successor', first.refresh_token);
        expect(unseal(keys, digestOf(first.refresh_token).toString('base64url'), sealed)).toContain(body.refresh_token);
        for (const elsewhere of [digestOf(body.refresh_token).toString('base64url'), '', 'x'])
          expect(unseal(keys, elsewhere, sealed)).toBeNull();
      });

      test('can’t be opened with what the database knows', async () => {
        const first = await tokensFor(person, confidential);
        await refresh(gateway, confidential, first.refresh_token);
        const sealed = (await sealedOf(first.refresh_token))!;
        const stored = digestOf(first.refresh_token);
        const { keys } = gateway.gateway.application;
        const context = stored.toString('base64url');
        const known = [stored, ...keys.derive('refresh token successor'), ...keys.derive(context)];
        expect(unseal(known, context, sealed)).toBeNull();
        expect(unseal(known, context, seal(stored, context, 'a text'))).toBe('a text');
      });
    });
  },
);

describe('a rotated instance key', () => {
  const older = secretKey;
  const newer = 'a-newer-instance-key-for-tests-32-characters-or-more';

  test('keeps open windows open while the old one is still known, and shuts them without a family’s death when it isn’t', async () => {
    const before = await testGateway({ CAUSEWAY_SECRET_KEY: older });
    const person = await session(before, 'person');
    const application = await registerApplication(person);
    const first = await tokensFor(person, application);
    const answer = await refresh(before, application, first.refresh_token);

    const during = await testGateway({ CAUSEWAY_SECRET_KEY: `${newer},${older}` }, before);
    expect((await refresh(during, application, first.refresh_token)).text).toBe(answer.text);
    const next = await refresh(during, application, answer.body.refresh_token);
    expect(next.status).toBe(200);

    await during.operator('mutation { resealSecrets { resealed } }');
    const after = await testGateway({ CAUSEWAY_SECRET_KEY: newer }, before);
    expect((await refresh(after, application, answer.body.refresh_token)).text).toBe(next.text);
    expect(refusalOf(await refresh(after, application, first.refresh_token))).toEqual(invalidGrant);
    // Tokens themselves don’t depend on the key.
    expect(await statusOf(after, next.body.access_token)).toBe(200);
    expect((await refresh(after, application, next.body.refresh_token)).status).toBe(200);
  });
});

describe('a gateway without a reuse window', () => {
  test('rotates strictly: the second use kills the family at once', async () => {
    const gateway = await testGateway({ CAUSEWAY_REFRESH_REUSE_WINDOW: '0' });
    const person = await session(gateway, 'person');
    const application = await registerApplication(person);
    const first = await tokensFor(person, application);
    const second = tokensOf(await refresh(gateway, application, first.refresh_token));
    expect(await statusOf(gateway, first.access_token)).toBe(401);
    expect(await statusOf(gateway, second.access_token)).toBe(200);
    expect(refusalOf(await refresh(gateway, application, first.refresh_token))).toEqual(invalidGrant);
    expect(await statusOf(gateway, second.access_token)).toBe(401);
  });
});

describe('what the sweep removes', () => {
  test('is what has had its time, and what reuse must be seen by stays until its family ends', async () => {
    const gateway = await testGateway();
    const { database } = gateway.gateway.application;
    const run = () => sweep({ database, auditDays: 365 });
    const person = await session(gateway, 'person');
    const application = await registerApplication(person);
    const first = await tokensFor(person, application);
    const second = tokensOf(await refresh(gateway, application, first.refresh_token));
    const count = async (table: string) =>
      (await gateway.sql<{ count: number }>(`select count(*)::int as count from ${table}`))[0]!.count;

    // Three days on: access tokens have gone, the consent lives.
    await age(gateway, 'access_tokens', ['expires_at'], 3 * 86_400);
    await age(gateway, 'authorization_codes', ['expires_at', 'redeemed_at'], 3 * 86_400);
    await age(gateway, 'refresh_tokens', ['rotated_at', 'sealed_until'], 3 * 86_400);
    await run();
    expect([
      await count('access_tokens'),
      await count('refresh_tokens'),
      await count('authorization_codes'),
      await count('grants'),
    ]).toEqual([0, 2, 1, 1]);
    const { authorizedApplications } = await person.run<{
      authorizedApplications: { application: { clientId: string }; scopes: string[] }[];
    }>('{ authorizedApplications { application { clientId } scopes } }');
    expect(authorizedApplications).toEqual([{ application: { clientId: application.clientId }, scopes: ['api'] }]);
    const third = tokensOf(await refresh(gateway, application, second.refresh_token));
    expect(await statusOf(gateway, third.access_token)).toBe(200);
    expect(refusalOf(await refresh(gateway, application, first.refresh_token))).toEqual(invalidGrant);
    expect(await statusOf(gateway, third.access_token)).toBe(401);

    // A day after its end the family goes, and all of it.
    await run();
    expect(await count('grants')).toBe(1);
    await age(gateway, 'grants', ['ended_at'], 86_401);
    await run();
    expect([
      await count('access_tokens'),
      await count('refresh_tokens'),
      await count('authorization_codes'),
      await count('grants'),
    ]).toEqual([0, 0, 0, 0]);
  });

  test('is also a family that would never expire, a day after it was taken back', async () => {
    const gateway = await testGateway({ CAUSEWAY_ACCESS_TOKEN_LIFETIME: '0' });
    const { database } = gateway.gateway.application;
    const run = () => sweep({ database, auditDays: 365 });
    const [person, other] = [await session(gateway, 'person'), await session(gateway, 'other')];
    const [taken, renewed, kept] = [
      await registerApplication(person),
      await registerApplication(person),
      await registerApplication(person),
    ];
    const tokens = await Promise.all([
      tokensFor(person, taken),
      tokensFor(person, renewed),
      tokensFor(other, kept),
      tokensFor(person, kept),
    ]);
    const own = tokensOf(await token(gateway, { grant_type: 'client_credentials', ...inBody(renewed) }));
    await age(gateway, 'grants', ['authorized_at'], 3 * 86_400);
    await person.run('mutation ($id: ID!) { revokeAuthorization(applicationId: $id) }', { id: taken.id });
    await person.run('mutation ($id: ID!) { renewApplicationSecret(id: $id) { secret } }', { id: renewed.id });
    await other.run('mutation { signOutEverywhere }');
    const count = async () =>
      (await gateway.sql<{ count: number }>('select count(*)::int as count from grants'))[0]!.count;
    await run();
    expect(await count()).toBe(5);
    for (const table of ['authorizations', 'applications', 'users']) await age(gateway, table, ['valid_from'], 86_401);
    await run();
    expect(await count()).toBe(1);
    const dead = [tokens[0], tokens[1], tokens[2], own].map(({ access_token: one }) => statusOf(gateway, one));
    expect(await Promise.all(dead)).toEqual([401, 401, 401, 401]);
    expect(await statusOf(gateway, tokens[3].access_token)).toBe(200);
  });

  test('of families that never expire a round looks through one batch, and the next one goes on from there', async () => {
    const gateway = await testGateway();
    const { database } = gateway.gateway.application;
    const { id } = await account(gateway, 'person');
    await gateway.sql(
      `insert into grants (kind, user_id, authorized_at) select 'PASSWORD', $1, now() - interval '9 days' + case when n > 600 then interval '0' else interval '5 days' end from generate_series(1, 700) n`,
      [id],
    );
    await gateway.sql(`update users set valid_from = now() - interval '7 days' where id = $1`, [id]);
    const progress = { family: 0 };
    const rounds = [
      await sweep({ database, auditDays: 365 }, progress),
      await sweep({ database, auditDays: 365 }, progress),
      await sweep({ database, auditDays: 365 }, progress),
    ];
    expect(rounds).toEqual([0, 100, 0]);
  });

  test('goes in batches, and over many rows', async () => {
    const gateway = await testGateway();
    const { database } = gateway.gateway.application;
    const { id } = await account(gateway, 'person');
    await gateway.sql(
      `with made as (
         insert into grants (kind, user_id, authorized_at, ended_at)
         select 'PASSWORD', $1, now() - interval '9 days', case when n % 2 = 0 then now() - interval '2 days' end from generate_series(1, 2401) n
         returning id
       )
       insert into refresh_tokens (grant_id, digest, scopes, expires_at)
       select id, sha256(id::text::bytea), '{api}', now() + interval '1 day' from made`,
      [id],
    );
    expect(await sweep({ database, auditDays: 365 })).toBeGreaterThanOrEqual(1200);
    const [left] = await gateway.sql(
      'select count(*)::int as grants, (select count(*)::int from refresh_tokens) as tokens from grants',
    );
    expect(left).toEqual({ grants: 1201, tokens: 1201 });
  });
});
