import { createSourceEventStream, execute, GraphQLError, type ExecutionArgs, type ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { domainError, lateContext, type Application, type Context } from '../context.ts';
import { Busy, Unavailable, type DomainError } from '../errors.ts';
import type { Exchange, ServerEvent } from '../http/index.ts';
import { refusal, toGraphQLError } from './errors.ts';

/** Results as they happen, for `sendEvents`. */
export interface EventStream {
  readonly events: AsyncIterable<ServerEvent>;
  /** Frees what it holds. */
  leave(): void;
}

type Mask = (exchange: Exchange, errors: readonly GraphQLError[]) => readonly Error[];

/** What Yoga's context holds of the request. */
interface Requested {
  readonly exchange: Exchange;
  readonly request: Request;
  readonly domain: Context;
}

/**
 * Subscriptions over server-sent events, in the mode of distinct connections: one
 * request, one stream. Yoga reads and checks the request; what streams is handed
 * to the door, since Yoga's own streams don't end with a client that stops reading.
 * @param mask masks errors for the client
 * @param afford counts what an operation may cost before it is run, and throws a GraphQLError
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

/** Whether a client takes events, as every one does that says nothing else. */
function acceptsEvents(request: Request): boolean {
  return /(^|[,\s])(text\/event-stream|text\/\*|\*\/\*)/i.test(request.headers.get('accept') ?? '*/*');
}

/** Too many subscriptions, or no database, is in the status too: clients that reconnect by themselves go by it. */
function withStatus(error: GraphQLError): GraphQLError {
  const domain = domainError(error.originalError);
  return domain instanceof Busy || domain instanceof Unavailable ? refusal(domain) : error;
}

/**
 * Executes the operation for each event of its source, as the viewer is by then.
 * If the viewer's token ends, the stream says why and completes.
 * Whatever else ends it leaves it incomplete, so that the client comes back.
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
    // A context for each change: batches and caches belong to it.
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
