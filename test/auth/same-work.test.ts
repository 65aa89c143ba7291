import { beforeAll, expect, test } from 'vitest';
import { registerApplication, session, type RegisteredApplication } from '../support/oauth/oauth.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { newGroup, newProject } from '../support/places/places.ts';
import type { RestRequest } from '../support/requests/rest-client.ts';
import { statementsOf } from '../support/databases/statements.ts';

/** Equal answers take the same work, against timing attacks (row 37), and refusals take little (row 44). */

let gateway: TestGateway;
let client: RegisteredApplication;
beforeAll(async () => {
  // Its statements would count as those of a request.
  gateway = await testGateway({ CAUSEWAY_JOBS: '0' });
  client = await registerApplication(await session(gateway, 'person'));
  await newGroup(gateway, { path: 'hidden', visibility: 'PRIVATE' });
  await newProject(gateway, { group: 'hidden', path: 'project', visibility: 'PRIVATE' });
});

/** A secret with another character in one place, counted from its end where below zero. */
const altered = (secret: string, at: number) =>
  secret
    .split('')
    .with(at, secret.at(at) === 'A' ? 'B' : 'A')
    .join('');
const asClient = (id: string, secret: string): RestRequest => ({
  form: { grant_type: 'client_credentials', client_id: id, client_secret: secret },
});
const bearer = (token: string): RestRequest => ({ headers: { authorization: `Bearer ${token}` } });

interface Alike {
  readonly what: string;
  readonly method: string;
  readonly status: number;
  /** By path and request. */
  readonly requests: () => readonly (readonly [path: string, request: RestRequest])[];
}
const alike: readonly Alike[] = [
  {
    what: 'an unknown client, and one with a secret that is wrong at its beginning or its end',
    method: 'POST',
    status: 401,
    requests: () =>
      [
        ['nobody', client.secret],
        [client.clientId, altered(client.secret, 6)],
        [client.clientId, altered(client.secret, -1)],
      ].map(([id, secret]) => ['/oauth/token', asClient(id!, secret!)]),
  },
  {
    what: 'an unknown personal token, and one that is wrong in its last character',
    method: 'GET',
    status: 401,
    requests: () =>
      [`cwpat_${'x'.repeat(43)}`, altered(gateway.tokens.guest, -1)].map((token) => ['/api/v4/user', bearer(token)]),
  },
  {
    what: 'a project that is hidden, and one that isn’t there',
    method: 'GET',
    status: 404,
    requests: () =>
      ['hidden%2Fproject', 'hidden%2Fnothing', 'no%2Fwhere'].map((path) => [
        `/api/v4/projects/${path}`,
        bearer(gateway.tokens.guest),
      ]),
  },
  {
    what: 'a group that is hidden, and one that isn’t there',
    method: 'GET',
    status: 404,
    requests: () => ['hidden', 'nothing'].map((path) => [`/api/v4/groups/${path}`, bearer(gateway.tokens.guest)]),
  },
];

test.each(alike)('$what: one answer after the same statements', async ({ method, status, requests }) => {
  const seen: { status: number; text: string; statements: string[] }[] = [];
  for (const [path, request] of requests()) {
    let answer!: { status: number; text: string };
    const statements = await statementsOf(async () => (answer = await gateway.rest(method, path, request)));
    seen.push({ status: answer.status, text: answer.text, statements });
  }
  const [first] = seen;
  expect(first!.status).toBe(status);
  expect(first!.statements.length).toBeGreaterThan(0);
  for (const one of seen) expect(one).toEqual(first);
});

test('a flood of invalid tokens, beside many that have expired, doesn’t stop other requests', async () => {
  await gateway.accessToken('guest', ['api']);
  await gateway.sql(
    `insert into access_tokens (grant_id, digest, scopes, expires_at)
     select (select max(id) from grants), decode(md5('expired ' || i) || md5('more ' || i), 'hex'), '{api}', now() - interval '1 day' from generate_series(1, 20000) i`,
  );
  const expired = await gateway.accessToken('guest', ['api'], { expiresIn: -1 });
  const statusOf = async (token: string) => (await gateway.rest('GET', '/api/v4/user', bearer(token))).status;
  const flood = Array.from({ length: 300 }, (_, index) =>
    statusOf(index % 3 === 0 ? expired : `cwat_${String(index).padStart(43, 'x')}`),
  );
  const working = Array.from({ length: 30 }, () => statusOf(gateway.tokens.guest));
  expect(new Set(await Promise.all(working))).toEqual(new Set([200]));
  expect(new Set(await Promise.all(flood))).toEqual(new Set([401]));
  // By the key, however many there are.
  expect((await statementsOf(() => statusOf(expired))).length).toBe(1);
});
