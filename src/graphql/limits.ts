import {
  getNamedType,
  GraphQLError,
  isListType,
  isNonNullType,
  Kind,
  type ASTVisitor,
  type DocumentNode,
  type GraphQLSchema,
  type SelectionSetNode,
  type ValidationContext,
} from 'graphql';
import { getComplexity, type ComplexityEstimator } from 'graphql-query-complexity';

/** What one request may ask for. Every documented example stays far below. */
export const limits = {
  /** Characters of the document, all documents of a batch together. */
  characters: 10_000,
  /** Brackets of any kind within each other, while nothing is read yet. */
  nesting: 100,
  /** Levels of fields. */
  depth: 20,
  /** Fields under another name than their own. */
  aliases: 30,
  /** Operations in one batch. */
  batch: 10,
  /** Fields, each counted as often as it may be answered. */
  complexity: 10_000,
} as const;

/** Complexity that counts as one request more, where requests are limited. */
const complexityOfRequest = 500;

/** How many requests more an operation counts as than one. */
export const surplusOf = (complexity: number): number => Math.floor(complexity / complexityOfRequest);

/**
 * Refuses texts that are too long to be read, or so nested that a parser, which
 * follows brackets by recursion, would run out of stack.
 * @throws GraphQLError
 */
export function checkDocuments(documents: readonly string[]): void {
  const refuse = (message: string) => {
    throw new GraphQLError(message, { extensions: { code: 'QUERY_TOO_LARGE', http: { status: 422 } } });
  };
  if (documents.reduce((sum, { length }) => sum + length, 0) > limits.characters) refuse('Query too large');
  if (documents.some((document) => nestingOf(document) > limits.nesting)) {
    refuse(`Query has brackets nested more than ${limits.nesting} deep`);
  }
}

/** Also counts brackets in texts and comments: nobody nests them a hundred deep there either. */
function nestingOf(document: string): number {
  let deepest = 0;
  let open = 0;
  for (const [bracket] of document.matchAll(/[{}()[\]]/g)) {
    open += '{(['.includes(bracket) ? 1 : -1;
    deepest = Math.max(deepest, open);
  }
  return deepest;
}

/** Validation rule: how deep a document goes, fragments included. */
export function depthRule(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition(operation) {
      const depth = depthOf(operation.selectionSet, context, new Map(), new Set());
      if (depth > limits.depth) {
        context.reportError(new GraphQLError(`Query has depth of ${depth}, which exceeds max depth of ${limits.depth}`));
      }
    },
  };
}

/**
 * @param known depths of fragments that were measured already: each is walked once,
 * however often it is spread, so that a small document can't cost much work
 * @param open fragments on the way here: a cycle is another rule's to report
 */
function depthOf(
  { selections }: SelectionSetNode,
  context: ValidationContext,
  known: Map<string, number>,
  open: Set<string>,
): number {
  let deepest = 0;
  for (const selection of selections) {
    deepest = Math.max(deepest, depthOfSelection(selection));
  }
  return deepest;

  function depthOfSelection(selection: SelectionSetNode['selections'][number]): number {
    if (selection.kind === Kind.FIELD) {
      return 1 + (selection.selectionSet ? depthOf(selection.selectionSet, context, known, open) : 0);
    }
    if (selection.kind === Kind.INLINE_FRAGMENT) return depthOf(selection.selectionSet, context, known, open);
    const name = selection.name.value;
    const fragment = context.getFragment(name);
    if (!fragment || open.has(name)) return 0;
    let depth = known.get(name);
    if (depth === undefined) {
      open.add(name);
      depth = depthOf(fragment.selectionSet, context, known, open);
      open.delete(name);
      known.set(name, depth);
    }
    return depth;
  }
}

/**
 * Validation rule: how many fields are renamed. Those that describe the schema
 * can't be at all: each has only one answer, and lists of lists of it are long.
 */
export function aliasRule(context: ValidationContext): ASTVisitor {
  let aliases = 0;
  return {
    Field(field) {
      if (!field.alias || field.alias.value === field.name.value) return;
      aliases++;
      if (field.name.value === '__schema' || context.getParentType()?.name.startsWith('__')) {
        context.reportError(new GraphQLError(`The field ${field.name.value} of the schema can't be renamed`, { nodes: field }));
      }
    },
    Document: {
      leave() {
        if (aliases > limits.aliases) {
          context.reportError(new GraphQLError(`Query has ${aliases} aliases, which exceeds the max of ${limits.aliases}`));
        }
      },
    },
  };
}

/** How many items a list is taken to have where nothing says so. */
const usualList = 20;

/** A connection counts what is below it once for each item of the page. */
const estimate: ComplexityEstimator = ({ field, args, childComplexity, type }) => {
  if (type.name.startsWith('__') || field.name === 'edges' || field.name === 'nodes') return 1 + childComplexity;
  if (getNamedType(field.type).name.endsWith('Connection')) {
    const { first, last } = args as { first?: number | null; last?: number | null };
    return 1 + Math.min(Math.max(first ?? last ?? usualList, 1), 100) * childComplexity;
  }
  const nullable = isNonNullType(field.type) ? field.type.ofType : field.type;
  return 1 + (isListType(nullable) ? usualList : 1) * childComplexity;
};

/** How many fields an operation may be answered with. @throws GraphQLError for variables that don't fit */
export function complexityOf(
  schema: GraphQLSchema,
  query: DocumentNode,
  variables: Record<string, unknown>,
  operationName: string | undefined,
): number {
  return getComplexity({ schema, query, variables, estimators: [estimate], ...(operationName && { operationName }) });
}

/** @throws GraphQLError */
export function refuseComplexity(complexity: number): void {
  if (complexity > limits.complexity) {
    throw new GraphQLError(`Query has complexity of ${complexity}, which exceeds max complexity of ${limits.complexity}`, {
      extensions: { code: 'TOO_COMPLEX' },
    });
  }
}
