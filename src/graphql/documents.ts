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

/** An operation of a document that was sent before, ready to run. */
export interface KnownOperation {
  readonly run: Executor;
  readonly ahead: Operation['ahead'];
  readonly notes: OperationNotes;
  /** How many fields may be answered; see `limits`. */
  complexity(variables: Record<string, unknown>): number;
}

/** Documents that are remembered; each has at most as many characters as `limits` allows. */
const most = 1_000;

/**
 * The documents that clients have sent. Parsing and checking a document costs more than
 * most documents cost to answer, and clients send few different ones.
 */
export class Documents {
  readonly #schema: GraphQLSchema;
  readonly #rules: readonly ValidationRule[];
  readonly #known = createLRUCache<Document>({ max: most });

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
    let document = this.#known.get(source);
    if (!document) {
      const parsed = this.#read(source);
      if (!parsed) return undefined;
      document = { parsed, operations: new Map() };
      this.#known.set(source, document);
    }
    const prepared = document.operations.get(operationName);
    if (prepared) return prepared;
    const operation = getOperationAST(document.parsed, operationName);
    if (!operation || operation.operation === 'subscription') return undefined;
    const made = this.#prepare(document.parsed, operation, operationName);
    document.operations.set(operationName, made);
    return made;
  }

  #read(source: string): DocumentNode | undefined {
    try {
      checkDocuments([source]);
      const document = parse(source);
      return validate(this.#schema, document, [...rulesFor(document), ...this.#rules]).length > 0 ? undefined : document;
    } catch {
      return undefined;
    }
  }

  #prepare(document: DocumentNode, operation: OperationDefinitionNode, operationName: string | undefined): KnownOperation {
    return {
      run: this.#executor(document, operationName),
      ahead: aheadOf(this.#schema, document, operationName),
      notes: notesOf(operation),
      complexity: this.#measure(document, operationName),
    };
  }

  /** A plan costs more than it saves a document that is never sent again: the first time goes without. */
  #executor(document: DocumentNode, operationName: string | undefined): Executor {
    const schema = this.#schema;
    let times = 0;
    let run = interpreterOf(schema, document, operationName);
    return (context, variables) => {
      if (++times === 2) run = executorOf(schema, document, operationName);
      return run(context, variables);
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
