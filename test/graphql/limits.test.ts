import { readFile } from 'node:fs/promises';
import { getIntrospectionQuery, type IntrospectionQuery } from 'graphql';
import { describe, expect, test } from 'vitest';
import { limits } from '../../src/graphql/index.ts';
import { examples } from '../../src/web/documentation/examples.ts';
import { dataOf } from '../support/requests/answers.ts';
import { testGateway } from '../support/gateway.ts';
import { bearer, postsTo } from './requests.ts';

/** What one GraphQL request may ask for, and documents that ask for more. */

const gateway = await testGateway();
const post = postsTo(gateway);

test('an operation can ask what it costs', async () => {
  const query = 'query ($first: Int) { queryComplexity { score limit } projects(first: $first) { nodes { id } } }';
  const ask = async (first: number) =>
    (await post({ query, variables: { first } }, { headers: bearer(gateway.tokens.guest) })).body.data.queryComplexity;
  expect(await ask(10)).toEqual({ score: 114, limit: limits.complexity });
  expect(await ask(20)).toEqual({ score: 124, limit: limits.complexity });
  const batch = await post([{ query }, { query: '{ queryComplexity { score } }' }], {
    headers: bearer(gateway.tokens.guest),
  });
  const scores = batch.body.map(
    ({ data }: { data: { queryComplexity: { score: number } } }) => data.queryComplexity.score,
  );
  // The operations of a batch share the limit.
  expect(Math.max(...(scores as number[]))).toBe(206);
});

