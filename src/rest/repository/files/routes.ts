import { authorParameters, writersOnly } from '../commits/writing.ts';
import { objectSchema } from '../../engine/record.ts';
import type { Parameter } from '../../engine/parameters.ts';
import { recordOf } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import {
  contentTypeOf,
  disposition,
  fileFacts,
  fileFields,
  RepositoryFile,
  uncached,
  type FileData,
} from './record.ts';

const tag = 'Repository files';
const path = '/api/v4/projects/:id/repository/files/:file_path';

const filePath: Parameter = {
  name: 'file_path',
  type: 'repository-path',
  description: 'Path of the file, with `/` as `%2F`.',
};

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
  { name: 'content', type: 'string', required: true, description: 'What the file contains.' },
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
    refusals: [404],
    dialect: 'version 4',
  }),
  route<Data>({
    method: 'GET',
    path: `${path}/raw`,
    summary: 'Get a file of a repository as it is',
    tag,
    parameters: [
      filePath,
      { name: 'ref', type: 'string', description: 'A branch, a tag or a commit; the default branch if omitted.' },
    ],
    operation,
    variables: ({ id, file_path: file, ref }) => ({ project: id, path: file, ref }),
    file: ({ repository: { file } }) => ({
      contentType: contentTypeOf(Buffer.from(file.content.slice(0, 12_000), 'base64')),
      content: file.content,
      disposition: disposition('inline', file.name),
    }),
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
    refusals: [404],
    dialect: 'version 4',
  }),
  route<{ repository: { blob: { content: string } } }>({
    method: 'GET',
    path: '/api/v4/projects/:id/repository/blobs/:sha/raw',
    summary: 'Get a blob by its name, as it is',
    tag,
    parameters: [],
    operation: `query ($project: ID!, $sha: String!) { repository(project: $project) { blob(sha: $sha) { content } } }`,
    variables: ({ id, sha }) => ({ project: id, sha }),
    file: ({ repository: { blob } }) => ({
      contentType: contentTypeOf(Buffer.from(blob.content.slice(0, 12_000), 'base64')),
      content: blob.content,
      disposition: 'inline',
    }),
    headers: () => uncached,
    record: { name: 'File', schema: objectSchema({}), present: () => ({}) },
    refusals: [404],
    dialect: 'version 4',
  }),
  ...changes,
];
