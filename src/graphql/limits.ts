import { GraphQLError, type ASTVisitor, type ValidationContext } from 'graphql';

/** The limits of one request. Every documented example stays far below. */
export const limits = {
  /** Characters of the document; of all documents in a batch together. */
  characters: 10_000,
  /** Depth of nested brackets, checked before parsing. */
  nesting: 100,
  /** Lexical tokens of one document: names, numbers, strings and punctuation. */
  tokens: 2_500,
  /** Fields, spreads and operations. Selections of a fragment count each time it is spread. */
  selections: 1_000,
  /** Pairs of fields of the same name, or of fragments, at the same position in the answer. */
  comparisons: 10_000,
  /** Levels of fields. */
  depth: 20,
  /** Fields with an alias. */
  aliases: 30,
  /** Operations in one batch. */
  batch: 10,
  /** What the operations of a request may cost together: see `complexityOf`. */
  complexity: 100_000,
} as const;

/** Complexity that counts as one more request against the rate limits: about a page of REST records. */
const complexityOfRequest = 2_500;

/** How many requests an operation counts for, in addition to one. */
export const surplusOf = (complexity: number): number => Math.floor(complexity / complexityOfRequest);

/**
 * Refuses documents that are too long, or nested so deep that the parser, which is recursive, would overflow the
 * stack.
 * @throws GraphQLError
 */
export function checkDocuments(documents: readonly string[]): void {
  if (documents.reduce((sum, { length }) => sum + length, 0) > limits.characters) throw tooLarge('Query too large');
  if (documents.some((document) => nestingOf(document) > limits.nesting)) {
    throw tooLarge(`Query has brackets nested more than ${limits.nesting} deep`);
  }
}

/** The refusal of a document that is too long to parse. */
export const tooLarge = (message: string, http: object = { status: 422 }) =>
  new GraphQLError(message, { extensions: { code: 'QUERY_TOO_LARGE', http } });

/**
 * The depth of nested brackets. Brackets in strings and comments count too: a hundred levels make no sense there
 * either.
 */
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

/** Validation rule: introspection fields can't have an alias. Each has one answer, and nested lists of it get long. */
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
