import fc from 'fast-check';
import {
  buildSchema,
  execute,
  GraphQLError,
  NoUnusedVariablesRule,
  parse,
  print,
  specifiedRules,
  validate,
  type ExecutionResult,
  type GraphQLSchema,
} from 'graphql';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { describe, expect, test } from 'vitest';
import { planOperation, plansOf, runPlan, type Plan } from '../../src/execution/index.ts';
import { runs } from '../support/run/runs.ts';

/**
 * Compares planned execution with graphql's own executor, over a schema in which any value may be null, late,
 * invalid or an error.
 */

const kinds = [
  'leaf',
  'leaf!',
  '[leaf]',
  '[leaf!]',
  '[leaf!]!',
  'Node',
  'Node!',
  '[Node]',
  '[Node!]',
  '[Node!]!',
  '[[leaf]!]',
  'Named',
  '[Named!]!',
  'Either!',
  '[Either]',
] as const;
const fields = kinds.map((kind, at) => ({ name: `f${at}`, type: kind.replace('leaf', 'Int') }));

const parameters = 'seed: Int = 1, list: [Int!], must: Int! = 5';

const schema: GraphQLSchema = makeExecutableSchema({
  typeDefs: `
    interface Named { plain: String same(${parameters}): Int }
    union Either = Leaf | Node
    type Leaf implements Named { plain: String same(${parameters}): Int only: [Int!] }
    type Node implements Named { same(${parameters}): Int ${fields.map(({ name, type }) => `${name}(${parameters}): ${type}`).join('\n')} plain: String }
    type Query { ${fields.map(({ name, type }) => `${name}(${parameters}): ${type}`).join('\n')} }
    type Mutation { ${fields.map(({ name, type }) => `${name}(${parameters}): ${type}`).join('\n')} }`,
  resolvers: {
    ...Object.fromEntries(
      ['Node', 'Query', 'Mutation'].map((type) => [
        type,
        {
          ...Object.fromEntries(fields.map(({ name, type: returns }) => [name, resolver(returns)])),
          ...(type === 'Node' && { same: resolver('Int') }),
        },
      ]),
    ),
    Leaf: { same: resolver('Int'), only: resolver('[Int!]') },
    Named: { __resolveType: typeOf },
    // Without a resolver: values name their types.
    Either: {},
  },
});

/** @throws for some values */
function typeOf({ __typename: name, plain }: { __typename: string; plain?: string }): string {
  if (plain?.endsWith('7')) throw new Error(`no type for ${plain}`);
  return name;
}

/** A resolver whose answer depends only on its arguments and path, so that both executors get the same. */
function resolver(type: string) {
  return (
    _source: unknown,
    args: { seed: number; list?: number[]; must: number },
    _context: unknown,
    info: { path: { key: string | number; prev?: unknown } },
  ) => {
    let number = args.seed * 7 + args.must * 3 + (args.list ?? []).reduce((sum, one) => sum + one, 0);
    for (let at: any = info.path; at; at = at.prev)
      number =
        (number * 31 + String(at.key).length * 17 + (typeof at.key === 'number' ? at.key : at.key.charCodeAt(1))) %
        9_973;
    return answer(type, number);
  };
}

function answer(type: string, number: number, late = number % 3 === 0): unknown {
  const value = () => {
    if (number % 11 === 0) return null;
    if (number % 13 === 0) throw new Error(`thrown ${number}`);
    if (number % 17 === 0) return new Error(`returned ${number}`);
    if (number % 19 === 0) throw new GraphQLError('with a code', { extensions: { code: number } });
    const inner = type.replace(/!$/, '');
    if (inner.startsWith('[')) {
      if (number % 23 === 0) return 'no list';
      const item = inner.slice(1, -1);
      // graphql's own executor drops pending items of a list when another item fails synchronously and the error
      // propagates.
      const lateness = item.endsWith('!') ? [number % 2 === 0 || item !== 'Int!'] : [];
      return Array.from({ length: number % 4 }, (_, at) => answer(item, number * 5 + at + 1, ...lateness));
    }
    const plain = number % 5 === 0 ? undefined : `text ${number}`;
    if (inner === 'Node') return { plain };
    if (inner === 'Named' || inner === 'Either') return { __typename: number % 2 === 0 ? 'Node' : 'Leaf', plain };
    return number % 29 === 0 ? 'no number' : number;
  };
  if (!late) {
    // A list may contain errors, but must not throw while it is built.
    try {
      return value();
    } catch (error) {
      return error;
    }
  }
  return Promise.resolve().then(value);
}

