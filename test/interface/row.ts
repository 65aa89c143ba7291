/**
 * A row of the interface: one thing that it promises, as a request and what that must bring. Rows are data, so that they
 * can be read beside the interface. `{name}` in any text is the name of something that the world or an earlier step knows.
 */
export interface Row {
  readonly name: string;
  /** What the row needs and isn't built: it must fail until then, and must lose this mark when it passes. */
  readonly awaits?: Feature;
  /** Requests that come first. Each must succeed. */
  readonly given?: readonly Step[];
  readonly asks: Call;
  readonly gets: Answer;
}

export type Feature =
  | 'award emoji'
  | 'deploy keys'
  | 'environments'
  | 'epics'
  | 'issues'
  | 'jobs'
  | 'labels'
  | 'merge requests'
  | 'milestones'
  | 'notes'
  | 'pipelines'
  | 'repository'
  | 'snippets'
  | 'to-dos'
  | 'triggers';

/** `GET /projects/{project}`, relative to `/api/v4` unless the path begins with `/api`, `/oauth`, `/profile` or `/-/`. */
export interface Call {
  readonly call: string;
  /** Whose personal access token it carries; the maintainer's if left out. */
  readonly as?: Person | 'nobody';
  readonly query?: Fields;
  readonly form?: Fields;
  readonly json?: object;
  readonly headers?: Fields;
  /** The gateway of the same database that runs in production: under https. */
  readonly inProduction?: true;
  /** A person who is signed in opens the page and presses this button of it. */
  readonly presses?: string;
  /** What the person fills in before. */
  readonly fills?: Fields;
}

/** The demo workspace's, a person on the higher tier, and one who is a member of nothing. */
export type Person = 'root' | 'maintainer' | 'developer' | 'guest' | 'premium' | 'stranger';

export type Fields = Readonly<Record<string, string>>;

export interface Step extends Call {
  /** What later requests need of the answer: by a new name, the path to it in the body (`project.id`) or in what it leads to (`query.code`). */
  readonly keeps?: Fields;
}

export interface Answer {
  readonly status: number;
  /** The whole body; matchers of `expect` are welcome. */
  readonly body?: unknown;
  /** Part of the body. */
  readonly has?: object;
  /** The names of the record's members, in order; of a list those of each of its records. */
  readonly members?: readonly string[];
  /** Members that the record, or each record of a list, must not have. */
  readonly lacks?: readonly string[];
  /** Of a list: what this member is in each record, in order. */
  readonly list?: Readonly<Record<string, readonly unknown[]>>;
  /** Headers by name: the value, a pattern, or null for one that must be missing. */
  readonly headers?: Readonly<Record<string, string | RegExp | null>>;
  /** What the hint says, among other things. */
  readonly hint?: string;
  /** Where a redirect leads, without query and fragment. */
  readonly leadsTo?: string;
  /** Part of the query and of the fragment of where it leads; matchers are welcome. */
  readonly query?: Readonly<Record<string, unknown>>;
  readonly fragment?: Readonly<Record<string, unknown>>;
  /** Texts on the page. */
  readonly page?: readonly string[];
}

/** The headers of a page of a list that is counted. */
export const pageHeaders: NonNullable<Answer['headers']> = {
  link: /rel="first"/,
  'x-page': '1',
  'x-per-page': /^\d+$/,
  'x-next-page': /^\d*$/,
  'x-prev-page': '',
  'x-total': /^\d+$/,
  'x-total-pages': /^\d+$/,
};
