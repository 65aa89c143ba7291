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
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { coercionOf, type Coercion } from './variables.ts';

/**
 * What of executing an operation is the same every time, worked out once: which
 * fields there are, who resolves them, what their arguments are, how their values
 * are completed. What is left for each request is in `run.ts`.
 */
export interface Plan {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Record<string, FragmentDefinitionNode>;
  readonly root: ObjectPlan;
  /** Undefined where graphql's own way is the only one. */
  readonly coerce: Coercion | undefined;
}

export interface ObjectPlan {
  readonly type: GraphQLObjectType;
  readonly fields: readonly FieldPlan[];
}

export interface FieldPlan {
  readonly responseName: string;
  readonly parentType: GraphQLObjectType;
  readonly definition: GraphQLField<unknown, unknown>;
  readonly nodes: readonly [FieldNode, ...FieldNode[]];
  /** Undefined where the value is the parent's property of that name. */
  readonly resolve: GraphQLFieldResolver<unknown, unknown> | undefined;
  /** Arguments that depend on nothing; undefined where variables come in. */
  readonly constantArguments: Readonly<Record<string, unknown>> | undefined;
  readonly value: ValuePlan;
}

export type ValuePlan =
  | { readonly kind: 'leaf'; readonly type: GraphQLOutputType; readonly nullable: boolean; readonly serialize: (value: unknown) => unknown }
  | { readonly kind: 'list'; readonly type: GraphQLOutputType; readonly nullable: boolean; readonly item: ValuePlan }
  | { readonly kind: 'object'; readonly type: GraphQLOutputType; readonly nullable: boolean; readonly object: ObjectPlan };

/** What there is no plan for: graphql's own executor takes it. */
class Unplanned extends Error {}

/**
 * Plans an operation of a valid document.
 * @returns undefined for what few documents have: directives, interfaces, unions, the schema's description of itself
 */
export function planOperation(schema: GraphQLSchema, document: DocumentNode, operationName?: string): Plan | undefined {
  const operation = getOperationAST(document, operationName);
  const type = operation && operation.operation !== 'subscription' ? schema.getRootType(operation.operation) : undefined;
  if (!operation || !type || hasDirectives(document)) return undefined;
  const fragments = Object.fromEntries(document.definitions.flatMap((one) => (one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one]] : [])));
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

function hasDirectives(document: DocumentNode): boolean {
  let found = false;
  visit(document, { Directive: () => void (found = true) });
  return found;
}

type Source = Pick<Plan, 'schema' | 'fragments'>;

function planObject(source: Source, type: GraphQLObjectType, selections: readonly SelectionSetNode[]): ObjectPlan {
  // Whether a value is of the type would have to be asked each time.
  if (type.isTypeOf) throw new Unplanned();
  const named = new Map<string, FieldNode[]>();
  const spread = new Set<string>();
  for (const selection of selections) collect(source, type, selection, named, spread);
  return { type, fields: [...named].map(([name, nodes]) => planField(source, type, name, nodes as [FieldNode, ...FieldNode[]])) };
}

/** The fields of a selection by their names in the answer, in their order; each fragment counts where it is spread first (GraphQL §6.3.2). */
function collect(source: Source, type: GraphQLObjectType, { selections }: SelectionSetNode, named: Map<string, FieldNode[]>, spread: Set<string>): void {
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
    const condition = fragment.typeCondition?.name.value;
    if (condition !== undefined && condition !== type.name) throw new Unplanned();
    collect(source, type, fragment.selectionSet, named, spread);
  }
}

function planField(source: Source, parentType: GraphQLObjectType, responseName: string, nodes: [FieldNode, ...FieldNode[]]): FieldPlan {
  const name = nodes[0].name.value;
  const definition = name === TypeNameMetaFieldDef.name ? TypeNameMetaFieldDef : parentType.getFields()[name];
  // What describes the schema isn't among its fields; and an object's prototype is no place for an answer.
  if (!definition || responseName === '__proto__') throw new Unplanned();
  const { resolve } = definition;
  return {
    responseName,
    parentType,
    definition,
    nodes,
    resolve: resolve === defaultFieldResolver ? undefined : resolve,
    constantArguments: constantArguments(definition, nodes[0]),
    value: planValue(source, definition.type, nodes),
  };
}

function constantArguments(definition: GraphQLField<unknown, unknown>, node: FieldNode): Record<string, unknown> | undefined {
  let constant = true;
  visit(node, { Variable: () => void (constant = false), SelectionSet: () => false });
  return constant ? getArgumentValues(definition, node, {}) : undefined;
}

function planValue(source: Source, type: GraphQLOutputType, nodes: readonly FieldNode[]): ValuePlan {
  const nullable = !isNonNullType(type);
  const inner = isNonNullType(type) ? (type.ofType as GraphQLOutputType) : type;
  if (isListType(inner)) return { kind: 'list', type, nullable, item: planValue(source, inner.ofType as GraphQLOutputType, nodes) };
  if (isLeafType(inner)) return { kind: 'leaf', type, nullable, serialize: (value) => inner.serialize(value) };
  if (isAbstractType(inner) || !isObjectType(inner)) throw new Unplanned();
  return { kind: 'object', type, nullable, object: planObject(source, inner, nodes.map(({ selectionSet }) => selectionSet!)) };
}
