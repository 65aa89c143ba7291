import { beforeAll, describe, expect, inject, test } from 'vitest';
import { newToken, type TokenKind } from '../../src/auth/credentials/tokens.ts';
import { scopes } from '../../src/policy/index.ts';
import { routes } from '../../src/rest/routes.ts';
import { publicSchema } from '../../src/schema/public.ts';
import { endJob, runningJob } from '../pipelines/support/jobs.ts';
import { newCode } from '../repository/support/code.ts';
import { everything } from '../support/databases/everything.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { registerApplication, signIn as signInAs, tokensFor } from '../support/oauth/oauth.ts';
import { anyVariables, rootFields } from '../support/requests/operations.ts';
import { rawClient, type RawAnswer, type RawRequest } from '../support/requests/raw-client.ts';
import { runs } from '../support/run/runs.ts';

/**
 * Every kind of credential that must not write, in every place where a request can carry one,
 * before every REST write and every mutation (row 17). Made from the routes and the schema: what
 * is added to them is tried too.
 *
 * Each write is tried with each kind, carried in one of its places, which take turns: over all kinds, each write is
 * reached from each place. What only looks like a credential shares them: each write is tried with one kind of it. The
 * long run tries all.
 */

/** Where a request carries a credential: its headers, and its query. */
type Carrier = (token: string) => { readonly headers?: Record<string, string>; readonly query?: string };
const header =
  (name: string, before = ''): Carrier =>
  (token) => ({ headers: { [name]: before + token } });
const parameter =
  (name: string): Carrier =>
  (token) => ({ query: `${name}=${encodeURIComponent(token)}` });
const basic =
  (pair: (token: string) => string): Carrier =>
  (token) => ({ headers: { authorization: `Basic ${Buffer.from(pair(token)).toString('base64')}` } });
/** Where tokens are taken. */
const places: Record<string, Carrier> = {
  Bearer: header('authorization', 'Bearer '),
  'PRIVATE-TOKEN': header('private-token'),
  access_token: parameter('access_token'),
  bearer_token: parameter('bearer_token'),
  private_token: parameter('private_token'),
};
/** Where tokens of jobs are taken, for what names them. */
const ofJobs: Record<string, Carrier> = {
  ...places,
  'JOB-TOKEN': header('job-token'),
  job_token: parameter('job_token'),
};
/** Where they aren't, whatever they may do elsewhere. */
const elsewhere: Record<string, Carrier> = {
  'Basic, as password': basic((token) => `root:${token}`),
  'Basic, as name': basic((token) => `${token}:`),
  cookie: (token) => ({
    headers: { cookie: `causeway_session=${token}; session=${token}; private_token=${token}; access_token=${token}` },
  }),
};

let gateway: TestGateway;
let ask: ReturnType<typeof rawClient>;
const tokens: Record<string, string> = {};

const withoutApi = scopes.filter((scope) => scope !== 'api');
interface Kind {
  readonly make: () => Promise<string>;
  readonly carriers: Record<string, Carrier>;
  /** Which part of all writes it tries, of how many; all of them otherwise. */
  readonly part?: readonly [part: number, parts: number];
}
const within = (carriers: Record<string, Carrier>, made: Record<string, () => Promise<string>>) =>
  Object.fromEntries(Object.entries(made).map(([kind, make]): [string, Kind] => [kind, { make, carriers }]));
