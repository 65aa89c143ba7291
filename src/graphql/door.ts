import { sendNodeResponse, type NodeResponse } from '@whatwg-node/server';
import { getOperationAST, GraphQLError, NoSchemaIntrospectionCustomRule, type GraphQLSchema, type ValidationRule } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import {
  createContext,
  domainError,
  presentedCredential,
  refuseTokenInQuery,
  type Ahead,
  type Application,
  type Context,
  type Presented,
} from '../context.ts';
import { Forbidden } from '../errors.ts';
import { bodyOf, callOf, commonHeaders, header, Leaving, reportDefect, send, sendEvents, Unreadable, type Answer, type Door, type Exchange } from '../http/index.ts';
import type { Limits } from '../limits/index.ts';
import type { Log } from '../observability/index.ts';
import { interpreterOf } from '../operation.ts';
import { tallies } from '../tally.ts';
import { maskError, refusal } from './errors.ts';
import { noteOperation, notesOf } from './notes.ts';
import { Documents } from './documents.ts';
import { aliasRule, checkDocuments, complexityOf, depthRule, limits, refuseComplexity, surplusOf } from './limits.ts';
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

/** What Yoga is handed beside the request. */
interface ServerContext {
  readonly exchange: Exchange;
  readonly leaving: Leaving;
}

/** The door of `/graphql`, under each of its names. */
export function graphqlDoor({ application, schema, introspection, requestLimits, page, log }: GraphQLDoorOptions): Door {
  const { plugin: streaming, streamOf } = subscriptions(application, (exchange, errors) => tellErrors(log, exchange, errors));
  const persisted = new PersistedDocuments();
  const yoga = createYoga<ServerContext, { domain: Context }>({
    schema,
    graphqlEndpoint: '/graphql',
    graphiql: false,
    landingPage: false,
    logging: false,
    batching: { limit: limits.batch },
    cors: { origin: '*', methods: ['GET', 'POST', 'OPTIONS'], credentials: false },
    context: async ({ request, exchange, leaving }) => ({ domain: await contextOf(request, exchange, leaving) }),
    // The log of defects needs the exchange, which the mask isn't given: see below.
    maskedErrors: false,
    plugins: [
      readableParameters(),
      boundedDocuments(),
      storableVariables(),
      persisted.plugin(),
      boundedOperations(introspection, requestLimits),
      oneExecutor(),
      streaming,
      masked(log),
    ],
  });

  const documents = new Documents(schema, rules(introspection));

  /** @returns undefined for what isn't plain, or is refused: Yoga says how */
  async function answerQuickly(exchange: Exchange, body: Buffer, leaving: Leaving): Promise<Answer | undefined> {
    const plain = readPlain(exchange, body, persisted);
    const operation = plain && documents.find(plain.query, plain.operationName);
    const cost = operation && costOf(operation, plain.variables);
    if (!operation || cost === undefined || cost > limits.complexity) return undefined;
    let context: Context;
    try {
      const presented = presentedCredential((name) => header(exchange.request, name), () => undefined);
      context = await admitted(exchange, leaving, presented, presented ? operation.ahead(plain.variables) : undefined);
    } catch (thrown) {
      return await answerPlain({ errors: [toRefusal(thrown)] });
    }
    noteOperation(exchange.notes, operation.notes, cost);
    requestLimits.more(exchange, context.viewer, () => surplusOf(cost));
    const { errors, ...result } = await operation.run(context, plain.variables);
    tallies.operations.count(errors ? 'with errors' : 'done');
    return await answerPlain(errors ? { errors: tellErrors(log, exchange, errors), ...result } : result);
  }

  /** The context of whoever presented a credential, counted. @param ahead what they read first, if that is known */
  async function admitted(exchange: Exchange, leaving: Leaving, presented: Presented | null, ahead?: Ahead): Promise<Context> {
    const asked = createContext(application, presented, Object.assign(callOf(exchange), { leaving }), { ahead });
    const context = await requestLimits.counting(exchange, asked, ({ viewer }) => viewer);
    exchange.notes.viewer = context.viewer.person?.id;
    return context;
  }

  async function contextOf(request: Request, exchange: Exchange, leaving: Leaving): Promise<Context> {
    const { searchParams } = new URL(request.url);
    try {
      if (!application.profile.tokenInQuery) refuseTokenInQuery((name) => searchParams.has(name));
      const presented = presentedCredential(
        (name) => request.headers.get(name) ?? undefined,
        (name) => searchParams.get(name),
      );
      const context = await admitted(exchange, leaving, presented);
      // Going on in the caller's own name would show or change the wrong person's things.
      if (request.headers.has('sudo') || searchParams.has('sudo')) throw new Forbidden('Acting as another user (sudo) is for the REST API.');
      return context;
    } catch (thrown) {
      throw toRefusal(thrown);
    }
  }

  return async (exchange) => {
    const { request, response } = exchange;
    exchange.notes.route = 'graphql';
    if (opensInBrowser(exchange)) return send(exchange, page);
    let body: Buffer | undefined;
    try {
      body = request.method === 'POST' ? bodyOf(exchange) : undefined;
    } catch (problem) {
      if (!(problem instanceof Unreadable)) throw problem;
      return send(exchange, {
        status: problem.status,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ errors: [{ message: problem.message }] }),
      });
    }
    const leaving = new Leaving(response);
    const quick = body && (await answerQuickly(exchange, body, leaving));
    if (quick) return send(exchange, quick);
    const answer = await yoga.fetch(
      `http://localhost/graphql${exchange.query && `?${exchange.query}`}`,
      {
        method: request.method ?? 'GET',
        headers: request.headers as Record<string, string>,
        ...(body && { body: new Uint8Array(body) }),
        signal: leaving.signal(),
      },
      { exchange, leaving },
    );
    const stream = streamOf(exchange);
    if (stream) return await sendEvents(exchange, { ...commonHeaders(exchange), ...Object.fromEntries(answer.headers) }, stream.events, stream.leave);
    if (response.headersSent || response.destroyed) return;
    for (const [name, value] of Object.entries(commonHeaders(exchange))) response.setHeader(name, value!);
    await sendNodeResponse(answer, response as unknown as NodeResponse, request, true);
  };
}

