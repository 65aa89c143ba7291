import {
  getOperationAST,
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  type DocumentNode,
  type ExecutionArgs,
  type GraphQLSchema,
} from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import {
  createContext,
  domainError,
  type Prefetch,
  type Application,
  type Context,
  type Presented,
} from '../context.ts';
import { presentedCredential, refuseTokenInQuery } from '../credential.ts';
import { Forbidden } from '../errors.ts';
import {
  bodyOf,
  callOf,
  commonHeaders,
  eventStream,
  header,
  ClientDisconnect,
  reportDefect,
  toResponse,
  Unreadable,
  type Answer,
  type Door,
  type Exchange,
} from '../http/index.ts';
import type { Limits } from '../limits/index.ts';
import type { Log } from '../observability/index.ts';
import { interpreterOf } from '../operation.ts';
import { counters } from '../counters.ts';
import { maskError, refusal, withoutSuggestions } from './errors.ts';
import { noteOperation, notesOf } from './notes.ts';
import { Documents, type Reading } from './documents.ts';
import { aliasRule, checkDocuments, complexityOf, limits, refuseComplexity, surplusOf } from './limits.ts';
import { answerPlain, costOf, readPlain } from './plain.ts';
import { PersistedDocuments } from './persisted.ts';
import { subscriptions } from './subscriptions.ts';
import { storableVariables, textRule } from './text.ts';

export interface GraphQLDoorOptions {
  readonly application: Application;
  /** The part of the schema that tokens may use. */
  readonly schema: GraphQLSchema;
  readonly introspection: boolean;
  readonly requestLimits: Limits;
  /** What a browser gets that opens the endpoint. */
  readonly page: Answer;
  readonly log: Log;
}

/** What Yoga is handed beside the request, and what it was found to be on its way. */
interface Served {
  readonly exchange: Exchange;
  readonly disconnect: ClientDisconnect;
  /** Of the one who asks; each operation of a batch has its own. */
  domain?: Context;
  /** What the plain way has read of the document. */
  reading?: Reading;
}

