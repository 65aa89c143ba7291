import { lockOfTrees } from '../../../database/access/trees.ts';
import { projectAttributes, type ProjectAttributes } from '../../../values/attributes/project-attributes.ts';
import type { GivenAttributes } from '../../../values/attributes/attributes.ts';
import { maxFullPathLength } from '../../../values/text/place-names.ts';
import { attributeInputs, checkAttributes } from '../../engine/attributes.ts';
import { changeOfAttributes } from '../../places/projects/attributes/write.ts';
import { describeProblems, tidyTopics } from '../../places/projects/names.ts';
import { holdNamespaces, keepPlanningOfProject } from '../../places/transfer/move.ts';
import { VisibilityLevelsEnum } from '../../places/place/types.ts';
import { within } from '../groups/visibility.ts';
import { freePath } from '../origins/free-path.ts';
import { importing, NotTaken, type Batch } from '../origins/importing.ts';
import { refuse } from '../people/people.ts';
import {
  changeProject,
  findGroup,
  findMove,
  findSpace,
  insertProject,
  moveProject,
  type NamespaceRow,
} from './statements.ts';

const attributesOf = (given: object): GivenAttributes<ProjectAttributes> =>
  Object.fromEntries(
    Object.keys(projectAttributes).map((name) => [name, (given as { readonly [name: string]: unknown })[name]]),
  );

interface Placed {
  readonly groupKey?: string | null | undefined;
  readonly ownerKey?: string | null | undefined;
}

/** What a project is imported into; undefined if that isn't here. */
async function namespaceOf({ sql, localOf }: Batch, { groupKey, ownerKey }: Placed): Promise<NamespaceRow | undefined> {
  const id = groupKey == null ? localOf('people', ownerKey) : localOf('groups', groupKey);
  if (id === undefined) return undefined;
  return (await sql.rows(groupKey == null ? findSpace : findGroup, [id]))[0];
}

/** Whether a project was renamed or transferred at its origin, and may have the path that it has there. */
async function mayMove({ sql, remark }: Batch, id: number, wanted: string): Promise<boolean> {
  const [now] = await sql.rows(findMove, [id, wanted.toLowerCase()]);
  if (!now || now.full_path === wanted) return false;
  if (now.taken) remark(`The path ${wanted} is taken: it stays ${now.full_path}.`);
  return !now.taken;
}

/** Moves a project; its former path redirects. */
async function follow(
  { sql }: Batch,
  id: number,
  { namespaceId, path, fullPath }: { namespaceId: number; path: string; fullPath: string },
): Promise<void> {
  const [now] = await sql.rows(findMove, [id, fullPath.toLowerCase()]);
  if (!now) return;
  await holdNamespaces(sql, [now.namespace_id, namespaceId]);
  await sql.rows(moveProject, [id, namespaceId, fullPath, now.full_path, path]);
  await keepPlanningOfProject(sql, id);
}

importing('projects', {
  description: 'Imports projects, each after the one that it is a fork of.',
  keeps: 'projects',
  record: (t) => ({
    groupKey: t.string({ description: 'The group that contains it; omitted in a personal namespace.' }),
    ownerKey: t.string({ description: 'The person in whose namespace it is.' }),
    creatorKey: t.string(),
    forkedFromKey: t.string(),
    isCopied: t.boolean({ required: true, description: 'Whether the copy of a source is finished.' }),
    path: t.string({ required: true }),
    name: t.string({ required: true }),
    description: t.string({ required: true }),
    visibility: t.field({ type: VisibilityLevelsEnum, required: true }),
    archived: t.boolean({ required: true }),
    topics: t.stringList({ required: true }),
    createdAt: t.field({ type: 'Time', required: true }),
    lastActivityAt: t.field({ type: 'Time', required: true }),
    updatedAt: t.field({ type: 'Time', required: true }),
    ...attributeInputs(t, projectAttributes),
  }),
  refersTo: ({ groupKey, ownerKey, creatorKey, forkedFromKey }) => [
    ['groups', groupKey],
    ['people', ownerKey],
    ['people', creatorKey],
    ['projects', forkedFromKey],
  ],
  examine: async (batch, project, known) => {
    const namespace = await namespaceOf(batch, project);
    if (!namespace && !batch.dryRun) throw new NotTaken('The group or person that has it wasn’t imported.');
    const topics = tidyTopics(project.topics);
    const problems = describeProblems({ ...project, topics });
    checkAttributes(problems, projectAttributes, project);
    const wanted = namespace ? `${namespace.full_path}/${project.path}` : project.path;
    if (wanted.length > maxFullPathLength) problems.add('path', ['makes a full path that is too long']);
    refuse(problems);
    const source = batch.localOf('projects', project.forkedFromKey);
    if (project.forkedFromKey != null && source === undefined && !batch.dryRun)
      batch.remark('What it is a fork of wasn’t imported.');
    const isFork = source !== undefined || (batch.dryRun && project.forkedFromKey != null);
    const attributes = changeOfAttributes(
      { attributes: {}, isFork },
      { ...attributesOf(project), ...(!isFork && { mrDefaultTargetSelf: undefined }) },
    );
    const visibility = within(batch, project.visibility, namespace?.visibility);
    // Nothing is in a group that will only be made.
    const isFree = known !== undefined || !namespace;
    const free = isFree ? { path: wanted, suffix: '' } : await freePath(batch, wanted);
    const moves = known !== undefined && namespace !== undefined && (await mayMove(batch, known, wanted));
    return {
      moves,
      namespaceId: namespace?.id ?? 0,
      isGroup: project.groupKey != null,
      path: `${project.path}${free.suffix}`,
      fullPath: free.path,
      source: source ?? null,
      topics,
      visibility,
      attributes,
    };
  },
  store: async (batch, project, prepared, known) => {
    const { sql } = batch;
    const { name, description, archived, createdAt, lastActivityAt, updatedAt } = project;
    const { attributes, namespaceId, topics, visibility } = prepared;
    if (known !== undefined) {
      if (prepared.moves) await follow(batch, known, prepared);
      const changed = await sql.rows(changeProject, [
        known,
        name,
        description,
        visibility,
        archived,
        topics,
        attributes.values,
        attributes.unset,
        updatedAt,
        lastActivityAt,
      ]);
      if (changed.length === 0) throw new NotTaken('It was removed here.');
      return known;
    }
    if (prepared.isGroup) await sql.rows(lockOfTrees.shared, [[namespaceId]]);
    const [made] = await sql.rows(insertProject, [
      batch.keptId(project.key),
      namespaceId,
      batch.localOf('people', project.creatorKey) ?? null,
      prepared.path,
      name,
      prepared.fullPath,
      description,
      visibility,
      archived,
      topics,
      attributes.values,
      prepared.source,
      createdAt,
      lastActivityAt,
      updatedAt,
      project.isCopied ? 'finished' : null,
    ]);
    return made!.id;
  },
});
