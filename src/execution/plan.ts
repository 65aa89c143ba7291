import {
  defaultFieldResolver,
  getArgumentValues,
  getOperationAST,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  TypeNameMetaFieldDef,
  visit,
  type ASTNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { blankOf } from '../values/blank.ts';
import { coercionOf, type Coercion } from './variables.ts';

/**
 * The plan of an operation: everything that is the same in each execution, computed once. It contains the fields,
 * their resolvers, their arguments, and how to complete their values. `run.ts` does what remains for each request.
 */
export interface Plan {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Record<string, FragmentDefinitionNode>;
  readonly root: ObjectPlan;
  /** Undefined if only graphql can coerce the variables. */
  readonly coerce: Coercion | undefined;
}

export interface ObjectPlan {
  readonly type: GraphQLObjectType;
  readonly fields: readonly FieldPlan[];
  /** Whether it has fields, and all of them are plain. */
  readonly isPlain: boolean;
  /** Makes the object of an answer, whose values are set afterwards. */
  readonly blank: () => Record<string, unknown>;
}

/** Computes a field's arguments from the variables of a request. @throws GraphQLError as graphql does */
type Arguments = (variables: Record<string, unknown>) => Record<string, unknown>;

export interface FieldPlan {
  readonly responseName: string;
  readonly parentType: GraphQLObjectType;
  readonly definition: GraphQLField<unknown, unknown>;
  readonly nodes: readonly [FieldNode, ...FieldNode[]];
  /** Undefined if the value is the parent's property of that name. */
  readonly resolve: GraphQLFieldResolver<unknown, unknown> | undefined;
  /** The same value as from `resolve`, if that depends on the parent alone. */
  readonly direct: ((parent: object, args: object, context: unknown) => unknown) | undefined;
  readonly arguments: Arguments;
  readonly value: ValuePlan;
  /** Whether its value needs neither a path nor a resolver: a leaf, a plain object, or a list of these. */
  readonly isPlain: boolean;
}

export type ValuePlan =
  | {
      readonly kind: 'leaf';
      readonly type: GraphQLOutputType;
      readonly nullable: boolean;
      readonly serialize: (value: unknown) => unknown;
    }
  | { readonly kind: 'list'; readonly type: GraphQLOutputType; readonly nullable: boolean; readonly item: ValuePlan }
  | {
      readonly kind: 'object';
      readonly type: GraphQLOutputType;
      readonly nullable: boolean;
      readonly object: ObjectPlan;
    }
  | {
      readonly kind: 'abstract';
      readonly type: GraphQLAbstractType;
      readonly nullable: boolean;
      /** By the names of the possible types. */
      readonly objects: ReadonlyMap<string, ObjectPlan>;
    };

/** Thrown for operations that can't be planned: graphql's own executor runs them. */
class Unplanned extends Error {}

/**
 * Plans an operation of a valid document.
 * @returns undefined for rare features: directives, introspection
 */
export function planOperation(schema: GraphQLSchema, document: DocumentNode, operationName?: string): Plan | undefined {
  const operation = getOperationAST(document, operationName);
  const type =
    operation && operation.operation !== 'subscription' ? schema.getRootType(operation.operation) : undefined;
  if (!operation || !type || holds(document, 'Directive')) return undefined;
  const fragments = Object.fromEntries(
    document.definitions.flatMap((one) => (one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one]] : [])),
  );
  try {
    return {
      schema,
      operation,
      fragments,
      root: planObject({ schema, fragments }, type, [operation.selectionSet]),
      coerce: coercionOf(schema, operation.variableDefinitions ?? []),
    };
  } catch (error) {
    if (error instanceof Unplanned) return undefined;
    throw error;
  }
}

/** Whether a node contains a node of some kind. */
function holds(node: ASTNode, kind: 'Directive' | 'Variable'): boolean {
  let found = false;
  visit(node, { [kind]: () => void (found = true) });
  return found;
}

type Source = Pick<Plan, 'schema' | 'fragments'>;

function planObject(source: Source, type: GraphQLObjectType, selections: readonly SelectionSetNode[]): ObjectPlan {
  // `isTypeOf` must be called for each value.
  if (type.isTypeOf) throw new Unplanned();
  const named = new Map<string, FieldNode[]>();
  const spread = new Set<string>();
  for (const selection of selections) collect(source, type, selection, named, spread);
  const fields = [...named].map(([name, nodes]) => planField(source, type, name, nodes as [FieldNode, ...FieldNode[]]));
  return {
    type,
    fields,
    isPlain: fields.length > 0 && fields.every((field) => field.isPlain),
    // To copy a blank costs more than to add a few members.
    blank: fields.length > 12 ? blankOf([...named.keys()]) : () => ({}),
  };
}