/** The door of `/graphql`, under each of its names. */
export function graphqlDoor({
  application,
  schema,
  introspection,
  requestLimits,
  page,
  log,
}: GraphQLDoorOptions): Door {
  const tell = (exchange: Exchange, errors: readonly unknown[]): GraphQLError[] => {
    const masked = errors.map((error) => maskError(error, (defect) => reportDefect(log, exchange, defect)));
    return introspection ? masked : masked.map(withoutSuggestions);
  };
  const documents = new Documents(
    schema,
    introspection ? [aliasRule, textRule] : [aliasRule, textRule, NoSchemaIntrospectionCustomRule],
  );
  /** Of the documents that Yoga has: it hands on nothing else. */
  const readings = new WeakMap<DocumentNode, Reading>();
  const persisted = new PersistedDocuments();
  const { plugin: streaming, streamOf } = subscriptions(application, tell, afford);
  const yoga = createYoga<Served>({
    schema,
    graphqlEndpoint: '/graphql',
    graphiql: false,
    landingPage: false,
    logging: false,
    multipart: false,
    batching: { limit: limits.batch },
    cors: { origin: '*', methods: ['GET', 'POST', 'OPTIONS'], credentials: false },
    // The log of defects needs the exchange, which the mask isn't given: see below.
    maskedErrors: false,
    // By number, whatever they weigh: `Documents` remembers.
    parserAndValidationCache: false,
    plugins: [
      readableRequests(),
      boundedRequests(),
      storableVariables(),
      persisted.plugin(),
      admittedFirst(),
      readOnce(),
      boundedOperations(),
      oneExecutor(),
      streaming,
      masked(tell),
    ],
  });

  /** @returns undefined for what isn't plain, or is refused: Yoga says how, and goes on from what was found out */
  async function answerQuickly(served: Served, body: Buffer): Promise<Answer | undefined> {
    const { exchange } = served;
    const plain = readPlain(exchange, body, persisted);
    if (!plain) return undefined;
    const { query, operationName, variables } = plain;
    try {
      const presented = presentedCredential(
        (name) => header(exchange, name),
        () => undefined,
      );
      // Strangers are counted before anything is read for them.
      if (!presented) served.domain = await admitted(served, null);
      const reading = (served.reading = documents.read(query));
      const operation = documents.operationOf(reading, operationName);
      const context = (served.domain ??= await admitted(served, presented, operation?.prefetch(variables)));
      if (reading.document && !operation) return undefined;
      const problems = documents.problemsOf(reading);
      if (problems.length > 0 || !operation) {
        counters.operations.count('with errors');
        return answerPlain({ errors: tell(exchange, problems) });
      }
      const cost = costOf(operation, variables);
      if (cost === undefined || cost > limits.complexity) return undefined;
      noteOperation(exchange.notes, operation.notes, cost);
      const counted = requestLimits.more(exchange, context.viewer, surplusOf(cost));
      if (counted) await counted;
      documents.keep(reading);
      const { errors, ...result } = await operation.run(context, variables);
      counters.operations.count(errors ? 'with errors' : 'done');
      return answerPlain(errors ? { errors: tell(exchange, errors), ...result } : result);
    } catch (thrown) {
      return answerPlain({ errors: [toRefusal(thrown)] });
    }
  }

  /** The context of whoever presented a credential, counted. @param prefetch what they read first, if that is known */
  async function admitted(
    { exchange, disconnect }: Served,
    presented: Presented | null,
    prefetch?: Prefetch,
  ): Promise<Context> {
    const asked = createContext(application, presented, Object.assign(callOf(exchange), { disconnect }), { prefetch });
    const context = await requestLimits.counting(exchange, asked, ({ viewer }) => viewer);
    exchange.notes.viewer = context.viewer.person?.id;
    return context;
  }

  /** The same for a request of any form. @throws GraphQLError */
  async function admittedSomehow(served: Served): Promise<Context> {
    const { exchange } = served;
    const parameters = new URLSearchParams(exchange.query);
    try {
      if (!application.profile.tokenInQuery) refuseTokenInQuery((name) => parameters.has(name));
      const context = await admitted(
        served,
        presentedCredential(
          (name) => header(exchange, name),
          (name) => parameters.get(name),
        ),
      );
      // Going on in the caller's own name would show or change the wrong person's things.
      if (header(exchange, 'sudo') !== undefined || parameters.has('sudo'))
        throw new Forbidden('Acting as another user (sudo) is for the REST API.');
      return context;
    } catch (thrown) {
      throw toRefusal(thrown);
    }
  }

  /** Finds out who asks, and counts it, before a document is read. */
  function admittedFirst(): Plugin<Served> {
    return {
      async onParams({ context }) {
        const served = context as unknown as Served;
        served.domain ??= await admittedSomehow(served);
      },
    };
  }

  /** Refuses what may be answered with too much, and counts the rest. */
  function boundedOperations(): Plugin<Served> {
    return {
      async onExecute({ args, setResultAndStopExecution }) {
        try {
          await afford(args);
        } catch (error) {
          setResultAndStopExecution({ errors: [error as GraphQLError] });
        }
      },
    };
  }

  /** Counts what an operation may cost before it is run. @throws GraphQLError */
  async function afford({
    schema: within,
    document,
    variableValues,
    operationName,
    contextValue,
  }: ExecutionArgs): Promise<void> {
    const { exchange, domain } = contextValue as Required<Served>;
    const cost = complexityOf(within, document, variableValues ?? {}, operationName ?? undefined);
    noteOperation(exchange.notes, notesOf(getOperationAST(document, operationName)), cost);
    refuseComplexity(cost);
    try {
      await requestLimits.more(exchange, domain.viewer, surplusOf(cost));
    } catch (thrown) {
      throw toRefusal(thrown);
    }
    documents.keep(readings.get(document)!);
  }

  /** Reads a document as the plain way does, or goes on from what that has read. */
  function readOnce(): Plugin<Served> {
    return {
      onParse({ context, setParseFn }) {
        setParseFn((source) => {
          const { reading: read } = context as unknown as Served;
          const reading = read && read.source === source ? read : documents.read(String(source));
          if (!reading.document) throw reading.problems![0]!;
          readings.set(reading.document, reading);
          return reading.document;
        });
      },
      onValidate({ params, setResult }) {
        setResult(documents.problemsOf(readings.get(params.documentAST)!));
      },
    };
  }

  return async (exchange) => {
    const { request } = exchange;
    exchange.notes.route = 'graphql';
    if (opensInBrowser(exchange)) return toResponse(exchange, page);
    let body: Buffer | undefined;
    try {
      body = request.method === 'POST' ? bodyOf(exchange) : undefined;
    } catch (problem) {
      if (!(problem instanceof Unreadable)) throw problem;
      return toResponse(exchange, {
        status: problem.status,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ errors: [{ message: problem.message }] }),
      });
    }
    const served: Served = { exchange, disconnect: new ClientDisconnect(request) };
    const quick = body && (await answerQuickly(served, body));
    if (quick) return toResponse(exchange, quick);
    const answer = await yoga.fetch(
      `http://localhost/graphql${exchange.query && `?${exchange.query}`}`,
      {
        method: request.method,
        headers: request.headers,
        ...(body && { body: new Uint8Array(body) }),
        signal: served.disconnect.signal(),
      },
      served,
    );
    const stream = streamOf(exchange);
    if (stream)
      return eventStream(
        exchange,
        { ...commonHeaders(exchange), ...Object.fromEntries(answer.headers) },
        stream.events,
        stream.leave,
      );
    for (const [name, value] of Object.entries(commonHeaders(exchange))) answer.headers.set(name, String(value));
    return answer;
  };
}

