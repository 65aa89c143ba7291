import { importedKinds, type ImportedKind } from '../values/kinds/imported-kinds.ts';
import type { Reason } from './client.ts';

/** What an import did, and how what is here differs from what is there. */

const outcomes = ['created', 'updated', 'unchanged', 'refused'] as const;
export type Outcome = (typeof outcomes)[number];

export type Counts = { readonly [One in Outcome]: number };

/** How one record differs, or why it was refused. */
export interface Difference {
  readonly kind: ImportedKind;
  /** What identifies it there. */
  readonly key: string;
  /** What people call it. */
  readonly name: string;
  readonly text: string;
}

/** Something that the other side didn't give. */
interface Missing {
  readonly what: string;
  readonly status: Reason;
  readonly times: number;
}

/** More differences are only counted. */
const mostDifferences = 100_000;

export class Report {
  readonly #counts = new Map<ImportedKind, { [One in Outcome]: number }>();
  readonly #differences: Difference[] = [];
  readonly #missing = new Map<string, { status: Reason; times: number }>();
  readonly #there = new Map<string, number>();
  #omitted = 0;
  #skipped: readonly string[] = [];

  count(kind: ImportedKind, outcome: Outcome): void {
    const counts = this.#counts.get(kind) ?? { created: 0, updated: 0, unchanged: 0, refused: 0 };
    counts[outcome]++;
    this.#counts.set(kind, counts);
  }

  differs(difference: Difference): void {
    if (this.#differences.length < mostDifferences) this.#differences.push(difference);
    else this.#omitted++;
  }

  /** Something wasn't given. @param what without ids, so that many are reported once */
  missing(what: string, status: Reason): void {
    const before = this.#missing.get(what);
    this.#missing.set(what, { status, times: (before?.times ?? 0) + 1 });
  }

  /** How many there are of something that a dry run doesn't read. */
  counted(what: string, count: number): void {
    this.#there.set(what, (this.#there.get(what) ?? 0) + count);
  }

  /** What an interrupted run had finished, and this one didn't read again. */
  skips(parts: readonly string[]): void {
    this.#skipped = parts;
  }

  get counts(): Readonly<Partial<Record<ImportedKind, Counts>>> {
    return Object.fromEntries(this.#counts);
  }

  /** As JSON. */
  toJSON() {
    return {
      counts: this.counts,
      ...(this.#skipped.length > 0 && { finishedBefore: this.#skipped }),
      ...(this.#there.size > 0 && { there: Object.fromEntries(this.#there) }),
      differences: this.#differences,
      ...(this.#omitted > 0 && { furtherDifferences: this.#omitted }),
      missing: [...this.#missing].map(([what, { status, times }]): Missing => ({ what, status, times })),
    };
  }

  /** For people. @param most lines of differences */
  words(most = 50): string {
    const counts = [...this.#counts].map(([kind, its]) => {
      const parts = outcomes.flatMap((outcome) => (its[outcome] > 0 ? [`${its[outcome]} ${outcome}`] : []));
      return `  ${importedKinds[kind]}: ${parts.join(', ')}`;
    });
    const there = [...this.#there].map(([what, count]) => `  ${what}: ${count} there`);
    const differences = this.#differences
      .slice(0, most)
      .map(({ kind, name, text }) => `  ${importedKinds[kind]}, ${name}: ${text}`);
    const further = this.#differences.length + this.#omitted - differences.length;
    if (further > 0) differences.push(`  and ${further} more; --report writes all of them to a file`);
    const missing = [...this.#missing].map(([what, { status, times }]) => `  ${what}: ${status}, ${times} times`);
    return [
      [...counts, ...there].join('\n'),
      ...(this.#skipped.length > 0
        ? [
            `An interrupted run had finished ${this.#skipped.length} parts, which weren’t read again. Run it once more for what changed there meanwhile.`,
          ]
        : []),
      ...(differences.length > 0 ? [`Differences:\n${differences.join('\n')}`] : []),
      ...(missing.length > 0 ? [`Not given by the other side:\n${missing.join('\n')}`] : []),
    ].join('\n\n');
  }
}