/**
 * Collects the fields of a selection by response name, in order; a fragment counts where it is first spread (GraphQL
 * §6.3.2).
 */
function collect(
  source: Source,
  type: GraphQLObjectType,
  { selections }: SelectionSetNode,
  named: Map<string, FieldNode[]>,
  spread: Set<string>,
): void {
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD) {
      const name = (selection.alias ?? selection.name).value;
      named.set(name, [...(named.get(name) ?? []), selection]);
      continue;
    }
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      if (spread.has(selection.name.value)) continue;
      spread.add(selection.name.value);
    }
    const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : source.fragments[selection.name.value]!;
    if (appliesTo(source.schema, fragment.typeCondition?.name.value, type))
      collect(source, type, fragment.selectionSet, named, spread);
  }
}

/** Whether the fields of a fragment with a type condition belong to an object (GraphQL §6.3.2). */
export function appliesTo(schema: GraphQLSchema, condition: string | undefined, type: GraphQLObjectType): boolean {
  if (condition === undefined || condition === type.name) return true;
  const named = schema.getType(condition);
  return isAbstractType(named) && schema.isSubType(named, type);
}

function planField(
  source: Source,
  parentType: GraphQLObjectType,
  responseName: string,
  nodes: [FieldNode, ...FieldNode[]],
): FieldPlan {
  const name = nodes[0].name.value;
  const definition = name === TypeNameMetaFieldDef.name ? TypeNameMetaFieldDef : parentType.getFields()[name];
  // A type's fields don't include introspection fields; and a response named `__proto__` would set the prototype.
  if (!definition || responseName === '__proto__') throw new Unplanned();
  const { resolve } = definition;
  const direct = definition.extensions.direct as FieldPlan['direct'];
  const value = planValue(source, definition.type, nodes);
  return {
    responseName,
    parentType,
    definition,
    nodes,
    resolve: resolve === defaultFieldResolver ? undefined : resolve,
    direct,
    arguments: planArguments(definition, nodes[0]),
    value,
    isPlain: (resolve === defaultFieldResolver || resolve === undefined || direct !== undefined) && isPlainValue(value),
  };
}

const isPlainValue = (value: ValuePlan): boolean =>
  value.kind === 'list'
    ? isPlainValue(value.item)
    : value.kind === 'object'
      ? value.object.isPlain
      : value.kind === 'leaf';

/**
 * Plans the arguments of a field. Constants and plain variables, the common cases, are prepared here; graphql computes
 * all others.
 */
function planArguments(definition: GraphQLField<unknown, unknown>, node: FieldNode): Arguments {
  const byGraphql: Arguments = (variables) => getArgumentValues(definition, node, variables);
  const given = node.arguments ?? [];
  const constants = given.filter(({ value }) => !holds(value, 'Variable'));
  const passedOn = given.flatMap(({ name, value }) =>
    value.kind === Kind.VARIABLE ? [{ name: name.value, variable: value.name.value }] : [],
  );
  if (constants.length + passedOn.length < given.length) return byGraphql;
  // Constants and defaults don't depend on the other arguments.
  const others = definition.args.filter(({ name }) => !passedOn.some((one) => one.name === name));
  const values = getArgumentValues({ ...definition, args: others }, { ...node, arguments: constants }, {});
  const rest = passedOn.map((one) => ({
    ...one,
    required: isNonNullType(definition.args.find(({ name }) => name === one.name)!.type),
  }));
  return (variables) => {
    const coerced = { ...values };
    for (const { name, variable, required } of rest) {
      const value = Object.hasOwn(variables, variable) ? variables[variable] : undefined;
      // A missing variable may have a default; null for a required argument is an error.
      if (value === undefined || (value === null && required)) return byGraphql(variables);
      coerced[name] = value;
    }
    return coerced;
  };
}

function planValue(source: Source, type: GraphQLOutputType, nodes: readonly FieldNode[]): ValuePlan {
  const nullable = !isNonNullType(type);
  const inner = isNonNullType(type) ? (type.ofType as GraphQLOutputType) : type;
  if (isListType(inner))
    return { kind: 'list', type, nullable, item: planValue(source, inner.ofType as GraphQLOutputType, nodes) };
  if (isLeafType(inner)) return { kind: 'leaf', type, nullable, serialize: (value) => inner.serialize(value) };
  const selections = nodes.map(({ selectionSet }) => selectionSet!);
  if (isObjectType(inner)) return { kind: 'object', type, nullable, object: planObject(source, inner, selections) };
  const objects = new Map(
    source.schema.getPossibleTypes(inner).map((one) => [one.name, planObject(source, one, selections)]),
  );
  return { kind: 'abstract', type: inner, nullable, objects };
}
