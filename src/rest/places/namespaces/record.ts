import { namespaceSchema, presentNamespace, type NamespaceData } from '../projects/record.ts';
import { objectSchema, type Record } from '../../engine/record.ts';

/** What a project belongs to: a group or a user's own namespace. */
export const Namespace: Record<NamespaceData> = {
  name: 'Namespace',
  schema: namespaceSchema,
  present: presentNamespace,
};

export interface PathAvailabilityData {
  readonly exists: boolean;
  readonly suggestions: readonly string[];
}

export const PathAvailability: Record<PathAvailabilityData> = {
  name: 'PathAvailability',
  schema: objectSchema({ exists: { type: 'boolean' }, suggests: { type: 'array', items: { type: 'string' } } }),
  present: ({ exists, suggestions }) => ({ exists, suggests: suggestions }),
};