/** A browser that navigates here, rather than a client that sends a query. */
function opensInBrowser(exchange: Exchange): boolean {
  const { method } = exchange.request;
  const isRead = method === 'GET' || method === 'HEAD';
  return (
    isRead &&
    (header(exchange, 'accept') ?? '').includes('text/html') &&
    !new URLSearchParams(exchange.query).has('query')
  );
}

/** How a request is refused whole. @throws what isn't a domain error */
function toRefusal(thrown: unknown): GraphQLError {
  const known = domainError(thrown);
  if (!known) throw thrown;
  return refusal(known);
}

/** Says in our words what is wrong with a request that can't be read. */
function readableRequests(): Plugin {
  return {
    onRequestParse({ request, requestParser, setRequestParser }) {
      if (!requestParser) {
        if (request.method === 'POST')
          throw badRequest(415, `Send application/json, or one of ${otherTypes.join(', ')}.`);
        return;
      }
      setRequestParser(async (sent) => {
        try {
          return await requestParser(sent);
        } catch (error) {
          if (error instanceof SyntaxError) throw badRequest(400, 'The variables and extensions must be JSON.');
          // What V8 says of it, Yoga repeats.
          if (error instanceof GraphQLError && error.extensions.originalError)
            throw badRequest(400, 'The body must be JSON.');
          throw error;
        }
      });
    },
  };
}

const otherTypes = ['application/graphql+json', 'application/graphql', 'application/x-www-form-urlencoded'];

const badRequest = (status: number, message: string) =>
  new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', http: { status } } });

/** Refuses a request whose documents are too long, all of a batch taken together, before any of it is read. */
function boundedRequests(): Plugin {
  return {
    onRequestParse: () => ({
      onRequestParseDone({ requestParserResult }) {
        // Whatever isn't a document is refused a step later.
        const documents = [requestParserResult]
          .flat()
          .map((parameters: { query?: unknown } | null) => parameters?.query);
        checkDocuments(documents.filter((document) => typeof document === 'string'));
      },
    }),
  };
}

/** Executes as behind every other door. Yoga's executor hands fields back in the order in which they were ready (GraphQL §7.2.2 wants that of the selection). */
function oneExecutor(): Plugin {
  return {
    onExecute({ setExecuteFn }) {
      setExecuteFn(({ schema, document, operationName, variableValues, contextValue }) =>
        interpreterOf(
          schema,
          document,
          operationName,
        )((contextValue as { domain: Context }).domain, variableValues ?? {}),
      );
    },
  };
}

/** Tells domain errors and masks defects, in every result and in what Yoga itself throws. */
function masked(tell: (exchange: Exchange, errors: readonly unknown[]) => GraphQLError[]): Plugin {
  return {
    onResultProcess({ result, setResult, serverContext }) {
      const { exchange } = serverContext as unknown as Served;
      const mask = (one: { errors?: readonly unknown[] }) =>
        one.errors ? { ...one, errors: tell(exchange, one.errors) } : one;
      for (const one of [result].flat())
        counters.operations.count(one && typeof one === 'object' && 'errors' in one ? 'with errors' : 'done');
      if (Array.isArray(result)) setResult(result.map(mask) as never);
      else if (result && typeof result === 'object' && 'errors' in result) setResult(mask(result) as never);
    },
  };
}
