import { objectSchema, type Record } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';

const Html: Record<{ readonly markdownHtml: string }> = {
  name: 'MarkdownHtml',
  schema: objectSchema({ html: { type: 'string' } }),
  present: ({ markdownHtml }) => ({ html: markdownHtml }),
};

export const markdownRoutes: readonly AnyRoute[] = [
  // 201, although nothing is made, and the scope of a read: as GitLab answers.
  route<{ markdownHtml: string }>({
    method: 'POST',
    path: '/api/v4/markdown',
    summary: 'Show a text in Markdown as HTML',
    tag: 'Markdown',
    parameters: [
      { name: 'text', type: 'string', required: true, description: 'The text.' },
      {
        name: 'gfm',
        type: 'boolean',
        default: false,
        description: 'Whether references become links, and names of emoji become emoji.',
      },
      { name: 'project', type: 'string', description: 'Full path of the project that the text stands in.' },
    ],
    example: { text: 'See #1 :tada:', gfm: true, project: 'demo/storefront' },
    operation: `query ($text: String!, $gfm: Boolean, $project: ID) { markdownHtml(text: $text, gfm: $gfm, project: $project) }`,
    variables: ({ text, gfm, project }) => ({ text: text ?? '', gfm: gfm ?? false, project: project ?? undefined }),
    status: 201,
    record: Html,
    dialect: 'version 4',
  }),
];
