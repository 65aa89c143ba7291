import { createHash } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { buildSchema, getIntrospectionQuery, parse, type GraphQLObjectType } from 'graphql';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Context } from '../../src/context.ts';
import { complexityOf } from '../../src/graphql/complexity.ts';
import { Documents, maxBytes, type Reading } from '../../src/graphql/documents.ts';
import { measure } from '../../src/graphql/extent.ts';
import { limits } from '../../src/graphql/index.ts';
import { Remembered } from '../../src/graphql/remembered.ts';
import { readApart, usually, within } from '../../src/schema/engine/page.ts';
import { publicSchema } from '../../src/schema/public.ts';
import { counters } from '../../src/counters.ts';
import { examples } from '../../src/web/documentation/examples.ts';
import { fieldsOfOneRequest } from '../support/requests/costs.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { operationOf, rootFields } from '../support/requests/operations.ts';
import { documents } from './client-documents.ts';

/** What reading documents costs, and what is held of them: counted, since times say nothing in a test. */

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await testGateway();
});

const repeat = (count: number, part: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => part(at)).join(' ');

/** Steps of reading since the last time that it was asked. */
let before: ReadonlyMap<string, number>;
beforeEach(() => void (before = new Map(counters.documents.counts)));
function steps(): Record<string, number> {
  const now = new Map(counters.documents.counts);
  const grown = [...now]
    .map(([step, count]) => [step, count - (before.get(step) ?? 0)] as const)
    .filter(([, count]) => count > 0);
  before = now;
  return Object.fromEntries(grown);
}

/** Plain requests pass by Yoga; one that says its charset among what it accepts doesn't. */
const ways = [
  ['the plain way', '*/*'],
  ['Yoga', 'application/json; charset=utf-8'],
] as const;

async function ask(query: string, accept: string, headers: Record<string, string> = {}) {
  return await gateway.graphql(query, { headers: { accept, ...headers } });
}

