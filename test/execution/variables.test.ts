import fc from 'fast-check';
import {
  buildSchema,
  getNamedType,
  getVariableValues,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  parse,
  type GraphQLInputType,
  type OperationDefinitionNode,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { coercionOf } from '../../src/execution/variables.ts';
import { schema } from '../../src/schema/index.ts';

/**
 * Compares the fast coercion of variables with graphql's: it accepts only what graphql accepts, with the same
 * result.
 */

const anything = fc.oneof(
  fc.constantFrom(null, undefined, true, 0, 1.5, -1, 2 ** 31, Number.NaN, '', 'x', '7', 'WATCH'),
  fc.constant([]),
  fc.constant({}),
  fc.constant(['x', null]),
);

/** Of arguments that take global ids, numbers and paths. Half of them name the wrong kind of record. */
const ids = fc.constantFrom(
  7,
  '7',
  'demo/api',
  'gid://gitlab/Project/7',
  'gid://gitlab/User/7',
  'gid://gitlab/Group/7',
);

/** Mostly valid values of a type. */
function valueOf(type: GraphQLInputType, depth = 3): fc.Arbitrary<unknown> {
  if (isNonNullType(type)) return valueOf(type.ofType, depth);
  const wrong = { weight: 1, arbitrary: anything };
  if (depth === 0) return anything;
  if (isListType(type))
    return fc.oneof(
      { weight: 60, arbitrary: fc.array(valueOf(type.ofType, depth - 1), { maxLength: 3 }) },
      { weight: 2, arbitrary: valueOf(type.ofType, depth - 1) },
      wrong,
    );
  if (isInputObjectType(type)) {
    const fields = Object.fromEntries(
      Object.values(type.getFields()).map((field) => [field.name, valueOf(field.type, depth - 1)]),
    );
    const required = Object.values(type.getFields())
      .filter((field) => isNonNullType(field.type))
      .map(({ name }) => name);
    const right = fc.oneof(
      { weight: 20, arbitrary: fc.record(fields, { requiredKeys: required }) },
      { weight: 2, arbitrary: fc.record(fields, { requiredKeys: [] }) },
    );
    return fc.oneof(
      { weight: 60, arbitrary: right },
      { weight: 1, arbitrary: right.map((value) => ({ ...value, unknown: 1 })) },
      wrong,
    );
  }
  const named = getNamedType(type);
  const byName: Record<string, fc.Arbitrary<unknown>> = {
    Int: fc.nat(100),
    Float: fc.double(),
    Boolean: fc.boolean(),
    Date: fc.constant('2026-01-31'),
    Time: fc.constant('2026-01-31T00:00:00Z'),
    ...Object.fromEntries(
      ['UserID', 'ProjectID', 'GroupID', 'NamespaceID', 'LabelID', 'MilestoneID', 'IssueID', 'TodoID', 'SnippetID'].map(
        (name) => [name, ids],
      ),
    ),
    ...Object.fromEntries(
      ['AwardableID', 'TodoableID', 'IssuableID', 'NoteableID'].map((name) => [
        name,
        fc.constant('gid://gitlab/Issue/7'),
      ]),
    ),
  };
  const texts = isEnumType(named)
    ? fc.constantFrom(...named.getValues().map(({ name }) => name))
    : (byName[named.name] ?? fc.string({ maxLength: 4 }));
  return fc.oneof({ weight: 60, arbitrary: texts }, wrong);
}

const judged = (fast: unknown, whole: ReturnType<typeof getVariableValues>) => {
  if (fast === undefined) return;
  expect(whole.errors).toBeUndefined();
  // The order of names matters too: error messages follow it.
  expect(JSON.stringify(fast)).toBe(JSON.stringify(whole.coerced));
  expect(fast).toEqual(whole.coerced);
};

const inputs = Object.values(schema.getMutationType()!.getFields())
  .concat(Object.values(schema.getQueryType()!.getFields()))
  .flatMap(({ name, args }) => args.map((arg) => ({ what: `${arg.name} of ${name}`, type: arg.type })));

describe('the variables of an operation', () => {
  test.each(inputs)('$what: graphql coerces what the fast way accepts to the same value', ({ type }) => {
    const { variableDefinitions } = parse(`query ($given: ${type.toString()}) { __typename }`)
      .definitions[0] as OperationDefinitionNode;
    const coerce = coercionOf(schema, variableDefinitions!)!;
    let taken = 0;
    const agree = fc.property(fc.record({ given: valueOf(type) }, { requiredKeys: [] }), (given) => {
      const fast = coerce(given);
      if (fast) taken++;
      judged(fast, getVariableValues(schema, variableDefinitions!, given));
    });
    // Of a large input, few random values are valid. Each round takes others.
    for (let round = 0; round === 0 || (taken === 0 && round < 50); round++)
      fc.assert(agree, { numRuns: 60, ...(round > 0 && { seed: round }) });
    expect(taken).toBeGreaterThan(0);
  });

  const own = buildSchema(`
    input Tree { name: String! = "leaf" size: Int more: [Tree!] }
    input One @oneOf { a: Int b: Int }
    type Query { f(tree: Tree, one: One, ids: [[ID!]!]): Int }`);
  const cases: [declared: string, given: Record<string, unknown>, isTaken: boolean][] = [
    ['$a: Int = 3', {}, true],
    ['$a: Int = 3', { a: null }, true],
    ['$a: Int! = 3', {}, true],
    ['$a: Int!', {}, false],
    ['$a: Int', {}, true],
    ['$a: Int', { a: undefined }, true],
    ['$a: Int', { b: 1 }, true],
    ['$t: Tree', { t: { more: [{ more: [] }, { name: 'x', size: 2 }] } }, true],
    ['$t: Tree', { t: { more: [{ name: null }] } }, false],
    ['$t: Tree', { t: Object.create({ name: 'inherited' }) as object }, true],
    ['$t: Tree = { size: 1 }', {}, false],
    ['$o: One', { o: { a: 1 } }, false],
    ['$i: [[ID!]!]', { i: [[1, 'x']] }, true],
    ['$i: [[ID!]!]', { i: 1 }, false],
    ['$f: Query', { f: 1 }, false],
  ];
  test.each(cases)('(%s) given %j: accepted by the fast way: %s', (declared, given, isTaken) => {
    const { variableDefinitions } = parse(`query (${declared}) { __typename }`)
      .definitions[0] as OperationDefinitionNode;
    const fast = coercionOf(own, variableDefinitions!)?.(given);
    expect(fast !== undefined).toBe(isTaken);
    judged(fast, getVariableValues(own, variableDefinitions!, given));
  });
});
