/** A change between version 3 and version 4 of the API. */
export interface Change {
  /** Its heading in the migration guide. */
  readonly subject: Subject;
  /** What changed, in one sentence. */
  readonly title: string;
  /** The GitLab version that introduced it. */
  readonly since: '8.17' | '9.0';
  /**
   * The affected calls of version 3: method and path below `/api/v3`. `*` is any method, `:name` one segment (with an
   * optional pattern in parentheses), `:name*` the rest of the path.
   */
  readonly old: readonly string[];
  /** The calls of version 4 that replace them, with the relevant parameter. */
  readonly now: readonly string[];
  /** Removed or renamed parameters: only a request with one of them gets the hint. */
  readonly parameters?: readonly string[];
  /** Parameters that are now required: only a request without one of them gets the hint. */
  readonly required?: readonly string[];
  /** The status with which version 4 refuses the old call. Omitted if it still answers, but differently. */
  readonly refused?: 400 | 404 | 405;
  /** The hint, if naming the new call isn't enough. */
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

/** The hint for a renamed parameter. */
export const renamed = (old: string, now: string) => `The parameter \`${old}\` is called \`${now}\`.`;

/** A line of the migration guide. */
export interface Migration extends Change {
  /** Whether this gateway serves all of the new calls. */
  readonly served: boolean;
  /** The hint for a client that still makes the old call. */
  readonly hint: string;
}
