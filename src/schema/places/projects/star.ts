import { findProject } from '../../../database/access/places.ts';
import { star, starrerList, unstar, type StarrerRecord } from './statements.ts';
import { Forbidden } from '../../../errors.ts';
import { reads, writes } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { rootList, searchText } from '../../engine/list.ts';
import { lookUp } from '../place/look-up.ts';
import { User } from '../../accounts/users/types.ts';
import { projectChangePayload } from './payload.ts';

builder.mutationField('starProject', (t) =>
  t.field({
    type: projectChangePayload('StarProjectPayload'),
    nullable: true,
    description: 'Stars a project for you, or removes your star.',
    admission: { class: 'token', scopes: writes },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('StarProjectInput', {
          fields: (field) => ({
            project: field.id({ required: true, description: 'Id or full path.' }),
            starred: field.boolean({ required: true }),
          }),
        }),
      }),
    },
    resolve: async (_root, { input: { project, starred } }, context) => {
      const { id } = await lookUp(context, findProject, 'Project', project);
      const { person } = context.viewer;
      if (!person) throw new Forbidden('Only a person has stars.');
      const changed = await context.database.rows(starred ? star : unstar, [person.id, id]);
      return { id, changed: changed.length > 0 };
    },
  }),
);

const Starrer = builder.objectRef<StarrerRecord>('Starrer').implement({
  description: 'A person who starred a project.',
  fields: (t) => ({
    starredSince: t.expose('starredSince', { type: 'DateTime' }),
    user: t.field({ type: User, resolve: (starrer) => starrer }),
  }),
});

rootList('starrers', {
  type: Starrer,
  description: 'The people who starred a project, the latest first.',
  admission: { class: 'token', scopes: reads, anonymous: true },
  args: (t) => ({
    project: t.id({ required: true, description: 'Id or full path.' }),
    search: t.string({ description: 'Words that must all occur in the name or in the username.' }),
  }),
  orders: { STARRED_SINCE: { column: 's.created_at', type: 'timestamptz' } },
  by: ['STARRED_SINCE', 'DESC'],
  rows: async (context, given) => {
    const search = searchText(given.search);
    const { id } = await lookUp(context, findProject, 'Project', given.project);
    return starrerList(id, search);
  },
});
