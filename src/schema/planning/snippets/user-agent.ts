import { NotFound } from '../../../errors.ts';
import { reads } from '../../../policy/index.ts';
import { requireAdministrator } from '../../engine/administrators.ts';
import { builder } from '../../engine/builder.ts';
import { lookUpProjectSnippet, lookUpSnippet } from './look-up.ts';

builder.queryField('snippetUserAgent', (t) =>
  t.string({
    description: 'The program that created a snippet. Always missing: it isn’t kept. For administrators.',
    admission: { class: 'token', scopes: reads },
    args: {
      id: t.arg({ type: 'SnippetID', required: true }),
      project: t.arg.id({ description: 'The project that it must belong to.' }),
    },
    resolve: async (_root, { id, project }, context): Promise<string> => {
      requireAdministrator(context);
      await (project == null ? lookUpSnippet(context, id) : lookUpProjectSnippet(context, project, id));
      throw new NotFound('UserAgentDetail');
    },
  }),
);
