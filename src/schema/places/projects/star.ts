import { findProject } from '../../../database/access/places.ts';
import { star, starrerList, unstar, type StarrerRecord } from './statements/stars.ts';
import { BadRequest, Forbidden } from '../../../errors.ts';
import { reads, writes } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { rootList, searchText } from '../../engine/list.ts';
import { lookUp } from '../place/look-up.ts';
import { projectById } from '../place/read.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { projectChangePayload } from './payload.ts';

mutation('starProject', {
  payload: (t: FieldsOf<{ id: number; changed: boolean }>) => ({
    ...projectChangePayload(t),
    count: t.string({
      description: 'The number of stars of the project.',
      resolve: async ({ id }, _args, context) => String((await projectById(context, id))!.starCount),
    }),
  }),
  description: 'Stars a project for you, or removes your star.',
  admission: { class: 'token', scopes: writes },
  input: (field) => ({
    projectId: field.field({ type: 'ProjectID', description: 'Global id, number or full path.' }),
    project: field.id({ deprecationReason: 'Use `projectId`.' }),
    starred: field.boolean({ required: true }),
  }),
  resolve: async (context, { projectId, project, starred }) => {
    const given = projectId ?? project;
    if (given == null) throw new BadRequest('`projectId` is missing.');
    const { id } = await lookUp(context, findProject, 'Project', given);
    const { person } = context.viewer;
    if (!person) throw new Forbidden('Only a person has stars.');
    const changed = await context.database.rows(starred ? star : unstar, [person.id, id]);
    return { id, changed: changed.length > 0 };
  },
});

const Starrer = builder.objectRef<StarrerRecord>('Starrer').implement({
  description: 'A person who starred a project.',
  fields: (t) => ({
    starredSince: t.expose('starredSince', { type: 'Time' }),
    user: t.field({ type: UserCore, resolve: (starrer) => starrer }),
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
  orders: { starred_since: { column: 's.created_at', type: 'timestamptz' } },
  by: 'starred_since_desc',
  rows: async (context, given) => {
    const search = searchText(given.search);
    const { id } = await lookUp(context, findProject, 'Project', given.project);
    return starrerList(id, search);
  },
});
