import { NoSchemaIntrospectionCustomRule, type GraphQLError, type GraphQLSchema } from 'graphql';
import { createYoga } from 'graphql-yoga';
import type { Application } from '../context.ts';
import {
  ClientDisconnect,
  commonHeaders,
  eventStream,
  reportDefect,
  type Answer,
  type Door,
  type Exchange,
} from '../http/index.ts';
import type { Limits } from '../limits/index.ts';
import type { Log } from '../observability/index.ts';
import { admission as admissionTo, type Served } from './admission.ts';
import { Documents } from './documents.ts';
import { inGitLabsWords, maskError, withoutSuggestions } from './errors.ts';
import { fastLane } from './fast-lane.ts';
import { aliasRule, limits } from './limits.ts';
import { operationSteps } from './operations.ts';
import { PersistedDocuments } from './persisted.ts';
import { boundedRequests, firstLook, readableRequests, rebuiltRequest } from './requests.ts';
import { subscriptions } from './subscriptions.ts';
import { storableVariables, textRule } from './text.ts';

export interface GraphQLDoorOptions {
  readonly application: Application;
  /** The part of the schema that tokens may use. */
  readonly schema: GraphQLSchema;
  readonly introspection: boolean;
  readonly requestLimits: Limits;
  /** GraphiQL, for a browser that opens the endpoint. */
  readonly page: Answer;
  readonly log: Log;
  /** False: every request goes through Yoga. */
  readonly useFastLane: boolean;
}

/**
 * The door of the GraphQL endpoint, for all its paths: a Yoga server, and a fast lane in front of it. Yoga's plugins are
 * listed in the order in which a request passes them.
 */
export function graphqlDoor({
  application,
  schema,
  introspection,
  requestLimits,
  page,
  log,
  useFastLane,
}: GraphQLDoorOptions): Door {
  const mask = (exchange: Exchange, errors: readonly unknown[]): GraphQLError[] => {
    const masked = errors.map((error) =>
      inGitLabsWords(maskError(error, (defect) => reportDefect(log, exchange, defect))),
    );
    return introspection ? masked : masked.map(withoutSuggestions);
  };
  const rules = [aliasRule, textRule, ...(introspection ? [] : [NoSchemaIntrospectionCustomRule])];
  const documents = new Documents(schema, rules);
  const persisted = new PersistedDocuments();
  const admission = admissionTo(application, requestLimits);
  const { plugins: steps, afford } = operationSteps(documents, requestLimits, mask);
  const { plugin: streaming, streamOf } = subscriptions(application, mask, afford);
  const [reading, execution, masking] = steps;
  const answerPlain = useFastLane ? fastLane({ documents, persisted, admission, requestLimits, mask }) : undefined;
  const yoga = createYoga<Served>({
    schema,
    // The gateway has already matched the path.
    graphqlEndpoint: '*',
    graphiql: false,
    landingPage: false,
    logging: false,
    multipart: false,
    batching: { limit: limits.batch },
    cors: { origin: '*', methods: ['GET', 'POST', 'OPTIONS'], credentials: false },
    maskedErrors: false,
    // Yoga's cache is bounded by the number of documents; ours, `Documents`, by their bytes.
    parserAndValidationCache: false,
    plugins: [
      firstLook(page),
      rebuiltRequest(),
      readableRequests(),
      boundedRequests(),
      storableVariables(),
      persisted.plugin(),
      admission.plugin,
      reading!,
      execution!,
      streaming,
      masking!,
    ],
  });

  return async (exchange) => {
    exchange.notes.route = 'graphql';
    const served: Served = { exchange, disconnect: new ClientDisconnect(exchange.request) };
    const plain = await answerPlain?.(served);
    if (plain) return plain;
    const response = await yoga.handleRequest(exchange.request, served as never);
    const stream = streamOf(exchange);
    if (stream) {
      const headers = { ...commonHeaders(exchange), ...Object.fromEntries(response.headers) };
      return eventStream(exchange, headers, stream.events, stream.leave);
    }
    // For GraphiQL, which shows it: browsers name their origin, and other clients don't.
    const { cost } = exchange.notes;
    if (cost !== undefined && exchange.connection.headers.origin !== undefined)
      response.headers.set('x-causeway-complexity', `${cost}/${limits.complexity}`);
    if (!response.headers.has('x-request-id'))
      for (const [name, value] of Object.entries(commonHeaders(exchange))) response.headers.set(name, String(value));
    return response;
  };
}
