import { isDay, isInCalendar } from '../../values/time/calendar.ts';
import { isFilePath, staysInside } from '../../values/text/file-path.ts';
import { isObject, SentFile, type Parameters } from '../../http/index.ts';

/** A parameter of a route, outside its path. */
export interface Parameter {
  readonly name: string;
  readonly type: keyof typeof coercions;
  readonly description: string;
  readonly required?: true;
  /** An empty value is refused. Without this, empty means null, or a list without items. */
  readonly notBlank?: true;
  /** A text without letters is a value, also an empty one: it isn't taken for null. */
  readonly verbatim?: true;
  /** Useful values, for the reference. */
  readonly values?: readonly string[];
  /** The only values accepted. */
  readonly allowed?: readonly string[];
  readonly forbidden?: readonly (string | number)[];
  /** The largest number accepted, with either sign. */
  readonly largest?: number;
  /** The date since when it is deprecated. */
  readonly deprecated?: string;
  /** The value if the parameter is omitted. */
  readonly default?: string | number | boolean;
  /** The members of an object, or of each object of a list of the type `objects`. */
  readonly of?: readonly Parameter[];
}

/** A rule about how many of a group of parameters are sent. Its position among the declarations orders its problem. */
interface ParameterGroup {
  readonly rule: keyof typeof groupRules;
  readonly of: readonly string[];
  /** Parameters that count too, which the problem doesn't name. */
  readonly unnamed?: readonly string[];
}

/** A parameter that is needed together with another one. */
interface ParameterNeeded {
  readonly rule: 'needed with';
  readonly with: string;
  readonly name?: undefined;
  readonly needed: string;
}

export type Declaration = Parameter | ParameterGroup | ParameterNeeded;

export const parametersOf = (declarations: readonly Declaration[]): Parameter[] =>
  declarations.filter((one): one is Parameter => !('rule' in one));

/** Coerced values by name: undefined if omitted, null if empty. */
export type Values = { readonly [name: string]: Value };
export type Value =
  | string
  | boolean
  | number
  | null
  | undefined
  | readonly string[]
  | readonly number[]
  | SentFile
  | { readonly [name: string]: unknown }
  | readonly Values[];

/** Marks a value that can't be coerced. */
const invalid = Symbol('invalid');

// Use a map: an object also has inherited keys such as `constructor`.
const booleans = new Map([
  ...['true', 't', 'yes', 'y', 'on', '1'].map((word) => [word, true] as const),
  ...['false', 'f', 'no', 'n', 'off', '0'].map((word) => [word, false] as const),
]);

/** Maximum number of items in a list. */
const maxItems = 1_000;

/** How each type parses a sent value; `invalid` if it can't. */
const coercions = {
  string: toText,
  boolean(value: unknown) {
    if (typeof value === 'boolean') return value;
    if (typeof value !== 'string' && typeof value !== 'number') return invalid;
    return booleans.get(String(value).toLowerCase()) ?? invalid;
  },
  integer: toInteger,
  /** A number with decimals. */
  float(value: unknown) {
    if (typeof value === 'number') return value;
    return typeof value === 'string' && /^[+-]?(?:\d{1,15}(?:\.\d{0,20})?|\.\d{1,20})$/.test(value)
      ? Number(value)
      : invalid;
  },
  /** A day, as in `2026-06-28`. */
  date(value: unknown) {
    return typeof value === 'string' && isDay(value) ? value : invalid;
  },
  /** A time in ISO 8601, UTC by default; normalized to the full form. */
  'date-time'(value: unknown) {
    const parts =
      typeof value === 'string'
        ? /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)?)?$/i.exec(value)
        : null;
    if (!parts || coercions.date(parts[1]) === invalid) return invalid;
    const moment = new Date(`${parts[1]}T${parts[2] ?? '00:00'}${parts[3] ?? 'Z'}`);
    return isInCalendar(moment) ? moment.toISOString() : invalid;
  },
  /** A part of a multipart form with a file name. The limit of the body is that of its size. */
  file: (value: unknown) => (value instanceof SentFile ? value : invalid),
  /** Any JSON object, or `x[y]=z` in a form. */
  object: (value: unknown) => (isObject(value) && !(value instanceof SentFile) ? value : invalid),
  /** A list of objects, whose members are parameters of their own. */
  objects: (value: unknown) =>
    Array.isArray(value) && value.length <= maxItems && value.every((one) => isObject(one))
      ? (value as Values[])
      : invalid,
  /** The path of a file inside something. */
  'file-path': (value: unknown) => (typeof value === 'string' && isFilePath(value) ? value : invalid),
  /** The path of a file or folder in a repository: any that stays inside. */
  'repository-path': (value: unknown) => (typeof value === 'string' && staysInside(value) ? value : invalid),
  /** Clients send `false` for no labels. */
  strings: (value: unknown) => (value === false ? [] : toList(value, toText)),
  integers: (value: unknown) => toList(value, toInteger),
} as const;

