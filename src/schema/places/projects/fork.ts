import type { Context } from '../../../context.ts';
import { findProject } from '../../../database/access/places.ts';
import type { ListedProject } from '../../../database/access/records.ts';
import { findFork, relateFork, unrelateFork } from './statements/forks.ts';
import { Conflict, InvalidFields, NotFound } from '../../../errors.ts';
import { branchRef, isName } from '../../../git/names/index.ts';
import { readRef } from '../../../git/objects/index.ts';
import { exists } from '../../../git/storage/index.ts';
import { featureAvailable, forkProject, holds, ownProject, writes } from '../../../policy/index.ts';
import { projectAttributes } from '../../../values/attributes/project-attributes.ts';
import { mutation } from '../../engine/mutation.ts';
import { facts, lookUp } from '../place/look-up.ts';
import { narrower } from '../place/visibility.ts';
import { beginCopyOf } from '../../repository/writing/copy.ts';
import { projectById } from '../place/read.ts';
import { VisibilityLevelsEnum } from '../place/types.ts';
import type { GivenProjectAttributes } from './attributes/write.ts';
import { projectFor } from './find.ts';
import { makeProject } from './make.ts';
import { describeProblems, tidyTopics } from './names.ts';
import { namespaceForProject } from './namespace.ts';
import { readsCode } from './permissions.ts';
import { refuseWider } from './visibility.ts';
import { projectChangePayload, projectPayload } from './payload.ts';

/** How jobs of a source run, which its forks begin with: without it, the configuration of its pipelines isn't found. */
const ofJobs = ['ciConfigPath', 'ciDefaultGitDepth', 'buildsAccessLevel'] as const;

/** The attributes of a source that its fork begins with. */
const takenOver = ({ attributes }: ListedProject): GivenProjectAttributes => ({
  ...(Object.fromEntries(ofJobs.map((name) => [name, attributes[name]])) as GivenProjectAttributes),
  // The group of the fork may not allow them.
  ...(attributes.sharedRunnersEnabled === false && { sharedRunnersEnabled: false }),
});

/** Whether a project has a branch. */
async function hasBranch({ git }: Context, id: number, branch: string): Promise<boolean> {
  const repository = git.repository(id);
  if (!isName(branch) || !(await exists(repository.path))) return false;
  return (await readRef(repository, branchRef(branch))) !== undefined;
}

mutation('forkProject', {
  payload: projectPayload,
  description: 'Creates a fork of a project: a new project that refers to its source.',
  admission: { class: 'token', scopes: writes },
  input: (field) => ({
    project: field.id({ required: true, description: 'Id or full path of the source.' }),
    namespace: field.id({ description: 'Id or full path of the namespace. Omitted: your own namespace.' }),
    name: field.string({ description: 'Omitted: that of the source. The same applies to the fields below.' }),
    path: field.string(),
    description: field.string(),
    visibility: field.field({
      type: VisibilityLevelsEnum,
      description: 'Not wider than that of the source, nor of its group.',
    }),
    branch: field.string({
      description: 'The only branch to copy, which becomes the default branch. Omitted: all of them.',
    }),
    mrDefaultTargetSelf: field.boolean({
      description: projectAttributes.mrDefaultTargetSelf.description,
    }),
  }),
  resolve: async (context, input) => {
    const row = await lookUp(context, findProject, 'Project', input.project);
    if (!holds(forkProject, context.viewer, facts(row))) throw new NotFound('Fork');
    const source = (await projectById(context, row.id))!;
    const mayCopy =
      featureAvailable('forking', source, context.viewer, facts(row)) && readsCode(source, context.viewer, facts(row));
    if (!mayCopy) throw new NotFound('Fork');
    const namespace = await namespaceForProject(context, input.namespace ?? undefined);
    if (!namespace) throw new NotFound('Target Namespace');
    const made = {
      name: input.name ?? source.name,
      path: input.path ?? source.path,
      description: input.description ?? source.description,
      visibility: input.visibility ?? narrower(source.visibility, namespace.visibility),
      topics: tidyTopics(source.topics),
      forkedFrom: source.id,
      attributes: { ...takenOver(source), mrDefaultTargetSelf: input.mrDefaultTargetSelf },
    };
    const branch = input.branch || undefined;
    const problems = describeProblems(made);
    if (branch !== undefined && !(await hasBranch(context, source.id, branch))) problems.add('branch', ['is invalid']);
    problems.refuse();
    refuseWider(made.visibility, source.visibility);
    const [already] = await context.database.rows(findFork, [source.id, namespace.id]);
    if (already) throw new Conflict('Project already forked');
    const id = await makeProject(context, namespace, made);
    await beginCopyOf(context, id, source.id, branch);
    return { id };
  },
});

mutation('createForkRelation', {
  payload: projectPayload,
  description: 'Makes an existing project a fork of another one. For its owners.',
  admission: { class: 'token', scopes: writes },
  input: (field) => ({
    project: field.id({ required: true, description: 'Id or full path.' }),
    forkedFrom: field.id({ required: true, description: 'Id or full path of the source.' }),
  }),
  resolve: async (context, input) => {
    const { id } = await projectFor(context, ownProject, input.project);
    const source = await lookUp(context, findProject, 'Project', input.forkedFrom).catch((error: unknown) => {
      throw error instanceof NotFound ? new NotFound('Source Project') : error;
    });
    if (!holds(forkProject, context.viewer, facts(source))) throw new NotFound('Source Project');
    if (source.id === id) throw new InvalidFields({ forkedFrom: ['is the project itself'] });
    const { viewer, database, origin } = context;
    const [related] = await database.rows(relateFork, [
      id,
      source.id,
      viewer.person?.id ?? null,
      origin.address,
      origin.requestId,
    ]);
    if (!related) throw new Conflict('Project already forked');
    return { id };
  },
});

mutation('removeForkRelation', {
  payload: projectChangePayload,
  description: 'Removes the fork relation of a project. For its owners.',
  admission: { class: 'token', scopes: writes },
  input: (field) => ({ project: field.id({ required: true, description: 'Id or full path.' }) }),
  resolve: async (context, input) => {
    const { id } = await projectFor(context, ownProject, input.project);
    const { viewer, database, origin } = context;
    const removed = await database.rows(unrelateFork, [
      id,
      viewer.person?.id ?? null,
      origin.address,
      origin.requestId,
    ]);
    return { id, changed: removed.length > 0 };
  },
});
