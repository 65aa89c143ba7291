import { userById } from '../../accounts/users/read.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { builder } from '../../engine/builder.ts';
import { identify } from '../../engine/global-id.ts';
import { projectById } from '../../places/place/read.ts';
import { Project, VisibilityLevelsEnum } from '../../places/place/types.ts';
import { htmlOf } from '../markdown/html.ts';
import type { SnippetRecord } from './statements/reading.ts';
import { encodedPath } from '../../../values/text/file-path.ts';

/** The page of a snippet, below the address of the gateway. */
const webPath = ({ id, projectPath }: SnippetRecord) =>
  `${projectPath === null ? '' : `/${projectPath}`}/-/snippets/${id}`;

/** The branch that files of a snippet are on, for clients that know them as a repository. */
export const branch = 'main';

/** The address of a file as it is, below the address of the gateway. */
export const rawPath = (snippet: SnippetRecord, path: string) =>
  `${webPath(snippet)}/raw/${branch}/${encodedPath(path)}`;

// A snippet is only shown to people who read it.
export const Snippet = builder.objectRef<SnippetRecord>('Snippet').implement({
  description: 'One or several files of text, of a project or of a person.',
  fields: (t) => ({
    title: t.exposeString('title'),
    description: t.exposeString('description', { nullable: true }),
    descriptionHtml: t.string({
      nullable: true,
      description: 'As HTML that is safe in a page, with links to what you see.',
      resolve: ({ description, projectId }, _args, context) =>
        description === null ? null : htmlOf(context, description, { projectId, namespaceId: null }),
    }),
    fileName: t.string({
      nullable: true,
      description: 'The path of its first file.',
      direct: true,
      resolve: ({ paths }) => paths[0] ?? null,
    }),
    visibilityLevel: t.expose('visibility', { type: VisibilityLevelsEnum }),
    createdAt: t.expose('createdAt', { type: 'Time' }),
    updatedAt: t.expose('updatedAt', { type: 'Time' }),
    author: t.field({
      type: UserCore,
      nullable: true,
      resolve: ({ authorId }, _args, context) => userById(context, authorId),
    }),
    project: t.field({
      type: Project,
      nullable: true,
      description: 'Null for a personal snippet.',
      resolve: ({ projectId }, _args, context) => projectById(context, projectId),
    }),
    projectDatabaseId: t.exposeInt('projectId', { nullable: true, description: 'The number of its project.' }),
    webUrl: t.string({
      description: 'The web page.',
      resolve: (snippet, _args, { baseUrl }) => `${baseUrl}${webPath(snippet)}`,
    }),
    rawUrl: t.string({
      description: 'The address of its first file.',
      resolve: (snippet, _args, { baseUrl }) => `${baseUrl}${webPath(snippet)}/raw`,
    }),
    sshUrlToRepo: t.string({
      nullable: true,
      description: 'Null: snippets have no git repository.',
      direct: true,
      resolve: () => null,
    }),
    httpUrlToRepo: t.string({
      nullable: true,
      description: 'Null: snippets have no git repository.',
      direct: true,
      resolve: () => null,
    }),
  }),
});

identify(Snippet, ({ projectId }) => (projectId === null ? 'PersonalSnippet' : 'ProjectSnippet'));
