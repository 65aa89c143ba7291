import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { secretKey } from '../support/run/global-setup.ts';
import {
  account,
  age,
  codeFor,
  codeForm,
  codeRequest,
  deviceGrant,
  digestOf,
  inBody,
  pkce,
  post,
  refresh,
  refreshForm,
  refusalOf,
  registerApplication,
  session,
  statusOf,
  token,
  tokensFor,
  tokensOf,
  withChallenge,
  type Form,
  type RegisteredApplication,
  type Session,
  type Tokens,
} from '../support/oauth/oauth.ts';
import { killProcesses, startProcess, type GatewayProcess } from '../support/run/process.ts';
import { runs } from '../support/run/runs.ts';

/** How many requests race at once, and how often. */
const crowd = runs > 1 ? 1_000 : 150;
const rounds = Math.min(200, 2 * runs);
const timeout = 60_000 + runs * 30_000;

let gateways: TestGateway[];
let person: Session;
let application: RegisteredApplication;
let open: RegisteredApplication;
beforeAll(async () => {
  // The crowd, both gateways and whatever else this machine does share its processors: here no request times out.
  const patient = {
    CAUSEWAY_DATABASE_CONNECTIONS: '20',
    CAUSEWAY_CONNECTION_TIMEOUT: '600000',
    CAUSEWAY_STATEMENT_TIMEOUT: '600000',
    CAUSEWAY_REQUEST_TIMEOUT: '600000',
    CAUSEWAY_MAX_EVENT_LOOP_DELAY: '0',
  };
  const first = await testGateway(patient);
  gateways = [first, await testGateway(patient, first)];
  person = await session(first, 'person');
  application = await registerApplication(person);
  open = await registerApplication(person, { confidential: false });
});

interface Raw {
  readonly status: number;
  readonly text: string;
}

/** A token request as bare as it can be: hundreds of them are to arrive together. */
async function send(url: string, form: Form, path = '/oauth/token'): Promise<Raw> {
  const response = await fetch(`${url}${path}`, { method: 'POST', body: new URLSearchParams(form) });
  return { status: response.status, text: await response.text() };
}

/** How many requests of a crowd were refused since the test began. */
let refused = 0;
/** How many the gateways say that they refused unseen, for there was more to do than they can. */
async function shed(): Promise<number> {
  const texts = await Promise.all(gateways.map(async ({ url }) => await (await fetch(`${url}/-/metrics`)).text()));
  return texts.reduce((sum, text) => sum + Number(/^causeway_requests_shed_total (\d+)$/m.exec(text)![1]), 0);
}
let before = 0;
beforeEach(async () => {
  [refused, before] = [0, await shed()];
});
// Whatever else is answered 503 is a defect.
afterEach(async () => {
  expect(refused).toBeLessThanOrEqual((await shed()) - before);
});

/** Asks as clients do: what is refused because there is too much to do is asked again in a second (`Retry-After`). */
async function patiently<Answer extends { readonly status: number }>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 503) return answer;
    refused++;
    await pause(1_000);
  }
}

/** All of it at once, half at each gateway. @returns the answers, once neither gateway has too much to do any more */
async function askAtOnce(forms: readonly Form[]): Promise<Raw[]> {
  const answers = await Promise.all(forms.map((form, index) => patiently(() => send(gateways[index % 2]!.url, form))));
  for (const { url } of gateways) await patiently(() => fetch(`${url}/api/v4/version`));
  return answers;
}

/** So many of the same request. */
const race = (form: Form, times = crowd) => askAtOnce(Array.from({ length: times }, () => form));

function successes(answers: readonly Raw[]): string[] {
  expect(
    [...new Set(answers.map(({ status }) => status))].filter((status) => status !== 200 && status !== 400),
  ).toEqual([]);
  const refusals = new Set(
    answers.filter(({ status }) => status === 400).map(({ text }) => (JSON.parse(text) as { error: string }).error),
  );
  expect([...refusals].filter((error) => error !== 'invalid_grant')).toEqual([]);
  return answers.filter(({ status }) => status === 200).map(({ text }) => text);
}

