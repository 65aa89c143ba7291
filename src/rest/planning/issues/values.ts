import { ParameterProblems } from '../../engine/errors.ts';
import type { Value } from '../../engine/parameters.ts';

/** Values that issues and merge requests take. */

/** Elements may contain several labels. */
export const labelsOf = (value: Value): readonly string[] | null | undefined =>
  Array.isArray(value)
    ? (value as readonly string[]).flatMap((labels) => labels.split(','))
    : (value as null | undefined);

/** The first of some people; no one for `0` and for empty; undefined if neither parameter was sent. */
export function peopleOf(ids: Value, id?: Value): readonly string[] | undefined {
  if (ids === undefined && id === undefined) return undefined;
  const first = Array.isArray(ids) ? (ids as readonly number[])[0] : id;
  return first ? [String(first)] : [];
}

/** A number as a text; null for zero and for empty. */
export const idOrNull = (value: Value): string | null | undefined =>
  value === undefined ? undefined : value ? String(value) : null;

const milestonePresences = new Map(['NONE', 'ANY', 'UPCOMING', 'STARTED'].map((one) => [one.toLowerCase(), one]));

const list = (value: Value): readonly string[] | undefined =>
  Array.isArray(value) ? (value as readonly (string | number)[]).map(String) : undefined;
export const some = (value: Value) => {
  const values = list(value);
  return values && values.length > 0 ? values : undefined;
};
export const one = (value: Value) => (value == null || value === '' ? undefined : [String(value)]);
export const orNone = (value: Value) => (value == null || value === '' ? undefined : String(value));

/** Where to search; both, if a name is unknown. */
export function searchedIn(value: Value): readonly string[] | undefined {
  const names = typeof value === 'string' ? value.split(',').map((name) => name.trim().toUpperCase()) : [];
  return names.length > 0 && names.every((name) => name === 'TITLE' || name === 'DESCRIPTION') ? names : undefined;
}

/** A person by id, or `None` or `Any`. @throws ParameterProblems */
export function personOf(parameter: string, value: Value): string | undefined {
  const given = orNone(value);
  if (given === undefined || /^(\d{1,15}|none|any)$/i.test(given)) return given === '0' ? 'None' : given;
  throw new ParameterProblems([`${parameter} is invalid`]);
}

/** @throws ParameterProblems for more than one name */
export function onlyName(parameter: string, value: Value): readonly string[] | undefined {
  const names = some(value);
  if (names && names.length > 1)
    throw new ParameterProblems([`${parameter} allows one value, but found ${names.length}: ${names.join(', ')}`]);
  return names;
}

/**
 * The milestone of either parameter.
 * @param named its title, as the list takes it
 * @throws ParameterProblems for an unknown word in `milestone_id`
 */
export function milestoneOf<Title>(title: Value, id: Value, named: (title: Value) => Title) {
  const word = orNone(id) ?? orNone(title);
  const presence = word === undefined ? undefined : milestonePresences.get(word.toLowerCase());
  if (presence !== undefined) return { milestoneWildcardId: presence };
  if (orNone(id) !== undefined) throw new ParameterProblems(['milestone_id does not have a valid value']);
  return { milestoneTitle: named(title) };
}
