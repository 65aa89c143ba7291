import { hash } from 'node:crypto';
import {
  getOperationAST,
  Kind,
  parse,
  validate,
  visit,
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type ValidationRule,
} from 'graphql';
import { createLRUCache } from 'graphql-yoga';
import { aheadOf, executorOf, interpreterOf, type Executor, type Operation } from '../operation.ts';
import { checkDocuments, complexityOf } from './limits.ts';
import { notesOf, type OperationNotes } from './notes.ts';
import { rulesFor } from './rules.ts';

/** An operation of a document, ready to run. */
export interface KnownOperation {
  readonly run: Executor;
  readonly ahead: Operation['ahead'];
  readonly notes: OperationNotes;
  /** How many fields may be answered; see `limits`. */
  complexity(variables: Record<string, unknown>): number;
}

/** Documents that are remembered; each has at most as many characters as `limits` allows. */
const most = 1_000;
/** Documents of which it is known that they were sent once, by their digests. */
const mostSeen = 10_000;

/**
 * The documents that clients have sent. Parsing and checking a document costs more than
 * most documents cost to answer, and clients send few different ones. It is remembered
 * when it comes a second time: one that was put together for a single question would
 * only push out those that come again.
 */
export class Documents {
  readonly #schema: GraphQLSchema;
  readonly #rules: readonly ValidationRule[];
  readonly #known = createLRUCache<Document>({ max: most });
  readonly #seen = createLRUCache<true>({ max: mostSeen });

  /** @param rules what a document must obey besides those of GraphQL itself */
  constructor(schema: GraphQLSchema, rules: readonly ValidationRule[]) {
    this.#schema = schema;
    this.#rules = rules;
  }

  /**
   * The operation of a document that a request asks for; undefined where anything
   * about it is to be refused, or it is a subscription.
   */
  find(source: string, operationName: string | undefined): KnownOperation | undefined {
    const known = this.#known.get(source);
    const prepared = known?.operations.get(operationName);
    if (prepared) return prepared;
    const document = known ?? this.#read(source);
    const operation = document && getOperationAST(document.parsed, operationName);
    if (!operation || operation.operation === 'subscription') return undefined;
    const comesAgain = this.#comesAgain(source);
    const made = this.#prepare(document.parsed, operation, operationName, comesAgain);
    document.operations.set(operationName, made);
    if (comesAgain) this.#known.set(source, document);
    return made;
  }

  #comesAgain(source: string): boolean {
    // The text itself would keep alive the whole request that it came in.
    const digest = hash('sha256', source, 'base64');
    if (this.#seen.get(digest)) return true;
    this.#seen.set(digest, true);
    return false;
  }

  #read(source: string): Document | undefined {
    try {
      checkDocuments([source]);
      const parsed = parse(source);
      const problems = validate(this.#schema, parsed, [...rulesFor(parsed), ...this.#rules]);
      return problems.length > 0 ? undefined : { parsed, operations: new Map() };
    } catch {
      return undefined;
    }
  }

  /** @param comesAgain a plan costs more than it saves a document that is sent once */
  #prepare(document: DocumentNode, operation: OperationDefinitionNode, operationName: string | undefined, comesAgain: boolean): KnownOperation {
    return {
      run: (comesAgain ? executorOf : interpreterOf)(this.#schema, document, operationName),
      ahead: aheadOf(this.#schema, document, operationName),
      notes: notesOf(operation),
      complexity: this.#measure(document, operationName),
    };
  }

  /** Counted once, unless a variable says how long a page is or what is left out. */
  #measure(document: DocumentNode, operationName: string | undefined): KnownOperation['complexity'] {
    const measure = (variables: Record<string, unknown>) => complexityOf(this.#schema, document, variables, operationName);
    let varies = false;
    visit(document, {
      Directive: () => void (varies = true),
      Argument: ({ name, value }) => void (varies ||= (name.value === 'first' || name.value === 'last') && value.kind === Kind.VARIABLE),
    });
    if (varies) return measure;
    let once: number | undefined;
    return (variables) => (once ??= measure(variables));
  }
}

interface Document {
  readonly parsed: DocumentNode;
  /** By the name that was asked for: undefined where there is only one. */
  readonly operations: Map<string | undefined, KnownOperation>;
}
