import type { Fault } from './fault.ts';
import type { Promised } from './promised.ts';

/** The result of one fault. */
export interface Result {
  readonly name: string;
  readonly what: string;
  /** Why it was skipped. */
  readonly skipped: string | undefined;
  readonly promises: readonly Promised[];
  readonly seconds: number;
}

export const resultOf = (
  { name, what }: Fault,
  seconds: number,
  promises: readonly Promised[],
  skipped?: string,
): Result => ({ name, what, skipped, promises, seconds });

export const isKept = ({ promises }: Result): boolean => promises.every(({ kept }) => kept);

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');

/** A table for each fault. */
export function toMarkdown(results: readonly Result[]): string {
  return results
    .map(({ name, what, skipped, promises }) => {
      const head = `### \`${name}\`\n\n${what}\n\n`;
      if (skipped !== undefined) return `${head}Skipped: ${skipped}\n`;
      const rows = promises.map(
        ({ promise, seen, kept }) => `| ${cell(promise)} | ${cell(seen)} | ${kept ? 'yes' : '**no**'} |`,
      );
      return `${head}| promised | seen | kept |\n|---|---|---|\n${rows.join('\n')}\n`;
    })
    .join('\n');
}

const [begin, end] = ['<!-- Written by npm run test:faults -- --document -->', '<!-- End of what is written -->'];

/** Replaces the tables between the marks of a document. @throws Error when the marks are missing */
export function withTables(document: string, tables: string): string {
  const [before, rest] = document.split(begin);
  const [, after] = (rest ?? '').split(end);
  if (before === undefined || after === undefined) throw new Error('The document lacks its marks.');
  return `${before}${begin}\n\n${tables}\n${end}${after}`;
}
