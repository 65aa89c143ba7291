import {
  execute,
  getNamedType,
  getOperationAST,
  GraphQLError,
  isObjectType,
  Kind,
  parse,
  TypeInfo,
  validate,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  type GraphQLField,
  type GraphQLSchema,
} from 'graphql';
import { attached, begin, type Ahead, type Context, type ReadsFirst } from './context.ts';
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
  ahead(variables: Record<string, unknown>): Ahead | undefined;
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
    ahead: aheadOf(schema, document),
    async execute(context, variables) {
      const { data, errors } = await run(context, variables);
      if (errors) throw errors[0]!.originalError ?? errors[0]!;
      return data as Data;
    },
  };
}

/** Runs an operation of a valid document. */
export type Executor = (context: Context, variables: Record<string, unknown>) => ExecutionResult | Promise<ExecutionResult>;

/** The quickest way to run an operation of a valid document: its plan, or graphql's own executor where there is none. */
export function executorOf(schema: GraphQLSchema, document: DocumentNode, operationName?: string): Executor {
  const planFor = plansOf(schema, document, operationName);
  const run: Executor = (contextValue, variableValues) => {
    const plan = planFor(variableValues);
    return plan ? runPlan(plan, contextValue, variableValues) : execute({ schema, document, contextValue, variableValues, operationName });
  };
  const reads = getOperationAST(document, operationName)?.operation === 'query';
  const begun: Executor = (context, variables) => {
    begin(context, reads);
    return run(context, variables);
  };
  if (!reachesPrisma(schema, document)) return begun;
  return (context, variables) => attached(context, () => begun(context, variables));
}

/** Whether anything of a document is read by Prisma, whose statements find their request in another way. */
function reachesPrisma(schema: GraphQLSchema, document: DocumentNode): boolean {
  const types = new TypeInfo(schema);
  let found = false;
  visit(document, visitWithTypeInfo(types, {
    Field() {
      const type = getNamedType(types.getType());
      // What is read first is read by hand.
      if (isObjectType(type) && type.extensions.pothosPrismaModel !== undefined && !types.getFieldDef()?.extensions.readsFirst) found = true;
    },
  }));
  return found;
}

function rootFields(schema: GraphQLSchema, document: DocumentNode, operationName?: string): GraphQLField<unknown, unknown>[] {
  const operation = getOperationAST(document, operationName)!;
  const fields = schema.getRootType(operation.operation)!.getFields();
  return operation.selectionSet.selections.flatMap((selection) => fields[(selection as FieldNode).name?.value] ?? []);
}

/** The first field counts: what the others read is read when their turn comes. */
export function aheadOf(schema: GraphQLSchema, document: DocumentNode, operationName?: string): Operation['ahead'] {
  const selection = getOperationAST(document, operationName)?.selectionSet.selections[0];
  const readsFirst = rootFields(schema, document, operationName)[0]?.extensions.readsFirst as ReadsFirst | undefined;
  if (selection?.kind !== Kind.FIELD || !readsFirst) return () => undefined;
  const { arguments: given = [] } = selection;
  return (variables) => {
    const args: Record<string, unknown> = {};
    for (const { name, value } of given) args[name.value] = value.kind === Kind.VARIABLE ? variables[value.name.value] : valueFromASTUntyped(value, variables);
    return readsFirst(args);
  };
}
