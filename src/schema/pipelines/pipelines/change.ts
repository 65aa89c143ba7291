import { changeOfPipeline } from '../../../changes/index.ts';
import type { Context } from '../../../context.ts';
import { Forbidden, InvalidFields, NotFound, PreconditionFailed } from '../../../errors.ts';
import { deletePipelines, mayChange, writes } from '../../../policy/index.ts';
import { tooLong } from '../../../values/text/lengths.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { retryPipeline } from '../processing/again.ts';
import { cancelPipelineJobs } from '../processing/cancel.ts';
import { namedPipeline, pipelineByGlobalId, pipelineIn } from './read.ts';
import { requireRun } from './rights.ts';
import { releaseCommitIfAny } from '../hand-out/keep-commit.ts';
import { deletePipeline, renamePipeline } from './statements/change.ts';
import type { PipelineRecord } from './statements/reading.ts';
import { Pipeline } from './types.ts';

/** Canceling, naming and deleting pipelines. */

const input = (t: Parameters<Parameters<typeof mutation>[1]['input']>[0]) => ({
  projectPath: t.id({
    description: 'Full path, global id or number of its project. Omitted: the project that the pipeline belongs to.',
  }),
  id: t.field({ type: 'CiPipelineID', required: true }),
});

/** GitLab’s mutations don’t name the project. @throws NotFound */
const found = (
  context: Context,
  { projectPath, id }: { readonly projectPath?: string | null; readonly id: string },
): ReturnType<typeof pipelineIn> =>
  projectPath == null ? pipelineByGlobalId(context, id) : pipelineIn(context, projectPath, id);

mutation('pipelineCancel', {
  description: 'Cancels everything of a pipeline that hasn’t finished. From Developer up.',
  admission: { class: 'token', scopes: writes },
  input,
  payload: (t: FieldsOf<{ pipeline: PipelineRecord }>) => ({ pipeline: t.expose('pipeline', { type: Pipeline }) }),
  resolve: async (context, given) => {
    const { repository, pipeline } = await found(context, given);
    await requireRun(context, repository, pipeline);
    const actorId = context.viewer.person?.id ?? null;
    if (!(await cancelPipelineJobs(context, repository.id, pipeline.id, actorId))) throw new NotFound('Pipeline');
    const changed = await namedPipeline(context, repository.id, { id: String(pipeline.id) });
    if (!changed) throw new NotFound('Pipeline');
    return { pipeline: changed };
  },
});

mutation('pipelineRetry', {
  description: 'Tries everything of a pipeline again that failed or was canceled. From Developer up.',
  admission: { class: 'token', scopes: writes },
  input,
  payload: (t: FieldsOf<{ pipeline: PipelineRecord }>) => ({ pipeline: t.expose('pipeline', { type: Pipeline }) }),
  resolve: async (context, given) => {
    const { repository, pipeline } = await found(context, given);
    await requireRun(context, repository, pipeline);
    const { person } = context.viewer;
    if (!person) throw new Forbidden('Only a person starts jobs.');
    await retryPipeline(context, pipeline, person.id);
    const changed = await namedPipeline(context, repository.id, { id: String(pipeline.id) });
    if (!changed) throw new NotFound('Pipeline');
    return { pipeline: changed };
  },
});

/** Most letters of a name. */
const longestName = 255;

mutation('pipelineMetadataUpdate', {
  description: 'Gives a pipeline another name. From Developer up.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({ ...input(t), name: t.string({ required: true, description: 'Up to 255 characters.' }) }),
  payload: (t: FieldsOf<{ pipeline: PipelineRecord }>) => ({ pipeline: t.expose('pipeline', { type: Pipeline }) }),
  resolve: async (context, { name: given, ...which }) => {
    const { repository, pipeline } = await found(context, which);
    await requireRun(context, repository, pipeline);
    const name = given.trim();
    if (name === '') throw new InvalidFields({ name: ["can't be blank"] });
    if ([...name].length > longestName) throw new InvalidFields({ name: [tooLong(longestName)] });
    const [named] = await context.database.rows(renamePipeline, [repository.id, pipeline.id, name]);
    const changed = named && (await namedPipeline(context, repository.id, { id: String(named.id) }));
    if (!changed) throw new NotFound('Pipeline');
    context.changes.publish(changeOfPipeline(changed.id));
    return { pipeline: changed };
  },
});

mutation('pipelineDestroy', {
  description: 'Deletes a pipeline with its jobs. Owners only.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    ...input(t),
    unmodifiedSince: t.field({
      type: 'Time',
      description: 'Refuses if the pipeline was changed after this moment. Fractions of a second are ignored.',
    }),
  }),
  payload: (t: FieldsOf<{ deletedId: number }>) => ({
    deletedDatabaseId: t.exposeInt('deletedId', { description: 'The number of the pipeline.' }),
  }),
  resolve: async (context, given) => {
    const { repository, pipeline } = await found(context, given);
    if (!mayChange(deletePipelines, context.viewer, repository.facts, repository.archived)) throw new Forbidden();
    const values = [repository.id, pipeline.id, given.unmodifiedSince ?? null];
    const [deleted] = await context.database.rows(deletePipeline, values);
    if (!deleted) {
      // Either a concurrent request deleted it, or it was changed after the given moment.
      await found(context, given);
      throw new PreconditionFailed();
    }
    context.changes.publish(changeOfPipeline(deleted.id));
    // Without it, its commit would be kept for ever.
    await releaseCommitIfAny(context.git.repository(repository.id), deleted.id);
    return { deletedId: deleted.id };
  },
});
