/**
 * Milliseconds without progress before a backup or restore fails: longer than a slow disk or a migration takes, but
 * short enough to be noticed the same night.
 */
export const usualStallTimeout = 300_000;
