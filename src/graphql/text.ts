import { GraphQLError, type ValidationRule } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { isAllStorable, isStorable } from '../http/index.ts';

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

/** Refuses a request with such text in its variables, before anything is looked up by it. */
export function storableVariables(): Plugin {
  return {
    onParams({ params }) {
      // What isn’t an object is refused a step later.
      if (!isAllStorable((params as typeof params | null)?.variables))
        throw new GraphQLError(problem, unstorable({ http: { status: 400 } }));
    },
  };
}