const session = async () => {
  const { signIn } = await gateway.operator<{ signIn: { session: string } }>(
    'mutation ($input: SignInInput!) { signIn(input: $input) { session } }',
    {
      input: { login: 'root', password: inject('passwords').root, userAgent: 'test' },
    },
  );
  return signIn.session;
};
/** A token as GraphiQL and the API reference have it. */
const pageToken = async () => {
  const someone = await signInAs(gateway, 'root', inject('passwords').root);
  const { explore } = await someone.run<{ explore: { token: string } }>('mutation { explore(input: {}) { token } }');
  return explore.token;
};
const job = async () => {
  const [project] = await gateway.sql<{ id: number }>(`select id from projects where full_path = 'demo/storefront'`);
  return await runningJob(gateway, { id: project!.id, sha: 'a'.repeat(40) }, { userId: 1 });
};
const startedByAdministrator = 'a token of a job that an administrator started';
/** What a job writes while it runs, in its own project: its own tests try that. */
const ofDeploying = /\/(?:environments|deployments)(?:\/|$)/;
const kinds: Record<string, Kind> = {
  ...within(ofJobs, {
    [startedByAdministrator]: async () => (await job()).token,
    'a token of a job that is over': async () => {
      const { id, token } = await job();
      await endJob(gateway, id);
      return token;
    },
  }),
  ...within(places, {
    'a personal token for reading': () => gateway.personalToken('root', ['read_api']),
    'a personal token with everything but api': () => gateway.personalToken('root', withoutApi),
    'a personal token that has expired': () => gateway.personalToken('root', ['api'], { expired: true }),
    'a personal token that was revoked': () => gateway.personalToken('root', ['api'], { revoked: true }),
    'the token of a page that reads': () => pageToken(),
    'an OAuth token for reading': () => gateway.accessToken('root', ['read_api']),
    'an OAuth token with everything but api': () => gateway.accessToken('root', withoutApi),
    'an OAuth token that has expired': () => gateway.accessToken('root', ['api'], { expiresIn: -1 }),
    'an OAuth token that was revoked': () => gateway.accessToken('root', ['api'], { revoked: true }),
    'a token of an application without a person': () => gateway.accessToken(null, ['api']),
    'a session instead of a token': session,
  }),
  ...within(elsewhere, {
    'a personal token that may everything, elsewhere': () => gateway.personalToken('root', [...scopes]),
    'an OAuth token that may everything, elsewhere': () => gateway.accessToken('root', [...scopes]),
    'a session': session,
    'a password': async () => inject('passwords').root,
  }),
  ...Object.fromEntries(
    (['refresh', 'code', 'client', 'runner', 'registration'] satisfies TokenKind[]).map((kind, part, { length }) => [
      `something that looks like a ${kind} secret`,
      {
        make: async () => newToken(kind).secret,
        carriers: { Bearer: places.Bearer!, 'PRIVATE-TOKEN': places['PRIVATE-TOKEN']! },
        part: [part, length],
      } satisfies Kind,
    ]),
  ),
};

beforeAll(async () => {
  // What ends by itself isn't to be taken for something that a request did.
  gateway = await testGateway({ CAUSEWAY_JOBS: '0' });
  ask = rawClient(gateway.url);
  for (const [kind, { make }] of Object.entries(kinds)) tokens[kind] = await make();
});

/** But for what any token may do: end itself. */
const writes = routes.filter(
  ({ method, path, auth }) =>
    method !== 'GET' &&
    // Those of runners read no credential but their own parameter.
    auth === undefined &&
    path.startsWith('/api/v4/') &&
    !(method === 'DELETE' && path.endsWith('/self')) &&
    // It only reads.
    path !== '/api/v4/markdown',
);
const filled = (path: string) =>
  path
    .replace(':id', path.includes('/projects/') ? 'demo%2Fstorefront' : path.includes('/groups/') ? 'demo' : '2')
    .replace(/:\w+/g, '2');
const mutations = rootFields(publicSchema)
  .filter(({ kind }) => kind === 'mutation')
  .map(({ field }) => ({
    name: field.name,
    query: `mutation ($input: ${String(field.args[0]!.type)}) { ${field.name}(input: $input) { errors } }`,
    variables: anyVariables(field),
  }));
/** As many in a request as it may hold. */
const batches = Array.from({ length: Math.ceil(mutations.length / 10) }, (_, index) =>
  mutations.slice(index * 10, index * 10 + 10),
);

const overRest = ({ method, path }: (typeof writes)[number], { headers = {}, query }: ReturnType<Carrier>) =>
  ask({
    method,
    path: filled(path) + (query === undefined ? '' : `?${query}`),
    headers: { 'content-type': 'application/json', ...headers },
    body: '{}',
  });
const overGraphQL = (batch: typeof mutations, { headers = {}, query }: ReturnType<Carrier>) =>
  ask({
    method: 'POST',
    path: `/graphql${query === undefined ? '' : `?${query}`}`,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(batch.map(({ query: source, variables }) => ({ query: source, variables }))),
  });

