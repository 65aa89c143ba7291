import type { PlannedJob, PlannedVariable } from '../../plan.ts';
import { groupNameOf, slug } from '../../variables.ts';
import { expandText } from '../expand.ts';
import type { Variables } from '../expressions/evaluate.ts';
import type { PipelineFacts } from './facts.ts';

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

/** A job before it exists. */
interface Known {
  readonly name: string;
  readonly stage: string;
  readonly parallel?: PlannedJob['parallel'];
}

/** The variables by which it is known. */
export const ofJob = ({ name, stage, parallel }: Known): PlannedVariable[] => [
  { key: 'CI_JOB_NAME', value: name, raw: true },
  { key: 'CI_JOB_NAME_SLUG', value: slug(name), raw: true },
  { key: 'CI_JOB_GROUP_NAME', value: groupNameOf(name), raw: true },
  { key: 'CI_JOB_STAGE', value: stage, raw: true },
  { key: 'CI_NODE_TOTAL', value: String(parallel?.total ?? 1), raw: true },
  ...(parallel ? [{ key: 'CI_NODE_INDEX', value: String(parallel.index), raw: true }] : []),
];

/** What the names in a planned job see: of its environment, and of its tags. */
export const scopeOf = (
  { variables: { predefined, given } }: Pick<PipelineFacts, 'variables'>,
  job: Known & Pick<PlannedJob, 'variables'>,
): Scope => new Scope([layerOf(given), layerOf([...ofJob(job), ...job.variables]), layerOf(predefined)]);
