import type { Context } from '../../../context.ts';
import { Forbidden } from '../../../errors.ts';
import { mayChange, mayRunOn, runPipelines, type Facts } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { rightsById } from '../../places/projects/permissions.ts';
import { rulesAbout } from '../../repository/protected-tags/read.ts';
import type { PipelineRecord } from './statements/reading.ts';
import { Pipeline } from './types.ts';

/** Who runs pipelines and jobs. */

interface On {
  readonly ref: string;
  readonly tag: boolean;
}

/** A project, as far as rights in it need it. */
export interface Of {
  readonly id: number;
  readonly facts: Facts;
  readonly archived: boolean;
}

/** Whether the viewer starts and ends what runs on a branch or tag of a project. */
export async function mayRun(context: Context, project: Of, on: On): Promise<boolean> {
  const { facts, archived } = project;
  const { viewer } = context;
  // Most people may not run anything: no rule needs to be read for them.
  if (!mayChange(runPipelines, viewer, facts, archived)) return false;
  return mayRunOn({ viewer, facts, archived, ...(await rulesAbout(context, project, on)) }, on);
}

/** @throws Forbidden */
export async function requireRun(context: Context, project: Of, on: On): Promise<void> {
  if (!(await mayRun(context, project, on))) throw new Forbidden();
}

/** The same of a pipeline or a job: the rules of its project are read once for a page. */
export async function mayUpdate(context: Context, one: On & { readonly projectId: number }): Promise<boolean> {
  const project = await rightsById(context, one.projectId);
  return project !== undefined && (await mayRun(context, project, one));
}

const PipelinePermissions = builder.objectRef<PipelineRecord>('PipelinePermissions').implement({
  description: 'What you may do with a pipeline.',
  fields: (t) => ({
    updatePipeline: t.boolean({
      description: 'Whether you cancel it, and try its jobs again.',
      resolve: (pipeline, _args, context) => mayUpdate(context, pipeline),
    }),
  }),
});

builder.objectField(Pipeline, 'userPermissions', (t) =>
  t.field({ type: PipelinePermissions, direct: true, resolve: (pipeline) => pipeline }),
);