/** Whether anything of a request was let in. */
const refused = ({ status }: RawAnswer) => status === 401 || status === 403;

interface Result {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly extensions?: { readonly code?: string } }[];
}
const codes = new Set(['UNAUTHENTICATED', 'INVALID_TOKEN', 'INSUFFICIENT_SCOPE', 'FORBIDDEN']);
/** Names of the mutations of a batch that were let in. */
function letIn(batch: typeof mutations, answer: RawAnswer): string[] {
  if (refused(answer)) return [];
  const results = [JSON.parse(answer.text)].flat() as Result[];
  return batch
    .map(({ name }) => name)
    .filter((name, index) => {
      const { data, errors = [] } = results[index]!;
      return data?.[name] != null || !errors.every(({ extensions }) => codes.has(extensions?.code ?? ''));
    });
}

describe.each(
  Object.entries(kinds).map(([kind, { carriers, part = [0, 1] }], turn) => ({ kind, carriers, part, turn })),
)('$kind', ({ kind, carriers, part: [part, parts], turn }) => {
  /** Those of all that a carrier has its turn with. */
  const inTurn = <One>(all: readonly One[], carrier: number): readonly One[] =>
    runs > 1
      ? all
      : all.filter(
          (_one, place) => place % parts === part && (place + turn) % Object.keys(carriers).length === carrier,
        );

  test('writes nothing over REST or GraphQL, wherever it is carried', async () => {
    const before = await everything(gateway);
    const passed: string[] = [];
    for (const [index, [carrier, carry]] of Object.entries(carriers).entries()) {
      const carried = carry(tokens[kind]!);
      for (const write of inTurn(writes, index))
        if (
          !(kind === startedByAdministrator && ofDeploying.test(write.path)) &&
          !refused(await overRest(write, carried))
        )
          passed.push(`${carrier}: ${write.method} ${write.path}`);
      for (const batch of inTurn(batches, index))
        passed.push(...letIn(batch, await overGraphQL(batch, carried)).map((name) => `${carrier}: ${name}`));
    }
    expect(passed).toEqual([]);
    expect(await everything(gateway)).toBe(before);
  });
});

