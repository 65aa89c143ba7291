import type { Parameter, Values } from './parameters.ts';

/** The filter by attributes that administrators of GitLab attach to records. Nothing here has any, so it matches nothing. */
export const customAttributes: Parameter = {
  name: 'custom_attributes',
  type: 'object',
  description:
    'Only those with these attributes (administrators only; others: ignored). Nothing has custom attributes: none matches.',
};

/** The variables of a list for that filter: no ids, so that an administrator gets nothing. */
export function matchingNothing(
  { person }: { readonly person: { readonly administrator: boolean } | null },
  { custom_attributes: asked }: Values,
): { readonly ids?: readonly [] } {
  const isAsked = typeof asked === 'object' && asked !== null && Object.keys(asked).length > 0;
  return isAsked && person?.administrator === true ? { ids: [] } : {};
}
