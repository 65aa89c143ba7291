import { builder } from '../../engine/builder.ts';
import { batchedRows } from '../../engine/batched.ts';
import { Project } from '../../places/place/types.ts';
import { repositoryOf } from './fields.ts';
import { findLanguages, type LanguageRow } from './statements.ts';

/** The programming languages of a project. The background job that measures repositories counts them. */

const languagesOf = batchedRows(findLanguages);

const RepositoryLanguage = builder.objectRef<LanguageRow>('RepositoryLanguage').implement({
  description: 'A programming language of a repository.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'As GitHub Linguist calls it.' }),
    share: t.exposeFloat('share', {
      nullable: true,
      description: 'Its share of the bytes of all languages, in per cent.',
    }),
    color: t.exposeString('color', {
      nullable: true,
      description: 'The colour of the language, for example `#3178c6`.',
    }),
  }),
});

builder.objectField(Project, 'languages', (t) =>
  t.field({
    type: [RepositoryLanguage],
    nullable: true,
    description:
      'The five largest programming languages of the default branch, counted soon after each push. Null if you don’t read the repository.',
    resolve: async (project, _args, context) => {
      if (!(await repositoryOf(context, project))) return null;
      return (await languagesOf(context, project.id))?.languages ?? [];
    },
  }),
);
