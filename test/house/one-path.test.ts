import { FieldsOnCorrectTypeRule, KnownTypeNamesRule, parse, validate } from 'graphql';
import { beforeAll, describe, expect, onTestFailed, test } from 'vitest';
import { coerce, merge, type Values } from '../../src/rest/engine/parameters.ts';
import { SentFile } from '../../src/http/index.ts';
import type { AnyRoute } from '../../src/rest/engine/route.ts';
import { routes } from '../../src/rest/routes.ts';
import { publicSchema } from '../../src/schema/public.ts';
import type { RestRequest } from '../support/requests/rest-client.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { addMember, newUser } from '../support/places/people.ts';
import { picture } from '../support/places/pictures.ts';
import { newGroup, newProject } from '../support/places/places.ts';
import { runs } from '../support/run/runs.ts';
import { awardsToBegin } from './one-path/planning/awards.ts';
import { labelsToBegin } from './one-path/planning/labels.ts';
import { notesToBegin } from './one-path/planning/notes.ts';
import { reviewPartsToBegin } from './one-path/planning/review-parts.ts';
import { snippetsToBegin } from './one-path/planning/snippets.ts';
import { environmentsToBegin } from './one-path/code/environments.ts';
import { jobFilesToBegin } from './one-path/code/job-files.ts';
import { pipelinesToBegin } from './one-path/code/pipelines.ts';
import { filesOfRepositories, repositoriesToBegin } from './one-path/code/repositories.ts';
import { runnersToBegin } from './one-path/code/runners.ts';
import { variablesToBegin } from './one-path/code/variables.ts';
import { keysToBegin } from './one-path/keys.ts';
import { reviewsToBegin, versionsToBegin } from './one-path/planning/reviews.ts';
import { issuesToBegin } from './one-path/planning/issues.ts';
import { inputs } from './one-path/all-inputs.ts';
import { asProblems, asRestAnswer, inputProblems, timeless, withoutPerson, type Answer } from './one-path/as-rest.ts';
import type { Input } from './one-path/inputs.ts';
import { keepRows, type KeptRows } from './one-path/kept-rows.ts';

/**
 * REST and GraphQL answer alike: for each route, caller and input, REST answers what the route's operation answers over
 * GraphQL, translated into REST's dialect, and the database is the same afterwards.
 */

const callers = [
  'anonymous',
  'stranger',
  'guest',
  'developer',
  'maintainer',
  'administrator',
  'read_api token',
  'read_user token',
  'profile token',
  'OAuth token',
  'token of an application',
  'unknown token',
  'expired token',
  'revoked token',
  'token of a blocked user',
] as const;
type Caller = (typeof callers)[number];

/**
 * The callers of a route. Those from the seventh on differ in their credential alone: each route gets one of the nine, and
 * one of the three lower roles, in turn; and all of them in the long run.
 */
const callersOf = (turn: number) =>
  callers.filter((caller, place) => {
    if (runs > 1 || ['anonymous', 'maintainer', 'administrator'].includes(caller)) return true;
    return place < 6 ? (place + turn) % 3 === 0 : (place + turn) % 9 === 0;
  });

/**
 * The inputs that a caller sends: the administrator sends all changes and a third of the reads, the maintainer a sixth and
 * others a twelfth, but one at least, in turn; all of them in the long run.
 */
const inputsOf = (all: readonly Input[], caller: Caller, { method }: AnyRoute, turn: number) => {
  if (runs > 1 || (caller === 'administrator' && method !== 'GET')) return all;
  const share: Partial<Record<Caller, number>> = { administrator: 3, maintainer: 6 };
  const every = Math.min(share[caller] ?? 12, all.length);
  return all.filter((_input, place) => (place + turn + callers.indexOf(caller)) % every === 0);
};

let gateway: TestGateway;
let files: ReturnType<typeof filesOfRepositories>;
let rows: KeptRows;
const tokens: Partial<Record<Caller, string>> = {};
/** The ids of the people; those of the other tokens are the maintainer's. */
const people: Partial<Record<Caller, number>> = {};

