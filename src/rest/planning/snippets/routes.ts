import { text } from '../../engine/declared.ts';
import { listRoute } from '../../engine/list-route.ts';
import type { Declaration, Parameter, Values } from '../../engine/parameters.ts';
import { File, NoContent, objectSchema, recordOf, type Record as WireRecord } from '../../engine/record.ts';
import { route, type AnyRoute, type SentBack } from '../../engine/route.ts';
import { Snippet, snippetFields, type SnippetData } from './record.ts';

/** The routes of snippets: personal ones, and those of a project, which are nearly alike. */

const tag = 'Snippets';
const levels = ['private', 'internal', 'public'];

const path = (name: string, description: string): Parameter => ({ name, type: 'file-path', description });

const description = text('description', 'What it is about, as Markdown.');
const visibility: Parameter = { ...text('visibility', 'Who reads it.'), allowed: levels };
const newFiles: readonly Declaration[] = [
  {
    name: 'files',
    type: 'objects',
    description: 'Its files.',
    of: [
      { ...path('file_path', 'Path.'), required: true, notBlank: true },
      { ...text('content', 'What it contains.'), required: true, notBlank: true },
    ],
  },
  { ...text('content', 'What its only file contains.'), notBlank: true },
  { rule: 'needed with', needed: 'file_name', with: 'content' },
  text('file_name', 'Path of its only file.'),
  { rule: 'exactly one', of: ['files', 'content'] },
];
const changesOfFiles: readonly Declaration[] = [
  {
    name: 'files',
    type: 'objects',
    description: 'What to do with its files, one after the other.',
    of: [
      {
        ...text('action', 'What to do with a file.'),
        required: true,
        allowed: ['create', 'update', 'delete', 'move'],
      },
      text('content', 'What it contains.'),
      { ...path('file_path', 'Path.'), notBlank: true },
      path('previous_path', 'The path before, of a file that is moved.'),
    ],
  },
  { ...text('content', 'What its file contains, if it has only one.'), notBlank: true },
  text('file_name', 'Another path of its file, if it has only one.'),
  { rule: 'at most one', of: ['files', 'content'] },
  { rule: 'at most one', of: ['files', 'file_name'] },
];

/** The actions that create files. */
function createdFiles({ files, content, file_name: name }: Values) {
  const given = (files ?? [{ file_path: name ?? '', content }]) as readonly Values[];
  return given.map((file) => ({ action: 'create', filePath: file.file_path, content: file.content }));
}

/** The actions of a list; undefined if omitted. */
const actionsOf = ({ files }: Values) =>
  (files as readonly Values[] | undefined)?.map((file) => ({
    action: file.action,
    filePath: file.file_path ?? '',
    previousPath: file.previous_path,
    content: file.content,
  }));

const created: readonly Parameter[] = [
  { name: 'created_after', type: 'date-time', description: 'Only those made at this time or later.' },
  { name: 'created_before', type: 'date-time', description: 'Only those made at this time or earlier.' },
];

const UserAgent: WireRecord<{ readonly snippetUserAgent: string }> = {
  name: 'SnippetUserAgent',
  schema: objectSchema({ user_agent: { type: 'string' } }),
  present: ({ snippetUserAgent }) => ({ user_agent: snippetUserAgent }),
};

const inlineText = (content: string): SentBack => ({
  contentType: 'text/plain; charset=utf-8',
  content: Buffer.from(content).toString('base64'),
  disposition: 'inline',
});

