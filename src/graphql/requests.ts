import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { bodyOf, header, toResponse, Unreadable, type Answer, type Exchange } from '../http/index.ts';
import type { Served } from './admission.ts';
import { checkDocuments } from './limits.ts';

const otherTypes = ['application/graphql+json', 'application/graphql', 'application/x-www-form-urlencoded'];

const badRequest = (status: number, message: string) =>
  new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', http: { status } } });

/** Answers a browser with GraphiQL, and refuses bodies that can't be read. @param page GraphiQL */
export function firstLook(page: Answer): Plugin<Served> {
  return {
    onRequest({ serverContext, endResponse }) {
      const { exchange } = serverContext as unknown as Served;
      if (opensInBrowser(exchange)) return endResponse(toResponse(exchange, page));
      try {
        bodyOf(exchange);
      } catch (problem) {
        if (!(problem instanceof Unreadable)) throw problem;
        const { status, message } = problem;
        const body = JSON.stringify({ errors: [{ message }] });
        endResponse(toResponse(exchange, { status, headers: { 'content-type': 'application/json' }, body }));
      }
    },
  };
}

/** Whether a browser navigates to the endpoint, rather than a client sending a query. */
function opensInBrowser(exchange: Exchange): boolean {
  const { method } = exchange.request;
  if (method !== 'GET' && method !== 'HEAD') return false;
  return (header(exchange, 'accept') ?? '').includes('text/html') && !new URLSearchParams(exchange.query).has('query');
}

/** Gives Yoga the request with its body, which the gateway has received already. */
export function rebuiltRequest(): Plugin<Served> {
  return {
    onRequest({ serverContext, setRequest, fetchAPI }) {
      const { exchange, disconnect } = serverContext as unknown as Served;
      const { method, headers } = exchange.request;
      const body = method === 'POST' ? new Uint8Array(bodyOf(exchange)) : undefined;
      const url = `http://localhost/graphql${exchange.query && `?${exchange.query}`}`;
      setRequest(new fetchAPI.Request(url, { method, headers, ...(body && { body }), signal: disconnect.signal() }));
    },
  };
}

/** Replaces the error message for a request that can't be parsed by our own. */
export function readableRequests(): Plugin {
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
          // Yoga would repeat V8's message.
          if (error instanceof GraphQLError && error.extensions.originalError)
            throw badRequest(400, 'The body must be JSON.');
          throw error;
        }
      });
    },
  };
}

/** Refuses too long documents before they are parsed. The documents of a batch are counted together. */
export function boundedRequests(): Plugin {
  return {
    onRequestParse: () => ({
      onRequestParseDone({ requestParserResult }) {
        // Other types are refused in a later step.
        const documents = [requestParserResult]
          .flat()
          .map((parameters: { query?: unknown } | null) => parameters?.query);
        checkDocuments(documents.filter((document) => typeof document === 'string'));
      },
    }),
  };
}
