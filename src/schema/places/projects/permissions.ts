import type { Context } from '../../../context.ts';
import type { ListedProject, ProjectRolesRow } from '../../../database/access/records.ts';
import {
  adminLabel,
  adminMilestone,
  all,
  createIssue,
  createMergeRequest,
  createProjectSnippet,
  downloadCode,
  featureAvailable,
  editProject,
  forkProject,
  holds,
  openMergeRequest,
  ownProject,
  pushCode,
  readEnvironments,
  readPipelines,
  readPlanning,
  setIssueMetadata,
  writeEnvironments,
  type Facts,
  type Viewer,
} from '../../../policy/index.ts';
import { levelOf } from '../../../values/attributes/project-features.ts';
import { batched } from '../../engine/batched.ts';
import { builder } from '../../engine/builder.ts';
import { AccessLevel } from '../members/access-level.ts';
import { may, mayIn, requestAccessField } from '../place/permission.ts';
import { projectById, visibleProjectById } from '../place/read.ts';
import { Project } from '../place/types.ts';
import { hasRoles, rolesIn } from './fields.ts';

/** What the viewer may do in a project, as `userPermissions` shows it. */

interface ProjectFacts extends Facts {
  readonly levels: NonNullable<Facts['levels']>;
  readonly publicJobs: boolean;
}

const levelsOf = (project: ListedProject) => ({
  issues: levelOf('issues', project),
  mergeRequests: levelOf('mergeRequests', project),
  snippets: levelOf('snippets', project),
  repository: levelOf('repository', project),
  builds: levelOf('builds', project),
  environments: levelOf('environments', project),
});

/** What decides what the viewer may do in a project. */
export function factsOf(context: Context, project: ListedProject): ProjectFacts | Promise<ProjectFacts> {
  const { visibility, accessLevel } = project;
  const levels = levelsOf(project);
  const publicJobs = project.attributes.publicJobs !== false;
  if (context.viewer.person === null) return { visibility, levels, publicJobs, accessLevel: 0 };
  if (accessLevel !== undefined) return { visibility, levels, publicJobs, accessLevel: accessLevel ?? 0 };
  const facts = (roles: ProjectRolesRow | undefined) => ({
    visibility,
    levels,
    publicJobs,
    accessLevel: Math.max(roles?.project_access ?? 0, roles?.group_access ?? 0, roles?.shared_access ?? 0),
  });
  return hasRoles(project) ? facts(project) : rolesIn(context, project.id).then(facts);
}

/** The facts, and the levels of features. */
interface Rights extends ProjectFacts {
  readonly attributes: ListedProject['attributes'];
  readonly archived: boolean;
}

/** What decides what `userPermissions` shows. */
export function rightsIn(context: Context, project: ListedProject): Rights | Promise<Rights> {
  const { attributes, archived } = project;
  // Not a spread: the result would be a slower dictionary-mode object.
  const rights = ({ visibility, levels, publicJobs, accessLevel }: ProjectFacts): Rights => ({
    visibility,
    levels,
    publicJobs,
    accessLevel,
    attributes,
    archived,
  });
  const facts = factsOf(context, project);
  return facts instanceof Promise ? facts.then(rights) : rights(facts);
}

/** A project with the viewer’s rights in it. */
export interface ProjectRights {
  readonly id: number;
  readonly archived: boolean;
  readonly facts: ProjectFacts;
}

/** The viewer’s rights in a project, by its id: one record for a page. */
export const rightsById = batched<ProjectRights>(async (context, ids) => {
  const found = await Promise.all(
    ids.map(async (id): Promise<readonly [number, ProjectRights] | undefined> => {
      const project = await projectById(context, id);
      return project ? [id, { id, archived: project.archived, facts: await factsOf(context, project) }] : undefined;
    }),
  );
  return new Map(found.filter((one) => one !== undefined));
});

/** Whether the viewer reads the repository. */
export const readsCode = (project: ListedProject, viewer: Viewer, facts: Facts): boolean =>
  holds(downloadCode, viewer, facts) && featureAvailable('repository', project, viewer, facts);

