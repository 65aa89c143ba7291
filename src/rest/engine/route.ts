import type { OutgoingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { Forbidden, NotFound } from '../../errors.ts';
import type { EndpointLimits } from '../../limits/index.ts';
import type { Context } from '../../context.ts';
import type { Operation } from '../../operation.ts';
import type { Connection } from './pages.ts';
import type { Record as WireRecord } from './record.ts';
import type { Declaration, Values } from './parameters.ts';
import type { Migration } from '../version-3/change.ts';

type Viewer = Context['viewer'];

/**
 * A route as data: method, path and parameters, the GraphQL operation behind them, and the shape of the answer. The
 * shim runs all routes alike.
 */
export interface Route<Data = never> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** From the root, with `:name` for a parameter in the path; a last `:name*` takes the rest of it. */
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
  /**
   * Parameters, in the order in which their problems are listed. Those in the path need no declaration, unless they are
   * more than a text.
   */
  readonly parameters: readonly Declaration[];
  /** Example values, which the reference fills in. */
  readonly example?: Readonly<Record<string, string | boolean | number>>;
  readonly operation: string;
  /**
   * The operation's variables.
   * @throws ModelProblem for a value that REST refuses with the model's error
   */
  readonly variables: (values: Values, headers: RequestHeaders) => Record<string, unknown>;
  /** More variables, which depend on the viewer: for conditions on what the operation selects, and filters that few may use. */
  readonly ofViewer?: (viewer: Viewer, values: Values) => Record<string, unknown>;
  /** Runs before a bad parameter is reported, so that hidden things stay hidden. */
  readonly guard?: Guard;
  /** Status of success; 200 by default. 204 has no body. */
  readonly status?: 201 | 202 | 204;
  /** Whether the operation changed nothing. The route then answers 304, without a body. */
  readonly unchanged?: (data: Data) => boolean;
  /** Conditional request: passes `If-Unmodified-Since` (RFC 9110 §13.1.4) to the operation. */
  readonly conditional?: true;
  /** Makes the record from the operation's data. */
  readonly record: WireRecord<Data>;
  /** The refusal of a request without a person, for which the operation's field is null. */
  readonly person?: 401 | 403;
  /** Further headers of the answer. */
  readonly headers?: (data: Data) => OutgoingHttpHeaders;
  /** Takes a file from the data: the answer is the file, instead of the record. */
  readonly file?: (data: Data) => SentBack;
  /** Takes a stream from the data: the answer is what it carries, instead of the record. */
  readonly stream?: (data: Data) => StreamedBack;
  /** Less common error statuses, for the reference. */
  readonly refusals?: readonly (404 | 409 | 422)[];
  /** Whether the work of a 202 is already finished. The route then answers 204, without a body. */
  readonly settled?: (data: Data) => boolean;
  /** Whether there is nothing to tell. The route then answers with its status, without a body. */
  readonly silent?: (data: Data) => boolean;
  /** Whether the work was done without making the record. The route then answers 202, or this status, with another record. */
  readonly instead?: {
    readonly when: (data: Data) => boolean;
    readonly record: WireRecord<Data>;
    readonly status?: 200;
  };
  /** What to report as not found (404) when the operation's field is null. */
  readonly subject?: string;
  /**
   * What a list without items reports as not found if the address ends in a slash, and nothing follows: clients write the
   * name of one item there, which is empty if they have none. What asks for a page, or for some of the items, means the list.
   */
  readonly emptyName?: string;
  /** Wire names of input fields, if they differ from the field's name in snake case. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Texts of 404 by subject, if they differ from `404 <subject> Not Found`. */
  readonly missing?: Readonly<Record<string, string>>;
  /** The status for those for whom the repository is switched off; 403 if omitted. */
  readonly withoutRepository?: 404;
  /** Set if HEAD is answered with 204 in place of 200. */
  readonly headStatus?: 204;
  /** Rate limits of this route, in addition to those of the whole API. */
  readonly limits?: EndpointLimits & {
    /** The parameter whose values are counted each by itself. */
    readonly per?: string;
  };
  /** How often all people together may read large files of one project whole by this route and others of the same name. */
  readonly largeReads?: Required<Pick<EndpointLimits, 'name' | 'together'>>;
  /** Whether it may wait for something to happen. Then it doesn’t count as a request under way, and no timeout ends it. */
  readonly waits?: true;
  /** Whether a request counts as an attempt to guess a password. */
  readonly countsAsGuess?: (values: Values) => boolean;
  readonly dialect: Dialect;
  /**
   * How the request authenticates: by default with an API credential; with `client` as an OAuth client, which the
   * operation itself authenticates; with `job`, `runner` or `registration` with the token of such a machine, as a
   * parameter `token` or in a header of its own; with `trigger` by the parameter `token`, which the operation looks up.
   * Its routes get what was sent besides as the value `payload`, in JSON.
   */
  readonly auth?: 'client' | 'trigger' | 'job' | 'runner' | 'registration';
}

