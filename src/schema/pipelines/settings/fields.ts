import type { ListedProject } from '../../../database/access/records.ts';
import { InvalidFields } from '../../../errors.ts';
import { editProject, holds, writes } from '../../../policy/index.ts';
import { projectAttributes } from '../../../values/attributes/project-attributes.ts';
import { builder } from '../../engine/builder.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { projectById } from '../../places/place/read.ts';
import { Project } from '../../places/place/types.ts';
import { projectFor } from '../../places/projects/find.ts';
import { factsOf } from '../../places/projects/permissions.ts';
import { changeAttributes } from '../../places/projects/update.ts';

/** The settings of a project’s pipelines, under the names that GraphQL clients know. All are attributes of the project. */

const ProjectCiCdSetting = builder.objectRef<ListedProject>('ProjectCiCdSetting').implement({
  description: 'The settings of a project’s pipelines. For its maintainers.',
  fields: (t) => ({
    keepLatestArtifact: t.boolean({
      nullable: true,
      description: 'Whether the latest artifacts are kept.',
      direct: true,
      resolve: ({ attributes }) =>
        (attributes.keepLatestArtifact as boolean | undefined) ?? projectAttributes.keepLatestArtifact.unset,
    }),
    jobTokenScopeEnabled: t.boolean({
      nullable: true,
      description: 'False: there is no list of projects that the tokens of its jobs reach. They reach this one.',
      direct: true,
      resolve: () => false,
    }),
    inboundJobTokenScopeEnabled: t.boolean({
      nullable: true,
      description: 'True: no token of a job of another project reaches it.',
      direct: true,
      resolve: () => true,
    }),
    mergePipelinesEnabled: t.boolean({
      nullable: true,
      description: 'False: pipelines of merge requests run on the source branch.',
      direct: true,
      resolve: () => false,
    }),
    mergeTrainsEnabled: t.boolean({
      nullable: true,
      description: 'False: there are no merge trains.',
      direct: true,
      resolve: () => false,
    }),
    project: t.field({ type: Project, nullable: true, direct: true, resolve: (project) => project }),
  }),
});

builder.objectField(Project, 'ciCdSettings', (t) =>
  t.field({
    type: ProjectCiCdSetting,
    nullable: true,
    description: 'The settings of its pipelines; null if you don’t maintain it.',
    resolve: async (project, _args, context) =>
      holds(editProject, context.viewer, await factsOf(context, project)) ? project : null,
  }),
);

/** What a client may send, but not change: what it is here. */
const fixed = { jobTokenScopeEnabled: false, inboundJobTokenScopeEnabled: true } as const;

mutation('projectCiCdSettingsUpdate', {
  description: 'Changes the settings of a project’s pipelines. For its maintainers.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    fullPath: t.id({ required: true, description: 'Full path or id of the project.' }),
    keepLatestArtifact: t.boolean({ description: 'Whether the latest artifacts are kept.' }),
    jobTokenScopeEnabled: t.boolean({ description: 'Only false.' }),
    inboundJobTokenScopeEnabled: t.boolean({ description: 'Only true.' }),
  }),
  payload: (t: FieldsOf<{ readonly id: number }>) => ({
    ciCdSettings: t.field({
      type: ProjectCiCdSetting,
      resolve: async ({ id }, _args, context) => (await projectById(context, id))!,
    }),
  }),
  resolve: async (context, { fullPath, keepLatestArtifact, ...given }) => {
    const { id } = await projectFor(context, editProject, fullPath);
    for (const [name, value] of Object.entries(fixed))
      if (given[name as keyof typeof fixed] === !value) throw new InvalidFields({ [name]: [`can only be ${value}`] });
    if (keepLatestArtifact != null) await changeAttributes(context, id, { keepLatestArtifact });
    return { id };
  },
});
