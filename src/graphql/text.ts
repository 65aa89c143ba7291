import { GraphQLError, type ValidationRule } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { isAllStorable } from '../http/index.ts';
import { isStorable } from '../values/text/storable.ts';

const unstorable = (status: { readonly http?: { readonly status: number } } = {}) => ({
  extensions: { code: 'BAD_REQUEST', ...status },
});
const problem = 'Text can’t contain a NUL character or half of a surrogate pair.';

/** Refuses text in a document that PostgreSQL can't store. */
export const textRule: ValidationRule = (context) => ({
  StringValue(node) {
    if (!isStorable(node.value)) context.reportError(new GraphQLError(problem, { nodes: node, ...unstorable() }));
  },
});

/** Refuses such text in variables, before they are used in a look-up. */
export function storableVariables(): Plugin {
  return {
    onParams({ params }) {
      // Parameters that aren't an object are refused in a later step.
      if (!isAllStorable((params as typeof params | null)?.variables))
        throw new GraphQLError(problem, unstorable({ http: { status: 400 } }));
    },
  };
}
