import type { FieldsOf } from '../../engine/mutation.ts';
import { namespaceById } from '../place/read.ts';
import { Group } from '../place/types.ts';

/** The payload of a mutation of a group: the group after it; if it was removed, as it was. */
export const groupPayload = (t: FieldsOf<{ id: number }>) => ({
  group: t.field({ type: Group, resolve: async ({ id }, _args, context) => (await namespaceById(context, id))! }),
});
