/** What people make, and what an import brings, stays within these. */

/** Triggers of one project. */
export const mostTriggers = 1_000;

/** Longest description of one, in characters. */
export const longestDescription = 1_024;
