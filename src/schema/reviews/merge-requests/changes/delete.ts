import { PreconditionFailed } from '../../../../errors.ts';
import { destroyMergeRequest, writes } from '../../../../policy/index.ts';
import { globalId } from '../../../engine/global-id.ts';
import { mutation, type FieldsOf } from '../../../engine/mutation.ts';
import { requirePerson } from '../../../planning/issues/changes/input.ts';
import { lookUpMergeRequest, prefetchNamed, requireMergeRequestRight } from '../look-up.ts';
import { deleteMergeRequest } from '../statements/write.ts';

mutation('mergeRequestDelete', {
  payload: (t: FieldsOf<{ id: number }>) => ({
    mergeRequestId: t.id({
      description: 'The global id of the deleted merge request.',
      resolve: ({ id }) => globalId('MergeRequest', id),
    }),
  }),
  description: 'Deletes a merge request with its comments. For owners of the target.',
  admission: { class: 'token', scopes: writes },
  prefetch: prefetchNamed,
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path or id of the target.' }),
    iid: t.string({ required: true }),
    unmodifiedSince: t.field({
      type: 'Time',
      description: 'Refuses if it was changed after this moment. Fractions of a second are ignored.',
    }),
  }),
  resolve: async (context, { projectPath: project, iid, unmodifiedSince }) => {
    const seen = await lookUpMergeRequest(context, { project, iid });
    requireMergeRequestRight(context, seen, destroyMergeRequest);
    const { id } = seen.mergeRequest;
    const values = [id, unmodifiedSince ?? null, requirePerson(context)];
    const [deleted] = await context.database.rows(deleteMergeRequest, values);
    if (!deleted) {
      // Either a concurrent request deleted it, or it was changed after the given moment.
      await lookUpMergeRequest(context, { project, iid });
      throw new PreconditionFailed();
    }
    return { id };
  },
});
