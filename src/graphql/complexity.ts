import {
  getArgumentValues,
  getDirectiveValues,
  getNamedType,
  getNullableType,
  getOperationAST,
  getVariableValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  isAbstractType,
  isCompositeType,
  isListType,
  Kind,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { appliesTo } from '../operation.ts';
import { pageSize } from '../values/page-size.ts';

/**
 * The complexity of an operation (decision 0067): how many fields its answer may have, and what reading its lists
 * costs. A page counts as long as it may be, and as long as usual where the list is short by nature.
 */

/** What reading one page or one count costs, in fields. */
const costOfList = 100;

/** What a field declares of itself: see `usually`, `within` and `readApart`. */
interface Traits {
  readonly usualLength?: number;
  readonly most?: number;
  readonly isRead?: boolean;
  readonly isReadApart?: boolean;
}

/** The assumed length of a list without pages. */
const usualLength = 20;

/** @throws GraphQLError for variables or arguments that don't fit */
export function complexityOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  given: Record<string, unknown>,
  operationName: string | undefined,
): number {
  const operation = getOperationAST(document, operationName);
  if (!operation) return 0;
  const { coerced: variables, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], given);
  if (errors) throw errors[0]!;
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const one of document.definitions) if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one);

  /** Costs of selections on interfaces and unions. Without it, each level would multiply the work by the types. */
  const ofAbstract = new Map<string, number>();

  /**
   * @param nodes the fields that are merged into one in the answer
   * @param page the length of the page, if the type is a connection
   * @param path the names of the fields that lead here, with a blank around each
   */
  function costBelow(type: GraphQLCompositeType, nodes: readonly FieldNode[], page: number, path: string): number {
    const selected = nodes.map((node) => node.selectionSet!);
    if (!isAbstractType(type)) return costOfObject(type, selected, page, path);
    const key = `${type.name}${path}${nodes.map(({ loc }) => loc!.start).join()}`;
    let cost = ofAbstract.get(key);
    if (cost === undefined) {
      cost = Math.max(...schema.getPossibleTypes(type).map((one) => costOfObject(one, selected, page, path)));
      ofAbstract.set(key, cost);
    }
    return cost;
  }

  function costOfObject(
    type: GraphQLObjectType,
    selected: readonly SelectionSetNode[],
    page: number,
    path: string,
  ): number {
    const fields = new Map<string, [FieldNode, ...FieldNode[]]>();
    const spread = new Set<string>();
    for (const one of selected) collect(type, one, fields, spread);
    let cost = 0;
    for (const nodes of fields.values()) cost += costOfField(type, nodes, page, path);
    return cost;
  }

  /** Collects fields by their names in the answer, each fragment once, as execution does (GraphQL §6.3.2). */
  function collect(
    type: GraphQLObjectType,
    { selections }: SelectionSetNode,
    fields: Map<string, [FieldNode, ...FieldNode[]]>,
    spread: Set<string>,
  ): void {
    for (const selection of selections) {
      if (!isIncluded(selection)) continue;
      if (selection.kind === Kind.FIELD) {
        const name = (selection.alias ?? selection.name).value;
        const nodes = fields.get(name);
        if (nodes) nodes.push(selection);
        else fields.set(name, [selection]);
        continue;
      }
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        if (spread.has(selection.name.value)) continue;
        spread.add(selection.name.value);
      }
      const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)!;
      if (appliesTo(schema, fragment.typeCondition?.name.value, type))
        collect(type, fragment.selectionSet, fields, spread);
    }
  }

  function costOfField(
    parent: GraphQLObjectType,
    nodes: readonly [FieldNode, ...FieldNode[]],
    page: number,
    path: string,
  ): number {
    const { value: name } = nodes[0].name;
    const field = introspectionFields.get(name) ?? parent.getFields()[name]!;
    const type = getNamedType(field.type);
    const { usualLength: usual, most = pageSize.maxSize, isRead, isReadApart } = field.extensions as Traits;
    const reading = isReadApart ? costOfList : 1;
    if (!isCompositeType(type)) return isConnection(parent) && isCount(field) ? costOfList : reading;
    const below = `${path}${name} `;
    if (isConnection(type)) {
      const { first, last } = getArgumentValues(field, nodes[0], variables) as { first?: number; last?: number };
      // Within a list of its name, it counts as a full page: a document that goes in circles would multiply the guess.
      const assumed = (path.includes(` ${name} `) ? undefined : usual) ?? pageSize.defaultSize;
      const length = Math.min(Math.max(first ?? last ?? assumed, 1), most);
      return (isRead ? 1 : costOfList) + costBelow(type, nodes, length, below);
    }
    return reading + lengthOf(field, parent, page) * costBelow(type, nodes, 1, below);
  }

  const isIncluded = (selection: SelectionNode): boolean =>
    getDirectiveValues(GraphQLSkipDirective, selection, variables)?.if !== true &&
    getDirectiveValues(GraphQLIncludeDirective, selection, variables)?.if !== false;

  return costOfObject(schema.getRootType(operation.operation)!, [operation.selectionSet], 1, ' ');
}

/** Fields that types have without declaring them (GraphQL §4.1, §4.2). */
const introspectionFields = new Map<string, GraphQLField<unknown, unknown>>(
  [SchemaMetaFieldDef, TypeMetaFieldDef, TypeNameMetaFieldDef].map((field) => [field.name, field]),
);

const isConnection = ({ name }: GraphQLCompositeType) => name.endsWith('Connection');
const isCount = ({ name }: GraphQLField<unknown, unknown>) => name === 'count' || name === 'total';

/** How many items a field may have. The schema's description of itself counts once: other limits bound it. */
function lengthOf(field: GraphQLField<unknown, unknown>, parent: GraphQLObjectType, page: number): number {
  if (!isListType(getNullableType(field.type)) || parent.name.startsWith('__')) return 1;
  return isConnection(parent) ? page : usualLength;
}
