import { maxFullPathLength } from '../../../values/place-names.ts';
import { nameProblems } from '../../../values/visible-names.ts';
import { Problems } from '../../engine/input.ts';
import { pathProblems } from '../place/paths.ts';

/** What a group is called and says of itself; what is undefined isn't looked at. */
export interface GroupTexts {
  readonly name?: string | undefined;
  readonly path?: string | undefined;
  readonly description?: string | undefined;
}

/** Longest description, in characters. */
const maxDescriptionLength = 2_000;

/** What is wrong with a group's texts, for `Problems.refuse`. */
export function textsOf({ name, path, description }: GroupTexts, atRoot: boolean): Problems {
  const problems = new Problems();
  if (name !== undefined) problems.add('name', nameProblems(name));
  if (path !== undefined) problems.add('path', pathProblems(path, atRoot));
  if (description !== undefined && description.length > maxDescriptionLength) {
    problems.add('description', [`is too long (maximum is ${maxDescriptionLength} characters)`]);
  }
  return problems;
}

/** @param length of the longest full path that would come of it */
export function fullPathProblems(length: number): string[] {
  return length > maxFullPathLength
    ? [`makes a full path that is too long (maximum is ${maxFullPathLength} characters)`]
    : [];
}
