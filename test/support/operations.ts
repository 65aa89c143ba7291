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

/** Every field at the root of a schema, with the kind of operation that it belongs to. */
export function rootFields(schema: GraphQLSchema): { kind: OperationTypeNode; field: RootField }[] {
  return Object.values(OperationTypeNode).flatMap((kind) => {
    const type = schema.getRootType(kind);
    return Object.values(type?.getFields() ?? {}).map((field) => ({ kind, field }));
  });
}

/** An operation of one root field: its arguments are variables of the same names, and it asks for everything below it. */
export function operationOf(kind: `${OperationTypeNode}`, field: RootField): string {
  const variables = field.args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
  const args = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
  const inBrackets = (text: string) => text && `(${text})`;
  return `${kind} ${inBrackets(variables)} { ${field.name}${inBrackets(args)} ${selection(field.type, [])} }`;
}

/** @param above types on the way here, which aren't entered twice */
function selection(type: GraphQLOutputType, above: readonly string[]): string {
  const named = getNamedType(type);
  if (!isCompositeType(named)) return '';
  const fields = isObjectType(named) ? Object.values(named.getFields()) : [];
  const parts = fields
    // A list far down would be counted many times over, and a list by its edges once more.
    .filter((field) => above.length < 1 || !getNamedType(field.type).name.endsWith('Connection'))
    .filter((field) => !getNamedType(field.type).name.endsWith('Edge'))
    .filter(
      (field) =>
        ![...above, named.name].includes(getNamedType(field.type).name) &&
        field.args.every(({ type: arg }) => !isNonNullType(arg)),
    )
    .map((field) => `${field.name} ${selection(field.type, [...above, named.name])}`.trim());
  return `{ ${['__typename', ...parts].join(' ')} }`;
}

/** A value that fits an input type, with what must be given and nothing else. */
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
  const samples: Record<string, unknown> = { Int: 1, Float: 1, Boolean: true, DateTime: '2026-01-01T00:00:00.000Z' };
  return 'getValues' in named ? named.getValues()[0]!.name : (samples[named.name] ?? '1');
}

/** Variables with which a root field's operation can run; of a list, one item, since everything below it is asked for. */
export function anyVariables({ args }: RootField): Record<string, unknown> {
  return Object.fromEntries(args.map(({ name, type }) => [name, name === 'first' ? 1 : anyValue(type)]));
}
