import { entityTag, header, matches, type Answer, type Exchange } from '../../http/index.ts';

/** The address of the GraphQL schema as text. */
export const sdlPath = '/docs/schema.graphql';

/** A document for programs, readable from every origin. */
export interface Document {
  readonly type: string;
  readonly body: string;
  readonly tag: string;
}

export function toDocument(type: string, body: string): Document {
  return { type, body, tag: entityTag(body) };
}

/** Answers with the document, or 304 if the client has it. */
export function answerDocument({ type, body, tag }: Document, exchange: Exchange): Answer {
  const headers = { 'access-control-allow-origin': '*', 'cache-control': 'no-cache', etag: tag };
  return matches(header(exchange, 'if-none-match'), tag)
    ? { status: 304, headers, body: null }
    : { status: 200, headers: { ...headers, 'content-type': type }, body };
}
