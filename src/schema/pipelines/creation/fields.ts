import type { Context } from '../../../context.ts';
import { isAdministrator, roles, type Facts } from '../../../policy/index.ts';
import { ForbiddenPlainly } from '../../../errors.ts';
import type { VariableType } from '../../../values/ci/variables.ts';
import { builder } from '../../engine/builder.ts';
import { connectionOf, offsetArg, resolveArrayPage, within } from '../../engine/page.ts';
import { visibleProjectById } from '../../places/place/read.ts';
import { factsOf, rightsById } from '../../places/projects/permissions.ts';
import { CiJob } from '../jobs/types.ts';
import { Pipeline } from '../pipelines/types.ts';
import { givenToJob } from '../processing/given-to-jobs.ts';
import { openOfPipeline } from '../processing/sealing.ts';
import { VariableTypeEnum } from '../variables/types.ts';
import { readPipelineVariables } from './statements.ts';

/** The variables that people gave pipelines and jobs. */

interface ShownVariable {
  readonly key: string;
  readonly value: string | null;
  readonly kind: VariableType;
  readonly raw: boolean;
}

const CiManualVariable = builder.objectRef<ShownVariable>('CiManualVariable').implement({
  description: 'A variable that someone gave a pipeline or a job.',
  fields: (t) => ({
    key: t.exposeString('key', { nullable: true }),
    value: t.exposeString('value', { nullable: true, description: 'Null if no instance key opens it.' }),
    variableType: t.field({ type: VariableTypeEnum, direct: true, resolve: ({ kind }) => kind }),
    raw: t.exposeBoolean('raw', { description: 'Whether `$NAME` in the value stays as it is.' }),
  }),
});

/** The person who started the pipeline or the job, while they are a Developer, and maintainers. */
const mayRead = (
  { viewer }: Context,
  { userId }: { readonly userId: number | null },
  { accessLevel }: Facts,
): boolean =>
  isAdministrator(viewer) ||
  accessLevel >= roles.maintainer ||
  (accessLevel >= roles.developer && userId !== null && userId === viewer.person?.id);

builder.objectField(Pipeline, 'manualVariables', (t) =>
  t.connection(
    {
      type: CiManualVariable,
      nullable: true,
      description: 'The variables that the person who started it gave it. For them, and for maintainers.',
      args: offsetArg,
      resolve: async (pipeline, args, context) => {
        const project = await visibleProjectById(context, pipeline.projectId);
        if (!project || !mayRead(context, pipeline, await factsOf(context, project)))
          throw new ForbiddenPlainly('403 Forbidden');
        const rows = await context.database.rows(readPipelineVariables, [pipeline.id]);
        const shown = rows.map(({ key, kind, sealed, raw }): ShownVariable => {
          const value = openOfPipeline(context.keys, pipeline.id, key, sealed);
          return { key, value, kind: kind as VariableType, raw };
        });
        return resolveArrayPage(args, shown, ({ key }) => key) as never;
      },
    },
    connectionOf(CiManualVariable) as never,
  ),
);

builder.objectField(CiJob, 'manualVariables', (t) =>
  t.connection(
    {
      type: CiManualVariable,
      nullable: true,
      description:
        'The variables that the person who started it, a manual or delayed job, gave it. Null for others than them and maintainers.',
      ...within(10),
      args: offsetArg,
      resolve: async (job, args, context) => {
        const project = await rightsById(context, job.projectId);
        if (!project || !mayRead(context, job, project.facts)) return null;
        const given = job.when === 'manual' || job.when === 'delayed' ? await givenToJob(context, job.id) : [];
        const shown = given.map((one): ShownVariable => ({ ...one, kind: 'env_var', raw: false }));
        return resolveArrayPage(args, shown, ({ key }) => key) as never;
      },
    },
    connectionOf(CiManualVariable) as never,
  ),
);
