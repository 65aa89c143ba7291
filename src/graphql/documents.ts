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
import { checkDocuments, complexityOf, limits, tooLarge } from './limits.ts';
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
 * A document as far as it was read. One is made for a request and handed from the plain
 * way to Yoga's, so that a document is parsed and validated once at most.
 */
export interface Reading {
  readonly source: string;
  /** SHA-256 of it. */
  readonly digest: string;
  /** Undefined where it can't be parsed, or is refused before it is validated. */
  readonly document: DocumentNode | undefined;
  /** Why it is refused; empty where it isn't, undefined before it is validated. */
  problems: readonly GraphQLError[] | undefined;
  readonly extent: Extent;
  /** Whether it was answered before, and is worth a plan. */
  readonly comesAgain: boolean;
  /** Whether it was noted, or is remembered. */
  isKept: boolean;
  /** By the name that was asked for: undefined where there is only one. */
  readonly operations: Map<string | undefined, KnownOperation>;
}

/** Bytes of the documents that are remembered, with their plans: some seven hundred like the examples of GraphiQL. */
export const maxBytes = 16 * 1024 * 1024;
/** Bytes of the digests of documents that were answered once: ten thousand of them. */
const maxSeen = 3_000_000;
/** Most problems of a document that an answer lists: finding similar names for each takes time. */
const maxProblems = 20;

/**
 * The documents that clients have sent. Parsing and checking a document costs more than
 * most documents cost to answer, and clients send few different ones. It is remembered
 * when it comes a second time: one that was put together for a single question would
 * only push out those that come again. What was refused isn't remembered at all.
 */
export class Documents {
  readonly #schema: GraphQLSchema;
  readonly #rules: readonly ValidationRule[];
  readonly #known = new Remembered<Reading>(maxBytes);
  readonly #seen = new Remembered<true>(maxSeen);

  /** @param rules what a document must obey besides those of GraphQL itself */
  constructor(schema: GraphQLSchema, rules: readonly ValidationRule[]) {
    this.#schema = schema;
    this.#rules = rules;
  }

  /** Bytes that the remembered documents hold, as estimated. */
  get weight(): number {
    return this.#known.weight;
  }

  /** Finds a document, or parses it and counts what it asks for. It isn't validated yet. Never throws. */
  read(source: string): Reading {
    const known = this.#known.get(source);
    if (known) return known;
    // The text itself would keep alive the whole request that it came in.
    const digest = hash('sha256', source, 'base64');
    const comesAgain = this.#seen.get(digest) === true;
    try {
      const document = parseBounded(source);
      const extent = measure(document);
      if (comesAgain) dropTokens(document);
      // It was valid then, and the schema is the same.
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

  /** Why a document is refused, if it is: the rules of GraphQL and ours, asked once. */
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
   * The operation of a document that a request asks for; undefined where there is none,
   * or it is a subscription. It may be run when the document has no problems.
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

  /** Remembers a document that is being answered: that it came or, when it comes again, what was made of it. */
  keep(reading: Reading): void {
    if (reading.isKept) return;
    reading.isKept = true;
    const { source, digest, comesAgain } = reading;
    if (comesAgain) this.#known.set(source, reading, weightOf(reading));
    else this.#seen.set(digest, true, 2 * digest.length);
  }

  /** @param comesAgain a plan costs more than it saves a document that is sent once */
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

  /** Counted once, unless a variable says how long a page is or what is left out. */
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

/** With the code and the status of a document that is refused, as Yoga has them, unless it brings its own. */
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
    // graphql says it as an error of syntax, which it isn't.
    if ((error as Error).message.startsWith('Syntax Error: Document contains more'))
      throw tooLarge(`Query has more than ${limits.tokens} tokens`, { spec: true, status: 400 });
    throw error;
  }
}

/**
 * Leaves of each node's location what errors say: where it begins. The tokens that it also
 * holds, each with its neighbours, weigh several times the document.
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

/** Bytes for each token of a document, with its nodes, and for each selection of a plan; measured, and rounded up. */
const bytesOf = { document: 4_000, character: 2, token: 150, selection: 1_200 };
/** Plans that there are of one operation, by what its directives decide. */
const ways = 8;

function weightOf({ source, document, extent }: Reading): number {
  let decides = false;
  visit(document!, { Directive: () => void (decides = true) });
  const planned = extent.selections * bytesOf.selection + document!.tokenCount! * bytesOf.token;
  return bytesOf.document + source.length * bytesOf.character + planned * (decides ? ways : 1);
}