const everyRound = Array.from({ length: rounds }, (_one, index) => index + 1);
const tokensIn = (text: string) => JSON.parse(text) as Tokens;

describe(`${crowd} requests at once, over two gateways (row 8), ${rounds} times`, { timeout }, () => {
  test('one redeems a code, and its tokens live: a doubled request of a client with PKCE kills nothing', async () => {
    for (const round of everyRound) {
      const client = round % 2 ? application : open;
      const proof = pkce();
      const code = await codeFor(person, client, withChallenge(proof));
      const began = Date.now();
      const won = successes(await race(codeForm(client, code, { code_verifier: proof.verifier })));
      expect(won).toHaveLength(1);
      // Where a crowd takes so long, the last of it are no twins any more.
      if (Date.now() - began > 9_000) continue;
      expect(await statusOf(gateways[round % 2]!, tokensIn(won[0]!).access_token)).toBe(200);
      expect((await refresh(gateways[0]!, client, tokensIn(won[0]!).refresh_token)).status).toBe(200);
    }
  });

  test('one redeems a code without PKCE, and the others kill what it brought', async () => {
    for (const round of everyRound) {
      const code = await codeFor(person, application);
      const won = successes(await race(codeForm(application, code)));
      expect(won).toHaveLength(1);
      expect(await statusOf(gateways[round % 2]!, tokensIn(won[0]!).access_token)).toBe(401);
    }
  });

  test('a refresh token brings one and the same successor in every answer', async () => {
    for (const round of everyRound) {
      const client = round % 2 ? application : open;
      const first = await tokensFor(person, client);
      const answers = successes(await race(refreshForm(client, first.refresh_token)));
      expect([answers.length, new Set(answers).size]).toEqual([crowd, 1]);
      const next = tokensIn(answers[0]!);
      expect(await statusOf(gateways[round % 2]!, next.access_token)).toBe(200);
      const [family] = await gateways[0]!.sql(
        `select (select count(*)::int from refresh_tokens t where t.grant_id = r.grant_id) as "refreshTokens",
                (select count(*)::int from access_tokens t where t.grant_id = r.grant_id) as "accessTokens"
           from refresh_tokens r where digest = $1`,
        [digestOf(first.refresh_token)],
      );
      expect(family).toEqual({ refreshTokens: 2, accessTokens: 2 });
    }
  });

  test('a refresh token brings one successor also when each asks for another scope', async () => {
    for (const round of everyRound) {
      const first = await tokensFor(person, application, 'api read_user profile');
      const scopes = ['api', 'read_user', 'profile', 'api read_user', ''];
      const answers = await askAtOnce(
        Array.from({ length: crowd }, (_one, index) =>
          refreshForm(application, first.refresh_token, { scope: scopes[index % scopes.length]! }),
        ),
      );
      const won = new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text));
      expect([round, won.size]).toEqual([round, 1]);
      // A request for scopes that the winner gave up gets invalid_scope, and no more.
      const others = answers
        .filter(({ status }) => status !== 200)
        .map(({ status, text }) => [status, (JSON.parse(text) as { error: string }).error].join(' '));
      expect([...new Set(others)].filter((other) => other !== '400 invalid_scope')).toEqual([]);
      expect(await statusOf(gateways[0]!, tokensIn([...won][0]!).access_token)).toBe(200);
    }
  });

  test('one completes a device code', async () => {
    for (const round of everyRound) {
      const client = round % 2 ? application : open;
      const { body } = await post(gateways[0]!, '/oauth/authorize_device', { scope: 'api', ...inBody(client) });
      await person.run('mutation ($input: DecideDeviceInput!) { decideDevice(input: $input) }', {
        input: { userCode: body.user_code, approved: true },
      });
      const won = successes(await race({ grant_type: deviceGrant, device_code: body.device_code, ...inBody(client) }));
      expect(won).toHaveLength(1);
      expect(await statusOf(gateways[round % 2]!, tokensIn(won[0]!).access_token)).toBe(200);
    }
  });
});

