import type { HandOutRow } from './statements.ts';

/** Seconds that a job may take in a project without a choice. */
const usualTimeout = 3_600;

/** Seconds that a job may take: as its configuration or its project says, and no longer than its runner allows. */
export function timeoutOf({ timeout, attributes: { buildTimeout }, maximumTimeout }: HandOutRow): number {
  const chosen = timeout ?? (typeof buildTimeout === 'number' ? buildTimeout : usualTimeout);
  return Math.min(chosen, maximumTimeout ?? chosen);
}
