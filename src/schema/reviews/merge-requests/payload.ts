import type { FieldsOf } from '../../engine/mutation.ts';
import { mergeRequestById } from './read.ts';
import { MergeRequest } from './types.ts';

/** The payload of a mutation of a merge request: the merge request after it. */
export const mergeRequestPayload = (t: FieldsOf<{ id: number }>) => ({
  mergeRequest: t.field({ type: MergeRequest, resolve: ({ id }, _args, context) => mergeRequestById(context, id) }),
});
