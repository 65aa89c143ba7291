/** The result of one check of `causeway doctor`. */
export interface Finding {
  readonly name: string;
  /** `problem`: the gateway doesn't work or breaks its guarantees. `warning`: the operator may intend this. */
  readonly status: 'ok' | 'warning' | 'problem';
  readonly says: string;
  /** What the operator can do about it; absent for `ok`. */
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

/** The first fault that applies, or `ok`. */
export function judged(
  name: string,
  says: string,
  faults: readonly (readonly [is: boolean, fault: Finding])[],
): Finding {
  return faults.find(([is]) => is)?.[1] ?? ok(name, says);
}
