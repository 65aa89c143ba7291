import { Conflict, NotFound } from '../../../errors.ts';
import { adminBranches, writes } from '../../../policy/index.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { branchIn, type BranchRecord } from '../branches/read.ts';
import { Branch } from '../branches/types.ts';
import { repositoryIn } from '../repositories/look-up.ts';
import { changeRule, makeRule, removeRule } from './write.ts';

/** Protecting a branch that exists, in the older form: whether developers may. */

const payload = (t: FieldsOf<{ branch: BranchRecord }>) => ({ branch: t.expose('branch', { type: Branch }) });

const level = (developers: boolean | null | undefined) => (developers ? 30 : 40);

/** The level from now on: maintainers in place of developers, if these may no longer. */
const changed = (before: number, developers: boolean | null | undefined) => {
  if (developers == null) return undefined;
  return developers || before === 30 ? level(developers) : undefined;
};

mutation('branchProtect', {
  description: 'Protects a branch by a rule of its name, or changes that rule.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path, global id or number.' }),
    name: t.string({ required: true }),
    developersCanPush: t.boolean({ description: 'Whether developers push.' }),
    developersCanMerge: t.boolean({ description: 'Whether developers merge.' }),
  }),
  payload,
  resolve: async (context, { projectPath, name, developersCanPush: push, developersCanMerge: merge }) => {
    const repository = await repositoryIn(context, projectPath, adminBranches);
    const branch = await branchIn(repository, name);
    try {
      await makeRule(context, repository, { name, push: level(push), merge: level(merge) });
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      await changeRule(context, repository, { name }, (rule) => ({
        push: changed(rule.pushAccessLevel, push),
        merge: changed(rule.mergeAccessLevel, merge),
      }));
    }
    return { branch };
  },
});

mutation('branchUnprotect', {
  description: 'Deletes the rule of a branch’s name, if there is one.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path, global id or number.' }),
    name: t.string({ required: true }),
  }),
  payload,
  resolve: async (context, { projectPath, name }) => {
    const repository = await repositoryIn(context, projectPath, adminBranches);
    const branch = await branchIn(repository, name);
    await removeRule(context, repository, { name }).catch((error: unknown) => {
      if (!(error instanceof NotFound)) throw error;
    });
    return { branch };
  },
});