const args = [
  '',
  '(seed: 2)',
  '(seed: $seed)',
  '(list: [1, $seed])',
  '(list: $list)',
  '(seed: null)',
  '(seed: 2, list: $list)',
  '(seed: $seed, list: [4])',
  '(seed: $seed, list: $list)',
  '(must: $maybe)',
  '(must: $maybe, seed: $seed, list: [2])',
];
const chosenField = fc.record({
  field: fc.constantFrom(...fields),
  renamed: fc.boolean(),
  given: fc.nat(),
  fragment: fc.boolean(),
});
const selection = (level: number): fc.Arbitrary<string> =>
  fc.uniqueArray(chosenField, { minLength: 1, maxLength: 3, selector: ({ field }) => field.name }).chain((chosen) =>
    fc
      .tuple(
        ...chosen.map(({ field: { name, type }, renamed, given, fragment }) => {
          const start = `${renamed ? `${name}_again: ` : ''}${name}${args[given % args.length]!}`;
          if (type.includes('Int')) return fc.constant(start);
          const below =
            level > 0 ? selection(level - 1) : fc.constantFrom('__typename plain', 'plain', 'p: plain q: plain');
          return below.map((inner) => `${start} { ${selectedOf(type, inner, fragment)} }`);
        }),
      )
      .map((all) => all.join(' ')),
  );

/** A selection of a value of a type. @param inner that of a node */
function selectedOf(type: string, inner: string, fragment: boolean): string {
  const ofNode = `... on Node { ${inner} } ...Again`;
  if (type.includes('Node')) return fragment ? ofNode : inner;
  const ofLeaf = '... on Leaf { only same(seed: 3) }';
  if (type.includes('Either')) return fragment ? `${ofNode} ${ofLeaf} ... on Named { plain }` : `${ofLeaf} __typename`;
  return fragment ? `plain ${ofLeaf} ${ofNode} ... on Either { __typename }` : 'again: same plain __typename same';
}

const source = fc
  .tuple(fc.constantFrom('query', 'mutation'), selection(3))
  .map(
    ([kind, selected]) =>
      `${kind} ${declared(selected)} { ${selected} __typename } fragment Again on Node { plain __typename }`,
  );

/** Declares the variables that a selection uses: an unused one would be invalid. */
function declared(selected: string): string {
  const all = [
    ['$seed', 'Int! = 3'],
    ['$list', '[Int!]'],
    ['$maybe', 'Int = 4'],
  ].filter(([name]) => selected.includes(name!));
  return all.length > 0 ? `(${all.map((one) => one.join(': ')).join(', ')})` : '';
}

const conditions = [
  '',
  ' @include(if: $some)',
  ' @skip(if: $some)',
  ' @include(if: $others)',
  ' @skip(if: true) @include(if: $some)',
  ' @skip(if: false)',
];