describe('a secret opens its own door alone', () => {
  const json = (path: string, method: string, body: object = {}, headers: Record<string, string> = {}) => ({
    method,
    path,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const git = (name: string, project: string, secret: string) => ({
    path: `/${project}.git/info/refs?service=git-upload-pack`,
    headers: { authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}` },
  });
  interface Where {
    readonly id: number;
    readonly fullPath: string;
    readonly jobId: number;
  }
  /** What a request with the secret is, for each door, and what it answers once it is open. */
  const doors: Record<string, readonly [request: (secret: string, at: Where) => RawRequest, open: number]> = {
    'the API': [(secret) => ({ path: '/api/v4/user', headers: { authorization: `Bearer ${secret}` } }), 200],
    'the API, PRIVATE-TOKEN': [(secret) => ({ path: '/api/v4/user', headers: { 'private-token': secret } }), 200],
    GraphQL: [
      (secret) => json('/graphql', 'POST', { query: '{ __typename }' }, { authorization: `Bearer ${secret}` }),
      200,
    ],
    'git by any name': [(secret, { fullPath }) => git('x', fullPath, secret), 200],
    'git as oauth2': [(secret, { fullPath }) => git('oauth2', fullPath, secret), 200],
    'git of a job': [(secret, { fullPath }) => git('gitlab-ci-token', fullPath, secret), 200],
    'the job itself': [(secret) => ({ path: '/api/v4/job', headers: { 'job-token': secret } }), 200],
    'its log': [
      (secret, { jobId }) => ({
        method: 'PATCH',
        path: `/api/v4/jobs/${jobId}/trace`,
        headers: { 'job-token': secret, 'content-range': '0-0', 'content-type': 'text/plain' },
        body: '',
      }),
      202,
    ],
    'its artifacts': [
      (secret, { jobId }) => ({ path: `/api/v4/jobs/${jobId}/artifacts`, headers: { 'job-token': secret } }),
      404,
    ],
    'its state': [
      (secret, { jobId }) => json(`/api/v4/jobs/${jobId}`, 'PUT', { token: secret, state: 'running' }),
      200,
    ],
    'a runner': [(secret) => json('/api/v4/runners/verify', 'POST', { token: secret }), 200],
    registering: [(secret) => json('/api/v4/runners', 'POST', { token: secret, tag_list: 'x' }), 201],
    'a trigger': [
      (secret, { id }) => json(`/api/v4/projects/${id}/trigger/pipeline`, 'POST', { token: secret, ref: 'gone' }),
      400,
    ],
    'a page': [(secret) => ({ path: '/profile/sessions', headers: { cookie: `causeway_session=${secret}` } }), 200],
    unsubscribing: [(secret) => ({ path: `/-/sent_notifications/${secret}/unsubscribe` }), 200],
  };
  const person = ['the API', 'the API, PRIVATE-TOKEN', 'GraphQL', 'git by any name', 'git as oauth2'];
  const expected: Record<string, readonly string[]> = {
    'a personal token': person,
    'the token of a page': person,
    'an OAuth token': ['the API', 'GraphQL', 'git as oauth2'],
    'a refresh token': [],
    'a client secret': [],
    'a session': ['a page'],
    'the token of a job': ['git of a job', 'the job itself', 'its log', 'its artifacts', 'its state', 'a trigger'],
    'the token of a runner': ['a runner'],
    'a registration token': ['registering'],
    'the token of a trigger': ['a trigger'],
    'an unknown one': [],
  };

  test('whatever the secret, and whatever the door', async () => {
    const { rest } = gateway;
    const project = await newCode(gateway);
    const sha = await project.commit({ 'a.txt': 'a' });
    const running = await runningJob(gateway, { id: project.id, sha });
    const maintainer = gateway.tokens.maintainer;
    const made = async (path: string, body: object = {}) =>
      ((await rest('POST', path, { token: maintainer, json: body })).body as { token: string }).token;
    const someone = await signInAs(gateway, 'root', inject('passwords').root);
    const application = await registerApplication(someone);
    const tokens = await tokensFor(someone, application, 'api');
    const { explore } = await someone.run<{ explore: { token: string } }>(
      'mutation { explore(input: { writes: true }) { token } }',
    );
    const secrets: Record<string, string> = {
      'a personal token': maintainer,
      'the token of a page': explore.token,
      'an OAuth token': tokens.access_token,
      'a refresh token': tokens.refresh_token,
      'a client secret': application.secret,
      'a session': someone.secret,
      'the token of a job': running.token,
      'the token of a runner': await made('/api/v4/user/runners', {
        runner_type: 'project_type',
        project_id: project.id,
      }),
      'a registration token': await made(`${project.path}/runners/reset_registration_token`),
      'the token of a trigger': await made(`${project.path}/triggers`, { description: 'x' }),
      'an unknown one': newToken('personal').secret,
    };
    const at = { id: project.id, fullPath: project.fullPath, jobId: running.id };
    const opened: Record<string, string[]> = {};
    for (const [kind, secret] of Object.entries(secrets)) {
      opened[kind] = [];
      for (const [door, [request, open]] of Object.entries(doors)) {
        const { status } = await ask(request(secret, at));
        expect([kind, door, status >= 500]).toEqual([kind, door, false]);
        if (status === open) opened[kind].push(door);
      }
    }
    expect(opened).toEqual(expected);
  });
});

test('all of these are let in with the right one: the requests themselves are none to refuse', async () => {
  const own = await testGateway({ CAUSEWAY_JOBS: '0' });
  const carried = places.Bearer!(own.tokens.root);
  const askOwn = rawClient(own.url);
  const notReached: string[] = [];
  for (const { method, path } of writes) {
    const { status, text } = await askOwn({
      method,
      path: filled(path),
      headers: { 'content-type': 'application/json', ...carried.headers },
      body: '{}',
    });
    if (status === 401 || text.includes('insufficient_scope')) notReached.push(`${method} ${path}`);
    // What ends the token that asks.
    await own.sql('update personal_access_tokens set revoked_at = null, rotated_at = null');
  }
  expect(notReached).toEqual([]);
});