beforeAll(async () => {
  // The sweep is off, so that removed rows can be restored.
  gateway = await testGateway({ CAUSEWAY_JOBS: '0' });
  await newUser(gateway, 'blocked');
  const { guest, developer, maintainer, root: administrator } = gateway.tokens;
  Object.assign(tokens, {
    stranger: (await newUser(gateway, 'stranger')).token,
    guest,
    developer,
    maintainer,
    administrator,
    'read_api token': await gateway.personalToken('maintainer', ['read_api']),
    'read_user token': await gateway.personalToken('maintainer', ['read_user']),
    'profile token': await gateway.accessToken('maintainer', ['profile'], { expiresIn: null }),
    'OAuth token': await gateway.accessToken('maintainer', ['api'], { expiresIn: null }),
    'token of an application': await gateway.accessToken(null, ['api'], { expiresIn: null }),
    'unknown token': 'cwat_unknown',
    'expired token': await gateway.personalToken('maintainer', ['api'], { expired: true }),
    'revoked token': await gateway.accessToken('maintainer', ['api'], { revoked: true }),
    'token of a blocked user': await gateway.personalToken('blocked', ['api']),
  } satisfies Record<Exclude<Caller, 'anonymous'>, string>);
  for (const caller of callers) {
    const { body } = await gateway.rest('GET', '/api/v4/user', { token: tokens[caller] });
    people[caller] = body?.id;
  }
  await gateway.sql(`update users set state = 'BLOCKED' where username = 'blocked'`);
  await newGroup(gateway, { path: 'hidden', visibility: 'PRIVATE' });
  await newProject(gateway, { group: 'hidden', path: 'project', visibility: 'PRIVATE' });
  // By themselves, and through the group.
  await addMember(gateway, { id: '3' }, 'DEVELOPER', { project: 'demo/storefront' });
  for (const path of ['groups/demo', 'projects/demo%2Fstorefront'])
    await gateway.rest('PUT', `/api/v4/${path}`, { token: gateway.tokens.root, multipart: { avatar: picture() } });
  files = filesOfRepositories(gateway);
  await begin();
  rows = await keepRows(gateway);
});

const inPath = ({ path: address }: AnyRoute, { id = '', path }: Input): Record<string, string> =>
  Object.fromEntries([...address.matchAll(/:(\w+)/g)].map(([, name]) => [name!, path?.[name!] ?? id]));

/** The parameters, as a query string, in JSON, or with files as a multipart form. */
function bodyOf({ method }: AnyRoute, values: Input['values']): Pick<RestRequest, 'query' | 'json' | 'multipart'> {
  if (method === 'GET') return { query: values as Record<string, string> };
  if (!Object.values(values).some((value) => value instanceof SentFile)) return { json: values };
  const parts = Object.entries(values).map(([name, value]) => [
    name,
    value instanceof SentFile ? picture(value.content, value.filename) : String(value),
  ]);
  return { multipart: Object.fromEntries(parts) as Record<string, string | File> };
}

async function overRest(route: AnyRoute, input: Input, caller: Caller): Promise<Answer> {
  const { values } = input;
  const given = inPath(route, input);
  const { status, text } = await gateway.rest(
    route.method,
    route.path.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(given[name]!)),
    {
      ...(tokens[caller] !== undefined && { headers: { authorization: `Bearer ${tokens[caller]}` } }),
      ...bodyOf(route, values),
    },
  );
  // A hint is for clients that make the call as in version 3.
  return [status, timeless(text, route).replace(/,"hint":"(?:[^"\\]|\\.)*"\}$/, '}')];
}

