/** One line of what the doctor says. */
export interface Finding {
  readonly name: string;
  /** A problem keeps the gateway from working, or from keeping its promises; a warning may be meant. */
  readonly status: 'ok' | 'warning' | 'problem';
  readonly says: string;
  /** What to do about it; with everything but `ok`. */
  readonly remedy?: string;
}

export const ok = (name: string, says: string): Finding => ({ name, status: 'ok', says });
export const warning = (name: string, says: string, remedy: string): Finding => ({
  name,
  status: 'warning',
  says,
  remedy,
});
export const problem = (name: string, says: string, remedy: string): Finding => ({
  name,
  status: 'problem',
  says,
  remedy,
});

/** What may be wrong with a thing, each with its remedy: the first that is, or that nothing is. */
export function judged(
  name: string,
  says: string,
  faults: readonly (readonly [is: boolean, fault: Finding])[],
): Finding {
  return faults.find(([is]) => is)?.[1] ?? ok(name, says);
}