describe('limits', () => {
  const fill = (length: number, document = '{ __typename }') => document + ' '.repeat(length - document.length);
  const aliases = (count: number) =>
    `{ ${Array.from({ length: count }, (_, index) => `a${index}: __typename`).join(' ')} }`;
  /** As many levels, of which `inFragments` come through as many fragments. */
  const levels = (depth: number, inFragments = 0) => {
    const fields = ['__schema', 'types', ...Array.from<string>({ length: depth - 3 }).fill('ofType'), 'name'];
    const plain = fields.slice(0, depth - inFragments);
    const spread = inFragments > 0 ? [...plain, '...F0'] : plain;
    const fragments = fields.slice(depth - inFragments).map((field, index, all) => {
      const next = index + 1 < all.length ? `{ ...F${index + 1} }` : '';
      return `fragment F${index} on __Type { ${field} ${next} }`;
    });
    return [spread.reduceRight((inner, field) => `{ ${field} ${inner} }`, ''), ...fragments].join(' ');
  };
  /**
   * A document of a complexity. A list costs 101 with its field `nodes`, each field of its entries 1 for each entry.
   * @param first the length of its longest list, in another list
   */
  const costing = (complexity: number, first: string = '100') => {
    const fields =
      'id databaseId name path fullPath fullName description visibility createdAt updatedAt webUrl parentId'.split(' ');
    const parts = [
      `projects(first: 100) { nodes { projectMembers(first: ${first}) { nodes { id createdAt expiresAt user { id username name state } } } } }`,
    ];
    let left = complexity - (101 + 100 * (101 + 100 * 8));
    const addList = (length: number, count: number) => {
      parts.push(`a${parts.length}: groups(first: ${length}) { nodes { ${fields.slice(0, count).join(' ')} } }`);
      left -= 101 + length * count;
    };
    while (left >= 1_404) addList(100, 10);
    addList(100, Math.floor((left - 203) / 100));
    addList(left - 101, 1);
    return `{ ${parts.join(' ')} }`;
  };
  const signedIn = () => bearer(gateway.tokens.guest);

  test('are the documented ones', async () => {
    const page = await readFile(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
    const documented = (what: string) => Number(new RegExp(`^\\| ${what}[^|]*\\| (\\d+) \\|`, 'm').exec(page)?.[1]);
    expect(limits).toEqual({
      characters: documented('characters'),
      nesting: documented('brackets'),
      tokens: documented('tokens'),
      selections: documented('selections'),
      comparisons: documented('pairs'),
      depth: documented('levels'),
      aliases: documented('fields under another name'),
      batch: documented('operations in a batch'),
      complexity: documented('complexity'),
    });
  });

  test.each([
    ['a document of 10,000 characters', () => ({ query: fill(10_000) })],
    ['a batch of 10,000 characters in all', () => [{ query: fill(4_000) }, { query: fill(6_000) }]],
    ['ten operations in a batch', () => Array.from({ length: 10 }, () => ({ query: '{ __typename }' }))],
    [
      'a hundred brackets within each other',
      () => ({ query: `${'{ ... '.repeat(99)}{ __typename }${'}'.repeat(99)}` }),
    ],
    ['twenty levels', () => ({ query: levels(20) })],
    ['twenty levels, ten of them in fragments', () => ({ query: levels(20, 10) })],
    ['thirty aliases', () => ({ query: aliases(30) })],
    ['an alias that is the field’s own name', () => ({ query: `{ ${'__typename: __typename '.repeat(31)} }` })],
    ['a complexity of 100,000', () => ({ query: costing(100_000) })],
    [
      'a small page, by its variable',
      () => ({ query: `query ($n: Int) ${costing(100_001, '$n')}`, variables: { n: 1 } }),
    ],
    [
      'an operation beside one that is too complex',
      () => ({ query: `query A { __typename } query B ${costing(100_001)}`, operationName: 'A' }),
    ],
  ])('%s passes', async (_what, body) => {
    const { status, body: answer } = await post(body(), { headers: signedIn() });
    expect(status).toBe(200);
    for (const one of [answer].flat()) expect(one).toEqual({ data: expect.any(Object) });
  });

  test.each([
    ['a document of 10,001 characters', () => ({ query: fill(10_001) }), 422, 'Query too large'],
    [
      'a batch of 10,001 characters in all',
      () => [{ query: fill(4_000) }, { query: fill(6_001) }],
      422,
      'Query too large',
    ],
    [
      'eleven operations in a batch',
      () => Array.from({ length: 11 }, () => ({ query: '{ __typename }' })),
      413,
      'Batching is limited to 10 operations per request.',
    ],
    [
      'a hundred and one brackets within each other',
      () => ({ query: `{ group(id: ${'['.repeat(99)}1${']'.repeat(99)}) { id } }` }),
      422,
      'Query has brackets nested more than 100 deep',
    ],
    ['twenty-one levels', () => ({ query: levels(21) }), 200, 'Query has depth of 21, which exceeds max depth of 20'],
    [
      'twenty-one levels, ten of them in fragments',
      () => ({ query: levels(21, 10) }),
      200,
      'Query has depth of 21, which exceeds max depth of 20',
    ],
    ['thirty-one aliases', () => ({ query: aliases(31) }), 200, 'Query has 31 aliases, which exceeds the max of 30'],
    [
      'a complexity of 100,001',
      () => ({ query: costing(100_001) }),
      200,
      'Query has complexity of 100001, which exceeds max complexity of 100000',
    ],
    [
      'a large page, by its variable',
      () => ({ query: `query ($n: Int) ${costing(100_001, '$n')}`, variables: { n: 1000 } }),
      200,
      'Query has complexity of 100001, which exceeds max complexity of 100000',
    ],
  ])('%s is refused', async (_what, body, status, message) => {
    const answer = await post(body(), { headers: signedIn() });
    expect(answer.status).toBe(status);
    const refused = [answer.body].flat().flatMap((one: { errors?: { message: string }[] }) => one.errors ?? []);
    expect(refused.map((error) => error.message)).toContain(message);
  });

  test('that are exceeded by one operation of a batch refuse it as a whole, before anything is done', async () => {
    const query =
      'mutation { updateNotificationSettings(input: { group: "demo", level: DISABLED }) { notificationSettings { level } } }';
    const { status, body } = await post([{ query }, { query: fill(10_000) }], { headers: signedIn() });
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: [{ message: 'Query too large', extensions: { code: 'QUERY_TOO_LARGE' } }] });
    expect(
      dataOf(
        await gateway.graphql('{ notificationSettings(group: "demo") { level } }', { token: gateway.tokens.guest }),
      ),
    ).toEqual({ notificationSettings: { level: 'GLOBAL' } });
  });

  test.each(['[null]', '[{}]', '[1, "text", []]', '[{"query": null, "extensions": {"persistedQuery": null}}]'])(
    'a batch of %s is refused, and no defect',
    async (body) => {
      const { status, text } = await post(body, { headers: signedIn() });
      expect(status).toBeLessThan(500);
      expect(text).toContain('"errors"');
      expect(text).not.toContain('INTERNAL_SERVER_ERROR');
    },
  );

  test('the characters of a batch are counted even if another document in it isn’t a text', async () => {
    const { text } = await post([{ query: { length: {} } }, { query: fill(10_001) }]);
    expect(text).toContain('Query too large');
  });

  test('a body of more than 1 MiB is refused', async () => {
    const body = (bytes: number) =>
      JSON.stringify({ query: '{ __typename }', extensions: { padding: '' } }).replace(
        '""',
        `"${'x'.repeat(bytes - 54)}"`,
      );
    expect(body(1_048_576)).toHaveLength(1_048_576);
    expect(await post(body(1_048_576))).toMatchObject({ status: 200 });
    expect(await post(body(1_048_577))).toMatchObject({
      status: 413,
      body: { errors: [{ message: 'Request Entity Too Large' }] },
    });
  });

  test.each([
    ['GraphiQL', { schemaDescription: true, inputValueDeprecation: true }],
    [
      'graphql-codegen',
      { schemaDescription: true, specifiedByUrl: true, directiveIsRepeatable: true, inputValueDeprecation: true },
    ],
    ['Apollo', { schemaDescription: true, specifiedByUrl: true, directiveIsRepeatable: true, oneOf: true }],
    ['clients of the oldest servers', { descriptions: false, typeDepth: 7 }],
    [
      'everything that can be asked for',
      {
        specifiedByUrl: true,
        directiveIsRepeatable: true,
        schemaDescription: true,
        inputValueDeprecation: true,
        oneOf: true,
      },
    ],
  ])('let the introspection of %s pass, for nobody too', async (_client, options) => {
    for (const headers of [{}, signedIn()]) {
      const { body } = await post(
        { query: getIntrospectionQuery(options), operationName: 'IntrospectionQuery' },
        { headers },
      );
      expect(body.errors).toBeUndefined();
      const { types } = (body.data as IntrospectionQuery).__schema;
      expect(types.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['User', 'NotificationSettings', 'ErrorTrackingSettings', 'TokenInfo']),
      );
    }
  });

  const answered = examples.filter(({ query }) => !query.startsWith('subscription'));
  test.each(answered.map((example) => [example.name, example.query] as const))(
    'let the example “%s” pass, and it works',
    async (_name, query) => {
      // tokenInfo is of OAuth tokens.
      const { status, body } = await post(
        { query },
        { headers: bearer(await gateway.accessToken('maintainer', ['api'])) },
      );
      expect(status).toBe(200);
      expect(body).toEqual({ data: expect.any(Object) });
      for (const value of Object.values(body.data)) expect(value).not.toBeNull();
    },
  );
});

