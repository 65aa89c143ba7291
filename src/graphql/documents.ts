import { hash } from 'node:crypto';
import {
  getOperationAST,
  GraphQLError,
  Kind,
  parse,
  validate,
  visit,
  type DocumentNode,
  type GraphQLSchema,
  type Location,
  type OperationDefinitionNode,
  type ValidationRule,
} from 'graphql';
import { prefetchOf, executorOf, interpreterOf, type Executor, type Operation } from '../operation.ts';
import { counters } from '../counters.ts';
import { measure, type Extent } from './extent.ts';
import { complexityOf } from './complexity.ts';
import { checkDocuments, limits, tooLarge } from './limits.ts';
import { notesOf, type OperationNotes } from './notes.ts';
import { Remembered } from './remembered.ts';
import { rulesFor } from './rules.ts';

/** An operation of a document, ready to run. */
export interface KnownOperation {
  readonly run: Executor;
  readonly prefetch: Operation['prefetch'];
  readonly notes: OperationNotes;
  /** How many fields may be answered; see `limits`. */
  complexity(variables: Record<string, unknown>): number;
}

/**
 * A document and what has been worked out about it so far: parsed, validated, planned. A request makes one; the fast
 * lane passes it on to Yoga, so that a document is parsed and validated at most once.
 */
export interface Reading {
  readonly source: string;
  /** SHA-256 of the source. */
  readonly digest: string;
  /** The parsed document; undefined if it can't be parsed, or is refused before validation. */
  readonly document: DocumentNode | undefined;
  /** The validation errors: empty for a valid document, undefined before validation. */
  problems: readonly GraphQLError[] | undefined;
  readonly extent: Extent;
  /** Whether the document was answered before: then a plan is worth its cost. */
  readonly comesAgain: boolean;
  /** Whether `keep` was called: the digest or the document is cached. */
  isKept: boolean;
  /** Prepared operations by the requested name; undefined is the name of a document's only operation. */
  readonly operations: Map<string | undefined, KnownOperation>;
}

/** Size of the document cache in bytes, plans included: about 700 documents like the examples of GraphiQL. */
export const maxBytes = 16 * 1024 * 1024;
/** Size in bytes of the cache of digests of documents that were answered once: about 10,000. */
const maxSeen = 3_000_000;
/** Most validation errors reported for a document: finding similar names for each one takes time. */
const maxProblems = 20;

/**
 * The cache of documents that clients have sent. Parsing and validating usually costs more than answering, and clients
 * send few different documents. A document is cached when it comes a second time, so that documents sent only once
 * don't displace the others. Refused documents are never cached.
 */
export class Documents {
  readonly #schema: GraphQLSchema;
  readonly #rules: readonly ValidationRule[];
  readonly #known = new Remembered<Reading>(maxBytes);
  readonly #seen = new Remembered<true>(maxSeen);

  /** @param rules validation rules in addition to GraphQL's own */
  constructor(schema: GraphQLSchema, rules: readonly ValidationRule[]) {
    this.#schema = schema;
    this.#rules = rules;
  }

  /** The estimated size of the cached documents, in bytes. */
  get weight(): number {
    return this.#known.weight;
  }

  /** Finds a document in the cache, or parses it and measures its extent. Doesn't validate it. Never throws. */
  read(source: string): Reading {
    const known = this.#known.get(source);
    if (known) return known;
    // Keep a digest, not the text: that would keep the whole request it came in alive.
    const digest = hash('sha256', source, 'base64');
    const comesAgain = this.#seen.get(digest) === true;
    try {
      const document = parseBounded(source);
      const extent = measure(document);
      if (comesAgain) dropTokens(document);
      // No validation if it comes again: it was valid the first time, and the schema hasn't changed.
      return {
        source,
        digest,
        document,
        problems: comesAgain ? [] : undefined,
        extent,
        comesAgain,
        isKept: false,
        operations: new Map(),
      };
    } catch (error) {
      counters.documents.count('refused before validation');
      const problems = [coded(error as GraphQLError, 'GRAPHQL_PARSE_FAILED')];
      return {
        source,
        digest,
        document: undefined,
        problems,
        extent: { selections: 0, comparisons: 0 },
        comesAgain,
        isKept: false,
        operations: new Map(),
      };
    }
  }

