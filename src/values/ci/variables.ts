import { tooLong } from '../text/lengths.ts';

/** Variables of jobs: their types, and the limits and texts of what people may set. */

export const variableTypes = ['env_var', 'file'] as const;
export type VariableType = (typeof variableTypes)[number];

/** Where variables are set. */
export type VariableScope = 'project' | 'group' | 'instance';

/** How many each place may have, and how that is said. */
export const mostVariables: Readonly<Record<VariableScope, { readonly most: number; readonly words: string }>> = {
  project: { most: 1_000, words: 'project ci variables' },
  group: { most: 1_000, words: 'group ci variables' },
  instance: { most: 100, words: 'ci instance level variables' },
};

const longestKey = 255;
const longestValue = 10_000;
const longestScope = 255;
const longestDescription = 255;

/** The scope of a variable for all environments. */
export const anyEnvironment = '*';

/** What people say of a variable; undefined stays as it is. */
export interface GivenVariable {
  readonly value?: string | undefined;
  readonly environmentScope?: string | undefined;
  readonly description?: string | null | undefined;
}

type Problem = readonly [field: string, message: string];

/** What is wrong with the name of a variable. */
export function problemsOfKey(key: string): Problem[] {
  if (key === '') return [['key', "can't be blank"]];
  const problems: Problem[] = [];
  if (key.length > longestKey) problems.push(['key', tooLong(longestKey)]);
  if (!/^\w+$/.test(key)) problems.push(['key', "can contain only letters, digits and '_'."]);
  return problems;
}

/** What is wrong with a value, wherever it is set. */
export const problemsOfValue = (value: string): Problem[] =>
  value.length > longestValue
    ? [['value', `The value of the provided variable exceeds the ${longestValue} character limit`]]
    : [];

/** What is wrong with the rest of a variable. */
export function problemsOf({ value, environmentScope: scope, description }: GivenVariable): Problem[] {
  const problems = value === undefined ? [] : problemsOfValue(value);
  if (scope !== undefined) {
    if (scope === '') problems.push(['environmentScope', "can't be blank"]);
    if (scope.length > longestScope) problems.push(['environmentScope', tooLong(longestScope)]);
    if (scope !== '' && !/^[\w/${}. *-]+$/.test(scope))
      problems.push([
        'environmentScope',
        "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', '*' and spaces",
      ]);
  }
  if (description != null && description.length > longestDescription)
    problems.push(['description', tooLong(longestDescription)]);
  return problems;
}

/** Whether logs can hide a value: one line, and long enough that it isn't found in ordinary words. */
export const canBeMasked = (value: string, raw: boolean): boolean =>
  raw ? /^\S{8,}$/.test(value) : /^[\w+=/@:.~-]{8,}$/.test(value);
