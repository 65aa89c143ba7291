import type { FieldsOf } from '../../../engine/mutation.ts';
import { issueById } from '../read.ts';
import { Issue } from '../types.ts';

/** The payload of a mutation of an issue: the issue after it. */
export const issuePayload = (t: FieldsOf<{ id: number }>) => ({
  issue: t.field({ type: Issue, resolve: ({ id }, _args, context) => issueById(context, id) }),
});

/** The payload of a mutation that may have nothing to change. */
export const issueChangePayload = (t: FieldsOf<{ id: number; changed: boolean }>) => ({
  ...issuePayload(t as FieldsOf<{ id: number }>),
  changed: t.exposeBoolean('changed', { description: 'Whether this call changed anything.' }),
});
