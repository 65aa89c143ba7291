import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { BadRequest, Forbidden, InvalidFields, NotFound, PreconditionFailed } from '../../../errors.ts';
import { audit } from '../../../oauth/index.ts';
import { isAdministrator, makesCredential, writes } from '../../../policy/index.ts';
import type { AuditKind } from '../../../values/kinds/audit-kinds.ts';
import { tooLong } from '../../../values/text/lengths.ts';
import { mutation, type FieldsOf, type InputsOf } from '../../engine/mutation.ts';
import { variablePlace, type VariablePlace } from '../variables/place.ts';
import { longestDescription, mostTriggers } from './limits.ts';
import {
  deleteTrigger,
  findProjectOfTrigger,
  findTrigger,
  insertTrigger,
  updateTrigger,
  type TriggerRow,
} from './statements.ts';
import { newTriggerToken } from './token.ts';
import { isOwn, PipelineTrigger, triggerId } from './types.ts';

/** Making, changing and deleting triggers, for maintainers. */

/** @throws InvalidFields */
function checked(description: string): string {
  if (description.length > longestDescription) throw new InvalidFields({ description: [tooLong(longestDescription)] });
  return description;
}

const note = (
  sql: Sql,
  { viewer, origin }: Context,
  { name }: VariablePlace,
  kind: AuditKind & `ci_trigger_${string}`,
  { id, description }: TriggerRow,
) =>
  audit(
    { sql, origin },
    { kind, actorId: viewer.person?.id ?? null, detail: `${description || `number ${id}`} of ${name}` },
  );

const payload = (t: FieldsOf<{ trigger: TriggerRow }>) => ({
  pipelineTrigger: t.expose('trigger', { type: PipelineTrigger }),
});

mutation('pipelineTriggerCreate', {
  description: 'Makes a token that starts pipelines of a project with your rights. For maintainers.',
  admission: makesCredential,
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path, global id or number.' }),
    description: t.string({ required: true }),
    expiresAt: t.field({ type: 'Time', description: 'From then on it is refused.' }),
  }),
  payload,
  resolve: async (context, { projectPath, description, expiresAt }) => {
    const place = await variablePlace(context, 'project', projectPath, 'change');
    // The operator is no one whose rights a pipeline could have.
    if (context.viewer.person === null) throw new Forbidden();
    if (expiresAt && expiresAt.getTime() <= Date.now()) throw new BadRequest('Expires at must be in the future');
    const { digest, sealed, start } = newTriggerToken(context.keys);
    const owner = context.viewer.person.id;
    return await context.database.transaction(async (sql) => {
      const values = [place.id, owner, checked(description), digest, sealed, start, expiresAt ?? null, mostTriggers];
      const [trigger] = await sql.rows(insertTrigger, values);
      if (!trigger)
        throw new InvalidFields({ base: [`Maximum number of pipeline triggers (${mostTriggers}) exceeded`] });
      await note(sql, context, place, 'ci_trigger_created', trigger);
      return { trigger };
    });
  },
});

const which = (t: InputsOf) => ({
  projectPath: t.id({
    description: 'Full path, global id or number of its project. Omitted: the project that the trigger belongs to.',
  }),
  id: t.field({ type: 'CiTriggerID', required: true }),
});

interface Which {
  readonly projectPath?: string | null | undefined;
  readonly id: number | string;
}

/** @throws NotFound: a hidden project and a missing trigger get the same answer; Forbidden */
async function named(
  context: Context,
  { projectPath, id: given }: Which,
): Promise<{ place: VariablePlace; trigger: TriggerRow }> {
  const id = triggerId(String(given));
  const find = async (place: VariablePlace) => {
    const [trigger] = await context.database.rows(findTrigger, [place.id, id]);
    if (!trigger) throw new NotFound('Trigger');
    return { place, trigger };
  };
  if (projectPath != null) return await find(await variablePlace(context, 'project', projectPath, 'change'));
  const [project] = await context.database.rows(findProjectOfTrigger, [id]);
  if (!project) throw new NotFound('Trigger');
  const place = await variablePlace(context, 'project', String(project.id), 'change').catch((error: unknown) => {
    throw error instanceof NotFound ? new NotFound('Trigger') : error;
  });
  return await find(place);
}

mutation('pipelineTriggerUpdate', {
  description: 'Changes the description of a trigger. For its owner.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({ ...which(t), description: t.string({ description: 'Omitted: as it is.' }) }),
  payload,
  resolve: async (context, { description, ...one }) => {
    const { place, trigger: before } = await named(context, one);
    if (!isOwn(context, before) && !isAdministrator(context.viewer)) throw new Forbidden();
    if (description == null) return { trigger: before };
    return await context.database.transaction(async (sql) => {
      const [trigger] = await sql.rows(updateTrigger, [place.id, before.id, checked(description)]);
      // A concurrent request deleted it.
      if (!trigger) throw new NotFound('Trigger');
      await note(sql, context, place, 'ci_trigger_updated', trigger);
      return { trigger };
    });
  },
});

mutation('pipelineTriggerDelete', {
  description: 'Deletes a trigger: its token starts nothing any more. For maintainers.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    ...which(t),
    unmodifiedSince: t.field({
      type: 'Time',
      description: 'Refuses it if the trigger was changed after this moment. Fractions of a second are ignored.',
    }),
  }),
  payload: (t: FieldsOf<{ trigger: TriggerRow }>) => ({
    deletedDatabaseId: t.int({ description: 'The number of the trigger.', resolve: ({ trigger }) => trigger.id }),
  }),
  resolve: async (context, { unmodifiedSince, ...one }) => {
    const { place, trigger: before } = await named(context, one);
    return await context.database.transaction(async (sql) => {
      const [trigger] = await sql.rows(deleteTrigger, [place.id, before.id, unmodifiedSince ?? null]);
      if (!trigger) throw new PreconditionFailed();
      await note(sql, context, place, 'ci_trigger_deleted', trigger);
      return { trigger };
    });
  },
});
