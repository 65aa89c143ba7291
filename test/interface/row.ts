/**
 * A row: one promise of GitLab's API documentation, as a request and its expected answer. Rows are data, so that they can
 * be compared with that documentation. `{name}` in any text is replaced by a value of the world or of an earlier step.
 */
export interface Row {
  readonly name: string;
  /** A feature that isn't built yet: the row must fail. Remove this once it passes. */
  readonly awaits?: Feature;
  /** Requests to send before. Each must succeed. */
  readonly given?: readonly Step[];
  readonly request: Call;
  readonly response: Answer;
}

type Feature = 'issues' | 'jobs' | 'merge requests' | 'pipelines';

/** `GET /projects/{project}`, relative to `/api/v4` unless the path begins with `/api`, `/oauth`, `/profile` or `/-/`. */
export interface Call {
  readonly call: string;
  /** Whose personal access token to send; by default the maintainer's. */
  readonly as?: Person | 'anonymous';
  readonly query?: Fields;
  readonly form?: Fields;
  readonly json?: object;
  readonly headers?: Fields;
  /** Sends it to the gateway in production mode (https), which has the same database. */
  readonly inProduction?: true;
  /** Open the page in the browser and press this button. */
  readonly presses?: string;
  /** Form fields to fill in before. */
  readonly fills?: Fields;
}

/** The demo users, a user on the higher tier, and one without memberships. */
export type Person = 'root' | 'maintainer' | 'developer' | 'guest' | 'premium' | 'stranger';

export type Fields = Readonly<Record<string, string>>;

export interface Step extends Call {
  /** Values to save for later requests: new name, and path in the body (`project.id`) or the redirect (`query.code`). */
  readonly keeps?: Fields;
}

export interface Answer {
  readonly status: number;
  /** The whole body; may contain matchers. */
  readonly body?: unknown;
  /** Part of the body. */
  readonly has?: object;
  /** The keys of the record, or of each record in a list, in order. */
  readonly members?: readonly string[];
  /** Keys that the record, or each record in a list, must not have. */
  readonly lacks?: readonly string[];
  /** Of a list: the values of this key in all records, in order. */
  readonly list?: Readonly<Record<string, readonly unknown[]>>;
  /** Headers by name: a value, a pattern, or null if it must be missing. */
  readonly headers?: Readonly<Record<string, string | RegExp | null>>;
  /** Part of the hint. */
  readonly hint?: string;
  /** Target of a redirect, without query and fragment. */
  readonly leadsTo?: string;
  /** Part of the target's query and fragment; may contain matchers. */
  readonly query?: Readonly<Record<string, unknown>>;
  readonly fragment?: Readonly<Record<string, unknown>>;
  /** Texts on the page. */
  readonly page?: readonly string[];
}

/** The headers of offset pagination. */
export const pageHeaders: NonNullable<Answer['headers']> = {
  link: /rel="first"/,
  'x-page': '1',
  'x-per-page': /^\d+$/,
  'x-next-page': /^\d*$/,
  'x-prev-page': '',
  'x-total': /^\d+$/,
  'x-total-pages': /^\d+$/,
};
