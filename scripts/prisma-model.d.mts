/** A line of a model. */
export interface Field {
  readonly name: string;
  readonly type: string;
  /** The columns that refer to the other table, if it is a relation from this one. */
  readonly from: readonly string[];
}
export function modelsOf(schema: string): Map<string, string[]>;
export function fieldOf(line: string): Field | undefined;
export function queriedOf(schema: string): string;
