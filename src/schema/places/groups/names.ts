import { maxFullPathLength } from '../../../values/text/place-names.ts';
import { nameProblems } from '../../../values/text/visible-names.ts';
import { Problems } from '../../engine/input.ts';
import { pathProblems } from '../place/paths.ts';

/** Name, path and description of a group; undefined ones aren't checked. */
export interface GroupTexts {
  readonly name?: string | undefined;
  readonly path?: string | undefined;
  readonly description?: string | undefined;
}

/** Maximum length of a description, in characters. */
const maxDescriptionLength = 500;

/** The problems of a group's texts, for `Problems.refuse`. */
export function textsOf({ name, path, description }: GroupTexts, atRoot: boolean): Problems {
  const problems = new Problems();
  if (name !== undefined) problems.add('name', nameProblems(name));
  if (path !== undefined) problems.add('path', pathProblems(path, atRoot));
  problems.bound('description', description, maxDescriptionLength);
  return problems;
}

/** Why a full path is too long. @param length of the longest full path that would result */
export function fullPathProblems(length: number): string[] {
  return length > maxFullPathLength
    ? [`makes a full path that is too long (maximum is ${maxFullPathLength} characters)`]
    : [];
}