function toText(value: unknown): string | typeof invalid {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : invalid;
}

function toInteger(value: unknown): number | typeof invalid {
  if (typeof value === 'number') return Number.isInteger(value) ? value : invalid;
  return typeof value === 'string' && /^[+-]?\d{1,15}$/.test(value) ? Number(value) : invalid;
}

/** Parses a list: `a,b` or `x[]=a&x[]=b`. */
function toList<T>(value: unknown, toItem: (item: unknown) => T | typeof invalid): T[] | typeof invalid {
  const items = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [value];
  if (items.length > maxItems) return invalid;
  const list: T[] = [];
  for (const given of items as unknown[]) {
    const item = typeof given === 'string' ? given.trim() : given;
    if (item === '') continue;
    const read = toItem(item);
    if (read === invalid) return invalid;
    list.push(read);
  }
  return list;
}

/** What is said of a value that can't be coerced, if it isn't that it is invalid. */
const refusals: { readonly [Type in Parameter['type']]?: string } = {
  'file-path': 'should be a valid file path',
  'repository-path': 'should be a valid file path',
};

const isList = (type: Parameter['type']) => type === 'strings' || type === 'integers';

/** For each rule: the problem with the number of parameters that were sent; undefined if there is none. */
const groupRules = {
  'at least one': (sent: number) => (sent === 0 ? 'are missing, at least one parameter must be provided' : undefined),
  'exactly one'(sent: number) {
    if (sent === 0) return 'are missing, exactly one parameter must be provided';
    return sent > 1 ? 'are mutually exclusive' : undefined;
  },
  'at most one': (sent: number) => (sent > 1 ? 'are mutually exclusive' : undefined),
  'not together': (sent: number) => (sent > 1 ? 'cannot be used together' : undefined),
  generated: (sent: number) => (sent > 0 ? 'is automatically generated and cannot be changed' : undefined),
  'all or none': (sent: number, of: number) =>
    sent > 0 && sent < of ? 'provide all or none of parameters' : undefined,
} as const;

/**
 * Coerces the sent values and collects every problem, in the order in which the parameters are declared. The texts are
 * those of version 4.
 */
export function coerce(declared: readonly Declaration[], sent: Parameters): { values: Values; problems: string[] } {
  const values: { [name: string]: Value } = {};
  const problems: string[] = [];
  const given = (name: string) => {
    const value = own(sent, name);
    // Not for null, which a client sends to clear a value.
    return value === undefined && name.endsWith(']') ? nested(sent, name) : value;
  };
  for (const declaration of declared) {
    if ('rule' in declaration) {
      const problem = problemOfRule(declaration, (name) => given(name) !== undefined);
      if (problem) problems.push(problem);
      continue;
    }
    const { name, required } = declaration;
    const sentValue = given(name);
    // Fast path: most parameters are omitted.
    if (sentValue === undefined && !required) {
      if (declaration.default !== undefined) values[name] = declaration.default;
      continue;
    }
    const { value, problem } = coerceOne(declaration, sentValue);
    const inside = declaration.of && value != null ? coerceInside(declaration, value) : undefined;
    if (value !== undefined) values[name] = inside?.values ?? value;
    for (const text of problem) problems.push(`${name} ${text}`);
    if (inside) problems.push(...inside.problems);
  }
  return { values, problems };
}

