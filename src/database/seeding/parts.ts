/** What the steps of seeding share. */

/** Declares the types of all parameters, also of those that a step doesn't use. */
export const given = 'given as (select $1::int, $2::int, $3::text, $4::jsonb)';

/** How many rows of each kind to make. */
export interface SeedPlan {
  readonly users: number;
  readonly groups: number;
  readonly projects: number;
  /** Group and project memberships, half each; fewer if there aren't enough pairs of person and place. */
  readonly memberships: number;
  /**
   * Notification settings that differ from the default: a tenth global, the others of groups and projects; fewer if
   * there aren't enough pairs.
   */
  readonly settings: number;
  /** Personal access tokens with random, unknown secrets. */
  readonly tokens: number;
  /** Authorizations of one application, each with an access and a refresh token of unknown secrets. */
  readonly grants: number;
  /** Labels: a tenth of groups, the others of projects, with the same titles in each. */
  readonly labels: number;
  /** Milestones of projects. */
  readonly milestones: number;
  /** Issues: a tenth in the first project, the others evenly in the other projects. */
  readonly issues: number;
  /** Comments: 1 of 500 on the first issue, the others evenly on all issues. */
  readonly notes: number;
}

export interface Step {
  readonly counts: keyof SeedPlan;
  readonly label: string;
  /** The tables that it writes to. */
  readonly tables: readonly string[];
  /** Rows per statement. */
  readonly batch: number | ((plan: SeedPlan) => number);
  readonly text: string;
}

/** SQL of a number for the number `i`: deterministic, but in no order that an index would profit from. */
export const shuffled = (i: string) => `(${i}::bigint * 2654435761)`;

/** Maps the number `i` to one of `most`. */
export const spread = (i: string, most: string) => `1 + (${shuffled(i)} % greatest(${most}, 1))::int`;

export const count = (what: keyof SeedPlan) => `($4 ->> '${what}')::int`;

/** Spread over the past, so that sorting by time has something to sort. */
export const createdBy = (number: string) =>
  `now() - (${number} % 1500) * interval '1 day' - (${number} % 86400) * interval '1 second'`;
export const created = createdBy('i');
