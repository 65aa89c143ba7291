import type { Report } from './report.ts';
import { merge, type Effort } from './yaml/merge.ts';
import { isList, isMapping, Mapping, type Value } from './yaml/values.ts';

/** Levels of parents. */
const deepest = 11;

/** Resolves `extends`, each job once. */
export class Extender {
  private readonly root: Mapping;
  private readonly effort: Effort;
  private readonly report: Report;
  private readonly done = new Map<string, { readonly job: Mapping; readonly levels: number } | null>();
  private readonly underway = new Set<string>();

  constructor(root: Mapping, effort: Effort, report: Report) {
    this.root = root;
    this.effort = effort;
    this.report = report;
  }

  /** A job with its parents below it; null if they can't be found, which is reported once. */
  extend(name: string): Mapping | null {
    return this.resolve(name)?.job ?? null;
  }

  private resolve(name: string): { readonly job: Mapping; readonly levels: number } | null {
    const known = this.done.get(name);
    if (known !== undefined) return known;
    const job = this.root.get(name);
    const resolved = isMapping(job) ? this.join(name, job) : null;
    this.done.set(name, resolved);
    return resolved;
  }

  private join(name: string, job: Mapping): { readonly job: Mapping; readonly levels: number } | null {
    const entry = job.entries.get('extends');
    if (!entry || entry.value === null) return { job, levels: 1 };
    const { place } = entry;
    const parents = namesOf(entry.value);
    if (!parents)
      return this.report.error(`jobs:${name} extends should be an array of strings or a string`, place) ?? null;
    const unknown = parents.filter((parent) => !isMapping(this.root.get(parent)));
    if (unknown.length > 0)
      return this.report.error(`${name}: unknown keys in \`extends\` (${unknown.join(', ')})`, place) ?? null;
    if (this.underway.has(name) || parents.includes(name))
      return this.report.error(`${name}: circular dependency detected in \`extends\``, place) ?? null;
    // A job that this deep extends others still: it is refused before the next level is read.
    if (this.underway.size >= deepest)
      return this.report.error(`${name}: nesting too deep in \`extends\``, place) ?? null;
    this.underway.add(name);
    let below = new Mapping(job.place);
    let levels = 0;
    for (const parent of parents) {
      if (this.underway.has(parent)) {
        this.underway.delete(name);
        return this.report.error(`${name}: circular dependency detected in \`extends\``, place) ?? null;
      }
      const resolved = this.resolve(parent);
      if (!resolved) {
        this.underway.delete(name);
        return null;
      }
      levels = Math.max(levels, resolved.levels);
      below = merge(below, resolved.job, this.effort);
    }
    this.underway.delete(name);
    if (levels + 1 > deepest) return this.report.error(`${name}: nesting too deep in \`extends\``, place) ?? null;
    const own = new Mapping(job.place, job.entries);
    own.entries.delete('extends');
    return { job: merge(below, own, this.effort), levels: levels + 1 };
  }
}

function namesOf(value: Value): readonly string[] | undefined {
  const names = isList(value) ? value : [value];
  return names.every((name) => typeof name === 'string') ? names : undefined;
}
