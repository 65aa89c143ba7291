import type { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import {
  createContext,
  domainError,
  type Application,
  type Context,
  type Prefetch,
  type Presented,
} from '../context.ts';
import { presentedCredential, refuseTokenInQuery } from '../credential.ts';
import { Forbidden } from '../errors.ts';
import { callOf, header, type ClientDisconnect, type Exchange } from '../http/index.ts';
import type { Limits } from '../limits/index.ts';
import type { Reading } from './documents.ts';
import { refusal } from './errors.ts';
import { limits } from './limits.ts';

/** Yoga's server context: the exchange, and what plugins learn about the request. */
export interface Served {
  readonly exchange: Exchange;
  readonly disconnect: ClientDisconnect;
  /** The resolvers' context. The operations of a batch share it. */
  domain?: Context;
  /** The document, if the fast lane has parsed it. */
  reading?: Reading;
}

/** Authenticates requests at `/graphql`, and counts them against the rate limits. */
export interface Admission {
  /** @param prefetch the first statement of the operation, if known */
  admit(served: Served, presented: Presented | null, prefetch?: Prefetch): Promise<Context>;
  /** Authenticates and counts before a document is read. */
  readonly plugin: Plugin<Served>;
}

export function admission(application: Application, requestLimits: Limits): Admission {
  async function admit(
    { exchange, disconnect }: Served,
    presented: Presented | null,
    prefetch?: Prefetch,
  ): Promise<Context> {
    const call = Object.assign(callOf(exchange), { disconnect });
    const complexity = () => ({ score: exchange.notes.cost ?? 0, limit: limits.complexity });
    const door = { fillsErrors: true, complexity };
    const context = await requestLimits.counting(
      exchange,
      createContext(application, presented, call, { prefetch, door }),
      ({ viewer }) => viewer,
    );
    exchange.notes.viewer = context.viewer.person?.id;
    return context;
  }

  /** The credential may be in a header or in the query string. @throws GraphQLError */
  async function admitAnyForm(served: Served): Promise<Context> {
    const { exchange } = served;
    const parameters = new URLSearchParams(exchange.query);
    try {
      if (!application.profile.tokenInQuery) refuseTokenInQuery((name) => parameters.has(name));
      const presented = presentedCredential(
        (name) => header(exchange, name),
        (name) => parameters.get(name),
      );
      const context = await admit(served, presented);
      // Ignoring `sudo` would show or change the wrong person's settings.
      if (header(exchange, 'sudo') !== undefined || parameters.has('sudo'))
        throw new Forbidden('Acting as another user (sudo) is for the REST API.');
      return context;
    } catch (thrown) {
      throw toRefusal(thrown);
    }
  }

  return {
    admit,
    plugin: {
      async onParams({ context }) {
        const served = context as unknown as Served;
        served.domain ??= await admitAnyForm(served);
      },
    },
  };
}

/** Turns a domain error into the refusal of a whole request. @throws any other error unchanged */
export function toRefusal(thrown: unknown): GraphQLError {
  const known = domainError(thrown);
  if (!known) throw thrown;
  return refusal(known);
}