/** A browser that navigates here, rather than a client that sends a query. */
function opensInBrowser({ request, query }: Exchange): boolean {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  return isRead && (header(request, 'accept') ?? '').includes('text/html') && !new URLSearchParams(query).has('query');
}

/** How a request is refused whole. @throws what isn't a domain error */
function toRefusal(thrown: unknown): GraphQLError {
  const known = domainError(thrown);
  if (!known) throw thrown;
  return refusal(known);
}

/** Refuses `variables` and `extensions` that are no JSON in a query string or a form, as Yoga refuses a body that is none. */
function readableParameters(): Plugin {
  return {
    onRequestParse({ requestParser, setRequestParser }) {
      if (!requestParser) return;
      setRequestParser(async (request) => {
        try {
          return await requestParser(request);
        } catch (error) {
          if (!(error instanceof SyntaxError)) throw error;
          throw new GraphQLError('The variables and extensions must be JSON.', { extensions: { code: 'BAD_REQUEST', http: { status: 400 } } });
        }
      });
    },
  };
}

/** Refuses a request whose documents are too long, all of a batch taken together, before any of it is read. */
function boundedDocuments(): Plugin {
  return {
    onRequestParse: () => ({
      onRequestParseDone({ requestParserResult }) {
        // Whatever isn't a document is refused a step later.
        const documents = [requestParserResult].flat().map((parameters: { query?: unknown } | null) => parameters?.query);
        checkDocuments(documents.filter((document) => typeof document === 'string'));
      },
    }),
  };
}

/** What a document must obey besides the rules of GraphQL itself. */
const rules = (introspection: boolean): readonly ValidationRule[] => [depthRule, aliasRule, textRule, ...(introspection ? [] : [NoSchemaIntrospectionCustomRule])];

/** Refuses what is too deep, too often renamed, or may be answered with too much. */
function boundedOperations(introspection: boolean, requestLimits: Limits): Plugin {
  return {
    onValidate({ addValidationRule }) {
      for (const rule of rules(introspection)) addValidationRule(rule);
    },
    onExecute({ args, setResultAndStopExecution }) {
      try {
        const complexity = complexityOf(args.schema, args.document, args.variableValues ?? {}, args.operationName ?? undefined);
        const { exchange, domain } = args.contextValue as unknown as ServerContext & { domain: Context };
        noteOperation(exchange.notes, notesOf(getOperationAST(args.document, args.operationName)), complexity);
        refuseComplexity(complexity);
        requestLimits.more(exchange, domain.viewer, () => surplusOf(complexity));
      } catch (error) {
        setResultAndStopExecution({ errors: [error as GraphQLError] });
      }
    },
  };
}

/** Executes as behind every other door. Yoga's executor hands fields back in the order in which they were ready (GraphQL §7.2.2 wants that of the selection). */
function oneExecutor(): Plugin {
  return {
    onExecute({ setExecuteFn }) {
      setExecuteFn(({ schema, document, operationName, variableValues, contextValue }) =>
        interpreterOf(schema, document, operationName)((contextValue as { domain: Context }).domain, variableValues ?? {}));
    },
  };
}

/** Tells domain errors and masks defects, in every result and in what Yoga itself throws. */
function masked(log: Log): Plugin {
  return {
    onResultProcess({ result, setResult, serverContext }) {
      const { exchange } = serverContext as unknown as ServerContext;
      const mask = (one: { errors?: readonly unknown[] }) => (one.errors ? { ...one, errors: tellErrors(log, exchange, one.errors) } : one);
      for (const one of [result].flat()) tallies.operations.count(one && typeof one === 'object' && 'errors' in one ? 'with errors' : 'done');
      if (Array.isArray(result)) setResult(result.map(mask) as never);
      else if (result && typeof result === 'object' && 'errors' in result) setResult(mask(result) as never);
    },
  };
}

const tellErrors = (log: Log, exchange: Exchange, errors: readonly unknown[]): GraphQLError[] =>
  errors.map((error) => maskError(error, (defect) => reportDefect(log, exchange, defect)));