async function overGraphQL(route: AnyRoute, input: Input, caller: Caller): Promise<Answer> {
  const path = inPath(route, input);
  const { values, problems: unreadable } = coerce(route.parameters, merge({}, input.values, path));
  expect(unreadable).toEqual([]);
  const administrator = caller === 'administrator';
  const variables = {
    ...route.variables({ ...values, ...path }, { authorization: undefined }),
    ...route.ofViewer?.({ person: { id: people[caller], administrator } } as never, { ...values, ...path }),
  };
  // REST throws what is wrong with an input; the public door fills `errors`.
  const operation = route.operation.replace('(input: $input) {', '(input: $input) { errors');
  const answer = await gateway.graphql<Record<string, unknown>>(operation, { variables, token: tokens[caller] });
  const problems = inputProblems(answer);
  if (problems.length > 0) return [400, JSON.stringify(problems)];
  const hasPerson = caller !== 'anonymous' && caller !== 'token of an application';
  if (route.person === undefined || hasPerson) return asRestAnswer(route, answer);
  // Queries of people alone answer null, and refuse where they need an argument about the person.
  if (!answer.errors) expect(Object.values(answer.data!)).toEqual([null]);
  return withoutPerson[route.person];
}

/** Runs a statement on the gateway's connection pool, which is faster than a new connection. */
const sql = <Row>(text: string) => gateway.gateway.application.database.rows<Row>({ name: '', text }, []);

/** Makes what routes read, change and remove. */
async function begin(): Promise<void> {
  // A star and a fork, for the routes that remove them.
  const [storefront] = await sql<{ id: number }>(`select id from projects where full_path = 'demo/storefront'`);
  await sql(`insert into stars (user_id, project_id) select id, ${storefront!.id} from users where username = 'root'`);
  await sql(`update projects set star_count = 1, forks_count = 1 where id = ${storefront!.id}`);
  await sql(`update projects set forked_from_id = ${storefront!.id} where full_path = 'hidden/project'`);
  await sql(`insert into access_requests (user_id, group_id) select 5, id from namespaces where full_path = 'demo'`);
  await sql(`insert into access_requests (user_id, project_id) values (5, ${storefront!.id})`);
  await sql(issuesToBegin);
  await sql(labelsToBegin);
  await sql(notesToBegin);
  await sql(awardsToBegin);
  await sql(snippetsToBegin);
  await sql(keysToBegin);
  await sql(reviewsToBegin);
  await sql(reviewPartsToBegin);
  await repositoriesToBegin(gateway);
  await pipelinesToBegin(gateway);
  await sql(jobFilesToBegin);
  await variablesToBegin(gateway);
  await environmentsToBegin(gateway);
  await runnersToBegin(gateway);
  await versionsToBegin(gateway);
  await sql('delete from jobs');
  files.keep();
  await sql(`insert into group_shares (group_id, invited_group_id, access_level)
               select id, 6, 30 from namespaces where full_path = 'hidden'`);
  await sql(
    `insert into project_shares (project_id, invited_group_id, access_level) values (${storefront!.id}, 6, 20)`,
  );
}

/** Restores the database and the repositories. */
async function reset({ path }: Pick<AnyRoute, 'path'> = { path: '/repository/' }): Promise<void> {
  if (/\/repository\/|\/merge_requests|\/projects\/:id$|\/projects$|\/user\/:user_id$|\/fork$/.test(path))
    files.restore();
  await rows.restore();
}

const named = routes.map((route) => ({ name: `${route.method} ${route.path}`, route }));
/** Whether every field of a route's operation exists at `/graphql`. */
const isPublic = ({ operation }: AnyRoute) =>
  validate(publicSchema, parse(operation), [FieldsOnCorrectTypeRule, KnownTypeNamesRule]).length === 0;
const both = named.filter(({ route }) => isPublic(route)).map((one, turn) => ({ ...one, turn }));
const restOnly = named.filter(({ route }) => !isPublic(route));

test('every route has inputs here, or its operation is not public', () => {
  const asked = Object.keys(inputs).filter((name) => inputs[name]!.readable.length > 0);
  expect(both.map(({ name }) => name).filter((name) => !asked.includes(name))).toEqual([]);
});

