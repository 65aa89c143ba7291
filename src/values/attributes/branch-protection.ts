/** Who pushes to the default branch of new projects and merges into it, as the settings of a group say it. */

interface BranchProtection {
  readonly allowed_to_push: readonly { readonly access_level: number }[];
  readonly allow_force_push: boolean;
  readonly allowed_to_merge: readonly { readonly access_level: number }[];
  readonly developer_can_initial_push: boolean;
  readonly [name: string]: unknown;
}

/** The numbers that roles have here: no one, developers, maintainers, administrators. */
const levels = [0, 30, 40, 60];

const protection = (push: number, merge: number, force: boolean, first: boolean): BranchProtection => ({
  allowed_to_push: [{ access_level: push }],
  allow_force_push: force,
  allowed_to_merge: [{ access_level: merge }],
  developer_can_initial_push: first,
});

/** By the number that older clients know. */
export const branchProtection = {
  0: protection(30, 30, true, false),
  1: protection(30, 40, false, false),
  2: protection(40, 40, false, false),
  3: protection(40, 30, false, false),
  4: protection(40, 40, false, true),
} as const;

/** The number that says most of it. */
export function branchProtectionLevel(given: { readonly [name: string]: unknown }): 0 | 1 | 2 | 3 | 4 {
  const { allowed_to_push: push, allowed_to_merge: merge, ...flags } = given as BranchProtection;
  const developersIn = (list: BranchProtection['allowed_to_push']) =>
    list.some(({ access_level: level }) => level === 30);
  if (developersIn(push)) return flags.allow_force_push ? 0 : 1;
  if (flags.developer_can_initial_push) return 4;
  return developersIn(merge) ? 3 : 2;
}

/** How the first branch of a project is protected. */
export interface FirstProtection {
  /** Who makes it. */
  readonly levels: readonly number[];
  /** The rule that it gets; undefined for none. */
  readonly rule: { readonly push: number; readonly merge: number; readonly force: boolean } | undefined;
}

const usual = 2;

/** The least of the roles that a setting names; 0 for no one. */
const leastOf = (list: BranchProtection['allowed_to_push']): number => {
  const named = list.map(({ access_level: level }) => level).filter((level) => level > 0);
  return named.length === 0 ? 0 : Math.min(...named, 60);
};

/** The same, by the attributes of the group that contains the project; without any, as for maintainers only. */
export function firstProtection(ofGroup: { readonly [name: string]: unknown }): FirstProtection {
  const level = (ofGroup.defaultBranchProtection ?? usual) as keyof typeof branchProtection;
  const defaults = (ofGroup.defaultBranchProtectionDefaults ?? branchProtection[level]) as BranchProtection;
  if (branchProtectionLevel(defaults) === 0) return { levels: [30], rule: undefined };
  const push = leastOf(defaults.allowed_to_push);
  return {
    // Someone must be able to begin.
    levels: [defaults.developer_can_initial_push ? 30 : push || 40],
    rule: { push, merge: leastOf(defaults.allowed_to_merge), force: defaults.allow_force_push },
  };
}

// Forms send only texts.
const flags = new Map<unknown, boolean>([
  [true, true],
  [false, false],
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
]);

type Cleaning = (value: unknown) => unknown;

const cleanFlag: Cleaning = (value) => flags.get(value);

const cleanLevels: Cleaning = (value) => {
  if (!Array.isArray(value) || value.length > 100) return undefined;
  const cleaned = (value as unknown[]).map((one) => {
    const level =
      typeof one === 'object' && one !== null ? (one as { access_level?: unknown }).access_level : undefined;
    return typeof level === 'number' || typeof level === 'string' ? Number(level) : Number.NaN;
  });
  return cleaned.every((level) => levels.includes(level))
    ? cleaned.map((level) => ({ access_level: level }))
    : undefined;
};

const members = new Map<string, Cleaning>([
  ['allowed_to_push', cleanLevels],
  ['allow_force_push', cleanFlag],
  ['allowed_to_merge', cleanLevels],
  ['developer_can_initial_push', cleanFlag],
  ['code_owner_approval_required', cleanFlag],
]);

/** Why it is refused. Unknown members are ignored. */
export const branchProtectionProblem = (given: { readonly [name: string]: unknown }): string | undefined =>
  Object.entries(given).some(([name, value]) => members.has(name) && members.get(name)!(value) === undefined)
    ? 'must be a valid json schema'
    : undefined;

/** With all members, in order. Missing ones are as for maintainers only. */
export function cleanBranchProtection(given: { readonly [name: string]: unknown }): {
  readonly [name: string]: unknown;
} {
  const cleaned: { [name: string]: unknown } = { ...branchProtection[2] };
  for (const [name, clean] of members) if (Object.hasOwn(given, name)) cleaned[name] = clean(given[name]);
  return cleaned;
}
