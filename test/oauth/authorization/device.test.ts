import { beforeAll, describe, expect, test, vi } from 'vitest';
import { keyedDigest } from '../../../src/auth/index.ts';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import {
  account,
  age,
  asPage,
  basic,
  deviceGrant,
  digestOf,
  inBody,
  post,
  refresh,
  refusalOf,
  registerApplication,
  session,
  signIn,
  statusOf,
  token,
  tokensOf,
  type Form,
  type Origin,
  type RegisteredApplication,
  type Session,
} from '../../support/oauth/oauth.ts';
import type { RestAnswer } from '../../support/requests/rest-client.ts';
import { challengeOfAnswer } from '../../support/oauth/token-endpoint.ts';

interface Begun {
  readonly device_code: string;
  readonly user_code: string;
}

const pendingDevice =
  'query ($userCode: String!) { pendingDevice(userCode: $userCode) { application { name clientId } scopes } }';
const decideDevice = 'mutation ($input: DecideDeviceInput!) { decideDevice(input: $input) }';

describe.each(['compatible', 'strict'] as const)(
  'the device authorization grant (RFC 8628) in the profile %s',
  (profile) => {
    let gateway: TestGateway;
    let person: Session;
    let confidential: RegisteredApplication;
    let open: RegisteredApplication;
    beforeAll(async () => {
      gateway = await testGateway({ CAUSEWAY_PROFILE: profile });
      person = await session(gateway, 'person');
      confidential = await registerApplication(person, { name: 'A television' });
      open = await registerApplication(person, { confidential: false });
    });

    const begin = (
      application: RegisteredApplication,
      form: Form = { scope: 'api' },
      headers: Record<string, string> = {},
    ) => post(gateway, '/oauth/authorize_device', { ...form, ...inBody(application) }, { headers });
    const begun = async (application = confidential, scope = 'api') =>
      (await begin(application, { scope })).body as Begun;
    const poll = (application: RegisteredApplication, { device_code }: Pick<Begun, 'device_code'>, more: Form = {}) =>
      token(gateway, { grant_type: deviceGrant, device_code, ...inBody(application), ...more });
    const look = async (userCode: string, someone = person, origin?: Origin) =>
      (
        await someone.run<{
          pendingDevice: { application: { name: string; clientId: string }; scopes: string[] } | null;
        }>(pendingDevice, { userCode }, origin)
      ).pendingDevice;
    const decide = (userCode: string, approved = true, someone = person, origin?: Origin) =>
      someone.run<{ decideDevice: true }>(decideDevice, { input: { userCode, approved } }, origin);
    const of = ({ device_code }: Begun) => `digest = '\\x${digestOf(device_code).toString('hex')}'`;

    describe('the device authorization endpoint (§3.1, §3.2)', () => {
      test('answers with all that the device shows and polls with', async () => {
        for (const application of [confidential, open]) {
          const { status, body, headers } = await begin(application);
          expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
          expect(Object.keys(body)).toEqual([
            'device_code',
            'user_code',
            'verification_uri',
            'verification_uri_complete',
            'expires_in',
            'interval',
          ]);
          expect(body).toMatchObject({
            verification_uri: `${gateway.url}/oauth/device`,
            verification_uri_complete: `${gateway.url}/oauth/device?user_code=${body.user_code}`,
            expires_in: 300,
            interval: 5,
          });
          expect(body.device_code).toMatch(/^cwdc_[A-Za-z0-9_-]{43}$/);
          // §6.1: no vowels, so no words; nothing that looks like something else.
          expect(body.user_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
        }
      });

      test('uses every letter of its alphabet (“entropy”, §5.1)', async () => {
        const codes = await Promise.all(Array.from({ length: 60 }, () => begun(open)));
        expect(new Set(codes.flatMap(({ user_code: code }) => [...code.replace('-', '')])).size).toBe(20);
        expect(new Set(codes.map(({ user_code: code }) => code)).size).toBe(60);
      });

      test('gives a device another code when one shows the same', async () => {
        const original = crypto.getRandomValues.bind(crypto);
        let same = 2;
        const stub = vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) => {
          // The bytes of a user code are asked for by sixteen; secrets aren't.
          if (array && 'length' in array && array.length === 16 && same-- > 0)
            return (array as Uint8Array).fill(7) as never;
          return original(array as never);
        });
        const [one, two] = [await begun(), await begun()];
        stub.mockRestore();
        expect(one.user_code).toBe('KKKK-KKKK');
        expect(two.user_code).not.toBe(one.user_code);
        await decide(two.user_code);
        expect(refusalOf(await poll(confidential, one))).toEqual([400, 'authorization_pending']);
        expect((await poll(confidential, two)).status).toBe(200);
      });

      test('makes no letter likelier than another (“entropy”, §5.1): bytes beyond a multiple of twenty are left out', async () => {
        const original = crypto.getRandomValues.bind(crypto);
        const bytes = [240, 241, 254, 255, 239, 19, 20, 0, 240, 1, 39, 100, 119, 120, 7, 8];
        const stub = vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) => {
          if (array && 'length' in array && array.length === 16) (array as Uint8Array).set(bytes);
          else original(array as never);
          return array;
        });
        const { user_code: code } = await begun();
        stub.mockRestore();
        expect(code).toBe('ZZBB-CZBZ');
      });

      test.each<[what: string, form: Form, refusal: [number, string]]>([
        ['no scope', {}, [400, 'invalid_scope']],
        ['an empty scope', { scope: '' }, [400, 'invalid_scope']],
        ['an unknown scope', { scope: 'openid' }, [400, 'invalid_scope']],
        ['a wrong secret', { scope: 'api', client_secret: 'wrong' }, [401, 'invalid_client']],
        ['an empty secret', { scope: 'api', client_secret: '' }, [401, 'invalid_client']],
        ['an unknown client', { scope: 'api', client_id: 'nobody' }, [401, 'invalid_client']],
      ])('refuses %s', async (_what, form, refusal) => {
        const answer = await post(gateway, '/oauth/authorize_device', { ...inBody(confidential), ...form });
        expect(refusalOf(answer)).toEqual(refusal);
        expect(answer.headers.get('www-authenticate')).toBe(challengeOfAnswer(refusal[0]));
      });

      test('refuses a scope that the application didn’t register, and an application that didn’t register the grant', async () => {
        const narrow = await registerApplication(person, { scopes: ['read_user'] });
        expect(refusalOf(await begin(narrow))).toEqual([400, 'invalid_scope']);
        const other = await registerApplication(person, { grants: ['authorization_code'] });
        expect(refusalOf(await begin(other))).toEqual([400, 'unauthorized_client']);
      });

      test('takes HTTP Basic, POST only, each parameter once', async () => {
        expect((await post(gateway, '/oauth/authorize_device', { scope: 'api' }, basic(confidential))).status).toBe(
          200,
        );
        expect((await gateway.rest('GET', '/oauth/authorize_device', { query: { scope: 'api' } })).status).toBe(405);
        const twice = await post(gateway, '/oauth/authorize_device', [
          ...Object.entries({ scope: 'api', ...inBody(open) }),
          ['scope', 'api'],
        ]);
        expect(refusalOf(twice)).toEqual([400, 'invalid_request']);
      });
    });

    describe('the person’s decision (§3.3)', () => {
      test('shows who asks and for what', async () => {
        const { user_code: code } = await begun(confidential, 'read_user profile');
        expect(await look(code)).toEqual({
          application: { name: 'A television', clientId: confidential.clientId },
          scopes: ['read_user', 'profile'],
        });
      });

      test('takes the code whatever its case, with or without the hyphen (§6.1)', async () => {
        const { user_code: code } = await begun();
        for (const typed of [
          code.toLowerCase(),
          code.replace('-', ''),
          code.replace('-', ' '),
          ` ${[...code].join(' ')} `,
          code.replace('-', '–'),
        ]) {
          expect([typed, (await look(typed))?.application.name]).toEqual([typed, 'A television']);
        }
        await decide(code.toLowerCase().replace('-', ''));
        expect(await look(code)).toBeNull();
      });

      test('needs a session', async () => {
        const { user_code: userCode } = await begun();
        await expect(asPage(gateway, null, pendingDevice, { userCode })).rejects.toMatchObject({
          code: 'UNAUTHENTICATED',
        });
        await expect(
          asPage(gateway, null, decideDevice, { input: { userCode, approved: true } }),
        ).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
      });

      test('is made once: a second decision, the same or another, is refused', async () => {
        const other = await session(gateway, `other-${profile}`);
        for (const [one, two] of [
          [true, false],
          [false, true],
          [true, true],
        ] as const) {
          const device = await begun();
          await decide(device.user_code, one);
          await expect(decide(device.user_code, two, other)).rejects.toMatchObject({ code: 'NOT_FOUND' });
          expect((await poll(confidential, device)).status).toBe(one ? 200 : 400);
        }
      });

      test('comes too late when the code has expired', async () => {
        const device = await begun();
        await age(gateway, 'device_codes', ['expires_at'], 301, of(device));
        expect(await look(device.user_code)).toBeNull();
        await expect(decide(device.user_code)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      });
    });

    describe('polling (§3.4, §3.5)', () => {
      /** Lets the interval pass. */
      const wait = (device: Begun, seconds: number) => age(gateway, 'device_codes', ['polled_at'], seconds, of(device));

      test('“authorization_pending” until the person decides, then the tokens, once', async () => {
        for (const application of [confidential, open]) {
          const device = await begun(application, 'read_user api');
          expect(refusalOf(await poll(application, device))).toEqual([400, 'authorization_pending']);
          await decide(device.user_code);
          const tokens = tokensOf(await poll(application, device));
          expect(tokens.scope).toBe('read_user api');
          expect(await statusOf(gateway, tokens.access_token)).toBe(200);
          expect((await refresh(gateway, application, tokens.refresh_token)).status).toBe(200);
          expect(refusalOf(await poll(application, device))).toEqual([400, 'invalid_grant']);
          expect(await statusOf(gateway, tokens.access_token)).toBe(200);
        }
      });

      test('the token is the person’s who approved', async () => {
        const other = await session(gateway, `approving-${profile}`);
        const device = await begun();
        await decide(device.user_code, true, other);
        const { access_token } = tokensOf(await poll(confidential, device));
        const { body } = await gateway.rest('GET', '/api/v4/user', {
          headers: { authorization: `Bearer ${access_token}` },
        });
        expect(body.username).toBe(`approving-${profile}`);
      });

      test('“access_denied” when the person refuses', async () => {
        const device = await begun();
        await decide(device.user_code, false);
        expect(refusalOf(await poll(confidential, device))).toEqual([400, 'access_denied']);
      });

      test('“expired_token” after five minutes, approved or not', async () => {
        for (const approve of [false, true]) {
          const device = await begun();
          if (approve) await decide(device.user_code);
          await age(gateway, 'device_codes', ['expires_at'], 301, of(device));
          expect(refusalOf(await poll(confidential, device))).toEqual([400, 'expired_token']);
        }
      });

      test('“slow_down”: “the interval MUST be increased by 5 seconds for this and all subsequent requests”', async () => {
        const device = await begun();
        expect(refusalOf(await poll(confidential, device))).toEqual([400, 'authorization_pending']);
        expect(refusalOf(await poll(confidential, device))).toEqual([400, 'slow_down']);
        // Ten seconds now, fifteen after the next hasty one.
        await wait(device, 6);
        expect(refusalOf(await poll(confidential, device))).toEqual([400, 'slow_down']);
        await wait(device, 15);
        expect(refusalOf(await poll(confidential, device))).toEqual([400, 'authorization_pending']);
        await wait(device, 8);
        expect(refusalOf(await poll(confidential, device))).toEqual([400, 'slow_down']);
      });

      test('a patient client never gets slow_down', async () => {
        const device = await begun();
        for (let time = 0; time < 3; time++) {
          expect(refusalOf(await poll(confidential, device))).toEqual([400, 'authorization_pending']);
          await wait(device, 5);
        }
      });

      test('is bound to the client: another one gets nothing and spends nothing', async () => {
        const other = await registerApplication(person);
        const device = await begun();
        await decide(device.user_code);
        expect(refusalOf(await poll(other, device))).toEqual([400, 'invalid_grant']);
        expect(refusalOf(await poll(open, device))).toEqual([400, 'invalid_grant']);
        expect(refusalOf(await poll(confidential, device, { client_secret: 'wrong' }))).toEqual([
          401,
          'invalid_client',
        ]);
        expect(refusalOf(await poll(confidential, device, { client_secret: '' }))).toEqual([401, 'invalid_client']);
        expect((await poll(confidential, device)).status).toBe(200);
      });

      test('the user code is no device code', async () => {
        const device = await begun();
        await decide(device.user_code);
        expect(refusalOf(await poll(confidential, { device_code: device.user_code }))).toEqual([400, 'invalid_grant']);
      });
    });

    describe('wrong user codes (§5.1): “the server … SHOULD implement rate-limiting”', () => {
      const wrong = (index: number) => `BBBB-${'BCDFGHJKLMNPQRSTVWXZ'[index % 20]}CCC`;
      const throttled = { error: 'temporarily_unavailable', retryAfter: expect.any(Number) };

      test('after ten of a session nothing more is looked up, nor decided, wherever it comes from', async () => {
        const { username, password } = await account(gateway, `guessing-${profile}`);
        const guessing = await signIn(gateway, username, password);
        const device = await begun();
        const from = (index: number): Origin => ({ address: `192.0.2.${index}`, requestId: 'a-test' });
        for (let index = 0; index < 5; index++) expect(await look(wrong(index), guessing, from(index))).toBeNull();
        for (let index = 5; index < 10; index++) {
          await expect(decide(wrong(index), true, guessing, from(index))).rejects.toMatchObject({ code: 'NOT_FOUND' });
        }
        await expect(look(device.user_code, guessing, from(11))).rejects.toMatchObject(throttled);
        await expect(decide(device.user_code, true, guessing, from(12))).rejects.toMatchObject(throttled);
        expect(refusalOf(await poll(confidential, device))).toEqual([400, 'authorization_pending']);
        await age(gateway, 'attempt_counters', ['started_at'], 600);
        expect(await look(device.user_code, guessing, from(13))).not.toBeNull();
      });

      test('after ten from an address either, whichever session', async () => {
        const origin = { address: '192.0.2.200', requestId: 'a-test' };
        const { username, password } = await account(gateway, `roaming-${profile}`);
        for (let index = 0; index < 10; index++) {
          const one = await signIn(gateway, username, password);
          expect(await look(wrong(index), one, origin)).toBeNull();
        }
        const { user_code: code } = await begun();
        await expect(look(code, person, origin)).rejects.toMatchObject(throttled);
        expect(await look(code, person, { ...origin, address: '192.0.2.201' })).not.toBeNull();
      });

      test('right ones don’t count', async () => {
        const origin = { address: '192.0.2.210', requestId: 'a-test' };
        for (let index = 0; index < 12; index++) {
          const { user_code: code } = await begun();
          expect(await look(code, person, origin)).not.toBeNull();
          await decide(code, true, person, origin);
        }
      });
    });

    test('a code is worthless to who has the database: neither code is there', async () => {
      const device = await begun();
      const [row] = await gateway.sql<{ row: string }>(`select d::text as row from device_codes d where ${of(device)}`);
      for (const secret of [device.device_code, device.user_code, device.user_code.replace('-', '')]) {
        expect(row!.row).not.toContain(secret);
        // A user code is short: its plain digest could be guessed.
        expect(row!.row).not.toContain(digestOf(device.user_code).toString('hex'));
        expect(row!.row).not.toContain(digestOf(device.user_code.replace('-', '')).toString('hex'));
      }
      // What is there wants the instance key, and the one for this purpose.
      const [key] = gateway.gateway.application.keys.derive('device user code');
      expect(row!.row).toContain(keyedDigest(key!, device.user_code.replace('-', '')).toString('hex'));
    });

    test('what has expired is removed after a day, what was redeemed with its family', async () => {
      const { sweep } = await import('../../../src/jobs/sweep.ts');
      const [unused, used] = [await begun(), await begun()];
      await decide(used.user_code);
      const tokens = tokensOf(await poll(confidential, used));
      await age(gateway, 'device_codes', ['expires_at'], 90_000, `${of(unused)} or ${of(used)}`);
      await sweep({ database: gateway.gateway.application.database, auditDays: 365 });
      const answers: RestAnswer[] = [await poll(confidential, unused), await poll(confidential, used)];
      expect(answers.map(refusalOf)).toEqual([
        [400, 'invalid_grant'],
        [400, 'invalid_grant'],
      ]);
      const rows = await gateway.sql(`select id from device_codes where ${of(unused)} or ${of(used)}`);
      expect(rows).toHaveLength(1);
      expect(await statusOf(gateway, tokens.access_token)).toBe(200);
    });
  },
);
