import { findProject } from '../../../database/access/places.ts';
import { removeProject } from './statements/changes.ts';
import { PreconditionFailed } from '../../../errors.ts';
import { ownProject, writes } from '../../../policy/index.ts';
import { globalId } from '../../engine/global-id.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { lookUp } from '../place/look-up.ts';
import { projectFor } from './find.ts';

mutation('deleteProject', {
  payload: (t: FieldsOf<{ id: number }>) => ({
    projectId: t.id({
      description: 'The global id of the removed project.',
      resolve: ({ id }) => globalId('Project', id),
    }),
  }),
  description: 'Removes a project. It is hidden at once, and its data is removed in the background. For its owners.',
  admission: { class: 'token', scopes: writes },
  input: (field) => ({
    project: field.id({ required: true, description: 'Id or full path.' }),
    unmodifiedSince: field.field({
      type: 'Time',
      description:
        'Refuses the removal if the project was changed after this moment. Fractions of a second are ignored.',
    }),
  }),
  resolve: async (context, { project, unmodifiedSince }) => {
    const { id } = await projectFor(context, ownProject, project);
    const { viewer, database, origin } = context;
    const values = [id, unmodifiedSince ?? null, viewer.person?.id ?? null, origin.address, origin.requestId];
    const [removed] = await database.rows(removeProject, values);
    if (!removed) {
      // Not removed: either a concurrent request removed it, or it was changed after the given moment.
      await lookUp(context, findProject, 'Project', String(id));
      throw new PreconditionFailed();
    }
    return { id };
  },
});
