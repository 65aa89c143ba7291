import { beforeAll, describe, expect, inject, test } from 'vitest';
import { newToken, type TokenKind } from '../../src/auth/tokens.ts';
import { scopes } from '../../src/policy/index.ts';
import { routes } from '../../src/rest/routes.ts';
import { publicSchema } from '../../src/schema/public.ts';
import { endJob, runningJob } from '../pipelines/support/jobs.ts';
import { everything } from '../support/everything.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { anyVariables, rootFields } from '../support/operations.ts';
import { rawClient, type RawAnswer } from '../support/raw-client.ts';
import { runs } from '../support/runs.ts';

/**
 * Every kind of credential that must not write, in every place where a request can carry one,
 * before every REST write and every mutation (row 17). Made from the routes and the schema: what
 * is added to them is tried too.
 *
 * Each write is tried with each kind, carried in one of its places, which take turns: over all kinds, each write is
 * reached from each place. The long run tries all.
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
  ...within(
    { Bearer: places.Bearer!, 'PRIVATE-TOKEN': places['PRIVATE-TOKEN']! },
    Object.fromEntries(
      (['refresh', 'code', 'client', 'runner', 'registration'] satisfies TokenKind[]).map((kind) => [
        `something that looks like a ${kind} secret`,
        async () => newToken(kind).secret,
      ]),
    ),
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

describe.each(Object.entries(kinds).map(([kind, { carriers }], turn) => ({ kind, carriers, turn })))(
  '$kind',
  ({ kind, carriers, turn }) => {
    /** Those of all that a carrier has its turn with. */
    const inTurn = <One>(all: readonly One[], carrier: number): readonly One[] =>
      runs > 1 ? all : all.filter((_one, place) => (place + turn) % Object.keys(carriers).length === carrier);

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
  },
);

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
