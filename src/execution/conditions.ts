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
 * Operations in which `@skip` and `@include` decide what is answered: a plan has no
 * room for them, so there is one for each way in which they can be decided.
 */

/** Variables that decide something; with more of them there would be too many plans. */
const maxVariables = 3;

/**
 * Plans an operation of a valid document, as far as it can be: each way when it is first asked for.
 * @param make what is made of a plan, and of the document as it was decided
 * @returns what was made, for the variables of a request; undefined where there is no plan
 */
export function plansOf<Made>(
  schema: GraphQLSchema,
  document: DocumentNode,
  make: (plan: Plan, document: DocumentNode) => Made,
  operationName?: string,
): (variables: Record<string, unknown>) => Made | undefined {
  const madeOf = (values: Record<string, boolean>) => {
    const without = decided(document, values);
    const plan = planOperation(schema, without, operationName);
    return plan && make(plan, without);
  };
  const deciding = decidingVariables(document);
  if (!deciding || deciding.length > maxVariables) return () => undefined;
  if (deciding.length === 0) {
    const made = madeOf({});
    return () => made;
  }
  const defaults = defaultsOf(document, operationName);
  const ways = new Map<string, Made | undefined>();
  return (variables) => {
    const values: Record<string, boolean> = {};
    let way = '';
    for (const name of deciding) {
      const value = Object.hasOwn(variables, name) ? variables[name] : defaults[name];
      // Whatever is wrong with it, graphql's own executor says.
      if (typeof value !== 'boolean') return undefined;
      values[name] = value;
      way += value ? '1' : '0';
    }
    if (!ways.has(way)) ways.set(way, madeOf(values));
    return ways.get(way);
  };
}

const isCondition = ({ name }: DirectiveNode) => name.value === 'skip' || name.value === 'include';

/** The names of the variables that decide what is answered; undefined where a directive says something else. */
function decidingVariables(document: DocumentNode): string[] | undefined {
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

/** What variables are where a request leaves them out. */
function defaultsOf(document: DocumentNode, operationName: string | undefined): Record<string, unknown> {
  const definitions = getOperationAST(document, operationName)?.variableDefinitions ?? [];
  const value = (given: ConstValueNode | undefined) => (given?.kind === Kind.BOOLEAN ? given.value : undefined);
  return Object.fromEntries(
    definitions.map(({ variable, defaultValue }) => [variable.name.value, value(defaultValue)]),
  );
}

/** The document without its conditions, and without what they leave out (GraphQL §3.13). */
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
