import { createHash } from 'node:crypto';
import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { isObject } from '../http/index.ts';
import { Remembered } from './remembered.ts';

/** Bytes of the documents that are remembered by their hash. */
const maxBytes = 4 * 1024 * 1024;

/**
 * Documents that a client sends once and names by their hash from then on, as clients
 * know it by the name of automatic persisted queries. Each process learns for itself:
 * one that doesn't know a hash says so, and the client sends the document again.
 */
export class PersistedDocuments {
  readonly #known = new Remembered<string>(maxBytes);

  /** Bytes that the remembered documents hold. */
  get weight(): number {
    return this.#known.weight;
  }

  /** The document that a request names; undefined where it names none that is known. */
  find(extensions: unknown): string | undefined {
    const hash = hashIn(extensions);
    return hash === undefined ? undefined : this.#known.get(hash);
  }

  /** Puts a document in the place of its hash, or says why not, and learns it when it was answered: not what was refused. */
  plugin(): Plugin {
    return {
      onParams: ({ params, setParams }) => {
        // What isn’t an object is refused a step later.
        const hash = hashIn((params as typeof params | null)?.extensions);
        if (hash === undefined) return;
        if (typeof params.query !== 'string' || params.query === '') {
          const query = this.#known.get(hash);
          if (query === undefined) throw refused('PersistedQueryNotFound', 'PERSISTED_QUERY_NOT_FOUND', 200);
          return setParams({ ...params, query });
        }
        if (createHash('sha256').update(params.query).digest('hex') !== hash)
          throw refused('PersistedQueryMismatch', 'PERSISTED_QUERY_MISMATCH', 400);
      },
      onExecutionResult: ({ result, context }) => {
        const { query, extensions } = context.params;
        const hash = hashIn(extensions);
        if (
          hash === undefined ||
          query === undefined ||
          this.#known.get(hash) ||
          !isObject(result) ||
          !('data' in result)
        )
          return;
        this.#known.set(hash, query, 2 * query.length + hash.length);
      },
    };
  }
}

/** SHA-256 in hexadecimal, as clients send it. */
function hashIn(extensions: unknown): string | undefined {
  const persisted = isObject(extensions) ? extensions.persistedQuery : undefined;
  const hash = isObject(persisted) && persisted.version === 1 ? persisted.sha256Hash : undefined;
  return typeof hash === 'string' && /^[\da-f]{64}$/.test(hash) ? hash : undefined;
}

/** Clients look for just these words. */
const refused = (message: string, code: string, status: number) =>
  new GraphQLError(message, { extensions: { code, http: { status } } });
