import { NotFound } from '../../errors.ts';
import type { EndpointLimits } from '../../limits/index.ts';
import type { Operation } from '../../operation.ts';
import type { Connection } from './pages.ts';
import type { Record as WireRecord } from './record.ts';
import type { Declaration, Values } from './parameters.ts';
import type { Migration } from '../version-3/change.ts';

/**
 * A route is data: what the client writes, the operation it stands for, and how
 * the answer looks on the wire. The shim runs it and knows no subject.
 */
export interface Route<Data = never> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** From the root, with `:name` for a parameter in the path. */
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
  /** Parameters besides those in the path, in the order in which their problems are told. */
  readonly parameters: readonly Declaration[];
  /** Parameters that make sense together, for whoever tries the route in the reference. */
  readonly example?: Readonly<Record<string, string | boolean | number>>;
  readonly operation: string;
  /**
   * The operation's variables.
   * @throws ModelProblem for a value that the wire refuses as the model would
   */
  readonly variables: (values: Values, headers: RequestHeaders) => Record<string, unknown>;
  /** Runs first where the contract wants its refusal before that of a bad parameter. */
  readonly guard?: Guard;
  /** Of success; 200 where none is given. 204 has no body. */
  readonly status?: 201 | 202 | 204;
  /** Whether everything was so already: 304, without a body. */
  readonly unchanged?: (data: Data) => boolean;
  /** Takes `If-Unmodified-Since` (RFC 9110 §13.1.4), and hands it to the operation. */
  readonly conditional?: true;
  /** The record out of the operation's data. */
  readonly record: WireRecord<Data>;
  /** Statuses of refusals that few routes know, for the reference. */
  readonly refusals?: readonly (404 | 409)[];
  /** Of a 202: whether all of it was done already: 204 then, without a body. */
  readonly settled?: (data: Data) => boolean;
  /** What isn't there when the operation's field is null; its absence is told like any other. */
  readonly subject?: string;
  /** How the wire names an input field, where that isn't the field's own name in snake case. */
  readonly fields?: Readonly<Record<string, string>>;
  /** How the wire says that a subject isn't there, where it isn't `404 <subject> Not Found`. */
  readonly missing?: Readonly<Record<string, string>>;
  /** Limits of its own, beside those of the whole API. */
  readonly limits?: EndpointLimits;
  /** Whether a request is a try of what people guess at. */
  readonly countsAsGuess?: (values: Values) => boolean;
  readonly dialect: Dialect;
  /**
   * Who the request speaks for: the bearer of an API credential, or (`client`) an
   * OAuth client, which proves itself inside the operation. Otherwise the former.
   */
  readonly auth?: 'client';
}

/** The headers that count as parameters. */
export interface RequestHeaders {
  readonly authorization: string | undefined;
  /** ISO 8601. Undefined too where the header is no date, or the route not conditional. */
  readonly unmodifiedSince?: string | undefined;
}

export interface Guard {
  readonly operation: string;
  readonly variables: (values: Values) => Record<string, unknown>;
  /** Whether it goes before all parameter problems, or only before those told as the model tells them. */
  readonly before: 'every problem' | 'model problems';
  /** A subject whose absence comes after parameter problems all the same. */
  readonly except?: string;
}

/** How errors are told: as version 4 does, or as one of the OAuth endpoints does. */
export type Dialect = 'version 4' | 'making a group' | 'token information' | 'token endpoint' | 'revocation';

/** Keeps the data's type between `operation` and `record`, and forgets it outside. */
export function route<Data>(definition: Route<Data>): AnyRoute {
  return definition as unknown as AnyRoute;
}

export interface AnyRoute extends Route<Record<string, unknown>> {
  /** Where a list finds its page in the data; undefined for a single record. */
  readonly connection?: (data: Record<string, unknown>) => Connection<Record<string, unknown>>;
}

/** A route whose operations fit the schema. */
export interface CompiledRoute {
  /** Method and pattern, as the log and metrics have it. */
  readonly name: string;
  /** What its operation asks for at the root of the schema. */
  readonly fields: readonly string[];
  readonly route: AnyRoute;
  readonly operation: Operation;
  readonly guard: Operation | undefined;
  /** The parameters that shouldn't be sent any more, with the moment since when. */
  readonly deprecated: readonly { readonly name: string; readonly since: number }[];
  /** The changes since version 3 that took parameters of this call away. */
  readonly removed: readonly Migration[];
}

/**
 * What the operation's data is on the wire; the body is null where there is none.
 * @throws NotFound
 */
export function render(route: AnyRoute, data: Record<string, unknown>): { status: number; body: string | null } {
  if (route.subject !== undefined && Object.values(data)[0] === null) throw new NotFound(route.subject);
  if (route.unchanged?.(data)) return { status: 304, body: null };
  const status = route.settled?.(data) ? 204 : (route.status ?? 200);
  if (status === 204) return { status, body: null };
  const value = route.connection ? route.connection(data).nodes.map(route.record.present) : route.record.present(data);
  return { status, body: JSON.stringify(value) };
}
