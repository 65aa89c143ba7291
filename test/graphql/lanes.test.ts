import fc from 'fast-check';
import { parse, specifiedRules, validate } from 'graphql';
import { beforeAll, expect, test } from 'vitest';
import { publicSchema } from '../../src/schema/public.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { anyVariables, operationOf, rootFields } from '../support/requests/operations.ts';
import { runs } from '../support/run/runs.ts';

/**
 * The fast lane answers the common request before Yoga parses it. Whatever is asked, and with whatever credential: a
 * gateway without the fast lane answers the same bytes, and so does Yoga's way through a gateway that has it.
 *
 * Each query is asked by the administrator, who sees most, and by one of the others in turn; by all in the long run.
 */

let gateway: TestGateway;
let withoutFastLane: TestGateway;
beforeAll(async () => {
  gateway = await testGateway();
  withoutFastLane = await testGateway({ CAUSEWAY_FAST_LANE: 'off', CAUSEWAY_BASE_URL: gateway.url }, gateway);
});

interface Said {
  readonly status: number;
  readonly type: string | null;
  readonly text: string;
}

async function ask(body: string, token: string | undefined, accept: string, of = gateway): Promise<Said> {
  const response = await fetch(`${of.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body,
  });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}

async function expectAlike(sent: unknown, token: string | undefined): Promise<Said> {
  const body = JSON.stringify(sent);
  const plain = await ask(body, token, '*/*');
  // What isn't plain about the second is that it accepts a charset.
  const others = [
    await ask(body, token, 'application/json; charset=utf-8'),
    await ask(body, token, '*/*', withoutFastLane),
  ];
  // Fields that fail at the same time are listed in the order in which the database answered.
  const errors = (JSON.parse(plain.text) as { errors?: unknown[] }).errors ?? [];
  for (const other of others)
    expect(errors.length > 1 ? inOrder(other) : other).toEqual(errors.length > 1 ? inOrder(plain) : plain);
  return plain;
}

function inOrder({ text, ...said }: Said): object {
  const { errors, ...rest } = JSON.parse(text) as { errors: unknown[] };
  return {
    ...said,
    ...rest,
    errors: errors.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)),
  };
}

const queries = rootFields(publicSchema).filter(({ kind }) => kind === 'query');
const everyone = () => [
  undefined,
  gateway.tokens.guest,
  gateway.tokens.maintainer,
  gateway.tokens.root,
  'cwat_nobody-has-it',
];

test.each(queries.map(({ field }, turn) => [field.name, field, turn] as const))(
  'both lanes answer %s, with all fields below it, alike',
  async (_name, field, turn) => {
    const all = everyone();
    const others = all.filter((token) => token !== gateway.tokens.root);
    for (const token of runs > 1 ? all : [gateway.tokens.root, others[turn % others.length]])
      await expectAlike({ query: operationOf('query', field), variables: anyVariables(field) }, token);
  },
);

/** What there is to be asked for, and what there is not. */
const fragments = [
  'metadata { version }',
  'currentUser { username email notificationSettings(first: $first) { nodes { level effective { level source } } } }',
  'notificationSettings { level events { event enabled isSet } }',
  'mine: notificationSettings(project: $place) { level scope project { fullPath } }',
  'group(id: $place) { id name fullPath }',
  'project(id: $place) { id name webUrl }',
  'errorTrackingSettings(project: $place) { active apiUrl }',
  'user(username: "maintainer") { id email state }',
  '... on Query { metadata { revision } }',
  '...More',
  '__typename',
  'nothing',
  'tokenInfo { scope }',
  'currentUser { id @include(if: $yes) username @skip(if: $yes) }',
  '__type(name: "User") { name }',
  'group(id: ) { id }',
];
const document = fc.uniqueArray(fc.constantFrom(...fragments), { minLength: 1, maxLength: 4 }).map((chosen) => {
  const text = chosen.join(' ');
  const variables = [
    ['$first', 'Int'],
    ['$place', 'ID!'],
    ['$yes', 'Boolean!'],
  ].filter(([name]) => text.includes(name!));
  const declared = variables.length > 0 ? `(${variables.map((one) => one.join(': ')).join(', ')})` : '';
  return `query Any${declared} { ${text} }${text.includes('...More') ? ' fragment More on Query { __typename metadata { version } }' : ''}`;
});
const request = fc.record(
  {
    query: fc.oneof(
      { weight: 9, arbitrary: document },
      fc.constantFrom('', '{', 'query A { __typename } query Any { metadata { version } }', null),
    ),
    operationName: fc.oneof({ weight: 5, arbitrary: fc.constant('Any') }, fc.constantFrom('A', 'Other', null)),
    variables: fc.oneof(
      {
        weight: 9,
        arbitrary: fc.record(
          {
            first: fc.constantFrom(1, 2, 1_000, -1, 'x', null),
            place: fc.constantFrom('demo', 'demo/storefront', '1', 'nothing', null),
            yes: fc.boolean(),
          },
          { requiredKeys: [] },
        ),
      },
      fc.constantFrom(null, [], 'text'),
    ),
    extensions: fc.constantFrom(null, {}),
  },
  { requiredKeys: ['query'] },
);

test.each(
  ['{ a: 1 }', '[1, { a: [] }]', '1e400', 'true', 'null', 'WRONG', '$missing'].map((literal, turn) => ({
    literal,
    turn,
  })),
)('both lanes refuse the argument $literal, where it doesn’t fit, alike', async ({ literal, turn }) => {
  // What a document reads first is looked up with the credential, before it is validated.
  const withArguments = queries.filter(({ field }) => field.args.length > 0);
  // A third of them in turn, so that each query meets two or three of these.
  for (const { field } of withArguments.filter((_one, place) => runs > 1 || (place + turn) % 3 === 0)) {
    const given = field.args.map(({ name }) => `${name}: ${literal}`).join(', ');
    const { status, text } = await expectAlike(
      { query: `{ ${field.name}(${given}) { __typename } }` },
      gateway.tokens.guest,
    );
    expect([field.name, status, text.includes('INTERNAL_SERVER_ERROR')]).toEqual([
      field.name,
      status < 500 ? status : 0,
      false,
    ]);
  }
});

test('both lanes answer any request alike', async () => {
  const numRuns = 150 * Math.min(runs, 20);
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(request, fc.nat(), async (sent, who) => {
      const all = everyone();
      const { status, text } = await expectAlike(sent, all[who % all.length]);
      if (status === 200 && !text.includes('"errors"')) answered++;
    }),
    { numRuns },
  );
  expect(answered).toBeGreaterThan(numRuns / 30);
});

test('both lanes answer a change, and its refusals, alike', async () => {
  const change =
    'mutation ($level: NotificationLevel, $email: String) { updateNotificationSettings(input: { level: $level, notificationEmail: $email }) { notificationSettings { level notificationEmail } } }';
  for (const variables of [
    { level: 'WATCH' },
    { level: null },
    { level: 'WRONG' },
    { email: 'nobody@example.com' },
    {},
  ]) {
    for (const token of everyone()) await expectAlike({ query: change, variables }, token);
  }
});

/** A document that breaks this rule of GraphQL (§5), and as few others as can be. */
const breaches: Record<string, string> = {
  ExecutableDefinitionsRule: '{ __typename } type Query { __typename: String }',
  UniqueOperationNamesRule: 'query A { __typename } query A { __typename }',
  LoneAnonymousOperationRule: '{ __typename } query A { __typename }',
  SingleFieldSubscriptionsRule: 'subscription { __typename }',
  KnownTypeNamesRule: 'query ($it: Nothing) { user(username: $it) { id } }',
  FragmentsOnCompositeTypesRule: '{ currentUser { ... on String { id } } }',
  VariablesAreInputTypesRule: 'query ($it: User) { user(username: $it) { id } }',
  ScalarLeafsRule: '{ currentUser }',
  FieldsOnCorrectTypeRule: '{ currentUser { nothing } }',
  UniqueFragmentNamesRule: '{ ...F } fragment F on Query { __typename } fragment F on Query { __typename }',
  KnownFragmentNamesRule: '{ ...F }',
  NoUnusedFragmentsRule: '{ __typename } fragment F on Query { __typename }',
  PossibleFragmentSpreadsRule: '{ currentUser { ... on Group { id } } }',
  NoFragmentCyclesRule: '{ ...F } fragment F on Query { __typename ...F }',
  UniqueVariableNamesRule: 'query ($it: String, $it: String) { user(username: $it) { id } }',
  NoUndefinedVariablesRule: '{ user(username: $it) { id } }',
  NoUnusedVariablesRule: 'query ($it: String) { __typename }',
  KnownDirectivesRule: '{ __typename @nothing }',
  UniqueDirectivesPerLocationRule: '{ __typename @include(if: true) @include(if: true) }',
  KnownArgumentNamesRule: '{ user(username: "guest", nothing: 1) { id } }',
  UniqueArgumentNamesRule: '{ user(username: "guest", username: "root") { id } }',
  ValuesOfCorrectTypeRule: '{ user(username: 1) { id } }',
  ProvidedRequiredArgumentsRule: '{ licenseTemplate { key } }',
  VariablesInAllowedPositionRule: 'query ($it: Int) { user(username: $it) { id } }',
  OverlappingFieldsCanBeMergedRule: '{ currentUser { id id: username } }',
  UniqueInputFieldNamesRule: '{ users(filter: { search: "a", search: "b" }) { total } }',
  MaxIntrospectionDepthRule:
    '{ __type(name: "User") { fields { type { fields { type { fields { type { fields { name } } } } } } } } }',
};

/** The codes of rules that clients of GitLab know by their own. */
const codes: Record<string, string> = {
  FieldsOnCorrectTypeRule: 'undefinedField',
  KnownArgumentNamesRule: 'argumentNotAccepted',
};

async function isRefused(query: string, code = 'GRAPHQL_VALIDATION_FAILED'): Promise<void> {
  const operationName = query.includes('query A') ? 'A' : undefined;
  expect((await expectAlike({ query, operationName }, gateway.tokens.guest)).text).toContain(`"code":"${code}"`);
}

test.each(specifiedRules.map((rule) => [rule.name, rule] as const))(
  'both lanes refuse a document that breaks %s alike',
  async (name, rule) => {
    expect(validate(publicSchema, parse(breaches[name]!), [rule])).not.toEqual([]);
    await isRefused(breaches[name]!, codes[name]);
  },
);

test.each([
  [
    'in the default of a variable',
    'query ($it: Int = "a") { __typename @skip(if: true) currentUser { notificationSettings(first: $it) { total } } }',
  ],
  ['in a directive of a variable', 'query ($it: String @nothing) { user(username: $it) { id } }'],
  ['in a directive without its argument', '{ __typename @include }'],
  ['in a directive of the operation', 'query @nothing { __typename }'],
  ['in a directive of a fragment', '{ ... @nothing { __typename } }'],
  ['in a variable of a directive', '{ __typename @include(if: $it) }'],
  ['in a fragment', '{ ...F } fragment F on Query { user(username: 1) { id } }'],
  ['below other fields', '{ currentUser { notificationSettings { nodes { level level: scope } } } }'],
])('both lanes refuse an error %s alike', async (_where, query) => {
  await isRefused(query);
});
