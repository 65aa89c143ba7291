import {
  getNamedType,
  GraphQLError,
  isListType,
  isNonNullType,
  type ASTVisitor,
  type DocumentNode,
  type GraphQLSchema,
  type ValidationContext,
} from 'graphql';
import { getComplexity, type ComplexityEstimator } from 'graphql-query-complexity';

/** What one request may ask for. Every documented example stays far below. */
export const limits = {
  /** Characters of the document, all documents of a batch together. */
  characters: 10_000,
  /** Depth of nested brackets, checked before parsing. */
  nesting: 100,
  /** Words, numbers, texts and signs of one document. */
  tokens: 2_500,
  /** Fields, spreads and operations; those of a fragment are counted wherever it is spread. */
  selections: 1_000,
  /** Pairs of fields of one name in the same place, or of fragments. */
  comparisons: 10_000,
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

/** Extra requests that this operation counts for, beyond one. */
export const surplusOf = (complexity: number): number => Math.floor(complexity / complexityOfRequest);

/**
 * Refuses texts that are too long to be read, or so nested that a parser, which
 * follows brackets by recursion, would run out of stack.
 * @throws GraphQLError
 */
export function checkDocuments(documents: readonly string[]): void {
  if (documents.reduce((sum, { length }) => sum + length, 0) > limits.characters) throw tooLarge('Query too large');
  if (documents.some((document) => nestingOf(document) > limits.nesting)) {
    throw tooLarge(`Query has brackets nested more than ${limits.nesting} deep`);
  }
}

/** A refusal of what is too long to be read. */
export const tooLarge = (message: string, http: object = { status: 422 }) =>
  new GraphQLError(message, { extensions: { code: 'QUERY_TOO_LARGE', http } });

/** Counts brackets in texts and comments too, where a hundred levels are just as absurd. */
function nestingOf(document: string): number {
  let deepest = 0;
  let open = 0;
  for (let at = 0; at < document.length; at++) {
    switch (document[at]) {
      case '{':
      case '(':
      case '[':
        if (++open > deepest) deepest = open;
        break;
      case '}':
      case ')':
      case ']':
        open--;
    }
  }
  return deepest;
}

/**
 * Validation rule: fields that describe the schema can't be renamed. Each has only one
 * answer, and lists of lists of it are long.
 */
export function aliasRule(context: ValidationContext): ASTVisitor {
  return {
    Field(field) {
      if (!field.alias || field.alias.value === field.name.value) return;
      if (field.name.value === '__schema' || context.getParentType()?.name.startsWith('__')) {
        context.reportError(
          new GraphQLError(`The field ${field.name.value} of the schema can't be renamed`, { nodes: field }),
        );
      }
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
    throw new GraphQLError(
      `Query has complexity of ${complexity}, which exceeds max complexity of ${limits.complexity}`,
      {
        extensions: { code: 'TOO_COMPLEX' },
      },
    );
  }
}