/** Adds conditions to fields and fragments. @param choice which conditions, in turn */
function conditional(text: string, choice: readonly number[]): string {
  let at = 0;
  const chosen = () => conditions[choice[at++ % choice.length]! % conditions.length]!;
  const body = text.replace(
    /(?:f\d+_again: |again: )?(?:f\d+|same|only)(?:\([^)]*\))?|\.\.\. on (?:Node|Leaf|Named|Either)|\.\.\.Again/g,
    (found) => found + chosen(),
  );
  const declared = '$some: Boolean! = false, $others: Boolean = true';
  return body.replace(
    /^(query|mutation) (\()?/,
    (_start, kind: string, open?: string) => `${kind} ${open ? `(${declared}, ` : `(${declared}) `}`,
  );
}

/** Whether it has lists of objects with only plain properties. */
const hasPlainList = ({ fields: chosen }: Plan['root']): boolean =>
  chosen.some(({ value }) =>
    value.kind === 'list'
      ? value.item.kind === 'object' && value.item.object.isPlain
      : value.kind === 'abstract'
        ? [...value.objects.values()].some(hasPlainList)
        : value.kind === 'object' && hasPlainList(value.object),
  );

const textOf = (result: ExecutionResult) => JSON.stringify(result);

/** How many documents are made. One in a hundred has lists of objects with only plain properties. */
const documents = 1_500 * Math.min(runs, 40);

describe('a planned operation', () => {
  test(
    'answers as graphql’s own executor does, to the order of fields and errors',
    { timeout: documents * 50 },
    async () => {
      let planned = 0;
      let plain = 0;
      let abstract = 0;
      await fc.assert(
        fc.asyncProperty(
          source,
          fc.record(
            {
              seed: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.constant('x'), fc.constant(null)),
              list: fc.option(fc.array(fc.nat(9)), { nil: undefined }),
              maybe: fc.option(fc.nat(9)),
            },
            { requiredKeys: [] },
          ),
          async (text, variables) => {
            const document = parse(text.includes('...Again') ? text : text.replace(/ fragment Again.*$/, ''));
            if (validate(schema, document).length > 0) return;
            const plan = planOperation(schema, document)!;
            expect(plan, print(document)).toBeDefined();
            planned++;
            if (hasPlainList(plan.root)) plain++;
            if (/ f1[1-4]/.test(text)) abstract++;
            expect(textOf(await runPlan(plan, {}, variables))).toBe(
              textOf(await execute({ schema, document, contextValue: {}, variableValues: variables })),
            );
          },
        ),
        { numRuns: documents },
      );
      expect(planned).toBeGreaterThan(documents * 0.9);
      expect(plain).toBeGreaterThan(documents / 1_000);
      expect(abstract).toBeGreaterThan(documents / 200);
    },
  );

  test('answers objects and lists that have no resolvers the same, whatever is in them', async () => {
    const own = makeExecutableSchema({
      typeDefs: `
        type Thing { name: String! at: Int part: Thing whole: Thing! parts: [Thing] rows: [[Int]!] words: [String!]! }
        type Query { things: [Thing] }`,
      resolvers: { Query: { things: (_source: unknown, _args: object, things: unknown) => things } },
    });
    const inner = '{ name at words part { name } parts { at whole { name } } }';
    const document = parse(`{ things { name at rows words part ${inner} whole ${inner} parts ${inner} } }`);
    const plan = planOperation(own, document)!;
    expect(hasPlainList(plan.root)).toBe(true);
    const orWrong = <Value>(usual: fc.Arbitrary<Value>) =>
      fc.oneof(
        { weight: 20, arbitrary: usual },
        { weight: 1, arbitrary: fc.constantFrom(null, undefined, new Error('wrong'), 'a text', {}, [null]) },
      );
    const orLate = <Value>(usual: fc.Arbitrary<Value>) =>
      fc.oneof(
        { weight: 20, arbitrary: orWrong(usual) },
        { weight: 1, arbitrary: usual.map((value) => Promise.resolve(value)) },
        { weight: 1, arbitrary: usual.map((value) => () => value) },
      );
    const thing = (depth: number): fc.Arbitrary<object> => {
      const within = depth === 0 ? fc.constant(null) : thing(depth - 1);
      return fc.record({
        name: orLate(fc.string()),
        at: orLate(fc.integer()),
        part: orLate(within),
        whole: orLate(within),
        parts: orLate(fc.array(orWrong(within), { maxLength: 2 })),
        rows: orLate(fc.array(orWrong(fc.array(orWrong(fc.nat()), { maxLength: 2 })), { maxLength: 2 })),
        words: orLate(fc.array(orWrong(fc.string()), { maxLength: 2 })),
      });
    };
    let right = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(orWrong(thing(2)), { maxLength: 3 }), async (things) => {
        const result = await runPlan(plan, things, {});
        if (!result.errors) right++;
        expect(textOf(result)).toBe(textOf(await execute({ schema: own, document, contextValue: things })));
      }),
      { numRuns: 400 },
    );
    expect(right).toBeGreaterThan(40);
  });

  test('with @skip and @include answers the same for each combination of their variables', async () => {
    const value = fc.oneof(fc.boolean(), fc.constantFrom(undefined, null, 'x'));
    let planned = 0;
    await fc.assert(
      fc.asyncProperty(
        source,
        fc.array(fc.nat(50), { minLength: 1, maxLength: 7 }),
        fc.array(fc.record({ some: value, others: value }), { minLength: 2, maxLength: 4 }),
        async (text, choice, requests) => {
          const document = parse(
            conditional(text.includes('...Again') ? text : text.replace(/ fragment Again.*$/, ''), choice),
          );
          if (
            validate(
              schema,
              document,
              specifiedRules.filter((rule) => rule !== NoUnusedVariablesRule),
            ).length > 0
          )
            return;
          const planFor = plansOf(schema, document, (plan) => plan);
          for (const variables of requests) {
            const plan = planFor(variables);
            if (!plan) continue;
            planned++;
            expect(textOf(await runPlan(plan, {}, variables)), print(document)).toBe(
              textOf(await execute({ schema, document, contextValue: {}, variableValues: variables })),
            );
          }
        },
      ),
      { numRuns: documents / 3 },
    );
    expect(planned).toBeGreaterThan(documents / 6);
  });

  test('is left to graphql’s own executor with other directives', () => {
    const own = buildSchema('directive @loud on FIELD type Query { f: Int }');
    expect(plansOf(own, parse('{ f @loud }'), (plan) => plan)({})).toBeUndefined();
  });

  test('exists for the first eight combinations of conditions, however many variables there are', () => {
    const own = buildSchema('type Query { f: Int }');
    const names = ['a', 'b', 'c', 'd'];
    const parameters = names.map((name) => `$${name}: Boolean!`).join(', ');
    const fields = names.map((name) => `f @skip(if: $${name})`).join(' ');
    const planFor = plansOf(own, parse(`query (${parameters}) { ${fields} }`), (plan) => plan);
    const combinations = Array.from({ length: 16 }, (_, bits) =>
      Object.fromEntries(names.map((name, at) => [name, (bits & (1 << at)) > 0])),
    );
    const planned = combinations.filter((one) => planFor(one) !== undefined);
    expect(planned).toEqual(combinations.slice(0, 8));
    expect(combinations.filter((one) => planFor(one) !== undefined)).toEqual(planned);
  });

  test.each([
    ['a directive', '{ f0 @skip(if: true) }'],
    ['introspection', '{ __schema { types { name } } }'],
    ['several operations without an operation name', 'query A { f0 } query B { f0 }'],
    ['a response name that is a property of every object', '{ __proto__: f0 }'],
  ])('doesn’t exist for %s', (_what, text) => {
    expect(planOperation(schema, parse(text))).toBeUndefined();
  });
});