describe('a hostile document', () => {
  const repeat = (count: number, part: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => part(index)).join(' ');
  const renamed = (field: string, inner: string) => repeat(10, (index) => `a${index}: ${field} ${inner}`);

  // Each would cost minutes or gigabytes if it were followed; the test's own time is the limit.
  test.each([
    [
      'fragments in a circle',
      '{ currentUser { ...A } } fragment A on User { name ...B } fragment B on User { id ...A }',
    ],
    [
      'the schema’s fields, renamed ten times on each of three levels',
      `{ __schema { types { ...T } } } fragment T on __Type { ${renamed('fields', '{ ...F }')} } fragment F on __Field { ${renamed('type', '{ ...U }')} } fragment U on __Type { ${renamed('fields', '{ name }')} }`,
    ],
    [
      'the schema, thirty times',
      `{ ${repeat(30, (n) => `a${n}: __schema { ...S }`)} } fragment S on __Schema { types { name description fields { name description args { name description } } } }`,
    ],
    [
      'the schema, from type to type',
      `{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }`,
    ],
    ['one field, hundreds of times', `{ ${'__typename '.repeat(900)} }`],
    ['fields that aren’t there, thousands of them', `{ ${'a '.repeat(4_990)} }`],
    ['braces, thousands deep', `${'{a'.repeat(3_300)}${'}'.repeat(3_300)}`],
    ['lists, thousands deep', `{ group(id: ${'['.repeat(4_900)}${']'.repeat(4_900)}) { id } }`],
    ['types, thousands deep', `query ($a: ${'['.repeat(4_900)}ID${']'.repeat(4_900)}) { __typename }`],
    [
      'thirty pages of a hundred with all of their switches',
      `{ currentUser { ${repeat(30, (n) => `a${n}: notificationSettings(first: 100) { nodes { level events { event enabled isSet } } }`)} } }`,
    ],
    ['hundreds of directives', `{ __typename ${'@include(if: true) '.repeat(500)} }`],
    ['hundreds of operations', repeat(500, (n) => `query Q${n} { a }`)],
  ])('with %s is refused', async (_what, query) => {
    expect(query.length).toBeLessThanOrEqual(limits.characters);
    const { status, text, body } = await post({ query }, { headers: bearer(gateway.tokens.maintainer) });
    expect(status).toBeLessThan(500);
    expect(text.length).toBeLessThan(100_000);
    expect(body.errors?.length).toBeGreaterThan(0);
    expect(body.errors.map((error: { extensions?: { code?: string } }) => error.extensions?.code)).not.toContain(
      'INTERNAL_SERVER_ERROR',
    );
    // And the gateway still answers.
    expect(await post({ query: '{ __typename }' })).toMatchObject({ status: 200 });
  });

  // Followed as often as they are spread, these would be a billion fields. GraphQL merges them into one.
  test.each([
    [
      'fragments that spread fragments twice, thirty times',
      `{ __schema { ...F0 } } ${repeat(30, (n) => `fragment F${n} on __Schema { ...F${n + 1} ...F${n + 1} }`)} fragment F30 on __Schema { queryType { name } }`,
      { __schema: { queryType: { name: 'Query' } } },
    ],
    [
      'fragments of fields that do the same',
      `{ currentUser { ...F0 } } ${repeat(30, (n) => `fragment F${n} on User { ...F${n + 1} ... on User { ...F${n + 1} } }`)} fragment F30 on User { name }`,
      { currentUser: { name: 'Mary Maintainer' } },
    ],
  ])('with %s is answered once', async (_what, query, data) => {
    for (let time = 0; time < 3; time++)
      expect((await post({ query }, { headers: bearer(gateway.tokens.maintainer) })).body).toEqual({ data });
  });

  test('asking for the schema as often as a batch allows gets an answer of bounded size', async () => {
    const query =
      '{ __schema { types { name fields { name args { name type { ...R } } type { ...R } } } } } fragment R on __Type { name ofType { name ofType { name ofType { name } } } }';
    const { status, body } = await post(Array.from({ length: limits.batch }, () => ({ query })));
    expect(status).toBe(200);
    expect(new Set((body as unknown[]).map((one) => JSON.stringify(one))).size).toBe(1);
  });
});
