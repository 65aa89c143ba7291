import { GraphQLError } from 'graphql';
import { matchesPattern } from '../../../policy/index.ts';
import { listBranches } from '../branches/read.ts';
import { builder } from '../../engine/builder.ts';
import { globalId, identify, idOf } from '../../engine/global-id.ts';
import { connectionOf, offsetArg, resolveArrayPage } from '../../engine/page.ts';
import type { RepositoryRecord } from '../repositories/look-up.ts';
import type { RuleRow } from './statements.ts';

/** A rule that protects branches, with the repository that they are in. */
export interface RuleRecord extends RuleRow {
  readonly repository: RepositoryRecord;
}

const type = 'Projects::BranchRule';

builder.scalarType('ProjectsBranchRuleID', {
  description: `A global id, for example \`${globalId(type, 7)}\`. The number alone does too.`,
  serialize: (id) => globalId(type, Number(id)),
  parseValue(value) {
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text !== 'string' || idOf(text, type) === 0)
      throw new GraphQLError(`"${String(value)}" does not represent an instance of ${type}`);
    return text;
  },
});

/** The number in a global id of a rule. */
export const ruleId = (given: string): number => idOf(given, type);

/** The words for the levels of access. */
export const levelNames = {
  0: 'No one',
  30: 'Developers + Maintainers',
  40: 'Maintainers',
  60: 'Administrators',
} as const;

type Level = keyof typeof levelNames;

interface AccessLevel {
  readonly id: number;
  readonly level: number;
}

/** A type for the least role that does something. */
export const accessLevel = (name: string, description: string) =>
  builder.objectRef<AccessLevel>(name).implement({
    description,
    fields: (t) => ({
      databaseId: t.exposeInt('id', { description: 'The number that the REST API calls `id`.' }),
      accessLevel: t.exposeInt('level', { description: '0 (no one), 30, 40, or 60 (administrators).' }),
      accessLevelDescription: t.string({
        description: 'The same in words.',
        direct: true,
        resolve: ({ level }) => levelNames[level as Level],
      }),
    }),
  });

const PushAccessLevel = accessLevel('PushAccessLevel', 'The least role that pushes to protected branches.');
const MergeAccessLevel = accessLevel('MergeAccessLevel', 'The least role that merges into protected branches.');

const BranchProtection = builder.objectRef<RuleRecord>('BranchProtection').implement({
  description: 'Who may do what with the branches of a rule.',
  fields: (t) => {
    const levels = (of: typeof PushAccessLevel, level: (rule: RuleRecord) => number) =>
      t.connection(
        {
          type: of,
          args: { ...offsetArg },
          resolve: (rule, args) =>
            resolveArrayPage(args, [{ id: rule.id, level: level(rule) }], ({ id }) => String(id)) as never,
        },
        connectionOf(of) as never,
      );
    return {
      allowForcePush: t.exposeBoolean('allowForcePush', { description: 'Whether who pushes may remove commits.' }),
      pushAccessLevels: levels(PushAccessLevel, ({ pushAccessLevel }) => pushAccessLevel),
      mergeAccessLevels: levels(MergeAccessLevel, ({ mergeAccessLevel }) => mergeAccessLevel),
    };
  },
});

export const BranchRule = builder.objectRef<RuleRecord>('BranchRule').implement({
  description: 'A rule that protects branches.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'A branch, or a pattern with `*` for any text.' }),
    isDefault: t.boolean({
      description: 'Whether it names the default branch.',
      direct: true,
      resolve: ({ repository, name }) => name === repository.defaultBranch,
    }),
    isProtected: t.boolean({ description: 'Always true.', direct: true, resolve: () => true }),
    matchingBranchesCount: t.int({
      description: 'How many branches it is about now.',
      resolve: async ({ repository, name: pattern }) =>
        (await listBranches(repository)).filter(({ name }) => matchesPattern(pattern, name)).length,
    }),
    branchProtection: t.field({ type: BranchProtection, nullable: true, resolve: (rule) => rule }),
    createdAt: t.expose('createdAt', { type: 'Time' }),
    updatedAt: t.expose('updatedAt', { type: 'Time' }),
  }),
});

identify(BranchRule, type);
