import type { Command } from 'commander';

export interface Printing {
  readonly json?: boolean;
}

/** The option of every command that prints results. */
export const withJson = (command: Command): Command => command.option('--json', 'print the result as JSON');

/** Prints the result of a command: JSON for programs, words for people. */
export function print({ json }: Printing, result: unknown, words: string): void {
  process.stdout.write(json ? `${JSON.stringify(result, undefined, 2)}\n` : `${words.trimEnd()}\n`);
}

/** Formats a table in columns as wide as their contents. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
