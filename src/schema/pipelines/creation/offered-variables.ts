import type { WrittenVariable } from '../../../ci/config/index.ts';
import { holds, runPipelines } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { readApart } from '../../engine/page.ts';
import { Project } from '../../places/place/types.ts';
import { repositoryOf } from '../../repository/repositories/fields.ts';
import { revisionIn } from '../../repository/repositories/revision.ts';
import { variablesAt } from './configuration.ts';

/** The variables of a configuration, with which forms for new pipelines are filled in. */

const CiConfigVariable = builder.objectRef<WrittenVariable>('CiConfigVariable').implement({
  description: 'A variable at the root of a configuration.',
  fields: (t) => ({
    key: t.exposeString('key', { nullable: true }),
    value: t.exposeString('value', { nullable: true }),
    description: t.exposeString('description', { nullable: true, description: 'What it is for.' }),
    valueOptions: t.stringList({
      nullable: true,
      description: 'The values to choose from; null for any value.',
      resolve: ({ options }) => options && [...options],
    }),
  }),
});

builder.objectField(Project, 'ciConfigVariables', (t) =>
  t.field({
    ...readApart,
    type: [CiConfigVariable],
    nullable: true,
    description:
      'The variables of its configuration on a branch or tag; none if that is missing or wrong. Null if you don’t start pipelines.',
    args: { ref: t.arg.string({ required: true }) },
    resolve: async (project, { ref }, context) => {
      const repository = await repositoryOf(context, project);
      if (!repository || !holds(runPipelines, context.viewer, repository.facts)) return null;
      const revision = ref === '' ? undefined : await revisionIn(repository, ref);
      if (!revision) return [];
      const { ciConfigPath } = project.attributes;
      return [...(await variablesAt(revision.git, revision.commit.id, (ciConfigPath as string | undefined) ?? null))];
    },
  }),
);
