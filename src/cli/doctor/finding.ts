import type { Finding } from '../../values/findings.ts';

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
