import { listRoute } from '../../engine/list-route.ts';
import type { Parameter } from '../../engine/parameters.ts';
import { objectSchema, recordOf } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { Diff, diffFields, type DiffData } from './diff.ts';
import { Commit, commitFields, type CommitData } from './record.ts';
import { writersOnly } from './writing.ts';

/** Routes about one commit. */

const tag = 'Commits';
const path = '/api/v4/projects/:id/repository/commits/:sha';

interface RefData {
  readonly type: 'BRANCH' | 'TAG';
  readonly name: string;
}

export const unidiff: Parameter = {
  name: 'unidiff',
  type: 'boolean',
  description: 'With the names of both sides before each patch.',
};

/** Of a list within a commit: the operation asks for the commit first. */
export const ofCommit = {
  within: { field: 'repository', args: { project: 'ID!' } },
  inner: { field: 'commit', args: { ref: 'String!' } },
} as const;

/** A change on a branch that repeats a commit or takes it back. */
function replay(name: 'cherry_pick' | 'revert', field: 'commitCherryPick' | 'commitRevert', summary: string): AnyRoute {
  const picks = name === 'cherry_pick';
  return route<{ [field: string]: { readonly commit: CommitData | null } }>({
    method: 'POST',
    path: `${path}/${name}`,
    summary,
    tag,
    parameters: [
      {
        name: 'branch',
        type: 'string',
        required: true,
        notBlank: true,
        description: 'The branch that gets the new commit.',
      },
      { name: 'dry_run', type: 'boolean', description: 'Only says whether it would work.' },
      ...(picks ? [{ name: 'message', type: 'string', description: 'Of the new commit.' } as const] : []),
    ],
    example: { branch: 'main' },
    operation: `mutation ($input: ${picks ? 'CommitCherryPickInput' : 'CommitRevertInput'}!) {
      ${field}(input: $input) { commit { ${commitFields} } }
    }`,
    variables: ({ id, sha, branch, dry_run: dryRun, message }) => ({
      input: { projectPath: id, sha, branch, dryRun: dryRun === true, ...(picks && { message }) },
    }),
    guard: writersOnly,
    status: 201,
    instead: {
      when: (data) => data[field]!.commit === null,
      status: 200,
      record: {
        name: 'DryRun',
        schema: objectSchema({ dry_run: { type: 'string' } }),
        present: () => ({ dry_run: 'success' }),
      },
    },
    record: recordOf(Commit, (data) => data[field]!.commit!),
    refusals: [404],
    dialect: 'replaying a commit',
  });
}

export const commitAroundRoutes: readonly AnyRoute[] = [
  listRoute<DiffData>({
    path: `${path}/diff`,
    summary: 'List what a commit changed',
    tag,
    of: 'Diff',
    parameters: [unidiff],
    ...ofCommit,
    field: 'paginatedDiffs',
    withoutRepository: 404,
    selection: diffFields,
    selects: { unified: 'Boolean' },
    variables: ({ id, sha, unidiff: unified }) => ({ project: id, ref: sha, unified: unified === true }),
    record: Diff,
  }),
  listRoute<RefData>({
    path: `${path}/refs`,
    summary: 'List the branches and tags that have a commit',
    tag,
    of: 'CommitRef',
    uncounted: true,
    parameters: [
      { name: 'type', type: 'string', allowed: ['branch', 'tag', 'all'], default: 'all', description: 'Only these.' },
    ],
    ...ofCommit,
    field: 'refs',
    args: { type: 'CommitRefType' },
    withoutRepository: 404,
    selection: 'type name',
    variables: ({ id, sha, type }) => ({
      project: id,
      ref: sha,
      type: type == null || type === 'all' ? null : String(type).toUpperCase(),
    }),
    record: {
      name: 'CommitRef',
      schema: objectSchema({ type: { type: 'string', enum: ['branch', 'tag'] }, name: { type: 'string' } }),
      present: ({ type, name }) => ({ type: type.toLowerCase(), name }),
    },
  }),
  route<{ repository: { commit: { sequence: number } } }>({
    method: 'GET',
    path: `${path}/sequence`,
    summary: 'Count the commits that led to a commit',
    tag,
    parameters: [{ name: 'first_parent', type: 'boolean', description: 'Of merges, only what they were merged into.' }],
    operation: `query ($project: ID!, $ref: String!, $firstParent: Boolean) {
      repository(project: $project) { commit(ref: $ref) { sequence(firstParent: $firstParent) } }
    }`,
    variables: ({ id, sha, first_parent: firstParent }) => ({ project: id, ref: sha, firstParent }),
    withoutRepository: 404,
    record: {
      name: 'CommitSequence',
      schema: objectSchema({ count: { type: 'integer' } }),
      present: ({ repository }) => ({ count: repository.commit.sequence }),
    },
    refusals: [404],
    dialect: 'version 4',
  }),
  replay('cherry_pick', 'commitCherryPick', 'Do what a commit changed again on a branch'),
  replay('revert', 'commitRevert', 'Take back on a branch what a commit changed'),
];
