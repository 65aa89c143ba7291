import type { FieldsOf } from '../../engine/mutation.ts';
import { projectById } from '../place/read.ts';
import { Project } from '../place/types.ts';

/** The payload of a mutation of a project: the project after it. */
export const projectPayload = (t: FieldsOf<{ id: number }>) => ({
  project: t.field({
    type: Project,
    resolve: async ({ id }, _args, context) => (await projectById(context, id))!,
  }),
});

/** The payload of a mutation that may have nothing to change. */
export const projectChangePayload = (t: FieldsOf<{ id: number; changed: boolean }>) => ({
  ...projectPayload(t as FieldsOf<{ id: number }>),
  changed: t.exposeBoolean('changed', { description: 'Whether this call changed anything.' }),
});
