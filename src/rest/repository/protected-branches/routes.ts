import { Branch, branchFields, type BranchData } from '../branches/record.ts';
import { flag } from '../../engine/declared.ts';
import { listRoute } from '../../engine/list-route.ts';
import type { Parameter } from '../../engine/parameters.ts';
import { NoContent, recordOf } from '../../engine/record.ts';
import { route, type AnyRoute, type Guard } from '../../engine/route.ts';
import { ProtectedBranch, protectedBranchFields, type ProtectedBranchData } from './record.ts';

const tag = 'Protected branches';
const path = '/api/v4/projects/:id/protected_branches';

/** Whether the caller may protect branches and tags: refused before a wrong parameter is. */
export const protectorsOnly: Guard = {
  operation: 'query ($project: ID!) { repositoryForProtecting(project: $project) { projectDatabaseId } }',
  variables: ({ id }) => ({ project: id }),
  before: 'every problem',
};

/** The text is as clients know it. */
const missing = { 'Branch rule': '404 Not found' };

export const level = (name: string, does: string): Parameter => ({
  name,
  type: 'integer',
  allowed: ['0', '30', '40', '60'],
  default: 40,
  description: `The least role that ${does}: 0 (no one), 30, 40, or 60 (administrators).`,
});

const levels = (given: unknown) => (given == null ? undefined : [{ accessLevel: given }]);

/** Protecting a branch that exists, in the older form. */
const ofBranch = (
  act: 'protect' | 'unprotect',
  summary: string,
  parameters: readonly Parameter[],
  given: (values: Readonly<Record<string, unknown>>) => object,
) => {
  const field = act === 'protect' ? 'branchProtect' : 'branchUnprotect';
  const input = act === 'protect' ? 'BranchProtectInput' : 'BranchUnprotectInput';
  return route<Record<string, { branch: BranchData }>>({
    method: 'PUT',
    path: `/api/v4/projects/:id/repository/branches/:branch/${act}`,
    summary,
    tag: 'Branches',
    parameters,
    operation: `mutation ($input: ${input}!) { ${field}(input: $input) { branch { ${branchFields} } } }`,
    variables: (values) => ({ input: { projectPath: values.id, name: values.branch, ...given(values) } }),
    ...(parameters.length > 0 && { guard: protectorsOnly }),
    withoutRepository: 404,
    record: recordOf(Branch, (data) => data[field]!.branch),
    refusals: [404, 422],
    dialect: 'version 4',
  });
};

export const protectedBranchRoutes: readonly AnyRoute[] = [
  listRoute<ProtectedBranchData>({
    path,
    summary: 'List the protected branches of a project',
    tag,
    of: 'ProtectedBranch',
    parameters: [{ name: 'search', type: 'string', description: 'A part of the name.' }],
    within: { field: 'repository', args: { project: 'ID!' } },
    field: 'branchRules',
    args: { search: 'String' },
    selection: protectedBranchFields,
    variables: ({ id, search }) => ({ project: id, search }),
    record: ProtectedBranch,
  }),
  route<{ repository: { branchRule: ProtectedBranchData } }>({
    method: 'GET',
    path: `${path}/:name`,
    summary: 'Get a protected branch',
    tag,
    parameters: [],
    operation: `query ($project: ID!, $name: String!) {
      repository(project: $project) { branchRule(name: $name) { ${protectedBranchFields} } }
    }`,
    variables: ({ id, name }) => ({ project: id, name }),
    missing,
    record: recordOf(ProtectedBranch, ({ repository }) => repository.branchRule),
    refusals: [404],
    dialect: 'version 4',
  }),
  route<{ branchRuleCreate: { branchRule: ProtectedBranchData } }>({
    method: 'POST',
    path,
    summary: 'Protect branches',
    tag,
    parameters: [
      { name: 'name', type: 'string', required: true, description: 'A branch, or a pattern with `*` for any text.' },
      level('push_access_level', 'pushes'),
      level('merge_access_level', 'merges'),
      { ...flag('allow_force_push', 'Whether who pushes may remove commits.'), default: false },
    ],
    example: { name: 'release-*' },
    operation: `mutation ($input: BranchRuleCreateInput!) {
      branchRuleCreate(input: $input) { branchRule { ${protectedBranchFields} } }
    }`,
    variables: (values) => ({
      input: {
        projectPath: values.id,
        name: values.name ?? '',
        branchProtection: {
          pushAccessLevels: levels(values.push_access_level),
          mergeAccessLevels: levels(values.merge_access_level),
          allowForcePush: values.allow_force_push,
        },
      },
    }),
    guard: protectorsOnly,
    status: 201,
    record: recordOf(ProtectedBranch, ({ branchRuleCreate }) => branchRuleCreate.branchRule),
    refusals: [404, 409, 422],
    dialect: 'version 4',
  }),
  route<{ branchRuleUpdate: { branchRule: ProtectedBranchData } }>({
    method: 'PATCH',
    path: `${path}/:name`,
    summary: 'Change a protected branch',
    tag,
    parameters: [{ ...flag('allow_force_push', 'Whether who pushes may remove commits.'), notBlank: true }],
    operation: `mutation ($input: BranchRuleUpdateInput!) {
      branchRuleUpdate(input: $input) { branchRule { ${protectedBranchFields} } }
    }`,
    variables: ({ id, name, allow_force_push: allowForcePush }) => ({
      input: { projectPath: id, rule: name, branchProtection: { allowForcePush } },
    }),
    guard: protectorsOnly,
    missing,
    record: recordOf(ProtectedBranch, ({ branchRuleUpdate }) => branchRuleUpdate.branchRule),
    refusals: [404, 422],
    dialect: 'version 4',
  }),
  route<unknown>({
    method: 'DELETE',
    path: `${path}/:name`,
    summary: 'Stop protecting branches',
    tag,
    parameters: [],
    operation: 'mutation ($input: BranchRuleDeleteInput!) { branchRuleDelete(input: $input) { branchRule { name } } }',
    variables: ({ id, name }, { unmodifiedSince }) => ({ input: { projectPath: id, rule: name, unmodifiedSince } }),
    conditional: true,
    missing,
    status: 204,
    record: NoContent,
    refusals: [404],
    dialect: 'version 4',
  }),
  ofBranch(
    'protect',
    'Protect a branch',
    [
      flag('developers_can_push', 'Whether developers push to it.'),
      flag('developers_can_merge', 'Whether developers merge into it.'),
    ],
    ({ developers_can_push: developersCanPush, developers_can_merge: developersCanMerge }) => ({
      developersCanPush,
      developersCanMerge,
    }),
  ),
  ofBranch('unprotect', 'Stop protecting a branch', [], () => ({})),
];
