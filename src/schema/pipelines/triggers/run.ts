import { actingFor, type Context } from '../../../context.ts';
import { digest } from '../../../auth/index.ts';
import { Forbidden, NotFound } from '../../../errors.ts';
import { reachesProject, seePlace } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { reference } from '../../engine/global-id.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { repositoryIn, type RepositoryRecord } from '../../repository/repositories/look-up.ts';
import { createPipeline } from '../creation/create.ts';
import { refused } from '../creation/refused.ts';
import type { PipelineRecord } from '../pipelines/read.ts';
import { Pipeline } from '../pipelines/types.ts';
import { findTriggerOfToken, useTrigger, type UsableTrigger } from './statements.ts';

/** Starting pipelines by the token of a trigger, or by that of a job. */

const VariableInput = builder.inputType('PipelineTriggerVariableInput', {
  fields: (t) => ({ key: t.string({ required: true }), value: t.string({ required: true }) }),
});

/** The variable that has what was sent with the token, as a file. */
const payloadKey = 'TRIGGER_PAYLOAD';

const noRight = () => refused('Insufficient permissions to create a new pipeline');

/** Whether a trigger belongs to the project that a request names. */
function isIn({ projectId, projectPath }: UsableTrigger, given: string): boolean {
  const { by, value } = reference(given, 'Project');
  return value === (by === 'id' ? projectId : projectPath);
}

/** Who starts it, and where. */
interface Starter {
  readonly context: Context;
  readonly repository: RepositoryRecord;
  readonly source: 'trigger' | 'pipeline';
  readonly trigger?: UsableTrigger;
}

/**
 * The owner of a trigger. An unknown token is as one of another project, and both as a missing project.
 * @throws NotFound; InvalidFields for an owner who may not start anything any more
 */
async function owner(context: Context, project: string, token: string): Promise<Starter> {
  const [trigger] = await context.database.rows(findTriggerOfToken, [digest(token)]);
  if (!trigger || !isIn(trigger, project)) throw new NotFound('Trigger');
  const acting = trigger.ownerId === null ? undefined : await actingFor(context, trigger.ownerId);
  if (!acting) throw noRight();
  const repository = await repositoryIn(acting, String(trigger.projectId), seePlace).catch((error: unknown) => {
    throw error instanceof NotFound || error instanceof Forbidden ? noRight() : error;
  });
  return { context: acting, repository, source: 'trigger', trigger };
}

/** The person of a job that runs, in its own project. @throws NotFound, InvalidFields */
async function ofJob(context: Context, project: string): Promise<Starter> {
  const repository = await repositoryIn(context, project, seePlace).catch((error: unknown) => {
    throw error instanceof NotFound ? new NotFound('Trigger') : error instanceof Forbidden ? noRight() : error;
  });
  if (!reachesProject(context.viewer, repository.id)) throw new NotFound('Trigger');
  return { context, repository, source: 'pipeline' };
}

mutation('pipelineTriggerRun', {
  description: 'Starts a pipeline by a token, with the rights of the owner of the trigger, or of who started the job.',
  admission: { class: 'trigger' },
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path or number.' }),
    token: t.string({ required: true, description: 'Of a trigger, or of a job that runs.' }),
    ref: t.string({ required: true, description: 'A branch or tag.' }),
    variables: t.field({ type: [VariableInput], description: 'For its jobs.' }),
    payload: t.string({ description: 'What was sent, for the file `TRIGGER_PAYLOAD`.' }),
  }),
  payload: (t: FieldsOf<{ pipeline: PipelineRecord }>) => ({ pipeline: t.expose('pipeline', { type: Pipeline }) }),
  resolve: async (context, { projectPath, token, ref, variables, payload }) => {
    const isJob = context.viewer.credential?.kind === 'job';
    const starter = isJob ? await ofJob(context, projectPath) : await owner(context, projectPath, token);
    const { trigger, source } = starter;
    const given = (variables ?? []).map(({ key, value }) => ({ key, value, kind: 'env_var' as const }));
    const file = { key: payloadKey, value: payload ?? '', kind: 'file', raw: true } as const;
    const pipeline = await createPipeline(starter.context, starter.repository, {
      ref,
      source,
      variables: given,
      ...(payload != null && !given.some(({ key }) => key === payloadKey) && { reasons: [file] }),
      ...(trigger && { also: async (sql) => void (await sql.rows(useTrigger, [trigger.id])) }),
    });
    return { pipeline };
  },
});
