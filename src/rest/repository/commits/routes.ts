import { flag } from '../../engine/declared.ts';
import { listRoute } from '../../engine/list-route.ts';
import { ModelProblem, ParameterProblems } from '../../engine/errors.ts';
import type { Parameter, Values } from '../../engine/parameters.ts';
import { recordOf } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { authorParameters, writersOnly } from './writing.ts';
import {
  Commit,
  CommitDetail,
  commitFields,
  detailFields,
  statsFields,
  type CommitData,
  type CommitDetailData,
} from './record.ts';

const tag = 'Commits';
const path = '/api/v4/projects/:id/repository/commits';

const action: readonly Parameter[] = [
  {
    name: 'action',
    type: 'string',
    required: true,
    notBlank: true,
    allowed: ['create', 'delete', 'move', 'update', 'chmod'],
    description: 'What is done with the file.',
  },
  { name: 'file_path', type: 'string', required: true, description: 'Its path.' },
  { name: 'previous_path', type: 'string', description: 'Of a file that is moved.' },
  {
    name: 'content',
    type: 'string',
    verbatim: true,
    description: 'What it contains. A moved file keeps what it has, if omitted.',
  },
  { name: 'encoding', type: 'string', allowed: ['text', 'base64'], description: 'How the content is sent.' },
  { name: 'last_commit_id', type: 'string', description: 'Refused, if another commit changed the file last.' },
  { name: 'execute_filemode', type: 'boolean', description: 'Whether it is executable.' },
];

/** An action as the schema takes it. */
const actionOf = (given: Values) => ({
  action: String(given.action).toUpperCase(),
  filePath: given.file_path ?? '',
  previousPath: given.previous_path,
  // Null is an empty file, but a moved one keeps what it has.
  content: given.content === null && given.action !== 'move' ? '' : given.content,
  encoding: given.encoding === 'base64' ? 'BASE64' : 'TEXT',
  lastCommitId: given.last_commit_id,
  executeFilemode: given.execute_filemode,
});

export const commitRoutes: readonly AnyRoute[] = [
  listRoute<CommitData>({
    path,
    summary: 'List the commits of a repository',
    tag,
    of: 'Commit',
    uncounted: true,
    withoutRepository: 404,
    parameters: [
      {
        name: 'ref_name',
        type: 'string',
        description: 'A branch, a tag, a commit or a range `a..b`; the default branch if omitted.',
      },
      { name: 'since', type: 'date-time', description: 'Only those committed then or later.' },
      { name: 'until', type: 'date-time', description: 'Only those committed then or earlier.' },
      { name: 'path', type: 'string', description: 'Only those that changed this path.' },
      { name: 'author', type: 'string', description: 'Only those whose author’s name or address contains it.' },
      flag('all', 'From every branch and tag.'),
      flag('with_stats', 'With the lines that each added and deleted.'),
      flag('first_parent', 'Of merges, only what they were merged into.'),
      {
        name: 'order',
        type: 'string',
        allowed: ['default', 'topo'],
        default: 'default',
        description: 'By date, or children before their parents.',
      },
      flag('trailers', 'With what the last lines of each message name.'),
    ],
    within: { field: 'repository', args: { project: 'ID!' } },
    field: 'commits',
    args: {
      ref: 'String',
      all: 'Boolean',
      path: 'String',
      author: 'String',
      committedAfter: 'Time',
      committedBefore: 'Time',
      firstParent: 'Boolean',
      order: 'CommitOrder',
    },
    selection: `${commitFields} trailers @include(if: $trailers) stats @include(if: $stats) { additions deletions total }`,
    selects: { trailers: 'Boolean!', stats: 'Boolean!' },
    variables: (values) => {
      const ref = values.ref_name as string | null | undefined;
      if (typeof values.page === 'number' && values.page < 1)
        throw new ParameterProblems(['page does not have a valid value']);
      if (ref && (ref.startsWith('-') || /\s/.test(ref))) throw new ModelProblem('ref_name is invalid');
      return {
        project: values.id,
        ref,
        all: values.all,
        path: values.path,
        author: values.author,
        committedAfter: values.since,
        committedBefore: values.until,
        firstParent: values.first_parent,
        order: String(values.order ?? 'default').toUpperCase(),
        trailers: values.trailers === true,
        stats: values.with_stats === true,
      };
    },
    record: Commit,
  }),
  route<{ repository: { projectId: number; commit: Omit<CommitDetailData, 'projectId'> } }>({
    method: 'GET',
    path: `${path}/:sha`,
    summary: 'Get a commit',
    tag,
    parameters: [{ ...flag('stats', 'With the lines that it added and deleted.'), default: true }],
    operation: `query ($project: ID!, $ref: String!, $stats: Boolean!) {
      repository(project: $project) { projectId: projectDatabaseId commit(ref: $ref) { ${commitFields} ${detailFields} trailers ... @include(if: $stats) { ${statsFields} } } }
    }`,
    variables: ({ id, sha, stats }) => ({ project: id, ref: sha, stats: stats !== false }),
    withoutRepository: 404,
    record: recordOf(CommitDetail, ({ repository }) => ({ ...repository.commit, projectId: repository.projectId })),
    dialect: 'version 4',
  }),
  route<{ commitCreate: { commit: CommitData & { repository: { projectId: number } } } }>({
    method: 'POST',
    path,
    summary: 'Make a commit of several files',
    tag,
    parameters: [
      {
        name: 'branch',
        type: 'string',
        required: true,
        notBlank: true,
        description: 'The branch that gets it; made if it isn’t there.',
      },
      { name: 'commit_message', type: 'string', required: true, description: 'Its message.' },
      { name: 'actions', type: 'objects', required: true, of: action, description: 'What it does, in this order.' },
      { name: 'start_branch', type: 'string', description: 'The branch that a new one begins at.' },
      { name: 'start_sha', type: 'string', description: 'The commit that a new branch begins at.' },
      { rule: 'at most one', of: ['start_branch', 'start_sha'] },
      {
        name: 'start_project',
        type: 'string',
        description: 'Id or full path of the project that has the start: this one, or one that it was forked from.',
      },
      ...authorParameters,
      { ...flag('stats', 'With the lines that it added and deleted.'), default: true },
      flag('force', 'Whether an existing branch is set to the start.'),
    ],
    example: { branch: 'main', commit_message: 'Add a file' },
    operation: `mutation ($input: CommitCreateInput!, $stats: Boolean!) {
      commitCreate(input: $input) {
        commit { ${commitFields} ... @include(if: $stats) { ${statsFields} } repository { projectId: projectDatabaseId } }
      }
    }`,
    variables: (values) => ({
      input: {
        projectPath: values.id,
        branch: values.branch,
        message: values.commit_message ?? '',
        actions: ((values.actions ?? []) as readonly Values[]).map(actionOf),
        startBranch: values.start_branch,
        startSha: values.start_sha,
        startProject: values.start_project,
        authorName: values.author_name,
        authorEmail: values.author_email,
        force: values.force,
      },
      stats: values.stats !== false,
    }),
    guard: writersOnly,
    status: 201,
    record: recordOf(CommitDetail, ({ commitCreate: { commit } }) => ({
      ...commit,
      projectId: commit.repository.projectId,
      latestPipeline: null,
    })),
    refusals: [404],
    dialect: 'version 4',
  }),
];
