import { Unauthenticated } from '../../../errors.ts';
import { readCode, reads, runPipelines, writes } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { prefetchRepository, repositoryIn } from '../../repository/repositories/look-up.ts';
import { checkAlone, checkIn, type CheckedConfig } from './check.ts';
import { CiConfig } from './types.ts';

/** Checks of configurations, with the files of a project or alone. Nothing is stored. */

const dryRunDescription = 'Whether to check also what becomes of it in a pipeline of `ref`.';
const refDescription = 'The branch or tag of the dry run; the default branch if omitted.';

builder.queryField('ciConfig', (t) =>
  t.field({
    type: CiConfig,
    nullable: true,
    description: 'Checks a configuration with the files of a project. For everybody who reads its code.',
    admission: { class: 'token', scopes: reads, anonymous: true },
    prefetch: (args) => prefetchRepository({ project: args['projectPath'] }),
    args: {
      projectPath: t.arg.id({ required: true, description: 'Full path, global id or number.' }),
      content: t.arg.string({ description: 'The text; the configuration of the commit if omitted.' }),
      sha: t.arg.string({ description: 'The commit whose files are read; the default branch if omitted.' }),
      dryRun: t.arg.boolean({ description: `${dryRunDescription} From Developer up.` }),
      ref: t.arg.string({ description: refDescription }),
    },
    resolve: async (_root, { projectPath, ...asked }, context) => {
      const repository = await repositoryIn(context, projectPath, asked.dryRun ? runPipelines : readCode);
      return await checkIn(context, repository, asked);
    },
  }),
);

mutation('ciLint', {
  description:
    'Checks a configuration. From Developer up; without a project, for everybody who is signed in and not external.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    projectPath: t.id({
      description: 'Full path, global id or number. Omitted: the text belongs to no project, and includes nothing.',
    }),
    content: t.string({ required: true }),
    dryRun: t.boolean({ description: dryRunDescription }),
    ref: t.string({ description: refDescription }),
  }),
  payload: (t: FieldsOf<{ config: CheckedConfig }>) => ({ config: t.expose('config', { type: CiConfig }) }),
  resolve: async (context, { projectPath, content, dryRun, ref }) => {
    if (projectPath != null) {
      const repository = await repositoryIn(context, projectPath, runPipelines);
      return { config: await checkIn(context, repository, { content, dryRun, ref }) };
    }
    const { person } = context.viewer;
    if (!person || person.external) throw new Unauthenticated();
    return { config: await checkAlone(content) };
  },
});
