import {
  execute,
  getOperationAST,
  GraphQLError,
  Kind,
  parse,
  validate,
  valueFromASTUntyped,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLField,
  type GraphQLSchema,
} from 'graphql';
import { begin, type Prefetch, type Context, type PrefetchFor } from './context.ts';
import { plansOf, runPlan } from './execution/index.ts';
import { admit, type Admission } from './policy/index.ts';

/**
 * An operation of the schema, parsed and checked once, at start. It is how every
 * door but `/graphql` reaches the domain.
 */
export interface Operation<Data = Record<string, unknown>> {
  readonly source: string;
  readonly document: DocumentNode;
  /**
   * Lets the viewer pass or says why not, before anything is looked up.
   * @throws Unauthenticated, InsufficientScope, Forbidden
   */
  admit(context: Context): void;
  /** What it reads first, where that can be said before the viewer is known. */
  prefetch(variables: Record<string, unknown>): Prefetch | undefined;
  /**
   * Runs it.
   * @throws what the resolver threw: a domain error, or a programming error
   */
  execute(context: Context, variables: Record<string, unknown>): Promise<Data>;
}

/** @throws GraphQLError when the operation doesn't fit the schema; a start then fails */
export function compileOperation<Data>(schema: GraphQLSchema, source: string): Operation<Data> {
  const document = parse(source, { noLocation: true });
  const [problem] = validate(schema, document);
  if (problem) throw new GraphQLError(`${problem.message} In the operation: ${source}`);
  const admissions = rootFields(schema, document).map(({ extensions }) => extensions.admission as Admission);
  const run = executorOf(schema, document);
  return {
    source,
    document,
    admit: ({ viewer }) => admissions.forEach((admission) => admit(viewer, admission)),
    prefetch: prefetchOf(schema, document),
    async execute(context, variables) {
      const { data, errors } = await run(context, variables);
      if (errors) throw errors[0]!.originalError ?? errors[0]!;
      return data as Data;
    },
  };
}

/** Runs an operation of a valid document. */
export type Executor = (
  context: Context,
  variables: Record<string, unknown>,
) => ExecutionResult | Promise<ExecutionResult>;

/** The quickest way to run an operation that comes again: its plan, where it has one. */
export function executorOf(schema: GraphQLSchema, document: DocumentNode, operationName?: string): Executor {
  const interpreted = interpreterOf(schema, document, operationName);
  const planned = plansOf(
    schema,
    document,
    (plan, decided) => begun(decided, operationName, (context, variables) => runPlan(plan, context, variables)),
    operationName,
  );
  return (context, variables) => (planned(variables) ?? interpreted)(context, variables);
}

/** graphql's own executor, which works out the document each time: for one that may never come again, that is less than a plan. */
export function interpreterOf(schema: GraphQLSchema, document: DocumentNode, operationName?: string | null): Executor {
  return begun(document, operationName, (contextValue, variableValues) =>
    execute({ schema, document, contextValue, variableValues, operationName }),
  );
}

function begun(document: DocumentNode, operationName: string | null | undefined, run: Executor): Executor {
  const reads = getOperationAST(document, operationName)?.operation === 'query';
  return (context, variables) => {
    begin(context, reads);
    return run(context, variables);
  };
}

/** @throws Error for a selection at the root that isn't a field of the schema: the operations of the gateway have no other */
function rootFields(schema: GraphQLSchema, document: DocumentNode): GraphQLField<unknown, unknown>[] {
  const { operation, selectionSet } = getOperationAST(document)!;
  const fields = schema.getRootType(operation)!.getFields();
  return selectionSet.selections.map((selection) => {
    const field = selection.kind === Kind.FIELD ? fields[selection.name.value] : undefined;
    if (!field) throw new Error('An operation of the gateway asks for fields at the root, by their names.');
    return field;
  });
}

/** The first field counts: what the others read is read when their turn comes. */
export function prefetchOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName?: string,
): Operation['prefetch'] {
  const operation = getOperationAST(document, operationName);
  const first = operation?.selectionSet.selections[0];
  if (first?.kind !== Kind.FIELD) return () => undefined;
  const {
    name: { value: name },
    arguments: given = [],
  } = first;
  const prefetch = schema.getRootType(operation!.operation)?.getFields()[name]?.extensions.prefetch as
    | PrefetchFor
    | undefined;
  if (!prefetch) return () => undefined;
  return (variables) => {
    const args: Record<string, unknown> = {};
    for (const {
      name: { value: argument },
      value,
    } of given)
      args[argument] =
        value.kind === Kind.VARIABLE ? variables[value.name.value] : valueFromASTUntyped(value, variables);
    return prefetch(args);
  };
}
