import { contentTypeOf, disposition, uncached } from '../../../values/sent-files.ts';
import { commitFields, type CommitData } from '../commits/record.ts';
import { ParameterProblems } from '../../engine/errors.ts';
import { authorParameters, writersOnly } from '../commits/writing.ts';
import { objectSchema } from '../../engine/record.ts';
import type { Parameter } from '../../engine/parameters.ts';
import { recordOf } from '../../engine/record.ts';
import { route, type AnyRoute, type StreamedBack } from '../../engine/route.ts';
import { factFields, fileFacts, fileFields, RepositoryFile, type FileData } from './record.ts';

const tag = 'Repository files';
const path = '/api/v4/projects/:id/repository/files/:file_path';

const filePath: Parameter = {
  name: 'file_path',
  type: 'repository-path',
  description: 'Path of the file, with `/` as `%2F`.',
};

/** As GitLab has it. */
const largeReads = { name: 'large_blob_download', together: { most: 5, seconds: 60 } } as const;

interface Data {
  readonly repository: { readonly file: FileData };
}

const operation = `query ($project: ID!, $path: String!, $ref: String) {
  repository(project: $project) { file(path: $path, ref: $ref) { ${fileFields} } }
}`;

const branch: Parameter = {
  name: 'branch',
  type: 'string',
  required: true,
  notBlank: true,
  description: 'The branch that gets the commit.',
};
const message: Parameter = {
  name: 'commit_message',
  type: 'string',
  required: true,
  notBlank: true,
  description: 'The message of the commit.',
};
const startBranch: Parameter = {
  name: 'start_branch',
  type: 'string',
  description: 'The branch that a new one begins at.',
};
const lastCommit: Parameter = {
  name: 'last_commit_id',
  type: 'string',
  description: 'Refused, if another commit changed the file last.',
};
const contents: readonly Parameter[] = [
  { name: 'content', type: 'string', required: true, verbatim: true, description: 'What the file contains.' },
  {
    name: 'encoding',
    type: 'string',
    allowed: ['text', 'base64'],
    default: 'text',
    description: 'How the content is sent.',
  },
  { name: 'execute_filemode', type: 'boolean', description: 'Whether it is executable.' },
];

/** A change of one file: a commit with one action. */
function change(
  method: 'POST' | 'PUT' | 'DELETE',
  action: 'CREATE' | 'UPDATE' | 'DELETE',
  summary: string,
  parameters: readonly Parameter[],
): AnyRoute {
  return route<{ commitCreate: { branch: string; paths: readonly string[] } }>({
    method,
    path,
    summary,
    tag,
    parameters: [filePath, branch, message, startBranch, ...parameters, ...authorParameters],
    example: { branch: 'main', commit_message: summary },
    operation: 'mutation ($input: CommitCreateInput!) { commitCreate(input: $input) { branch paths } }',
    variables: (values) => ({
      input: {
        projectPath: values.id,
        branch: values.branch,
        message: values.commit_message,
        startBranch: values.start_branch,
        authorName: values.author_name,
        authorEmail: values.author_email,
        actions: [
          {
            action,
            filePath: values.file_path,
            lastCommitId: values.last_commit_id,
            executeFilemode: values.execute_filemode,
            ...(action !== 'DELETE' && {
              content: values.content ?? '',
              encoding: values.encoding === 'base64' ? 'BASE64' : 'TEXT',
            }),
          },
        ],
      },
    }),
    guard: writersOnly,
    ...(method === 'POST' ? { status: 201 as const } : method === 'DELETE' ? { status: 204 as const } : {}),
    record: {
      name: 'FileChange',
      schema: objectSchema({ file_path: { type: 'string' }, branch: { type: 'string' } }),
      present: ({ commitCreate: { branch: written, paths } }) => ({ file_path: paths[0], branch: written }),
    },
    refusals: [404],
    dialect: 'writing a file',
  });
}

const changes = [
  change('POST', 'CREATE', 'Create a file in a repository', contents),
  change('PUT', 'UPDATE', 'Change a file of a repository', [...contents, lastCommit]),
  change('DELETE', 'DELETE', 'Delete a file of a repository', [lastCommit]),
];

interface BlameData {
  readonly startLine: number;
  readonly lines: readonly string[];
  readonly commit: CommitData;
}

/** No file has more lines. */
const largestLine = 1_000_000_000;

const blamedCommit = objectSchema({
  id: { type: 'string' },
  parent_ids: { type: 'array', items: { type: 'string' } },
  message: { type: 'string' },
  authored_date: { type: 'string' },
  author_name: { type: 'string' },
  author_email: { type: 'string' },
  committed_date: { type: 'string' },
  committer_name: { type: 'string' },
  committer_email: { type: 'string' },
});

