import type { PlannedVariable } from '../../plan.ts';
import { expandText } from '../expand.ts';
import type { Variables } from '../expressions/evaluate.ts';

/** Variables by name; the names that others use may be expanded. */
export type Layer = ReadonlyMap<string, PlannedVariable>;

export const layerOf = (variables: readonly PlannedVariable[]): Layer =>
  new Map(variables.map((variable) => [variable.key, variable]));

/** Longest value that expansion makes. */
const longest = 65_536;

/** What the rules of one job see: the first layer that has a name wins. Values are expanded when they are asked for. */
export class Scope implements Variables {
  private readonly layers: readonly Layer[];
  private readonly known = new Map<string, string>();
  private readonly underway = new Set<string>();

  constructor(layers: readonly Layer[]) {
    this.layers = layers;
  }

  get(name: string): string | undefined {
    const known = this.known.get(name);
    if (known !== undefined) return known;
    for (const layer of this.layers) {
      const variable = layer.get(name);
      if (variable) return this.valueOf(variable);
    }
    return undefined;
  }

  expand(text: string): string {
    return expandText(text, (name) => this.get(name));
  }

  /**
   * The value of a variable, each expanded once: one that leads back to itself keeps the name that does so. A text that
   * would become too long keeps its last names.
   */
  private valueOf({ key, value, raw }: PlannedVariable): string | undefined {
    if (raw || !value.includes('$')) return value;
    if (this.underway.has(key)) return undefined;
    this.underway.add(key);
    let length = value.length;
    const expanded = expandText(value, (name) => {
      const inner = length < longest ? this.get(name) : undefined;
      length += inner?.length ?? 0;
      return length < longest ? inner : undefined;
    });
    this.underway.delete(key);
    this.known.set(key, expanded);
    return expanded;
  }
}
