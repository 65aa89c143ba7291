import type { FieldsOf } from '../../../engine/mutation.ts';
import { mergeRequestById } from '../read.ts';
import { MergeRequest } from '../types.ts';

/** The payload of a mutation of a merge request: the merge request after it. */
export const mergeRequestPayload = (t: FieldsOf<{ id: number }>) => ({
  mergeRequest: t.field({ type: MergeRequest, resolve: ({ id }, _args, context) => mergeRequestById(context, id) }),
});

/** The payload of a mutation that may have nothing to change. */
export const mergeRequestChangePayload = (t: FieldsOf<{ id: number; changed: boolean }>) => ({
  ...mergeRequestPayload(t as FieldsOf<{ id: number }>),
  changed: t.exposeBoolean('changed', { description: 'Whether this call changed anything.' }),
});