// The list may be empty, and `test.each` refuses an empty list.
test.each([...restOnly, { name: 'none' }])(
  'an operation that is not public is unknown over GraphQL: $name',
  async (one) => {
    if (!('route' in one)) return;
    for (const caller of ['anonymous', 'administrator'] as const) {
      const { errors, data } = await gateway.graphql(one.route.operation, { variables: {}, token: tokens[caller] });
      expect([data, errors![0]!.message]).toEqual([
        null,
        expect.stringMatching(/^(Field '\w+' doesn't exist on type|Unknown type) /),
      ]);
    }
  },
);

describe.each(both)('$name', ({ name, route, turn }) => {
  const { readable = [], unreadable = [] } = inputs[name] ?? {};

  /** Sends a request through a door, from the same state. @returns the answer, and what a change made of the rows */
  async function through(door: typeof overRest, input: Input, caller: Caller) {
    const answer = await door(route, input, caller);
    if (route.method === 'GET' || answer[0] >= 400) return { answer };
    const changed = await rows.changed();
    await reset(route);
    return { answer, changed };
  }

  test.each(callersOf(turn))('answers %s the same through both doors', async (caller) => {
    onTestFailed(async () => void (await reset()));
    let changes = 0;
    let isReset = false;
    for (const input of inputsOf(readable, caller, route, turn)) {
      // Refused requests use numbers up too; a change over REST is followed by a reset.
      if (route.method !== 'GET' && !isReset) await rows.renumber();
      const rest = await through(overRest, input, caller);
      const graphql = await through(overGraphQL, input, caller);
      isReset = graphql.changed !== undefined;
      const [status, text] = graphql.answer;
      if (status === 400 && text.startsWith('[')) rest.answer = asProblems(rest.answer, JSON.parse(text) as string[]);
      expect({ input, ...rest }).toEqual({ input, ...graphql });
      if (Object.keys(rest.changed ?? {}).length > 0) changes += 1;
    }
    // Refused requests and reads changed nothing.
    expect(await rows.changed()).toEqual({});
    // Markdown and configurations are only read. Of a new token, only the digest is stored, which isn’t looked at. No person
    // may take back the approvals of others, and the commits that one looks at must be in the repository. Administrators have
    // no role to ask for.
    const writes =
      route.method !== 'GET' &&
      route.path !== '/api/v4/markdown' &&
      !/\/(ci\/lint|reset_(?:authentication|registration)_token|reset_approvals|context_commits|access_requests)$/.test(
        route.path,
      );
    if (writes && caller === 'administrator')
      expect(changes, `changes of an administrator by ${route.path}`).toBeGreaterThan(0);
  });

  const { guard } = route;
  if (!guard) return;
  // These callers have all scopes, so only the guard runs before the parameters are checked.
  const unlimited = callersOf(turn).filter((caller) => !/read|profile|application/.test(caller));
  test.each(unlimited)('reports bad parameters to %s only after the guard', async (caller) => {
    expect(unreadable.length).toBeGreaterThan(0);
    for (const input of unreadable) {
      const seen = await gateway.graphql(guard.operation, {
        variables: guard.variables({ id: input.id } as Values),
        token: tokens[caller],
      });
      const isExcepted = guard.except !== undefined && seen.errors?.[0]!.extensions?.subject === guard.except;
      const refusal = seen.errors && !isExcepted ? asRestAnswer(route, seen) : undefined;
      const [status, text] = await overRest(route, input, caller);
      expect({ input, status, text }).toEqual({ input, status: refusal?.[0] ?? 400, text: refusal?.[1] ?? text });
    }
  });
});

test('GraphQL refuses a whole request with the same HTTP status as REST', async () => {
  for (const caller of ['unknown token', 'expired token', 'revoked token', 'token of a blocked user'] as const) {
    const { status } = await gateway.graphql('{ currentUser { id } }', { token: tokens[caller] });
    const rest = await gateway.rest('GET', '/api/v4/user', { headers: { authorization: `Bearer ${tokens[caller]}` } });
    expect([caller, status]).toEqual([caller, rest.status]);
  }
});
