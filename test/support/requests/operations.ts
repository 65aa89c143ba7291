import {
  getNamedType,
  isCompositeType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  OperationTypeNode,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql';

export type RootField = GraphQLField<unknown, unknown>;

/** All root fields of a schema, each with its kind of operation. */
export function rootFields(schema: GraphQLSchema): { kind: OperationTypeNode; field: RootField }[] {
  return Object.values(OperationTypeNode).flatMap((kind) => {
    const type = schema.getRootType(kind);
    return Object.values(type?.getFields() ?? {}).map((field) => ({ kind, field }));
  });
}

/**
 * An operation of one root field: its arguments are variables of the same names, and it selects everything below it that
 * isn't deprecated. Nested lists have one item.
 */
export function operationOf(kind: `${OperationTypeNode}`, field: RootField): string {
  const whole = document(kind, field, selection(field.type, [], 1));
  if (whole.length < longest) return whole;
  const fragments: Fragments = new Map();
  const short = document(kind, field, selection(field.type, [], 0, fragments));
  return [short, ...[...fragments].map(([type, selected]) => `fragment ${type} on ${type} ${selected}`)].join(' ');
}

/** The same, which selects next to nothing, for tests of who reaches the field. */
export const shortOperationOf = (kind: `${OperationTypeNode}`, field: RootField): string =>
  document(kind, field, isCompositeType(getNamedType(field.type)) ? '{ __typename }' : '');

function document(kind: string, field: RootField, selected: string): string {
  const current = field.args.filter(({ deprecationReason }) => deprecationReason === undefined);
  const variables = current.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
  const args = current.map(({ name }) => `${name}: $${name}`).join(', ');
  const inBrackets = (text: string) => text && `(${text})`;
  return `${kind} ${inBrackets(variables)} { ${field.name}${inBrackets(args)} ${selected} }`;
}

/** A document is limited in its length. */
const longest = 9_500;
/** Shorter selections are written where they are. */
const fragmentLength = 200;

/** What is selected of types below the root field: a record may refer to several people and projects. */
type Fragments = Map<string, string>;

/**
 * @param above types on the path, which aren't selected again
 * @param maxRecords how many records lie above one whose records are still selected
 * @param fragments takes what is selected of records below the first one
 */
function selection(
  type: GraphQLOutputType,
  above: readonly string[],
  maxRecords: number,
  fragments?: Fragments,
): string {
  const named = getNamedType(type);
  if (!isCompositeType(named)) return '';
  const fields = isObjectType(named)
    ? Object.values(named.getFields()).filter(({ deprecationReason }) => deprecationReason === undefined)
    : [];
  const parts = fields
    // Nested lists would exceed the complexity limit, and edges would count a list twice.
    .filter((field) => above.length < 1 || !getNamedType(field.type).name.endsWith('Connection'))
    .filter((field) => !getNamedType(field.type).name.endsWith('Edge'))
    // A document is limited in its length, and a page of a nested list is as any other.
    .filter((field) => above.length === 0 || getNamedType(field.type).name !== 'PageInfo')
    .filter(
      (field) =>
        ![...above, named.name].includes(getNamedType(field.type).name) &&
        // A record in a list below the root field shows only its own values: it may have lists of many types.
        !(above.at(-1)?.endsWith('Connection') && above.length > 1 && isCompositeType(getNamedType(field.type))) &&
        // Deeper, only values.
        !(above.length > maxRecords && isCompositeType(getNamedType(field.type))) &&
        field.args.every(({ type: arg }) => !isNonNullType(arg)),
    )
    .map((field) => {
      const first = getNamedType(field.type).name.endsWith('Connection') ? '(first: 1)' : '';
      return `${field.name}${first} ${selection(field.type, [...above, named.name], maxRecords, fragments)}`.trim();
    });
  const selected = `{ ${['__typename', ...parts].join(' ')} }`;
  if (!fragments || above.length === 0 || selected.length < fragmentLength) return selected;
  fragments.set(named.name, selected);
  return `{ ...${named.name} }`;
}

/** The smallest value of an input type: only required fields. */
export function anyValue(type: GraphQLInputType): unknown {
  if (!isNonNullType(type)) return null;
  const { ofType } = type;
  if (isListType(ofType)) return [];
  if (isInputObjectType(ofType)) {
    const needed = Object.values(ofType.getFields()).filter(
      (field) => isNonNullType(field.type) && field.defaultValue === undefined,
    );
    return Object.fromEntries(needed.map((field) => [field.name, anyValue(field.type)]));
  }
  const named = getNamedType(ofType);
  const issue = 'gid://gitlab/Issue/1';
  const samples: Record<string, unknown> = {
    Int: 1,
    Float: 1,
    Boolean: true,
    Time: '2026-01-01T00:00:00.000Z',
    AwardableID: issue,
    TodoableID: issue,
    IssuableID: issue,
  };
  return 'getValues' in named ? named.getValues()[0]!.name : (samples[named.name] ?? '1');
}

/** Variables for a root field's operation. Lists have one item, since everything below is selected. */
export function anyVariables({ args }: RootField): Record<string, unknown> {
  const current = args.filter(({ deprecationReason }) => deprecationReason === undefined);
  return Object.fromEntries(current.map(({ name, type }) => [name, name === 'first' ? 1 : anyValue(type)]));
}
