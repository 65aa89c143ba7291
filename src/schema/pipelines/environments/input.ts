import { InvalidFields } from '../../../errors.ts';
import { problemsOfEnvironmentName, problemsOfExternalUrl } from '../../../values/ci/environments.ts';
import { Problems } from '../../engine/input.ts';

/** What a request says of an environment. Undefined keeps a value; null clears it. */
export interface EnvironmentInput {
  readonly name?: string | null | undefined;
  readonly externalUrl?: string | null | undefined;
  readonly description?: string | null | undefined;
}

const longestDescription = 10_000;

/** @throws InvalidFields */
export function checkEnvironment({ name, externalUrl, description }: EnvironmentInput): void {
  const problems = new Problems();
  if (name != null) problems.add('name', problemsOfEnvironmentName(name));
  if (externalUrl) problems.add('externalUrl', problemsOfExternalUrl(externalUrl));
  problems.bound('description', description, longestDescription);
  problems.refuse();
}

export const taken = (field: 'name' | 'slug'): InvalidFields =>
  new InvalidFields({ [field]: ['has already been taken'] });
