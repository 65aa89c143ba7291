import { Unreadable } from '../problems.ts';
import { tooBig } from './limits.ts';
import { isMapping, Mapping, type Value } from './values.ts';

/** How many keys may be copied while the parts of one configuration are merged. */
const mostCopies = 1_000_000;

/** Counts what merging copies: parts that are shared cost little text, but much work. */
export class Effort {
  private spent = 0;

  /** @throws Unreadable when a configuration asks for too much */
  spend(copies: number): void {
    this.spent += copies;
    if (this.spent > mostCopies) throw new Unreadable(tooBig);
  }
}

/** Mappings merged deeply: the later wins, and lists are replaced. Neither is changed. */
export function merge(below: Mapping, above: Mapping, effort: Effort): Mapping {
  effort.spend(below.entries.size + above.entries.size + 1);
  const merged = new Mapping(above.place, below.entries);
  for (const [name, entry] of above.entries) {
    const former = below.entries.get(name)?.value;
    const value: Value = isMapping(former) && isMapping(entry.value) ? merge(former, entry.value, effort) : entry.value;
    merged.entries.set(name, { value, place: entry.place });
  }
  return merged;
}
