import { findProject } from '../../../database/access/places.ts';
import { removeProject } from './statements.ts';
import { PreconditionFailed } from '../../../errors.ts';
import { ownProject, writes } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { lookUp } from '../place/look-up.ts';
import { projectFor } from './find.ts';

const DeleteProjectPayload = builder.objectRef<{ id: number }>('DeleteProjectPayload').implement({
  fields: (t) => ({ projectId: t.exposeID('id', { description: 'The id of the removed project.' }) }),
});

builder.mutationField('deleteProject', (t) =>
  t.field({
    type: DeleteProjectPayload,
    nullable: true,
    description: 'Removes a project. It is hidden at once, and its data is removed in the background. For its owners.',
    admission: { class: 'token', scopes: writes },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('DeleteProjectInput', {
          fields: (field) => ({
            project: field.id({ required: true, description: 'Id or full path.' }),
            unmodifiedSince: field.field({
              type: 'DateTime',
              description:
                'Refuses the removal if the project was changed after this moment. Fractions of a second are ignored.',
            }),
          }),
        }),
      }),
    },
    resolve: async (_root, { input: { project, unmodifiedSince } }, context) => {
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
  }),
);
