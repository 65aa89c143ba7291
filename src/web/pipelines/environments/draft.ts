import { InvalidFields } from '../../../errors.ts';
import { isKey, type Fields } from '../../site/forms/fields.ts';
import { sentences } from '../../site/words.ts';
import type { EnvironmentDraft, EnvironmentErrors } from './form.tsx';
import { tierWords, type ShownEnvironment } from './view.tsx';

export const names = ['name', 'externalUrl', 'tier', 'description'] as const;
export const emptyDraft: EnvironmentDraft = { name: '', externalUrl: '', tier: '', description: '' };

const knownTier = (tier = '') => (isKey(tierWords, tier) ? tier : '');

export const readDraft = (form: Fields): EnvironmentDraft => ({
  name: form.name ?? '',
  externalUrl: form.externalUrl?.trim() ?? '',
  tier: knownTier(form.tier),
  description: form.description ?? '',
});

export const draftOf = ({ name, externalUrl, tier, description }: ShownEnvironment): EnvironmentDraft => ({
  name,
  externalUrl: externalUrl ?? '',
  tier,
  description: description ?? '',
});

/** A draft as input of the schema; what it doesn't have stays as it is. */
export const inputOf = ({ tier, ...draft }: Partial<EnvironmentDraft>) => ({
  ...draft,
  ...(knownTier(tier) && { tier }),
});

/** What the schema found wrong, by field. @throws any other error */
export function errorsOf(problem: unknown): EnvironmentErrors {
  if (!(problem instanceof InvalidFields)) throw problem;
  const { name = [], slug = [], externalUrl, description } = problem.fields;
  return {
    name: [...sentences('The name', name), ...sentences('The slug that follows from it', slug)],
    externalUrl: sentences('The address', externalUrl),
    description: sentences('The description', description),
  };
}
