import {
  execute,
  getOperationAST,
  GraphQLError,
  parse,
  validate,
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  type GraphQLSchema,
} from 'graphql';
import type { Context } from './context.ts';
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
  const admissions = rootAdmissions(schema, document);
  return {
    source,
    document,
    admit: ({ viewer }) => admissions.forEach((admission) => admit(viewer, admission)),
    async execute(contextValue, variableValues) {
      const { data, errors }: ExecutionResult = await execute({ schema, document, contextValue, variableValues });
      if (errors) throw errors[0]!.originalError ?? errors[0]!;
      return data as Data;
    },
  };
}

function rootAdmissions(schema: GraphQLSchema, document: DocumentNode): Admission[] {
  const operation = getOperationAST(document)!;
  const fields = schema.getRootType(operation.operation)!.getFields();
  return operation.selectionSet.selections.map(
    (selection) => fields[(selection as FieldNode).name.value]!.extensions.admission as Admission,
  );
}