const blame = route<{ repository: { file: FileData & { blame: readonly BlameData[] } } }>({
  method: 'GET',
  path: `${path}/blame`,
  summary: 'Get which commits wrote a file of a repository',
  tag,
  parameters: [
    filePath,
    { name: 'ref', type: 'string', required: true, notBlank: true, description: 'A branch, a tag or a commit.' },
    { name: 'range[start]', type: 'integer', largest: largestLine, description: 'The first line, from 1.' },
    { name: 'range[end]', type: 'integer', largest: largestLine, description: 'The last line.' },
    { rule: 'needed with', with: 'range[end]', needed: 'range[start]' },
    { rule: 'needed with', with: 'range[start]', needed: 'range[end]' },
  ],
  operation: `query ($project: ID!, $path: String!, $ref: String, $from: Int, $to: Int) {
    repository(project: $project) {
      file(path: $path, ref: $ref) { ${fileFields} blame(fromLine: $from, toLine: $to) { startLine lines commit { ${commitFields} } } }
    }
  }`,
  variables: (values) => {
    const { 'range[start]': from, 'range[end]': to } = values;
    if (from != null && Number(from) < 1) throw new ParameterProblems(['range[start] does not have a valid value']);
    if (to != null && Number(to) < 1) throw new ParameterProblems(['range[end] does not have a valid value']);
    if (from != null && to != null && Number(from) > Number(to))
      throw new ParameterProblems(['range[start] must be less than or equal to range[end]']);
    return { project: values.id, path: values.file_path, ref: values.ref, from, to };
  },
  record: {
    name: 'Blame',
    schema: {
      type: 'array',
      items: objectSchema({ commit: blamedCommit, lines: { type: 'array', items: { type: 'string' } } }),
    },
    // Not a page of a list: all of it.
    present: ({ repository }) =>
      repository.file.blame.map(({ commit: one, lines }) => ({
        commit: {
          id: one.sha,
          parent_ids: one.parentIds,
          message: one.message,
          authored_date: one.authoredAt,
          author_name: one.authorName,
          author_email: one.authorEmail,
          committed_date: one.committedAt,
          committer_name: one.committerName,
          committer_email: one.committerEmail,
        },
        lines,
      })) as never,
  },
  headers: ({ repository }) => fileFacts(repository.file),
  refusals: [404],
  dialect: 'version 4',
});

type SentBytes = Pick<StreamedBack, 'bytes' | 'size' | 'open'>;

/** Bytes as they are. Many aren't looked into. */
const inline = (sent: SentBytes, how: string): StreamedBack => ({
  ...sent,
  contentType: sent.bytes ? contentTypeOf(sent.bytes) : 'application/octet-stream',
  disposition: how,
});

export const fileRoutes: readonly AnyRoute[] = [
  route<Data>({
    method: 'GET',
    path,
    summary: 'Get a file of a repository',
    tag,
    parameters: [
      filePath,
      { name: 'ref', type: 'string', required: true, notBlank: true, description: 'A branch, a tag or a commit.' },
    ],
    operation,
    variables: ({ id, file_path: file, ref }) => ({ project: id, path: file, ref }),
    record: recordOf(RepositoryFile, ({ repository }) => repository.file),
    headers: ({ repository }) => fileFacts(repository.file),
    largeReads,
    refusals: [404],
    dialect: 'version 4',
  }),
  route<{ repository: { file: Omit<FileData, 'content'> & { bytes: SentBytes } } }>({
    method: 'GET',
    path: `${path}/raw`,
    summary: 'Get a file of a repository as it is',
    tag,
    parameters: [
      filePath,
      { name: 'ref', type: 'string', description: 'A branch, a tag or a commit; the default branch if omitted.' },
    ],
    operation: `query ($project: ID!, $path: String!, $ref: String) {
      repository(project: $project) { file(path: $path, ref: $ref) { ${factFields} bytes } }
    }`,
    variables: ({ id, file_path: file, ref }) => ({ project: id, path: file, ref }),
    stream: ({ repository: { file } }) => inline(file.bytes, disposition('inline', file.name)),
    headers: ({ repository }) => ({ ...fileFacts(repository.file), ...uncached }),
    record: { name: 'File', schema: objectSchema({}), present: () => ({}) },
    refusals: [404],
    dialect: 'version 4',
  }),
  route<{ repository: { blob: { sha: string; size: number; content: string } } }>({
    method: 'GET',
    path: '/api/v4/projects/:id/repository/blobs/:sha',
    summary: 'Get a blob by its name',
    tag,
    parameters: [],
    operation: `query ($project: ID!, $sha: String!) {
      repository(project: $project) { blob(sha: $sha) { sha size content } }
    }`,
    variables: ({ id, sha }) => ({ project: id, sha }),
    record: {
      name: 'Blob',
      schema: objectSchema({
        size: { type: 'integer' },
        encoding: { type: 'string' },
        content: { type: 'string' },
        sha: { type: 'string' },
      }),
      present: ({ repository: { blob } }) => ({
        size: blob.size,
        encoding: 'base64',
        content: blob.content,
        sha: blob.sha,
      }),
    },
    largeReads,
    refusals: [404],
    dialect: 'version 4',
  }),
  route<{ repository: { blob: { bytes: SentBytes } } }>({
    method: 'GET',
    path: '/api/v4/projects/:id/repository/blobs/:sha/raw',
    summary: 'Get a blob by its name, as it is',
    tag,
    parameters: [],
    operation: `query ($project: ID!, $sha: String!) { repository(project: $project) { blob(sha: $sha) { bytes } } }`,
    variables: ({ id, sha }) => ({ project: id, sha }),
    stream: ({ repository: { blob } }) => inline(blob.bytes, 'inline'),
    headers: () => uncached,
    record: { name: 'File', schema: objectSchema({}), present: () => ({}) },
    refusals: [404],
    dialect: 'version 4',
  }),
  blame,
  ...changes,
];