test('50 clients that each refresh 20 times at once, again and again, are never logged out', { timeout }, async () => {
  const generations = Math.min(20, 1 + runs);
  await Promise.all(
    Array.from({ length: 50 }, async (_one, client) => {
      let tokens = await tokensFor(person, client % 2 ? application : open);
      for (let generation = 0; generation < generations; generation++) {
        const form = refreshForm(client % 2 ? application : open, tokens.refresh_token);
        const answers = await race(form, 20);
        expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
        expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
        const next = tokensIn(answers[0]!.text);
        for (const [index, { access_token: accessToken }] of [tokens, next].entries()) {
          const { status } = await patiently(async () => ({ status: await statusOf(gateways[index]!, accessToken) }));
          expect(status).toBe(200);
        }
        tokens = next;
      }
    }),
  );
  const [ended] = await gateways[0]!.sql(
    `select count(*)::int as count from audit_events where kind = 'refresh_token_reused'`,
  );
  expect(ended).toEqual({ count: 0 });
});

test(
  'tokens that end during concurrent refreshes are dead afterwards, and every refresh gets a proper answer',
  { timeout },
  async () => {
    for (const round of everyRound) {
      const client = await registerApplication(person);
      const first = await tokensFor(person, client);
      const ends: (() => Promise<unknown>)[] = [
        () => post(gateways[1]!, '/oauth/revoke', { token: first.access_token, ...inBody(client) }),
        () => person.run('mutation ($id: ID!) { revokeAuthorization(applicationId: $id) }', { id: client.id }),
        () => person.run('mutation ($id: ID!) { renewApplicationSecret(id: $id) { secret } }', { id: client.id }),
        () => person.run('mutation ($id: ID!) { deleteApplication(id: $id) }', { id: client.id }),
      ];
      const end = ends[round % ends.length]!;
      const crowding = race(refreshForm(client, first.refresh_token), 60);
      const [answers] = await Promise.all([crowding, end()]);
      expect(answers.filter(({ status }) => ![200, 400, 401].includes(status))).toEqual([]);
      for (const { text, status } of answers)
        if (status === 200) expect(await statusOf(gateways[0]!, tokensIn(text).access_token)).toBe(401);
      expect([400, 401]).toContain((await refresh(gateways[0]!, client, first.refresh_token)).status);
    }
  },
);

test('an application that is deleted while it works brings no defect', { timeout }, async () => {
  for (const _round of everyRound) {
    const client = await registerApplication(person);
    const user = await account(
      gateways[0]!,
      `user-${client.clientId.slice(0, 12).replaceAll(/[-_]/g, 'x').toLowerCase()}`,
    );
    const first = await tokensFor(person, client);
    const codes = await Promise.all(Array.from({ length: 10 }, () => codeFor(person, client)));
    const forms: [path: string, form: Form][] = [
      ...codes.map((code): [string, Form] => ['/oauth/token', codeForm(client, code)]),
      ...Array.from({ length: 20 }, (): [string, Form] => [
        '/oauth/token',
        { grant_type: 'client_credentials', ...inBody(client) },
      ]),
      ...Array.from({ length: 5 }, (): [string, Form] => [
        '/oauth/token',
        { grant_type: 'password', username: user.username, password: user.password, ...inBody(client) },
      ]),
      ...Array.from({ length: 10 }, (): [string, Form] => ['/oauth/token', refreshForm(client, first.refresh_token)]),
      ...Array.from({ length: 20 }, (): [string, Form] => [
        '/oauth/authorize_device',
        { scope: 'api', ...inBody(client) },
      ]),
      ...Array.from({ length: 10 }, (): [string, Form] => ['/oauth/revoke', { token: 'unknown', ...inBody(client) }]),
    ];
    const parameters = codeRequest(client);
    const approvals = Array.from({ length: 10 }, () =>
      person
        .run('mutation ($p: AuthorizationParameters!) { authorize(parameters: $p, approved: true) { location } }', {
          p: parameters,
        })
        .then(
          () => 'approved',
          (error: { code?: string; message: string }) => error.code ?? error.message,
        ),
    );
    const requests = forms.map(([path, form], index) => send(gateways[index % 2]!.url, form, path));
    await person.run('mutation ($id: ID!) { deleteApplication(id: $id) }', { id: client.id });
    const statuses = new Set((await Promise.all(requests)).map(({ status }) => status));
    // 503: the deletion and the request were in each other’s way; the same request again finds out.
    expect([...statuses].filter((status) => ![200, 400, 401, 503].includes(status))).toEqual([]);
    expect(
      [...new Set(await Promise.all(approvals))].filter(
        (said) => !['approved', 'OAUTH_ERROR', 'UNAUTHENTICATED', 'UNAVAILABLE'].includes(said),
      ),
    ).toEqual([]);
  }
});

