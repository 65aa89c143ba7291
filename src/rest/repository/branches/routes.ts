import { listRoute } from '../../engine/list-route.ts';
import { Accepted, NoContent, recordOf } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { writersOnly } from '../commits/writing.ts';
import { Branch, branchFields, type BranchData } from './record.ts';

const tag = 'Branches';
const path = '/api/v4/projects/:id/repository/branches';

export const branchRoutes: readonly AnyRoute[] = [
  listRoute<BranchData>({
    path,
    summary: 'List the branches of a repository',
    tag,
    of: 'Branch',
    keyset: () => true,
    token: 'name',
    parameters: [
      {
        name: 'search',
        type: 'string',
        description: 'A part of the name; `^x` for names that begin with it, `x$` for those that end with it.',
      },
      { name: 'regex', type: 'string', description: 'A regular expression in the syntax of RE2.' },
      {
        name: 'sort',
        type: 'string',
        allowed: ['name_asc', 'updated_asc', 'updated_desc'],
        default: 'name_asc',
        description: 'By name, or by the date of the last commit.',
      },
    ],
    within: { field: 'repository', args: { project: 'ID!' } },
    field: 'branches',
    args: { search: 'String', regex: 'String', sort: 'BranchSort' },
    selection: branchFields,
    variables: ({ id, search, regex, sort }) => ({
      project: id,
      search,
      regex,
      sort: String(sort ?? 'name_asc').toUpperCase(),
    }),
    withoutRepository: 404,
    // The default branch of an empty project has no name: Argo CD and Terraform ask for it all the same.
    emptyName: 'Branch',
    record: Branch,
  }),
  route<{ repository: { branch: BranchData } }>({
    method: 'GET',
    path: `${path}/:branch`,
    summary: 'Get a branch',
    tag,
    parameters: [],
    operation: `query ($project: ID!, $name: String!) {
      repository(project: $project) { branch(name: $name) { ${branchFields} } }
    }`,
    variables: ({ id, branch }) => ({ project: id, name: branch }),
    headStatus: 204,
    withoutRepository: 404,
    record: recordOf(Branch, ({ repository }) => repository.branch),
    refusals: [404],
    dialect: 'version 4',
  }),
  route<{ createBranch: { branch: BranchData } }>({
    method: 'POST',
    path,
    summary: 'Create a branch',
    tag,
    parameters: [
      { name: 'branch', type: 'string', required: true, notBlank: true, description: 'Its name.' },
      {
        name: 'ref',
        type: 'string',
        required: true,
        notBlank: true,
        description: 'Where it begins: a branch, a tag or a commit.',
      },
    ],
    example: { branch: 'feature', ref: 'main' },
    operation: `mutation ($input: CreateBranchInput!) { createBranch(input: $input) { branch { ${branchFields} } } }`,
    variables: ({ id, branch, ref }) => ({ input: { projectPath: id, name: branch, ref } }),
    guard: writersOnly,
    withoutRepository: 404,
    status: 201,
    record: recordOf(Branch, ({ createBranch }) => createBranch.branch),
    refusals: [404],
    dialect: 'version 4',
  }),
  route<unknown>({
    method: 'DELETE',
    path: `${path}/:branch`,
    summary: 'Delete a branch',
    tag,
    parameters: [],
    operation:
      'mutation ($input: BranchDeleteInput!) { branchDelete(input: $input) { repository { projectDatabaseId } } }',
    variables: ({ id, branch }, { unmodifiedSince }) => ({ input: { projectPath: id, name: branch, unmodifiedSince } }),
    conditional: true,
    withoutRepository: 404,
    status: 204,
    record: NoContent,
    refusals: [404],
    dialect: 'version 4',
  }),
  route<unknown>({
    method: 'DELETE',
    path: '/api/v4/projects/:id/repository/merged_branches',
    summary: 'Delete the merged branches of a repository',
    tag,
    parameters: [],
    operation:
      'mutation ($input: MergedBranchesDeleteInput!) { mergedBranchesDelete(input: $input) { repository { projectDatabaseId } } }',
    variables: ({ id }) => ({ input: { projectPath: id } }),
    withoutRepository: 404,
    status: 202,
    record: Accepted,
    refusals: [404],
    dialect: 'version 4',
  }),
];