/** The problem with which parameters were sent; undefined if there is none. */
function problemOfRule(
  declared: ParameterGroup | ParameterNeeded,
  isSent: (name: string) => boolean,
): string | undefined {
  if (declared.rule === 'needed with')
    return isSent(declared.with) && !isSent(declared.needed) ? `${declared.needed} is missing` : undefined;
  const { rule, of, unnamed = [] } = declared;
  const problem = groupRules[rule]([...of, ...unnamed].filter(isSent).length, of.length);
  return problem && `${of.join(', ')} ${problem}`;
}

/** Coerces the members of an object, or of each object of a list. */
function coerceInside(
  { name: list, type, of }: Parameter,
  objects: Value,
): { values: Values | Values[]; problems: string[] } {
  if (type === 'object') {
    const { values, problems } = coerce(of!, objects as Parameters);
    return { values, problems: problems.map((problem) => `${list}${bracketed(problem)}`) };
  }
  const each = (objects as readonly Parameters[]).map((object) => coerce(of!, object));
  return {
    values: each.map(({ values }) => values),
    problems: each.flatMap(({ problems }, index) =>
      problems.map((problem) => `${list}[${index}]${bracketed(problem)}`),
    ),
  };
}

/** `content is empty` of a member, as it follows the name of the list: `[content] is empty`. */
const bracketed = (problem: string) => problem.replace(/^[^\s[]+/, (member) => `[${member}]`);

const own = (sent: Parameters, name: string) => (Object.hasOwn(sent, name) ? sent[name] : undefined);

/** The value of a parameter inside another one, such as `not[labels]`. */
function nested(sent: Parameters, name: string): unknown {
  const at = name.indexOf('[');
  const outer = own(sent, name.slice(0, at));
  return isObject(outer) ? own(outer, name.slice(at + 1, -1)) : undefined;
}

const none: readonly string[] = [];
const fine = (value: Value) => ({ value, problem: none });
const bad = (...problem: string[]) => ({ value: undefined, problem });

/** @param given undefined if the parameter is missing */
function coerceOne(parameter: Parameter, given: unknown): { value: Value; problem: readonly string[] } {
  const { type, required, notBlank, verbatim, allowed, forbidden, largest } = parameter;
  const unlisted = 'does not have a valid value';
  if (given === undefined) return bad('is missing', ...(notBlank ? ['is empty'] : []), ...(allowed ? [unlisted] : []));
  const blank = given === null || (!verbatim && typeof given === 'string' && given.trim() === '');
  if (blank) {
    if (notBlank || (allowed && required))
      return bad(...(notBlank ? ['is empty'] : []), ...(allowed ? [unlisted] : []));
    if (allowed && given !== null) return bad(unlisted);
    return fine(isList(type) && given !== null ? [] : null);
  }
  const value = coercions[type](given);
  if (value === invalid || (typeof value === 'number' && Math.abs(value) > (largest ?? Infinity)))
    return bad(refusals[type] ?? 'is invalid');
  const items = (Array.isArray(value) ? value : [value]) as readonly (string | number | boolean)[];
  if (allowed && !items.every((item) => allowed.includes(String(item)))) return bad(unlisted);
  if (forbidden && items.some((item) => forbidden.includes(item as string | number)))
    return bad('has a value not allowed');
  return fine(value);
}

/** Merges parameters: the path overrides the body, which overrides the query string. */
export function merge(query: Parameters, body: Parameters, path: Parameters): Parameters {
  return Object.assign(Object.create(null) as Parameters, query, isObject(body) ? body : {}, path);
}