describe.each(ways)('by %s', (_way, accept) => {
  test.each([
    ['518 connections', `{${'projects{nodes{id}}'.repeat(518)}}`, /more than 2500 tokens/],
    ['as many as there may be tokens', `{${'projects{nodes{id}}'.repeat(300)}}`, /asks for the same fields too often/],
    ['one field, hundreds of times', `{ ${'__typename '.repeat(900)} }`, /asks for the same fields too often/],
    [
      'hundreds of fragments in one place',
      `{ ${repeat(200, (n) => `...F${n}`)} } ${repeat(200, (n) => `fragment F${n} on Query { __typename }`)}`,
      /asks for the same fields too often/,
    ],
    [
      'fragments that each spread the next twice, in other places',
      `{ currentUser { ...F0 } } ${repeat(20, (n) => `fragment F${n} on User { a${n}: id { ...F${n + 1} } b${n}: id { ...F${n + 1} } }`)} fragment F20 on User { id }`,
      /more than 1000 selections/,
    ],
    ['thirty-one aliases', `{ ${repeat(31, (n) => `a${n}: __typename`)} }`, /31 aliases/],
    ['what isn’t GraphQL', '{ currentUser {', /Syntax Error/],
  ])('%s are refused before they are validated, and read once', async (_what, query, message) => {
    const { data, errors } = await ask(query, accept);
    expect(data).toBeNull();
    expect(errors).toEqual([expect.objectContaining({ message: expect.stringMatching(message) })]);
    expect(steps()).toEqual({ parsed: 1, 'refused before validation': 1 });
  });

  test.each([
    [
      'a field that isn’t there',
      '{ currentUser { nonsense } }',
      "Field 'nonsense' doesn't exist on type 'CurrentUser'",
    ],
    [
      'variables that don’t fit',
      'query ($first: Int!) { currentUser { notificationSettings(first: $first) { nodes { level } } } }',
      'Variable "$first" of required type "Int!" was not provided.',
    ],
    [
      'what may be answered with too much',
      `{ ${repeat(5, (n) => `a${n}: projects(first: 100) { nodes { ${repeat(24, (m) => `f${m}: id`)} } }`)} }`,
      '125 aliases',
    ],
    [
      'too complex',
      '{ groups { nodes { members { nodes { user { furtherEmails { nodes { id } } } } } } } }',
      'exceeds max complexity',
    ],
  ])('%s are refused after one validation, however often they come', async (_what, query, message) => {
    for (let time = 0; time < 3; time++) {
      const { errors } = await ask(query, accept);
      expect(errors?.[0]?.message).toContain(message);
      const { parsed, ...others } = steps();
      expect(parsed).toBe(1);
      expect([{ validated: 1 }, { 'refused before validation': 1 }]).toContainEqual(others);
    }
  });

  test('a document that comes again is validated once, planned the second time, and remembered from then on', async () => {
    const query = `{ metadata { version ${accept.length === 3 ? '' : 'revision'} } }`;
    const read = [];
    for (let time = 0; time < 4; time++) {
      expect((await ask(query, accept, { authorization: `Bearer ${gateway.tokens.guest}` })).errors).toBeUndefined();
      read.push(steps());
    }
    expect(read).toEqual([{ parsed: 1, validated: 1 }, { parsed: 1 }, {}, {}]);
  });

  test('an error in a remembered document has the same location as when the document was new', async () => {
    const query = `{\n  __typename\n  refused: notificationSettings {\n    ${accept.length === 3 ? 'level' : 'scope'}\n  }\n}`;
    const answers = [];
    for (let time = 0; time < 3; time++) answers.push((await ask(query, accept)).errors);
    expect(answers[0]).toEqual([expect.objectContaining({ path: ['refused'], locations: [{ line: 3, column: 3 }] })]);
    expect([answers[1], answers[2]]).toEqual([answers[0], answers[0]]);
    expect(steps()).toEqual({ parsed: 2, validated: 1 });
  });

  test('a document that is refused isn’t learned by its hash', async () => {
    const send = async (content: object) => {
      const response = await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept },
        body: JSON.stringify(content),
      });
      return await response.text();
    };
    for (const [query, learned] of [
      [`{ ${repeat(31, (n) => `a${n}: __typename`)} }`, false],
      ['{ nonsense }', false],
      [`{ __typename ${' '.repeat(accept.length)} }`, true],
    ] as const) {
      const extensions = {
        persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(query).digest('hex') },
      };
      await send({ query, extensions });
      expect((await send({ extensions })).includes('PersistedQueryNotFound')).toBe(!learned);
    }
  });
});