/** Whether the viewer reads the repository of the project with an id. */
export async function readsCodeOf(context: Context, id: number): Promise<boolean> {
  const project = await visibleProjectById(context, id);
  return project != null && readsCode(project, context.viewer, await factsOf(context, project));
}

/** Whether the viewer has the labels and milestones of a project. */
export function hasPlanning(context: Context, project: ListedProject): boolean | Promise<boolean> {
  const has = (facts: Facts) => holds(readPlanning, context.viewer, facts);
  // Mostly everyone has, and the role isn't looked up.
  if (has({ visibility: project.visibility, accessLevel: 0, levels: levelsOf(project) })) return true;
  const facts = factsOf(context, project);
  return facts instanceof Promise ? facts.then(has) : has(facts);
}

export const ProjectPermissions = builder.objectRef<Rights>('ProjectPermissions');

ProjectPermissions.implement({
  description: 'What you may do in a project.',
  fields: (t) => ({
    readProject: t.boolean({ description: 'True: you see it.', direct: true, resolve: () => true }),
    adminProject: t.boolean(may(editProject, 'Whether you change its settings and members.')),
    adminOperations: t.boolean(
      may(editProject, 'Whether you change the settings of its environments, runners and error tracking.'),
    ),
    removeProject: t.boolean(may(ownProject, 'Whether you delete it.')),
    requestAccess: t.boolean(requestAccessField),
    archiveProject: t.boolean(may(ownProject, 'Whether you archive it.')),
    changeVisibilityLevel: t.boolean(may(ownProject, 'Whether you change its visibility.')),
    forkProject: t.boolean({
      description: 'Whether you fork it.',
      direct: true,
      resolve: (rights, _args, { viewer }) =>
        holds(forkProject, viewer, rights) &&
        featureAvailable('forking', rights, viewer, rights) &&
        featureAvailable('repository', rights, viewer, rights),
    }),
    downloadCode: t.boolean({
      description: 'Whether you read its repository.',
      direct: true,
      resolve: (rights, _args, { viewer }) =>
        holds(downloadCode, viewer, rights) && featureAvailable('repository', rights, viewer, rights),
    }),
    readPipeline: t.boolean(may(readPipelines, 'Whether you read its pipelines.')),
    readEnvironment: t.boolean(may(readEnvironments, 'Whether you see its environments and deployments.')),
    createDeployment: t.boolean(
      mayIn(writeEnvironments, 'Whether you change its environments, and report deployments.'),
    ),
    createMergeRequestFrom: t.boolean(
      mayIn(
        openMergeRequest,
        'Whether you make merge requests from its branches, and choose labels and people of those into it.',
      ),
    ),
    createMergeRequestIn: t.boolean(mayIn(createMergeRequest, 'Whether you make merge requests in it.')),
    pushCode: t.boolean(mayIn(pushCode, 'Whether you write to its repository, where no rule protects the branch.')),
    createIssue: t.boolean(mayIn(createIssue, 'Whether you create issues in it.')),
    createSnippet: t.boolean(mayIn(createProjectSnippet, 'Whether you create snippets in it.')),
    setIssueMetadata: t.boolean(
      mayIn(
        setIssueMetadata,
        'Whether you choose labels, assignee, milestone and due date of an issue that you create.',
      ),
    ),
    adminLabel: t.boolean(mayIn(all(readPlanning, adminLabel), 'Whether you create, change and delete its labels.')),
    adminMilestone: t.boolean(
      mayIn(all(readPlanning, adminMilestone), 'Whether you create, change and delete its milestones.'),
    ),
  }),
});

builder.objectFields(Project, (t) => ({
  userPermissions: t.field({
    type: ProjectPermissions,
    resolve: (project, _args, context) => rightsIn(context, project),
  }),
  maxAccessLevel: t.field({
    type: AccessLevel,
    description: 'Your role in it.',
    resolve: async (project, _args, context) => (await factsOf(context, project)).accessLevel,
  }),
}));
