import type { Context } from '../../../context.ts';
import { BadRequest } from '../../../errors.ts';
import { readMarkdown } from '../../../markdown/markdown.ts';
import { reads } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { lookUp } from '../../places/place/look-up.ts';
import { htmlOf, type TextPlace } from './html.ts';
import { findProjectOfText } from './statements.ts';

const nowhere: TextPlace = { projectId: null, namespaceId: null };

/** The longest text, in characters. */
const longest = 1_048_576;

/** @throws NotFound for the project */
async function placeOf(context: Context, project: string | null | undefined): Promise<TextPlace> {
  if (project == null) return nowhere;
  const { id, namespace_id: namespaceId } = await lookUp(context, findProjectOfText, 'Project', project);
  return { projectId: id, namespaceId };
}

builder.queryField('markdownHtml', (t) =>
  t.string({
    description: 'A text as HTML that is safe in a page.',
    admission: { class: 'token', scopes: reads },
    args: {
      text: t.arg.string({ required: true, description: 'Markdown.' }),
      gfm: t.arg.boolean({
        defaultValue: false,
        description: 'Whether references become links to what you see, and names of emoji become emoji.',
      }),
      project: t.arg.id({ description: 'Full path or id of the project that the text stands in.' }),
    },
    resolve: async (_root, { text, gfm, project }, context) => {
      if (text.length > longest) throw new BadRequest(`A text has at most ${longest} characters.`);
      const place = await placeOf(context, project);
      return gfm ? await htmlOf(context, text, place) : readMarkdown(text).html();
    },
  }),
);
