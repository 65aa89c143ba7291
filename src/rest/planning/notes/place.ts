import type { Declaration, Values } from '../../engine/parameters.ts';

/** Where comments are: an issue, a merge request or a snippet of a project. */
export interface NotedPlace {
  readonly path: string;
  readonly tag: string;
  /** In summaries. */
  readonly words: string;
  /** Whether threads are resolved here. */
  readonly resolves: boolean;
  /** Whether it has a diff, in which comments stand. */
  readonly hasDiff?: true;
  /** GraphQL types of the arguments that name it. */
  readonly args: Readonly<Record<string, string>>;
  readonly name: (values: Values) => Readonly<Record<string, unknown>>;
}

const project = '/api/v4/projects/:id';

export const notedPlaces: readonly NotedPlace[] = [
  {
    path: `${project}/issues/:issue_iid`,
    tag: 'Comments on issues',
    words: 'an issue',
    resolves: true,
    args: { projectPath: 'ID!', iid: 'String!' },
    name: ({ id: projectPath, issue_iid: iid }) => ({ projectPath, iid }),
  },
  {
    path: `${project}/merge_requests/:merge_request_iid`,
    tag: 'Comments on merge requests',
    words: 'a merge request',
    resolves: true,
    hasDiff: true,
    args: { projectPath: 'ID!', mergeRequestIid: 'String!' },
    name: ({ id: projectPath, merge_request_iid: mergeRequestIid }) => ({ projectPath, mergeRequestIid }),
  },
  {
    path: `${project}/snippets/:snippet_id`,
    tag: 'Comments on snippets',
    words: 'a snippet',
    resolves: false,
    args: { projectPath: 'ID!', snippetId: 'ID!' },
    name: ({ id: projectPath, snippet_id: snippetId }) => ({ projectPath, snippetId }),
  },
];

/** Issues and merge requests, not snippets. */
export const itemPlaces = notedPlaces.filter(({ resolves }) => resolves);

/** The declaration of variables, and the arguments that take them. */
export const declared = (args: Readonly<Record<string, string>>): string =>
  Object.entries(args)
    .map(([name, type]) => `$${name}: ${type}`)
    .join(', ');
export const passed = (args: Readonly<Record<string, string>>): string =>
  Object.keys(args)
    .map((name) => `${name}: $${name}`)
    .join(', ');

/** Texts of 404 that don't name the record. */
export const missing = { Note: '404 Not found' };

/** Limits on writing comments, for the person. */
export const noteLimits = { name: 'notes_create', viewer: { most: 300, seconds: 60 } } as const;

/** Parameters of a new comment. */
export const newNote = [
  { name: 'body', type: 'string', required: true, description: 'Text, as Markdown.' },
  { name: 'created_at', type: 'date-time', description: 'When it was written. Owners only.' },
  { name: 'internal', type: 'boolean', description: 'Whether only planners and above see it.' },
  { name: 'confidential', type: 'boolean', description: 'The same as `internal`. Obsolete.' },
] as const;

/** What they become in an input. */
export const newNoteInput = ({ body, created_at: createdAt, internal, confidential }: Values) => ({
  body: body ?? '',
  createdAt,
  internal,
  confidential,
});

/** Parameters of a change of a comment in a thread. */
const body = { name: 'body', type: 'string', notBlank: true, description: 'Text, as Markdown.' } as const;
export const resolved = {
  name: 'resolved',
  type: 'boolean',
  description: 'Whether it is resolved afterwards.',
} as const;
export const oneOfBoth: readonly Declaration[] = [body, resolved, { rule: 'exactly one', of: ['body', 'resolved'] }];
