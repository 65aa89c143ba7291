import type { Operation } from '../operation.ts';
import type { Record as WireRecord } from './records/record.ts';
import type { Parameter, Values } from './parameters.ts';

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
  readonly parameters: readonly Parameter[];
  /** Parameters that make sense together, for whoever tries the route in the reference. */
  readonly example?: Readonly<Record<string, string | boolean>>;
  readonly operation: string;
  /**
   * The operation's variables.
   * @throws ModelProblem for a value that the wire refuses as the model would
   */
  readonly variables: (values: Values, headers: RequestHeaders) => Record<string, unknown>;
  /** Runs first where the contract wants its refusal before that of a bad parameter. */
  readonly guard?: Guard;
  /** The record out of the operation's data. */
  readonly record: WireRecord<Data>;
  readonly dialect: Dialect;
  /**
   * Who the request speaks for: the bearer of an API credential, or (`client`) an
   * OAuth client, which proves itself inside the operation. Otherwise the former.
   */
  readonly speaker?: 'client';
}

/** The headers that count as parameters. */
export interface RequestHeaders {
  readonly authorization: string | undefined;
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
export type Dialect = 'version 4' | 'token information' | 'token endpoint' | 'revocation';

/** Keeps the data's type between `operation` and `record`, and forgets it outside. */
export function route<Data>(definition: Route<Data>): AnyRoute {
  return definition as unknown as AnyRoute;
}

export type AnyRoute = Route<Record<string, unknown>>;

/** A route whose operations fit the schema. */
export interface CompiledRoute {
  readonly route: AnyRoute;
  readonly operation: Operation;
  readonly guard: Operation | undefined;
}