function ofScope(scope: 'personal' | 'project'): AnyRoute[] {
  const isOfProject = scope === 'project';
  const all = isOfProject ? '/api/v4/projects/:id/snippets' : '/api/v4/snippets';
  const single = isOfProject ? `${all}/:snippet_id` : `${all}/:id`;
  const kind = isOfProject ? 'a snippet of a project' : 'a snippet';
  const idIn = ({ id, snippet_id: snippet }: Values) => {
    const given = String(isOfProject ? snippet : id);
    return /^\d+$/.test(given) ? given : '0';
  };
  const named = (values: Values) => ({ id: idIn(values), ...(isOfProject && { projectPath: values.id }) });
  const declared = isOfProject ? '$id: SnippetID!, $project: ID!' : '$id: SnippetID!';
  const passed = isOfProject ? 'id: $id, project: $project' : 'id: $id';
  const which = (values: Values) => ({ id: idIn(values), ...(isOfProject && { project: values.id }) });

  return [
    route<{ snippet: SnippetData }>({
      method: 'GET',
      path: single,
      summary: `Get ${kind}`,
      tag,
      parameters: [],
      operation: `query (${declared}) { snippet(${passed}) { ${snippetFields} } }`,
      variables: which,
      subject: 'Snippet',
      ...(isOfProject && { missing: { Snippet: '404 Not found' } }),
      record: recordOf(Snippet, ({ snippet }) => snippet),
      dialect: 'version 4',
    }),
    route<{ snippet: { blobs: { nodes: readonly { rawPlainData: string }[] } } }>({
      method: 'GET',
      path: `${single}/raw`,
      summary: `Get the first file of ${kind} as it is`,
      tag,
      parameters: [],
      operation: `query (${declared}) { snippet(${passed}) { blobs(first: 1) { nodes { rawPlainData } } } }`,
      variables: which,
      subject: 'Snippet',
      file: ({ snippet }) => inlineText(snippet.blobs.nodes[0]?.rawPlainData ?? ''),
      record: File,
      dialect: 'version 4',
    }),
    route<{ snippet: { file: { rawPlainData: string } } }>({
      method: 'GET',
      path: `${single}/files/:ref/:file_path/raw`,
      summary: `Get a file of ${kind} as it is`,
      tag,
      parameters: [path('file_path', 'Path of the file, with `/` as `%2F`.')],
      operation: `query (${declared}, $ref: String!, $path: String!) {
        snippet(${passed}) { file(ref: $ref, path: $path) { rawPlainData } }
      }`,
      variables: (values) => ({ ...which(values), ref: values.ref, path: values.file_path }),
      subject: 'Snippet',
      file: ({ snippet }) => inlineText(snippet.file.rawPlainData),
      record: File,
      dialect: 'version 4',
    }),
    route<{ createSnippet: { snippet: SnippetData } }>({
      method: 'POST',
      path: all,
      summary: `Create ${kind}`,
      tag,
      parameters: [
        { ...text('title', 'Title.'), required: true, notBlank: true },
        ...newFiles,
        description,
        isOfProject ? { ...visibility, required: true } : { ...visibility, default: 'internal' },
      ],
      example: { title: 'Adder', file_name: 'sum.py', content: 'print(1 + 2)', visibility: 'private' },
      operation: `mutation ($input: CreateSnippetInput!) { createSnippet(input: $input) { snippet { ${snippetFields} } } }`,
      variables: (values) => ({
        input: {
          title: values.title,
          description: values.description,
          visibilityLevel: values.visibility ?? 'internal',
          ...(isOfProject && { projectPath: values.id }),
          blobActions: createdFiles(values),
        },
      }),
      status: 201,
      refusals: [404, 422],
      limits: { name: 'snippets_create', viewer: { most: 300, seconds: 60 } },
      record: recordOf(Snippet, ({ createSnippet }) => createSnippet.snippet),
      dialect: 'saving a snippet',
    }),
    route<{ updateSnippet: { snippet: SnippetData } }>({
      method: 'PUT',
      path: single,
      summary: `Change ${kind}`,
      tag,
      parameters: [
        ...changesOfFiles,
        description,
        { ...text('title', 'Title.'), notBlank: true },
        visibility,
        { rule: 'at least one', of: ['content', 'description', 'files', 'file_name', 'title', 'visibility'] },
      ],
      example: { title: 'Adder of two numbers' },
      operation: `mutation ($input: UpdateSnippetInput!) { updateSnippet(input: $input) { snippet { ${snippetFields} } } }`,
      variables: (values) => ({
        input: {
          ...named(values),
          title: values.title,
          description: values.description,
          visibilityLevel: values.visibility,
          blobActions: actionsOf(values),
          fileName: values.file_name,
          content: values.content,
        },
      }),
      refusals: [404, 422],
      record: recordOf(Snippet, ({ updateSnippet }) => updateSnippet.snippet),
      dialect: 'saving a snippet',
    }),
    route<unknown>({
      method: 'DELETE',
      path: single,
      summary: `Remove ${kind}`,
      tag,
      parameters: [],
      operation: 'mutation ($input: DestroySnippetInput!) { destroySnippet(input: $input) { snippetDatabaseId } }',
      variables: (values, { unmodifiedSince }) => ({ input: { ...named(values), unmodifiedSince } }),
      conditional: true,
      status: 204,
      record: NoContent,
      dialect: 'version 4',
    }),
    route<{ snippetUserAgent: string }>({
      method: 'GET',
      path: `${single}/user_agent_detail`,
      summary: `Get the program that created ${kind}: it isn’t kept (administrators only)`,
      tag,
      parameters: [],
      operation: `query (${declared}) { snippetUserAgent(${passed}) }`,
      variables: which,
      record: UserAgent,
      dialect: 'version 4',
    }),
  ];
}

/** A list of snippets of everywhere. */
function listOf(
  path: string,
  summary: string,
  {
    args = {},
    variables,
    within,
  }: { args?: Readonly<Record<string, string>>; variables: object; within?: { field: string } },
): AnyRoute {
  return listRoute<SnippetData>({
    path,
    summary,
    tag,
    of: 'Snippet',
    parameters: created,
    ...(within && { within }),
    field: 'snippets',
    args: { ...args, createdAfter: 'Time', createdBefore: 'Time' },
    selection: snippetFields,
    variables: (values) => ({
      ...variables,
      createdAfter: values.created_after,
      createdBefore: values.created_before,
    }),
    record: Snippet,
  });
}

export const snippetRoutes: readonly AnyRoute[] = [
  {
    ...listOf('/api/v4/snippets', 'List your own snippets', { variables: {}, within: { field: 'currentUser' } }),
    person: 401,
  },
  listOf('/api/v4/snippets/public', 'List the public personal snippets of everyone', {
    args: { type: 'TypeEnum', visibility: 'VisibilityScopesEnum' },
    variables: { type: 'personal', visibility: 'public' },
  }),
  listOf('/api/v4/snippets/all', 'List all snippets that you can read', { variables: {} }),
  ...ofScope('personal'),
  listRoute<SnippetData>({
    path: '/api/v4/projects/:id/snippets',
    summary: 'List the snippets of a project',
    tag,
    of: 'Snippet',
    parameters: [],
    field: 'snippets',
    args: { projectId: 'ProjectID' },
    selection: snippetFields,
    variables: ({ id }) => ({ projectId: id }),
    record: Snippet,
  }),
  ...ofScope('project'),
];
