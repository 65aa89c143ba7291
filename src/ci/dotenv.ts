/** Variables that a job reports for those that need it: a file of lines `KEY=VALUE`. */

export interface ReportedVariable {
  readonly key: string;
  readonly value: string;
}

/** Most bytes of the file. */
export const longestDotenv = 5_120;
const mostVariables = 20;
const longestKey = 255;

/**
 * Reads such a file. Empty lines are left out, and quotes around a value; nothing else is interpreted, and a key that
 * comes twice has its last value.
 * @returns the variables, or why it can’t be read
 */
export function readDotenv(text: string): readonly ReportedVariable[] | string {
  const found = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue;
    const parts = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=(.*)$/.exec(line);
    if (!parts || parts[1]!.length > longestKey) return 'Invalid Format';
    found.set(parts[1]!, unquoted(parts[2]!.trim()));
    if (found.size > mostVariables) return `Dotenv files cannot have more than ${mostVariables} variables`;
  }
  return [...found].map(([key, value]) => ({ key, value }));
}

const unquoted = (value: string) => /^(["'])(.*)\1$/s.exec(value)?.[2] ?? value;