describe('where requests are limited', () => {
  let limited: TestGateway;
  beforeAll(async () => {
    limited = await testGateway(
      { CAUSEWAY_LIMIT_UNAUTHENTICATED_API: '2/60', CAUSEWAY_TRUSTED_PROXIES: '127.0.0.1' },
      gateway,
    );
  });

  test.each(ways)('strangers are counted before their document is read, by %s', async (_way, accept) => {
    const headers = { accept, 'x-forwarded-for': `192.0.2.${accept.length}` };
    const statuses = [];
    for (let turn = 0; turn < 4; turn++)
      statuses.push(
        (await limited.graphql(`query Stranger${turn}${accept.length} { __typename }`, { headers })).status,
      );
    expect(statuses).toEqual([200, 200, 429, 429]);
    expect(steps()).toEqual({ parsed: 2, validated: 2 });
  });

  test.each(ways)('what a query costs is counted before it is run, by %s', async (_way, accept) => {
    const costly = `{ projects(first: 100) { nodes { ${fieldsOfOneRequest} } } }`;
    const from = (last: number) => ({ accept, 'x-forwarded-for': `198.51.100.${accept.length + last}` });
    // Alone it passes, though it counts as much as two.
    expect((await limited.graphql(costly, { headers: from(0) })).headers.get('ratelimit-observed')).toBe('2');
    expect((await limited.graphql('{ __typename }', { headers: from(50) })).status).toBe(200);
    const { status, data, errors } = await limited.graphql(costly, { headers: from(50) });
    expect([status, data, errors]).toEqual([
      429,
      null,
      [{ message: 'Retry later', extensions: { code: 'RATE_LIMITED' } }],
    ]);
  });

  test('each operation of a batch counts', async () => {
    const response = await fetch(`${limited.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.1' },
      body: JSON.stringify([{ query: '{ __typename }' }, { query: '{ __typename }' }, { query: '{ __typename }' }]),
    });
    const answers = (await response.json()) as { errors?: unknown }[];
    expect(answers.filter(({ errors }) => errors)).toHaveLength(1);
  });
});

describe('what is written', () => {
  const fields = (count: number) => `{ ${repeat(count, () => '__typename')} }`;
  const spread = (count: number) => `{ ${repeat(count, (n) => `f${n} { ...F }`)} } fragment F on User { id }`;

  test.each([
    ['fields', '{ currentUser { id name } }', { selections: 4, comparisons: 0 }],
    ['fields of one name', '{ id id id }', { selections: 4, comparisons: 3 }],
    ['what is below fields of one name', '{ a { b } a { b } a { b } }', { selections: 7, comparisons: 6 }],
    [
      'a fragment wherever it is spread',
      '{ a { ...F } b { ...F } } fragment F on User { id name }',
      { selections: 9, comparisons: 0 },
    ],
    [
      'a fragment and fields in the same place',
      '{ id ...F ... { id } } fragment F on Query { id }',
      { selections: 6, comparisons: 3 },
    ],
    [
      'fragments in the same place',
      '{ ...F ...G ...H } fragment F on Query { a } fragment G on Query { b } fragment H on Query { c }',
      { selections: 7, comparisons: 6 },
    ],
    [
      'a fragment that spreads itself, once',
      '{ ...F } fragment F on Query { a { ...F } }',
      { selections: 4, comparisons: 0 },
    ],
    ['a fragment that nothing spreads', '{ id } fragment F on Query { a b }', { selections: 4, comparisons: 0 }],
    ['operations', 'query A { id } query B { id }', { selections: 4, comparisons: 0 }],
  ])('is counted: %s', (_what, source, extent) => {
    expect(measure(parse(source))).toEqual(extent);
  });

  test.each([
    ['fields of one name', fields(141), fields(142)],
    ['selections', spread(333), spread(334)],
  ])('may be so much and no more: %s', (_what, most, more) => {
    expect(() => measure(parse(most))).not.toThrow();
    expect(() => measure(parse(more))).toThrow(/^Query (asks for the same|has more than)/);
  });

  const ofRootFields = rootFields(publicSchema).map(
    ({ kind, field }) => [`${field.name} with all that is below it`, operationOf(kind, field)] as const,
  );
  const documented = [
    ...examples.map(({ name, query }) => [name, query] as const),
    ...documents.map(({ what, query }) => [what, query] as const),
    // GraphiQL's, and with older options Apollo's.
    [
      'introspection',
      getIntrospectionQuery({
        specifiedByUrl: true,
        directiveIsRepeatable: true,
        schemaDescription: true,
        inputValueDeprecation: true,
        oneOf: true,
      }),
    ] as const,
    ['introspection without options', getIntrospectionQuery({ descriptions: false })] as const,
  ];
  test.each([
    ['far below the limits in everything documented', documented, 1 / 4],
    ['below the limits even with every field of the schema', ofRootFields, 1],
  ] as const)('is %s', (_what, all, most) => {
    for (const [name, source] of all) {
      const document = parse(source);
      const { selections, comparisons } = measure(document);
      const parts = [
        selections / limits.selections,
        comparisons / limits.comparisons,
        document.tokenCount! / limits.tokens,
      ];
      expect([name, Math.max(...parts)]).toEqual([name, expect.toSatisfy((part: number) => part < most)]);
    }
  });
});

describe('the complexity of an operation', () => {
  const types = `
    interface Named { name: String }
    type Tag implements Named { name: String text: String color: String }
    type Item implements Named { name: String parent: Item tags: [Tag!] items(first: Int, last: Int): ItemConnection }
    type PageInfo { hasNextPage: Boolean }
    type ItemEdge { cursor: String node: Item }
    type ItemConnection { nodes: [Item!] edges: [ItemEdge!] pageInfo: PageInfo count: Int }
    type Query { item: Item items(first: Int, last: Int): ItemConnection named: Named }`;
  const schema = buildSchema(types);

  test.each<[what: string, source: string, complexity: number]>([
    ['a field is one', '{ item { name } }', 2],
    ['a page is a hundred and its fields a hundred times', '{ items { nodes { name } } }', 201],
    ['a page is as long as it is asked for', '{ items(first: 3) { nodes { name parent { name } } } }', 110],
    ['or from its end', '{ items(last: 3) { edges { cursor node { name } } } }', 110],
    ['but never longer than a hundred', '{ items(first: 1000) { nodes { name } } }', 201],
    ['by its variable too', 'query ($n: Int = 5) { items(first: $n) { nodes { name } } }', 106],
    ['null is the default', '{ items(first: null) { nodes { name } } }', 201],
    ['what a page has once counts once', '{ items { pageInfo { hasNextPage } } }', 102],
    ['a count is another page', '{ items { count } }', 200],
    ['pages within a page multiply', '{ items(first: 10) { nodes { items(first: 10) { nodes { name } } } } }', 1_211],
    ['a list without pages is of twenty', '{ item { tags { text } } }', 22],
    [
      'fields that are merged are one',
      '{ item { name } item { name parent { name } } item { ...F ...F } } fragment F on Item { name }',
      4,
    ],
    ['fields under other names aren’t', '{ item { a: name b: name } }', 3],
    [
      'what is skipped isn’t counted',
      '{ item { name @skip(if: true) parent @include(if: false) { name } tags { text } } }',
      22,
    ],
    [
      'an interface is its costliest type',
      '{ named { name ... on Tag { text color } ... on Item { parent { name } } } }',
      4,
    ],
    ['fragments of interfaces count for each type', '{ item { ... on Named { name } ... on Tag { text } } }', 2],
    ['the schema counts once', '{ __schema { types { fields { name } } } __typename }', 5],
  ])('%s', (_what, source, complexity) => {
    expect(complexityOf(schema, parse(source), {}, undefined)).toBe(complexity);
  });

  const page = '{ items { nodes { name } } }';
  test.each<[what: string, of: string, option: { extensions: object }, source: string, complexity: number]>([
    ['a list that is short by nature is as long as usual', 'items', usually(20), page, 121],
    ['or as it is asked for', 'items', usually(20), '{ items(first: 50) { nodes { name } } }', 151],
    ['one that is read with its record costs what is in it', 'items', within(20), page, 22],
    ['one with a maximum is never longer', 'items', usually(1, 1), '{ items(first: 100) { nodes { name } } }', 102],
    ['within a list of its name, it is a page', 'items', usually(2), `{ items { nodes ${page} } }`, 503],
    ['even below other fields', 'items', usually(2), `{ items { nodes { parent ${page} } } }`, 505],
    ['and not beside one', 'items', usually(2), '{ items { nodes { name } } b: items { nodes { name } } }', 206],
    ['a field that is read by itself is a page', 'name', readApart, '{ item { name } }', 101],
    ['a list without pages, too, besides its entries', 'tags', readApart, '{ item { tags { text } } }', 121],
  ])('%s', (_what, of, option, source, complexity) => {
    const declaring = buildSchema(types);
    for (const type of ['Query', 'Item'])
      Object.assign((declaring.getType(type) as GraphQLObjectType).getFields()[of] ?? {}, option);
    expect(complexityOf(declaring, parse(source), {}, undefined)).toBe(complexity);
  });

  const costOf = (source: string) => complexityOf(publicSchema, parse(source), {}, undefined);

  test('exceeds the limit where short lists lead to themselves', () => {
    const jobs = (fields: string) => `pipeline(iid: "1") { stages { nodes { jobs { nodes { ${fields} } } } } }`;
    expect(costOf(`{ project(fullPath: "a/b") { ${jobs('name')} } }`)).toBe(223);
    const again = jobs('name').replace('(iid: "1")', '');
    expect(costOf(`{ project(fullPath: "a/b") { ${jobs(again)} } }`)).toBeGreaterThan(limits.complexity);
  });

  test('is that of one folder for a part of it, and that of pages for what git is asked for each record', () => {
    const folder = (first: string) =>
      `{ project(fullPath: "a/b") { repository { paginatedTree${first} { nodes { blobs { nodes { name } } } } } } }`;
    expect([costOf(folder('')), costOf(folder('(first: 100)'))]).toEqual([304, 304]);
    const messages = '{ project(fullPath: "a/b") { mergeRequests { nodes { defaultMergeCommitMessage } } } }';
    expect(costOf(messages)).toBe(10_102);
    const diffs = '{ project(fullPath: "a/b") { repository { commits(first: 10) { nodes { diffs { diff } } } } } }';
    expect(costOf(diffs)).toBe(1_303);
  });
});

describe('what is remembered', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };

  /** Reads a document as for a request that is answered. */
  function answer(documents: Documents, source: string): Reading {
    // As it comes in: a text of its own.
    const reading = documents.read(JSON.parse(JSON.stringify(source)) as string);
    expect(documents.problemsOf(reading)).toEqual([]);
    const operation = documents.operationOf(reading, undefined)!;
    operation.complexity({});
    operation.prefetch({});
    documents.keep(reading);
    return reading;
  }

  test.each([
    ['a text', 700, (n: number) => `query A${n} { user(username: "${'x'.repeat(9_900)}") { id } }`],
    ['fields', 150, (n: number) => `query A${n} { currentUser { ${'id username name email state '.repeat(60)} } }`],
    ['values', 150, (n: number) => `query A${n} { auditEvents(kinds: [${'"a" '.repeat(2_400)}]) { nodes { id } } }`],
    [
      'a fragment, thirty times',
      150,
      (n: number) =>
        `query A${n} { ${repeat(30, (at) => `b${at}: user(username: "x") { ...F }`)} } fragment F on User { id username name email state ${'webUrl '.repeat(20)} }`,
    ],
  ])('of documents of %s is bounded by the bytes that it holds', (_what, count, make) => {
    const documents = new Documents(publicSchema, []);
    for (let time = 0; time < 3; time++) answer(documents, make(9_999));
    const start = heap();
    for (let at = 0; at < count; at++) {
      answer(documents, make(at));
      answer(documents, make(at));
    }
    expect(documents.weight).toBeGreaterThan(maxBytes / 2);
    expect(documents.weight).toBeLessThanOrEqual(maxBytes);
    // The digests of what came once besides.
    expect(heap() - start).toBeLessThan(maxBytes * 1.5);
    // The last one is still there, as it was.
    expect(documents.read(make(count - 1))).toBe(documents.read(make(count - 1)));
  });

  test('keeps no tokens, and answers as before', async () => {
    const documents = new Documents(publicSchema, []);
    const source = '{ currentUser { id } }';
    answer(documents, source);
    const { document, operations } = answer(documents, source);
    expect(JSON.stringify(document!.definitions[0]!.loc)).toBe(
      JSON.stringify({
        start: 0,
        end: source.length,
        source: { body: source, name: 'GraphQL request', locationOffset: { line: 1, column: 1 } },
      }),
    );
    expect(
      (await operations.get(undefined)!.run({ database: {}, viewer: {} } as Context, {})).errors?.[0],
    ).toMatchObject({ locations: [{ line: 1, column: 3 }] });
  });

  test('goes when it wasn’t asked for, and stays when it was', () => {
    const remembered = new Remembered<number>(1_000);
    for (let at = 0; at < 4; at++) remembered.set(`key ${at}`, at, 50);
    expect([remembered.size, remembered.weight, remembered.get('key 0')]).toEqual([4, 1_000, 0]);
    remembered.set('key 4', 4, 50);
    expect([0, 1, 2, 3, 4].map((at) => remembered.get(`key ${at}`))).toEqual([0, undefined, 2, 3, 4]);
    // All were asked for: the oldest goes.
    remembered.set('key 5', 5, 50);
    expect([remembered.size, remembered.weight]).toEqual([4, 1_000]);
    expect(remembered.get('key 5')).toBe(5);
    remembered.set('key 5', 6, 10);
    expect([remembered.get('key 5'), remembered.weight]).toEqual([6, 960]);
    remembered.set('too heavy', 7, 801);
    expect([remembered.get('too heavy'), remembered.weight]).toEqual([undefined, 960]);
  });
});
