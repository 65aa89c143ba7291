import { reads } from '../../../policy/index.ts';
import { requireAdministrator } from '../../engine/administrators.ts';
import { builder } from '../../engine/builder.ts';
import { lookUpIssue } from '../issues/look-up.ts';
import { lookUpProjectSnippet, lookUpSnippet } from '../snippets/look-up.ts';

/** What an issue or a snippet was created with. None of it is stored, so that there is nothing to show. */

const UserAgentDetail = builder.objectRef<object>('UserAgentDetail').implement({
  description: 'The browser or the program that created an issue or a snippet.',
  fields: (t) => ({
    userAgent: t.string({ resolve: () => '' }),
    ipAddress: t.string({ resolve: () => '' }),
    akismetSubmitted: t.boolean({ description: 'Whether it was reported as spam.', resolve: () => false }),
  }),
});

builder.queryField('userAgentDetail', (t) =>
  t.field({
    type: UserAgentDetail,
    nullable: true,
    description: 'Null: it isn’t stored. For administrators.',
    admission: { class: 'token', scopes: reads },
    args: {
      project: t.arg.id({ description: 'Full path or id of the project of the issue or the snippet.' }),
      issue: t.arg.string({ description: 'The iid of an issue of `project`.' }),
      snippet: t.arg({ type: 'SnippetID' }),
    },
    resolve: async (_root, { project, issue, snippet }, context) => {
      requireAdministrator(context);
      if (project != null && issue != null) await lookUpIssue(context, { project, iid: issue });
      if (snippet != null)
        await (project == null ? lookUpSnippet(context, snippet) : lookUpProjectSnippet(context, project, snippet));
      return null;
    },
  }),
);
