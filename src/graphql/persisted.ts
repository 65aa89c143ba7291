import { createHash } from 'node:crypto';
import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { isObject } from '../http/index.ts';
import { Remembered } from './remembered.ts';

/** Size of the cache in bytes. */
const maxBytes = 4 * 1024 * 1024;

/**
 * Automatic persisted queries: a client sends a document once and then only its hash. Each process has its own cache:
 * one that doesn't know a hash says so, and the client sends the document again.
 */
export class PersistedDocuments {
  readonly #known = new Remembered<string>(maxBytes);

  /** The size of the cached documents, in bytes. */
  get weight(): number {
    return this.#known.weight;
  }

  /** The cached document of the hash in a request; undefined if there is no hash or it is unknown. */
  find(extensions: unknown): string | undefined {
    const hash = hashIn(extensions);
    return hash === undefined ? undefined : this.#known.get(hash);
  }

  /**
   * Replaces a hash by its document, or refuses an unknown hash. Caches a document once it was answered, never a
   * refused one.
   */
  plugin(): Plugin {
    return {
      onParams: ({ params, setParams }) => {
        // Parameters that aren't an object are refused in a later step.
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

/** The hash in the `extensions` of a request: SHA-256 in hexadecimal. */
function hashIn(extensions: unknown): string | undefined {
  const persisted = isObject(extensions) ? extensions.persistedQuery : undefined;
  const hash = isObject(persisted) && persisted.version === 1 ? persisted.sha256Hash : undefined;
  return typeof hash === 'string' && /^[\da-f]{64}$/.test(hash) ? hash : undefined;
}

/** A refusal. Clients compare the message, so its words are fixed. */
const refused = (message: string, code: string, status: number) =>
  new GraphQLError(message, { extensions: { code, http: { status } } });
