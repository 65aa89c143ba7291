/** A change between version 3 and version 4 of the API. */
export interface Change {
  /** What it is about: a heading of the guide. */
  readonly subject: Subject;
  /** What changed, in one sentence. */
  readonly title: string;
  /** The service's version that brought it. */
  readonly since: '8.17' | '9.0';
  /**
   * The calls of version 3 that it concerns: method and path below `/api/v3`, `*` for
   * any method, `:name` for one segment (of a form in parentheses), `:name*` for all that follows.
   */
  readonly old: readonly string[];
  /** The calls of version 4 that stand in their place, with the parameter that matters. */
  readonly now: readonly string[];
  /** The parameters that are gone or have another name: only a request that carries one gets the hint. */
  readonly parameters?: readonly string[];
  /** The parameters that were optional: only a request without one of them gets the hint. */
  readonly required?: readonly string[];
  /** The status with which version 4 refuses the old call. Left out where it answers, in another way than before. */
  readonly refused?: 400 | 404 | 405;
  /** What to do, where naming the new call doesn't say it. */
  readonly says?: string;
}

export const subjects = [
  'Everywhere',
  'Projects',
  'Groups and members',
  'Users and to-dos',
  'Issues, merge requests and milestones',
  'Snippets and notes',
  'Repositories',
  'Pipelines and jobs',
  'Deploy keys and environments',
  'Templates',
] as const;
type Subject = (typeof subjects)[number];

/** Says that a parameter has another name now. */
export const renamed = (old: string, now: string) => `The parameter \`${old}\` is called \`${now}\`.`;

/** A line of the migration guide. */
export interface Migration extends Change {
  /** Whether this gateway answers every one of the new calls. */
  readonly served: boolean;
  /** The hint for a client that still makes the old call. */
  readonly hint: string;
}
