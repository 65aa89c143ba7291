import { getOperationAST, type DocumentNode, type ExecutionArgs, type GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../context.ts';
import { counters } from '../counters.ts';
import type { Exchange } from '../http/index.ts';
import type { Limits } from '../limits/index.ts';
import { interpreterOf } from '../operation.ts';
import { toRefusal, type Served } from './admission.ts';
import type { Documents, Reading } from './documents.ts';
import { complexityOf } from './complexity.ts';
import { refuseComplexity, surplusOf } from './limits.ts';
import { noteOperation, notesOf } from './notes.ts';

/** Yoga's steps from a document to a result: parsing and validating, cost limits, execution, masking of errors. */
export interface OperationSteps {
  readonly plugins: readonly Plugin<Served>[];
  /** Checks the cost of an operation before it runs, and counts it against the rate limits. @throws GraphQLError */
  afford(args: ExecutionArgs): Promise<void>;
}

/** @param mask masks errors for the client */
export function operationSteps(
  documents: Documents,
  requestLimits: Limits,
  mask: (exchange: Exchange, errors: readonly unknown[]) => GraphQLError[],
): OperationSteps {
  /** The reading of each document that was passed to Yoga: Yoga's hooks see only the document. */
  const readings = new WeakMap<DocumentNode, Reading>();
  /** The complexity of what a request has run so far: the operations of a batch share the limit. */
  const spent = new WeakMap<Exchange, number>();

  async function afford({
    schema,
    document,
    variableValues,
    operationName,
    contextValue,
  }: ExecutionArgs): Promise<void> {
    const { exchange, domain } = contextValue as Required<Served>;
    const cost = complexityOf(schema, document, variableValues ?? {}, operationName ?? undefined);
    noteOperation(exchange.notes, notesOf(getOperationAST(document, operationName)), cost);
    const total = (spent.get(exchange) ?? 0) + cost;
    refuseComplexity(total);
    spent.set(exchange, total);
    try {
      await requestLimits.more(exchange, domain.viewer, surplusOf(cost));
    } catch (thrown) {
      throw toRefusal(thrown);
    }
    documents.keep(readings.get(document)!);
  }

  /** Parses and validates by `Documents`, once for both lanes. */
  const reading: Plugin<Served> = {
    onParse({ context, setParseFn }) {
      setParseFn((source) => {
        const { reading: known } = context as unknown as Served;
        const read = known && known.source === source ? known : documents.read(String(source));
        if (!read.document) throw read.problems![0]!;
        readings.set(read.document, read);
        return read.document;
      });
    },
    onValidate({ params, setResult }) {
      setResult(documents.problemsOf(readings.get(params.documentAST)!));
    },
  };

  /**
   * Refuses operations that cost too much, and executes the others as every door does: fields stay in order (GraphQL
   * §7.2.2).
   */
  const execution: Plugin<Served> = {
    async onExecute({ args, setExecuteFn, setResultAndStopExecution }) {
      setExecuteFn(({ schema, document, operationName, variableValues, contextValue }) =>
        interpreterOf(
          schema,
          document,
          operationName,
        )((contextValue as { domain: Context }).domain, variableValues ?? {}),
      );
      try {
        await afford(args);
      } catch (error) {
        setResultAndStopExecution({ errors: [error as GraphQLError] });
      }
    },
  };

  /** Masks the errors of every result. Yoga's own option can't: logging a defect needs the exchange. */
  const masking: Plugin<Served> = {
    onResultProcess({ result, setResult, serverContext }) {
      const { exchange } = serverContext as unknown as Served;
      const masked = (one: { errors?: readonly unknown[] }) =>
        one.errors ? { ...one, errors: mask(exchange, one.errors) } : one;
      for (const one of [result].flat())
        counters.operations.count(one && typeof one === 'object' && 'errors' in one ? 'with errors' : 'done');
      if (Array.isArray(result)) setResult(result.map(masked) as never);
      else if (result && typeof result === 'object' && 'errors' in result) setResult(masked(result) as never);
    },
  };

  return { plugins: [reading, execution, masking], afford };
}
