import {
  isInputObjectType,
  isInputType,
  isLeafType,
  isListType,
  isNonNullType,
  typeFromAST,
  valueFromAST,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  type VariableDefinitionNode,
} from 'graphql';

/**
 * Fast coercion of variables. It prepares the types once; graphql would look them up, and copy results, for each
 * request. It accepts only valid values: graphql itself handles all others and reports their errors.
 */
export type Coercion = (given: Record<string, unknown>) => Record<string, unknown> | undefined;

/** The result for a value that this coercion doesn't accept. */
const unfit = Symbol('unfit');

type Coerce = (value: unknown) => unknown;

/** A variable, or a field of an input. */
interface Input {
  readonly name: string;
  readonly coerce: Coerce;
  /** The default value; undefined omits the variable or field. */
  readonly fallback: unknown;
}

/** Prepares the coercion of an operation's variables. @returns undefined if graphql must do it */
export function coercionOf(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
): Coercion | undefined {
  const variables: Input[] = [];
  for (const { variable, type: written, defaultValue } of definitions) {
    const type = typeFromAST(schema, written);
    if (!isInputType(type)) return undefined;
    const fallback = defaultValue ? valueFromAST(defaultValue, type) : isNonNullType(type) ? unfit : undefined;
    // An object as default would be shared by all requests, and a resolver might change it.
    if (typeof fallback === 'object' && fallback !== null) return undefined;
    variables.push({ name: variable.name.value, coerce: coerceTo(type), fallback });
  }
  return (given) => {
    const coerced: Record<string, unknown> = {};
    for (const { name, coerce, fallback } of variables) {
      const value = Object.hasOwn(given, name) ? coerce(given[name]) : fallback;
      if (value === unfit) return undefined;
      if (value !== undefined) coerced[name] = value;
    }
    return coerced;
  };
}

/** Returns the coercion to a type, as in GraphQL §3, "Input Coercion". */
function coerceTo(type: GraphQLInputType): Coerce {
  if (isNonNullType(type)) {
    const coerce = coerceTo(type.ofType);
    return (value) => (value === null || value === undefined ? unfit : coerce(value));
  }
  const coerce = coercePresent(type);
  return (value) => (value === null || value === undefined ? null : coerce(value));
}

function coercePresent(type: GraphQLInputType): Coerce {
  if (isListType(type)) return listOf(coerceTo(type.ofType));
  if (isInputObjectType(type)) return objectOf(type);
  if (!isLeafType(type)) return () => unfit;
  return (value) => {
    try {
      const parsed: unknown = type.parseValue(value);
      return parsed === undefined ? unfit : parsed;
    } catch {
      return unfit;
    }
  };
}

function listOf(coerce: Coerce): Coerce {
  return (value) => {
    if (!Array.isArray(value)) return unfit;
    const items = value.map(coerce);
    return items.includes(unfit) ? unfit : items;
  };
}

function objectOf(type: GraphQLInputObjectType): Coerce {
  if (type.isOneOf) return () => unfit;
  const known = type.getFields();
  // Created on first use: a type may contain itself.
  let fields: readonly Input[] | undefined;
  return (value) => {
    if (typeof value !== 'object' || Array.isArray(value)) return unfit;
    fields ??= Object.values(known).map(({ name, type: of, defaultValue }) => ({
      name,
      coerce: coerceTo(of),
      fallback: defaultValue === undefined && isNonNullType(of) ? unfit : defaultValue,
    }));
    const coerced: Record<string, unknown> = {};
    for (const { name, coerce, fallback } of fields) {
      const given = (value as Record<string, unknown>)[name];
      const field = given === undefined ? fallback : coerce(given);
      if (field === unfit) return unfit;
      if (field !== undefined) coerced[name] = field;
    }
    for (const name in value) if (!known[name]) return unfit;
    return coerced;
  };
}