/** A file that a route answers with. */
export interface SentBack {
  readonly contentType: string;
  /** Base64. */
  readonly content: string;
  /** What a browser does with it (RFC 6266). */
  readonly disposition?: string;
}

/** Bytes that a route answers with, however many. */
export interface StreamedBack {
  readonly contentType: string;
  /** What a browser does with it (RFC 6266). */
  readonly disposition: string;
  /** All of them, where they are few; otherwise `open` begins the stream. */
  readonly bytes?: Buffer;
  /** How many they are, where that is known before. */
  readonly size?: number;
  readonly open: () => Promise<Readable>;
  /** Those from `start` to before `end`, if clients may ask for a part of them. */
  readonly part?: (start: number, end: number) => Readable;
}

/** The headers that operations use. */
export interface RequestHeaders {
  readonly authorization: string | undefined;
  /** ISO 8601. Undefined also if the header isn't a date or the route isn't conditional. */
  readonly unmodifiedSince?: string | undefined;
}

export interface Guard {
  readonly operation: string;
  readonly variables: (values: Values) => Record<string, unknown>;
  /** What its refusal takes precedence over: every parameter problem, or only `ModelProblem`. */
  readonly before: 'every problem' | 'model problems';
  /** A subject whose 404 is reported only after parameter problems. */
  readonly except?: string;
}

/** The form of a route's errors: that of version 4 or of an OAuth endpoint. */
export type Dialect =
  | 'version 4'
  | 'making a group'
  | 'transferring a group'
  | 'transferring a project'
  | 'sharing a group'
  | 'sharing a project'
  | 'saving a snippet'
  | 'creating a milestone'
  | 'updating a milestone'
  | 'saving a note'
  | 'awarding an emoji'
  | 'reasons alone'
  | 'writing a file'
  | 'replaying a commit'
  | 'runners'
  | 'token information'
  | 'token endpoint'
  | 'revocation';

/** Checks that `operation` and `record` agree on the data's type, then erases it. */
export function route<Data>(definition: Route<Data>): AnyRoute {
  return definition as unknown as AnyRoute;
}

export interface AnyRoute extends Route<Record<string, unknown>> {
  /** Finds the page of a list in the data, null if the viewer doesn’t read it; undefined for a single record. */
  readonly connection?: (data: Record<string, unknown>) => Connection<Record<string, unknown>> | null;
  /** Set for a list that names no total. */
  readonly uncounted?: true;
  /** Set if keyset pagination of the list goes by a cursor. */
  readonly cursor?: true;
  /** What of an item keyset pagination of the list goes by, if not by its id. */
  readonly token?: 'name' | 'path';
  /** Set for a list that can be had in one answer. */
  readonly unpaged?: true;
}

/** A route whose operations are validated against the schema. */
export interface CompiledRoute {
  /** Method and pattern, as the log and metrics show them. */
  readonly name: string;
  /** The root fields of its operation. */
  readonly fields: readonly string[];
  readonly route: AnyRoute;
  readonly operation: Operation;
  readonly guard: Operation | undefined;
  /** Deprecated parameters, with the time of their deprecation. */
  readonly deprecated: readonly { readonly name: string; readonly since: number }[];
  /** The changes since version 3 that removed parameters of this call. */
  readonly removed: readonly Migration[];
}

interface Rendered {
  readonly status: number;
  readonly body: string | Buffer | null;
  /** If it isn't JSON. */
  readonly headers?: OutgoingHttpHeaders;
}

/** @throws NotFound if the operation found no subject */
export function requireSubject({ subject }: AnyRoute, data: Record<string, unknown>): void {
  if (subject !== undefined && Object.values(data)[0] === null) throw new NotFound(subject);
}

/**
 * Renders the operation's data as status and body. The body is null if the answer has none.
 * @throws NotFound, Forbidden
 */
export function render(route: AnyRoute, data: Record<string, unknown>): Rendered {
  requireSubject(route, data);
  if (route.unchanged?.(data)) return { status: 304, body: null };
  if (route.file) {
    const { contentType, content, disposition } = route.file(data);
    const headers = { 'content-type': contentType, ...(disposition && { 'content-disposition': disposition }) };
    return { status: 200, body: Buffer.from(content, 'base64'), headers };
  }
  if (route.instead?.when(data))
    return { status: route.instead.status ?? 202, body: JSON.stringify(route.instead.record.present(data)) };
  const status = route.settled?.(data) ? 204 : (route.status ?? 200);
  if (status === 204 || route.silent?.(data)) return { status, body: null };
  const list = route.connection?.(data);
  // A list that the viewer doesn't read, of a record that they read.
  if (list === null) throw new Forbidden();
  const value = list ? list.nodes.map(route.record.present) : route.record.present(data);
  return { status, body: JSON.stringify(value) };
}