test(
  'an approval that waits for an application to be deleted holds nothing that the deletion wants',
  { timeout },
  async () => {
    const client = await registerApplication(person);
    const approve = () =>
      person.run('mutation ($p: AuthorizationParameters!) { authorize(parameters: $p, approved: true) { location } }', {
        p: codeRequest(client),
      });
    await approve();
    const deleting = new pg.Client({ connectionString: gateways[0]!.databaseUrl });
    await deleting.connect();
    try {
      await deleting.query('begin');
      // As a deletion begins, before it goes on to what belongs to the application.
      await deleting.query('select from applications where uid = $1 for update', [client.clientId]);
      const approval = approve();
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      // On another connection: a transaction sees the activity of its first look at it ever after.
      await vi.waitFor(async () => expect(await gateways[0]!.sql(waiting)).toHaveLength(1), { timeout: 20_000 });
      const { rowCount } = await deleting.query(
        'select from consents where application_id = (select id from applications where uid = $1) for update nowait',
        [client.clientId],
      );
      expect(rowCount).toBe(1);
      await deleting.query('commit');
      await approval;
    } finally {
      await deleting.end();
    }
  },
);

describe('a gateway process that is killed in the middle (row 9)', { timeout }, () => {
  afterAll(killProcesses);

  const start = (): GatewayProcess =>
    startProcess({
      DATABASE_URL: gateways[0]!.databaseUrl,
      CAUSEWAY_SECRET_KEY: secretKey,
      CAUSEWAY_DEMO: 'on',
      CAUSEWAY_LOG_LEVEL: 'error',
      CAUSEWAY_ACCESS_LOG: 'off',
      CAUSEWAY_CONNECTION_TIMEOUT: '600000',
    });

  /** Sends until the gateway is gone. @returns the last answer, or undefined where the request was lost */
  const attempt = (url: string, form: Form, path?: string) => send(url, form, path).catch(() => undefined);

  test('loses nothing, doubles nothing and revives nothing', async () => {
    const survivor = gateways[0]!;
    const refused = await tokensFor(person, application);
    await post(survivor, '/oauth/revoke', { token: refused.access_token, ...inBody(application) });

    for (let round = 0; round < Math.min(50, runs); round++) {
      const process = start();
      const url = await process.ready();
      const proofs = await Promise.all(
        Array.from({ length: 40 }, async () => {
          const proof = pkce();
          return { proof, code: await codeFor(person, application, withChallenge(proof)) };
        }),
      );
      const forms = proofs.map(({ proof, code }) => codeForm(application, code, { code_verifier: proof.verifier }));
      const devices = await Promise.all(
        Array.from({ length: 10 }, async (): Promise<Form> => {
          const { body } = await post(survivor, '/oauth/authorize_device', { scope: 'api', ...inBody(application) });
          await person.run('mutation ($input: DecideDeviceInput!) { decideDevice(input: $input) }', {
            input: { userCode: body.user_code, approved: true },
          });
          return { grant_type: deviceGrant, device_code: body.device_code, ...inBody(application) };
        }),
      );
      const chains = await Promise.all(Array.from({ length: 20 }, () => tokensFor(person, application)));
      const revoked = await Promise.all(Array.from({ length: 10 }, () => tokensFor(person, application)));
      const [before] = await survivor.sql<{ grants: number }>('select count(*)::int as grants from grants');

      // Chains refresh without an end, the rest is asked for once, one after the other on a few lanes; in the middle
      // of it the process is gone.
      const chaining = chains.map(async (tokens) => {
        let [last, known] = [tokens, tokens];
        for (;;) {
          const answer = await attempt(url, refreshForm(application, last.refresh_token));
          if (!answer) return { last, known };
          expect(answer.status).toBe(200);
          [known, last] = [last, tokensIn(answer.text)];
        }
      });
      let answered = 0;
      let halfway: () => void;
      const middle = new Promise<void>((resolve) => (halfway = resolve));
      const lanes = async <T>(tasks: T[], ask: (task: T) => Promise<Raw | undefined>) => {
        const answers = new Map<T, Raw | undefined>();
        const left = [...tasks];
        const lane = async () => {
          for (let task = left.shift(); task !== undefined; task = left.shift()) {
            answers.set(task, await ask(task));
            if (++answered === 20) halfway();
          }
        };
        await Promise.all([lane(), lane(), lane(), lane()]);
        return [...answers].map(([task, answer]) => ({ task, answer }));
      };
      const redeeming = lanes([...forms, ...devices], (form) => attempt(url, form));
      const revoking = lanes(revoked, (tokens) =>
        attempt(url, { token: tokens.access_token, ...inBody(application) }, '/oauth/revoke'),
      );
      await middle;
      await process.stop('SIGKILL');
      const [lasting, redeemed, ended] = [await Promise.all(chaining), await redeeming, await revoking];
      expect([redeemed.some(({ answer }) => answer), redeemed.some(({ answer }) => !answer)]).toEqual([true, true]);

      const next = start();
      const nextUrl = await next.ready();
      // Nothing lost: what was answered works, and a client without an answer asks again and gets one.
      for (const { last, known } of lasting) {
        expect(await statusOf(survivor, last.access_token)).toBe(200);
        const [again, same] = [
          await send(nextUrl, refreshForm(application, last.refresh_token)),
          await refresh(survivor, application, last.refresh_token),
        ];
        expect([again.status, again.text]).toEqual([200, same.text]);
        // After its window the one before it is refused, as ever.
        if (known === last) continue;
        await age(
          survivor,
          'refresh_tokens',
          ['rotated_at'],
          31,
          `digest = '\\x${digestOf(known.refresh_token).toString('hex')}'`,
        );
        expect((await send(nextUrl, refreshForm(application, known.refresh_token))).status).toBe(400);
        expect(await statusOf(survivor, tokensIn(again.text).access_token)).toBe(401);
      }
      let successful = 0;
      for (const { task: form, answer } of redeemed) {
        if (answer) expect(answer.status).toBe(200);
        if (answer) expect(await statusOf(survivor, tokensIn(answer.text).access_token)).toBe(200);
        const again = await send(nextUrl, form);
        if (answer) expect(again.status).toBe(400);
        successful += Number(answer !== undefined) + Number(again.status === 200);
      }
      for (const { task: tokens, answer } of ended) {
        if (answer) expect([answer.status, await statusOf(survivor, tokens.access_token)]).toEqual([200, 401]);
      }
      // Nothing doubled: each code and device code has at most one family, and no family came of nothing.
      const [after] = await survivor.sql<{ grants: number; branched: number; orphaned: number }>(
        `select count(*)::int as grants,
                (select count(*)::int from (select 1 from refresh_tokens where rotated_at is null group by grant_id having count(*) > 1) b) as branched,
                (select count(*)::int from refresh_tokens r where r.successor is not null
                   and not exists (select 1 from refresh_tokens s where s.digest = r.successor)) as orphaned
           from grants`,
      );
      expect([after!.branched, after!.orphaned]).toEqual([0, 0]);
      const made = after!.grants - before!.grants;
      expect(made).toBeGreaterThanOrEqual(successful);
      expect(made).toBeLessThanOrEqual(redeemed.length);
      // Nothing revived.
      expect(await statusOf(survivor, refused.access_token)).toBe(401);
      expect(refusalOf(await refresh(survivor, application, refused.refresh_token))).toEqual([400, 'invalid_grant']);
      expect(
        tokensOf(await token(survivor, { grant_type: 'client_credentials', ...inBody(application) })).access_token,
      ).toMatch(/^cwat_/);
      await next.stop();
    }
  });
});
