import { builder } from '../../engine/builder.ts';
import { projectById } from '../place/read.ts';
import { Project } from '../place/types.ts';

/** The payload of a mutation of a project. */
export const projectPayload = (name: string) =>
  builder.objectRef<{ id: number }>(name).implement({
    fields: (t) => ({
      project: t.field({
        type: Project,
        resolve: async ({ id }, _args, context) => (await projectById(context, id))!,
      }),
    }),
  });

/** The payload of a mutation that may have nothing to change. */
export const projectChangePayload = (name: string) =>
  builder.objectRef<{ id: number; changed: boolean }>(name).implement({
    fields: (t) => ({
      project: t.field({
        type: Project,
        resolve: async ({ id }, _args, context) => (await projectById(context, id))!,
      }),
      changed: t.exposeBoolean('changed', { description: 'Whether this call changed anything.' }),
    }),
  });
