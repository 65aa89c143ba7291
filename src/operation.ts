import {
  execute,
  getOperationAST,
  GraphQLError,
  Kind,
  NoDeprecatedCustomRule,
  parse,
  specifiedRules,
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
import { once } from './values/once.ts';

export { appliesTo } from './execution/index.ts';

/**
 * An operation of the schema, parsed once, and validated by the build. Every door except `/graphql` reaches the domain
 * through operations.
 */
export interface Operation<Data = Record<string, unknown>> {
  readonly source: string;
  readonly document: DocumentNode;
  /**
   * Checks that the viewer may run it, before anything is looked up.
   * @throws Unauthenticated, InsufficientScope, Forbidden
   */
  admit(context: Context): void;
  /** The prefetch: its first read, if that is known before the viewer is. */
  prefetch(variables: Record<string, unknown>): Prefetch | undefined;
  /** Runs the operation. @throws the error of the resolver: a domain error, or a programming error */
  execute(context: Context, variables: Record<string, unknown>): Promise<Data>;
}

/**
 * Whether operations are validated when they are compiled. In a bundle, the build has validated those of the doors
 * (`src/check.ts`), and tests those of commands: all those of the pages take a second.
 */
let validates = process.env.NODE_ENV !== 'production';

/** Validates from now on, in a bundle too. */
export function validateOperations(): void {
  validates = true;
}

/** The gateway's own operations use no deprecated names. */
const rules = [...specifiedRules, NoDeprecatedCustomRule];

/** Those compiled, which the gateways of one process share. */
const compiled = new WeakMap<GraphQLSchema, Map<string, Operation<never>>>();

/**
 * Parses an operation of the gateway itself: one of a fixed number, which are kept.
 * @throws GraphQLError if it doesn't fit the schema, which fails the build
 */
export function compileOperation<Data>(schema: GraphQLSchema, source: string): Operation<Data> {
  const known = compiled.get(schema) ?? new Map<string, Operation<never>>();
  compiled.set(schema, known);
  const operation = known.get(source) ?? compile<never>(schema, source);
  known.set(source, operation);
  return operation as Operation<never> as Operation<Data>;
}

function compile<Data>(schema: GraphQLSchema, source: string): Operation<Data> {
  const document = parse(source, { noLocation: true });
  const [problem] = validates ? validate(schema, document, rules) : [];
  if (problem) throw new GraphQLError(`${problem.message} In the operation: ${source}`);
  const admissions = rootFields(schema, document).map(({ extensions }) => extensions.admission as Admission);
  // Pages have hundreds of operations, most of which one process never runs.
  const executor = once(() => executorOf(schema, document));
  if (validates) executor();
  return {
    source,
    document,
    admit: ({ viewer }) => admissions.forEach((admission) => admit(viewer, admission)),
    prefetch: prefetchOf(schema, document),
    async execute(context, variables) {
      const { data, errors } = await executor()(context, variables);
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

/** The fastest executor for an operation that is run often: its plan, if it has one. */
export function executorOf(schema: GraphQLSchema, document: DocumentNode, operationName?: string): Executor {
  const interpreter = interpreterOf(schema, document, operationName);
  const planned = plansOf(
    schema,
    document,
    (plan, decided) => begun(decided, operationName, (context, variables) => runPlan(plan, context, variables)),
    operationName,
  );
  return (context, variables) => (planned(variables) ?? interpreter)(context, variables);
}

/**
 * graphql's own executor, which interprets the document each time. For an operation that runs once, that costs less
 * than a plan.
 */
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

/** The root fields of an operation of the gateway. @throws Error for a fragment or an unknown field at the root */
function rootFields(schema: GraphQLSchema, document: DocumentNode): GraphQLField<unknown, unknown>[] {
  const { operation, selectionSet } = getOperationAST(document)!;
  const fields = schema.getRootType(operation)!.getFields();
  return selectionSet.selections.map((selection) => {
    const field = selection.kind === Kind.FIELD ? fields[selection.name.value] : undefined;
    if (!field) throw new Error('An operation of the gateway asks for fields at the root, by their names.');
    return field;
  });
}

/** Returns the prefetch of an operation: that of its first root field. Other fields read when they are resolved. */
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
