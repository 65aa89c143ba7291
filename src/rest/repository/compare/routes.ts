import { listRoute } from '../../engine/list-route.ts';
import { objectSchema, recordOf } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { count, flag, text } from '../../engine/schemas.ts';
import { unidiff } from '../commits/around.ts';
import { Diff, diffFields, type DiffData } from '../commits/diff.ts';
import { Commit, commitFields, type CommitData } from '../commits/record.ts';

const tag = 'Repositories';
const path = '/api/v4/projects/:id/repository';

interface ComparisonData {
  readonly commit: CommitData | null;
  readonly commits: readonly CommitData[];
  readonly diffs: readonly DiffData[];
  readonly timedOut: boolean;
  readonly sameRef: boolean;
  readonly webUrl: string;
}

interface ContributorData {
  readonly name: string;
  readonly email: string;
  readonly commits: number;
}

export const compareRoutes: readonly AnyRoute[] = [
  route<{ repository: { compare: ComparisonData } }>({
    method: 'GET',
    path: `${path}/compare`,
    summary: 'Compare two branches, tags or commits',
    tag,
    parameters: [
      { name: 'from', type: 'string', required: true, description: 'A branch, a tag or a commit.' },
      { name: 'to', type: 'string', required: true, description: 'A branch, a tag or a commit.' },
      {
        name: 'straight',
        type: 'boolean',
        default: false,
        description: 'Compares with `from` itself, and not with where both parted.',
      },
      {
        name: 'from_project_id',
        type: 'integer',
        description: 'The project that has `from`: a fork, or what this was forked from.',
      },
      unidiff,
    ],
    example: { from: 'main', to: 'topic' },
    operation: `query ($project: ID!, $from: String!, $to: String!, $straight: Boolean, $unified: Boolean, $other: ID) {
      repository(project: $project) {
        compare(from: $from, to: $to, straight: $straight, fromProject: $other) {
          commit { ${commitFields} } commits { ${commitFields} } diffs { ${diffFields} } timedOut sameRef webUrl
        }
      }
    }`,
    variables: ({ id, from, to, straight, unidiff: unified, from_project_id: other }) => ({
      project: id,
      from: from ?? '',
      to: to ?? '',
      straight: straight === true,
      unified: unified === true,
      other: other == null ? null : String(other),
    }),
    record: {
      name: 'Comparison',
      schema: objectSchema({
        commit: { anyOf: [Commit.schema, { type: 'null' }] },
        commits: { type: 'array', items: Commit.schema },
        diffs: { type: 'array', items: Diff.schema },
        compare_timeout: flag,
        compare_same_ref: flag,
        web_url: { ...text, format: 'uri' },
      }),
      present: ({ repository: { compare } }) => ({
        commit: compare.commit && Commit.present(compare.commit),
        commits: compare.commits.map(Commit.present),
        diffs: compare.diffs.map(Diff.present),
        compare_timeout: compare.timedOut,
        compare_same_ref: compare.sameRef,
        web_url: compare.webUrl,
      }),
    },
    refusals: [404],
    dialect: 'version 4',
  }),
  route<{ repository: { mergeBase: CommitData } }>({
    method: 'GET',
    path: `${path}/merge_base`,
    summary: 'Get a common ancestor of commits',
    tag,
    parameters: [
      { name: 'refs', type: 'strings', required: true, description: 'Branches, tags or commits; at least 2.' },
    ],
    operation: `query ($project: ID!, $refs: [String!]!) {
      repository(project: $project) { mergeBase(refs: $refs) { ${commitFields} } }
    }`,
    variables: ({ id, refs }) => ({ project: id, refs: refs ?? [] }),
    record: recordOf(Commit, ({ repository }) => repository.mergeBase),
    refusals: [404],
    dialect: 'version 4',
  }),
  listRoute<ContributorData>({
    path: `${path}/contributors`,
    summary: 'List who wrote the commits of a repository',
    tag,
    of: 'Contributor',
    parameters: [
      { name: 'ref', type: 'string', description: 'A branch, a tag or a commit; the default branch if omitted.' },
      {
        name: 'order_by',
        type: 'string',
        allowed: ['commits', 'name', 'email'],
        default: 'commits',
        description: 'What they are sorted by.',
      },
      { name: 'sort', type: 'string', allowed: ['asc', 'desc'], default: 'asc', description: 'Its direction.' },
    ],
    within: { field: 'repository', args: { project: 'ID!' } },
    field: 'contributors',
    args: { ref: 'String', order: 'ContributorOrder', descending: 'Boolean' },
    selection: 'name email commits',
    variables: ({ id, ref, order_by: by, sort }) => ({
      project: id,
      ref,
      order: String(by ?? 'commits').toUpperCase(),
      descending: sort === 'desc',
    }),
    record: {
      name: 'Contributor',
      schema: objectSchema({ name: text, email: text, commits: count, additions: count, deletions: count }),
      present: ({ name, email, commits }) => ({ name, email, commits, additions: 0, deletions: 0 }),
    },
    missing: { Ref: '404 Not Found' },
  }),
];