  /** Validates a document, once, by the rules of GraphQL and ours. Returns the errors; empty if it is valid. */
  problemsOf(reading: Reading): readonly GraphQLError[] {
    if (!reading.problems) {
      counters.documents.count('validated');
      const document = reading.document!;
      const found = validate(this.#schema, document, [...rulesFor(document), ...this.#rules], {
        maxErrors: maxProblems,
      });
      reading.problems = found.map((problem) => coded(problem, 'GRAPHQL_VALIDATION_FAILED'));
    }
    return reading.problems;
  }

  /**
   * The requested operation of a document. Undefined if the document has no such operation, or it is a subscription.
   * Run it only if the document is valid.
   */
  operationOf(reading: Reading, operationName: string | undefined): KnownOperation | undefined {
    const prepared = reading.operations.get(operationName);
    if (prepared) return prepared;
    const operation = reading.document && getOperationAST(reading.document, operationName);
    if (!operation || operation.operation === 'subscription') return undefined;
    const made = this.#prepare(reading.document!, operation, operationName, reading.comesAgain);
    reading.operations.set(operationName, made);
    return made;
  }

  /**
   * Caches a document that is being answered: its digest the first time, the document with its plans the second time.
   */
  keep(reading: Reading): void {
    if (reading.isKept) return;
    reading.isKept = true;
    const { source, digest, comesAgain } = reading;
    if (comesAgain) this.#known.set(source, reading, weightOf(reading));
    else this.#seen.set(digest, true, 2 * digest.length);
  }

  /** @param comesAgain whether to make a plan: for a document that is sent once, it costs more than it saves */
  #prepare(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    operationName: string | undefined,
    comesAgain: boolean,
  ): KnownOperation {
    return {
      run: (comesAgain ? executorOf : interpreterOf)(this.#schema, document, operationName),
      prefetch: prefetchOf(this.#schema, document, operationName),
      notes: notesOf(operation),
      complexity: this.#measure(document, operationName),
    };
  }

  /**
   * The complexity of an operation. Computed once, unless it depends on variables: a page's length, or a directive.
   */
  #measure(document: DocumentNode, operationName: string | undefined): KnownOperation['complexity'] {
    const measured = (variables: Record<string, unknown>) =>
      complexityOf(this.#schema, document, variables, operationName);
    let varies = false;
    visit(document, {
      Directive: () => void (varies = true),
      Argument: ({ name, value }) =>
        void (varies ||= (name.value === 'first' || name.value === 'last') && value.kind === Kind.VARIABLE),
    });
    if (varies) return measured;
    let once: number | undefined;
    return (variables) => (once ??= measured(variables));
  }
}

/** Adds the code and the HTTP status of a refused document, as Yoga does, unless the error has its own. */
function coded(problem: GraphQLError, code: string): GraphQLError {
  const { http, ...given } = problem.extensions;
  Object.assign(problem.extensions, { code, http: http ?? { spec: true, status: 400 }, ...given });
  return problem;
}

/** @throws GraphQLError */
function parseBounded(source: string): DocumentNode {
  checkDocuments([source]);
  counters.documents.count('parsed');
  try {
    return parse(source, { maxTokens: limits.tokens });
  } catch (error) {
    // graphql reports this as a syntax error, which it isn't.
    if ((error as Error).message.startsWith('Syntax Error: Document contains more'))
      throw tooLarge(`Query has more than ${limits.tokens} tokens`, { spec: true, status: 400 });
    throw error;
  }
}

/**
 * Reduces each node's location to its offsets, which is all that errors need. The linked tokens that it drops take
 * several times the memory of the document.
 */
function dropTokens(document: DocumentNode): void {
  visit(document, {
    enter(node) {
      const { start, end, source } = node.loc!;
      (node as { loc?: Location | undefined }).loc =
        node.kind === Kind.NAME ? undefined : ({ start, end, source } as Location);
    },
  });
}

/**
 * Estimated bytes of a cached document: a fixed part, and for each character, token (with its nodes) and selection of
 * a plan. Measured and rounded up.
 */
const bytesOf = { document: 4_000, character: 2, token: 150, selection: 1_200 };
/** Most plans of one operation with directives: one for each combination of its conditions. */
const ways = 8;

function weightOf({ source, document, extent }: Reading): number {
  let decides = false;
  visit(document!, { Directive: () => void (decides = true) });
  const planned = extent.selections * bytesOf.selection + document!.tokenCount! * bytesOf.token;
  return bytesOf.document + source.length * bytesOf.character + planned * (decides ? ways : 1);
}
