import type { GraphQLSchema } from 'graphql';
import { compileOperation, type Operation } from '../../operation.ts';

/**
 * Compiles a mutation that has one input.
 * @param selection what a page reads of its payload
 * @param type of the input; it is named after the mutation by default
 */
export const compileMutation = <Payload = object>(
  schema: GraphQLSchema,
  name: string,
  selection = 'clientMutationId',
  type = `${name[0]!.toUpperCase()}${name.slice(1)}Input`,
): Operation<{ readonly done: Payload }> =>
  compileOperation(schema, `mutation ($input: ${type}!) { done: ${name}(input: $input) { ${selection} } }`);
