import { createSourceEventStream, execute, GraphQLError, type ExecutionArgs, type ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { domainError, lateContext, type Application, type Context } from '../context.ts';
import { Busy, Unavailable, type DomainError } from '../errors.ts';
import type { Exchange, ServerEvent } from '../http/index.ts';
import { refusal, toGraphQLError } from './errors.ts';

/** The events of one subscription, for `sendEvents`. */
export interface EventStream {
  readonly events: AsyncIterable<ServerEvent>;
  /** Ends the subscription and frees its resources. */
  leave(): void;
}

type Mask = (exchange: Exchange, errors: readonly GraphQLError[]) => readonly Error[];

/** The parts of Yoga's context that are used here. */
interface Requested {
  readonly exchange: Exchange;
  readonly request: Request;
  readonly domain: Context;
}

/**
 * Subscriptions over server-sent events, in the "distinct connections" mode of graphql-sse: one request, one stream.
 * Yoga parses and validates the request, but the door sends the stream: Yoga's own streams don't end when a client
 * stops reading.
 * @param mask masks errors for the client
 * @param afford counts the cost of an operation before it runs; throws a GraphQLError
 */
export function subscriptions(
  application: Application,
  mask: Mask,
  afford: (args: ExecutionArgs) => Promise<void>,
): { plugin: Plugin; streamOf(exchange: Exchange): EventStream | undefined } {
  const streams = new WeakMap<Exchange, EventStream>();
  const batched = new WeakSet<Exchange>();

  async function subscribe(args: ExecutionArgs): Promise<ExecutionResult> {
    const { exchange, request, domain } = args.contextValue as Requested;
    try {
      await afford(args);
      if (batched.has(exchange)) throw refuse(400, 'A subscription is a request of its own, and no part of a batch.');
      if (!acceptsEvents(request)) throw refuse(406, 'A subscription is answered with text/event-stream: accept that.');
      const operation = { ...args, contextValue: domain };
      const source = await createSourceEventStream(operation);
      if (!(Symbol.asyncIterator in source)) return { errors: (source.errors ?? []).map(withStatus) };
      streams.set(
        exchange,
        stream(application, operation, source[Symbol.asyncIterator](), (errors) => mask(exchange, errors)),
      );
      return { data: null };
    } catch (error) {
      if (error instanceof GraphQLError) return { errors: [error] };
      throw error;
    }
  }

  return {
    streamOf: (exchange) => streams.get(exchange),
    plugin: {
      onRequestParse: ({ serverContext }) => ({
        onRequestParseDone({ requestParserResult }) {
          if (Array.isArray(requestParserResult)) batched.add((serverContext as unknown as Requested).exchange);
        },
      }),
      onSubscribe: ({ setSubscribeFn }) => setSubscribeFn(subscribe as never),
      onResultProcess({ serverContext, setResultProcessor }) {
        if (!streams.has((serverContext as unknown as Requested).exchange)) return;
        setResultProcessor((_result, { Response: Answer }) => new Answer(null), 'text/event-stream');
      },
    },
  };
}

const refuse = (status: number, message: string) =>
  new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', http: { status } } });

/** Whether a client accepts event streams. Without an `Accept` header it does. */
function acceptsEvents(request: Request): boolean {
  return /(^|[,\s])(text\/event-stream|text\/\*|\*\/\*)/i.test(request.headers.get('accept') ?? '*/*');
}

/**
 * Gives the error an HTTP status if there are too many subscriptions, or no database: clients that reconnect
 * automatically look only at the status.
 */
function withStatus(error: GraphQLError): GraphQLError {
  const domain = domainError(error.originalError);
  return domain instanceof Busy || domain instanceof Unavailable ? refusal(domain) : error;
}

/**
 * Executes the operation for each event of its source, with the viewer's current permissions. If the viewer's token
 * ends, the stream reports why and completes. On any other end it doesn't complete, so that the client reconnects.
 */
function stream(
  application: Application,
  operation: ExecutionArgs,
  source: AsyncIterator<unknown>,
  mask: (errors: readonly GraphQLError[]) => readonly Error[],
): EventStream {
  const first = operation.contextValue as Context;
  let over: DomainError | undefined;
  const watched = application.credentials.watch(first.viewer, (why) => {
    over = why;
    void source.return?.();
  });
  const leave = () => {
    watched.stop();
    void source.return?.();
  };

  async function result(event: unknown): Promise<ExecutionResult> {
    // A new context for each change: a context's batches and caches are for one execution.
    const contextValue = lateContext(application, first, await watched.viewer());
    return await execute({ ...operation, rootValue: event, contextValue });
  }

  async function* events(): AsyncGenerator<ServerEvent> {
    for (;;) {
      const { done, value } = await source.next();
      try {
        if (over) throw over;
        if (done) return;
        const { errors, ...rest } = await result(value);
        yield next(errors ? { errors: mask(errors), ...rest } : rest);
        if (errors?.some((error) => domainError(error.originalError) instanceof Unavailable)) return;
      } catch (error) {
        const domain = domainError(error);
        if (domain instanceof Unavailable) return;
        yield next({
          errors: mask([domain ? toGraphQLError(domain) : new GraphQLError('', { originalError: error as Error })]),
        });
        if (domain) yield { event: 'complete' };
        return;
      }
    }
  }
  return { events: events(), leave };
}

const next = (data: object): ServerEvent => ({ event: 'next', data });
