import {
  getOperationAST,
  Kind,
  visit,
  type ConstValueNode,
  type DirectiveNode,
  type DocumentNode,
  type GraphQLSchema,
} from 'graphql';
import { planOperation, type Plan } from './plan.ts';

/**
 * Plans of operations with `@skip` and `@include`. A plan can't contain conditions, so there is one plan for each
 * combination of their variables' values.
 */

/** Plans of one document, at most: those of the combinations that occur first. All others are left to graphql's executor. */
const mostPlans = 8;

/**
 * Plans an operation of a valid document, for each combination of conditions when it first occurs.
 * @param make makes the result from a plan, and from the document without its conditions
 * @returns a function from a request's variables to the result; undefined if there is no plan
 */
export function plansOf<Made>(
  schema: GraphQLSchema,
  document: DocumentNode,
  make: (plan: Plan, document: DocumentNode) => Made,
  operationName?: string,
): (variables: Record<string, unknown>) => Made | undefined {
  const madeOf = (values: Record<string, boolean>) => {
    const unconditional = decided(document, values);
    const plan = planOperation(schema, unconditional, operationName);
    return plan && make(plan, unconditional);
  };
  const names = conditionVariables(document);
  if (!names) return () => undefined;
  if (names.length === 0) {
    const made = madeOf({});
    return () => made;
  }
  const defaults = defaultsOf(document, operationName);
  const ways = new Map<string, Made | undefined>();
  return (variables) => {
    const values: Record<string, boolean> = {};
    let way = '';
    for (const name of names) {
      const value = Object.hasOwn(variables, name) ? variables[name] : defaults[name];
      // Leave it to graphql's own executor, which reports the error.
      if (typeof value !== 'boolean') return undefined;
      values[name] = value;
      way += value ? '1' : '0';
    }
    if (!ways.has(way) && ways.size < mostPlans) ways.set(way, madeOf(values));
    return ways.get(way);
  };
}

const isCondition = ({ name }: DirectiveNode) => name.value === 'skip' || name.value === 'include';

/** The names of the variables in conditions; undefined if there are other directives. */
function conditionVariables(document: DocumentNode): string[] | undefined {
  const names = new Set<string>();
  let others = false;
  visit(document, {
    Directive(directive) {
      if (!isCondition(directive)) others = true;
      const value = directive.arguments?.[0]?.value;
      if (value?.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return others ? undefined : [...names];
}

/** The default values of Boolean variables. */
function defaultsOf(document: DocumentNode, operationName: string | undefined): Record<string, unknown> {
  const definitions = getOperationAST(document, operationName)?.variableDefinitions ?? [];
  const value = (given: ConstValueNode | undefined) => (given?.kind === Kind.BOOLEAN ? given.value : undefined);
  return Object.fromEntries(
    definitions.map(({ variable, defaultValue }) => [variable.name.value, value(defaultValue)]),
  );
}

/** The document without its conditions, and without the selections that they exclude (GraphQL §3.13). */
function decided(document: DocumentNode, variables: Record<string, boolean>): DocumentNode {
  const isOut = ({ name, arguments: [argument] = [] }: DirectiveNode) => {
    const given = argument?.value;
    const value =
      given?.kind === Kind.VARIABLE ? variables[given.name.value] : given?.kind === Kind.BOOLEAN && given.value;
    return (name.value === 'skip') === value;
  };
  const decide = <Node extends { readonly directives?: readonly DirectiveNode[] }>(
    node: Node,
  ): Node | null | undefined => {
    if (!node.directives || node.directives.length === 0) return undefined;
    return node.directives.some(isOut) ? null : { ...node, directives: [] };
  };
  return visit(document, { Field: decide, InlineFragment: decide, FragmentSpread: decide });
}
