import type { AuditKind } from '../../../values/kinds/audit-kinds.ts';
import type { Context } from '../../../context.ts';
import { takenIn, type Sql } from '../../../database/index.ts';
import { lockProject, renameProject, updateProject } from './statements/changes.ts';
import { Forbidden, InvalidFields, NotFound } from '../../../errors.ts';
import { editProject, holds, ownProject, writes, type Visibility } from '../../../policy/index.ts';
import { changeableProjectAttributes, projectAttributes } from '../../../values/attributes/project-attributes.ts';
import { checkAttributes } from '../../engine/attributes.ts';
import { mutation } from '../../engine/mutation.ts';
import { avatarOptions, checkAvatar } from '../avatars/input.ts';
import type { Picture } from '../avatars/picture.ts';
import { storeAvatar } from '../avatars/store.ts';
import { chooseDefaultBranch } from '../../repository/writing/default-branch.ts';
import { mergeAllWhenDue } from '../../reviews/merging/when-due.ts';
import { again, untilSettled } from '../place/again.ts';
import { facts } from '../place/look-up.ts';
import { VisibilityLevelsEnum } from '../place/types.ts';
import {
  changeOfAttributes,
  ownAttributes,
  projectAttributeInputs,
  type GivenProjectAttributes,
} from './attributes/write.ts';
import { projectFor } from './find.ts';
import { describeProblems, importUrlOptions, refuseImport, tidyTopics } from './names.ts';
import { refuseWidening } from './visibility.ts';
import { projectPayload } from './payload.ts';
import { keepWithinGroup } from './within-group.ts';

interface Change {
  readonly name?: string | undefined;
  readonly path?: string | undefined;
  readonly description?: string | undefined;
  readonly visibility?: Visibility | undefined;
  readonly topics?: readonly string[] | undefined;
  readonly archived?: boolean;
  readonly avatar?: Picture | null | undefined;
  readonly attributes?: GivenProjectAttributes;
  readonly defaultBranch?: string | undefined;
}

/** What may keep a merge request from being merged by itself. */
const mergeRules = [
  'mergeMethod',
  'onlyAllowMergeIfPipelineSucceeds',
  'allowMergeOnSkippedPipeline',
  'onlyAllowMergeIfAllDiscussionsAreResolved',
  'mergeRequestsAccessLevel',
  'repositoryAccessLevel',
] as const;

/**
 * Changes a project in one transaction. @throws NotFound if it was removed in the meantime, InvalidFields if the
 * path is taken or there is no such branch
 */
async function change(context: Context, id: number, kind: AuditKind, changed: Change): Promise<void> {
  const { viewer, database, origin } = context;
  const { name, path, description, visibility, topics, archived, defaultBranch } = changed;
  let follow: (() => Promise<void>) | undefined;
  try {
    await untilSettled(database, async (sql) => {
      if (defaultBranch !== undefined) follow = await chooseDefaultBranch(sql, context, id, defaultBranch);
      const around = await keepWithinGroup(sql, id, visibility, changed.attributes);
      const [before] = await sql.rows(lockProject, [id]);
      if (!before) throw new NotFound('Project');
      // A concurrent request transferred it.
      if (around !== undefined && before.namespace_id !== around) return again;
      const { values, unset } = changeOfAttributes(
        { attributes: before.attributes, isFork: before.forked_from_id !== null },
        changed.attributes ?? {},
      );
      if (path !== undefined && path !== before.path)
        await rename(sql, id, path, before.full_path, viewer.person?.id ?? null);
      await sql.rows(updateProject, [
        id,
        name ?? null,
        description ?? null,
        visibility ?? null,
        topics ?? null,
        archived ?? null,
        kind,
        viewer.person?.id ?? null,
        origin.address,
        origin.requestId,
        values,
        unset,
      ]);
      await storeAvatar(sql, 'project', id, changed.avatar);
      if (archived === false || mergeRules.some((name) => changed.attributes?.[name] !== undefined))
        await mergeAllWhenDue(sql, id);
      return undefined;
    });
  } catch (error) {
    throw takenIn(error) === 'routes' ? new InvalidFields({ path: ['has already been taken'] }) : error;
  }
  await follow?.();
}

async function rename(sql: Sql, id: number, path: string, before: string, actor: number | null): Promise<void> {
  await sql.rows(renameProject, [id, path, `${before.slice(0, before.lastIndexOf('/'))}/${path}`, before, actor]);
}

mutation('updateProject', {
  payload: projectPayload,
  description: 'Changes a project. Omitted fields stay as they are. For its maintainers.',
  admission: { class: 'token', scopes: writes },
  input: (field) => ({
    project: field.id({ required: true, description: 'Id or full path.' }),
    name: field.string(),
    path: field.string({ description: 'The former path redirects here until something else takes it.' }),
    description: field.string({ description: 'Null: no description.' }),
    visibility: field.field({ type: VisibilityLevelsEnum, description: 'For its owners.' }),
    topics: field.stringList({ description: 'Null: no topics.' }),
    avatar: field.field(avatarOptions),
    defaultBranch: field.string({ description: 'A branch that exists.' }),
    importUrl: field.string(importUrlOptions),
    ...projectAttributeInputs(field, changeableProjectAttributes),
  }),
  resolve: async (context, input) => {
    const row = await projectFor(context, editProject, input.project);
    const { id } = row;
    if (input.visibility !== undefined && !holds(ownProject, context.viewer, facts(row))) throw new Forbidden();
    refuseImport(input.importUrl);
    const given: Change = {
      name: input.name === undefined ? undefined : (input.name?.trim() ?? ''),
      path: input.path === undefined ? undefined : (input.path ?? ''),
      description: input.description === undefined ? undefined : (input.description ?? ''),
      visibility: input.visibility ?? undefined,
      topics: input.topics === undefined ? undefined : tidyTopics(input.topics ?? []),
      attributes: ownAttributes(context, facts(row), input),
      defaultBranch: input.defaultBranch || undefined,
    };
    const problems = describeProblems(given);
    const avatar = checkAvatar(problems, input.avatar);
    checkAttributes(problems, projectAttributes, given.attributes!);
    problems.refuse();
    if (given.visibility) await refuseWidening(context, id, given.visibility);
    await change(context, id, 'project_updated', { ...given, avatar });
    return { id };
  },
});

/** Changes attributes of a project, for other mutations. The caller has checked that the viewer may. */
export const changeAttributes = (context: Context, id: number, attributes: GivenProjectAttributes): Promise<void> =>
  change(context, id, 'project_updated', { attributes });

const archive = (field: 'archiveProject' | 'unarchiveProject', archived: boolean, description: string) =>
  mutation(field, {
    payload: projectPayload,
    description,
    admission: { class: 'token', scopes: writes },
    input: (t) => ({ project: t.id({ required: true, description: 'Id or full path.' }) }),
    resolve: async (context, input) => {
      const { id } = await projectFor(context, ownProject, input.project);
      await change(context, id, archived ? 'project_archived' : 'project_unarchived', { archived });
      return { id };
    },
  });

archive('archiveProject', true, 'Archives a project: marks it as no longer maintained. For its owners.');
archive('unarchiveProject', false, 'Unarchives a project. For its owners.');
