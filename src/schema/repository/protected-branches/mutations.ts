import type { Context } from '../../../context.ts';
import { InvalidFields, NotFound } from '../../../errors.ts';
import { adminBranches, writes } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { mutation, type FieldsOf, type InputsOf } from '../../engine/mutation.ts';
import { repositoryIn, type RepositoryRecord } from '../repositories/look-up.ts';
import { findProjectOfRule } from './statements.ts';
import { BranchRule, levelNames, ruleId, type RuleRecord } from './types.ts';
import { changeRule, makeRule, removeRule, type RuleChange, type Which } from './write.ts';

/** Protecting branches, for maintainers. */

const AccessLevelInput = builder.inputType('BranchAccessLevelInput', {
  description: 'Who does something with a protected branch.',
  fields: (t) => ({
    accessLevel: t.int({
      required: true,
      description: 'The least role: 0 (no one), 30, 40, or 60 (administrators).',
    }),
  }),
});

const BranchProtectionInput = builder.inputType('BranchProtectionInput', {
  description: 'Who may do what with the branches of a rule. What is omitted stays, or is for maintainers.',
  fields: (t) => ({
    allowForcePush: t.boolean({ description: 'Whether who pushes may remove commits.' }),
    pushAccessLevels: t.field({ type: [AccessLevelInput], description: 'Exactly one.' }),
    mergeAccessLevels: t.field({ type: [AccessLevelInput], description: 'Exactly one.' }),
  }),
});

type Given = typeof BranchProtectionInput.$inferInput;
type Levels = Given['pushAccessLevels'];

/** @throws InvalidFields unless there is exactly one, and it is known */
function levelIn(field: 'pushAccessLevels' | 'mergeAccessLevels', given: Levels): number | undefined {
  if (given == null) return undefined;
  const [level] = given.map(({ accessLevel }) => accessLevel);
  if (given.length !== 1 || level === undefined) throw new InvalidFields({ [field]: ['must name one level'] });
  if (!(level in levelNames)) throw new InvalidFields({ [field]: ['is not included in the list'] });
  return level;
}

const changeIn = (given: Given | null | undefined): RuleChange => ({
  push: levelIn('pushAccessLevels', given?.pushAccessLevels),
  merge: levelIn('mergeAccessLevels', given?.mergeAccessLevels),
  force: given?.allowForcePush ?? undefined,
});

const payload = (t: FieldsOf<{ branchRule: RuleRecord }>) => ({
  branchRule: t.expose('branchRule', { type: BranchRule }),
});

mutation('branchRuleCreate', {
  description: 'Protects a branch, which need not exist, or all whose names have a form.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path, global id or number.' }),
    name: t.string({ required: true, description: 'A branch, or a pattern with `*` for any text.' }),
    branchProtection: t.field({ type: BranchProtectionInput }),
  }),
  payload,
  resolve: async (context, { projectPath, name, branchProtection }) => {
    const repository = await repositoryIn(context, projectPath, adminBranches);
    return { branchRule: await makeRule(context, repository, { name, ...changeIn(branchProtection) }) };
  },
});

/** A rule, by its id or by its project and name. */
const ruleName = (t: InputsOf) => ({
  id: t.field({ type: 'ProjectsBranchRuleID', description: 'The rule.' }),
  projectPath: t.id({ description: 'In place of its id: the project …' }),
  rule: t.string({ description: '… and the present name.' }),
});

interface RuleName {
  readonly id?: number | string | null | undefined;
  readonly projectPath?: string | null | undefined;
  readonly rule?: string | null | undefined;
}

/** @throws InvalidFields if none is named, NotFound, Forbidden */
async function named(
  context: Context,
  { id: given, projectPath, rule }: RuleName,
): Promise<{ repository: RepositoryRecord; which: Which }> {
  if (given != null) {
    const id = ruleId(String(given));
    const [project] = await context.database.rows(findProjectOfRule, [id]);
    if (!project) throw new NotFound('Branch rule');
    const repository = await repositoryIn(context, String(project.id), adminBranches).catch((error: unknown) => {
      // A rule out of sight is as one that isn't there.
      throw error instanceof NotFound ? new NotFound('Branch rule') : error;
    });
    return { repository, which: { id } };
  }
  if (projectPath == null || rule == null) throw new InvalidFields({ id: ['is missing'] });
  return { repository: await repositoryIn(context, projectPath, adminBranches), which: { name: rule } };
}

mutation('branchRuleUpdate', {
  description: 'Changes a rule that protects branches.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    ...ruleName(t),
    name: t.string({ description: 'Its name from now on.' }),
    branchProtection: t.field({ type: BranchProtectionInput }),
  }),
  payload,
  resolve: async (context, { name, branchProtection, ...rule }) => {
    const { repository, which } = await named(context, rule);
    const change = { name: name ?? undefined, ...changeIn(branchProtection) };
    return { branchRule: await changeRule(context, repository, which, change) };
  },
});

mutation('branchRuleDelete', {
  description: 'Deletes a rule: its branches are protected no longer.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    ...ruleName(t),
    unmodifiedSince: t.field({
      type: 'Time',
      description: 'Refuses it if the rule was changed after this moment. Fractions of a second are ignored.',
    }),
  }),
  payload,
  resolve: async (context, { unmodifiedSince, ...rule }) => {
    const { repository, which } = await named(context, rule);
    return { branchRule: await removeRule(context, repository, which, unmodifiedSince) };
  },
});
