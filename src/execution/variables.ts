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
 * The fast lane of variables: what their types want of them is worked out once, where
 * graphql looks the types up, and copies what it made, for every request. It knows what is
 * right and never says what is wrong: of anything that doesn't fit, graphql's own is asked.
 */
export type Coercion = (given: Record<string, unknown>) => Record<string, unknown> | undefined;

/** In place of a value that doesn't fit. */
const unfit = Symbol('unfit');

type Coerce = (value: unknown) => unknown;

/** A variable, or a field of an input. */
interface Input {
  readonly name: string;
  readonly coerce: Coerce;
  /** Where none is given; undefined: it is left out. */
  readonly otherwise: unknown;
}

/** @returns undefined for variables that nothing is known of beforehand */
export function coercionOf(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
): Coercion | undefined {
  const variables: Input[] = [];
  for (const { variable, type: written, defaultValue } of definitions) {
    const type = typeFromAST(schema, written);
    if (!isInputType(type)) return undefined;
    const otherwise = defaultValue ? valueFromAST(defaultValue, type) : isNonNullType(type) ? unfit : undefined;
    // A resolver might change what is then everybody's.
    if (typeof otherwise === 'object' && otherwise !== null) return undefined;
    variables.push({ name: variable.name.value, coerce: coerceTo(type), otherwise });
  }
  return (given) => {
    const coerced: Record<string, unknown> = {};
    for (const { name, coerce, otherwise } of variables) {
      const value = Object.hasOwn(given, name) ? coerce(given[name]) : otherwise;
      if (value === unfit) return undefined;
      if (value !== undefined) coerced[name] = value;
    }
    return coerced;
  };
}

/** GraphQL §3, "Input Coercion" of each kind of type. */
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
  // Made when first needed: a type may contain itself.
  let fields: readonly Input[] | undefined;
  return (value) => {
    if (typeof value !== 'object' || Array.isArray(value)) return unfit;
    fields ??= Object.values(known).map(({ name, type: of, defaultValue }) => ({
      name,
      coerce: coerceTo(of),
      otherwise: defaultValue === undefined && isNonNullType(of) ? unfit : defaultValue,
    }));
    const coerced: Record<string, unknown> = {};
    for (const { name, coerce, otherwise } of fields) {
      const given = (value as Record<string, unknown>)[name];
      const field = given === undefined ? otherwise : coerce(given);
      if (field === unfit) return unfit;
      if (field !== undefined) coerced[name] = field;
    }
    for (const name in value) if (!known[name]) return unfit;
    return coerced;
  };
}
