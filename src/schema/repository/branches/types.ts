import type { Context } from '../../../context.ts';
import { readCommit } from '../../../git/objects/index.ts';
import { mayPushTo, protectionOf } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { Commit, commitRecord } from '../commits/types.ts';
import { rulesOf } from '../protected-branches/read.ts';
import type { BranchRecord } from './read.ts';
import { encodedPath } from '../../../values/text/file-path.ts';

const developer = 30;

const protection = async ({ repository, name }: BranchRecord, context: Context) =>
  protectionOf(await rulesOf(context, repository), name);

const webPath = ({ repository, name }: BranchRecord) => `/${repository.fullPath}/-/tree/${encodedPath(name)}`;

export const Branch = builder.objectRef<BranchRecord>('Branch').implement({
  description: 'A branch of a repository.',
  fields: (t) => ({
    name: t.exposeString('name'),
    commit: t.field({
      type: Commit,
      nullable: true,
      description: 'The commit that it is at.',
      resolve: async ({ repository, commit: id }) => {
        const commit = await readCommit(repository.git, id);
        return commit ? commitRecord(repository, commit) : null;
      },
    }),
    default: t.boolean({
      description: 'Whether it is the default branch.',
      direct: true,
      resolve: ({ repository, name }) => name === repository.defaultBranch,
    }),
    merged: t.boolean({
      description: 'Whether the default branch has all its commits. Never of the default branch itself.',
      resolve: ({ merged }) => merged(),
    }),
    protected: t.boolean({
      description: 'Whether a rule protects it.',
      resolve: async (branch, _args, context) => (await protection(branch, context)) !== undefined,
    }),
    developersCanPush: t.boolean({
      description: 'Whether a rule that protects it lets developers push.',
      resolve: async (branch, _args, context) =>
        (await protection(branch, context))?.pushLevels.includes(developer) === true,
    }),
    developersCanMerge: t.boolean({
      description: 'Whether a rule that protects it lets developers merge.',
      resolve: async (branch, _args, context) =>
        (await protection(branch, context))?.mergeLevels.includes(developer) === true,
    }),
    canPush: t.boolean({
      description: 'Whether you may push to it.',
      resolve: async ({ repository, name }, _args, context) => {
        const { viewer } = context;
        return mayPushTo({ ...repository, viewer, rules: await rulesOf(context, repository) }, name);
      },
    }),
    webPath: t.string({ direct: true, resolve: webPath }),
    webUrl: t.string({ direct: true, resolve: (branch, _args, { baseUrl }) => `${baseUrl}${webPath(branch)}` }),
  }),
});
